"""The rules of 1001 Islands.

In brief
- Sixteen rounds. The Lookout chooses one of four stacks (three rows of island tiles, and dreams) and lays out one tile per
  player. The Lookout takes one and names the next player, who takes one and names the next, and so on; the last to take a
  tile is the next Lookout.
- An island tile goes into its row, next to the Character board or to a tile already there. The third visible Magic Lamp
  flips the two tiles with the earlier ones.
- Two players: the Lookout looks at three tiles, lays one face down and two face up; the other takes one, then the Lookout;
  the last is discarded. The players take turns as Lookout.
- Points for palms, pairs of Roc and Egg, and four dreams; those with the most Bandits lose a point for each of theirs. Ties:
  fewest Bandits, then a shared win.

Our rulings, of which the README has the full list: gaps in a row are allowed, and flipped tiles are neighbours like others;
a flipped tile hides everything on it; dreams need no place; no Snake gives nothing; copies of a dream score in full; nobody
loses points when nobody has a Bandit; the face-down tile is public as soon as somebody takes it; naming the only player
left, taking the only tile left and filling the only place left are decisions of their own.
"""

from __future__ import annotations

from arabian_envs.engine.jit import rule
from arabian_envs.engine.rng import random_below, shuffle
from arabian_envs.engine.spec import ActionSpec, Group
from arabian_envs.engine.state import TERMINATED
from arabian_envs.games.islands.components import (
    COLUMNS,
    DREAM_PICTURE,
    MAX_SEATS,
    NUM_DREAMS,
    NUM_GEMS,
    NUM_PICTURES,
    NUM_STACKS,
    ROWS,
    STACK_NAMES,
    TILES,
    WISHES,
    Dream,
    Picture,
    Stack,
)
from arabian_envs.games.islands.state import EMPTY, FACE_DOWN_SLOT, HIDE_SLOTS, SLOTS, Phase

_PLACES = ("first", "second", "third", "fourth", "fifth")

ACTIONS = ActionSpec(
    Group("stack", (NUM_STACKS,), "the Lookout draws this round's tiles from a stack", (STACK_NAMES,)),
    Group("hide", (HIDE_SLOTS,), "two players: the Lookout lays one of the three tiles face down", (_PLACES[:HIDE_SLOTS],)),
    Group("tile", (SLOTS,), "take a tile from the table; with two players the third is the face-down one", (_PLACES,)),
    Group(
        "column",
        (COLUMNS,),
        "put the island tile into a column of its row, the first beside the board",
        (_PLACES[:COLUMNS],),
    ),
    Group(
        "next",
        (MAX_SEATS - 1,),
        "the player to choose next, counted from the acting player",
        (("neighbour", "second neighbour", "third neighbour", "fourth neighbour"),),
    ),
)

_STACK, _HIDE, _TILE = ACTIONS.offsets["stack"], ACTIONS.offsets["hide"], ACTIONS.offsets["tile"]
_COLUMN, _NEXT = ACTIONS.offsets["column"], ACTIONS.offsets["next"]

# Enum members as plain numbers, which compile fastest.
_P_STACK, _P_HIDE, _P_TILE = int(Phase.STACK), int(Phase.HIDE), int(Phase.TILE)
_P_COLUMN, _P_NEXT = int(Phase.COLUMN), int(Phase.NEXT)
_S_DREAM = int(Stack.DREAM)
_PALM, _BANDIT, _ROC, _EGG = int(Picture.PALM), int(Picture.BANDIT), int(Picture.ROC), int(Picture.EGG)
_SNAKE, _LAMP = int(Picture.SNAKE), int(Picture.LAMP)
_D_GEM_COLUMNS, _D_GEM_LINES, _D_LAMP = int(Dream.GEM_COLUMNS), int(Dream.GEM_LINES), int(Dream.LAMP)
_D_FLIPPED, _D_SNAKE = int(Dream.FLIPPED), int(Dream.SNAKE)
_NUM_PICTURE_DREAMS = len(DREAM_PICTURE)


# -- Setup -----------------------------------------------------------------------------------------------------------


