"""The board of Sultans of Wind as bits: where a pawn can go, and how far it still is.

    row 12  · · · · · · · · · · · ·   corner 1 top left, corner 2 top right
      …     …                         space = 12 · (row - 1) + column, from a1 = 0 to l12 = 143
    row  1  · · · · · · · · · · · ·   corner 0 bottom left, corner 3 bottom right
            a b c d e f g h i j k l

A set of spaces is four numbers of 36 bits, each a row of squares: three rows of twelve spaces. So a square lies in one
number, and a flood over the whole board is a few shifts.
"""

from __future__ import annotations

import numpy as np

from arabian_envs.engine.jit import rule

SIDE = 12
SPACES = SIDE * SIDE
SQUARE_SIDE = 3
SQUARES_ACROSS = SIDE // SQUARE_SIDE
SQUARES = SQUARES_ACROSS * SQUARES_ACROSS
CORNERS = 4
CORNER_SQUARES = (0, 12, 15, 3)
"""The palaces' squares, clockwise."""

WORD = SQUARE_SIDE * SIDE
"""Spaces in one number: a row of squares."""

EMPTY = (0, 0, 0, 0)
CLOUD_STEPS = 4
"""Where distance is measured, stepping into a cloud counts as this many steps: the clouds must be turned away first."""

_ALL = (1 << WORD) - 1
_ROW = (1 << SIDE) - 1
_TWO_ROWS = 2 * SIDE
_NOT_FIRST_COLUMN = _ALL - (1 | 1 << SIDE | 1 << _TWO_ROWS)
_NOT_LAST_COLUMN = _NOT_FIRST_COLUMN >> 1
NO_LIMIT = 1000.0
_FARTHEST = CLOUD_STEPS * 2 * SIDE
"""No two spaces are further apart, even through clouds."""


def quarter_turn(row: int, column: int, side: int) -> tuple[int, int]:
    """Where a space of a square goes when it is turned clockwise."""
    return side - 1 - column, row


def _turned(side: int) -> np.ndarray:
    """[quarter turns clockwise, place] -> place, on a square of that side."""
    places = np.zeros((4, side * side), np.int16)
    for place in range(side * side):
        row, column = divmod(place, side)
        for turn in range(4):
            places[turn, place] = row * side + column
            row, column = quarter_turn(row, column, side)
    return places


FROM_CORNER = _turned(SIDE)
"""[corner, space as its player names it] -> space of the board."""
TO_CORNER = np.ascontiguousarray(FROM_CORNER[[0, 3, 2, 1]])
"""[corner, space of the board] -> space as that corner's player names it."""
SQUARE_FROM_CORNER = _turned(SQUARES_ACROSS)
"""[corner, square as its player names it] -> square of the board."""
TURNED_PLACE = _turned(SQUARE_SIDE)
"""[quarter turns clockwise, place 0 … 8 in a square] -> place."""

