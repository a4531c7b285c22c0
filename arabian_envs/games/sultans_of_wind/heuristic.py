"""A quick opinion on who is ahead in Sultans of Wind."""

from __future__ import annotations

import numpy as np

from arabian_envs.engine.jit import rule
from arabian_envs.games.sultans_of_wind.components import Wind
from arabian_envs.games.sultans_of_wind.maze import (
    EMPTY,
    NO_LIMIT,
    SIDE,
    SQUARE_SIDE,
    SQUARES_ACROSS,
    common,
    contains,
    is_empty,
    reachable,
    rest,
    single,
    square_spaces,
    steps_between,
    steps_to_square,
    union,
)
from arabian_envs.games.sultans_of_wind.rules import (
    CLOUD_PAIRS,
    CLOUD_SQUARES,
    carpets,
    clouds,
    goal_of,
    pawns,
    swapped_space,
    turned_space,
)
from arabian_envs.games.sultans_of_wind.state import CARPETS, IN_HAND, Phase

# In steps. What clouds are worth was found by playing variants against each other; the rest are estimates.
_TURBULENCE = 6.0  # what turning a cloud saves, where trying all turns would take too long
_CHANGING_CLOUDS = 5.0  # the same for a swap
_CLOUDS_MOVED = 2.0  # what a turn or swap is worth beyond the steps it saves at once
_DJINN = 0.3
_FAVOR = 0.2
_WISH = 3.0
_STEPS_FOR_CERTAINTY = 20.0
_NO_GAIN = -100.0

_P_RESOLVE, _P_DESTINATION, _P_WISH = int(Phase.RESOLVE), int(Phase.DESTINATION), int(Phase.WISH)
_W_MOVE, _W_MOVE_THROUGH, _W_TURBULENCE = int(Wind.MOVE), int(Wind.MOVE_THROUGH), int(Wind.TURBULENCE)
_W_CHANGING_CLOUDS = int(Wind.CHANGING_CLOUDS)


@rule
def evaluate(state, box, player):
    """A guess at the outcome, -1 … 1: how many steps the seat is ahead of the best other."""
    maze, occupied = clouds(state, box), pawns(state, box)
    nearest = np.inf
    for seat in range(state.num_players):
        if seat != player:
            nearest = min(
                nearest, sum_of(steps_left(state, box, seat, maze, occupied)) + crowding(state, box, seat, occupied)
            )
    steps = steps_left(state, box, player, maze, occupied)
    own = sum_of(steps) + crowding(state, box, player, occupied) - promise(state, box, player, maze, occupied, steps)
    if state.favor == player:
        own -= _FAVOR
    return np.tanh((nearest - own) / _STEPS_FOR_CERTAINTY)


@rule
def sum_of(steps):
    """The total of three distances."""
    return steps[0] + steps[1] + steps[2] + 0.0


@rule
def goal_spaces(state, box, seat):
    """The starting spaces of the goal."""
    start = box.start[goal_of(state, seat)]
    return union(union(single(start[0]), single(start[1])), single(start[2]))


@rule
def carpet_space(state, box, seat, carpet):
    """The space of a carpet as a set, empty if it is not in the game."""
    return single(state.carpet[seat, carpet]) if carpet < box.carpets[state.num_players] else EMPTY


@rule
def obstacles(state, box, seat, maze, occupied):
    """Clouds, and pawns that are not the seat's own: both must first get out of the way."""
    return union(maze, common(occupied, rest(carpets(state, box, seat))))


@rule
def steps_left(state, box, seat, maze, occupied):
    """How far each carpet is from the nearest starting space of the goal, through the maze as it lies."""
    return steps_between(
        obstacles(state, box, seat, maze, occupied),
        goal_spaces(state, box, seat),
        carpet_space(state, box, seat, 0),
        carpet_space(state, box, seat, 1),
        carpet_space(state, box, seat, 2),
        NO_LIMIT,
    )


@rule
def crowding(state, box, seat, occupied):
    """Steps that come on top because each carpet needs a starting space of its own; fewer where another's pawn sits."""
    others = common(occupied, rest(carpets(state, box, seat)))
    start = box.start[goal_of(state, seat)]
    number = box.carpets[state.num_players]
    nearest = 0
    for carpet in range(number):
        least = 2 * SIDE
        for k in range(CARPETS):
            least = min(least, straight(state.carpet[seat, carpet], start[k]))
        nearest += least
    best = 100
    for one in range(CARPETS):
        for two in range(CARPETS):
            if one == two:
                continue
            total = straight(state.carpet[seat, 0], start[one]) - contains(others, start[one])
            if number > 1:
                total += straight(state.carpet[seat, 1], start[two]) - contains(others, start[two])
            if number > 2:
                last = CARPETS - one - two
                total += straight(state.carpet[seat, 2], start[last]) - contains(others, start[last])
            best = min(best, total)
    return best - nearest


