"""The cards of Six Sons of the Sultan: six tea tracks and a few numbers, read from data/."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arabian_envs.engine.components import choice, component_files, integer, read_numbers, read_table
from arabian_envs.errors import ComponentError


class Tea(IntEnum):
    """The Tea Cards, in the order of their die numbers 1 … 6."""

    HERBAL = 0
    JASMINE = 1
    WHITE = 2
    OOLONG = 3
    GREEN = 4
    BLACK = 5


TEA_NAMES = tuple(tea.name.title() for tea in Tea)
NUM_TEAS = len(Tea)
MAX_SPACES = 8
"""Room on the longest track. Space 0 is the glass."""

BOX = np.dtype(
    [
        ("length", np.int16, (NUM_TEAS,)),  # spaces of each track, 1 … 8
        ("cost", np.int16, (NUM_TEAS, MAX_SPACES + 1)),  # lira for stepping onto a space; 0 for the glass
        ("prestige", np.int16, (NUM_TEAS, MAX_SPACES + 1)),  # points of a space; 0 for the glass
        ("total", np.int16, (NUM_TEAS, MAX_SPACES + 1)),  # points of all spaces up to this one
        ("special", np.int16, (NUM_TEAS, MAX_SPACES + 1)),  # 1 where the card's Special Action is marked
        ("rounds", np.int16),
        ("starting_wealth", np.int16),
        ("largest_wealth", np.int16),
        ("dummy_spaces", np.int16, (7,)),  # solo: spaces for each roll 1 … 6; entry 0 unused
        ("dummy_black_spaces", np.int16),  # solo: spaces on Black in even rounds
    ],
    align=True,
)

_DATA = Path(__file__).parent / "data"
_YES_NO = choice("no", "yes")


def read_box(folder: str | Path | None = None) -> NDArray:
    """The box of the game, or one with the CSV files of a folder."""
    files = component_files(_DATA, folder, ("tracks.csv", "numbers.csv"))
    box = np.zeros(1, BOX)
    _read_tracks(files["tracks.csv"], box[0])
    _read_numbers(files["numbers.csv"], box[0])
    return box


def _read_tracks(path: Path, box: np.void) -> None:
    columns = {
        "tea": choice(*TEA_NAMES),
        "space": integer(1, MAX_SPACES),
        "cost": integer(0, 20),
        "prestige": integer(0, 20),
        "special": _YES_NO,
    }
    for row in read_table(path, columns):
        tea, space = row["tea"], row["space"]
        if space != box["length"][tea] + 1:
            raise row.wrong("space", f"space {box['length'][tea] + 1} of {TEA_NAMES[tea]} (spaces in order, each once)")
        box["length"][tea] = space
        for name in ("cost", "prestige", "special"):
            box[name][tea, space] = row[name]
        box["total"][tea, space] = box["total"][tea, space - 1] + row["prestige"]
    for tea in Tea:
        if box["length"][tea] == 0:
            raise ComponentError(f"{path}, field 'tea': expected at least one space of {TEA_NAMES[tea]}, found none")


def _read_numbers(path: Path, box: np.void) -> None:
    rolls = {f"dummy_spaces_for_{roll}": integer(0, MAX_SPACES) for roll in range(1, 7)}
    numbers = read_numbers(
        path,
        {
            "rounds": integer(1, 30),
            "starting_wealth": integer(0, 100),
            "largest_wealth": integer(1, 100),
            "dummy_black_spaces": integer(0, MAX_SPACES),
            **rolls,
        },
    )
    if numbers["starting_wealth"] > numbers["largest_wealth"]:
        raise ComponentError(f"{path}, field 'starting_wealth': expected at most largest_wealth")
    for name in ("rounds", "starting_wealth", "largest_wealth", "dummy_black_spaces"):
        box[name] = numbers[name]
    for roll in range(1, 7):
        box["dummy_spaces"][roll] = numbers[f"dummy_spaces_for_{roll}"]
