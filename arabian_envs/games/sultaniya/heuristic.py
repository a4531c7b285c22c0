"""A quick opinion on who is ahead in Sultaniya."""

from __future__ import annotations

import numpy as np

from arabian_envs.engine.jit import rule
from arabian_envs.engine.state import RUNNING
from arabian_envs.games.sultaniya.components import (
    FIRST_SLOT,
    FIRST_TILE,
    FLOOR_OF,
    MOST_TILES,
    NUM_FLOORS,
    NUM_SLOTS,
    OBJECTIVES_EACH,
    WIDTH,
    Djinn,
    Kind,
    Symbol,
)
from arabian_envs.games.sultaniya.palace import BELOW, can_lift, is_open, matching_faces, open_slots, outline, tiles_of
from arabian_envs.games.sultaniya.rules import (
    can_reveal,
    count,
    floor_of_tile,
    guard_points,
    objective_points,
    palace_points,
)
from arabian_envs.games.sultaniya.state import NOBODY, NOTHING, Phase

# In points, found by playing variants against each other.
_TILE = np.array([0.5, 0.8, 1.2, 2.5])  # a built tile brings the fifth roof nearer
_SCARCE = np.array([1.0, 5.0, 8.0, 8.0])  # an empty place that no tile fits any more
_EDGE_SHARE = 0.15  # of that, for places at the sides, which a palace can do without
_UPRIGHT = 1.7  # an upright of the own kind that waits for its lintel or point
_GUARD_RANK, _GUARD_EACH = 0.6, 0.5
_SAPPHIRE, _SAPPHIRES_USEFUL, _SAPPHIRE_BEYOND = 0.5, 6, 0.1
_ANOTHER_REVEAL = 0.3
_FRESH_DISPLAY = 0.5
_RETURNED = -0.5
_POINTS_FOR_CERTAINTY = 20.0

_P_BUILD, _P_PLACE, _P_SEARCH_PILE, _P_SEARCH = int(Phase.BUILD), int(Phase.PLACE), int(Phase.SEARCH_PILE), int(Phase.SEARCH)
_P_REFRESH_PILE, _P_LIFT, _P_MOVE = int(Phase.REFRESH_PILE), int(Phase.LIFT), int(Phase.MOVE)
_D_BUILD_TWICE = int(Djinn.BUILD_TWICE)
_GATE, _GUARD, _SAPPHIRE_SYMBOL = int(Kind.GATE), int(Symbol.GUARD), int(Symbol.SAPPHIRE)


@rule
def evaluate(state, box, player):
    """A guess at the outcome, -1 … 1; solo, at the scaled score."""
    left = (tiles_left(state, 0), tiles_left(state, 1), tiles_left(state, 2), tiles_left(state, 3))
    own = strength(state, box, player, left)
    if state.num_players == 1:
        return min(1.0, max(-1.0, own / 100))
    best_other = -np.inf
    for other in range(state.num_players):
        if other != player:
            best_other = max(best_other, strength(state, box, other, left))
    return np.tanh((own - best_other) / _POINTS_FOR_CERTAINTY)


@rule
def tiles_left(state, pile):
    """The tiles still to be had from a pile or its display: bit k for tile k of the floor."""
    tiles = 0
    for depth in range(state.pile_size[pile]):
        tiles |= 1 << int(state.pile[pile, depth] - FIRST_TILE[pile])
    for k in range(state.displayed[pile]):
        tiles |= 1 << int(state.display[pile, k] - FIRST_TILE[pile])
    return tiles


@rule
def strength(state, box, seat, left):
    """Points so far, and what the palace, sapphires and the current turn promise."""
    value = palace_value(state, box, seat, left)
    value += _GUARD_RANK * guard_points(state, box, seat)
    value += sapphire_worth(state.sapphires[seat] + 0)
    if state.status == RUNNING and state.player == seat:
        value += turn_promise(state, box, seat, left)
    return value


@rule
def sapphire_worth(sapphires):
    """Sapphires call Djinns; a heap of them calls no more."""
    return _SAPPHIRE * min(sapphires, _SAPPHIRES_USEFUL) + _SAPPHIRE_BEYOND * max(0, sapphires - _SAPPHIRES_USEFUL)


@rule
def palace_value(state, box, seat, left):
    """Points of the palace and the objectives, and what can still become of it."""
    value = 0.0 + palace_points(state, box, seat)
    for held in range(OBJECTIVES_EACH):
        value += objective_points(state, box, seat, state.objectives[OBJECTIVES_EACH * seat + held])
    if state.num_players > 1:
        value += _GUARD_EACH * count(state, box, seat, _GUARD)
    palace = state.palace[seat]
    for slot in range(NUM_SLOTS):
        floor = FLOOR_OF[slot]
        if palace[slot] != 0:
            value += _TILE[floor]
        elif state.ender == NOBODY:
            value += prospect(state, box, seat, slot, floor, left)
    return value


