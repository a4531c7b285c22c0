"""RLlib: what the runners record is what happened at the table, and a run can be trained, continued and exported."""

import socket
import sys
from collections import defaultdict

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="RLlib is not installed: `make test-rllib` runs this in an environment that has it")

import ray
from ray.rllib.env.env_context import EnvContext
from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
from ray.rllib.utils.pre_checks.env import check_multiagent_environments
from rich.console import Console

from agents.arena import play_match
from agents.policy import load_policy
from agents.ppo import PPOAgent
from arabian_envs import GameBatch, IllegalActionError, MismatchError, get_game, register_game
from arabian_envs.adapters.rllib import ArabianMultiAgentEnv
from tests.test_contributing import build_game
from training.config import load_config
from training.rllib_ppo import POLICY, Cluster, ClusterTrainer, ScoredTable, algorithm_config, last_checkpoint

SMALL = {"steps": 10_000, "ppo": {"hidden": [32], "rollout": 16, "minibatch": 64, "epochs": 1}}


@pytest.fixture(scope="module")
def pebbles(tmp_path_factory):
    """A quick game for 2 or 3 players."""
    folder = tmp_path_factory.mktemp("game")
    build_game(folder)
    sys.path.insert(0, str(folder))
    register_game("pebbles", "pebbles:GAME")
    yield get_game("pebbles")
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def one_machine():
    ray.init(address="local", num_cpus=2, include_dashboard=False, logging_level="ERROR")
    yield
    ray.shutdown()


class RememberedTable(ScoredTable):
    """A table that remembers every game: the actions and the rewards of each seat."""

    games: list  # set by the test

    def reset(self, **options):
        views, infos = super().reset(**options)
        self.actions, self.earned = defaultdict(list), defaultdict(float)
        return views, infos

    def step(self, action_dict):
        for agent, action in action_dict.items():
            self.actions[agent].append(int(action))
        answer = super().step(action_dict)
        for agent, reward in answer[1].items():
            self.earned[agent] += reward
        if answer[2]["__all__"]:
            self.games.append((dict(self.actions), dict(self.earned)))
        return answer


def test_each_seat_learns_from_its_own_decisions_and_rewards(pebbles, monkeypatch):
    """Rollouts of 7 steps cut most games in two; put together again they are the games that were played."""
    games = []
    monkeypatch.setattr(RememberedTable, "games", games, raising=False)
    config = load_config("pebbles", [SMALL, {"ppo": {"rollout": 7}, "players": [3]}])
    settings = algorithm_config(pebbles, config, Cluster(num_env_runners=0, num_envs_per_runner=4))
    runner = MultiAgentEnvRunner(config=settings.environment(RememberedTable))
    actions, rewards, finished = defaultdict(list), defaultdict(list), []
    for _ in range(12):
        for episode in runner.sample():
            for agent, part in episode.agent_episodes.items():
                actions[episode.id_, agent] += [int(action) for action in part.get_actions()]
                rewards[episode.id_, agent] += [float(reward) for reward in part.get_rewards()]
            if episode.is_done:
                finished.append(episode.id_)
    assert len(finished) == len(games) >= 10
    recorded = []
    for game in finished:
        seats = [agent for id_, agent in actions if id_ == game]
        assert all(not any(rewards[game, agent][:-1]) for agent in seats)
        recorded.append(({a: actions[game, a] for a in seats}, {a: sum(rewards[game, a]) for a in seats}))
    for played in games:
        assert played in recorded
    assert all(sorted(earned.values()) == [-0.5, -0.5, 1.0] for _, earned in games)


def test_table_sizes_take_turns_and_runners_play_different_games():
    table = ArabianMultiAgentEnv({"game_id": "six_sons", "num_players": [1, 2]})
    table.reset(seed=4)
    sizes = [len(table.agents)]
    for _ in range(3):
        table.reset()
        sizes.append(len(table.agents))
    assert sizes == [1, 2, 1, 2]

    def first_view(runner, seed):
        context = EnvContext({"game_id": "six_sons"}, worker_index=runner)
        (view,) = ArabianMultiAgentEnv(context).reset(seed=seed)[0].values()
        return view["observation"].tobytes()

    assert first_view(1, 5) == first_view(1, 5)
    # RLlib seeds the second table of runner 1 and the first of runner 2 alike.
    assert len({first_view(runner, 5) for runner in range(8)}) == 8