@rule
def setup(state, box):
    """Shuffle the four kinds of tiles; those that will never be drawn are the ones left in the box. A random Lookout."""
    for stack in range(NUM_STACKS):
        for tile in range(TILES):
            state.deck[stack, tile] = tile
        shuffle(state, state.deck[stack], TILES)
    state.island[:] = EMPTY
    state.dreams[:] = EMPTY
    state.discarded[:] = EMPTY
    for row in range(ROWS):
        for picture in range(NUM_PICTURES):
            state.undrawn[row, picture] = box.all_pictures[row, picture]
    for dream in range(NUM_DREAMS):
        state.undrawn_dreams[dream] = box.copies[dream]
    begin_round(state, random_below(state, state.num_players))


@rule
def begin_round(state, lookout):
    """The Lookout is to choose a stack; nobody has a tile yet."""
    state.lookout = lookout
    state.player = lookout
    state.stack = EMPTY
    state.held = EMPTY
    for seat in range(MAX_SEATS):
        state.chosen[seat] = 0
    state.phase = _P_STACK


# -- 1. Drawing the tiles ----------------------------------------------------------------------------------------------


@rule
def tiles_per_round(state, box):
    """Each stack serves as many rounds as a row has columns: one tile per player, three tiles with two players."""
    return box.tiles_per_stack[state.num_players] // COLUMNS


@rule
def has_tiles(state, box, stack):
    """Whether a stack can be chosen."""
    return state.drawn[stack] < box.tiles_per_stack[state.num_players]


@rule
def tile_on_table(state, box, slot):
    """The number of the tile at a place of the table: the last ones drawn."""
    return state.deck[state.stack, state.drawn[state.stack] - tiles_per_round(state, box) + slot]


@rule
def draw(state, box, stack):
    """Lay out the next tiles of a stack; with two players the Lookout looks at them first."""
    state.stack = stack
    tiles = tiles_per_round(state, box)
    state.drawn[stack] += tiles
    for slot in range(tiles):
        state.on_table[slot] = 1
        tile = tile_on_table(state, box, slot)
        if stack == _S_DREAM:
            state.undrawn_dreams[box.dream[tile]] -= 1
        else:
            for picture in range(NUM_PICTURES):
                state.undrawn[stack, picture] -= box.pictures[stack, tile, picture]
    state.phase = _P_HIDE if state.num_players == 2 else _P_TILE


@rule
def hide(state, box, slot):
    """Two players: lay one tile face down, in the third place, and reveal the others. The other player chooses first."""
    first = state.drawn[state.stack] - tiles_per_round(state, box)
    deck = state.deck[state.stack]
    hidden = deck[first + slot]
    deck[first + slot] = deck[first + FACE_DOWN_SLOT]
    deck[first + FACE_DOWN_SLOT] = hidden
    state.face_down = 1
    state.player = 1 - state.lookout
    state.phase = _P_TILE


# -- 2. Choosing a tile ------------------------------------------------------------------------------------------------


@rule
def take(state, box, slot):
    """Take a tile. An island tile still needs its place; a dream goes to the left of the board."""
    tile = tile_on_table(state, box, slot)
    state.on_table[slot] = 0
    if slot == FACE_DOWN_SLOT:
        state.face_down = 0
    if state.stack == _S_DREAM:
        add_dream(state, state.player, tile)
        after_adding(state, box)
    else:
        state.held = tile
        state.phase = _P_COLUMN


@rule
def add_dream(state, seat, tile):
    """Put a dream tile beside the others."""
    for place in range(COLUMNS):
        if state.dreams[seat, place] == EMPTY:
            state.dreams[seat, place] = tile
            return


@rule
def can_place(state, seat, row, column):
    """An empty place next to the Character board or, straight, to a tile of the same Island."""
    island = state.island[seat]
    if island[row, column] != EMPTY:
        return False
    return (
        column == 0
        or island[row, column - 1] != EMPTY
        or (column + 1 < COLUMNS and island[row, column + 1] != EMPTY)
        or (row > 0 and island[row - 1, column] != EMPTY)
        or (row + 1 < ROWS and island[row + 1, column] != EMPTY)
    )


@rule
def add_island_tile(state, box, seat, row, column, tile):
    """Put an island tile into its row. The third visible Magic Lamp flips the two tiles with the earlier ones."""
    if box.pictures[row, tile, _LAMP] and state.visible[seat, _LAMP] + 1 == WISHES:
        flip_lamps(state, box, seat)
    state.island[seat, row, column] = tile
    for picture in range(NUM_PICTURES):
        state.visible[seat, picture] += box.pictures[row, tile, picture]


