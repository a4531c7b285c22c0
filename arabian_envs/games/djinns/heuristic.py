"""A quick opinion on who is ahead in Djinns of the High Desert."""

from __future__ import annotations

import numpy as np

from arabian_envs.engine.jit import rule
from arabian_envs.engine.state import RUNNING
from arabian_envs.games.djinns.components import NUM_CLANS, NUM_KINDS, NUM_RANKS, RIVAL_CLANS, Clan
from arabian_envs.games.djinns.rules import (
    can_discard,
    can_reach,
    clan_points,
    is_immune,
    others_in_palace,
    palace_points,
)
from arabian_envs.games.djinns.state import NONE, Phase, Wish

# In points, found by playing variants against each other.
_HELD = 0.8  # share of a fitting hand card's value, if there is a turn to play it
_ACTION = np.array([0.4, 1.5, 1.0, 1.2, 1.0])  # what a held card's action promises, by rank
_SPARE = 1.0  # any other hand card
_DRAWN = 1.2  # a turn for which no fitting card is at hand yet
_OTHERS_TURN = 2.2  # a turn of a player whose hand cannot be seen
_LOOT = 2.0  # a random card from another hand
_FIND = 2.0  # the best card of a look into the deck
_EXTRA_CARD = 0.6  # share of a card's value for placing it at once
_LEADER = 0.7  # weight of the strongest other player against all others
_SURE_AT_THE_END, _DOUBT_PER_TURN = 5.0, 1.2  # points ahead that are worth tanh(1)

_P_TURN, _P_PAY, _P_KEEP, _P_RETRIEVE = int(Phase.TURN), int(Phase.PAY), int(Phase.KEEP), int(Phase.RETRIEVE)
_P_REMOVE, _P_GIVE, _P_EXCHANGE, _P_ROB = int(Phase.REMOVE), int(Phase.GIVE), int(Phase.EXCHANGE), int(Phase.ROB)
_P_DISCARD, _P_PLACE = int(Phase.DISCARD), int(Phase.PLACE)
_W_LOOK, _W_RETRIEVE = int(Wish.LOOK), int(Wish.RETRIEVE)
_C_JANN = int(Clan.JANN)


@rule
def evaluate(state, box, player):
    """A guess at the outcome, -1 … 1."""
    own = own_strength(state, box, player)
    if state.player == player and state.status == RUNNING:
        own += promise(state, box, player)
    best = -np.inf
    total = 0.0
    for seat in range(state.num_players):
        if seat != player:
            strength = palace_points(state, box, seat) + _OTHERS_TURN * turns_to_come(state, box, seat)
            strength += _SPARE * state.hand_size[seat]
            best = max(best, strength)
            total += strength
    others = _LEADER * best + (1.0 - _LEADER) * total / (state.num_players - 1)
    return np.tanh((own - others) / (_SURE_AT_THE_END + _DOUBT_PER_TURN * turns_to_come(state, box, player)))


@rule
def turns_to_come(state, box, seat):
    """About how many more turns a seat will have, not counting one whose choice is already made."""
    if state.status != RUNNING:
        return 0
    if state.turns_left > 0:
        distance = (seat - state.player + state.num_players) % state.num_players
        return 1 if distance < state.turns_left and (distance > 0 or state.phase == _P_TURN) else 0
    fullest = 0
    for other in range(state.num_players):
        fullest = max(fullest, state.palace_size[other])
    return max(0, box.closing_palace - fullest) + 1


@rule
def own_strength(state, box, player):
    """Points with the clan that palace and hand together speak for, and what the hand will add."""
    turns = turns_to_come(state, box, player)
    total = 0
    for clan in range(RIVAL_CLANS):
        total += clan_points(state, box, player, clan)
    best = -np.inf
    for clan in range(RIVAL_CLANS):
        best = max(best, 2 * clan_points(state, box, player, clan) + hand_promise(state, box, player, clan, turns))
    return best - total + clan_points(state, box, player, _C_JANN)


@rule
def fits(kind, clan):
    """Whether a card scores for a clan."""
    return kind // NUM_RANKS == clan or kind // NUM_RANKS == _C_JANN


