"""How fast the searches think: complete play-outs and tree simulations a second, from the start of a game, on all cores.

    python benchmarks/search.py [--seconds 2.0] [GAME…]

A play-out is a game of random moves from the first decision to its end. Every figure is the best of three runs. Prints a
table and writes results/search.json.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from machine import write_results
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from agents.search import FlatAgent, IsmctsAgent, SearchOptions
from arabian_envs import GAMES, make_batch

RUNS = 3
TABLES = 32


def playouts_per_second(game_id: str, seconds: float) -> float:
    """Complete random play-outs a second of the flat search."""
    batch = make_batch(game_id, TABLES, seed=1)
    legal = batch.action_mask.sum(axis=1)
    agent = FlatAgent(SearchOptions(simulations=int(legal.max()), playout="random", depth=None))
    each_call = int((legal * np.maximum(1, legal.max() // legal)).sum())
    return _rate(agent, batch, each_call, seconds)


def simulations_per_second(game_id: str, seconds: float) -> float:
    """Simulations a second of the tree search as `ismcts:500` plays."""
    return _rate(IsmctsAgent(SearchOptions(simulations=500)), make_batch(game_id, TABLES, seed=1), 500 * TABLES, seconds)


def _rate(agent: Any, batch: Any, each_call: int, seconds: float) -> float:
    tables = np.arange(batch.num_games)
    agent.act(batch, tables)
    best = 0.0
    for _ in range(RUNS):
        calls, started = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - started) < seconds:
            agent.act(batch, tables)
            calls += 1
        best = max(best, calls * each_call / elapsed)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)}; all if none is named")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each run of each figure")
    options = parser.parse_args()
    results: dict[str, Any] = {}
    table = Table(title="Search, all cores")
    for column in ("game", "complete play-outs/s", "simulations/s of ismcts:500"):
        table.add_column(column, justify="left" if column == "game" else "right")
    with Progress(transient=True) as progress:
        for game_id in progress.track(options.games or GAMES, description="measuring"):
            figures = {
                "playouts_per_second": playouts_per_second(game_id, options.seconds),
                "simulations_per_second": simulations_per_second(game_id, options.seconds),
            }
            results[game_id] = figures
            table.add_row(game_id, *(f"{figure:,.0f}" for figure in figures.values()))
    Console().print(table)
    print("written to", write_results("search", {"games": results}))


if __name__ == "__main__":
    main()
