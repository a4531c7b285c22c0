"""The rules of Sultans of Wind.

In brief
- A board of 4 × 4 squares of nine spaces: a palace in each corner, twelve cloud tiles between them. The first player whose
  carpets all stand on the starting spaces of the opposite palace wins.
- Everybody has eight Wind Tiles in a channel, four of them behind a screen. In each round everybody secretly chooses two
  from behind the screen; the higher total strength plays first, ties go clockwise from the Djinn's Favor.
- A resolved tile is slid into the left end of the channel, and the others move on towards the screen.
- Tiles move a carpet (through free spaces, or through anything), turn a cloud, swap two clouds, call or move the Djinn.
- A carpet that flies to the Djinn's square, or a Djinn moved to one's carpet's square, grants a wish: one extra tile.

Our rulings, of which the README has the full list: set-up ties are broken at random; "may" tiles can be declined, Call
Djinn cannot; the Favor comes with tile 8 only if the Djinn ends on another space; turning and swapping carry pawns along
and never grant a wish; a wish's action grants no further wish; the win is checked after every action, for the player who
acted; all three starting spaces of the goal serve; after the last round the placing is by walking distance.
"""

from __future__ import annotations

import numpy as np

from arabian_envs.engine.jit import rule
from arabian_envs.engine.rng import random_below, shuffle
from arabian_envs.engine.spec import ActionSpec, Group
from arabian_envs.engine.state import TERMINATED, TRUNCATED
from arabian_envs.games.sultans_of_wind.components import NUM_CLOUDS, NUM_WINDS, Wind
from arabian_envs.games.sultans_of_wind.maze import (
    CORNER_SQUARES,
    CORNERS,
    EMPTY,
    FROM_CORNER,
    NO_LIMIT,
    SIDE,
    SPACES,
    SQUARE_FROM_CORNER,
    SQUARE_SIDE,
    SQUARES,
    SQUARES_ACROSS,
    TO_CORNER,
    TURNED_PLACE,
    WORD,
    common,
    contains,
    is_empty,
    neighbours,
    place_of,
    reachable,
    rest,
    single,
    space_at,
    square_of,
    square_spaces,
    steps_between,
    union,
)
from arabian_envs.games.sultans_of_wind.state import CARPETS, IN_HAND, SEATS, VISIBLE, Phase

CLOUD_SQUARES = np.array([square for square in range(SQUARES) if square not in CORNER_SQUARES])
"""The squares that can be turned and swapped."""

_ADJACENT = [
    (square, other)
    for square in CLOUD_SQUARES
    for other in CLOUD_SQUARES
    if (other == square + 1 and other % SQUARES_ACROSS > 0) or other == square + SQUARES_ACROSS
]
CLOUD_PAIRS = np.array(_ADJACENT)
"""The pairs of squares that can be swapped."""

SPACE_NAMES = tuple(f"{'abcdefghijkl'[space % SIDE]}{space // SIDE + 1}" for space in range(SPACES))
SQUARE_NAMES = tuple(f"{'ABCD'[square % SQUARES_ACROSS]}{square // SQUARES_ACROSS + 1}" for square in range(SQUARES))

ACTIONS = ActionSpec(
    Group("tile", (NUM_WINDS,), "the Wind Tile of this strength", (tuple(str(s + 1) for s in range(NUM_WINDS)),)),
    Group("carpet", (CARPETS,), "the own carpet to move", (("first", "second", "third"),)),
    Group(
        "destination",
        (SPACES,),
        "where the moving pawn ends; a1 is the corner of the acting player, l12 the corner of the goal",
        (SPACE_NAMES,),
    ),
    Group(
        "turn",
        (len(CLOUD_SQUARES), 3),
        "Turbulence: turn the cloud on this square clockwise; A1 is the acting player's palace, D4 the goal",
        (tuple(SQUARE_NAMES[square] for square in CLOUD_SQUARES), ("90°", "180°", "270°")),
    ),
    Group(
        "swap",
        (len(CLOUD_PAIRS),),
        "Changing Clouds: swap the clouds on these two squares",
        (tuple(f"{SQUARE_NAMES[one]}-{SQUARE_NAMES[other]}" for one, other in CLOUD_PAIRS),),
    ),
    Group("decline", (), "do without this action or wish"),
)

