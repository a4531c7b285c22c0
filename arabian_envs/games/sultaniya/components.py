"""The components of Sultaniya: tiles, boards, Djinns, objectives and a few numbers, read from data/.

A palace has four staggered floors over twelve half-columns:

    roof      ┌──0──┬──1──┬──2──┬──3──┬──4──┐          slots 17 … 21
    green  ┌──0──┬──1──┬──2──┬──3──┬──4──┬──5──┐       slots 11 … 16
    red       ┌──0──┬──1──┬▓▓2▓▓┬──3──┬──4──┐          slots  6 … 10
    blue   ┌──0──┬──1──┬▓▓2▓▓┬▓▓3▓▓┬──4──┬──5──┐       slots  0 … 5
            0  1  2  3  4  5  6  7  8  9 10 11         half-columns

A *face* is a tile as it lies: 1 + 2 · tile + (1 if mirrored); face 0 is no tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arabian_envs.engine.components import Row, choice, component_files, integer, read_numbers, read_table, text
from arabian_envs.errors import ComponentError


class Floor(IntEnum):
    """The levels of a palace, each with its pile."""

    BLUE = 0  # ground level: the doors to the desert
    RED = 1  # first floor: the walls
    GREEN = 2  # second floor: the princely residences
    ROOF = 3  # the golden rooftops


class Symbol(IntEnum):
    """What a half of a tile may show."""

    WINDOW = 0
    TOWER = 1
    CUPOLA = 2
    GARDEN = 3
    GUARD = 4
    SAPPHIRE = 5


class Kind(IntEnum):
    """How a half of a tile ends at its bottom or top."""

    WALL = 0
    COLUMN = 1
    GATE = 2  # between blue and red: uprights under a lintel
    MINARET = 3  # between red and green: uprights under a pointed roof
    BASE = 4  # the bottom of blue, never compared
    SKY = 5  # the top of a roof, never compared


class Special(IntEnum):
    """What a tile is beyond its symbols."""

    NONE = 0
    LINTEL = 1  # completes a gate on two uprights
    POINT = 2  # completes a minaret on two uprights
    WWTT = 3  # a roof with two windows and two towers
    LONE_GATE = 4  # a roof that is a complete gate
    LONE_MINARET = 5  # a roof that is a complete minaret
    PLUS4 = 6  # extra points for whoever owns it
    PLUS5 = 7


class Djinn(IntEnum):
    """The four Djinns, by their power."""

    SEARCH = 0
    BUILD_TWICE = 1
    RED = 2
    REFRESH = 3


class Counts(IntEnum):
    """What a secret objective counts."""

    FLOOR = 0
    COLUMN = 1
    DJINNS = 2
    PAIRS = 3


def _names(enum: type[IntEnum]) -> tuple[str, ...]:
    return tuple(member.name.lower() for member in enum)


FLOOR_NAMES, SYMBOL_NAMES, KIND_NAMES = _names(Floor), _names(Symbol), _names(Kind)
DJINN_NAMES = ("search", "build twice", "red", "refresh")
SPECIAL_NAMES = ("", *_names(Special)[1:])
CHARACTER_NAMES = ("Ali Baba", "Anis", "Dunyazad", "Scheherazade", "Aladdin", "Ja'far", "Sinbad", "Shahriyar")

NUM_FLOORS, NUM_SYMBOLS, NUM_KINDS, NUM_DJINNS = len(Floor), len(Symbol), 4, len(Djinn)
WIDTH = np.array([6, 5, 6, 5])
"""Slots of each floor."""
FIRST_SLOT = np.array([0, 6, 11, 17])
"""A palace's slots are numbered floor by floor; this is each floor's first."""
NUM_SLOTS, MOST_SLOTS, NUM_COLUMNS = 22, 6, 12
FLOOR_OF = np.repeat(np.arange(NUM_FLOORS), WIDTH)
"""The floor of each slot."""
COLUMN_OF = np.array([2 * i + floor % 2 for floor in range(NUM_FLOORS) for i in range(WIDTH[floor])])
"""The half-column of each slot's left half."""

