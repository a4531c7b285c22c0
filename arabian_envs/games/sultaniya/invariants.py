"""What must hold at every moment of Sultaniya."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arabian_envs.games.sultaniya.components import (
    FIRST_SLOT,
    FLOOR_OF,
    MOST_TILES,
    NUM_COLUMNS,
    NUM_FLOORS,
    NUM_OBJECTIVES,
    NUM_SLOTS,
    NUM_TILES,
    PRINTED_SLOTS,
    PRINTED_TILES,
    SEATS,
    TILES_OF_FLOOR,
    WIDTH,
)
from arabian_envs.games.sultaniya.palace import BELOW
from arabian_envs.games.sultaniya.state import Phase

_FLOOR_OF_TILE = np.repeat(np.arange(NUM_FLOORS), TILES_OF_FLOOR)


def invariants(state: NDArray, box: NDArray) -> dict[str, NDArray[np.bool_]]:
    """Named truths, each over all tables."""
    f = {name: np.asarray(state[name]) for name in state.dtype.names or ()}
    palace, sapphires, phase = f["palace"], f["sapphires"], f["phase"]
    seated = np.arange(SEATS) < f["num_players"][:, None]
    depth, size = np.arange(MOST_TILES), f["pile_size"][:, :, None]
    holding = np.isin(phase, (Phase.PLACE, Phase.MOVE))
    return {
        "every tile of the player count is in one place": _tiles_conserved(f, box),
        "the printed tiles lie where they were": _printed_stay(f),
        "tiles lie on their own floor": _own_floor(palace),
        "every tile has one beneath it": _supported(palace),
        "artwork matches where tiles touch": _matching(palace, box),
        "no palace has a hole": _no_holes(palace),
        "all sapphires are held or in the treasure": (sapphires.sum(1) + f["treasure"] == box["sapphires"][0])
        & (sapphires >= 0).all(1)
        & (f["treasure"] >= 0),
        "all ten objectives are there": (np.sort(f["objectives"], 1) == np.arange(NUM_OBJECTIVES)).all(1),
        "each Djinn is on the track or beside a palace": (
            (f["djinn_holder"] >= -1) & (f["djinn_holder"] < f["num_players"][:, None])
        ).all(1),
        "piles are filled from the bottom": ((f["pile"] >= 0) == (depth < size)).all((1, 2)),
        "displays are filled from the left": ((f["display"] >= 0) == (np.arange(3) < f["displayed"][:, :, None])).all(
            (1, 2)
        ),
        "displays hold no more than allowed": (f["displayed"] <= box["most_on_display"][0]).all(1),
        "known tiles are part of their pile": ((f["known_under"] >= 0) & (f["known_under"] <= f["pile_size"])).all(1),
        "a tile is in hand exactly when it must be placed": (f["hand"] >= 0) == holding,
        "empty seats have nothing": (seated | ((f["character"] == -1) & (sapphires == 0) & (palace == 0).all(2))).all(1),
    }


def _tiles_conserved(f: dict[str, NDArray], box: NDArray) -> NDArray[np.bool_]:
    tables = len(f["hand"])
    used = np.zeros((tables, NUM_TILES + 1), np.int64)
    rows = np.arange(tables)[:, None]
    palace = f["palace"].reshape(tables, -1)
    built = np.where((palace > 0) & (palace <= 2 * NUM_TILES), (palace - 1) // 2, NUM_TILES)
    loose = [f["pile"].reshape(tables, -1), f["display"].reshape(tables, -1), f["hand"][:, None]]
    for tiles in (built, *(np.where(tiles < 0, NUM_TILES, tiles) for tiles in loose)):
        np.add.at(used, (rows, tiles), 1)
    in_play = box["min_players"][0] <= np.maximum(2, f["num_players"])[:, None]
    return (used[:, :NUM_TILES] == in_play).all(1)


def _printed_stay(f: dict[str, NDArray]) -> NDArray[np.bool_]:
    first = 1 + 2 * (NUM_TILES + PRINTED_TILES * f["character"].astype(np.int64))
    expected = first[:, :, None] + 2 * np.arange(PRINTED_TILES)
    return ((f["palace"][:, :, PRINTED_SLOTS] == expected) | (f["character"] < 0)[:, :, None]).all((1, 2))


def _own_floor(palace: NDArray) -> NDArray[np.bool_]:
    tile = (palace - 1) // 2
    loose = (palace > 0) & (tile < NUM_TILES)
    return (~loose | (_FLOOR_OF_TILE[np.where(loose, tile, 0)] == FLOOR_OF)).all((1, 2))


def _supported(palace: NDArray) -> NDArray[np.bool_]:
    there = palace > 0
    good = np.ones(len(palace), np.bool_)
    for slot in range(int(FIRST_SLOT[1]), NUM_SLOTS):
        beneath = [there[:, :, below] for below in BELOW[slot] if below >= 0]
        good &= (~there[:, :, slot] | np.any(beneath, axis=0)).all(1)
    return good


def _matching(palace: NDArray, box: NDArray) -> NDArray[np.bool_]:
    top, bottom = box["top"][0], box["bottom"][0]
    good = np.ones(len(palace), np.bool_)
    for slot in range(NUM_SLOTS):
        for half, below in enumerate(BELOW[slot]):
            if below >= 0:
                upper, lower = palace[:, :, slot], palace[:, :, below]
                good &= ((upper == 0) | (lower == 0) | (bottom[upper, half] == top[lower, 1 - half])).all(1)
    return good


def _no_holes(palace: NDArray) -> NDArray[np.bool_]:
    """Flood the empty places from the sides and the sky, half-column by half-column."""
    empty = np.ones((*palace.shape[:2], NUM_FLOORS + 1, NUM_COLUMNS + 2), np.bool_)
    for floor in range(NUM_FLOORS):
        for i in range(WIDTH[floor]):
            left = 1 + 2 * i + floor % 2
            empty[:, :, floor, left : left + 2] = (palace[:, :, FIRST_SLOT[floor] + i] == 0)[:, :, None]
    reached = np.zeros_like(empty)
    reached[:, :, :, 0] = reached[:, :, :, -1] = reached[:, :, -1] = True
    while True:
        wider = reached.copy()
        wider[:, :, 1:] |= reached[:, :, :-1]
        wider[:, :, :-1] |= reached[:, :, 1:]
        wider[..., 1:] |= reached[..., :-1]
        wider[..., :-1] |= reached[..., 1:]
        wider &= empty
        if (wider == reached).all():
            return (reached == empty).all((1, 2, 3))
        reached = wider
