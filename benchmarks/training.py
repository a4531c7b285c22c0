"""How fast learning goes: our tables and learner against the route of PettingZoo's tutorial, and where the time goes.

    python benchmarks/training.py [--game six_sons] [--seconds 10] [--runs 3]

All routes learn by MaskablePPO with the same network (SB3's default), rollouts of 16,384 decisions, minibatches and epochs,
on the same game, and count learning steps a second: decisions that went through an update. They take turns, and the best run
of each counts, since a busy machine only ever makes a run slower.

- ours: `ArabianVecEnv` with 1,024 tables and `training.learner.Learner`, as `arabian train` uses them. The other seats are
  played at random; their decisions are not counted.
- our tables alone: the same `ArabianVecEnv` under sb3-contrib's own MaskablePPO.
- tutorial: the AEC environment in the wrapper of PettingZoo's tutorial "SB3: Action Masked PPO", `ActionMasker`, SB3's
  `DummyVecEnv` and MaskablePPO: over one copy, as the tutorial has it, over 8, and over as many as ours. One learner takes
  the turns of all seats, and all are counted.

Where sb3-contrib's MaskablePPO learns, torch has the one or two threads with which it is quicker.

The share of the environment is the wall time inside the VecEnv, updates included in the whole, for these runs and for
`arabian train` with its default options; there the opponents' thinking (networks and greedy look-ahead) is shown apart.
Prints a table and writes results/training.json.
"""

from __future__ import annotations

import argparse
import functools
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# A script's folder comes first on the path, and this file has the name of the package it measures.
sys.path.append(sys.path.pop(0))

import torch
from gymnasium import Env
from machine import write_results
from pettingzoo.utils import BaseWrapper
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv
from threadpoolctl import threadpool_limits

from arabian_envs import get_game
from arabian_envs.adapters.aec import make_env
from arabian_envs.adapters.sb3 import ArabianVecEnv
from training.config import load_config
from training.learner import Learner, TablePolicy
from training.ppo import Trainer

SETTINGS: dict[str, Any] = {"batch_size": 4096, "n_epochs": 2, "gamma": 1.0, "device": "cpu", "seed": 1}
ROLLOUT = 16_384
TABLES = 1024
COPIES = (1, 8, TABLES)
THREADS = 2


class SB3ActionMaskWrapper(BaseWrapper, Env):
    """As in PettingZoo's tutorial "SB3: Action Masked PPO": one learner takes the turns of all seats."""

    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        self.observation_space = super().observation_space(self.possible_agents[0])["observation"]
        self.action_space = super().action_space(self.possible_agents[0])
        return self.observe(self.agent_selection), {}

    def step(self, action):
        super().step(int(action))
        return super().last()

    def observe(self, agent):
        return super().observe(agent)["observation"]

    def last(self, observe=True):
        return super().last(observe)

    def action_mask(self):
        return super().observe(self.agent_selection)["action_mask"]


