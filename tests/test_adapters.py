"""What the adapters promise beyond the other libraries' own tests."""

import warnings

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils import wrappers

from agents import GreedyAgent
from agents.random import RandomAgent
from arabian_envs import GAMES, GameOverError, IllegalActionError, MismatchError, get_game, make_batch, six_sons_v0
from arabian_envs.adapters.aec import define
from arabian_envs.adapters.learner import LearnerTables
from arabian_envs.adapters.sb3 import ArabianVecEnv
from arabian_envs.adapters.single_agent import SingleAgentEnv
from arabian_envs.registration import environment_id


def first_legal(mask) -> int:
    return int(np.flatnonzero(mask)[0])


# -- PettingZoo --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_has_a_pettingzoo_module_and_ids(game_id):
    module = __import__(f"arabian_envs.{game_id}_v0", fromlist=["env"])
    env = module.env()
    env.reset(seed=1)
    assert env.metadata["name"] == f"{game_id}_v0"
    assert str(pettingzoo.make("aec", environment_id(game_id))) == str(env)
    for section in (
        "Description",
        "Action Space",
        "Observation Space",
        "Rewards",
        "Episode End",
        "Arguments",
        "Version History",
    ):
        assert f"## {section}" in module.raw_env.__doc__


def usual_wrappers(**options):
    env = wrappers.TerminateIllegalWrapper(six_sons_v0.raw_env(**options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def transcript(env, actions) -> list:
    """Everything an AEC loop shows while these actions are played."""
    env.reset(seed=8)
    log = []
    planned = iter(actions)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        log.append((agent, observation["action_mask"].tolist(), reward, terminated, truncated, dict(env.rewards)))
        if terminated or truncated:
            env.step(None)
            continue
        action = next(planned, None)
        env.step(first_legal(observation["action_mask"]) if action is None else action)
    return log


@pytest.mark.parametrize("bad_move", [None, 0, 3, 10])
def test_our_guard_behaves_as_pettingzoos_three_wrappers(bad_move):
    actions = [] if bad_move is None else [None] * bad_move + [38]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert transcript(six_sons_v0.env(), actions) == transcript(usual_wrappers(), actions)


@pytest.mark.parametrize("make", [six_sons_v0.env, usual_wrappers])
def test_the_guard_refuses_what_the_wrappers_refuse(make):
    env = make()
    for use in (lambda: env.step(0), lambda: env.observe("player_0"), env.last, lambda: env.agents, env.agent_iter):
        with pytest.raises((AttributeError, AssertionError), match=r"before reset|reset.. needs to be called"):
            use()
    env.reset(seed=1)
    for action in (99, -1, 1.5, None, "advance"):
        with pytest.raises(AssertionError):
            env.step(action)


def test_the_raw_environment_raises_and_stays_as_it_was():
    env = six_sons_v0.raw_env()
    env.reset(seed=1)
    before = env.last()[0]["observation"]
    with pytest.raises(IllegalActionError, match="advance 4"):
        env.step(18)
    assert (env.last()[0]["observation"] == before).all()


def test_an_action_may_be_an_array_of_no_dimension_but_no_truth_value():
    env = six_sons_v0.env()
    env.reset(seed=1)
    env.step(np.array(first_legal(env.last()[0]["action_mask"])))
    assert not any(env.terminations.values())
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(True)


def test_after_the_end_the_raw_environment_asks_for_a_reset():
    env = six_sons_v0.raw_env()
    env.reset(seed=1)
    while env.agents:
        observation, _, over, _, _ = env.last()
        env.step(None if over else first_legal(observation["action_mask"]))
    for use in (env.last, lambda: env.step(None)):
        with pytest.raises(GameOverError, match="call reset"):
            use()


def test_each_seat_gets_its_own_reward_and_score_at_the_end():
    env = six_sons_v0.env()
    for seed in range(10):
        env.reset(seed=seed)
        earned, score = dict.fromkeys(env.possible_agents, 0.0), {}
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            earned[agent] += reward
            if terminated or truncated:
                score[agent] = info["score"]
                env.step(None)
            else:
                legal = np.flatnonzero(observation["action_mask"])
                env.step(int(legal[-1 if agent == "player_1" else 0]))
        assert sum(earned.values()) == 0
        if score["player_0"] != score["player_1"]:
            assert max(earned, key=earned.get) == max(score, key=score.get)


def test_the_state_of_another_game_or_size_is_refused():
    solo, pair = six_sons_v0.raw_env(num_players=1), six_sons_v0.raw_env()
    solo.reset()
    pair.reset()
    with pytest.raises(MismatchError, match="players 1"):
        pair.set_state(solo.get_state())


def test_unknown_reset_options_are_tolerated_and_bad_render_modes_are_not():
    env = six_sons_v0.env()
    env.reset(seed=1, options={"weather": "sandstorm"})
    with pytest.raises(ValueError, match="render mode 'opera'; expected None or one of"):
        six_sons_v0.env(render_mode="opera")


def test_spaces_are_the_same_object_each_time():
    env = six_sons_v0.env()
    assert env.action_space("player_0") is env.action_space("player_0")
    assert env.observation_space("player_1") is env.observation_space("player_1")


def test_state_is_all_views_together():
    env = six_sons_v0.env()
    env.reset(seed=1)
    views = [env.observe(agent)["observation"] for agent in env.possible_agents]
    assert env.state().tolist() == np.concatenate(views).tolist()
    assert env.state_space.contains(env.state())


# -- Gymnasium ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", GAMES)
def test_gymnasium_makes_every_game(game_id):
    env = gymnasium.make(environment_id(game_id))
    _, info = env.reset(seed=1)
    env.step(first_legal(info["action_mask"]))
    vector = gymnasium.make_vec(environment_id(game_id), num_envs=3)
    _, info = vector.reset(seed=1)
    vector.step([first_legal(mask) for mask in info["action_mask"]])


def test_an_illegal_action_ends_the_episode_or_raises_as_asked():
    env = SingleAgentEnv("six_sons")
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(18)
    assert (reward, terminated, info["illegal_action"]) == (-1, True, True)
    with pytest.raises(GameOverError, match="call reset"):
        env.step(8)
    env = SingleAgentEnv("six_sons", illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalActionError):
        env.step(18)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_learner_keeps_a_given_seat(seat):
    env = SingleAgentEnv("six_sons", seat=seat)
    for seed in range(4):
        _, info = env.reset(seed=seed)
        assert info["seat"] == seat
        assert env.tables.batch.player[0] == seat


def test_the_learners_seat_rotates_by_default():
    env = SingleAgentEnv("six_sons")
    env.reset(seed=1)
    assert {env.reset()[1]["seat"] for _ in range(4)} == {0, 1}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"seat": 2}, "seat 2; expected None or 0 … 1"),
        ({"illegal": "ignore"}, "'terminate' or 'raise'"),
        ({"opponents": []}, "no opponents"),
    ],
)
def test_wrong_learner_options_are_refused(options, expected):
    with pytest.raises(ValueError, match=expected):
        LearnerTables("six_sons", 1, **options)