TILES_OF_FLOOR = np.array([20, 20, 28, 25])
FIRST_TILE = np.array([0, 20, 40, 68])
NUM_TILES, MOST_TILES = 93, 28
MOST_DISPLAYED = 3
NUM_CHARACTERS, PRINTED_TILES, NUM_OBJECTIVES = 8, 3, 10
PRINTED_SLOTS = np.array([2, 3, 8])
"""Blue 2, blue 3 and red 2 are printed on every board; as tiles they are numbered on from NUM_TILES."""
NUM_FACES = 1 + 2 * (NUM_TILES + NUM_CHARACTERS * PRINTED_TILES)
SEATS = 4
OBJECTIVES_EACH = 2

BOX = np.dtype(
    [
        ("faces_with", np.int64, (NUM_FLOORS, 4, NUM_KINDS)),  # of a floor's tiles, those with this kind at bottom left,
        # bottom right, top left, top right: bit k for tile k as drawn, bit 28 + k for its mirror image
        ("bottom", np.int16, (NUM_FACES, 2)),  # Kind under the left and right half of each face
        ("top", np.int16, (NUM_FACES, 2)),  # Kind over the left and right half of each face
        ("symbols", np.int16, (NUM_FACES, 2, NUM_SYMBOLS)),  # symbols on the left and right half of each face
        ("totals", np.int16, (NUM_FACES, NUM_SYMBOLS)),  # symbols on both halves
        ("special", np.int16, (NUM_FACES,)),  # Special of each face
        ("extra", np.int16, (NUM_FACES,)),  # extra points of each face: 4, 5 or 0
        ("min_players", np.int16, (NUM_TILES,)),  # 2, 3 or 4
        ("score_1", np.int16, (NUM_CHARACTERS,)),  # Symbol each character scores singly: WINDOW or TOWER
        ("score_3", np.int16, (NUM_CHARACTERS,)),  # CUPOLA or GARDEN
        ("score_6", np.int16, (NUM_CHARACTERS,)),  # GATE or MINARET, a Kind
        ("start_sapphires", np.int16, (NUM_CHARACTERS,)),
        ("side_characters", np.int16, (2, SEATS)),  # the characters of the sides . and ..
        ("character_of_seat", np.int16, (SEATS,)),  # 1 + character given to a seat; 0 if drawn by lot
        ("given_side", np.int16),  # side of the given characters; -1 if none is given
        ("cost", np.int16, (NUM_DJINNS,)),  # sapphires for a Djinn's service
        ("counts", np.int16, (NUM_OBJECTIVES,)),  # Counts of each objective
        ("counted", np.int16, (NUM_OBJECTIVES,)),  # Symbol of a floor or column objective; -1 for the others
        ("sapphires", np.int16),
        ("open_objectives", np.int16),  # 1 in the variant for experienced players
        ("most_on_display", np.int16),
        ("pass_sapphires", np.int16),
        ("roofs_to_end", np.int16),
        ("solo_turns", np.int16),
        ("most_turns", np.int16),  # cap on the turns of each player
        ("window_or_tower_points", np.int16),
        ("cupola_or_garden_points", np.int16),
        ("gate_or_minaret_points", np.int16),
        ("guard_points", np.int16, (SEATS,)),  # by rank; the fourth wins nothing
        ("floor_objective_points", np.int16),
        ("column_objective_points", np.int16),
        ("column_objective_extra", np.int16),
        ("djinn_objective_points", np.int16),
        ("pair_objective_points", np.int16),
    ],
    align=True,
)

_DATA = Path(__file__).parent / "data"
_FILES = ("tiles.csv", "boards.csv", "printed.csv", "djinns.csv", "objectives.csv", "numbers.csv")
_HALVES = ("left", "right")
_SIDES = (".", "..")
# The kinds that may stand at the top of each floor, and so at the bottom of the next.
_SEAMS = (("wall", "column", "gate"), ("wall", "column", "minaret"), ("wall", "column"), ("sky",))
_SPECIALS_OF_FLOOR = (("",), ("", "lintel"), ("", "point"), ("", "wwtt", "lone_gate", "lone_minaret", "plus4", "plus5"))
_EXTRA = {Special.PLUS4: 4, Special.PLUS5: 5}