@rule
def flip_lamps(state, box, seat):
    """Turn every tile with a visible Magic Lamp Genie face up: nothing on it counts any more."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            tile = state.island[seat, row, column]
            if tile != EMPTY and not state.flipped[seat, row, column] and box.pictures[row, tile, _LAMP]:
                state.flipped[seat, row, column] = 1
                for picture in range(NUM_PICTURES):
                    state.visible[seat, picture] -= box.pictures[row, tile, picture]


@rule
def place(state, box, column):
    """Put the tile in hand into a column of its row."""
    add_island_tile(state, box, state.player, state.stack, column, state.held)
    state.held = EMPTY
    after_adding(state, box)


@rule
def after_adding(state, box):
    """The player who has just added a tile names the next; with two players it is the Lookout; the last ends the round."""
    state.chosen[state.player] = 1
    state.points[state.player] = points_before_bandits(state, box, state.player)
    waiting = 0
    for seat in range(state.num_players):
        waiting += 1 - state.chosen[seat]
    if waiting == 0:
        end_round(state, box)
    elif state.num_players == 2:
        state.player = state.lookout
        state.phase = _P_TILE
    else:
        state.phase = _P_NEXT


@rule
def name_next(state, distance):
    """Name a player who has not chosen a tile yet."""
    state.player = (state.player + distance) % state.num_players
    state.phase = _P_TILE


# -- 3. Changing the Lookout -------------------------------------------------------------------------------------------


@rule
def end_round(state, box):
    """The last player becomes the Lookout; with two players the last tile is discarded and the other one does."""
    if state.num_players == 2:
        discard(state, box)
        lookout = 1 - state.lookout
    else:
        lookout = state.player
    state.rounds_played += 1
    begin_round(state, lookout)
    if state.rounds_played == NUM_STACKS * COLUMNS:
        state.status = TERMINATED


@rule
def discard(state, box):
    """Two players: the tile nobody took leaves the game, face up."""
    for slot in range(HIDE_SLOTS):
        if state.on_table[slot]:
            state.on_table[slot] = 0
            earlier_rounds = state.drawn[state.stack] // tiles_per_round(state, box) - 1
            drawn = state.drawn[state.stack] - tiles_per_round(state, box) + slot
            state.discarded[state.stack, earlier_rounds] = state.deck[state.stack, drawn]
    state.face_down = 0


# -- End of the game and scoring points --------------------------------------------------------------------------------


@rule
def count_flipped(state, seat):
    """Tiles that lie Genie face up."""
    flipped = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            flipped += state.flipped[seat, row, column]
    return flipped


@rule
def visible_gem(state, box, seat, row, column):
    """The gem that can be seen at a place: 1 emerald, 2 ruby, 3 diamond; 0 for none."""
    tile = state.island[seat, row, column]
    if tile == EMPTY or state.flipped[seat, row, column]:
        return 0
    return box.gem[row, tile] + 0


@rule
def different_gems(gems):
    """How many kinds of gem a set holds; gem g is bit g."""
    return ((gems >> 1) & 1) + ((gems >> 2) & 1) + ((gems >> 3) & 1)


@rule
def gems_in_column(state, box, seat, column):
    """The set of gems that can be seen in a column."""
    gems = 0
    for row in range(ROWS):
        gems |= 1 << visible_gem(state, box, seat, row, column)
    return gems


@rule
def gems_in_line(state, box, seat, row):
    """The set of gems that can be seen in a line."""
    gems = 0
    for column in range(COLUMNS):
        gems |= 1 << visible_gem(state, box, seat, row, column)
    return gems


@rule
def points_for(box, dream, count):
    """Points of a dream with a number for each count; nothing for 0, and the last number for more."""
    return 0 if count == 0 else box.dream_points[dream, min(count, NUM_GEMS) - 1] + 0


@rule
def dream_score(state, box, seat, dream):
    """Points of one dream tile, for what can be seen on the Island."""
    if dream < _NUM_PICTURE_DREAMS:
        return box.dream_points[dream, 0] * state.visible[seat, DREAM_PICTURE[dream]]
    if dream == _D_FLIPPED:
        return box.dream_points[dream, 0] * count_flipped(state, seat)
    if dream == _D_LAMP:
        return points_for(box, dream, state.visible[seat, _LAMP])
    if dream == _D_SNAKE:
        return points_for(box, dream, state.visible[seat, _SNAKE])
    points = 0
    if dream == _D_GEM_COLUMNS:
        for column in range(COLUMNS):
            points += points_for(box, dream, different_gems(gems_in_column(state, box, seat, column)))
    else:
        for row in range(ROWS):
            points += points_for(box, dream, different_gems(gems_in_line(state, box, seat, row)))
    return points


@rule
def points_before_bandits(state, box, seat):
    """Palms, pairs of Roc and Egg, and dreams."""
    points = box.points_per_palm * state.visible[seat, _PALM]
    points += box.points_per_combo * min(state.visible[seat, _ROC], state.visible[seat, _EGG])
    for held in range(COLUMNS):
        if state.dreams[seat, held] != EMPTY:
            points += dream_score(state, box, seat, box.dream[state.dreams[seat, held]])
    return points


@rule
def most_bandits(state):
    """The largest number of Bandits that can be seen on an Island."""
    most = 0
    for seat in range(state.num_players):
        most = max(most, state.visible[seat, _BANDIT])
    return most


@rule
def scores(state, box, points, tiebreaks):
    """All who have the most Bandits lose a point for each of theirs. Fewer Bandits break ties."""
    most = most_bandits(state)
    for seat in range(state.num_players):
        bandits = state.visible[seat, _BANDIT]
        points[seat] = points_before_bandits(state, box, seat)
        if bandits == most:
            points[seat] -= box.points_lost_per_bandit * bandits
        tiebreaks[seat] = -bandits


# -- The verbs ---------------------------------------------------------------------------------------------------------


@rule
def legal_actions(state, box, mask):
    """What the acting player may decide now."""
    if state.phase == _P_STACK:
        for stack in range(NUM_STACKS):
            mask.stack[stack] = has_tiles(state, box, stack)
    elif state.phase == _P_HIDE:
        mask.hide[:] = 1
    elif state.phase == _P_TILE:
        for slot in range(SLOTS):
            mask.tile[slot] = state.on_table[slot]
    elif state.phase == _P_COLUMN:
        for column in range(COLUMNS):
            mask.column[column] = can_place(state, state.player, state.stack, column)
    else:
        for distance in range(1, state.num_players):
            mask.next[distance - 1] = 1 - state.chosen[(state.player + distance) % state.num_players]


@rule
def apply(state, box, action):
    """Carry out one decision."""
    if state.phase == _P_STACK:
        draw(state, box, action - _STACK)
    elif state.phase == _P_HIDE:
        hide(state, box, action - _HIDE)
    elif state.phase == _P_TILE:
        take(state, box, action - _TILE)
    elif state.phase == _P_COLUMN:
        place(state, box, action - _COLUMN)
    else:
        name_next(state, action - _NEXT + 1)


@rule
def tiles_not_seen(state, player):
    """How many of the tiles on the table, the last ones, a player has not seen."""
    if state.num_players > 2 or player == state.lookout:
        return 0
    if state.phase == _P_HIDE:
        return HIDE_SLOTS
    return state.face_down + 0


@rule
def determinize(state, box, player):
    """Shuffle what this player has not seen of each kind: stack and box, and what lies face down on the table."""
    for stack in range(NUM_STACKS):
        seen = state.drawn[stack] + 0
        if stack == state.stack:
            seen -= tiles_not_seen(state, player)
        shuffle(state, state.deck[stack, seen:], TILES - seen)
    if tiles_not_seen(state, player) > 0:
        recount_undrawn(state, box)


@rule
def recount_undrawn(state, box):
    """Add up what is on the tiles never drawn."""
    state.undrawn[:] = 0
    state.undrawn_dreams[:] = 0
    for stack in range(NUM_STACKS):
        for position in range(state.drawn[stack], TILES):
            tile = state.deck[stack, position]
            if stack == _S_DREAM:
                state.undrawn_dreams[box.dream[tile]] += 1
            else:
                for picture in range(NUM_PICTURES):
                    state.undrawn[stack, picture] += box.pictures[stack, tile, picture]
