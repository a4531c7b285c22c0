"""The table of Sultaniya as one record."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from arabian_envs.engine.state import state_dtype
from arabian_envs.games.sultaniya.components import (
    MOST_DISPLAYED,
    MOST_TILES,
    NUM_DJINNS,
    NUM_FLOORS,
    NUM_OBJECTIVES,
    NUM_SLOTS,
    SEATS,
)


class Phase(IntEnum):
    """What the acting player decides."""

    TURN = 0  # build, call on a Djinn, or pass
    BUILD = 1  # reveal more, or take a tile
    PLACE = 2  # where the taken tile goes
    SEARCH_PILE = 3  # Djinn: which pile to search
    SEARCH = 4  # Djinn: which tile of the pile to build
    REFRESH_PILE = 5  # Djinn: which pile's display to replace
    LIFT = 6  # red Djinn: which own tile to lift
    MOVE = 7  # red Djinn: where the lifted tile goes


NUM_PHASES = len(Phase)
NOBODY = -1
NOTHING = -1

STATE = state_dtype(
    ("rounds", np.int16),  # turns everybody has completed, 0 … most_turns
    ("first_player", np.int16),  # seat that opens every round
    ("ender", np.int16),  # seat that built its fifth roof first; -1 before that
    ("palace", np.int16, (SEATS, NUM_SLOTS)),  # face on each slot; 0 if empty
    ("character", np.int16, (SEATS,)),  # of each seat; -1 for an empty seat
    ("sapphires", np.int16, (SEATS,)),  # of each seat
    ("treasure", np.int16),  # sapphires on the table
    ("djinn_holder", np.int16, (NUM_DJINNS,)),  # seat beside whose palace the Djinn stands; -1 on the score track
    ("objectives", np.int8, (NUM_OBJECTIVES,)),  # all ten; seat s holds entries 2s and 2s + 1, the rest are out of play
    ("pile", np.int8, (NUM_FLOORS, MOST_TILES)),  # tiles from the bottom up; -1 beyond the visible top
    ("pile_size", np.int16, (NUM_FLOORS,)),  # tiles in each pile
    ("known_under", np.int16, (NUM_FLOORS,)),  # of these, how many at the bottom everybody saw being put there
    ("display", np.int8, (NUM_FLOORS, MOST_DISPLAYED)),  # tiles in front of each pile, in order; -1 where there is none
    ("displayed", np.int16, (NUM_FLOORS,)),  # how many, 0 … 3
    ("hand", np.int16),  # tile taken, found or lifted and not yet placed; -1 if none
    ("djinn", np.int16),  # Djinn called this turn; -1 if none
    ("builds", np.int16),  # tiles this turn may still build, 0 … 2
    ("revealed", np.int16),  # bit p: tiles of pile p were revealed this turn
    ("searched", np.int16),  # pile in the searcher's hands; -1 if none
    ("lifted", np.int16),  # slot the tile in hand was lifted from; -1 if none
    ("spare", np.int16),  # always 0; fills the record to whole words, so that copies and hashes see no unnamed bytes
)