def read_box(folder: str | Path | None = None) -> NDArray:
    """The box of the game, or one with the CSV files of a folder."""
    files = component_files(_DATA, folder, _FILES)
    box = np.zeros(1, BOX)
    _read_tiles(files["tiles.csv"], box[0])
    _read_boards(files["boards.csv"], box[0])
    _read_printed(files["printed.csv"], box[0])
    _read_djinns(files["djinns.csv"], box[0])
    _read_objectives(files["objectives.csv"], box[0])
    _read_numbers(files["numbers.csv"], box[0])
    return box


# -- Tiles -------------------------------------------------------------------------------------------------------------


def _symbols(cell: str) -> tuple[int, ...]:
    """Nothing, one symbol, or two different ones joined by +."""
    words = cell.split("+") if cell else []
    if any(word not in SYMBOL_NAMES for word in words) or len(set(words)) != len(words) or len(words) > 2:
        raise ValueError(f"nothing, one of {', '.join(SYMBOL_NAMES)}, or two different ones joined by +")
    return tuple(SYMBOL_NAMES.index(word) for word in words)


_TILE_COLUMNS = {
    "left_bottom": choice(*KIND_NAMES),
    "left_top": choice(*KIND_NAMES),
    "left_symbol": _symbols,
    "right_bottom": choice(*KIND_NAMES),
    "right_top": choice(*KIND_NAMES),
    "right_symbol": _symbols,
    "special": choice(*SPECIAL_NAMES),
}


def _read_tiles(path: Path, box: np.void) -> None:
    columns = {"tile": text, "floor": choice(*FLOOR_NAMES), "min_players": integer(2, 4), **_TILE_COLUMNS}
    rows = read_table(path, columns, NUM_TILES)
    found = [0] * NUM_FLOORS
    names: set[str] = set()
    for row in rows:
        if not row["tile"] or row["tile"] in names:
            raise row.wrong("tile", "a name that no other tile has")
        names.add(row["tile"])
        floor = row["floor"]
        if found[floor] == TILES_OF_FLOOR[floor]:
            raise row.wrong("floor", f"{TILES_OF_FLOOR[floor]} tiles of {FLOOR_NAMES[floor]}, this is one more; value")
        _check_tile(row, floor)
        number = found[floor]
        tile = int(FIRST_TILE[floor]) + number
        found[floor] += 1
        box["min_players"][tile] = row["min_players"]
        _write_faces(box, tile, row)
        for mirrored in range(2):
            _write_edges(box, floor, number, 1 + 2 * tile + mirrored, mirrored)
    _check_gates(rows)


def _check_tile(row: Row, floor: int) -> None:
    """A tile's edges and special suit its floor."""
    under = ("base",) if floor == Floor.BLUE else _SEAMS[floor - 1]
    for half in _HALVES:
        for place, kinds in (("bottom", under), ("top", _SEAMS[floor])):
            field = f"{half}_{place}"
            if KIND_NAMES[row[field]] not in kinds:
                raise _wrong(row, field, f"one of {', '.join(kinds)} on {FLOOR_NAMES[floor]}", KIND_NAMES[row[field]])
    special = SPECIAL_NAMES[row["special"]]
    if special not in _SPECIALS_OF_FLOOR[floor]:
        allowed = ", ".join(name or "nothing" for name in _SPECIALS_OF_FLOOR[floor])
        raise _wrong(row, "special", f"{allowed} on {FLOOR_NAMES[floor]}", special)
    for name, kind in (("lintel", Kind.GATE), ("point", Kind.MINARET)):
        for half in _HALVES:
            field = f"{half}_bottom"
            if special == name and row[field] != kind:
                raise _wrong(row, field, f"{KIND_NAMES[kind]} under a {name}", KIND_NAMES[row[field]])
    if special == "wwtt":
        for half in _HALVES:
            if sorted(row[f"{half}_symbol"]) != [Symbol.WINDOW, Symbol.TOWER]:
                found = "+".join(SYMBOL_NAMES[symbol] for symbol in row[f"{half}_symbol"])
                raise _wrong(row, f"{half}_symbol", "window+tower on a wwtt roof", found)


