"""PPO by self-play on a Ray cluster: RLlib's new API stack, one policy for every seat and table size.

    python -m training.rllib_ppo six_sons --num-env-runners 2 --set steps=1_000_000

Environment runners, on as many machines as there are, play games with the present policy; the learner, in this process,
learns from every seat's decisions and sends the runners the new policy. The options are those of `arabian train`, without
the opponents, snapshots and imitation: here every seat is the learner's. A run is a folder:

    config.json            the options it was started with
    checkpoints/STEPS/     all that is needed to go on; the last two are kept
    policy.safetensors     the policy as of the last checkpoint, for `ppo:PATH`
    log.csv                figures after every update
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import socket
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import ray
import torch
import typer
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.utils.torch_utils import FLOAT_MIN
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from torch import nn

from agents.arena import MatchResult, play_match
from agents.policy import Layer, Policy, save_policy, write_atomically
from agents.ppo import PPOAgent
from arabian_envs import ArabianError, Game, MismatchError, get_game
from arabian_envs.adapters.rllib import ArabianMultiAgentEnv
from training.config import Config, load_config, parse_setting, read_toml
from training.report import Row, match_table, write_log

POLICY = "shared"
"""The id of the one policy that has every seat."""

_ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh}
_LAST_LEARNING_RATE = 0.01  # of the first
_KEPT_CHECKPOINTS = 2
_RUN_FILE = "run.json"
_FIGURES = ("policy_loss", "vf_loss", "entropy", "mean_kl_loss", "vf_explained_var")


@dataclass(frozen=True)
class Cluster:
    """Where games are played.

    Attributes:
        address: a Ray cluster (`auto` for the one this machine belongs to); None starts Ray on this machine alone.
        num_env_runners: processes that play games, one core each; 0 plays in this process.
        num_envs_per_runner: tables of each.
    """

    address: str | None = None
    num_env_runners: int = 2
    num_envs_per_runner: int = 32

    def __post_init__(self) -> None:
        if self.num_env_runners < 0:
            raise ValueError(f"{self.num_env_runners} environment runners; expected at least 0")
        if self.num_envs_per_runner < 1:
            raise ValueError(f"{self.num_envs_per_runner} tables a runner; expected at least 1")

    @property
    def tables(self) -> int:
        return max(1, self.num_env_runners) * self.num_envs_per_runner

    def connect(self, console: Console) -> None:
        """Start Ray here, or join the cluster; nothing if this process is already connected."""
        if ray.is_initialized():
            return
        if self.address is None:
            # A runner waits for a core of its own; on a small machine they share.
            cores = max(os.cpu_count() or 1, self.num_env_runners)
            ray.init(address="local", num_cpus=cores, include_dashboard=False, logging_level="ERROR")
            return
        _check_reachable(self.address)
        try:
            ray.init(address=self.address, logging_level="ERROR")
        except ConnectionError as problem:
            right = "expected the address of a running cluster, and its token on this machine"
            raise ValueError(f"--address {self.address}: {problem}; {right}") from problem
        cores = int(ray.cluster_resources().get("CPU", 0))
        if cores < self.num_env_runners:
            console.print(f"The cluster has {cores} cores; {self.num_env_runners} runners wait until it has grown.")


def _check_reachable(address: str) -> None:
    """Refuse a `host:port` where nobody answers: Ray itself would go on trying for many minutes."""
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except OSError as problem:
        raise ValueError(f"--address {address}: {problem}; expected the address of a running Ray cluster") from problem


class MaskedNetwork(TorchRLModule, ValueFunctionAPI):
    """Two networks: from the observation to a score for each action, illegal ones ruled out, and to the position's value."""

    def setup(self) -> None:
        size, actions = self.observation_space["observation"].shape[0], self.action_space.n
        hidden, activation = self.model_config["hidden"], _ACTIVATIONS[self.model_config["activation"]]
        self.policy = _network([size, *hidden, actions], activation)
        self.value = _network([size, *hidden, 1], activation)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        view = batch[Columns.OBS]
        logits = self.policy(view["observation"])
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(view["action_mask"] == 0, FLOAT_MIN)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        return self.value(batch[Columns.OBS]["observation"]).squeeze(-1)

    def layers(self) -> list[Layer]:
        """Copies of the layers from the observation to the logits."""
        return [
            (module.weight.detach().cpu().numpy().copy(), module.bias.detach().cpu().numpy().copy())
            for module in self.policy
            if isinstance(module, nn.Linear)
        ]


