"""The table of Six Sons of the Sultan as one record."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from arabian_envs.engine.state import state_dtype
from arabian_envs.games.six_sons.components import NUM_TEAS


class Phase(IntEnum):
    """What the acting player decides."""

    REROLL = 0  # White Tea: which dice to roll again
    ASSIGN = 1  # which die orders, which brings wealth, which is passed
    ORDER = 2  # how far to advance on the Order Die's card
    JASMINE = 3  # Jasmine Tea: whether the Wealth Die orders too
    SECOND_ORDER = 4  # how far to advance on the Wealth Die's card
    SWAP = 5  # Green Tea: which card's tokens to swap
    BLACK = 6  # Black Tea: which card only the leader scores


NUM_PHASES = len(Phase)
SEATS = 2
DUMMY = 1
"""In solo play the dummy's tokens stand in the second seat's place."""

LASTING = 4
"""Herbal, Jasmine, White and Oolong (teas 0 … 3) are kept for the owner's next turn."""

STATE = state_dtype(
    ("time", np.int16),  # number on the Time Card: rounds left, this one included; 0 when the rounds are over
    ("first_player", np.int16),  # seat that opens every round
    ("wealth", np.int16, (SEATS,)),  # lira, 0 … largest_wealth
    ("position", np.int16, (SEATS, NUM_TEAS)),  # space of each token; 0 is the glass
    ("reached", np.int16, (NUM_TEAS,)),  # furthest space any token was moved to by orders; specials up to it are taken
    ("dice", np.int16, (3,)),  # this turn's dice 1 … 6, lowest first; 0 before the first roll
    ("order_die", np.int16),  # 1 … 6; 0 until assigned
    ("wealth_die", np.int16),  # 1 … 6; 0 until assigned
    ("passing_die", np.int16),  # 1 … 6; 0 before the first assignment
    ("active", np.int16, (LASTING,)),  # 1 for each special the acting player has this turn; 0 once the rounds are over
    ("earned", np.int16, (SEATS, LASTING)),  # 1 for each special waiting for the owner's next turn
    ("swaps", np.int16),  # Green swaps still to decide this turn, 0 … 2
    ("black", np.int16, (SEATS,)),  # Black specials owned and not yet decided
    ("named", np.int16, (NUM_TEAS,)),  # 1 for each card that only the player further along scores
    ("dummy_first_on_black", np.int16),  # solo: 1 once the dummy reached the final Black space first
)