_NEVER = 10_000  # more steps than any walk takes
_TILE, _CARPET, _DESTINATION = ACTIONS.offsets["tile"], ACTIONS.offsets["carpet"], ACTIONS.offsets["destination"]
_TURN, _SWAP, _DECLINE = ACTIONS.offsets["turn"], ACTIONS.offsets["swap"], ACTIONS.offsets["decline"]

# Enum members as plain numbers, which compile fastest.
_P_ARRANGE, _P_PLACE_DJINN, _P_CHOOSE = int(Phase.ARRANGE), int(Phase.PLACE_DJINN), int(Phase.CHOOSE)
_P_RESOLVE, _P_CARPET, _P_DESTINATION = int(Phase.RESOLVE), int(Phase.CARPET), int(Phase.DESTINATION)
_P_TURBULENCE, _P_CHANGING_CLOUDS = int(Phase.TURBULENCE), int(Phase.CHANGING_CLOUDS)
_P_CALL_DJINN, _P_MOVE_DJINN, _P_WISH = int(Phase.CALL_DJINN), int(Phase.MOVE_DJINN), int(Phase.WISH)
_W_MOVE, _W_MOVE_THROUGH, _W_TURBULENCE = int(Wind.MOVE), int(Wind.MOVE_THROUGH), int(Wind.TURBULENCE)
_W_CHANGING_CLOUDS, _W_CALL_DJINN = int(Wind.CHANGING_CLOUDS), int(Wind.CALL_DJINN)


# -- The board ---------------------------------------------------------------------------------------------------------


@rule
def corner_of(state, seat):
    """Seats take the corners clockwise; two players sit on opposite sides."""
    return seat * 2 if state.num_players == 2 else seat + 0


@rule
def goal_of(state, seat):
    """The corner on the opposite side, whether or not somebody plays there."""
    return (corner_of(state, seat) + 2) % CORNERS


@rule
def clouds(state, box):
    """The spaces that clouds block."""
    return (
        cloud_row(state, box, 0),
        cloud_row(state, box, 1),
        cloud_row(state, box, 2),
        cloud_row(state, box, 3),
    )


@rule
def cloud_row(state, box, row):
    """The blocked spaces of one row of squares."""
    word = 0
    for column in range(SQUARES_ACROSS):
        square = row * SQUARES_ACROSS + column
        word |= box.face[state.tile[square], state.turned[square]] << column * SQUARE_SIDE
    return word


@rule
def carpets(state, box, seat):
    """The spaces with carpets of one seat."""
    spaces = EMPTY
    for carpet in range(box.carpets[state.num_players]):
        spaces = union(spaces, single(state.carpet[seat, carpet]))
    return spaces


@rule
def pawns(state, box):
    """The spaces with pawns: all carpets and the Djinn."""
    spaces = EMPTY if state.djinn < 0 else single(state.djinn)
    for seat in range(state.num_players):
        spaces = union(spaces, carpets(state, box, seat))
    return spaces


@rule
def open_spaces(state, box):
    """The spaces without clouds and without pawns."""
    return rest(union(clouds(state, box), pawns(state, box)))


# -- Set-up ------------------------------------------------------------------------------------------------------------


@rule
def setup(state, box):
    """Carpets on their starting spaces (fewer than three leave the dashed one empty), clouds shuffled and turned."""
    state.djinn = -1
    state.favor = -1
    state.moving = -1
    state.winner = -1
    shuffle_clouds(state)
    for seat in range(SEATS):
        state.order[seat] = -1
        for carpet in range(CARPETS):
            state.carpet[seat, carpet] = -1
    for seat in range(state.num_players):
        for carpet in range(box.carpets[state.num_players]):
            state.carpet[seat, carpet] = box.start[corner_of(state, seat), carpet]
        for place in range(NUM_WINDS):
            state.channel[seat, place] = place + 1
    state.phase = _P_ARRANGE
    state.player = 0


@rule
def shuffle_clouds(state):
    """The Cloud Tiles lie at random, in any orientation; the palaces never move."""
    for cloud in range(NUM_CLOUDS):
        state.tile[cloud] = cloud
    shuffle(state, state.tile, NUM_CLOUDS)
    # From the back, so that no tile is overwritten before it was moved to its square.
    for cloud in range(NUM_CLOUDS - 1, -1, -1):
        state.tile[CLOUD_SQUARES[cloud]] = state.tile[cloud]
        state.turned[CLOUD_SQUARES[cloud]] = random_below(state, 4)
    for corner in range(CORNERS):
        state.tile[CORNER_SQUARES[corner]] = NUM_CLOUDS + corner


