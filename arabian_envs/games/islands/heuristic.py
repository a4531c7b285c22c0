"""A quick opinion on who is ahead in 1001 Islands.

Every seat is worth the points it can expect: what it can see now, what an average tile will add in each place still empty,
and what its own and future dreams make of that. The tiles on the table are dealt out first: whoever has not chosen yet takes
the one worth most to it.
"""

from __future__ import annotations

import numpy as np

from arabian_envs.engine.jit import rule
from arabian_envs.engine.state import RUNNING
from arabian_envs.games.islands.components import (
    COLUMNS,
    DREAM_PICTURE,
    NUM_DREAMS,
    NUM_PICTURES,
    ROWS,
    TILES,
    WISHES,
    Dream,
    Picture,
    Stack,
)
from arabian_envs.games.islands.rules import (
    add_island_tile,
    can_place,
    count_flipped,
    different_gems,
    gems_in_column,
    gems_in_line,
    points_for,
    tile_on_table,
    tiles_not_seen,
)
from arabian_envs.games.islands.state import EMPTY, FACE_DOWN_SLOT, SLOTS, Phase

# Found by playing variants against each other.
_WANTED = 1.0  # how often a picture comes that does good, as a multiple of the average
_UNWANTED = 0.5  # and one that does harm, which can be avoided
_COMBO_HOPE = 0.9  # what a pair still to be completed is worth
_GEM_CHANCE = 0.8  # that a tile to come brings a gem, when gems are looked for
_BEST_DREAM = 0.4  # how far a dream to come is the best of those left, not an average one
_BANDIT_SPREAD = 0.35  # uncertainty about Bandits, for each tile to come
_LEADER = 0.5  # how far the strongest other player matters more than an average one
_POINTS_FOR_CERTAINTY = 15.0
_GUESSES = 3  # unseen tiles to judge the face-down one by

_P_STACK, _P_HIDE, _P_COLUMN = int(Phase.STACK), int(Phase.HIDE), int(Phase.COLUMN)
_S_DREAM = int(Stack.DREAM)
_PALM, _BANDIT, _ROC, _EGG = int(Picture.PALM), int(Picture.BANDIT), int(Picture.ROC), int(Picture.EGG)
_SNAKE, _LAMP = int(Picture.SNAKE), int(Picture.LAMP)
_D_GEM_COLUMNS, _D_LAMP, _D_SNAKE = int(Dream.GEM_COLUMNS), int(Dream.LAMP), int(Dream.SNAKE)
_D_GEM_LINES, _D_FLIPPED = int(Dream.GEM_LINES), int(Dream.FLIPPED)
_NUM_PICTURE_DREAMS = len(DREAM_PICTURE)


@rule
def evaluate(state, box, player):
    """A guess at the outcome, -1 … 1."""
    pending = state.status == RUNNING and state.phase != _P_STACK
    first = 1 - state.lookout if state.phase == _P_HIDE else state.player
    gone = 0
    own = 0.0
    best = -np.inf
    total = 0.0
    for turn in range(state.num_players):
        seat = (first + turn) % state.num_players
        if pending and state.phase == _P_COLUMN and seat == state.player:
            value = best_place(state, box, seat, state.stack, state.held)
        elif pending and not state.chosen[seat]:
            slot = favourite(state, box, seat, gone)
            gone |= 1 << slot
            value = worth_with(state, box, seat, tile_on_table(state, box, slot))
        else:
            value = worth(state, box, seat)
        if seat == player:
            own = value
        else:
            best = max(best, value)
            total += value
    others = _LEADER * best + (1.0 - _LEADER) * total / (state.num_players - 1)
    return np.tanh((own - others) / _POINTS_FOR_CERTAINTY)


# -- The tiles on the table --------------------------------------------------------------------------------------------


@rule
def favourite(state, box, seat, gone):
    """The place of the table whose tile is worth most to a seat, as far as it knows the tiles; `gone` is a set of places."""
    best = -np.inf
    chosen = 0
    for slot in range(SLOTS):
        if not state.on_table[slot] or (gone >> slot) & 1:
            continue
        if state.face_down and tiles_not_seen(state, seat) > 0 and slot == FACE_DOWN_SLOT:
            value = worth_unseen(state, box, seat)
        else:
            value = worth_with(state, box, seat, tile_on_table(state, box, slot))
        if value > best:
            best = value
            chosen = slot
    return chosen


@rule
def worth_unseen(state, box, seat):
    """A seat's worth with a tile it has not seen, judged by a few that are still in the stack."""
    total = 0.0
    first = state.drawn[state.stack]
    for position in range(first, first + _GUESSES):
        total += worth_with(state, box, seat, state.deck[state.stack, position])
    return total / _GUESSES