def test_the_environment_passes_rllibs_own_check_and_says_what_is_wrong():
    table = ArabianMultiAgentEnv({"game_id": "six_sons"})
    check_multiagent_environments(table)
    views, _ = table.reset(seed=1)
    ((agent, view),) = views.items()
    illegal = int(np.flatnonzero(view["action_mask"] == 0)[0])
    _, rewards, terminated, _, _ = table.step({agent: illegal})
    assert rewards[agent] == -1
    assert terminated["__all__"]

    table = ArabianMultiAgentEnv({"game_id": "six_sons", "illegal": "raise"})
    ((agent, view),) = table.reset(seed=1)[0].items()
    with pytest.raises(IllegalActionError, match="six_sons"):
        table.step({agent: illegal})
    with pytest.raises(ValueError, match=f"turn of {agent}"):
        table.step({})
    with pytest.raises(ValueError, match="unknown options player; expected game_id and any of num_players"):
        ArabianMultiAgentEnv({"game_id": "six_sons", "player": 2})


def test_an_address_where_nobody_answers_is_refused_at_once():
    with socket.socket() as closed:  # bound, but nobody listens
        closed.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(ValueError, match=f"--address {address}.*running Ray cluster"):
            Cluster(address).connect(Console())


def test_a_run_is_trained_by_two_runners_continued_and_exported(tmp_path, one_machine):
    game, cluster = get_game("six_sons"), Cluster(num_env_runners=2, num_envs_per_runner=4)
    config = load_config(game.id, [SMALL])
    run = tmp_path / "run"
    trainer = ClusterTrainer(game, config, run, cluster)
    before = trainer.algorithm.get_module(POLICY).layers()[0][0]
    trainer.update()
    trainer.update()
    steps = trainer.steps
    assert steps >= 2 * 16 * cluster.tables
    trainer.save()
    trained = load_policy(run / "policy.safetensors")
    assert not np.allclose(before, trained.layers[0][0])
    rate, moments = optimiser(trainer)
    trainer.close()

    again = ClusterTrainer(game, config, run, cluster)
    assert again.steps == steps
    for (weight, bias), (kept_weight, kept_bias) in zip(
        again.algorithm.get_module(POLICY).layers(), trained.layers, strict=True
    ):
        np.testing.assert_array_equal(weight, kept_weight)
        np.testing.assert_array_equal(bias, kept_bias)
    for moment, kept in zip(optimiser(again)[1], moments, strict=True):
        np.testing.assert_array_equal(moment, kept)
    again.update()
    assert optimiser(again)[0] < rate
    assert [row["steps"] for row in again.rows][1:] == [steps, again.steps]
    again.save()
    assert last_checkpoint(run).name == f"{again.steps:012}"
    again.close()

    policy = load_policy(run / "policy.safetensors")
    assert not np.allclose(policy.layers[0][0], trained.layers[0][0])
    assert policy.facts["steps"] > steps
    result = play_match(game.id, [f"ppo:{run / 'policy.safetensors'}", "random"], 20)
    assert result.win_share.sum() == pytest.approx(1)

    other = load_config(game.id, [SMALL, {"ppo": {"hidden": [16]}}])
    with pytest.raises(MismatchError, match="its network is"):
        ClusterTrainer(game, other, run, cluster)


def optimiser(trainer):
    """Its learning rate and its moments."""
    ((_, kept),) = trainer.algorithm.learner_group.get_state()["learner"]["optimizer"].items()
    state = kept["state"]
    return state["param_groups"][0]["lr"], [np.asarray(moments["exp_avg"]) for moments in state["state"].values()]


def test_the_exported_policy_is_the_network_that_was_trained(tmp_path, one_machine):
    import torch

    game = get_game("six_sons")
    config = load_config(game.id, [SMALL, {"ppo": {"activation": "tanh"}}])
    trainer = ClusterTrainer(game, config, tmp_path, Cluster(num_env_runners=0, num_envs_per_runner=2))
    trainer.export(tmp_path / "policy.safetensors")
    batch = GameBatch(game, 16, seed=3)
    module = trainer.algorithm.get_module(POLICY)
    view = {"observation": torch.as_tensor(batch.observation), "action_mask": torch.as_tensor(np.array(batch.action_mask))}
    with torch.no_grad():
        logits = module.forward_inference({"obs": view})["action_dist_inputs"].numpy()
    trainer.close()
    legal = batch.action_mask == 1
    exported = load_policy(tmp_path / "policy.safetensors").logits(batch.observation)
    np.testing.assert_allclose(logits[legal], exported[legal], atol=1e-6)
    assert (logits[~legal] < -1e30).all()
    chosen = PPOAgent(tmp_path / "policy.safetensors").act(batch, np.arange(16))
    np.testing.assert_array_equal(chosen, logits.argmax(axis=1))