@rule
def slide_in(state, seat, strength):
    """Put a tile into the left end of the channel; those to the left of its old place slide to the right."""
    held = strength
    for place in range(NUM_WINDS):
        pushed = state.channel[seat, place]
        state.channel[seat, place] = held
        if pushed == strength:
            return
        held = pushed


@rule
def arrange(state, strength):
    """Slide one more tile into view; with four in view the next player arranges, and at last all are revealed."""
    slide_in(state, state.player, strength)
    state.picks += 1
    if state.picks < VISIBLE:
        return
    state.picks = 0
    if state.player < state.num_players - 1:
        state.player += 1
        return
    award_favor(state)


@rule
def visible_strength(state, seat):
    """The total Wind Strength in front of the screen."""
    total = 0
    for place in range(VISIBLE):
        total += state.channel[seat, place]
    return total


@rule
def award_favor(state):
    """The highest visible total takes the Favor and places the Djinn; chance stands for who flew most recently."""
    best = 0
    tied = 0
    for seat in range(state.num_players):
        total = visible_strength(state, seat)
        if total > best:
            best = total
            tied = 0
        tied += total == best
    nth = random_below(state, tied) if tied > 1 else 0
    for seat in range(state.num_players):
        if visible_strength(state, seat) == best:
            if nth == 0:
                state.favor = seat
                break
            nth -= 1
    state.player = state.favor
    state.phase = _P_PLACE_DJINN


@rule
def place_djinn(state, space):
    """The Djinn starts on one of the middle spaces, be it cloud or free."""
    state.djinn = space
    state.round_number = 1
    begin_round(state)


# -- Phase 1: choose two Wind Tiles and determine the turn order -------------------------------------------------------


@rule
def begin_round(state):
    """Everybody chooses; nobody learns of it before all have chosen."""
    state.phase = _P_CHOOSE
    state.player = 0
    state.picks = 0


@rule
def is_behind_screen(state, seat, strength):
    """Whether a tile lies behind the screen now, neither in view nor in hand."""
    for index in range(IN_HAND):
        if state.hand[seat, index] == strength:
            return False
    for place in range(VISIBLE, NUM_WINDS):
        if state.channel[seat, place] == strength:
            return True
    return False


@rule
def choose(state, box, strength):
    """Take a tile from behind the screen into the hand; when everybody holds two, they are revealed."""
    state.hand[state.player, state.picks] = strength
    state.picks += 1
    if state.picks < IN_HAND:
        return
    state.picks = 0
    if state.player < state.num_players - 1:
        state.player += 1
        return
    determine_order(state)
    begin_turn(state, 0)


@rule
def rank(state, seat):
    """Higher plays earlier: the total strength in hand, then nearness to the Favor, clockwise."""
    total = 0
    for index in range(IN_HAND):
        total += state.hand[seat, index]
    clockwise = (seat - state.favor + state.num_players) % state.num_players
    return total * SEATS + SEATS - 1 - clockwise


@rule
def determine_order(state):
    """The turn order of the whole round, whatever happens to the Favor meanwhile."""
    for seat in range(state.num_players):
        earlier = 0
        for other in range(state.num_players):
            earlier += rank(state, other) > rank(state, seat)
        state.order[earlier] = seat


# -- Phase 2: actions --------------------------------------------------------------------------------------------------


@rule
def begin_turn(state, turn):
    """The next player in order picks which tile to resolve first."""
    state.turn = turn
    state.player = state.order[turn]
    state.phase = _P_RESOLVE


@rule
def resolve(state, box, strength):
    """Begin the action of a tile, out of the hand or as a wish."""
    for index in range(IN_HAND):
        if state.hand[state.player, index] == strength:
            state.hand[state.player, index] = 0
    state.playing = strength
    wind = box.wind[strength]
    if wind in (_W_MOVE, _W_MOVE_THROUGH):
        state.phase = _P_CARPET
    elif wind == _W_TURBULENCE:
        state.phase = _P_TURBULENCE
    elif wind == _W_CHANGING_CLOUDS:
        state.phase = _P_CHANGING_CLOUDS
    elif wind == _W_CALL_DJINN:
        state.phase = _P_CALL_DJINN
    else:
        state.phase = _P_MOVE_DJINN


