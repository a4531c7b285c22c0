"""The rules of Six Sons of the Sultan.

In brief
- Ten rounds; in each, both players take a turn with three dice: two rolled and the one the opponent passed.
- One die is the Order Die (advance on that Tea Card, paying for each space), one the Wealth Die (gain its number), and
  one is passed.
- The first token to land on a marked space earns the card's Special Action; landing on or passing a marked space closes it.
- Prestige of all spaces reached is added up; wealth breaks ties.

Our rulings, of which the README has the full list: the first player is random and opens every round; wealth 0 blocks an
order even under Herbal Tea, but reaching 0 within an order does not stop free spaces; Herbal Tea does not discount the
second order; a swap takes no space and earns nothing; two Green actions in one turn are two swaps; naming a card with Black
Tea may be declined; dice are kept in rising order, and assignments that differ only by equal dice are one action.
"""

from __future__ import annotations

import numpy as np

from arabian_envs.engine.jit import rule
from arabian_envs.engine.rng import roll_die
from arabian_envs.engine.spec import ActionSpec, Group
from arabian_envs.engine.state import TERMINATED
from arabian_envs.games.six_sons.components import MAX_SPACES, NUM_TEAS, TEA_NAMES, Tea
from arabian_envs.games.six_sons.state import DUMMY, LASTING, Phase