@rule
def hand_promise(state, box, player, clan, turns):
    """What the hand will add to a palace of this clan: the best fitting cards, one a turn; the others are spare."""
    value = 0.0
    unplayed = turns
    for place in range(NUM_KINDS):
        kind = box.by_value[place]
        held = state.hand[player, kind]
        if held == 0 or not fits(kind, clan):
            continue
        played = min(held, unplayed)
        value += played * (_HELD * box.value[kind] + _ACTION[kind % NUM_RANKS])
        unplayed -= played
    if turns == 0:
        return value
    spare = state.hand_size[player] - state.to_pay - (turns - unplayed)
    return value + _DRAWN * unplayed + (_SPARE * spare if spare >= 0 else _DRAWN * spare)


@rule
def best_clan(state, box, player):
    """The clan with the most points in a palace."""
    best = 0
    for clan in range(1, RIVAL_CLANS):
        if clan_points(state, box, player, clan) > clan_points(state, box, player, best):
            best = clan
    return best


@rule
def promise(state, box, player):
    """What the decision at hand can bring at best."""
    if state.phase == _P_PAY:
        return wish_promise(state, box, player, state.wish)
    if state.phase == _P_KEEP:
        return _FIND
    if state.phase == _P_RETRIEVE:
        return wish_promise(state, box, player, _W_RETRIEVE)
    if state.phase == _P_REMOVE:
        return best_loss(state, box, player, False)
    if state.phase == _P_GIVE:
        return best_exchange(state, box, player)
    if state.phase == _P_EXCHANGE:
        return best_trade(state, box, player, state.given)
    if state.phase == _P_ROB:
        return _LOOT
    if state.phase == _P_DISCARD:
        return best_loss(state, box, player, True)
    if state.phase == _P_PLACE:
        return _EXTRA_CARD * best_fitting(state.hand[player], box, best_clan(state, box, player))
    return 0.0


@rule
def wish_promise(state, box, player, wish):
    """What a wish will bring."""
    if wish == _W_LOOK:
        return _FIND
    if wish == _W_RETRIEVE:
        return _HELD * best_fitting(state.discards, box, best_clan(state, box, player))
    return best_loss(state, box, player, False)


@rule
def best_fitting(pile, box, clan):
    """The value of the best card of a pile for a clan."""
    for place in range(NUM_KINDS):
        kind = box.by_value[place]
        if pile[kind] > 0 and fits(kind, clan):
            return box.value[kind] + 0.0
    return 0.0


@rule
def points_after(state, box, seat, lost, gained):
    """The points of a palace after it loses a card and gains one; either may be none."""
    best = 0
    total = 0
    jann = 0
    for clan in range(NUM_CLANS):
        points = clan_points(state, box, seat, clan)
        if lost != NONE and lost // NUM_RANKS == clan:
            points -= box.value[lost]
        if gained != NONE and gained // NUM_RANKS == clan:
            points += box.value[gained]
        if clan == _C_JANN:
            jann = points
        else:
            best = max(best, points)
            total += points
    return 2 * best - total + jann


@rule
def change(state, box, player, seat, lost, gained):
    """What it is worth to a player that a palace loses and gains a card."""
    difference = float(points_after(state, box, seat, lost, gained) - palace_points(state, box, seat))
    return difference if seat == player else -difference / (state.num_players - 1)


@rule
def best_loss(state, box, player, by_vizier):
    """The most that discarding or removing a palace card can bring."""
    best = 0.0
    for seat in range(state.num_players):
        for kind in range(NUM_KINDS):
            if state.palace[seat, kind] == 0:
                continue
            if can_discard(state, box, seat, kind) if by_vizier else can_reach(state, box, seat):
                best = max(best, change(state, box, player, seat, kind, NONE))
    return best


@rule
def best_exchange(state, box, player):
    """The most that a Merchant can bring."""
    best = 0.0
    for kind in range(NUM_KINDS):
        if others_in_palace(state, player, kind) > 0:
            best = max(best, best_trade(state, box, player, kind))
    return best


@rule
def best_trade(state, box, player, given):
    """The most that passing on this card can bring."""
    best = -np.inf
    for seat in range(state.num_players):
        if seat == player or is_immune(state, box, seat):
            continue
        for kind in range(NUM_KINDS):
            if state.palace[seat, kind] > 0 and box.value[kind] <= box.value[given]:
                own = change(state, box, player, player, given, kind)
                best = max(best, own + change(state, box, player, seat, kind, given))
    return best
