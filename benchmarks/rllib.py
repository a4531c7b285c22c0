"""How quickly RLlib's environment runners play, with one and with two of them: decisions a second, network included.

    .venv-rllib/bin/python benchmarks/rllib.py [--seconds 20] [GAME]

Every figure is the best round of a rollout, since a busy machine only ever makes a round slower. Prints a table and writes
results/rllib.json.
"""

from __future__ import annotations

import argparse
import sys
import time

from machine import write_results

# A script's folder comes first on the path, here and in the runners, and a file in it is named like our package `training`.
sys.path.pop(0)

import ray
from ray.rllib.execution.rollout_ops import synchronous_parallel_sample
from rich.console import Console
from rich.table import Table

from arabian_envs import Game, get_game
from training.config import load_config
from training.rllib_ppo import Cluster, algorithm_config

RUNNERS = (1, 2)
TABLES = 32


def steps_per_second(game: Game, runners: int, seconds: float) -> float:
    cluster = Cluster(num_env_runners=runners, num_envs_per_runner=TABLES)
    algorithm = algorithm_config(game, load_config(game.id), cluster).build_algo()
    play_round(algorithm)  # compiles
    speeds = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        started = time.perf_counter()
        steps = play_round(algorithm)
        speeds.append(steps / (time.perf_counter() - started))
    algorithm.stop()
    return max(speeds)


def play_round(algorithm) -> int:
    """One rollout of every runner; how many decisions it had."""
    episodes = synchronous_parallel_sample(worker_set=algorithm.env_runner_group, _uses_new_env_runners=True)
    return sum(episode.env_steps() for episode in episodes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="six_sons")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each figure")
    options = parser.parse_args()
    game, console = get_game(options.game), Console()
    ray.init(address="local", num_cpus=max(RUNNERS), include_dashboard=False, logging_level="ERROR")
    figures = {}
    for runners in RUNNERS:
        with console.status(f"{runners} runners"):
            figures[runners] = steps_per_second(game, runners, options.seconds)
    table = Table(title=f"{game.title}: RLlib, {TABLES} tables a runner")
    table.add_column("runners", justify="right")
    table.add_column("decisions a second", justify="right")
    for runners, figure in figures.items():
        table.add_row(str(runners), f"{figure:,.0f}")
    console.print(table)
    write_results("rllib", {"game": game.id, "tables_per_runner": TABLES, "steps_per_second": figures})


if __name__ == "__main__":
    main()
