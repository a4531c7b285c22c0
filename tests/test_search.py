"""Searching agents: they look ahead, and only as far as they may see."""

import numpy as np
import pytest

from agents import FlatAgent, IsmctsAgent, SearchOptions, make_agent
from agents.arena import play_match
from arabian_envs import GAMES, get_game, make_batch
from arabian_envs.games.six_sons.state import Phase
from tests.positions import position

SEARCHES = ["flat:300", "ismcts:300"]


@pytest.mark.parametrize("spec", SEARCHES)
def test_search_finds_the_only_winning_advance_in_six_sons(spec):
    """The last turn, one point behind: seven spaces of Herbal win, fewer do not."""
    batch = position(
        "six_sons",
        player=0,
        first_player=1,
        time=1,
        phase=Phase.ORDER,
        order_die=1,
        wealth_die=1,
        passing_die=1,
        dice=(1, 1, 1),
        wealth=(20, 0),
        position=((0,) * 6, (0, 0, 0, 0, 5, 0)),
        reached=(0, 0, 0, 0, 5, 0),
    )
    assert batch.scores()[0].tolist() == [0, 11]
    winning = {batch.game.action("advance", 8)}  # 11 points and more wealth
    for seed in range(5):
        agent = make_agent(spec)
        agent.seed(seed)
        assert int(agent.act(batch, np.array([0]))[0]) in winning


@pytest.mark.parametrize("game_id", GAMES)
def test_search_does_not_cheat(game_id):
    """Two states that differ only in what the searcher cannot know lead to the same distribution over moves."""
    batch = make_batch(game_id, 1, seed=5, autoreset=False)
    for _ in range(9):
        batch.step(batch.sample())
    while batch.action_mask[0].sum() < 2:
        batch.step(batch.sample())
    other = batch.copy()
    other.determinize(batch.player, seed=77)
    assert other.state.tobytes() != batch.state.tobytes()

    def moves(table) -> np.ndarray:
        agent = IsmctsAgent(SearchOptions(simulations=24, depth=4, prior=0.5))
        copies = make_batch(game_id, 600, int(table.num_players[0]), seed=0, autoreset=False)
        copies.state[:] = table.state[0]
        copies.refresh()
        return np.bincount(agent.act(copies, np.arange(600)), minlength=table.game.num_actions) / 600

    # The total variation between two samples of 600 from one distribution stays well below this.
    assert np.abs(moves(batch) - moves(other)).sum() / 2 < 0.15


def test_more_simulations_play_better():
    result = play_match("six_sons", ["ismcts:300", "ismcts:10"], 200)
    assert result.win_share_low[0] > 0.5


def test_search_beats_greedy():
    result = play_match("six_sons", ["ismcts:300", "greedy"], 200)
    assert result.win_share_low[0] > 0.5


@pytest.mark.parametrize(
    "options",
    [{"playout": "greedy", "depth": 3}, {"playout": "random", "depth": None}, {"prior": 0.0}, {"exploration": 0.0}],
)
def test_every_option_plays_legally(options):
    batch = make_batch("six_sons", 4, seed=1)
    agent = IsmctsAgent(SearchOptions(simulations=30, **options))
    for _ in range(20):
        batch.step(agent.act(batch, np.arange(4)))


@pytest.mark.parametrize(
    "options", [{"simulations": 0}, {"playout": "clever"}, {"depth": -1}, {"exploration": -0.1}, {"prior": -1}]
)
def test_wrong_options_are_refused(options):
    with pytest.raises(ValueError, match="expected"):
        SearchOptions(**options)


@pytest.mark.parametrize("game_id", GAMES)
def test_search_plays_the_largest_table_and_leaves_it_untouched(game_id):
    batch = make_batch(game_id, 3, get_game(game_id).max_players, seed=1)
    before = batch.state.tobytes()
    for agent in (IsmctsAgent(SearchOptions(simulations=20)), FlatAgent(SearchOptions(simulations=20, depth=20))):
        actions = agent.act(batch, np.arange(3))
        assert batch.action_mask[np.arange(3), actions].all()
    assert batch.state.tobytes() == before


def test_the_tree_of_a_table_can_be_shown():
    batch = make_batch("six_sons", 2, seed=3)
    agent = IsmctsAgent(SearchOptions(simulations=200))
    lines = agent.show(batch, table=1, levels=2)
    assert {line.action for line in lines} == set(np.flatnonzero(batch.action_mask[1]))
    assert sum(line.visits for line in lines) == 200
    assert lines[0].visits == max(line.visits for line in lines)
    assert lines[0].children[0].name.startswith("advance")
    assert all(-1 <= line.value <= 1 for line in lines)


def test_the_result_does_not_depend_on_the_threads():
    one, two = (make_batch("six_sons", 16, seed=1, num_threads=threads) for threads in (1, 2))
    actions = []
    for batch in (one, two):
        agent = make_agent("ismcts:100")
        agent.seed(4)
        actions.append(agent.act(batch, np.arange(16)).tolist())
    assert actions[0] == actions[1]
