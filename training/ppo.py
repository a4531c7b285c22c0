"""PPO by self-play on one machine: sb3-contrib's MaskablePPO (as `training.learner` runs it) against a pool of opponents.

A run is a folder:

    config.json            the options it was started with
    checkpoint.pt          all that is needed to go on: network, optimiser, pool, counters
    policy.safetensors     the policy as of that checkpoint, for `ppo:PATH`
    log.csv, tensorboard/  figures after every update
    curve.png              games won against the baselines
    replays/               games of the evaluations, if asked for

Files are replaced in one move, so a run killed at any moment goes on from its last checkpoint.
"""

from __future__ import annotations

import contextlib
import io
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from rich.table import Column
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat
from stable_baselines3.common.torch_layers import MlpExtractor
from threadpoolctl import threadpool_limits

from agents.advice import Adviser, advice_size
from agents.arena import MatchResult, play_match
from agents.base import Agent
from agents.policy import Layer, Policy, save_policy, write_atomically
from agents.ppo import PPOAgent
from arabian_envs import Game, MismatchError
from arabian_envs.adapters.sb3 import ArabianVecEnv
from training.config import Config, load_config, parse_setting, read_toml
from training.imitation import imitate
from training.learner import Learner, TablePolicy
from training.pool import OpponentPool
from training.report import Row, draw_curve, evaluation_figures, match_table, write_log

_MODULES = {"relu": torch.nn.ReLU, "tanh": torch.nn.Tanh}
_LAST_LEARNING_RATE = 0.01  # of the first
_FIGURES = ("approx_kl", "clip_fraction", "entropy_loss", "value_loss", "explained_variance")


class AdvisedTables(ArabianVecEnv):
    """Tables at which the learner hears what the heuristic thinks of its actions, in so many redrawn worlds (or none)."""

    def __init__(self, game_id: str, num_envs: int, advice: int, **options: Any):
        self._adviser, self._advice = Adviser(), advice
        super().__init__(game_id, num_envs, **options)
        seen, more = self.game.observation, advice_size(self.game, advice)
        low, high = np.append(seen.low, np.full(more, -1)), np.append(seen.high, np.ones(more))
        self.observation_space = spaces.Box(low.astype(np.float32), high.astype(np.float32))

    def reset(self) -> NDArray[np.float32]:
        super().reset()
        return self._observe()

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        _, rewards, dones, infos = super().step_wait()
        return self._observe(), rewards, dones, infos

    def _observe(self) -> NDArray[np.float32]:
        return self._adviser.observe(self.tables.batch, np.arange(self.num_envs), self._advice)


class AdvisedPolicy(TablePolicy):
    """A network whose logits begin with the advice among its inputs; `trust` says how much that counts."""

    def __init__(self, *args: Any, trust: float, **kwargs: Any):
        self.trust = trust
        super().__init__(*args, **kwargs)

    def _build_mlp_extractor(self) -> None:
        keeper = _AdviceKeeper(self.features_dim, self.net_arch, self.activation_fn, self.device)
        assert isinstance(self.action_space, spaces.Discrete)
        keeper.advice = slice(-int(self.action_space.n) - 1, -1)
        self.mlp_extractor = keeper

    def logits(self, latent: torch.Tensor) -> torch.Tensor:
        size = self.mlp_extractor.latent_dim_pi
        return self.action_net(latent[:, :size]) + self.trust * latent[:, size:]


class _AdviceKeeper(MlpExtractor):
    """Hands the advice on beside what the policy's layers make of the inputs."""

    advice: slice

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        return torch.cat([super().forward_actor(features), features[:, self.advice]], dim=1)


