"""A quick opinion on who is ahead in Six Sons of the Sultan."""

from __future__ import annotations

import numpy as np

from arabian_envs.engine.jit import rule
from arabian_envs.engine.state import RUNNING
from arabian_envs.games.six_sons.components import NUM_TEAS, Tea
from arabian_envs.games.six_sons.rules import card_score, discount, ordered_tea
from arabian_envs.games.six_sons.state import LASTING, Phase

# In prestige points, found by playing variants against each other.
_LIRA = 0.75  # a lira that can still be spent
_SPEND_PER_TURN = 5.0  # lira a turn can turn into prestige
_SPECIAL = np.array([2.5, 2.0, 1.5, 3.0])  # Herbal, Jasmine, White, Oolong
_BLACK = 4.0
_SWAP_SHARE = 0.9
_POINTS_FOR_CERTAINTY = 15.0

_P_ASSIGN, _P_ORDER, _P_JASMINE = int(Phase.ASSIGN), int(Phase.ORDER), int(Phase.JASMINE)
_P_SECOND_ORDER = int(Phase.SECOND_ORDER)
_T_GREEN, _T_OOLONG = int(Tea.GREEN), int(Tea.OOLONG)


@rule
def evaluate(state, box, player):
    """A guess at the outcome, -1 … 1; solo, at the scaled score."""
    own = strength(state, box, player)
    if state.num_players == 1:
        return min(1.0, max(-1.0, own / 100))
    return np.tanh((own - strength(state, box, 1 - player)) / _POINTS_FOR_CERTAINTY)


@rule
def strength(state, box, seat):
    """Prestige, and what wealth, specials and the current turn promise."""
    value = 0.0
    best = 0
    for tea in range(NUM_TEAS):
        card = card_score(state, box, seat, tea)
        value += card
        best = max(best, card)
    if state.num_players == 1 and state.dummy_first_on_black:
        value -= best
    if state.status != RUNNING:
        return value + 0.01 * state.wealth[seat]
    turns = turns_to_come(state, seat)
    wealth = state.wealth[seat] + 0.0
    if state.player == seat:
        value += turn_promise(state, box, seat)
        wealth += wealth_to_come(state)
    wealth = min(wealth, box.largest_wealth)
    value += _LIRA * min(wealth, _SPEND_PER_TURN * turns) + 0.01 * wealth
    if turns > 0:
        for tea in range(LASTING):
            value += _SPECIAL[tea] * state.earned[seat, tea]
    return value + _BLACK * state.black[seat]


@rule
def turns_to_come(state, seat):
    """Whole turns a seat will still have after the present one."""
    turns = state.time - 1
    if state.num_players == 2 and seat != state.first_player and state.player == state.first_player:
        turns += 1
    return max(0, turns)


@rule
def wealth_to_come(state):
    """What the Wealth Die will bring in this turn."""
    if state.phase == _P_ORDER or state.phase == _P_JASMINE:
        return state.wealth_die * (2 if state.active[_T_OOLONG] else 1)
    if state.phase == _P_ASSIGN:
        return state.dice[1] + 0
    return 0


@rule
def turn_promise(state, box, seat):
    """What the order or the swap at hand is worth."""
    if state.phase == _P_ORDER or state.phase == _P_SECOND_ORDER:
        return order_promise(state, box, seat, ordered_tea(state), discount(state))
    if state.phase == _P_ASSIGN:
        best = 0.0
        for die in range(3):
            best = max(best, order_promise(state, box, seat, state.dice[die] - 1, state.active[0]))
        return best
    return _SWAP_SHARE * best_swap(state, box, seat) if state.swaps > 0 else 0.0


@rule
def order_promise(state, box, seat, tea, less):
    """The best that advancing on a card can bring, net of the lira it costs."""
    wealth = state.wealth[seat]
    best = 0.0
    if wealth == 0:
        return best
    lira = _LIRA if turns_to_come(state, seat) > 0 else 0.0
    paid = 0
    gained = 0.0
    for space in range(state.position[seat, tea] + 1, box.length[tea] + 1):
        paid += max(0, box.cost[tea, space] - less)
        if paid > wealth:
            break
        gained += box.prestige[tea, space]
        special = special_worth(state, box, seat, tea) if box.special[tea, space] and space > state.reached[tea] else 0.0
        best = max(best, gained + special - lira * paid)
    return best


@rule
def special_worth(state, box, seat, tea):
    """What earning a card's Special Action is worth now."""
    if tea < LASTING:
        return _SPECIAL[tea] if turns_to_come(state, seat) > 0 else 0.0
    return _SWAP_SHARE * best_swap(state, box, seat) if tea == _T_GREEN else _BLACK


@rule
def best_swap(state, box, seat):
    """The largest change in the difference of prestige that a swap can make; solo, in the own prestige."""
    best = 0.0
    for tea in range(NUM_TEAS):
        own, other = state.position[seat, tea], state.position[1 - seat, tea]
        if own > 0 and other > own:
            best = max(best, float(box.total[tea, other] - box.total[tea, own]) * state.num_players)
    return best
