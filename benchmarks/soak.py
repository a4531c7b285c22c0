"""Hundreds of millions of random decisions a game, with every truth a game states about itself checked on a sample.

    python benchmarks/soak.py [--steps 200000000] [--every 50] [--threads 1] [GAME…]

One batch a game holds all its table sizes, solo play included. Every step shows that each table has a legal action (or the
step is refused) and that an ending is one of terminated and truncated. At every `--every`-th step all invariants of the game
are checked on all tables, and also that observations keep their bounds and that rewards come at the end only and sum to 0.
The first thing found wrong ends the run, with the table and the seed that show it. Prints a table and writes
results/soak.json.

A run that was stopped goes on where it was: the batches and the counts are kept in runs/soak, twice a minute and when
interrupted.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from machine import write_results
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from arabian_envs import GAMES, GameBatch, get_game

TABLES = 4096
RUNS = Path("runs/soak")
SAVE_SECONDS = 30.0
SEED = 2026


@dataclass
class Tally:
    """What was played and checked so far."""

    steps: int = 0
    games: int = 0
    truncated: int = 0
    steps_checked: int = 0
    longest_game: int = 0
    seconds: float = 0.0


class BrokenError(Exception):
    """Something that must never happen."""


class Soak:
    """Random play of one game at all its table sizes, that can be stopped and taken up again."""

    def __init__(self, game_id: str, num_games: int = TABLES, every: int = 50, num_threads: int = 1, seed: int = SEED):
        self.game = get_game(game_id)
        sizes = np.arange(self.game.min_players, self.game.max_players + 1)
        self.batch = GameBatch(self.game, num_games, sizes[np.arange(num_games) % len(sizes)], seed, num_threads=num_threads)
        self.every = every
        self.rounds = 0
        self.lengths = np.zeros(num_games, np.int64)
        self.tally = Tally()
        self.truths = len(self.game.invariants(self.batch.state, self.batch.box))

    def play(self, rounds: int) -> None:
        """That many decisions on every table."""
        started = time.perf_counter()
        for _ in range(rounds):
            self.batch.step(self.batch.sample())
            self.rounds += 1
            self._count()
            if self.rounds % self.every == 0:
                self._check_all()
        self.tally.seconds += time.perf_counter() - started

    def _count(self) -> None:
        batch, tally = self.batch, self.tally
        over = batch.terminated | batch.truncated
        self._expect(~(batch.terminated & batch.truncated), "an end is one of terminated and truncated")
        self.lengths += 1
        tally.steps += batch.num_games
        tally.games += int(np.count_nonzero(over))
        tally.truncated += int(np.count_nonzero(batch.truncated))
        tally.longest_game = max(tally.longest_game, int(self.lengths[over].max(initial=0)))
        self.lengths[over] = 0

    def _check_all(self) -> None:
        batch, spec = self.batch, self.game.observation
        for truth, holds in self.game.invariants(batch.state, batch.box).items():
            self._expect(holds, truth)
        seen = batch.observation
        inside = (seen >= spec.low - 1e-6) & (seen <= spec.high + 1e-6)  # not a number is never inside
        self._expect(inside.all(axis=1), "observations keep their bounds")
        over = batch.terminated | batch.truncated
        self._expect(over | ~batch.reward.any(axis=1), "rewards come at the end")
        sums = np.abs(batch.reward.sum(axis=1)) < 1e-5
        self._expect(sums | (batch.num_players == 1), "rewards sum to 0")
        self.tally.steps_checked += batch.num_games

    def _expect(self, holds: Any, truth: str) -> None:
        if np.all(holds):
            return
        table = int(np.argmin(np.broadcast_to(holds, (self.batch.num_games,))))
        raise BrokenError(
            f"{self.game.id}: broken: {truth} (table {table}, {self.batch.num_players[table]} players,"
            f" seed {self.batch.seed}, after {self.rounds} decisions)"
        )

    def save(self, folder: Path) -> None:
        """Keep batch and counts; a file is replaced whole, so that an interruption leaves the old or the new one."""
        folder.mkdir(parents=True, exist_ok=True)
        new = folder / f"{self.game.id}.new"
        self.batch.save(new)
        facts = {"tally": asdict(self.tally), "rounds": self.rounds, "lengths": self.lengths.tolist()}
        with np.load(new) as stored:
            arrays = dict(stored)
        with new.open("wb") as file:
            np.savez(file, **arrays, soak=np.frombuffer(json.dumps(facts).encode(), np.uint8))
        new.replace(folder / f"{self.game.id}.npz")

    def load(self, folder: Path) -> None:
        """Go on from a saved run, if there is one."""
        path = folder / f"{self.game.id}.npz"
        if not path.exists():
            return
        threads, self.batch = self.batch.num_threads, GameBatch.load(path)
        self.batch.num_threads = threads
        with np.load(path) as stored:
            facts = json.loads(stored["soak"].tobytes())
        self.tally, self.rounds = Tally(**facts["tally"]), facts["rounds"]
        self.lengths = np.array(facts["lengths"], np.int64)


def soak_game(soak: Soak, steps: int, folder: Path, progress: Progress) -> None:
    """Play on to the given number of steps, saving now and then."""
    soak.load(folder)
    task = progress.add_task(soak.game.id, total=steps, completed=soak.tally.steps)
    saved = time.monotonic()
    try:
        while soak.tally.steps < steps:
            soak.play(soak.every)
            progress.update(task, completed=min(steps, soak.tally.steps))
            if time.monotonic() - saved > SAVE_SECONDS:
                soak.save(folder)
                saved = time.monotonic()
    except BrokenError:
        raise  # the last saved position, from before the trouble, stays for the search
    except BaseException:
        soak.save(folder)
        raise
    soak.save(folder)


def show(results: dict[str, dict[str, Any]]) -> None:
    table = Table(title="Soak: nothing was found wrong")
    for column in (
        "game",
        "players",
        "decisions",
        "games",
        "cut short",
        "longest game",
        "tables checked",
        "truths",
        "steps/s",
    ):
        table.add_column(column, justify="left" if column == "game" else "right")
    for game_id, found in results.items():
        counts = (found[name] for name in ("steps", "games", "truncated", "longest_game", "steps_checked", "truths"))
        speed = found["steps"] / max(found["seconds"], 1e-9)
        table.add_row(game_id, "–".join(map(str, found["players"])), *(f"{count:,}" for count in counts), f"{speed:,.0f}")
    Console(width=130).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)}; all if none is named")
    parser.add_argument("--steps", type=int, default=200_000_000, help="decisions of each game")
    parser.add_argument("--every", type=int, default=50, help="check everything at each so-manieth step")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    results: dict[str, dict[str, Any]] = {}
    with Progress(
        "{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), transient=True
    ) as progress:
        for game_id in options.games or GAMES:
            soak = Soak(game_id, every=options.every, num_threads=options.threads)
            soak_game(soak, options.steps, RUNS, progress)
            players = [soak.game.min_players, soak.game.max_players]
            results[game_id] = {
                "players": players,
                **asdict(soak.tally),
                "truths": soak.truths,
                "version": soak.game.version,
            }
    show(results)
    total = sum(found["steps"] for found in results.values())
    facts = {"tables": TABLES, "every": options.every, "seed": SEED, "total_steps": total, "broken": 0}
    print("written to", write_results("soak", {**facts, "games": results}))


if __name__ == "__main__":
    main()
