"""The table of Djinns of the High Desert as one record."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from arabian_envs.engine.state import state_dtype
from arabian_envs.games.djinns.components import MAX_CARDS, MAX_PLAYERS, NUM_KINDS


class Phase(IntEnum):
    """What the acting player decides."""

    TURN = 0  # summon a card or make a wish
    PAY = 1  # wish: which card to discard for it
    KEEP = 2  # first wish: which of the cards looked at to keep
    RETRIEVE = 3  # second wish: which card of the discard pile to take
    REMOVE = 4  # third wish: which palace card leaves the game
    GIVE = 5  # Merchant: which own palace card to exchange
    EXCHANGE = 6  # Merchant: for which card of another palace
    ROB = 7  # Thief: whose hand to take a random card from
    DISCARD = 8  # Vizier: which palace card to discard
    PLACE = 9  # Sultan: which further hand card to place


class Wish(IntEnum):
    """The three wishes."""

    LOOK = 0  # look at the top of the deck and keep one card
    RETRIEVE = 1  # take a card from the discard pile
    REMOVE = 2  # remove a palace card from the game


NUM_PHASES = len(Phase)
NUM_WISHES = len(Wish)
SEATS = MAX_PLAYERS
NONE = -1
"""No kind, no wish."""

# Piles are counts by kind: cards of a kind are alike. Only the deck has an order. A pile's counts add up to at most
# MAX_CARDS = 120, so that they and their sums fit a byte.
STATE = state_dtype(
    ("deck", np.int8, (MAX_CARDS,)),  # kinds from the bottom up, the top at deck_size - 1; the rest is stale
    ("deck_size", np.int16),  # 0 … 120
    ("hand", np.int8, (SEATS, NUM_KINDS)),  # cards of each kind held; 0 for empty seats
    ("hand_size", np.int16, (SEATS,)),  # cards held
    ("palace", np.int8, (SEATS, NUM_KINDS)),  # cards of each kind in the palace
    ("palace_size", np.int16, (SEATS,)),  # cards in the palace
    ("discards", np.int8, (NUM_KINDS,)),  # cards of each kind in the discard pile
    ("discards_size", np.int16),  # cards in the discard pile
    ("removed", np.int8, (NUM_KINDS,)),  # cards of each kind out of the game
    ("looked", np.int8, (NUM_KINDS,)),  # cards the acting player is looking at; 0 outside KEEP
    ("summoned", np.int16),  # kind summoned this turn; -1 before that and in a wish
    ("given", np.int16),  # kind offered in exchange; -1 outside EXCHANGE
    ("wish", np.int16),  # wish being made; -1 if none
    ("to_pay", np.int16),  # cards still to discard for the wish; 0 outside PAY
    ("draws", np.int16),  # cards to draw at the end of this turn
    ("turns_left", np.int16),  # turns of the last round still to play, this one included; 0 before the last round
    ("turn", np.int16),  # turns begun so far, 1 …
)
