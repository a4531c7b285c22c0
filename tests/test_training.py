"""Training: it learns, it survives being killed, and its policies play."""

import copy
import csv
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from agents import make_agent
from agents.advice import Adviser
from agents.arena import play_match
from agents.policy import Policy, load_policy, save_policy
from agents.ppo import SHIPPED, PPOAgent
from arabian_envs import MismatchError, get_game, make_batch, registry
from arabian_envs.adapters.sb3 import ArabianVecEnv
from tests.test_contributing import build_game
from training.cli import main
from training.config import Config, load_config, parse_setting
from training.imitation import watch
from training.learner import Figures, Learner, TablePolicy
from training.policies import publish, weaknesses
from training.pool import OpponentPool
from training.ppo import Trainer

TINY = {
    "steps": 512,
    "tables": 16,
    "ppo": {"hidden": [16], "rollout": 8, "minibatch": 64, "epochs": 1},
    "imitation": {"seconds": 0},
    "snapshots": {"every": 128, "kept": 3},
    "evaluation": {"every": 1e9, "games": 20, "final_games": 20},
    "checkpoint": {"every": 0},
}


def tiny(game_id="six_sons", **changes) -> Config:
    return load_config(game_id, [TINY, changes])


@pytest.fixture(scope="module")
def pebbles(tmp_path_factory):
    """The guide's game, in which taking the heap to a multiple of four wins."""
    folder = tmp_path_factory.mktemp("games")
    build_game(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setitem(registry._ENTRY_POINTS, "pebbles", "pebbles:GAME")
        yield get_game("pebbles")


# -- Learning ----------------------------------------------------------------------------------------------------------


def test_a_game_with_known_best_play_is_solved_by_self_play_alone(pebbles, tmp_path):
    changes = {
        "steps": 60_000,
        "players": [2],
        "tables": 128,
        "opponents": {"current": 0.7, "snapshots": 0.3, "greedy": 0, "random": 0},
        "ppo": {"hidden": [32], "rollout": 16, "minibatch": 512, "epochs": 4, "learning_rate": 3e-3},
        "snapshots": {"every": 10_000},
        "checkpoint": {"every": 1e9},
    }
    trainer = Trainer(pebbles, tiny("pebbles", **changes), tmp_path)
    trainer.run()
    heaps = np.array([heap for heap in range(1, 26) if heap % 4])
    batch = make_batch("pebbles", len(heaps), 2, seed=1)
    batch.state["heap"] = heaps
    batch.refresh()
    taken = PPOAgent(trainer.policy()).act(batch, np.arange(len(heaps))) + 1
    assert (taken == heaps % 4).all()


class _Recorder(BaseCallback):
    def __init__(self):
        super().__init__()
        self.steps = []

    def _on_step(self) -> bool:
        self.steps.append((self.locals["dones"].copy(), self.locals["infos"]))
        return True


def test_each_seat_learns_from_its_own_returns_at_a_table_of_three(pebbles, tmp_path):
    changes = {"players": [3], "tables": 32, "ppo": {"rollout": 40, "gamma": 1.0, "gae_lambda": 1.0}}
    trainer = Trainer(pebbles, tiny("pebbles", **changes), tmp_path)
    recorder = _Recorder()
    trainer.model.learn(32 * 40, callback=recorder, reset_num_timesteps=False)
    rollout = trainer.model.rollout_buffer
    returns = rollout.rows(torch.zeros(40, 32), torch.zeros(32)).returns.reshape(40, 32).numpy()
    rewards = rollout.rewards.numpy()
    outcomes = set()
    for table in range(32):
        begin = 0
        for step, (dones, infos) in enumerate(recorder.steps):
            if not dones[table]:
                assert rewards[step, table] == 0
                continue
            seat, scores = infos[table]["seat"], infos[table]["scores"]
            earned = 1.0 if scores[seat] == 1 else -0.5
            assert rewards[step, table] == earned
            np.testing.assert_allclose(returns[begin : step + 1, table], earned, atol=1e-5)
            outcomes.add((int(seat), earned))
            begin = step + 1
    assert outcomes == {(seat, earned) for seat in range(3) for earned in (1.0, -0.5)}


@pytest.mark.parametrize("threads", [1, 3])
def test_an_update_is_maskable_ppos_own_on_any_number_of_threads(threads):
    """From the same network and the same rollout, sb3-contrib's update and ours lead to the same network."""
    env = ArabianVecEnv("six_sons", 64)
    options = {"n_steps": 8, "batch_size": 512, "n_epochs": 3, "ent_coef": 0.02, "learning_rate": 3e-3, "device": "cpu"}
    ours = Learner(TablePolicy, env, threads, seed=1, **options)
    theirs = MaskablePPO("MlpPolicy", env, seed=2, **options)
    ours.learn(512)  # so that rollout and network are past their first update
    theirs.policy.load_state_dict(ours.policy.state_dict())
    theirs.policy.optimizer.load_state_dict(copy.deepcopy(ours.policy.optimizer.state_dict()))
    played, buffer = ours.rollout_buffer, theirs.rollout_buffer
    recorder = _Recorder()
    recorder.init_callback(ours)
    ours.collect_rollouts(env, recorder, played, 8)
    buffer.reset()
    starts = np.concatenate([np.zeros((1, 64)), played.over[:-1]])
    masks = played.masks.numpy().astype(np.int8)
    values = ours.policy.values(played.observations.flatten(0, 1)).detach().reshape(8, 64)
    for step in range(8):
        row = played.observations[step].numpy(), played.actions[step].numpy()[:, None], played.rewards[step].numpy()
        buffer.add(*row, starts[step], values[step], played.log_chances[step], action_masks=masks[step])
    last = ours.policy.predict_values(torch.as_tensor(ours._last_obs)).detach()
    buffer.compute_returns_and_advantage(last, played.over[-1].numpy())
    rows = played.rows(values, last[:, 0])
    np.testing.assert_allclose(rows.advantages.reshape(8, 64), buffer.advantages, atol=1e-5)
    theirs.set_logger(ours.logger)
    theirs.train()
    names = [f"train/{name}" for name in Figures._fields if name != "approx_kl"]  # theirs is of the last pass alone
    figures = [ours.logger.name_to_value[name] for name in names]
    ours.train()
    np.testing.assert_allclose([ours.logger.name_to_value[name] for name in names], figures, rtol=1e-3)
    for one, other in zip(ours.policy.parameters(), theirs.policy.parameters(), strict=True):
        np.testing.assert_allclose(one.detach(), other.detach(), atol=2e-5)


def test_the_learner_refuses_options_it_would_not_heed():
    with pytest.raises(ValueError, match="'clip_range_vf' is not the learner's"):
        Learner(TablePolicy, ArabianVecEnv("six_sons", 4), clip_range_vf=0.2)


def test_actions_are_drawn_with_the_networks_chances_and_never_against_the_mask():
    learner = Learner(TablePolicy, ArabianVecEnv("six_sons", 512), 2, n_steps=16, batch_size=512, learning_rate=0.0, seed=1)
    size = int(learner.action_space.n)
    with torch.no_grad():
        learner.policy.action_net.bias += torch.linspace(0, 2, size)
    learner.learn(1)
    rows = learner.rollout_buffer.rows(torch.zeros(16, 512), torch.zeros(512))
    assert rows.masks.gather(1, rows.actions[:, None]).all()
    chances = learner.policy.log_chances(rows.observations, rows.masks).exp().detach()
    expected, spread = chances.sum(dim=0), (chances * (1 - chances)).sum(dim=0).sqrt()
    assert (torch.bincount(rows.actions, minlength=size) - expected).abs().le(4.5 * spread + 0.01).all()


def test_imitation_notes_the_teachers_choices_and_how_its_games_ended(pebbles):
    batch = make_batch("pebbles", 40, 2, seed=1, autoreset=False)
    lessons = watch(batch, make_agent("greedy"), 0.3, 0, np.random.default_rng(1))
    assert lessons.masks[np.arange(len(lessons.actions)), lessons.actions].all()
    heap = np.round(lessons.observations[:, 0] * 100).astype(int)
    winning = heap % 4 != 0
    assert (lessons.actions[winning] + 1 == heap[winning] % 4).all()
    assert set(lessons.returns) == {1.0, -1.0}
    assert lessons.returns[winning].mean() > 0 > lessons.returns[~winning].mean()


def test_imitating_greedy_soon_beats_random(tmp_path):
    config = tiny(steps=1, imitation={"seconds": 4.0, "tables": 64}, ppo={"hidden": [64]})
    trainer = Trainer(get_game("six_sons"), config, tmp_path)
    trainer.run()
    assert play_match("six_sons", [PPOAgent(trainer.policy()), "random"], 200).win_share[0] > 0.7


# -- The pool ----------------------------------------------------------------------------------------------------------


def seats_by_game(pool: OpponentPool, batch, steps: int) -> dict[tuple[int, int, int], set[int]]:
    """Who acted for each (table, game, seat)."""
    seen: dict[tuple[int, int, int], set[int]] = {}
    everywhere = np.arange(batch.num_games)
    for _ in range(steps):
        actions = pool.act(batch, everywhere)
        for table in everywhere:
            seat = int(batch.player[table])
            key = int(table), int(batch.episodes[table]), seat
            seen.setdefault(key, set()).add(int(pool._who[table, seat]))
        batch.step(actions)
    return seen


def test_a_seat_has_one_opponent_a_game_and_the_mix_is_as_asked():
    game = get_game("six_sons")
    pool = OpponentPool(game, {"current": 0.5, "snapshots": 0.25, "random": 0.25}, kept=2)
    pool.seed(3)
    layer = np.zeros((game.num_actions, game.observation_size)), np.zeros(game.num_actions)
    for _ in range(3):
        pool.take_snapshot(Policy(game.id, game.version, [layer]))
    assert len(pool.members) == 4
    assert pool.taken == 3
    np.testing.assert_allclose(pool.chances(), [0.5, 0.25, 0.125, 0.125])
    seen = seats_by_game(pool, make_batch("six_sons", 200, 2, seed=1), 120)
    assert all(len(members) == 1 for members in seen.values())
    counts = np.bincount([members.pop() for members in seen.values()], minlength=4) / len(seen)
    np.testing.assert_allclose(counts, pool.chances(), atol=0.1)


# -- Runs --------------------------------------------------------------------------------------------------------------


def arabian(monkeypatch, *words: str) -> int:
    """The command in this process; its exit code."""
    monkeypatch.setattr(sys, "argv", ["arabian", *words])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


def start_run(folder: Path) -> subprocess.Popen:
    """A run of its own that would not end soon, after a few checkpoints."""
    file = folder.with_suffix(".toml")
    file.write_text(
        """
        tables = 16
        ppo = { hidden = [16], rollout = 8, minibatch = 64 }
        imitation = { seconds = 0 }
        snapshots = { every = 128, kept = 3 }
        evaluation = { every = 1e9, games = 20, final_games = 20 }
        checkpoint = { every = 0 }
        """
    )
    run = subprocess.Popen(
        [sys.executable, "-m", "training.cli", "train", "six_sons", "--config", str(file), "--out", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "200"},
    )
    deadline = time.monotonic() + 120
    while steps_kept(folder) < 384:
        assert run.poll() is None, run.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return run


def steps_kept(folder: Path) -> int:
    path = folder / "checkpoint.pt"
    return torch.load(path, weights_only=True)["steps"] if path.exists() else 0


def test_a_killed_run_goes_on_with_optimiser_pool_and_counters(tmp_path):
    folder = tmp_path / "run"
    run = start_run(folder)
    run.kill()
    run.wait()
    kept = torch.load(folder / "checkpoint.pt", weights_only=True)
    config = Config.from_json(folder / "config.json", [{"steps": kept["steps"] + 256}])
    trainer = Trainer(get_game("six_sons"), config, folder)
    assert trainer.steps == kept["steps"]
    assert trainer.seconds >= kept["seconds"]
    assert trainer.model._n_updates == kept["updates"]
    assert len(trainer.pool.snapshots) == 3
    assert trainer.pool.taken == kept["snapshots_taken"]
    for ours, theirs in zip(trainer.pool.policies, kept["snapshots"], strict=True):
        assert (ours.layers[0][0] == theirs[0][0].numpy()).all()
    for ours, theirs in zip(
        trainer.model.policy.optimizer.state_dict()["state"].values(), kept["optimizer"]["state"].values(), strict=True
    ):
        assert ours["step"] == theirs["step"] > 0
        assert (ours["exp_avg"] == theirs["exp_avg"]).all()
    trainer.run()
    assert trainer.steps == kept["steps"] + 256
    with (folder / "log.csv").open() as file:
        steps = [float(row["steps"]) for row in csv.DictReader(file)]
    assert steps == sorted(set(steps)), "a row was lost or written twice"
    assert steps[-1] == trainer.steps
    assert (folder / "curve.png").read_bytes()[:4] == b"\x89PNG"
    assert list((folder / "tensorboard").iterdir())


def test_ctrl_c_saves_and_the_command_goes_on_from_there(tmp_path, monkeypatch, capfd):
    folder = tmp_path / "run"
    run = start_run(folder)
    run.send_signal(signal.SIGINT)
    shown, complaints = run.communicate(timeout=60)
    assert run.returncode == 0, complaints
    assert f"--resume {folder}" in shown
    steps = steps_kept(folder)
    assert arabian(monkeypatch, "train", "six_sons", "--resume", str(folder), "--steps", str(steps + 100)) == 0
    shown = "".join(capfd.readouterr().out.split("\n"))
    assert "random" in shown
    assert "greedy" in shown
    assert str(folder / "curve.png") in shown
    assert steps_kept(folder) == steps + 128
    assert arabian(monkeypatch, "match", "six_sons", f"ppo:{folder / 'policy.safetensors'}", "random", "--games", "20") == 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--set", "speed=9"), "unknown options: speed; there are: steps, minutes"),
        (("--set", "ppo.speed=9"), "unknown options: ppo.speed; there are: ppo.hidden"),
        (("--set", "ppo.epochs=many"), "option 'ppo.epochs': expected int, got 'many'"),
        (("--set", "reward=fame"), "option 'reward': 'fame'; expected outcome or margin"),
        (("--set", "opponents.gready=1"), "no agent 'gready'"),
        (("--set", "epochs"), "expected key=value"),
        (("--resume", "nowhere"), "nowhere: expected the folder of a training run"),
        (("--config", "nowhere.toml"), "nowhere.toml"),
    ],
)
def test_wrong_options_are_one_line_that_says_what_is_right(words, expected, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert arabian(monkeypatch, "train", "six_sons", *words) == 2
    complaints = capsys.readouterr().err
    assert expected in complaints
    assert len(complaints.strip().splitlines()) == 1


def test_options_come_on_top_of_each_other():
    config = load_config("six_sons", [{"tables": 7}, parse_setting("opponents.greedy=0.9"), parse_setting("seed = 3")])
    assert (config.tables, config.seed, config.opponents["greedy"]) == (7, 3, 0.9)
    assert config.players == [2, 2, 2, 1], "the game's own file"
    assert config.opponents["current"] == load_config("six_sons").opponents["current"]


# -- Policy files ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Trainer:
    trainer = Trainer(get_game("six_sons"), tiny(steps=128), tmp_path_factory.mktemp("run"))
    trainer.run()
    return trainer


def test_a_policy_file_plays_as_the_network_it_came_from(trained):
    path = trained.folder / "policy.safetensors"
    policy = load_policy(path)
    assert policy.facts["steps"] == trained.steps
    batch = make_batch("six_sons", 50, seed=1)
    for _ in range(20):
        with torch.no_grad():
            seen = torch.as_tensor(batch.observation.copy())
            theirs = trained.model.policy.get_distribution(seen, batch.action_mask.copy()).get_actions(deterministic=True)
        assert (PPOAgent(policy).act(batch, np.arange(50)) == theirs.numpy()).all()
        batch.step(batch.sample())


def test_advice_alone_plays_as_the_heuristic_does_and_weighs_what_was_learned():
    """With no weights a policy follows the advice; a bias of more than its trust overrules it."""
    game = get_game("djinns")
    batch = make_batch("djinns", 64, 3, seed=1)
    for _ in range(30):
        batch.step(batch.sample())
    tables = np.arange(64)
    inputs = Adviser().observe(batch, tables, 2)
    assert inputs.shape == (64, game.observation_size + game.num_actions + 1)
    advice = inputs[:, game.observation_size : -1]
    assert (advice.max(axis=1) == 0).all()
    assert (advice[batch.action_mask == 0] == -1).all()

    def follow(bias: np.ndarray) -> np.ndarray:
        layer = np.zeros((game.num_actions, inputs.shape[1])), bias
        return PPOAgent(Policy(game.id, game.version, [layer], advice=2, trust=4.0)).act(batch, tables)

    assert (advice[tables, follow(np.zeros(game.num_actions))] == 0).all()
    against = np.arange(game.num_actions) * 5.0
    last = game.num_actions - 1 - batch.action_mask[:, ::-1].argmax(axis=1)
    assert (follow(against) == last).all()


def test_advice_knows_no_more_than_the_seat():
    """Tables that differ only in what the acting seat cannot know get the same advice, but for the luck of the redrawing."""
    batch = make_batch("djinns", 1, 2, seed=3)
    for _ in range(12):
        batch.step(batch.sample())
    views = []
    for seed in (1, 2):
        other = batch.copy()
        other.determinize(batch.player, seed=seed)
        copies = make_batch("djinns", 400, 2, seed=0)
        copies.state[:] = other.state[0]
        copies.refresh()
        views.append(Adviser().observe(copies, np.arange(400), 1).mean(axis=0))
    assert np.abs(views[0] - views[1]).max() < 0.15


def test_a_policy_trained_with_advice_plays_from_its_file_as_its_network_and_goes_on(tmp_path):
    config = tiny(steps=256, advice={"samples": 1, "trust": 3.0})
    trainer = Trainer(get_game("six_sons"), config, tmp_path)
    trainer.run()
    policy = load_policy(tmp_path / "policy.safetensors")
    assert (policy.advice, policy.trust) == (1, 3.0)
    batch = make_batch("six_sons", 50, seed=1)
    inputs = Adviser().observe(batch, np.arange(50), 1)
    with torch.no_grad():
        theirs = trainer.model.policy.get_distribution(torch.as_tensor(inputs), batch.action_mask.copy())
    ours = policy.logits(inputs) - policy.logits(inputs).max(axis=1, keepdims=True)
    ours[batch.action_mask == 0] = -np.inf
    chances = np.exp(ours) / np.exp(ours).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(theirs.distribution.probs.numpy(), chances, atol=1e-5)
    assert Trainer(get_game("six_sons"), config, tmp_path).steps == trainer.steps
    with pytest.raises(MismatchError, match=r"its advice is \[1, 3.0\], expected \[0, 8.0\]"):
        Trainer(get_game("six_sons"), tiny(), tmp_path)


def test_sampling_follows_the_networks_chances():
    game = get_game("six_sons")
    bias = np.linspace(0, 2, game.num_actions)
    policy = Policy(game.id, game.version, [(np.zeros((game.num_actions, game.observation_size)), bias)])
    batch = make_batch("six_sons", 1, seed=1)
    agent = PPOAgent(policy, sample=True)
    drawn = np.concatenate([agent.act(batch, np.zeros(1000, np.intp)) for _ in range(20)])
    expected = np.exp(bias) * batch.action_mask[0]
    np.testing.assert_allclose(
        np.bincount(drawn, minlength=game.num_actions) / len(drawn), expected / expected.sum(), atol=0.02
    )


def test_a_policy_of_another_game_or_version_is_refused_with_what_differs(trained, pebbles, tmp_path):
    agent = make_agent(f"ppo:{trained.folder / 'policy.safetensors'}")
    with pytest.raises(MismatchError, match=r"cannot play pebbles_v0: its game is six_sons, expected pebbles.*size is 133"):
        agent.act(make_batch("pebbles", 2, seed=1), np.arange(2))
    old = Policy("six_sons", 99, trained.policy().layers)
    with pytest.raises(MismatchError, match="its version is 99, expected 0"):
        PPOAgent(old).act(make_batch("six_sons", 2, seed=1), np.arange(2))


def test_files_that_are_no_policies_are_refused_and_never_executed(tmp_path):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "sprung"),)

    (tmp_path / "pickle").write_bytes(pickle.dumps(Trap()))
    save_file({"0.weight": np.zeros((2, 2), np.float32)}, tmp_path / "foreign")
    (tmp_path / "empty").touch()
    for name in ("pickle", "foreign", "empty"):
        with pytest.raises(MismatchError, match=f"{name}: expected a policy file"):
            load_policy(tmp_path / name)
    assert not (tmp_path / "sprung").exists()
    with pytest.raises(FileNotFoundError, match="no policy file"):
        make_agent(f"ppo:{tmp_path / 'missing'}")