def _wrong(row: Row, field: str, expected: str, found: str) -> ComponentError:
    """An error that quotes the cell as it was typed."""
    return ComponentError(f"{row.path}, row {row.line}, field {field!r}: expected {expected}, found {found!r}")


def _check_gates(rows: Sequence[Row]) -> None:
    """Whenever a lintel or a point is in the game, so are two uprights for it."""
    for special, kind, floor in ((Special.LINTEL, Kind.GATE, Floor.BLUE), (Special.POINT, Kind.MINARET, Floor.RED)):
        for row in rows:
            if row["special"] != special:
                continue
            uprights = sum(
                upright["floor"] == floor
                and upright["min_players"] <= row["min_players"]
                and kind in (upright["left_top"], upright["right_top"])
                for upright in rows
            )
            if uprights < 2:
                expected = (
                    f"two {FLOOR_NAMES[floor]} tiles with a {KIND_NAMES[kind]} at the top for {row['min_players']} players "
                    f"(there are {uprights}), or the {KIND_NAMES[kind]} cannot be built"
                )
                raise _wrong(row, "special", expected, SPECIAL_NAMES[special])


def _write_faces(box: np.void, tile: int, row: Row) -> None:
    """Both faces of a tile."""
    for mirrored in range(2):
        face = 1 + 2 * tile + mirrored
        for half in range(2):
            side = _HALVES[half ^ mirrored]
            box["bottom"][face, half] = row[f"{side}_bottom"]
            box["top"][face, half] = row[f"{side}_top"]
            for symbol in row[f"{side}_symbol"]:
                box["symbols"][face, half, symbol] += 1
        box["totals"][face] = box["symbols"][face].sum(axis=0)
        box["special"][face] = row["special"]
        box["extra"][face] = _EXTRA.get(row["special"], 0)


def _write_edges(box: np.void, floor: int, number: int, face: int, mirrored: int) -> None:
    """The face's bit in the sets of faces by kind."""
    bit = 1 << (number + MOST_TILES * mirrored)
    edges = (*box["bottom"][face], *box["top"][face])
    for edge, kind in enumerate(edges):
        if kind < NUM_KINDS:
            box["faces_with"][floor, edge, kind] |= bit


# -- Boards ------------------------------------------------------------------------------------------------------------


def _read_boards(path: Path, box: np.void) -> None:
    columns = {
        "character": choice(*CHARACTER_NAMES),
        "side": choice(*_SIDES),
        "score_1": choice("window", "tower"),
        "score_3": choice("cupola", "garden"),
        "score_6": choice("gate", "minaret"),
        "start_sapphires": integer(0, 10),
    }
    found = [0, 0]
    for character, row in enumerate(read_table(path, columns, NUM_CHARACTERS)):
        if row["character"] != character:
            expected = f"{CHARACTER_NAMES[character]} (in the order {', '.join(CHARACTER_NAMES)})"
            raise _wrong(row, "character", expected, CHARACTER_NAMES[row["character"]])
        side = row["side"]
        if found[side] == SEATS:
            raise _wrong(row, "side", f"{SEATS} characters on each side", _SIDES[side])
        box["side_characters"][side, found[side]] = character
        found[side] += 1
        box["score_1"][character] = row["score_1"] + Symbol.WINDOW
        box["score_3"][character] = row["score_3"] + Symbol.CUPOLA
        box["score_6"][character] = row["score_6"] + Kind.GATE
        box["start_sapphires"][character] = row["start_sapphires"]