SPACES_OF_SQUARE = np.array(
    [
        [(square // 4 * 3 + place // 3) * SIDE + square % 4 * 3 + place % 3 for place in range(SQUARE_SIDE**2)]
        for square in range(SQUARES)
    ]
)
"""[square, place] -> space; the same as `space_at`, for code that is not compiled."""


@rule
def square_of(space):
    """The square a space belongs to."""
    return space // WORD * SQUARES_ACROSS + space % SIDE // SQUARE_SIDE


@rule
def place_of(space):
    """Where in its square a space lies, 0 … 8."""
    return space // SIDE % SQUARE_SIDE * SQUARE_SIDE + space % SQUARE_SIDE


@rule
def space_at(square, place):
    """The space at a place of a square."""
    row = square // SQUARES_ACROSS * SQUARE_SIDE + place // SQUARE_SIDE
    return row * SIDE + square % SQUARES_ACROSS * SQUARE_SIDE + place % SQUARE_SIDE


@rule
def single(space):
    """The set of one space."""
    word = int(space) // WORD
    bit = 1 << int(space) % WORD
    return (
        bit if word == 0 else 0,
        bit if word == 1 else 0,
        bit if word == 2 else 0,
        bit if word == 3 else 0,
    )


@rule
def union(one, other):
    """All spaces of both sets."""
    return (one[0] | other[0], one[1] | other[1], one[2] | other[2], one[3] | other[3])


@rule
def common(one, other):
    """The spaces in both sets."""
    return (one[0] & other[0], one[1] & other[1], one[2] & other[2], one[3] & other[3])


@rule
def rest(spaces):
    """All spaces not in the set."""
    return (spaces[0] ^ _ALL, spaces[1] ^ _ALL, spaces[2] ^ _ALL, spaces[3] ^ _ALL)


@rule
def is_empty(spaces):
    """Whether a set holds no space."""
    return (spaces[0] | spaces[1] | spaces[2] | spaces[3]) == 0


@rule
def contains(spaces, space):
    """Whether a space is in the set."""
    return (spaces[int(space) // WORD] >> int(space) % WORD) & 1


@rule
def square_spaces(square):
    """The nine spaces of a square."""
    nine = (7 | 7 << SIDE | 7 << _TWO_ROWS) << int(square) % SQUARES_ACROSS * SQUARE_SIDE
    row = int(square) // SQUARES_ACROSS
    return (
        nine if row == 0 else 0,
        nine if row == 1 else 0,
        nine if row == 2 else 0,
        nine if row == 3 else 0,
    )


@rule
def beside(word):
    """The spaces left and right of those in one row of squares, and above and below within it."""
    sideways = (word << 1 & _NOT_FIRST_COLUMN) | (word >> 1 & _NOT_LAST_COLUMN)
    return sideways | (word << SIDE & _ALL) | word >> SIDE


@rule
def neighbours(spaces):
    """All spaces orthogonally next to one of the set."""
    a, b, c, d = spaces
    return (
        beside(a) | (b & _ROW) << _TWO_ROWS,
        beside(b) | (c & _ROW) << _TWO_ROWS | a >> _TWO_ROWS,
        beside(c) | (d & _ROW) << _TWO_ROWS | b >> _TWO_ROWS,
        beside(d) | c >> _TWO_ROWS,
    )


@rule
def steps_to_square(space, square):
    """Steps from a space to the nearest space of a square, if nothing were in the way."""
    row, column = space // SIDE, space % SIDE
    bottom, left = int(square) // SQUARES_ACROSS * SQUARE_SIDE, int(square) % SQUARES_ACROSS * SQUARE_SIDE
    upwards = max(0, bottom - row, row - bottom - SQUARE_SIDE + 1)
    return upwards + max(0, left - column, column - left - SQUARE_SIDE + 1)


@rule
def reachable(passable, start, steps):
    """The passable spaces that a pawn can walk to in 1 … steps steps."""
    reached = single(start)
    for _ in range(steps):
        further = union(reached, common(neighbours(reached), passable))
        if further == reached:
            break
        reached = further
    return common(reached, passable)


@rule
def steps_between(clouds, sources, first, second, third, limit):
    """Steps from the nearest of the sources to three sets of spaces (0 for an empty set), clouds counting as several.

    Their sum is right only below the limit; beyond it the search is given up, and the sum is at least the limit.
    """
    free = rest(clouds)
    unseen = rest(sources)
    near = neighbours(sources)
    # What lies next to the spaces found one, two and three steps earlier: clouds there are entered CLOUD_STEPS after.
    near_1, near_2, near_3 = EMPTY, EMPTY, EMPTY
    to_first = 0 if is_empty(first) or not is_empty(common(sources, first)) else -1
    to_second = 0 if is_empty(second) or not is_empty(common(sources, second)) else -1
    to_third = 0 if is_empty(third) or not is_empty(common(sources, third)) else -1
    for steps in range(1, _FARTHEST + 1):
        missing = (to_first < 0) + (to_second < 0) + (to_third < 0)
        if missing == 0:
            break
        if max(0, to_first) + max(0, to_second) + max(0, to_third) + missing * steps >= limit:
            return (
                to_first if to_first >= 0 else steps,
                to_second if to_second >= 0 else steps,
                to_third if to_third >= 0 else steps,
            )
        found = common(union(common(near, free), common(near_3, clouds)), unseen)
        unseen = common(unseen, rest(found))
        near_3, near_2, near_1, near = near_2, near_1, near, neighbours(found)
        if to_first < 0 and not is_empty(common(found, first)):
            to_first = steps
        if to_second < 0 and not is_empty(common(found, second)):
            to_second = steps
        if to_third < 0 and not is_empty(common(found, third)):
            to_third = steps
    return to_first, to_second, to_third