class Trainer:
    """One training run in its folder.

    Args:
        game: the game.
        config: the options.
        folder: the run's folder; if it holds a checkpoint, the run goes on from there.
        console: where progress is shown.
        replays: how many games of every evaluation to keep in the folder `replays`.
    """

    def __init__(self, game: Game, config: Config, folder: Path, console: Console | None = None, replays: int = 0):
        self.game, self.config, self.folder, self.replays = game, config, folder, replays
        self.console = console or Console(quiet=True)
        self.steps = 0
        self.rows: list[Row] = []
        self.stopping = False
        self._earlier_seconds = 0.0
        self._started = self._evaluated = self._kept = time.perf_counter()
        torch.set_num_threads(1)  # the learner's own threads share the work better than torch's
        kept = self._read_checkpoint()
        self.pool = OpponentPool(game, config.opponents, config.snapshots.kept)
        self.counts = np.array(config.players or range(game.min_players, game.max_players + 1))
        self.model = self._make_model(config.seed + (kept["steps"] if kept else 0))
        if kept:
            self._restore(kept)
        self.pool.update(self.policy())
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / "config.json", config.to_json().encode())

    def _make_model(self, seed: int) -> Learner:
        config, ppo = self.config, self.config.ppo
        advice = config.advice
        env = AdvisedTables(
            self.game.id,
            config.tables,
            advice.samples,
            num_players=np.resize(self.counts, config.tables).tolist(),
            opponents=self.pool,
            reward=config.reward,
        )
        return Learner(
            AdvisedPolicy if advice.samples else TablePolicy,
            env,
            config.threads,
            learning_rate=lambda _: ppo.learning_rate * max(_LAST_LEARNING_RATE, 1 - self.progress),
            n_steps=ppo.rollout,
            batch_size=min(ppo.minibatch, ppo.rollout * config.tables),
            n_epochs=ppo.epochs,
            gamma=ppo.gamma,
            gae_lambda=ppo.gae_lambda,
            clip_range=ppo.clip,
            ent_coef=ppo.entropy,
            vf_coef=ppo.value_weight,
            max_grad_norm=ppo.max_grad_norm,
            target_kl=ppo.target_kl,
            policy_kwargs={
                "net_arch": {"pi": ppo.hidden, "vf": ppo.hidden},
                "activation_fn": _MODULES[ppo.activation],
                **({"trust": advice.trust} if advice.samples else {}),
            },
            seed=seed,
            device="cpu",  # a network this small is no quicker elsewhere
        )

    # -- where it stands ---------------------------------------------------------------------------------------------

    @property
    def seconds(self) -> float:
        """Wall time of the run, of all its sittings."""
        return self._earlier_seconds + time.perf_counter() - self._started

    @property
    def progress(self) -> float:
        """How much of the run is done, by steps or by time."""
        return min(1.0, max(self.steps / self.config.steps, self.seconds / (60 * self.config.minutes)))

    def policy(self) -> Policy:
        """The learner as it is now."""
        return self._as_policy(layers_of(self.model.policy))

    def _as_policy(self, layers: Sequence[Layer]) -> Policy:
        game, activation, advice = self.game, self.config.ppo.activation, self.config.advice
        return Policy(game.id, game.version, layers, activation, self.facts(), advice.samples, advice.trust)

    # -- the run -----------------------------------------------------------------------------------------------------

    def run(self) -> list[MatchResult]:
        """Learn until the steps or the time are used up, or Ctrl-C. Returns the last evaluation, if there was time."""
        note = TextColumn("{task.fields[note]}", table_column=Column(ratio=1))
        bar = Progress(TextColumn("{task.description}"), BarColumn(10), TaskProgressColumn(), note, console=self.console)
        self._bar, self._task = bar, bar.add_task(self.game.id, total=1.0, note="getting ready")
        with stop_on_interrupt(self), threadpool_limits(1, "blas"), bar:
            if not self.rows and self.config.imitation.seconds > 0:
                self._imitate()
            self._learn()
            results = [] if self.stopping else self.evaluate(self.config.evaluation.final_games)
            self._show()
        self.save()
        return results

    def _imitate(self) -> None:
        config = self.config

        def report(spent: float, foreseen: float) -> bool:
            left = config.imitation.seconds - spent
            note = f"learning from {config.imitation.teacher}: {foreseen:.0%} foreseen, PPO in {_clock(left)}"
            self._bar.update(self._task, completed=self.progress, note=note)
            return self.stopping or self.progress >= 1

        imitate(
            self.model.policy,
            self.game,
            self.counts,
            config.reward,
            config.imitation,
            config.advice.samples,
            config.seed,
            report,
        )
        self.pool.update(self.policy())

    def _learn(self) -> None:
        logger = Logger(str(self.folder), [TensorBoardOutputFormat(str(self.folder / "tensorboard"))])
        self.model.set_logger(logger)
        self._first_step, self._first_moment = self.steps, time.perf_counter()
        if not self.rows:
            self._after_update({})
        left = self.config.steps - self.steps
        if left > 0 and not self.stopping and self.progress < 1:
            self.model.learn(left, callback=_Watcher(self), reset_num_timesteps=False)
        logger.close()

    def after_update(self) -> None:
        """Count, show and keep what an update brought."""
        self.steps = self.model.num_timesteps
        figures = self.model.logger.name_to_value
        self._after_update({name: float(figures[f"train/{name}"]) for name in _FIGURES if f"train/{name}" in figures})

    def _after_update(self, figures: Row) -> None:
        config, policy = self.config, self.policy()
        self.pool.update(policy)
        if self.steps >= self.pool.taken * config.snapshots.every:
            self.pool.take_snapshot(policy)
        speed = (self.steps - self._first_step) / (time.perf_counter() - self._first_moment)
        rewards = [episode["r"] for episode in self.model.ep_info_buffer or ()]
        row: Row = {"steps": self.steps, "seconds": self.seconds, "steps_per_second": speed, **figures}
        if rewards:
            row["mean_reward"] = float(np.mean(rewards))
        self.rows.append(row)
        now = time.perf_counter()
        if len(self.rows) == 1 or now - self._evaluated > config.evaluation.every:
            self.evaluate(config.evaluation.games)
            self._evaluated = time.perf_counter()
        self._show()
        if len(self.rows) == 1 or now - self._kept > config.checkpoint.every:
            self.save()
            self._kept = now

    def evaluate(self, games: int) -> list[MatchResult]:
        """Play the baselines, and note the shares won in the last row."""
        results = []
        for baseline in self.config.evaluation.baselines:
            seats = self.game.default_players
            players: list[Agent | str] = [PPOAgent(self.policy()), baseline]
            replays = self.folder / "replays" / f"{self.steps}_{baseline.replace(':', '_')}"
            result = play_match(
                self.game.id, players, games, seats, seed=self.steps, replays=replays, num_replays=self.replays
            )
            self.rows[-1].update(evaluation_figures(baseline, result))
            self.model.logger.record(f"evaluation/{baseline}", float(result.win_share[0]))
            results.append(result)
        return results

    def _show(self) -> None:
        parts = [f"{self.steps:,} steps", f"{self.rows[-1]['steps_per_second']:,.0f}/s"]
        for baseline in self.config.evaluation.baselines:
            name = f"win_{baseline}"
            last = next((row for row in reversed(self.rows) if name in row), None)
            if last:
                parts.append(f"{baseline} {last[name]:.0%} ({last[name + '_low']:.0%}–{last[name + '_high']:.0%})")
        done = self.progress
        if 0 < done < 1:
            parts.append(f"{_clock(self.seconds * (1 - done) / done)} left")
        self._bar.update(self._task, completed=done, note=" · ".join(parts))

    # -- keeping -----------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write the checkpoint, the policy, the log and the curve."""
        policy, ppo = self.policy(), self.config.ppo
        content = io.BytesIO()
        torch.save(
            {
                "game": self.game.name,
                "network": [*ppo.hidden, ppo.activation],
                "advice": [self.config.advice.samples, self.config.advice.trust],
                "steps": self.steps,
                "seconds": self.seconds,
                "updates": self.model._n_updates,
                "model": self.model.policy.state_dict(),
                "optimizer": self.model.policy.optimizer.state_dict(),
                "snapshots": [_tensors(policy) for policy in self.pool.policies],
                "snapshots_taken": self.pool.taken,
                "rows": self.rows,
                "random": torch.get_rng_state(),
            },
            content,
        )
        write_atomically(self.folder / "checkpoint.pt", content.getvalue())
        save_policy(self.folder / "policy.safetensors", policy)
        write_log(self.folder / "log.csv", self.rows)
        draw_curve(self.folder / "curve.png", self.game.id, self.config.evaluation.baselines, self.rows)

    def facts(self) -> dict[str, Any]:
        """What a policy file says about its training."""
        return {
            "steps": self.steps,
            "minutes": round(self.seconds / 60, 1),
            "seed": self.config.seed,
            "players": self.counts.tolist(),
            "opponents": self.config.opponents,
        }

    def _read_checkpoint(self) -> dict[str, Any] | None:
        path = self.folder / "checkpoint.pt"
        if not path.exists():
            return None
        kept = torch.load(path, weights_only=True)  # tensors and plain values only: nothing in the file is executed
        ppo = self.config.ppo
        for what, theirs, ours in (
            ("game", kept["game"], self.game.name),
            ("network", kept["network"], [*ppo.hidden, ppo.activation]),
            ("advice", kept["advice"], [self.config.advice.samples, self.config.advice.trust]),
        ):
            if theirs != ours:
                raise MismatchError(f"{path}: its {what} is {theirs}, expected {ours}")
        return kept

    def _restore(self, kept: dict[str, Any]) -> None:
        self.steps = self.model.num_timesteps = kept["steps"]
        self._earlier_seconds = kept["seconds"]
        self.rows = kept["rows"]
        self.model._n_updates = kept["updates"]
        self.model.policy.load_state_dict(kept["model"])
        self.model.policy.optimizer.load_state_dict(kept["optimizer"])
        snapshots = [[(w.numpy(), b.numpy()) for w, b in layers] for layers in kept["snapshots"]]
        self.pool.restore([self._as_policy(layers) for layers in snapshots], kept["snapshots_taken"])
        torch.set_rng_state(kept["random"])