def _network(sizes: list[int], activation: type[nn.Module]) -> nn.Sequential:
    modules: list[nn.Module] = []
    for inputs, outputs in itertools.pairwise(sizes):
        modules += [nn.Linear(inputs, outputs), activation()]
    last = modules[-2]
    # Small last weights: play begins near chance, and values near 0.
    nn.init.orthogonal_(last.weight, 0.01)  # type: ignore[arg-type]
    nn.init.zeros_(last.bias)  # type: ignore[arg-type]
    return nn.Sequential(*modules[:-1])


class ScoredTable(ArabianMultiAgentEnv):
    """A table whose capped games count as finished: they were scored, so there is nothing to guess beyond their end."""

    def step(self, action_dict: Mapping[str, Any]) -> tuple[dict, dict, dict, dict, dict]:
        views, rewards, terminated, truncated, infos = super().step(action_dict)
        over = {agent: ended or truncated[agent] for agent, ended in terminated.items()}
        return views, rewards, over, dict.fromkeys(truncated, False), infos


def one_policy(*_: Any, **__: Any) -> str:
    """Every seat is played by the same policy."""
    return POLICY


def algorithm_config(game: Game, config: Config, cluster: Cluster, steps: int = 0) -> PPOConfig:
    """Our options in RLlib's words, for a run that has come as far as `steps`."""
    ppo = config.ppo
    batch = ppo.rollout * cluster.tables
    network = {"hidden": ppo.hidden, "activation": ppo.activation}
    return (
        PPOConfig()
        .environment(
            ScoredTable,
            env_config={
                "game_id": game.id,
                "num_players": player_counts(game, config),
                "reward": config.reward,
                "illegal": "raise",  # the network rules illegal actions out
            },
            # The check deals every table of every runner from one seed.
            disable_env_checking=True,
        )
        .env_runners(
            num_env_runners=cluster.num_env_runners,
            num_envs_per_env_runner=cluster.num_envs_per_runner,
            rollout_fragment_length=ppo.rollout,
        )
        .fault_tolerance(restart_failed_env_runners=True)
        .multi_agent(policies={POLICY}, policy_mapping_fn=one_policy)
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(
                rl_module_specs={POLICY: RLModuleSpec(module_class=MaskedNetwork, model_config=network)}
            )
        )
        .learners(num_learners=0)
        .training(
            train_batch_size_per_learner=batch,
            minibatch_size=min(ppo.minibatch, batch),
            num_epochs=ppo.epochs,
            lr=[[0, ppo.learning_rate], [config.steps, ppo.learning_rate * _LAST_LEARNING_RATE]],
            gamma=ppo.gamma,
            lambda_=ppo.gae_lambda,
            clip_param=ppo.clip,
            entropy_coeff=ppo.entropy,
            vf_loss_coeff=ppo.value_weight,
            vf_clip_param=float("inf"),
            grad_clip=ppo.max_grad_norm,
            kl_target=ppo.target_kl,
        )
        # A continued run deals other games than those it has seen.
        .debugging(seed=config.seed + steps, log_level="ERROR")
    )


def player_counts(game: Game, config: Config) -> list[int]:
    """The numbers of players that the tables take in turns."""
    return config.players or list(range(game.min_players, game.max_players + 1))


