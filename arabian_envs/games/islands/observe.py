"""What a seat sees of 1001 Islands: all Islands, its own first, the tiles on the table and the sum of what is left."""

from __future__ import annotations

from arabian_envs.engine.jit import rule
from arabian_envs.engine.spec import ObservationSpec, Piece
from arabian_envs.games.islands.components import (
    COLUMNS,
    MAX_PICTURES,
    MAX_SEATS,
    NUM_DREAMS,
    NUM_GEMS,
    NUM_PICTURES,
    NUM_STACKS,
    ROWS,
    TILES,
    Picture,
    Stack,
)
from arabian_envs.games.islands.rules import (
    count_flipped,
    most_bandits,
    tile_on_table,
    tiles_not_seen,
    tiles_per_round,
)
from arabian_envs.games.islands.state import EMPTY, NUM_PHASES, SLOTS, Phase

_MOST_POINTS = 200

OBSERVATION = ObservationSpec(
    Piece("phase", (NUM_PHASES,), 0, 1, "one-hot: what is to be decided (stack, hide, tile, column, next)"),
    Piece("acting", (MAX_SEATS,), 0, 1, "one-hot: who decides, this seat first"),
    Piece("players", (MAX_SEATS - 1,), 0, 1, "one-hot: 2, 3, 4 or 5 players"),
    Piece("rounds_left", (1,), 0, 1, "rounds left, this one included, as a share of all rounds"),
    Piece("lookout", (MAX_SEATS,), 0, 1, "one-hot: who is the Lookout, this seat first"),
    Piece("chosen", (MAX_SEATS,), 0, 1, "1 for each seat that has taken its tile this round"),
    Piece("draws_left", (NUM_STACKS,), 0, 1, "rounds each stack still serves / 4"),
    Piece("stack", (NUM_STACKS,), 0, 1, "one-hot: the stack of this round's tiles, once chosen"),
    Piece("on_table", (SLOTS,), 0, 1, "1 where a tile lies on the table"),
    Piece("unknown", (SLOTS,), 0, 1, "1 where this seat does not know that tile"),
    Piece("table_pictures", (SLOTS, NUM_PICTURES), 0, MAX_PICTURES, "pictures on the island tiles of the table"),
    Piece("table_dreams", (SLOTS, NUM_DREAMS), 0, 1, "one-hot: the dream tiles of the table"),
    Piece("held_pictures", (NUM_PICTURES,), 0, MAX_PICTURES, "pictures on the island tile about to be placed"),
    Piece(
        "undrawn", (ROWS, NUM_PICTURES), 0, MAX_PICTURES, "pictures on an average tile of a row that this seat has not seen"
    ),
    Piece("undrawn_dreams", (NUM_DREAMS,), 0, 1, "dream tiles this seat has not seen / 20"),
    Piece("points", (MAX_SEATS,), 0, _MOST_POINTS / 50, "points so far before losses to Bandits / 50, at most 4"),
    Piece("most_bandits", (MAX_SEATS,), 0, 1, "1 for each seat that would lose points to Bandits now"),
    Piece("pictures", (MAX_SEATS, NUM_PICTURES), 0, MAX_PICTURES * 3, "pictures seen on each Island / 4"),
    Piece("flipped", (MAX_SEATS,), 0, 3, "flipped tiles of each Island / 4"),
    Piece("dreams", (MAX_SEATS, NUM_DREAMS), 0, 1, "dream tiles of each seat, of each dream / 4"),
    Piece(
        "islands",
        (MAX_SEATS, ROWS, COLUMNS, NUM_GEMS + 2),
        0,
        1,
        "each place of each Island: a tile; its emerald, ruby, diamond and lamp if they can be seen",
    ),
)

_S_DREAM, _LAMP, _BANDIT = int(Stack.DREAM), int(Picture.LAMP), int(Picture.BANDIT)
_P_COLUMN = int(Phase.COLUMN)