class _Watcher(BaseCallback):
    """Tells the trainer when an update is done, and MaskablePPO when to stop."""

    def __init__(self, trainer: Trainer):
        super().__init__()
        self.trainer = trainer
        self._updates = 0

    def _on_training_start(self) -> None:
        self._updates = self.model._n_updates

    def _on_rollout_start(self) -> None:
        self._notice_update()

    def _on_step(self) -> bool:
        return not self.trainer.stopping and self.trainer.progress < 1

    def _on_training_end(self) -> None:
        self._notice_update()

    def _notice_update(self) -> None:
        if self.model._n_updates > self._updates:
            self._updates = self.model._n_updates
            self.trainer.after_update()


def layers_of(policy: TablePolicy) -> list[Layer]:
    """Copies of the layers from the observation to the logits."""
    modules = [*policy.mlp_extractor.policy_net, policy.action_net]
    linear = [module for module in modules if isinstance(module, torch.nn.Linear)]
    return [(module.weight.detach().numpy().copy(), module.bias.detach().numpy().copy()) for module in linear]


def _tensors(policy: Policy) -> list[tuple[torch.Tensor, torch.Tensor]]:
    return [(torch.as_tensor(weight), torch.as_tensor(bias)) for weight, bias in policy.layers]


@contextlib.contextmanager
def stop_on_interrupt(trainer: Trainer) -> Iterator[None]:
    """Ctrl-C asks the trainer to stop after what it is doing; a second one interrupts at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(_signal: int, _frame: Any) -> None:
        trainer.stopping = True
        trainer.console.print("Stopping; press Ctrl-C again to stop without saving.")
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def train_from_command_line(
    game: Game,
    file: Path | None,
    steps: int | None,
    settings: Sequence[str],
    resume: Path | None,
    folder: Path | None,
    replays: int,
    console: Console,
) -> None:
    """What `arabian train` does: gather the options, train, and say what came of it."""
    changes = [read_toml(file)] if file else []
    changes += [parse_setting(setting) for setting in settings]
    if steps is not None:
        changes.append({"steps": steps})
    if resume is not None:
        if not (resume / "config.json").is_file():
            raise FileNotFoundError(f"{resume}: expected the folder of a training run, with a config.json")
        folder, config = resume, Config.from_json(resume / "config.json", changes)
    else:
        folder = folder or Path("runs") / f"{game.id}-{time.strftime('%Y%m%d-%H%M%S')}"
        if (folder / "config.json").exists():
            raise ValueError(f"{folder} holds a training run already; go on with --resume, or choose another --out")
        config = load_config(game.id, changes)
    trainer = Trainer(game, config, folder, console, replays)
    results = trainer.run()
    if results:
        console.print(match_table(f"{game.title}: the trained policy", results))
    else:
        console.print(f"Stopped. Go on with: arabian train {game.id} --resume {folder}", soft_wrap=True)
    console.print(f"{trainer.steps:,} steps in {_clock(trainer.seconds)}")
    console.print(f"policy  ppo:{folder / 'policy.safetensors'}", soft_wrap=True)
    console.print(f"curve   {folder / 'curve.png'}", soft_wrap=True)
