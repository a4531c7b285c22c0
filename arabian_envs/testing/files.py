"""Checks of a game's files: golden games, README, components."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

from arabian_envs.docs import rulings, with_tables
from arabian_envs.engine.batch import GameBatch
from arabian_envs.engine.components import SOURCES
from arabian_envs.engine.game import Game
from arabian_envs.errors import ComponentError, MismatchError
from arabian_envs.replay import Replay
from arabian_envs.testing.common import player_counts


def golden_path(game: Game, players: int) -> Path:
    """Where the golden game of a table size lies."""
    return game.folder / "golden" / f"{players}_players.jsonl"


def write_golden(game: Game) -> None:
    """Play and keep one golden game for every table size. Do this when a rule has changed on purpose."""
    for players in player_counts(game):
        batch = GameBatch(game, 1, players, seed=1001 + players, autoreset=False)
        actions = []
        while batch.running[0]:
            action = batch.sample()
            actions.append(int(action[0]))
            batch.step(action)
        path = golden_path(game, players)
        path.parent.mkdir(exist_ok=True)
        Replay.record(batch, actions).write(path)


def check_golden_games(game: Game) -> None:
    """Kept games replay exactly, at every table size; a changed rule shows here."""
    for players in player_counts(game):
        path = golden_path(game, players)
        assert path.exists(), (
            f"{game.id}: no golden game {path}; write it with `python -m arabian_envs.testing.golden {game.id}`"
        )
        try:
            for _ in Replay.read(path).play():
                pass
        except MismatchError as problem:
            raise AssertionError(
                f"{path}: {problem}. If a rule changed on purpose, raise the version and rewrite"
            ) from problem


def check_readme(game: Game) -> None:
    """The README's tables are those of the code, and there are rulings."""
    path = game.folder / "README.md"
    assert path.exists(), f"{game.id}: no README.md"
    text = path.read_text(encoding="utf-8")
    assert with_tables(game, text) == text, (
        f"{path}: tables differ from the code; run `python -m arabian_envs.docs {game.id}`"
    )
    assert rulings(game), f"{path}: no numbered list under '## Rulings'"


def check_components(game: Game) -> None:
    """Every component says where it comes from; damaged component files are refused by file, row and field."""
    files = sorted((game.folder / "data").glob("*.csv"))
    assert files, f"{game.id}: no component files in data/"
    for path in files:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        for number, row in enumerate(rows[1:], 2):
            assert row[rows[0].index("source")] in SOURCES, f"{path}, row {number}: no source"
        last = [*rows[-1][:-1], "hearsay"]
        _assert_refused(game, path, [[*row, "?"] for row in rows], "row 1")
        _assert_refused(game, path, [row[1:] for row in rows], "row 1")
        _assert_refused(game, path, [*rows[:-1], last], f"row {len(rows)}, field 'source'")
        _assert_refused(game, path, [*rows[:-1], rows[-1][:-1]], f"row {len(rows)}")
        _assert_refused(game, path, [], "row 1")
    assert game.load_box().dtype == game.load_box(game.folder / "data").dtype


def _assert_refused(game: Game, path: Path, rows: list[list[str]], place: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        with copy.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
        try:
            game.load_box(folder)
        except ComponentError as problem:
            assert path.name in str(problem), f"{game.id}: the complaint does not name {path.name}: {problem}"
            assert place in str(problem), f"{game.id}: the complaint does not name {place}: {problem}"
            return
    raise AssertionError(f"{game.id}: a damaged {path.name} was accepted")