@rule
def worth_with(state, box, seat, tile):
    """A seat's worth once it has added a tile of this round's stack."""
    if state.stack == _S_DREAM:
        return worth_with_dream(state, box, seat, tile)
    return best_place(state, box, seat, state.stack, tile)


@rule
def worth_with_dream(state, box, seat, tile):
    """A seat's worth once it has added a dream."""
    place = 0
    while state.dreams[seat, place] != EMPTY:
        place += 1
    state.dreams[seat, place] = tile
    value = worth(state, box, seat)
    state.dreams[seat, place] = EMPTY
    return value


@rule
def best_place(state, box, seat, row, tile):
    """A seat's worth once it has put an island tile where it does most good. The tile is put down and taken back."""
    best = -np.inf
    for column in range(COLUMNS):
        if can_place(state, seat, row, column):
            flips = 0
            if box.pictures[row, tile, _LAMP] and state.visible[seat, _LAMP] + 1 == WISHES:
                flips = visible_lamps(state, box, seat)
            add_island_tile(state, box, seat, row, column, tile)
            best = max(best, worth(state, box, seat))
            take_back(state, box, seat, row, column, flips)
    return best


@rule
def visible_lamps(state, box, seat):
    """The set of places with a lamp that can be seen."""
    places = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            tile = state.island[seat, row, column]
            if tile != EMPTY and not state.flipped[seat, row, column] and box.pictures[row, tile, _LAMP]:
                places |= 1 << (row * COLUMNS + column)
    return places


@rule
def take_back(state, box, seat, row, column, flips):
    """Undo `add_island_tile`, which flipped a set of places."""
    tile = state.island[seat, row, column]
    state.island[seat, row, column] = EMPTY
    for picture in range(NUM_PICTURES):
        state.visible[seat, picture] -= box.pictures[row, tile, picture]
    if flips == 0:
        return
    for other_row in range(ROWS):
        for other_column in range(COLUMNS):
            if (flips >> (other_row * COLUMNS + other_column)) & 1:
                state.flipped[seat, other_row, other_column] = 0
                other = state.island[seat, other_row, other_column]
                for picture in range(NUM_PICTURES):
                    state.visible[seat, picture] += box.pictures[other_row, other, picture]


# -- A seat's worth ----------------------------------------------------------------------------------------------------


@rule
def draws_per_picture(state, seat, row):
    """Multiplied by a count on the tiles never drawn, how many of them the empty places of a row will get."""
    empty = 0
    for column in range(COLUMNS):
        empty += state.island[seat, row, column] == EMPTY
    return empty / max(1.0, float(TILES - state.drawn[row]))


@rule
def to_come(state, shares, picture):
    """How many of a picture the empty places of an Island will get on average."""
    upper, central, lower = shares
    return upper * state.undrawn[0, picture] + central * state.undrawn[1, picture] + lower * state.undrawn[2, picture]


@rule
def worth(state, box, seat):
    """The points a seat can expect."""
    shares = (draws_per_picture(state, seat, 0), draws_per_picture(state, seat, 1), draws_per_picture(state, seat, 2))
    value = box.points_per_palm * (state.visible[seat, _PALM] + to_come(state, shares, _PALM))
    value += box.points_per_combo * combos(state, seat, shares)
    value -= bandit_loss(state, box, seat, shares)
    open_dreams = 0
    for held in range(COLUMNS):
        if state.dreams[seat, held] == EMPTY:
            open_dreams += 1
        else:
            value += dream_promise(state, box, seat, shares, box.dream[state.dreams[seat, held]])
    if open_dreams > 0:
        value += open_dreams * promise_of_dreams(state, box, seat, shares)
    return value


@rule
def combos(state, seat, shares):
    """Pairs of Roc and Egg, and those that may come."""
    rocs, eggs = float(state.visible[seat, _ROC]), float(state.visible[seat, _EGG])
    now = min(rocs, eggs)
    later = min(rocs + _WANTED * to_come(state, shares, _ROC), eggs + _WANTED * to_come(state, shares, _EGG))
    return now + _COMBO_HOPE * (later - now)


@rule
def bandit_loss(state, box, seat, shares):
    """Points that Bandits will cost, by the chance of having the most."""
    own = state.visible[seat, _BANDIT] + _UNWANTED * to_come(state, shares, _BANDIT)
    most = 0.0
    for other in range(state.num_players):
        if other != seat:
            other_shares = (
                draws_per_picture(state, other, 0),
                draws_per_picture(state, other, 1),
                draws_per_picture(state, other, 2),
            )
            most = max(most, state.visible[other, _BANDIT] + _UNWANTED * to_come(state, other_shares, _BANDIT))
    spread = 0.1 + _BANDIT_SPREAD * np.sqrt(ROWS * COLUMNS - tiles_placed(state, seat) + 0.0)
    chance = 1.0 / (1.0 + np.exp(min(50.0, (most - own - 0.25) / spread)))
    return box.points_lost_per_bandit * own * chance


