"""Agents and matches."""

import numpy as np
import pytest

from agents import Agent, GreedyAgent, RandomAgent, make_agent
from agents.arena import play_match, wilson_interval
from arabian_envs import GAMES, get_game, make_batch


@pytest.mark.parametrize("spec", ["random", "greedy", "greedy:2", "flat:20", "ismcts:30"])
@pytest.mark.parametrize("game_id", GAMES)
def test_agents_play_legally_on_some_of_the_tables(game_id, spec):
    agent = make_agent(spec)
    batch = make_batch(game_id, 12, seed=1)
    for _ in range(30):
        tables = np.arange(0, 12, 3)
        actions = batch.sample()
        actions[tables] = agent.act(batch, tables)
        assert batch.action_mask[np.arange(12), actions].all()
        batch.step(actions)


@pytest.mark.parametrize("spec", ["random", "greedy", "flat:50", "ismcts:50"])
def test_agents_of_one_seed_act_alike(spec):
    batch = make_batch("six_sons", 20, seed=1)
    one, two = make_agent(spec), make_agent(spec)
    one.seed(5)
    two.seed(5)
    tables = np.arange(20)
    for _ in range(20):
        assert (one.act(batch, tables) == two.act(batch, tables)).all()
        batch.step(batch.sample())


def test_greedy_does_not_change_the_tables_it_thinks_about():
    batch = make_batch("six_sons", 20, seed=1)
    before = batch.state.tobytes()
    GreedyAgent().act(batch, np.arange(20))
    assert batch.state.tobytes() == before


def test_greedy_does_not_see_the_dice_to_come():
    """Two tables that differ only in their generator get the same answers."""
    for seed in range(20):
        batch = make_batch("six_sons", 2, seed=seed, first_table=3)
        batch.state[1] = batch.state[0]
        batch.state["rng"][1] = 12345
        batch.refresh()
        agent = GreedyAgent(samples=8)
        agent.seed(0)
        first = agent.act(batch, np.array([0]))
        agent.seed(0)
        assert agent.act(batch, np.array([1])) == first


@pytest.mark.parametrize("spec", ["", "gready", "greedy:", "greedy:x", "greedy:0", "random:3", "ismcts:-1", "flat:many"])
def test_a_wrong_spec_is_refused_with_the_right_ones(spec):
    with pytest.raises(
        ValueError, match=r"expected .*random, greedy or greedy:SAMPLES, flat:SIMULATIONS, ismcts:SIMULATIONS"
    ):
        make_agent(spec)


def test_something_that_is_no_agent_is_refused():
    with pytest.raises(TypeError, match="expected a spec, or an object with name, seed and act"):
        make_agent(42)
    assert isinstance(make_agent(RandomAgent()), Agent)


# -- Matches -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_equal_agents_share_the_wins(game_id, opponent):
    result = play_match(game_id, [opponent, opponent], 200)
    assert result.win_share.sum() == pytest.approx(1)
    assert (result.win_share_low <= 0.5).all()
    assert (result.win_share_high >= 0.5).all()


def test_greedy_is_clearly_better_than_random():
    result = play_match("six_sons", ["random", "greedy"], 1000)
    assert result.win_share_low[1] > 0.9
    assert result.mean_score[1] > result.mean_score[0] + 15


def test_a_match_is_repeatable_and_depends_on_its_seed():
    one, two, other = (play_match("six_sons", ["greedy", "random"], 200, seed=seed) for seed in (1, 1, 2))
    assert one.mean_score.tolist() == two.mean_score.tolist()
    assert one.mean_score.tolist() != other.mean_score.tolist()


class Firsts:
    """Plays the first legal action, and remembers where it sat."""

    name = "firsts"

    def __init__(self):
        self.seats = set()

    def seed(self, seed: int) -> None:
        self.seats.clear()

    def act(self, batch, tables):
        self.seats.update(batch.player[tables].tolist())
        return batch.action_mask[tables].argmax(axis=1)


@pytest.mark.parametrize("game_id", GAMES)
def test_seats_rotate_and_the_last_agent_fills_the_table(game_id):
    players = get_game(game_id).max_players
    agent = Firsts()
    result = play_match(game_id, [agent, "random"], 4 * players, num_players=players)
    assert agent.seats == set(range(players))
    assert result.num_players == players
    assert result.win_share.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("agents", "options", "expected"),
    [
        ([], {}, "at least one agent"),
        (["random"] * 3, {"num_players": 2}, "3 agents for 2 seats"),
        (["random"] * 3, {}, "3 players; expected 1 to 2"),
        (["random"] * 2, {"num_games": 0}, "at least 1"),
    ],
)
def test_wrong_matches_are_refused(agents, options, expected):
    with pytest.raises(ValueError, match=expected):
        play_match("six_sons", agents, **{"num_games": 10, **options})


def test_the_interval_is_wilsons():
    low, high = wilson_interval(np.array([0.9, 0.0]), 100)
    assert low == pytest.approx([0.8256, 0.0], abs=1e-4)
    assert high == pytest.approx([0.9448, 0.0370], abs=1e-4)