@rule
def destinations(state, box, carpet):
    """Where a carpet may end: Move walks through open spaces, Move Through passes over anything."""
    start = state.carpet[state.player, carpet]
    passable = open_spaces(state, box)
    steps = box.steps[state.playing]
    if box.wind[state.playing] == _W_MOVE:
        return reachable(passable, start, steps)
    return common(reachable(rest(EMPTY), start, steps), passable)


@rule
def can_move(state, box, carpet):
    """Whether a carpet has anywhere to go. A walk needs just one open space beside it."""
    if box.wind[state.playing] == _W_MOVE:
        return not is_empty(common(neighbours(single(state.carpet[state.player, carpet])), open_spaces(state, box)))
    return not is_empty(destinations(state, box, carpet))


@rule
def move_carpet(state, box, space):
    """Move, Move Through: the carpet ends elsewhere; a wish if it came to the Djinn's square from another one."""
    player = state.player
    start = square_of(state.carpet[player, state.moving])
    state.carpet[player, state.moving] = space
    end = square_of(space)
    state.moving = -1
    end_action(state, box, start != end and end == square_of(state.djinn))


@rule
def turbulence(state, box, square, quarters):
    """Turn a cloud, and all pawns on it."""
    state.turned[square] = (state.turned[square] + quarters) % 4
    for seat in range(state.num_players):
        for carpet in range(box.carpets[state.num_players]):
            state.carpet[seat, carpet] = turned_space(state.carpet[seat, carpet], square, quarters)
    state.djinn = turned_space(state.djinn, square, quarters)
    end_action(state, box, False)


@rule
def turned_space(space, square, quarters):
    """Where a pawn is after a square was turned clockwise."""
    if square_of(space) != square:
        return space
    return space_at(square, TURNED_PLACE[quarters, place_of(space)])


@rule
def changing_clouds(state, box, one, other):
    """Swap two adjacent clouds as they lie, and all pawns on them."""
    tile, turned = state.tile[one], state.turned[one]
    state.tile[one], state.turned[one] = state.tile[other], state.turned[other]
    state.tile[other], state.turned[other] = tile, turned
    for seat in range(state.num_players):
        for carpet in range(box.carpets[state.num_players]):
            state.carpet[seat, carpet] = swapped_space(state.carpet[seat, carpet], one, other)
    state.djinn = swapped_space(state.djinn, one, other)
    end_action(state, box, False)


@rule
def swapped_space(space, one, other):
    """Where a pawn is after two squares were swapped."""
    square = square_of(space)
    if square == one:
        return space_at(other, place_of(space))
    if square == other:
        return space_at(one, place_of(space))
    return space


@rule
def calling_spaces(state, box):
    """Where the Djinn may appear: any free space of a square without carpets. It has left the board by then."""
    spaces = rest(clouds(state, box))
    for seat in range(state.num_players):
        for carpet in range(box.carpets[state.num_players]):
            spaces = common(spaces, rest(square_spaces(square_of(state.carpet[seat, carpet]))))
    return spaces


@rule
def call_djinn(state, box, space):
    """The Djinn appears elsewhere, and the player wins its Favor."""
    state.djinn = space
    state.favor = state.player
    end_action(state, box, False)


@rule
def djinn_spaces(state, box):
    """Where the Djinn may fly."""
    return reachable(open_spaces(state, box), state.djinn, box.steps[state.playing])


@rule
def move_djinn(state, box, space):
    """The Djinn flies, and the player wins its Favor; a wish if it came to one of the player's carpets from elsewhere."""
    start, end = square_of(state.djinn), square_of(space)
    state.djinn = space
    state.favor = state.player
    visits = not is_empty(common(carpets(state, box, state.player), square_spaces(end)))
    end_action(state, box, start != end and visits)


# -- The end of an action, the Djinn's wish ----------------------------------------------------------------------------


@rule
def end_action(state, box, wish_granted):
    """Slide the tile back, see who has won, then a wish, the second tile or the next player. No wishing for wishes."""
    slide_in(state, state.player, state.playing)
    state.playing = 0
    if has_won(state, box, state.player):
        state.winner = state.player
        state.status = TERMINATED
        return
    was_wish = state.wishing
    state.wishing = 0
    if wish_granted and not was_wish:
        state.phase = _P_WISH
    else:
        continue_turn(state, box)


