"""Searching agents: they look ahead, and only as far as they may see."""

import numpy as np
import pytest

from agents import FlatAgent, IsmctsAgent, SearchOptions, make_agent
from agents.arena import play_match
from agents.base import Agent
from arabian_envs import GAMES, GameBatch, get_game, make_batch
from arabian_envs.games.islands.components import Dream, Picture, Stack
from arabian_envs.games.islands.state import Phase as IslandsPhase
from arabian_envs.games.six_sons.state import Phase
from tests.games import test_djinns, test_islands, test_sultaniya, test_sultans_of_wind
from tests.positions import change, legal, position

# -- Positions that are won, but not by every action -------------------------------------------------------------------


def won_six_sons() -> GameBatch:
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
    return batch


def won_djinns() -> GameBatch:
    """The last turn, six points behind: only a Vizier brings four and takes four from the other palace."""
    batch = test_djinns.table(("GV GT GM", "MD MD"), ("GS GV GT", "MS MV MV MT MM"), turns_left=1)
    assert batch.scores()[0].tolist() == [12, 18]
    return batch


def won_islands() -> GameBatch:
    """The last two dreams: Fennec Foxes bring more, but whoever leaves the Elephants to the next player loses."""
    batch = position("islands", 3, player=0, lookout=2, phase=IslandsPhase.TILE, rounds_played=15, stack=Stack.DREAM)
    useless = [test_islands.dream(Dream.FLIPPED), test_islands.dream(Dream.FLIPPED, 1), test_islands.dream(Dream.LAMP)]
    for seat, palms, foxes, elephants in ((0, 20, 2, 1), (1, 20, 1, 3), (2, 5, 0, 0)):
        batch.state["dreams"][0, seat, :3] = useless
        batch.state["visible"][0, seat, [Picture.PALM, Picture.FENNEC, Picture.ELEPHANT]] = palms, foxes, elephants
    batch.state["drawn"][0] = 12
    batch.state["deck"][0, Stack.DREAM, 9:11] = test_islands.dream(Dream.FENNEC), test_islands.dream(Dream.ELEPHANT)
    change(batch, on_table=(1, 1, 0, 0, 0), chosen=(0, 0, 1, 0, 0))
    assert batch.scores()[0].tolist() == [20, 20, 5]
    return batch


def won_sultans_of_wind() -> GameBatch:
    """One of three carpets can end the race, on one space; the other player will end it next."""
    carpets = [test_sultans_of_wind.named("l12", "l11", "j12"), test_sultans_of_wind.named("a1", "a2", "c1")]
    batch = test_sultans_of_wind.resolving(7, carpet=[*carpets, [-1] * 3, [-1] * 3], djinn=test_sultans_of_wind.at("f6"))
    assert {"carpet first", "carpet third", "decline"} <= legal(batch)
    return batch


def won_sultaniya() -> GameBatch:
    """The last turn, level but with fewer sapphires: only a Djinn beside the palace, as the objectives want it, wins."""
    batch = test_sultaniya.with_guards(2, 2)
    change(batch, ender=1, sapphires=(1, 9, 0, 0), treasure=45)
    points = batch.scores()[0]
    assert points[0] == points[1]
    return batch


WON = {
    "six_sons": won_six_sons,
    "djinns": won_djinns,
    "islands": won_islands,
    "sultans_of_wind": won_sultans_of_wind,
    "sultaniya": won_sultaniya,
}


def reward_of_first_seat(batch: GameBatch, agent: Agent, most_decisions: int) -> float:
    """What the first seat gets when an agent plays all seats; 0 if the game takes too long."""
    for _ in range(most_decisions):
        batch.step(agent.act(batch, np.array([0])))
        if not batch.running[0]:
            return float(batch.reward[0, 0])
    return 0.0


@pytest.mark.parametrize(
    ("game_id", "spec"),
    # Random play-outs find a win only where one decision makes the difference.
    [*((game_id, "ismcts:300") for game_id in GAMES), ("six_sons", "flat:300"), ("islands", "flat:300")],
)
def test_search_finds_a_forced_win(game_id, spec):
    for seed in range(3):
        agent = make_agent(spec)
        agent.seed(seed)
        assert reward_of_first_seat(WON[game_id](), agent, 6) == 1


@pytest.mark.parametrize("game_id", GAMES)
def test_the_forced_wins_are_easily_missed(game_id):
    agent = make_agent("random")
    assert sum(reward_of_first_seat(WON[game_id](), agent, 6) == 1 for _ in range(40)) <= 25


# -- Fair play ---------------------------------------------------------------------------------------------------------


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
    [
        {"playout": "greedy", "depth": 3},
        {"playout": "random", "depth": None},
        {"prior": 0.0},
        {"exploration": 0.0},
        {"others": "search"},
    ],
)
def test_every_option_plays_legally(options):
    batch = make_batch("six_sons", 4, seed=1)
    agent = IsmctsAgent(SearchOptions(simulations=30, **options))
    for _ in range(20):
        batch.step(agent.act(batch, np.arange(4)))


@pytest.mark.parametrize(
    "options",
    [
        {"simulations": 0},
        {"simulations": 1.5},
        {"opinions": 0},
        {"playout": "clever"},
        {"others": "clever"},
        {"depth": -1},
        {"depth": "deep"},
        {"exploration": -0.1},
        {"exploration": float("nan")},
        {"prior": -1},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises((TypeError, ValueError), match="expected"):
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