@rule
def observe(state, box, player, out):
    """Write the table as this seat sees it."""
    out.phase[state.phase] = 1.0
    out.players[state.num_players - 2] = 1.0
    out.rounds_left[0] = (NUM_STACKS * COLUMNS - state.rounds_played) / (NUM_STACKS * COLUMNS)
    observe_stacks(state, box, player, out)
    if state.stack != EMPTY:
        observe_table(state, box, player, out)
    most = most_bandits(state)
    for side in range(state.num_players):
        seat = (player + side) % state.num_players
        out.acting[side] = seat == state.player
        out.lookout[side] = seat == state.lookout
        out.most_bandits[side] = most > 0 and state.visible[seat, _BANDIT] == most
        observe_side(state, box, seat, side, out)
        observe_island(state, box, seat, side, out)


@rule
def observe_stacks(state, box, player, out):
    """Write what is left of each stack, seen as one with what was left in the box and with tiles this seat has not seen."""
    tiles = tiles_per_round(state, box)
    for stack in range(NUM_STACKS):
        out.draws_left[stack] = (COLUMNS - state.drawn[stack] // tiles) / COLUMNS
    for row in range(ROWS):
        for picture in range(NUM_PICTURES):
            out.undrawn[row, picture] = state.undrawn[row, picture]
    for dream in range(NUM_DREAMS):
        out.undrawn_dreams[dream] = state.undrawn_dreams[dream]
    not_seen = tiles_not_seen(state, player)
    if not_seen > 0:
        add_tiles_not_seen(state, box, not_seen, out)
    for dream in range(NUM_DREAMS):
        out.undrawn_dreams[dream] /= TILES
    for row in range(ROWS):
        left = TILES - state.drawn[row] + (not_seen if row == state.stack else 0)
        if left > 0:
            for picture in range(NUM_PICTURES):
                out.undrawn[row, picture] /= left


@rule
def add_tiles_not_seen(state, box, not_seen, out):
    """Count the last tiles drawn as if they were still in the stack."""
    stack = state.stack
    for position in range(state.drawn[stack] - not_seen, state.drawn[stack]):
        tile = state.deck[stack, position]
        if stack == _S_DREAM:
            out.undrawn_dreams[box.dream[tile]] += 1.0
        else:
            for picture in range(NUM_PICTURES):
                out.undrawn[stack, picture] += box.pictures[stack, tile, picture]


@rule
def observe_table(state, box, player, out):
    """Write the tiles of this round, and the one in the acting player's hand."""
    stack = state.stack
    out.stack[stack] = 1.0
    tiles = tiles_per_round(state, box)
    for slot in range(tiles):
        if not state.on_table[slot]:
            continue
        out.on_table[slot] = 1.0
        if slot >= tiles - tiles_not_seen(state, player):
            out.unknown[slot] = 1.0
        elif stack == _S_DREAM:
            out.table_dreams[slot, box.dream[tile_on_table(state, box, slot)]] = 1.0
        else:
            tile = tile_on_table(state, box, slot)
            for picture in range(NUM_PICTURES):
                out.table_pictures[slot, picture] = box.pictures[stack, tile, picture]
    if state.phase == _P_COLUMN:
        for picture in range(NUM_PICTURES):
            out.held_pictures[picture] = box.pictures[stack, state.held, picture]


@rule
def observe_side(state, box, seat, side, out):
    """Write one seat's sums."""
    out.chosen[side] = state.chosen[seat]
    out.points[side] = min(state.points[seat], _MOST_POINTS) / 50
    out.flipped[side] = count_flipped(state, seat) / 4
    for picture in range(NUM_PICTURES):
        out.pictures[side, picture] = state.visible[seat, picture] / 4
    for held in range(COLUMNS):
        if state.dreams[seat, held] != EMPTY:
            out.dreams[side, box.dream[state.dreams[seat, held]]] += 0.25


@rule
def observe_island(state, box, seat, side, out):
    """Write the places of one Island."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            tile = state.island[seat, row, column]
            if tile == EMPTY:
                continue
            out.islands[side, row, column, 0] = 1.0
            if not state.flipped[seat, row, column]:
                if box.gem[row, tile] > 0:
                    out.islands[side, row, column, box.gem[row, tile]] = 1.0
                out.islands[side, row, column, NUM_GEMS + 1] = box.pictures[row, tile, _LAMP]
