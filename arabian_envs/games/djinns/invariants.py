"""What must hold at every moment of Djinns of the High Desert."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arabian_envs.engine.state import RUNNING
from arabian_envs.games.djinns.components import NUM_KINDS
from arabian_envs.games.djinns.state import SEATS, Phase


def invariants(state: NDArray, box: NDArray) -> dict[str, NDArray[np.bool_]]:
    """Named truths, each over all tables."""
    piles = {name: np.asarray(state[name]).astype(int) for name in ("hand", "palace", "discards", "removed", "looked")}
    sizes = {name: np.asarray(state[name]) for name in ("hand_size", "palace_size", "discards_size", "deck_size")}
    phase, hand_size = np.asarray(state["phase"]), sizes["hand_size"]
    deck = deck_counts(state)
    everywhere = (
        deck + piles["hand"].sum(1) + piles["palace"].sum(1) + piles["discards"] + piles["removed"] + piles["looked"]
    )
    empty_seats = np.arange(SEATS) >= np.asarray(state["num_players"])[:, None]
    running = np.asarray(state["status"]) == RUNNING
    return {
        "every card of the box is somewhere": (everywhere == box["count"][0]).all(1),
        "no pile holds fewer than no cards": np.all(
            [(pile >= 0).reshape(len(state), -1).all(1) for pile in piles.values()], 0
        ),
        "hand sizes are right": (piles["hand"].sum(2) == hand_size).all(1),
        "palace sizes are right": (piles["palace"].sum(2) == sizes["palace_size"]).all(1),
        "the discard pile's size is right": piles["discards"].sum(1) == sizes["discards_size"],
        "empty seats hold nothing": ~(empty_seats & ((hand_size > 0) | (sizes["palace_size"] > 0))).any(1),
        "cards are looked at only in the first wish": (piles["looked"].sum(1) > 0) == (running & (phase == Phase.KEEP)),
        "payments are due only while paying": (np.asarray(state["to_pay"]) > 0) == (running & (phase == Phase.PAY)),
        "a card is offered only in an exchange": (np.asarray(state["given"]) >= 0) == (running & (phase == Phase.EXCHANGE)),
        "hands are discarded at the end": running | (hand_size == 0).all(1),
    }


def deck_counts(state: NDArray) -> NDArray[np.intp]:
    """Cards of each kind in the deck of each table."""
    deck = np.asarray(state["deck"]).astype(int)
    inside = np.arange(deck.shape[1]) < np.asarray(state["deck_size"])[:, None]
    table = np.broadcast_to(np.arange(len(deck))[:, None], deck.shape)
    flat = np.bincount((table * NUM_KINDS + deck)[inside], minlength=len(deck) * NUM_KINDS)
    return flat.reshape(len(deck), NUM_KINDS)
