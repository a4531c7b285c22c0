"""The table of 1001 Islands as one record.

An Island, to the right of its Character board:

              column  0   1   2   3
            ┌───────┬───┬───┬───┬───┐
    upper   │ Char- │   │   │   │   │  row 0
    central │ acter │   │   │   │   │  row 1
    lower   │ board │   │   │   │   │  row 2
            └───────┴───┴───┴───┴───┘
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from arabian_envs.engine.state import state_dtype
from arabian_envs.games.islands.components import (
    COLUMNS,
    MAX_SEATS,
    NUM_DREAMS,
    NUM_PICTURES,
    NUM_STACKS,
    ROWS,
    TILES,
)


class Phase(IntEnum):
    """What the acting player decides."""

    STACK = 0  # the Lookout: which stack to draw from
    HIDE = 1  # the Lookout of two players: which tile to lay face down
    TILE = 2  # which tile to take
    COLUMN = 3  # where in its row to put an island tile
    NEXT = 4  # who chooses next


NUM_PHASES = len(Phase)
SLOTS = 5
"""Places on the table for the tiles of a round."""
HIDE_SLOTS = 3
FACE_DOWN_SLOT = 2
"""With two players the face-down tile always lies third."""
EMPTY = -1

STATE = state_dtype(
    ("rounds_played", np.int16),  # rounds played, 0 … 16
    ("lookout", np.int8),  # seat of the Lookout
    ("face_down", np.int8),  # two players: 1 while the third tile lies face down
    ("stack", np.int16),  # stack of this round's tiles, 0 … 3; -1 until one is chosen
    ("held", np.int16),  # tile number taken and not yet placed; -1 if none
    ("drawn", np.int16, (NUM_STACKS,)),  # tiles drawn from each stack so far, 0 … 20
    ("deck", np.int8, (NUM_STACKS, TILES)),  # tile numbers 0 … 19 in drawing order; what is never drawn is stack and box
    ("on_table", np.int8, (SLOTS,)),  # 1 for each of the last tiles drawn that still lies on the table
    ("chosen", np.int8, (MAX_SEATS,)),  # 1 for each seat that has taken its tile this round
    ("island", np.int8, (MAX_SEATS, ROWS, COLUMNS)),  # tile number at each place; -1 if empty
    ("flipped", np.int8, (MAX_SEATS, ROWS, COLUMNS)),  # 1 where the tile lies Genie face up
    ("dreams", np.int8, (MAX_SEATS, COLUMNS)),  # numbers of the dream tiles in the order taken; -1 if empty
    ("discarded", np.int8, (NUM_STACKS, COLUMNS)),  # two players: tile numbers discarded; -1 if empty
    ("visible", np.int16, (MAX_SEATS, NUM_PICTURES)),  # how often each picture can be seen on each Island
    ("points", np.int16, (MAX_SEATS,)),  # points of each Island before losses to Bandits, as of the last tile added
    ("undrawn", np.int16, (ROWS, NUM_PICTURES)),  # how often each picture is on the tiles never drawn
    ("undrawn_dreams", np.int16, (NUM_DREAMS,)),  # dream tiles never drawn, of each dream
)