ASSIGNMENTS = np.array([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
"""Which of the rising dice becomes (order, wealth, passing)."""

_DICE = ("low", "middle", "high")
_DECLINE = NUM_TEAS

ACTIONS = ActionSpec(
    Group(
        "reroll",
        (8,),
        "White Tea: roll these of the three dice again",
        (("none", "low", "middle", "low+middle", "high", "low+high", "middle+high", "all"),),
    ),
    Group(
        "assign",
        (6,),
        "the dice for order, wealth and passing, of the three in rising order",
        (tuple("/".join(_DICE[die] for die in dice) for dice in ASSIGNMENTS),),
    ),
    Group("advance", (MAX_SPACES + 1,), "spaces to advance on the card of the die in use"),
    Group("jasmine", (2,), "Jasmine Tea: use the Wealth Die as a second Order Die", (("no", "yes"),)),
    Group("swap", (NUM_TEAS + 1,), "Green Tea: swap both tokens of a card", ((*TEA_NAMES, "none"),)),
    Group("black", (NUM_TEAS + 1,), "Black Tea: the card that only the leader scores", ((*TEA_NAMES, "none"),)),
)

_REROLL, _ASSIGN, _ADVANCE = ACTIONS.offsets["reroll"], ACTIONS.offsets["assign"], ACTIONS.offsets["advance"]
_JASMINE, _SWAP, _BLACK = ACTIONS.offsets["jasmine"], ACTIONS.offsets["swap"], ACTIONS.offsets["black"]

# Enum members as plain numbers, which compile fastest.
_P_REROLL, _P_ASSIGN, _P_ORDER, _P_JASMINE = int(Phase.REROLL), int(Phase.ASSIGN), int(Phase.ORDER), int(Phase.JASMINE)
_P_SECOND_ORDER, _P_SWAP, _P_BLACK = int(Phase.SECOND_ORDER), int(Phase.SWAP), int(Phase.BLACK)
_T_HERBAL, _T_JASMINE, _T_WHITE, _T_OOLONG = int(Tea.HERBAL), int(Tea.JASMINE), int(Tea.WHITE), int(Tea.OOLONG)
_T_GREEN, _T_BLACK = int(Tea.GREEN), int(Tea.BLACK)


# -- Setup -----------------------------------------------------------------------------------------------------------


@rule
def setup(state, box):
    """Tokens in the glasses, starting capital, the Time Card on its first number, a random start player."""
    state.time = box.rounds
    state.wealth[0] = box.starting_wealth
    state.wealth[1] = box.starting_wealth
    state.first_player = 0
    if state.num_players == 2 and roll_die(state) > 3:
        state.first_player = 1
    begin_turn(state, state.first_player)


# -- Phase 1: the dice roll --------------------------------------------------------------------------------------------


@rule
def begin_turn(state, player):
    """Roll: two dice beside the passed one; all three in the very first turn and always in solo play."""
    state.player = player
    for tea in range(LASTING):
        state.active[tea] = state.earned[player, tea]
        state.earned[player, tea] = 0
    passed = state.passing_die if state.num_players == 2 else 0
    state.dice[0] = passed if passed > 0 else roll_die(state)
    state.dice[1] = roll_die(state)
    state.dice[2] = roll_die(state)
    sort_dice(state)
    state.order_die = 0
    state.wealth_die = 0
    state.phase = _P_REROLL if state.active[_T_WHITE] else _P_ASSIGN


@rule
def sort_dice(state):
    """Dice lie in rising order: only their numbers matter."""
    dice = state.dice
    for low, high in ((0, 1), (1, 2), (0, 1)):
        if dice[low] > dice[high]:
            swapped = dice[low]
            dice[low] = dice[high]
            dice[high] = swapped


@rule
def reroll(state, subset):
    """White Tea: roll any of the dice again, the passed one included, once."""
    for die in range(3):
        if (subset >> die) & 1:
            state.dice[die] = roll_die(state)
    sort_dice(state)
    state.phase = _P_ASSIGN


@rule
def assign(state, choice):
    """Name the Order Die, the Wealth Die and the Passing Die."""
    state.order_die = state.dice[ASSIGNMENTS[choice, 0]]
    state.wealth_die = state.dice[ASSIGNMENTS[choice, 1]]
    state.passing_die = state.dice[ASSIGNMENTS[choice, 2]]
    state.phase = _P_ORDER


# -- Phase 2: the tea order --------------------------------------------------------------------------------------------


@rule
def discount(state):
    """Herbal Tea: one lira less for each space on the Order Die's card."""
    return 1 if state.phase == _P_ORDER and state.active[_T_HERBAL] else 0


@rule
def ordered_tea(state):
    """The card of the die that orders now."""
    return (state.wealth_die if state.phase == _P_SECOND_ORDER else state.order_die) - 1


@rule
def affordable_spaces(state, box):
    """How many spaces the acting player can pay for on the card of the die in use."""
    wealth = state.wealth[state.player]
    if wealth == 0:
        return 0
    tea = ordered_tea(state)
    start = state.position[state.player, tea]
    spaces = 0
    paid = 0
    while start + spaces < box.length[tea]:
        paid += max(0, box.cost[tea, start + spaces + 1] - discount(state))
        if paid > wealth:
            break
        spaces += 1
    return spaces


@rule
def advance(state, box, spaces):
    """Move the token up and pay each space; landing first on a marked space earns the card's Special Action."""
    player, tea = state.player, ordered_tea(state)
    for _ in range(spaces):
        state.position[player, tea] += 1
        state.wealth[player] -= max(0, box.cost[tea, state.position[player, tea]] - discount(state))
    space = state.position[player, tea]
    if spaces > 0 and box.special[tea, space] and space > state.reached[tea]:
        earn(state, player, tea)
    state.reached[tea] = max(state.reached[tea], space)
    if state.phase == _P_ORDER and state.active[_T_JASMINE]:
        state.phase = _P_JASMINE
    elif state.phase == _P_ORDER:
        gain_wealth(state, box)
    else:
        end_of_turn(state, box)


@rule
def earn(state, player, tea):
    """Specials 1–4 wait for the owner's next turn, Green for the end of this one, Black for the end of the game."""
    if tea < LASTING:
        state.earned[player, tea] = 1
    elif tea == _T_GREEN:
        state.swaps += 1
    else:
        state.black[player] += 1


@rule
def use_jasmine(state, box, yes):
    """Jasmine Tea: the Wealth Die becomes a second Order Die, and brings no wealth."""
    if yes:
        state.phase = _P_SECOND_ORDER
    else:
        gain_wealth(state, box)


# -- Phase 3: wealth gained --------------------------------------------------------------------------------------------


@rule
def gain_wealth(state, box):
    """Gain the Wealth Die, doubled by Oolong Tea; what the track cannot show is lost."""
    gain = state.wealth_die * 2 if state.active[_T_OOLONG] else state.wealth_die
    state.wealth[state.player] = min(box.largest_wealth, state.wealth[state.player] + gain)
    end_of_turn(state, box)


@rule
def can_swap(state, tea):
    """Both tokens must be on the card's track, out of the glass."""
    return state.position[0, tea] > 0 and state.position[1, tea] > 0


@rule
def swap(state, box, tea):
    """Green Tea: exchange the two tokens of one card. It takes no space and earns nothing."""
    state.swaps -= 1
    if tea != _DECLINE:
        held = state.position[0, tea]
        state.position[0, tea] = state.position[1, tea]
        state.position[1, tea] = held
    end_of_turn(state, box)


# -- Turns, rounds, the end --------------------------------------------------------------------------------------------


@rule
def end_of_turn(state, box):
    """Decide swaps, then pass to the other player, the next round or the end of the game."""
    if state.swaps > 0:
        state.phase = _P_SWAP
        return
    if state.num_players == 1:
        move_dummy(state, box)
    elif state.player == state.first_player:
        begin_turn(state, 1 - state.player)
        return
    state.time -= 1
    if state.time > 0:
        begin_turn(state, state.first_player)
    else:
        end_of_game(state)


@rule
def move_dummy(state, box):
    """Solo: the Passing Die is the dummy's order, one more die says how far; Black moves on in even rounds."""
    advance_dummy(state, box, state.passing_die - 1, box.dummy_spaces[roll_die(state)])
    if state.time % 2 == 0:
        advance_dummy(state, box, _T_BLACK, box.dummy_black_spaces)


@rule
def advance_dummy(state, box, tea, spaces):
    """The dummy closes the marked spaces it passes or lands on."""
    space = min(box.length[tea], state.position[DUMMY, tea] + spaces)
    state.position[DUMMY, tea] = space
    if tea == _T_BLACK and space == box.length[tea] and space > state.reached[tea]:
        state.dummy_first_on_black = 1
    state.reached[tea] = max(state.reached[tea], space)


@rule
def end_of_game(state):
    """After the last round, owners of Black Tea name their card, the start player first."""
    # The specials of the last turn are over, and who names a card need not be who had them.
    for tea in range(LASTING):
        state.active[tea] = 0
    for turn in range(state.num_players):
        seat = (state.first_player + turn) % 2
        if state.black[seat] > 0:
            state.player = seat
            state.phase = _P_BLACK
            return
    state.status = TERMINATED


@rule
def name_card(state, tea):
    """Black Tea: only the player further along this card scores it."""
    state.black[state.player] -= 1
    if tea != _DECLINE:
        state.named[tea] = 1
    end_of_game(state)


# -- The verbs ---------------------------------------------------------------------------------------------------------


@rule
def legal_actions(state, box, mask):
    """What the acting player may decide now."""
    if state.phase == _P_REROLL:
        mask.reroll[:] = 1
    elif state.phase == _P_ASSIGN:
        legal_assignments(state, mask)
    elif state.phase == _P_ORDER or state.phase == _P_SECOND_ORDER:
        mask.advance[: affordable_spaces(state, box) + 1] = 1
    elif state.phase == _P_JASMINE:
        mask.jasmine[:] = 1
    elif state.phase == _P_SWAP:
        for tea in range(NUM_TEAS):
            mask.swap[tea] = can_swap(state, tea)
        mask.swap[_DECLINE] = 1
    else:
        for tea in range(NUM_TEAS):
            mask.black[tea] = state.named[tea] == 0
        mask.black[_DECLINE] = 1


@rule
def legal_assignments(state, mask):
    """Of assignments that differ only by equal dice, the first stands for all."""
    for choice in range(6):
        mask.assign[choice] = 1
        for earlier in range(choice):
            if same_assignment(state.dice, choice, earlier):
                mask.assign[choice] = 0


@rule
def same_assignment(dice, one, other):
    """Whether two assignments give the same number to each use."""
    for use in range(3):
        if dice[ASSIGNMENTS[one, use]] != dice[ASSIGNMENTS[other, use]]:
            return False
    return True


@rule
def apply(state, box, action):
    """Carry out one decision."""
    if state.phase == _P_REROLL:
        reroll(state, action - _REROLL)
    elif state.phase == _P_ASSIGN:
        assign(state, action - _ASSIGN)
    elif state.phase == _P_ORDER or state.phase == _P_SECOND_ORDER:
        advance(state, box, action - _ADVANCE)
    elif state.phase == _P_JASMINE:
        use_jasmine(state, box, action - _JASMINE)
    elif state.phase == _P_SWAP:
        swap(state, box, action - _SWAP)
    else:
        name_card(state, action - _BLACK)


@rule
def card_score(state, box, seat, tea):
    """Prestige of all spaces up to the token, unless the card was named and the other token stands further."""
    if state.named[tea] and state.position[1 - seat, tea] > state.position[seat, tea]:
        return 0
    return box.total[tea, state.position[seat, tea]]


@rule
def scores(state, box, points, tiebreaks):
    """Prestige, with wealth to break ties; solo, the best card is lost if the dummy was first at the end of Black."""
    for seat in range(state.num_players):
        best = 0
        for tea in range(NUM_TEAS):
            card = card_score(state, box, seat, tea)
            points[seat] += card
            best = max(best, card)
        if state.num_players == 1 and state.dummy_first_on_black:
            points[seat] -= best
        tiebreaks[seat] = state.wealth[seat]


@rule
def determinize(state, box, player):
    """Nothing is hidden but the dice to come, and the caller has replaced the generator."""
