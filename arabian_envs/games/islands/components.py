"""The tiles of 1001 Islands: 60 island tiles, 20 dream tiles and a few numbers, read from data/."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arabian_envs.engine.components import Cell, component_files, integer, read_numbers, read_table, text
from arabian_envs.engine.components import choice as one_of
from arabian_envs.errors import ComponentError


class Stack(IntEnum):
    """The four stacks of tiles; the first three are also the rows of an Island."""

    UPPER = 0
    CENTRAL = 1
    LOWER = 2
    DREAM = 3


class Picture(IntEnum):
    """What is drawn on island tiles. The last three are the Gems."""

    PALM = 0
    BANDIT = 1
    ROC = 2
    EGG = 3
    FENNEC = 4
    CAMEL = 5
    ELEPHANT = 6
    MONKEY = 7
    SNAKE = 8
    LAMP = 9
    EMERALD = 10
    RUBY = 11
    DIAMOND = 12


class Dream(IntEnum):
    """The ten dreams. The first five give points for each of one picture."""

    FENNEC = 0
    ROC = 1
    CAMEL = 2
    ELEPHANT = 3
    MONKEY = 4
    GEM_COLUMNS = 5
    GEM_LINES = 6
    LAMP = 7
    FLIPPED = 8
    SNAKE = 9


STACK_NAMES = tuple(stack.name.lower() for stack in Stack)
PICTURE_NAMES = tuple(picture.name.lower() for picture in Picture)
DREAM_NAMES = (
    "Fennec Fox",
    "Roc Bird",
    "Camel",
    "Elephant",
    "Monkey",
    "Column of Gems",
    "Line of Gems",
    "Magic Lamp",
    "Flipped Tile",
    "Snake",
)
NUM_STACKS, NUM_PICTURES, NUM_DREAMS = len(Stack), len(Picture), len(Dream)
ROWS = 3
COLUMNS = 4
"""Tiles in each row of an Island, dreams beside it, and so rounds that each stack serves."""
TILES = 20
"""Tiles of each kind in the box."""
NUM_GEMS = 3
FIRST_GEM = int(Picture.EMERALD)
WISHES = 3
"""The lamp that makes the earlier ones flip."""
MAX_PICTURES = 6
"""Room on an island tile."""
DREAM_PICTURE = np.array([Picture.FENNEC, Picture.ROC, Picture.CAMEL, Picture.ELEPHANT, Picture.MONKEY], np.int64)
"""The picture that each of the first five dreams counts."""
MAX_SEATS = 5
TILES_PER_ROUND = {2: 3, 3: 3, 4: 4, 5: 5}

BOX = np.dtype(
    [
        ("pictures", np.int16, (ROWS, TILES, NUM_PICTURES)),  # how often each picture is on an island tile
        ("gem", np.int16, (ROWS, TILES)),  # 1 emerald, 2 ruby, 3 diamond; 0 for no gem
        ("all_pictures", np.int16, (ROWS, NUM_PICTURES)),  # how often each picture is on all tiles of a row
        ("dream", np.int16, (TILES,)),  # what each dream tile shows
        ("copies", np.int16, (NUM_DREAMS,)),  # tiles of each dream
        ("dream_points", np.int16, (NUM_DREAMS, NUM_GEMS)),  # points for 1, 2, 3; or for each in the first place
        ("tiles_per_stack", np.int16, (MAX_SEATS + 1,)),  # by number of players; entries 0 and 1 unused
        ("points_per_palm", np.int16),
        ("points_per_combo", np.int16),
        ("points_lost_per_bandit", np.int16),
    ],
    align=True,
)

_DATA = Path(__file__).parent / "data"


def read_box(folder: str | Path | None = None) -> NDArray:
    """The box of the game, or one with the CSV files of a folder."""
    files = component_files(_DATA, folder, ("islands.csv", "dreams.csv", "numbers.csv"))
    box = np.zeros(1, BOX)
    _read_islands(files["islands.csv"], box[0])
    _read_dreams(files["dreams.csv"], box[0])
    _read_numbers(files["numbers.csv"], box[0])
    return box


def _pictures(cell: str) -> list[int]:
    """Words of a cell, each a picture."""
    words = cell.split()
    if not 1 <= len(words) <= MAX_PICTURES or any(word not in PICTURE_NAMES for word in words):
        raise ValueError(f"1 to {MAX_PICTURES} words, each one of {', '.join(PICTURE_NAMES)}")
    found = [PICTURE_NAMES.index(word) for word in words]
    if sum(picture >= FIRST_GEM for picture in found) > 1 or found.count(Picture.LAMP) > 1:
        raise ValueError("at most one gem and one lamp")
    return found


def _read_islands(path: Path, box: np.void) -> None:
    columns = {"row": one_of(*STACK_NAMES[:ROWS]), "tile": integer(1, TILES), "pictures": _pictures}
    seen = set()
    for line in read_table(path, columns, ROWS * TILES):
        row, tile = line["row"], line["tile"] - 1
        if (row, tile) in seen:
            raise line.wrong("tile", f"each of 1 to {TILES} once among the {STACK_NAMES[row]} tiles")
        seen.add((row, tile))
        for picture in line["pictures"]:
            box["pictures"][row, tile, picture] += 1
            if picture >= FIRST_GEM:
                box["gem"][row, tile] = picture - FIRST_GEM + 1
    box["all_pictures"][:] = box["pictures"].sum(axis=1)


def _points(low: int, high: int) -> Cell:
    """A number, or nothing."""
    number = integer(low, high)

    def parse(cell: str) -> int | None:
        return number(cell) if cell else None

    return parse


def _read_dreams(path: Path, box: np.void) -> None:
    points = [f"points_{count}" for count in range(1, NUM_GEMS + 1)]
    columns = {"dream": text, "copies": integer(0, TILES), **{name: _points(0, 20) for name in points}}
    seen = set()
    first = 0
    for line in read_table(path, columns, NUM_DREAMS):
        if line["dream"] not in DREAM_NAMES or line["dream"] in seen:
            raise line.wrong("dream", "once each " + ", ".join(DREAM_NAMES))
        seen.add(line["dream"])
        dream = DREAM_NAMES.index(line["dream"])
        for place, name in enumerate(points):
            if (line[name] is not None) != (place < _numbers_of(dream)):
                raise line.wrong(name, "nothing" if line[name] is not None else "a whole number from 0 to 20")
            box["dream_points"][dream, place] = line[name] or 0
        if first + line["copies"] > TILES:
            raise line.wrong("copies", f"{TILES} dream tiles in all")
        box["copies"][dream] = line["copies"]
        box["dream"][first : first + line["copies"]] = dream
        first += line["copies"]
    if first != TILES:
        raise ComponentError(f"{path}, field 'copies': expected {TILES} dream tiles in all, found {first}")


def _numbers_of(dream: int) -> int:
    """How many numbers a dream shows."""
    if dream in (Dream.GEM_COLUMNS, Dream.GEM_LINES, Dream.SNAKE):
        return 3
    return 2 if dream == Dream.LAMP else 1


def _read_numbers(path: Path, box: np.void) -> None:
    stacks = {f"tiles_per_stack_with_{players}_players": _exactly(COLUMNS * n) for players, n in TILES_PER_ROUND.items()}
    points = {
        "points_per_palm": integer(0, 10),
        "points_per_combo": integer(0, 20),
        "points_lost_per_bandit": integer(0, 10),
    }
    numbers = read_numbers(path, {**stacks, **points})
    for players, name in zip(TILES_PER_ROUND, stacks, strict=True):
        box["tiles_per_stack"][players] = numbers[name]
    for name in points:
        box[name] = numbers[name]


def _exactly(tiles: int) -> Cell:
    """A stack that lasts for exactly the rounds it serves."""

    def parse(cell: str) -> int:
        if cell != str(tiles):
            raise ValueError(f"{tiles}, for {COLUMNS} rounds of {tiles // COLUMNS} tiles")
        return tiles

    return parse