@rule
def straight(space, other):
    """Steps between two spaces if nothing were in the way."""
    return abs(space // SIDE - other // SIDE) + abs(space % SIDE - other % SIDE)


@rule
def promise(state, box, seat, maze, occupied, steps):
    """Steps that tiles in hand, the tile being resolved and a wish should save."""
    saved = 0.0
    for index in range(IN_HAND):
        if state.hand[seat, index] > 0:
            saved += max(0.0, savings(state, box, seat, state.hand[seat, index], -1, maze, occupied, steps))
    if state.player != seat:
        return saved
    if state.phase == _P_WISH:
        saved += _WISH
    if state.phase == _P_DESTINATION:
        saved += savings(state, box, seat, state.playing, state.moving, maze, occupied, steps)
    elif state.playing > 0:
        saved += max(0.0, savings(state, box, seat, state.playing, -1, maze, occupied, steps))
    return saved


@rule
def savings(state, box, seat, strength, moving, maze, occupied, steps):
    """Steps that one tile should save; for a move with the carpet `moving`, or with any if that is -1."""
    wind = box.wind[strength]
    # Trying every turn and swap pays when tiles are chosen; during an action a round number will do.
    choosing = state.phase <= _P_RESOLVE
    if wind == _W_TURBULENCE:
        return best_turn(state, box, seat, maze, occupied, steps) if choosing else _TURBULENCE
    if wind == _W_CHANGING_CLOUDS:
        return best_swap(state, box, seat, maze, occupied, steps) if choosing else _CHANGING_CLOUDS
    if wind != _W_MOVE and wind != _W_MOVE_THROUGH:
        return _DJINN
    passable = rest(union(maze, occupied))
    through = passable if wind == _W_MOVE else rest(EMPTY)
    first = ends(state, box, seat, 0, moving, through, passable, box.steps[strength])
    second = ends(state, box, seat, 1, moving, through, passable, box.steps[strength])
    third = ends(state, box, seat, 2, moving, through, passable, box.steps[strength])
    goal = goal_spaces(state, box, seat)
    after = steps_between(obstacles(state, box, seat, maze, occupied), goal, first, second, third, NO_LIMIT)
    best = _NO_GAIN
    if not is_empty(first):
        best = max(best, float(steps[0] - after[0]))
    if not is_empty(second):
        best = max(best, float(steps[1] - after[1]))
    if not is_empty(third):
        best = max(best, float(steps[2] - after[2]))
    return best


@rule
def ends(state, box, seat, carpet, moving, through, passable, steps):
    """Where a carpet could end; nowhere if another one moves."""
    if carpet >= box.carpets[state.num_players] or (moving >= 0 and moving != carpet):
        return EMPTY
    return common(reachable(through, state.carpet[seat, carpet], steps), passable)


@rule
def with_cloud(maze, square, face):
    """The maze with another face on a square."""
    shifted = face << square % SQUARES_ACROSS * SQUARE_SIDE
    row = square // SQUARES_ACROSS
    placed = (
        shifted if row == 0 else 0,
        shifted if row == 1 else 0,
        shifted if row == 2 else 0,
        shifted if row == 3 else 0,
    )
    return union(common(maze, rest(square_spaces(square))), placed)


@rule
def least_steps(state, box, seat, steps, one, other):
    """What the steps add up to at the least, however the clouds of two squares (maybe the same) are changed.

    A way that avoids both squares is as long as before; another leads from the goal to one of them and from one of them on.
    """
    start = box.start[goal_of(state, seat)]
    from_goal = 4 * SIDE
    for k in range(CARPETS):
        from_goal = min(from_goal, steps_to_square(start[k], one), steps_to_square(start[k], other))
    total = 0
    for carpet in range(box.carpets[state.num_players]):
        space = state.carpet[seat, carpet]
        total += min(steps[carpet], from_goal + min(steps_to_square(space, one), steps_to_square(space, other)))
    return total


@rule
def best_turn(state, box, seat, maze, occupied, steps):
    """Steps that the best turn of a cloud saves; 0 if none saves any."""
    goal = goal_spaces(state, box, seat)
    others = common(occupied, rest(carpets(state, box, seat)))
    number = box.carpets[state.num_players]
    useless = _CLOUDS_MOVED + sum_of(steps)
    best = useless
    for index in range(len(CLOUD_SQUARES)):
        square = CLOUD_SQUARES[index]
        if least_steps(state, box, seat, steps, square, square) >= best:
            continue
        for quarters in range(1, 4):
            changed = with_cloud(maze, square, box.face[state.tile[square], (state.turned[square] + quarters) % 4])
            first = single(turned_space(state.carpet[seat, 0], square, quarters))
            second = single(turned_space(state.carpet[seat, 1], square, quarters)) if number > 1 else EMPTY
            third = single(turned_space(state.carpet[seat, 2], square, quarters)) if number > 2 else EMPTY
            best = min(best, sum_of(steps_between(union(changed, others), goal, first, second, third, best)))
    return useless - best


@rule
def best_swap(state, box, seat, maze, occupied, steps):
    """Steps that the best swap of clouds saves; 0 if none saves any."""
    goal = goal_spaces(state, box, seat)
    others = common(occupied, rest(carpets(state, box, seat)))
    number = box.carpets[state.num_players]
    useless = _CLOUDS_MOVED + sum_of(steps)
    best = useless
    for index in range(len(CLOUD_PAIRS)):
        one, other = CLOUD_PAIRS[index]
        if least_steps(state, box, seat, steps, one, other) >= best:
            continue
        changed = with_cloud(maze, one, box.face[state.tile[other], state.turned[other]])
        changed = with_cloud(changed, other, box.face[state.tile[one], state.turned[one]])
        first = single(swapped_space(state.carpet[seat, 0], one, other))
        second = single(swapped_space(state.carpet[seat, 1], one, other)) if number > 1 else EMPTY
        third = single(swapped_space(state.carpet[seat, 2], one, other)) if number > 2 else EMPTY
        best = min(best, sum_of(steps_between(union(changed, others), goal, first, second, third, best)))
    return useless - best