def _read_printed(path: Path, box: np.void) -> None:
    columns = {"character": choice(*CHARACTER_NAMES), "floor": choice("blue", "red"), "slot": integer(2, 3), **_TILE_COLUMNS}
    rows = read_table(path, columns, NUM_CHARACTERS * PRINTED_TILES)
    for number, row in enumerate(rows):
        character, place = divmod(number, PRINTED_TILES)
        slot = int(PRINTED_SLOTS[place])
        if row["character"] != character:
            expected = f"{CHARACTER_NAMES[character]} (three rows each, as in boards.csv)"
            raise _wrong(row, "character", expected, CHARACTER_NAMES[row["character"]])
        if row["floor"] != FLOOR_OF[slot]:
            raise _wrong(row, "floor", "blue 2, blue 3, red 2 in this order", FLOOR_NAMES[row["floor"]])
        if row["slot"] != slot - FIRST_SLOT[FLOOR_OF[slot]]:
            raise row.wrong("slot", "blue 2, blue 3, red 2 in this order")
        _check_tile(row, row["floor"])
        _write_faces(box, NUM_TILES + number, row)
        if row["floor"] == Floor.RED:
            for half, below in ((0, rows[number - 2]["right_top"]), (1, rows[number - 1]["left_top"])):
                field = f"{_HALVES[half]}_bottom"
                if row[field] != below:
                    raise _wrong(row, field, f"{KIND_NAMES[below]}, as the blue tile under it", KIND_NAMES[row[field]])


# -- Djinns, objectives, numbers ---------------------------------------------------------------------------------------


def _read_djinns(path: Path, box: np.void) -> None:
    for djinn, row in enumerate(read_table(path, {"djinn": choice(*DJINN_NAMES), "cost": integer(0, 20)}, NUM_DJINNS)):
        if row["djinn"] != djinn:
            raise _wrong(
                row, "djinn", f"{DJINN_NAMES[djinn]} (in the order {', '.join(DJINN_NAMES)})", DJINN_NAMES[row["djinn"]]
            )
        box["cost"][djinn] = row["cost"]


def _read_objectives(path: Path, box: np.void) -> None:
    columns = {"objective": text, "counts": choice(*_names(Counts)), "symbol": choice("", *SYMBOL_NAMES)}
    for objective, row in enumerate(read_table(path, columns, NUM_OBJECTIVES)):
        needs_symbol = row["counts"] in (Counts.FLOOR, Counts.COLUMN)
        if needs_symbol != (row["symbol"] > 0):
            found = ("", *SYMBOL_NAMES)[row["symbol"]]
            raise _wrong(row, "symbol", "a symbol for floor and column, nothing for djinns and pairs", found)
        box["counts"][objective] = row["counts"]
        box["counted"][objective] = row["symbol"] - 1


def _read_numbers(path: Path, box: np.void) -> None:
    points = integer(0, 20)
    plain = {
        "sapphires": integer(40, 100),
        "open_objectives": integer(0, 1),
        "most_on_display": integer(1, MOST_DISPLAYED),
        "pass_sapphires": integer(0, 10),
        "roofs_to_end": integer(1, int(WIDTH[Floor.ROOF])),
        "solo_turns": integer(1, 100),
        "most_turns": integer(1, 100),
        "window_or_tower_points": points,
        "cupola_or_garden_points": points,
        "gate_or_minaret_points": points,
        "floor_objective_points": points,
        "column_objective_points": points,
        "column_objective_extra": points,
        "djinn_objective_points": points,
        "pair_objective_points": points,
    }
    guards = ("most_guards_points", "second_guards_points", "third_guards_points")
    seats = [f"character_of_seat_{seat}" for seat in range(SEATS)]
    given = {name: integer(0, NUM_CHARACTERS) for name in seats}
    numbers = read_numbers(path, {**plain, **dict.fromkeys(guards, points), **given})
    for name in plain:
        box[name] = numbers[name]
    for rank, name in enumerate(guards):
        box["guard_points"][rank] = numbers[name]
    _give_characters(path, box, [numbers[name] for name in seats])


def _give_characters(path: Path, box: np.void, given: list[int]) -> None:
    """Characters fixed for some seats: different ones, all from one side."""
    box["given_side"] = -1
    for seat, number in enumerate(given):
        if number == 0:
            continue
        field = f"{path}, field 'character_of_seat_{seat}'"
        if number in given[:seat]:
            raise ComponentError(f"{field}: expected a character that no other seat has, found {number}")
        side = int(np.argwhere(box["side_characters"] == number - 1)[0, 0])
        if box["given_side"] not in (-1, side):
            raise ComponentError(
                f"{field}: expected a character from the side {_SIDES[int(box['given_side'])]!r}, found {number}"
            )
        box["given_side"] = side
        box["character_of_seat"][seat] = number
