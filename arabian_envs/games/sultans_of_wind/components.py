"""The box of Sultans of Wind: board, cloud tiles, wind tiles and a few numbers, read from data/."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arabian_envs.engine.components import Row, choice, component_files, integer, read_numbers, read_table, text
from arabian_envs.games.sultans_of_wind.maze import (
    CORNER_SQUARES,
    CORNERS,
    FROM_CORNER,
    SIDE,
    SPACES,
    SPACES_OF_SQUARE,
    SQUARE_SIDE,
    TURNED_PLACE,
)


class Wind(IntEnum):
    """What a Wind Tile does."""

    MOVE = 0
    MOVE_THROUGH = 1
    TURBULENCE = 2
    CHANGING_CLOUDS = 3
    CALL_DJINN = 4
    MOVE_DJINN = 5


WIND_NAMES = tuple(wind.name.replace("_", " ").lower() for wind in Wind)
NUM_WINDS = 8
"""Wind Tiles of a player; their strengths are 1 … 8."""
NUM_CLOUDS = 12
MAX_CARPETS = 3
_MAX_STEPS = 12
_WALKING = (Wind.MOVE, Wind.MOVE_THROUGH, Wind.MOVE_DJINN)
_PLACES = SQUARE_SIDE * SQUARE_SIDE
_FREE_PLACES = 4

BOX = np.dtype(
    [
        ("face", np.int64, (NUM_CLOUDS + CORNERS, 4)),  # blocked places of [tile, turn] as bits 12 · row + column
        ("start", np.int16, (CORNERS, MAX_CARPETS)),  # starting spaces of each palace, the dashed one last
        ("middle", np.int16, (4,)),  # where the Djinn may be placed at first
        ("wind", np.int16, (NUM_WINDS + 1,)),  # the Wind of each strength; entry 0 unused
        ("steps", np.int16, (NUM_WINDS + 1,)),  # how far its pawn may go; 0 where no pawn walks
        ("carpets", np.int16, (CORNERS + 1,)),  # carpets of a player, by number of players
        ("last_round", np.int16),  # the game is truncated after this round
    ],
    align=True,
)

_DATA = Path(__file__).parent / "data"
_FILES = ("board.csv", "clouds.csv", "winds.csv", "numbers.csv")


def read_box(folder: str | Path | None = None) -> NDArray:
    """The box of the game, or one with the CSV files of a folder."""
    files = component_files(_DATA, folder, _FILES)
    box = np.zeros(1, BOX)
    _read_board(files["board.csv"], box[0])
    _read_clouds(files["clouds.csv"], box[0])
    _read_winds(files["winds.csv"], box[0])
    _read_numbers(files["numbers.csv"], box[0])
    return box


def _read_board(path: Path, box: np.void) -> None:
    """Twelve rows, the last first.

    S is a dashed starting space and s another one; . is free and # blocked in a palace; ? and D lie under clouds, and D
    takes the Djinn at first.
    """
    rows = read_table(path, {"row": integer(1, SIDE), "spaces": text}, count=SIDE)
    drawing: list[str] = []
    for number, row in zip(range(SIDE, 0, -1), rows, strict=True):
        if row["row"] != number:
            raise row.wrong("row", f"row {number} (rows {SIDE} … 1 in order)")
        _check_board_row(row)
        drawing[:0] = row["spaces"]
    row_of = [rows[SIDE - 1 - space // SIDE] for space in range(SPACES)]
    for space in range(SPACES):
        if drawing[FROM_CORNER[1, space]] != drawing[space]:
            raise row_of[space].wrong("spaces", "a board that looks the same from all four corners")
    for letter, count in (("S", 1), ("s", MAX_CARPETS - 1), ("D", 1)):
        if drawing.count(letter) != count * CORNERS:
            raise row_of[0].wrong("spaces", f"{count * CORNERS} spaces {letter!r} on the board")
    box["middle"][:] = [space for space in range(SPACES) if drawing[space] == "D"]
    starts = sorted((space for space in range(SPACES) if drawing[space] in "sS"), key=lambda space: drawing[space] == "S")
    own = [space for space in starts if space in SPACES_OF_SQUARE[CORNER_SQUARES[0]]]
    for corner, square in enumerate(CORNER_SQUARES):
        box["start"][corner] = FROM_CORNER[corner, own]
        blocked = [place for place in range(_PLACES) if drawing[SPACES_OF_SQUARE[square, place]] == "#"]
        box["face"][NUM_CLOUDS + corner] = _bits(blocked)


def _check_board_row(row: Row) -> None:
    """A row has twelve signs; palaces are the corner squares."""
    spaces = row["spaces"]
    if len(spaces) != SIDE:
        raise row.wrong("spaces", f"{SIDE} signs")
    for column, sign in enumerate(spaces):
        palace = (row["row"] - 1) * SIDE + column in SPACES_OF_SQUARE[list(CORNER_SQUARES)]
        allowed = "Ss.#" if palace else "?D"
        if sign not in allowed:
            raise row.wrong("spaces", f"one of {allowed!r} as sign {column + 1} (the corner squares are palaces)")


def _bits(places: list[int]) -> int:
    """Places of a square as the bits of a row of squares."""
    return sum(1 << (place // SQUARE_SIDE * SIDE + place % SQUARE_SIDE) for place in places)


def _read_clouds(path: Path, box: np.void) -> None:
    for number, row in enumerate(read_table(path, {"tile": integer(1, NUM_CLOUDS), "face": text}, count=NUM_CLOUDS), 1):
        if row["tile"] != number:
            raise row.wrong("tile", f"tile {number} (tiles in order, each once)")
        rows = row["face"].split("/")
        signs = "".join(reversed(rows))
        if [len(line) for line in rows] != [SQUARE_SIDE] * SQUARE_SIDE or set(signs) - set(".#"):
            raise row.wrong("face", "three rows of three signs '.' or '#', separated by '/'")
        if signs.count(".") != _FREE_PLACES:
            raise row.wrong("face", f"{_FREE_PLACES} free spaces '.' and {_PLACES - _FREE_PLACES} clouds '#'")
        blocked = [place for place in range(_PLACES) if signs[place] == "#"]
        for turn in range(4):
            box["face"][number - 1, turn] = _bits([int(TURNED_PLACE[turn, place]) for place in blocked])


def _read_winds(path: Path, box: np.void) -> None:
    columns = {"strength": integer(1, NUM_WINDS), "action": choice(*WIND_NAMES), "spaces": integer(0, _MAX_STEPS)}
    for strength, row in enumerate(read_table(path, columns, count=NUM_WINDS), 1):
        if row["strength"] != strength:
            raise row.wrong("strength", f"strength {strength} (strengths in order, each once)")
        if (row["spaces"] > 0) != (row["action"] in _WALKING):
            raise row.wrong("spaces", "a distance for 'move', 'move through' and 'move djinn', and 0 for the others")
        box["wind"][strength] = row["action"]
        box["steps"][strength] = row["spaces"]


def _read_numbers(path: Path, box: np.void) -> None:
    names = {f"carpets_with_{players}_players": integer(1, MAX_CARPETS) for players in range(2, CORNERS + 1)}
    numbers = read_numbers(path, {**names, "last_round": integer(1, 1000)})
    for players, name in enumerate(names, 2):
        box["carpets"][players] = numbers[name]
    box["last_round"] = numbers["last_round"]
