"""Where a tile may stand: the geometry of a palace, on bit masks.

A palace's outline is one number with 14 bits a floor, blue lowest: one bit for each half-column and one margin bit on either
side. A step sideways is a shift by one, a step up or down a shift by 14; a shift from one floor's margin reaches the next
floor's margin, which is outside as well, so shifts need no care at the edges.
"""

from __future__ import annotations

import numpy as np

from arabian_envs.engine.jit import rule
from arabian_envs.games.sultaniya.components import (
    COLUMN_OF,
    FIRST_SLOT,
    FLOOR_OF,
    MOST_TILES,
    NUM_FLOORS,
    NUM_SLOTS,
    NUM_TILES,
    PRINTED_SLOTS,
    TILES_OF_FLOOR,
    WIDTH,
)

ROW = 14
LEFT = np.array([ROW * int(FLOOR_OF[slot]) + 1 + int(COLUMN_OF[slot]) for slot in range(NUM_SLOTS)])
"""The bit of each slot's left half-column in an outline."""
CELLS = 3 << LEFT
"""The two half-columns of each slot in an outline."""

_FIELD = (1 << ROW * NUM_FLOORS) - 1
_SKY_AND_SIDES = sum((1 | 1 << (ROW - 1)) << ROW * floor for floor in range(NUM_FLOORS)) | ((1 << ROW) - 1) << ROW * (
    NUM_FLOORS - 1
)
_SEED = int(CELLS[PRINTED_SLOTS[0]])
_ALL_LEFT = sum(1 << int(bit) for bit in LEFT)
_GROUND = (1 << ROW) - 1
_ROW = ROW

ALL_FACES = np.array([((1 << int(n)) - 1) * (1 + (1 << MOST_TILES)) for n in TILES_OF_FLOOR])
"""The set of all faces of a floor's tiles: bit k for tile k as drawn, bit 28 + k for its mirror image."""


def _beside(step: int) -> np.ndarray:
    """The slots one floor up or down from each slot's left and right half; -1 where there is none."""
    out = np.full((NUM_SLOTS, 2), -1)
    for slot in range(NUM_SLOTS):
        floor = int(FLOOR_OF[slot]) + step
        if 0 <= floor < NUM_FLOORS:
            for half in range(2):
                for other in range(int(FIRST_SLOT[floor]), int(FIRST_SLOT[floor] + WIDTH[floor])):
                    # Floors are staggered, so a left half always meets a right half.
                    if COLUMN_OF[other] + 1 - half == COLUMN_OF[slot] + half:
                        out[slot, half] = other
    return out


BELOW, ABOVE = _beside(-1), _beside(+1)


@rule
def outline(palace):
    """The half-columns that the tiles of a palace (faces by slot) cover."""
    cells = 0
    for slot in range(NUM_SLOTS):
        if palace[slot] != 0:
            cells |= CELLS[slot]
    return cells


@rule
def spread(cells):
    """These half-columns and their neighbours beside, above and below."""
    return cells | cells << 1 | cells >> 1 | cells << _ROW | cells >> _ROW


@rule
def has_hole(cells):
    """Whether an empty place cannot be reached from the sky or the two sides through empty places."""
    empty = _FIELD & ~cells
    reached = empty & _SKY_AND_SIDES
    # Most places lie open to the sky, so a fall straight down leaves little to search.
    for _ in range(NUM_FLOORS - 1):
        reached |= reached >> _ROW & empty
    while True:
        wider = spread(reached) & empty
        if wider == reached:
            return reached != empty
        reached = wider


@rule
def is_joined(cells):
    """Whether all tiles hang together with the printed ones."""
    reached = _SEED & cells
    while True:
        wider = spread(reached) & cells
        if wider == reached:
            return reached == cells
        reached = wider


@rule
def open_slots(palace):
    """Where a tile may stand, whatever its artwork: free, on a tile or the base, adjacent, and making no hole.

    The set has the bit `LEFT` of each such slot; the first three conditions are checked for all slots at once.
    """
    cells = outline(palace)
    free = ~(cells | cells >> 1)
    under = cells << _ROW
    over = cells >> _ROW
    resting = under | under >> 1
    candidates = _ALL_LEFT & free & (resting | _GROUND) & (resting | over | over >> 1 | cells << 1 | cells >> 2)
    slots = 0
    while candidates:
        left = candidates & -candidates
        candidates ^= left
        if not has_hole(cells | 3 * left):
            slots |= left
    return slots


@rule
def is_open(slots, slot):
    """Whether a slot is in a set of open ones."""
    return slots >> LEFT[slot] & 1


@rule
def matching_faces(palace, box, slot):
    """The set of faces of the slot's floor whose artwork lines up with the tiles below and above."""
    floor = FLOOR_OF[slot]
    faces = ALL_FACES[floor]
    for half in range(2):
        below = BELOW[slot, half]
        if below >= 0 and palace[below] != 0:
            faces &= box.faces_with[floor, half, box.top[palace[below], 1 - half]]
        above = ABOVE[slot, half]
        if above >= 0 and palace[above] != 0:
            faces &= box.faces_with[floor, 2 + half, box.bottom[palace[above], 1 - half]]
    return faces


@rule
def fitting_faces(palace, box, slots, floor):
    """The set of a floor's faces that fit in one of the open slots of a palace."""
    faces = 0
    for slot in range(FIRST_SLOT[floor], FIRST_SLOT[floor] + WIDTH[floor]):
        if is_open(slots, slot):
            faces |= matching_faces(palace, box, slot)
    return faces


@rule
def tiles_of(faces):
    """The tiles (bit k for tile k of the floor) with a face in this set."""
    return (faces | faces >> MOST_TILES) & ((1 << MOST_TILES) - 1)


@rule
def can_lift(palace, cells, slot):
    """Whether a tile is not printed, and what remains is supported, joined and without holes."""
    if palace[slot] == 0 or palace[slot] > 2 * NUM_TILES:
        return False
    for half in range(2):
        above = ABOVE[slot, half]
        if above >= 0 and palace[above] != 0:
            other = BELOW[above, half]
            if other < 0 or palace[other] == 0:
                return False
    rest = cells & ~CELLS[slot]
    return is_joined(rest) and not has_hole(rest)
