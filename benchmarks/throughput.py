"""How fast the games go: batches, threads, the AEC loop beside PettingZoo's own games, and the time to the first step.

    python benchmarks/throughput.py [--seconds 1.0] [GAME…]

Random legal play, observation and mask written at every step. Every speed is the best of three runs, since a busy machine
only ever makes a run slower. What two threads bring is measured by turns with one thread, slice by slice: the median of
three runs.
Prints a table and writes results/throughput.json.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from typing import Any

from machine import write_results
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from arabian_envs import GAMES, get_game
from arabian_envs.adapters.aec import make_env
from arabian_envs.measure import BATCH_SIZES, aec_steps_per_second, batch_steps_per_second, thread_scaling

RUNS = 3
PEERS = ("connect_four_v3", "tictactoe_v3")

START = """
import json, sys, time
begin = time.perf_counter()
import arabian_envs
imported = time.perf_counter()
batch = arabian_envs.make_batch(sys.argv[1], 64, seed=1)
batch.step(batch.sample())
print(json.dumps({"import": imported - begin, "first_step": time.perf_counter() - begin}))
"""


def best(measure: Callable[[], float]) -> float:
    return max(measure() for _ in range(RUNS))


def start_times(game_id: str) -> dict[str, dict[str, float]]:
    """Seconds from the start of a process to the end of the import and of the first step, without and with cached code."""
    with tempfile.TemporaryDirectory() as folder:

        def run() -> dict[str, float]:
            answer = subprocess.run(
                [sys.executable, "-c", START, game_id],
                env={**os.environ, "NUMBA_CACHE_DIR": folder},
                capture_output=True,
                text=True,
                check=True,
            )
            return json.loads(answer.stdout)

        cold = run()
        warm = min((run() for _ in range(RUNS)), key=lambda times: times["first_step"])
    return {"cold": cold, "warm": warm}


def peer_env(name: str) -> Any:
    module = __import__(f"pettingzoo.classic.{name}", fromlist=["env"])
    return module.env()


def measure_all(games: list[str], seconds: float) -> dict[str, Any]:
    results: dict[str, Any] = {"seconds": seconds, "runs": RUNS, "games": {}, "peers_aec": {}}
    with Progress(transient=True) as progress:
        task = progress.add_task("measuring", total=len(PEERS) + len(games) * (3 + 2 * len(BATCH_SIZES)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name in PEERS:
                results["peers_aec"][name] = best(functools.partial(aec_steps_per_second, peer_env(name), seconds))
                progress.advance(task)
        for game_id in games:
            game = get_game(game_id)
            figures: dict[str, Any] = {"bytes_per_table": game.state_dtype.itemsize, "start": start_times(game_id)}
            progress.advance(task)
            for threads in (1, 2):
                for size in BATCH_SIZES:
                    speed = best(functools.partial(batch_steps_per_second, game_id, size, threads, seconds=seconds))
                    figures[f"batch_{size}_threads_{threads}"] = speed
                    progress.advance(task)
            scalings = [thread_scaling(game_id, seconds=3 * seconds) for _ in range(RUNS)]
            figures["two_threads_bring"] = statistics.median(scalings)
            progress.advance(task)
            figures["aec"] = best(functools.partial(aec_steps_per_second, make_env(game_id), seconds))
            figures["aec_ratio_to_connect_four"] = figures["aec"] / results["peers_aec"]["connect_four_v3"]
            progress.advance(task)
            results["games"][game_id] = figures
    return results


def show(results: dict[str, Any]) -> None:
    console = Console(width=150)
    table = Table(title="Decisions a second")
    for column in (
        "game",
        *(f"{size} × {threads} thr." for threads in (1, 2) for size in BATCH_SIZES),
        "2 thr. bring",
        "AEC",
        "× connect_four",
    ):
        table.add_column(column, justify="left" if column == "game" else "right")
    for game_id, figures in results["games"].items():
        speeds = (figures[f"batch_{size}_threads_{threads}"] for threads in (1, 2) for size in BATCH_SIZES)
        ratio = f"{figures['aec_ratio_to_connect_four']:.1f}"
        scaling = f"{figures['two_threads_bring']:.2f}"
        table.add_row(game_id, *(f"{speed:,.0f}" for speed in speeds), scaling, f"{figures['aec']:,.0f}", ratio)
    for name, speed in results["peers_aec"].items():
        ratio = f"{speed / results['peers_aec']['connect_four_v3']:.1f}"
        table.add_row(f"pettingzoo {name}", *[""] * (2 * len(BATCH_SIZES) + 1), f"{speed:,.0f}", ratio)
    console.print(table)
    table = Table(title="Seconds from the start of the import to the first batch step")
    for column in ("game", "cold", "warm", "import alone", "bytes a table"):
        table.add_column(column, justify="left" if column == "game" else "right")
    for game_id, figures in results["games"].items():
        start = figures["start"]
        times = (start["cold"]["first_step"], start["warm"]["first_step"], start["warm"]["import"])
        table.add_row(game_id, *(f"{seconds:.2f}" for seconds in times), str(figures["bytes_per_table"]))
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)}; all if none is named")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each run of each figure")
    options = parser.parse_args()
    results = measure_all(options.games or GAMES, options.seconds)
    show(results)
    print("written to", write_results("throughput", results))


if __name__ == "__main__":
    main()
