"""Whether memory stays flat over a long run: a batch, an AEC loop, and tree search.

    python benchmarks/memory.py [--seconds 20] [GAME…]

Each run is a process of its own. After a tenth of the time to warm up, its resident memory is read at even intervals; growth
is the median of the last third of the readings less that of the first third, so that one garbage collection does not decide.
The script fails when a run has grown by more than 2 MB. Prints a table and writes results/memory.json.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from machine import write_results
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from agents.search import IsmctsAgent, SearchOptions
from arabian_envs import GAMES, make_batch
from arabian_envs.adapters.aec import make_env

READINGS = 30
MOST_GROWTH = 2.0


def resident_megabytes() -> float:
    """What this process holds in memory now."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("/proc/self/status has no VmRSS; this benchmark needs Linux")


def batch_run(game_id: str) -> Callable[[], int]:
    """Steps of a large batch, finished tables dealt anew."""
    batch = make_batch(game_id, 1024, seed=1)

    def go() -> int:
        batch.step(batch.sample())
        return batch.num_games

    return go


def aec_run(game_id: str) -> Callable[[], int]:
    """Whole games of the AEC environment."""
    env = make_env(game_id)
    env.reset(seed=1)

    def go() -> int:
        steps = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
            steps += not over
        return steps

    return go


def search_run(game_id: str) -> Callable[[], int]:
    """Tables that play on by tree search."""
    batch, agent = make_batch(game_id, 16, seed=1), IsmctsAgent(SearchOptions(simulations=100))
    tables = np.arange(16)

    def go() -> int:
        batch.step(agent.act(batch, tables))
        return batch.num_games

    return go


RUNS: dict[str, Callable[[str], Callable[[], int]]] = {"batch": batch_run, "AEC": aec_run, "search": search_run}


def watch(run: str, game_id: str, seconds: float) -> dict[str, Any]:
    """Decisions and readings of one run."""
    return readings(RUNS[run](game_id), seconds)


def readings(go: Callable[[], int], seconds: float) -> dict[str, Any]:
    """Go on and on, and read the memory now and then."""
    decisions = _until(go, time.monotonic() + seconds / 10)
    found = []
    started = time.monotonic()
    for reading in range(1, READINGS + 1):
        decisions += _until(go, started + 0.9 * seconds * reading / READINGS)
        found.append(round(resident_megabytes(), 2))
    third = READINGS // 3
    growth = statistics.median(found[-third:]) - statistics.median(found[:third])
    return {"decisions": decisions, "growth_mb": round(growth, 2), "readings_mb": found}


def _until(go: Callable[[], int], end: float) -> int:
    decisions = go()
    while time.monotonic() < end:
        decisions += go()
    return decisions


def show(results: dict[str, dict[str, Any]]) -> None:
    table = Table(title="Resident memory")
    for column in ("game", "run", "decisions", "first, MB", "last, MB", "growth, MB"):
        table.add_column(column, justify="left" if column in ("game", "run") else "right")
    for game_id, runs in results.items():
        for run, found in runs.items():
            ends = (found["readings_mb"][0], found["readings_mb"][-1], found["growth_mb"])
            table.add_row(game_id, run, f"{found['decisions']:,}", *(f"{megabytes:.1f}" for megabytes in ends))
    Console(width=110).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)}; all if none is named")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each run")
    options = parser.parse_args()
    results: dict[str, dict[str, Any]] = {game_id: {} for game_id in options.games or GAMES}
    with Progress(transient=True) as progress:
        for game_id, run in progress.track([(game_id, run) for game_id in results for run in RUNS]):
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                results[game_id][run] = pool.apply(watch, (run, game_id, options.seconds))
    show(results)
    print("written to", write_results("memory", {"seconds": options.seconds, "games": results}))
    grown = [f"{game} {run}" for game in results for run, found in results[game].items() if found["growth_mb"] > MOST_GROWTH]
    if grown:
        sys.exit(f"grew by more than {MOST_GROWTH} MB: {', '.join(grown)}")


if __name__ == "__main__":
    main()