@rule
def prospect(state, box, seat, slot, floor, left):
    """What an empty place promises: the fewer tiles still fit it, the worse; waiting uprights of the own kind are good."""
    palace = state.palace[seat]
    fitting = tiles_of(matching_faces(palace, box, slot)) & left[floor]
    number = 0
    while fitting:
        fitting &= fitting - 1
        number += 1
    at_side = slot == FIRST_SLOT[floor] or slot == FIRST_SLOT[floor] + WIDTH[floor] - 1
    value = -_SCARCE[floor] / (1 + number)
    if at_side and floor != 3:
        value *= _EDGE_SHARE
    kind = box.score_6[state.character[seat]]
    if number > 0 and floor == (1 if kind == _GATE else 2):
        for half in range(2):
            below = BELOW[slot, half]
            if below >= 0 and palace[below] != 0 and box.top[palace[below], 1 - half] == kind:
                value += _UPRIGHT
    return value


@rule
def turn_promise(state, box, seat, left):
    """What the decisions left in this turn will bring."""
    phase = state.phase
    if phase == _P_BUILD:
        return build_promise(state, box, seat, left) + reveal_promise(state, box)
    if phase == _P_PLACE:
        promise = hand_promise(state, box, seat, left)
        if state.builds == 2:
            promise += build_promise(state, box, seat, left)
        return promise
    if phase == _P_SEARCH_PILE:
        best = 0.0
        for pile in range(NUM_FLOORS):
            best = max(best, pile_promise(state, box, seat, pile, left))
        return best
    if phase == _P_SEARCH:
        return pile_promise(state, box, seat, state.searched, left)
    if phase == _P_REFRESH_PILE:
        return build_promise(state, box, seat, left) + _FRESH_DISPLAY
    if phase == _P_LIFT:
        return build_promise(state, box, seat, left) + lift_promise(state, box, seat, left)
    if phase == _P_MOVE:
        moved = hand_promise(state, box, seat, left)
        return max(_RETURNED, moved) + build_promise(state, box, seat, left)
    return 0.0


@rule
def lift_promise(state, box, seat, left):
    """What the palace gains when a tile that spoils its neighbours goes back under its pile."""
    palace = state.palace[seat]
    cells = outline(palace)
    before = palace_value(state, box, seat, left)
    best = 0.0
    for slot in range(NUM_SLOTS):
        if can_lift(palace, cells, slot):
            face = palace[slot]
            palace[slot] = 0
            best = max(best, palace_value(state, box, seat, left) - before + _RETURNED)
            palace[slot] = face
    return best


@rule
def reveal_promise(state, box):
    """Another tile to choose from is worth a little."""
    for pile in range(NUM_FLOORS):
        if can_reveal(state, box, pile):
            return _ANOTHER_REVEAL
    return 0.0


@rule
def build_promise(state, box, seat, left):
    """The best displayed tile, or the best two; passing if that is better."""
    slots, before = open_slots(state.palace[seat]), palace_value(state, box, seat, left)
    first, second = 0.0, 0.0
    for pile in range(NUM_FLOORS):
        for k in range(state.displayed[pile]):
            promise = tile_promise(state, box, seat, int(state.display[pile, k]), left, slots, before)
            if promise > first:
                second = first
                first = promise
            elif promise > second:
                second = promise
    if state.djinn == _D_BUILD_TWICE and state.phase == _P_BUILD and state.builds == 2:
        return first + second
    if state.djinn == NOTHING:
        owned = state.sapphires[seat] + 0
        return max(first, sapphire_worth(owned + box.pass_sapphires) - sapphire_worth(owned))
    return first


@rule
def pile_promise(state, box, seat, pile, left):
    """The best tile of a pile."""
    slots, before = open_slots(state.palace[seat]), palace_value(state, box, seat, left)
    best = 0.0
    for depth in range(state.pile_size[pile]):
        best = max(best, tile_promise(state, box, seat, int(state.pile[pile, depth]), left, slots, before))
    return best


@rule
def hand_promise(state, box, seat, left):
    """What the tile in hand adds to the palace."""
    slots, before = open_slots(state.palace[seat]), palace_value(state, box, seat, left)
    return tile_promise(state, box, seat, int(state.hand), left, slots, before)


@rule
def tile_promise(state, box, seat, tile, left, slots, before):
    """What a tile adds to a palace worth so much `before`, in the best of its open slots; 0 if it fits nowhere."""
    palace = state.palace[seat]
    floor = floor_of_tile(tile)
    number = tile - FIRST_TILE[floor]
    best = 0.0
    for slot in range(FIRST_SLOT[floor], FIRST_SLOT[floor] + WIDTH[floor]):
        if slot == state.lifted or not is_open(slots, slot):
            continue
        faces = matching_faces(palace, box, slot)
        for mirrored in range(2):
            if faces >> (number + MOST_TILES * mirrored) & 1:
                palace[slot] = 1 + 2 * tile + mirrored
                best = max(best, palace_value(state, box, seat, left) - before)
        palace[slot] = 0
    if best > 0 and state.djinn == NOTHING:
        owned = state.sapphires[seat] + 0
        gained = box.totals[1 + 2 * tile, _SAPPHIRE_SYMBOL]
        best += sapphire_worth(owned + gained) - sapphire_worth(owned)
    return best