@rule
def continue_turn(state, box):
    """Resolve the tile still in hand, or pass to the next player in order, or end the round."""
    for index in range(IN_HAND):
        if state.hand[state.player, index] > 0:
            resolve(state, box, state.hand[state.player, index])
            return
    if state.turn < state.num_players - 1:
        begin_turn(state, state.turn + 1)
        return
    end_round(state, box)


@rule
def end_round(state, box):
    """Everybody has four tiles behind the screen again; after the last round the game is cut off."""
    if state.round_number >= box.last_round:
        state.status = TRUNCATED
        return
    state.round_number += 1
    begin_round(state)


@rule
def make_wish(state, box, strength):
    """Djinn's wish: one more tile from behind the screen, at once."""
    state.wishing = 1
    resolve(state, box, strength)


@rule
def decline(state, box):
    """Do without the action of a "may" tile, or without the wish."""
    if state.phase == _P_WISH:
        continue_turn(state, box)
    else:
        end_action(state, box, False)


# -- The end of the game -----------------------------------------------------------------------------------------------


@rule
def serves(state, box, occupied, space, start):
    """Whether a carpet has reached a starting space: it stands there, or beside it while another pawn is there."""
    if space == start:
        return True
    return contains(occupied, start) and contains(neighbours(single(start)), space)


@rule
def has_won(state, box, seat):
    """Whether every carpet of a seat can be given a starting space of its own, of the opposite palace, that it reached."""
    occupied = pawns(state, box)
    start = box.start[goal_of(state, seat)]
    number = box.carpets[state.num_players]
    # Bit k of a set says that starting space k is taken; `sets` has bit m if the carpets so far can take exactly set m.
    sets = 1
    for carpet in range(number):
        further = 0
        for k in range(CARPETS):
            if serves(state, box, occupied, state.carpet[seat, carpet], start[k]):
                for taken in range(1 << CARPETS):
                    if sets >> taken & 1 and not taken >> k & 1:
                        further |= 1 << (taken | 1 << k)
        sets = further
    return sets != 0


@rule
def remaining_distance(state, box, seat):
    """The fewest steps in which a seat's carpets walk to starting spaces of the goal, each to its own; none if it has won.

    Pawns are no hindrance, a cloud counts as several steps, and beside a starting space with another's pawn is near enough.
    """
    # A win may count on own carpets as pawns to stand beside; the walk does not, since they walk on.
    if has_won(state, box, seat):
        return 0
    maze = clouds(state, box)
    others = common(pawns(state, box), rest(carpets(state, box, seat)))
    start = box.start[goal_of(state, seat)]
    first, second, third = single(start[0]), single(start[1]), single(start[2])
    less = (contains(others, start[0]), contains(others, start[1]), contains(others, start[2]))
    # best[m] is the least total with which the carpets so far take the set m of starting spaces.
    best = np.full(1 << CARPETS, _NEVER)
    best[0] = 0
    for carpet in range(box.carpets[state.num_players]):
        steps = steps_between(maze, single(state.carpet[seat, carpet]), first, second, third, NO_LIMIT)
        for taken in range((1 << CARPETS) - 1, -1, -1):
            total = _NEVER
            for k in range(CARPETS):
                if taken >> k & 1:
                    total = min(total, best[taken ^ 1 << k] + steps[k] - less[k])
            best[taken] = total
    return best.min()


# -- The verbs ---------------------------------------------------------------------------------------------------------


@rule
def write_destinations(state, spaces, mask):
    """Name spaces of the board from the acting player's corner."""
    corner = corner_of(state, state.player)
    for row in range(SQUARES_ACROSS):
        word = spaces[row]
        if word == 0:
            continue
        for bit in range(WORD):
            mask.destination[TO_CORNER[corner, row * WORD + bit]] = word >> bit & 1