class ClusterTrainer:
    """One training run in its folder.

    Args:
        game: the game.
        config: the options.
        folder: the run's folder; if it holds a checkpoint, the run goes on from there.
        cluster: where games are played.
        console: where progress is shown.
    """

    def __init__(self, game: Game, config: Config, folder: Path, cluster: Cluster, console: Console | None = None):
        self.game, self.config, self.folder, self.cluster = game, config, folder, cluster
        self.console = console or Console(quiet=True)
        self.steps = 0
        self.rows: list[Row] = []
        self._earlier_seconds = 0.0
        checkpoint = last_checkpoint(folder)
        if checkpoint:
            self._read_run(checkpoint)
        cluster.connect(self.console)
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / "config.json", config.to_json().encode())
        self.algorithm: Algorithm = algorithm_config(game, config, cluster, self.steps).build_algo()
        if checkpoint:
            self.algorithm.restore_from_path(str(checkpoint.resolve()))
        self._started = self._kept = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Wall time of the run, of all its sittings."""
        return self._earlier_seconds + time.perf_counter() - self._started

    @property
    def progress(self) -> float:
        """How much of the run is done, by steps or by time."""
        return min(1.0, max(self.steps / self.config.steps, self.seconds / (60 * self.config.minutes)))

    def run(self) -> None:
        """Learn until the steps or the time are used up."""
        columns = (TextColumn("{task.description}"), BarColumn(20), TaskProgressColumn(), TextColumn("{task.fields[note]}"))
        with Progress(*columns, console=self.console) as bar:
            task = bar.add_task(self.game.title, total=1.0, note="compiling")
            while self.progress < 1:
                self.update()
                row = self.rows[-1]
                note = f"{self.steps:,} steps · {row['steps_per_second']:,.0f}/s · entropy {row['entropy']:.2f}"
                bar.update(task, completed=self.progress, note=note)
                if time.perf_counter() - self._kept > self.config.checkpoint.every:
                    self.save()
        self.save()

    def update(self) -> None:
        """Play a batch of decisions and learn from it."""
        started = time.perf_counter()
        result = self.algorithm.train()
        played = int(result["env_runners"]["num_env_steps_sampled"])
        self.steps += played
        row: Row = {
            "steps": self.steps,
            "seconds": self.seconds,
            "steps_per_second": played / (time.perf_counter() - started),
        }
        learned = result["learners"][POLICY]
        self.rows.append(row | {name: float(learned[name]) for name in _FIGURES})

    def evaluate(self) -> list[MatchResult]:
        """Play the baselines with the policy of the last checkpoint."""
        evaluation, agent = self.config.evaluation, PPOAgent(self.folder / "policy.safetensors")
        seats = self.game.default_players
        return [
            play_match(self.game.id, [agent, baseline], evaluation.final_games, seats, seed=self.steps)
            for baseline in evaluation.baselines
        ]

    def save(self) -> Path:
        """Write a checkpoint, the policy and the log."""
        folder = self.folder / "checkpoints"
        beside, path = folder / ".new", folder / f"{self.steps:012}"
        for old in (beside, path):
            shutil.rmtree(old, ignore_errors=True)
        self.algorithm.save_to_path(str(beside.resolve()))
        network = [*self.config.ppo.hidden, self.config.ppo.activation]
        run = {
            "game": self.game.name,
            "network": network,
            "steps": self.steps,
            "seconds": self.seconds,
            "rows": self.rows,
        }
        write_atomically(beside / _RUN_FILE, json.dumps(run).encode())
        beside.rename(path)
        for old in _checkpoints(self.folder)[:-_KEPT_CHECKPOINTS]:
            shutil.rmtree(old, ignore_errors=True)
        self.export(self.folder / "policy.safetensors")
        write_log(self.folder / "log.csv", self.rows)
        self._kept = time.perf_counter()
        return path

    def export(self, path: Path) -> None:
        """Write the policy as it is now, for `ppo:PATH`."""
        facts = {
            "steps": self.steps,
            "minutes": round(self.seconds / 60, 1),
            "seed": self.config.seed,
            "players": player_counts(self.game, self.config),
            "opponents": {"current": 1.0},
        }
        layers = self.algorithm.get_module(POLICY).layers()
        save_policy(path, Policy(self.game.id, self.game.version, layers, self.config.ppo.activation, facts))

    def close(self) -> None:
        """Let the runners go."""
        self.algorithm.stop()
        with contextlib.suppress(OSError):
            Path(self.algorithm.logdir).rmdir()  # RLlib's own folder, of which nothing here makes use

    def _read_run(self, checkpoint: Path) -> None:
        run = json.loads((checkpoint / _RUN_FILE).read_text())
        ppo = self.config.ppo
        for what, theirs, ours in (
            ("game", run["game"], self.game.name),
            ("network", run["network"], [*ppo.hidden, ppo.activation]),
        ):
            if theirs != ours:
                raise MismatchError(f"{checkpoint}: its {what} is {theirs}, expected {ours}")
        self.steps, self._earlier_seconds, self.rows = run["steps"], run["seconds"], run["rows"]


def last_checkpoint(folder: Path) -> Path | None:
    """The newest whole checkpoint of a run, if it has one."""
    return next(reversed(_checkpoints(folder)), None)


def _checkpoints(folder: Path) -> list[Path]:
    return sorted(path.parent for path in (folder / "checkpoints").glob(f"[0-9]*/{_RUN_FILE}"))


def train(
    game_id: Annotated[str, typer.Argument(metavar="GAME", help="A game's id, see `arabian games`.")],
    config: Annotated[Path | None, typer.Option(help="A TOML file of options.")] = None,
    steps: Annotated[int | None, typer.Option(help="Decisions to learn from.", min=1)] = None,
    settings: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="One option.")] = None,
    folder: Annotated[Path | None, typer.Option("--out", help="The run's folder; by default one in runs/.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the run in this folder.")] = None,
    address: Annotated[str | None, typer.Option(help="A Ray cluster; by default this machine alone.")] = None,
    num_env_runners: Annotated[int, typer.Option(help="Processes that play games, one core each.", min=0)] = 2,
    num_envs_per_runner: Annotated[int, typer.Option(help="Tables of each.", min=1)] = 32,
) -> None:
    """Train a policy on a Ray cluster."""
    console = Console()
    game = get_game(game_id)
    changes: list[Mapping[str, Any]] = [read_toml(config)] if config else []
    changes += [parse_setting(text) for text in settings or []]
    changes += [{"steps": steps}] if steps else []
    if resume and folder:
        raise ValueError("--out and --resume; expected one of them")
    if resume and last_checkpoint(resume) is None:
        raise ValueError(f"--resume {resume}: expected the folder of a run, with a checkpoint in it")
    run = resume or folder or Path("runs") / time.strftime(f"{game_id}-rllib-%Y%m%d-%H%M%S")
    if not resume and last_checkpoint(run):
        raise ValueError(f"--out {run}: there is a run already; go on with --resume {run}")
    options = Config.from_json(resume / "config.json", changes) if resume else load_config(game_id, changes)
    trainer = ClusterTrainer(game, options, run, Cluster(address, num_env_runners, num_envs_per_runner), console)
    try:
        trainer.run()
    except KeyboardInterrupt:
        console.print(f"Stopped. Go on with: python -m training.rllib_ppo {game_id} --resume {run}", soft_wrap=True)
        sys.exit(130)
    finally:
        trainer.close()
    console.print(match_table(f"{game.title}: the trained policy", trainer.evaluate()))
    console.print(f"policy  ppo:{run / 'policy.safetensors'}", soft_wrap=True)


def main() -> None:
    """Run the command; a mistake of the caller is one line on stderr and exit code 2."""
    try:
        typer.run(train)
    except (ArabianError, ValueError, FileNotFoundError) as problem:
        print("rllib_ppo: " + " ".join(str(problem).split()), file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    # The runners look for the classes above under the module's own name, not under __main__.
    from training import rllib_ppo

    rllib_ppo.main()