def test_an_opponent_that_cannot_act_is_refused():
    with pytest.raises(TypeError, match="expected agents with a method act"):
        LearnerTables("six_sons", 1, opponents="greedy_please")


def test_a_strong_opponent_is_harder_than_a_random_one():
    def mean_return(opponents) -> float:
        tables = LearnerTables("six_sons", 64, opponents=opponents)
        tables.reset(3)
        rewards, agent = [], RandomAgent()
        while len(rewards) < 200:
            result = tables.step(agent.act(tables.batch, np.arange(64)))
            rewards.extend(result.reward[result.done])
        return float(np.mean(rewards))

    assert mean_return(GreedyAgent()) < mean_return(None) - 0.5


def test_a_learners_return_is_its_own_seats_outcome_at_a_table_of_many():
    """Rewards earned between the learner's decisions belong to its next step, and to its seat alone."""
    game_id = next((g for g in GAMES if get_game(g).max_players > 2), "six_sons")
    players = get_game(game_id).max_players
    tables = LearnerTables(game_id, 16, num_players=players)
    tables.reset(5)
    returns, games = np.zeros(16), 0
    for _ in range(3000):
        result = tables.step([first_legal(mask) for mask in tables.action_mask])
        returns += result.reward
        for index, table in enumerate(result.done):
            seat, scores = result.final_seat[index], result.final_scores[index]
            if (scores == scores.max()).sum() == 1:
                assert returns[table] == pytest.approx(1 if scores.argmax() == seat else -1 / (players - 1))
            returns[table] = 0
            games += 1
        if games > 40:
            return
    pytest.fail("too few games ended")


# -- Stable-Baselines3 -------------------------------------------------------------------------------------------------


def test_maskable_ppo_learns_to_beat_random_play():
    """From 0 on average before training to a clear lead after a few seconds."""
    from sb3_contrib import MaskablePPO

    env = ArabianVecEnv("six_sons", 128)
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=2048, n_epochs=4, learning_rate=1e-3, seed=0, device="cpu")
    model.learn(100_000)
    recent = [episode["r"] for episode in model.ep_info_buffer]
    assert np.mean(recent) > 0.3


def test_the_vecenv_hands_out_copies():
    env = ArabianVecEnv("six_sons", 4)
    first = env.reset()
    kept = first.copy()
    env.step(env.action_masks().argmax(axis=1))
    assert (first == kept).all()


def test_attributes_of_single_tables_cannot_be_set():
    env = ArabianVecEnv("six_sons", 4)
    with pytest.raises(ValueError, match="all or none"):
        env.set_attr("render_mode", None, indices=[0])
    assert env.get_attr("render_mode", indices=[0, 2]) == ["ansi", "ansi"]
    assert env.env_is_wrapped(gymnasium.Wrapper) == [False] * 4


def test_a_batch_and_an_aec_environment_of_one_seed_play_the_same_game():
    batch = make_batch("six_sons", 1, seed=21, autoreset=False)
    env = define("six_sons")[1]()
    env.reset(seed=21)
    while batch.running[0]:
        assert (env.last()[0]["observation"] == batch.observation[0]).all()
        action = batch.sample()
        batch.step(action)
        env.step(int(action[0]))
    assert env.rewards == {"player_0": batch.reward[0, 0], "player_1": batch.reward[0, 1]}