class Clock:
    """Adds up the seconds spent in functions."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def watch(self, owner: Any, name: str) -> None:
        """Time a method of an object from now on."""
        timed = getattr(owner, name)

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            try:
                return timed(*args, **kwargs)
            finally:
                self.seconds += time.perf_counter() - started

        setattr(owner, name, wrapper)


class Until(BaseCallback):
    """Learn for so many seconds, to the end of the last update."""

    def __init__(self, seconds: float):
        super().__init__()
        self.deadline = time.perf_counter() + seconds
        self.learnt = 0

    def _on_rollout_start(self) -> None:
        self.learnt = self.num_timesteps
        self.finished = time.perf_counter()

    def _on_step(self) -> bool:
        return self.finished < self.deadline


def learn(model: MaskablePPO, seconds: float, clocks: tuple[Clock, ...] = ()) -> tuple[float, list[float]]:
    """Learning steps a second, and the share of the time on each clock, after one update to warm up."""
    model.learn(1)
    before = [clock.seconds for clock in clocks]
    until, started = Until(seconds), time.perf_counter()
    model.learn(10**9, callback=until)
    elapsed = until.finished - started
    return until.learnt / elapsed, [(clock.seconds - then) / elapsed for clock, then in zip(clocks, before, strict=True)]


def watch_env(env: VecEnv) -> Clock:
    clock = Clock()
    for name in ("step", "reset", "env_method"):
        clock.watch(env, name)
    return clock


Route = Callable[[], dict[str, float]]


def measure(env: VecEnv, seconds: float, make_model: Callable[..., MaskablePPO], threads: int) -> dict[str, float]:
    torch.set_num_threads(threads)
    model = make_model(env=env, n_steps=ROLLOUT // env.num_envs, **SETTINGS)
    speed, (share,) = learn(model, seconds, (watch_env(env),))
    return {"steps_per_second": speed, "environment_share": share}


def our_route(game_id: str, seconds: float) -> dict[str, float]:
    make_model = functools.partial(Learner, TablePolicy, threads=THREADS)
    return measure(ArabianVecEnv(game_id, TABLES), seconds, make_model, 1)


def plain(env: VecEnv, seconds: float, threads: int) -> dict[str, float]:
    return measure(env, seconds, functools.partial(MaskablePPO, "MlpPolicy"), threads)


def tutorial_tables(game_id: str, copies: int) -> VecEnv:
    def one() -> Env:
        env = SB3ActionMaskWrapper(make_env(game_id))
        env.reset()
        return ActionMasker(env, lambda env: env.action_mask())

    return DummyVecEnv([one] * copies)


def trainer_shares(game_id: str, seconds: float) -> dict[str, float]:
    """`arabian train` as it is, without its warm start: the pool has the current policy, a snapshot, greedy and random."""
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(get_game(game_id), load_config(game_id), Path(folder))
    trainer.pool.take_snapshot(trainer.policy())
    opponents = Clock()
    opponents.watch(trainer.pool, "act")
    speed, (inside, thinking) = learn(trainer.model, seconds, (watch_env(trainer.model.env), opponents))
    return {"steps_per_second": speed, "environment_share": inside - thinking, "opponents_share": thinking}


def all_routes(game_id: str, seconds: float) -> dict[str, list[Route]]:
    """Every route, with the numbers of torch's threads to try on it."""

    def plain_ways(make_tables: Callable[[], VecEnv]) -> list[Route]:
        return [lambda threads=threads: plain(make_tables(), seconds, threads) for threads in range(1, THREADS + 1)]

    routes: dict[str, list[Route]] = {"ours": [functools.partial(our_route, game_id, seconds)]}
    routes["our tables alone"] = plain_ways(lambda: ArabianVecEnv(game_id, TABLES))
    for copies in COPIES:
        name = f"tutorial, {copies} {'copies' if copies > 1 else 'copy'}"
        routes[name] = plain_ways(functools.partial(tutorial_tables, game_id, copies))
    routes["arabian train"] = [functools.partial(trainer_shares, game_id, seconds)]
    return routes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="six_sons")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    routes = all_routes(options.game, options.seconds)
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in routes}
    with threadpool_limits(1, "blas"), Progress(transient=True) as progress:
        task = progress.add_task("learning", total=options.runs * sum(len(ways) for ways in routes.values()))
        for _ in range(options.runs):
            for name, ways in routes.items():
                for way in ways:
                    runs[name].append(way())
                    progress.advance(task)
    results = {name: max(of, key=lambda run: run["steps_per_second"]) for name, of in runs.items()}
    show(options.game, results)
    facts = {"settings": SETTINGS, "rollout": ROLLOUT, "tables": TABLES, "threads": THREADS}
    write_results("training", {**vars(options), **facts, "routes": results})


def show(game_id: str, results: dict[str, dict[str, float]]) -> None:
    table = Table(title=f"Learning {game_id}")
    for column in ("", "steps/s", "ours is quicker by", "in the environment", "opponents thinking"):
        table.add_column(column, justify="right" if column else "left")
    for name, figures in results.items():
        speed = figures["steps_per_second"]
        ratio = "" if name in ("ours", "arabian train") else f"{results['ours']['steps_per_second'] / speed:.1f}"
        thinking = f"{figures['opponents_share']:.1%}" if "opponents_share" in figures else ""
        table.add_row(name, f"{speed:,.0f}", ratio, f"{figures['environment_share']:.1%}", thinking)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