@rule
def tiles_placed(state, seat):
    """Island tiles of a seat."""
    placed = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            placed += state.island[seat, row, column] != EMPTY
    return placed


@rule
def promise_of_dreams(state, box, seat, shares):
    """What a dream to come is worth: between an average one of those left and the best."""
    best = 0.0
    total = 0.0
    left = 0
    for dream in range(NUM_DREAMS):
        copies = state.undrawn_dreams[dream]
        if copies > 0:
            value = dream_promise(state, box, seat, shares, dream)
            best = max(best, value)
            total += copies * value
            left += copies
    return 0.0 if left == 0 else _BEST_DREAM * best + (1.0 - _BEST_DREAM) * total / left


@rule
def dream_promise(state, box, seat, shares, dream):
    """What a dream will make of an Island."""
    if dream < _NUM_PICTURE_DREAMS:
        picture = DREAM_PICTURE[dream]
        return box.dream_points[dream, 0] * (state.visible[seat, picture] + _WANTED * to_come(state, shares, picture))
    if dream == _D_GEM_COLUMNS:
        return gem_columns_promise(state, box, seat)
    if dream == _D_GEM_LINES:
        return gem_lines_promise(state, box, seat)
    if dream == _D_SNAKE:
        return snake_promise(state, box, seat, shares)
    if dream == _D_LAMP:
        return lamp_promise(state, box, seat, shares)
    return flipped_promise(state, box, seat, shares)


@rule
def gem_columns_promise(state, box, seat):
    """Expected points of the columns of gems."""
    value = 0.0
    for column in range(COLUMNS):
        empty = 0
        for row in range(ROWS):
            empty += state.island[seat, row, column] == EMPTY
        value += gems_promise(box, _D_GEM_COLUMNS, different_gems(gems_in_column(state, box, seat, column)), empty)
    return value


@rule
def gem_lines_promise(state, box, seat):
    """Expected points of the lines of gems."""
    value = 0.0
    for row in range(ROWS):
        empty = 0
        for column in range(COLUMNS):
            empty += state.island[seat, row, column] == EMPTY
        value += gems_promise(box, _D_GEM_LINES, different_gems(gems_in_line(state, box, seat, row)), empty)
    return value


@rule
def gems_promise(box, dream, kinds, empty):
    """Expected points of a line or column with some kinds of gem and some empty places."""
    none = 1.0 if kinds == 0 else 0.0
    one = 1.0 if kinds == 1 else 0.0
    two = 1.0 if kinds == 2 else 0.0
    three = 1.0 if kinds == 3 else 0.0
    for _ in range(empty):
        three += two * _GEM_CHANCE / 3
        two += one * _GEM_CHANCE * 2 / 3 - two * _GEM_CHANCE / 3
        one += none * _GEM_CHANCE - one * _GEM_CHANCE * 2 / 3
        none -= none * _GEM_CHANCE
    return one * box.dream_points[dream, 0] + two * box.dream_points[dream, 1] + three * box.dream_points[dream, 2]


@rule
def snake_promise(state, box, seat, shares):
    """Expected points for snakes, as a few may still come."""
    snakes = state.visible[seat, _SNAKE]
    more = (_WANTED if snakes == 0 else _UNWANTED) * to_come(state, shares, _SNAKE)
    stay = np.exp(-more)
    single = more * stay
    value = stay * points_for(box, _D_SNAKE, snakes) + single * points_for(box, _D_SNAKE, snakes + 1)
    return value + (1.0 - stay - single) * points_for(box, _D_SNAKE, snakes + 2)


@rule
def lamps_after_one(lamps):
    """Lamps that can be seen after one more."""
    return 1 if lamps + 1 == WISHES else lamps + 1


@rule
def lamp_promise(state, box, seat, shares):
    """Expected points for lamps, as a few may still come."""
    lamps = state.visible[seat, _LAMP]
    more = (_UNWANTED if lamps + 1 == WISHES else _WANTED) * to_come(state, shares, _LAMP)
    stay = np.exp(-more)
    single = more * stay
    after_one = lamps_after_one(lamps)
    value = stay * points_for(box, _D_LAMP, lamps) + single * points_for(box, _D_LAMP, after_one)
    return value + (1.0 - stay - single) * points_for(box, _D_LAMP, lamps_after_one(after_one))


@rule
def flipped_promise(state, box, seat, shares):
    """Expected points for flipped tiles: two for each third lamp."""
    more = _WANTED * to_come(state, shares, _LAMP)
    flips = max(0.0, state.visible[seat, _LAMP] + more - 1.0)
    return box.dream_points[_D_FLIPPED, 0] * (count_flipped(state, seat) + flips)
