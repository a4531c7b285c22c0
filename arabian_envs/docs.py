"""The generated tables of the games' READMEs. `python -m arabian_envs.docs [GAME…]` writes them anew."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from arabian_envs.engine.game import Game
from arabian_envs.registry import GAMES, get_game

_BLOCK = re.compile(r"(<!-- generated:(\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def facts(game: Game) -> list[tuple[str, str]]:
    """The spec sheet of a game."""
    if game.min_players == game.max_players:
        players = str(game.min_players)
    elif game.min_players == 1:
        players = f"2 – {game.max_players}, or 1 (solo)" if game.max_players > 2 else "2, or 1 (solo)"
    else:
        players = f"{game.min_players} – {game.max_players}"
    return [
        ("Id", f"`{game.id}`, version {game.version}"),
        ("Designer, publisher", f"{game.designer}; {game.publisher}"),
        ("Players", players),
        ("Hidden information", "yes" if game.hidden_information else "no"),
        ("Actions", f"{game.num_actions} in {len(game.actions.groups)} groups"),
        ("Observation", f"{game.observation_size} numbers in {len(game.observation.pieces)} pieces"),
        ("State", f"{game.state_dtype.itemsize} bytes a table"),
        ("`margin` reward", f"points ahead × {game.point_scale:g}"),
    ]


def action_rows(game: Game) -> list[tuple[str, str, str, str]]:
    """Ids, name, index and meaning of each action group."""
    rows = []
    for name, group in game.actions.groups.items():
        first = game.actions.offsets[name]
        ids = str(first) if group.size == 1 else f"{first} – {first + group.size - 1}"
        rows.append((ids, name, " × ".join(map(str, group.shape)) or "–", group.meaning))
    return rows


def observation_rows(game: Game) -> list[tuple[str, str, str, str, str]]:
    """Place, name, shape, bounds and meaning of each observation piece."""
    rows, first = [], 0
    for name, piece in game.observation.pieces.items():
        place = str(first) if piece.size == 1 else f"{first} – {first + piece.size - 1}"
        rows.append((place, name, " × ".join(map(str, piece.shape)), f"{piece.low:g} … {piece.high:g}", piece.meaning))
        first += piece.size
    return rows


def rulings(game: Game) -> list[str]:
    """The numbered rulings of a game's README."""
    text = (game.folder / "README.md").read_text(encoding="utf-8")
    section = text.partition("\n## Rulings\n")[2].partition("\n## ")[0]
    return [" ".join(item.split()) for item in re.split(r"^\d+\. ", section, flags=re.MULTILINE)[1:]]


def with_tables(game: Game, text: str) -> str:
    """A README with its generated blocks written anew."""
    tables = {
        "facts": _table(("fact", "value"), facts(game)),
        "actions": _table(("ids", "name", "index", "meaning"), action_rows(game)),
        "observation": _table(("numbers", "name", "shape", "bounds", "meaning"), observation_rows(game)),
    }
    found = [match[2] for match in _BLOCK.finditer(text)]
    if sorted(found) != sorted(tables):
        raise ValueError(f"{game.id}: README.md needs one generated block each of {', '.join(tables)}; found {found}")
    return _BLOCK.sub(lambda match: f"{match[1]}{tables[match[2]]}{match[3]}", text)


def _table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def write_tables(game: Game) -> None:
    """Write the tables of a game's README anew."""
    path = game.folder / "README.md"
    path.write_text(with_tables(game, path.read_text(encoding="utf-8")), encoding="utf-8")


def main() -> None:
    """Write the tables of the named games, or of all."""
    for game_id in sys.argv[1:] or GAMES:
        write_tables(get_game(game_id))


if __name__ == "__main__":
    main()