def test_a_run_of_another_network_is_not_resumed(trained):
    with pytest.raises(MismatchError, match=r"its network is \[16, 'relu'\], expected \[8, 'relu'\]"):
        Trainer(get_game("six_sons"), tiny(ppo={"hidden": [8]}), trained.folder)


def test_saving_refuses_layers_that_do_not_fit_the_game(tmp_path):
    with pytest.raises(MismatchError, match="number of actions is 3, expected 39"):
        save_policy(tmp_path / "x", Policy("six_sons", 0, [(np.zeros((3, 133)), np.zeros(3))]))


# -- Shipped policies --------------------------------------------------------------------------------------------------


def test_publishing_writes_a_policy_and_a_card_with_its_results(trained, tmp_path, monkeypatch):
    monkeypatch.setattr("training.policies.SHIPPED", tmp_path)
    monkeypatch.setattr("training.policies.GAMES_PER_MATCH", 40)
    results = publish(trained, "six_sons")
    text = (tmp_path / "six_sons.md").read_text()
    assert f"| random | 2 | 40 | {results[0].win_share[0]:.1%} |" in text
    assert "python -m training.policies six_sons" in text
    assert "wins" in weaknesses(results)[-1]
    assert load_policy(tmp_path / "six_sons.safetensors").layers[0][0].dtype == np.float16


@pytest.mark.parametrize("game_id", sorted(path.stem for path in SHIPPED.glob("*.safetensors")))
def test_the_shipped_policies_have_cards_and_beat_random(game_id):
    assert (SHIPPED / f"{game_id}.md").is_file()
    assert play_match(game_id, ["ppo", "random"], 200).win_share_high[0] > 0.95
