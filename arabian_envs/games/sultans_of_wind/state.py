"""The table of Sultans of Wind as one record."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from arabian_envs.engine.state import state_dtype
from arabian_envs.games.sultans_of_wind.components import NUM_WINDS
from arabian_envs.games.sultans_of_wind.maze import SQUARES


class Phase(IntEnum):
    """What the acting player decides."""

    ARRANGE = 0  # set-up: the next Wind Tile to slide into the visible part of the channel
    PLACE_DJINN = 1  # set-up: which of the middle spaces
    CHOOSE = 2  # a Wind Tile from behind the screen, in secret
    RESOLVE = 3  # which of the two chosen tiles first
    CARPET = 4  # Move, Move Through: which carpet
    DESTINATION = 5  # Move, Move Through: where it ends
    TURBULENCE = 6  # which cloud to turn, and how far
    CHANGING_CLOUDS = 7  # which two clouds to swap
    CALL_DJINN = 8  # where the Djinn appears
    MOVE_DJINN = 9  # where the Djinn ends
    WISH = 10  # which tile from behind the screen as an extra action


NUM_PHASES = len(Phase)
SEATS = 4
CARPETS = 3
VISIBLE = 4
"""Places of the channel in front of the screen: 0 … 3, from the left. Behind it are 4 … 7."""
IN_HAND = 2
"""Wind Tiles each player chooses in a round."""

STATE = state_dtype(
    ("round_number", np.int16),  # 1 … last_round; 0 during set-up
    ("tile", np.int16, (SQUARES,)),  # tile on each square: clouds 0 … 11, palaces 12 … 15
    ("turned", np.int16, (SQUARES,)),  # quarter turns clockwise of each tile, 0 … 3; palaces 0
    ("carpet", np.int16, (SEATS, CARPETS)),  # space of each carpet 0 … 143; -1 if not in the game
    ("djinn", np.int16),  # space of the Djinn 0 … 143; -1 before it is placed
    ("favor", np.int16),  # seat with the Djinn's Favor; -1 before the Djinn is placed
    ("channel", np.int16, (SEATS, NUM_WINDS)),  # strengths 1 … 8 from the left; a tile in hand keeps its place
    ("hand", np.int16, (SEATS, IN_HAND)),  # strengths of chosen tiles not yet resolved; 0 for none
    ("order", np.int16, (SEATS,)),  # seats in this round's turn order; -1 for none
    ("picks", np.int8),  # tiles the acting player has picked in this set-up or choice, 0 … 3
    ("turn", np.int8),  # index into order of the seat whose actions are resolved
    ("playing", np.int8),  # strength of the tile being resolved; 0 for none
    ("wishing", np.int8),  # 1 while the tile being resolved is a wish's extra action
    ("moving", np.int8),  # carpet chosen to move, 0 … 2; -1 for none
    ("winner", np.int8),  # seat that won the race; -1 for none
)