@rule
def legal_actions(state, box, mask):
    """What the acting player may decide now."""
    player, phase = state.player, state.phase
    if phase == _P_ARRANGE:
        for place in range(state.picks, NUM_WINDS):
            mask.tile[state.channel[player, place] - 1] = 1
    elif phase == _P_PLACE_DJINN:
        for index in range(len(box.middle)):
            mask.destination[TO_CORNER[corner_of(state, player), box.middle[index]]] = 1
    elif phase in (_P_CHOOSE, _P_WISH):
        for strength in range(1, NUM_WINDS + 1):
            mask.tile[strength - 1] = is_behind_screen(state, player, strength)
        mask.decline = phase == _P_WISH
    elif phase == _P_RESOLVE:
        for index in range(IN_HAND):
            mask.tile[state.hand[player, index] - 1] = 1
    elif phase == _P_CARPET:
        for carpet in range(box.carpets[state.num_players]):
            mask.carpet[carpet] = can_move(state, box, carpet)
        mask.decline = 1
    elif phase == _P_DESTINATION:
        write_destinations(state, destinations(state, box, state.moving), mask)
    elif phase == _P_TURBULENCE:
        mask.turn[:] = 1
        mask.decline = 1
    elif phase == _P_CHANGING_CLOUDS:
        mask.swap[:] = 1
        mask.decline = 1
    elif phase == _P_CALL_DJINN:
        write_destinations(state, calling_spaces(state, box), mask)
    else:
        write_destinations(state, djinn_spaces(state, box), mask)
        mask.decline = 1


@rule
def apply(state, box, action):
    """Carry out one decision."""
    if action == _DECLINE:
        decline(state, box)
    elif action >= _SWAP:
        corner = corner_of(state, state.player)
        one, other = CLOUD_PAIRS[action - _SWAP]
        changing_clouds(state, box, SQUARE_FROM_CORNER[corner, one], SQUARE_FROM_CORNER[corner, other])
    elif action >= _TURN:
        square = CLOUD_SQUARES[(action - _TURN) // 3]
        turbulence(state, box, SQUARE_FROM_CORNER[corner_of(state, state.player), square], (action - _TURN) % 3 + 1)
    elif action >= _DESTINATION:
        apply_destination(state, box, FROM_CORNER[corner_of(state, state.player), action - _DESTINATION])
    elif action >= _CARPET:
        state.moving = action - _CARPET
        state.phase = _P_DESTINATION
    else:
        apply_tile(state, box, action - _TILE + 1)


@rule
def apply_destination(state, box, space):
    """A space was named: for a carpet or for the Djinn."""
    if state.phase == _P_DESTINATION:
        move_carpet(state, box, space)
    elif state.phase == _P_CALL_DJINN:
        call_djinn(state, box, space)
    elif state.phase == _P_MOVE_DJINN:
        move_djinn(state, box, space)
    else:
        place_djinn(state, space)


@rule
def apply_tile(state, box, strength):
    """A tile was named: for the channel, the hand, the action or the wish."""
    if state.phase == _P_ARRANGE:
        arrange(state, strength)
    elif state.phase == _P_CHOOSE:
        choose(state, box, strength)
    elif state.phase == _P_RESOLVE:
        resolve(state, box, strength)
    else:
        make_wish(state, box, strength)


@rule
def scores(state, box, points, tiebreaks):
    """Minus the steps still to walk; 0 for the winner alone."""
    for seat in range(state.num_players):
        points[seat] = -remaining_distance(state, box, seat)
        if state.winner >= 0:
            points[seat] = 0 if seat == state.winner else min(-1, points[seat])


@rule
def determinize(state, box, player):
    """Redraw what the others have picked since the last revelation, at random."""
    if state.phase != _P_ARRANGE and state.phase != _P_CHOOSE:
        return
    for seat in range(state.player + 1):
        if seat == player:
            continue
        if state.phase == _P_ARRANGE:
            redraw_channel(state, seat, state.picks if seat == state.player else VISIBLE)
        else:
            redraw_hand(state, seat, state.picks if seat == state.player else IN_HAND)


@rule
def redraw_channel(state, seat, picks):
    """Any tiles may have been slid in so far; the others are as at the beginning."""
    for place in range(NUM_WINDS):
        state.channel[seat, place] = place + 1
    for pick in range(picks):
        slide_in(state, seat, state.channel[seat, pick + random_below(state, NUM_WINDS - pick)])


@rule
def redraw_hand(state, seat, picks):
    """Any tiles from behind the screen may be in hand."""
    for pick in range(IN_HAND):
        state.hand[seat, pick] = 0
    for pick in range(picks):
        strength = state.channel[seat, VISIBLE + random_below(state, NUM_WINDS - VISIBLE)]
        while not is_behind_screen(state, seat, strength):
            strength = state.channel[seat, VISIBLE + random_below(state, NUM_WINDS - VISIBLE)]
        state.hand[seat, pick] = strength
