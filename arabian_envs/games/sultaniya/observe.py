"""What a seat sees of Sultaniya: all palaces, displays and visible tops; own objectives; of the piles what it has seen."""

from __future__ import annotations

import numpy as np

from arabian_envs.engine.jit import rule
from arabian_envs.engine.spec import ObservationSpec, Piece
from arabian_envs.games.sultaniya.components import (
    COLUMN_OF,
    FIRST_TILE,
    FLOOR_OF,
    MOST_DISPLAYED,
    MOST_TILES,
    NUM_COLUMNS,
    NUM_DJINNS,
    NUM_FACES,
    NUM_FLOORS,
    NUM_OBJECTIVES,
    NUM_SLOTS,
    NUM_SYMBOLS,
    OBJECTIVES_EACH,
    SEATS,
    Kind,
    Special,
    Symbol,
)
from arabian_envs.games.sultaniya.palace import LEFT, fitting_faces, is_open, open_slots, tiles_of
from arabian_envs.games.sultaniya.rules import board_points, complete, extra_points, floor_of_tile
from arabian_envs.games.sultaniya.state import NOBODY, NOTHING, NUM_PHASES, Phase

SHOWN = NUM_FLOORS * (MOST_DISPLAYED + 1) + 1
"""Tiles described in an observation: for each pile its display and its visible top, and the tile in hand."""
_HAND = SHOWN - 1
_SEAMS = NUM_FLOORS - 1
_SEAM_COLUMNS = NUM_COLUMNS - 2
_EDGES = 4
_COUNTED = 4  # guard, sapphire, tower, window: what objectives count
_ALL_TILES = NUM_FACES // 2  # those of the piles and those printed on the boards

OBSERVATION = ObservationSpec(
    Piece("phase", (NUM_PHASES,), 0, 1, "one-hot: what is to be decided"),
    Piece("acting", (SEATS,), 0, 1, "one-hot: who decides, own seat first"),
    Piece("players", (SEATS,), 0, 1, "one-hot: number of players, 1 … 4"),
    Piece("open_objectives", (1,), 0, 1, "1 in the variant with open objectives"),
    Piece("time", (1,), 0, 1, "rounds played / the most that are played"),
    Piece("first_player", (SEATS,), 0, 1, "one-hot: who opens every round, own seat first"),
    Piece("last_turns", (1,), 0, 1, "1 once somebody has built the last roof"),
    Piece("builds", (1,), 0, 1, "tiles the acting player may still build this turn / 2"),
    Piece("revealed", (NUM_FLOORS,), 0, 1, "1 for each pile revealed from this turn"),
    Piece("djinn", (NUM_DJINNS,), 0, 1, "one-hot: the Djinn called this turn"),
    Piece("searched_pile", (NUM_FLOORS,), 0, 1, "one-hot: the pile that is being searched"),
    Piece("djinn_holder", (NUM_DJINNS, SEATS), 0, 1, "one-hot: beside whose palace each Djinn stands, own first"),
    Piece("djinn_cost", (NUM_DJINNS,), 0, 5, "sapphires for each Djinn / 4"),
    Piece("affordable", (NUM_DJINNS,), 0, 1, "1 for each Djinn this seat could pay"),
    Piece("sapphires", (SEATS,), 0, 10, "sapphires / 10: own, then the others in turn order"),
    Piece("treasure", (1,), 0, 10, "sapphires in the treasure / 10"),
    Piece("scoring", (SEATS, 6), 0, 1, "window, tower, cupola, garden, gate, minaret: what each character scores"),
    Piece("objectives", (SEATS, NUM_OBJECTIVES), 0, 1, "own objectives; the others' only in the variant"),
    Piece("symbols", (SEATS, NUM_SYMBOLS), 0, 6, "windows, towers, cupolas, gardens, guards, sapphires of each palace / 8"),
    Piece("complete", (SEATS, 2), 0, 6, "complete gates and minarets of each palace / 2"),
    Piece("extra", (SEATS,), 0, 3, "extra points of each palace's roofs / 10"),
    Piece("points", (SEATS,), 0, 60, "points of each palace without guards and objectives / 30"),
    Piece("floors", (SEATS, NUM_FLOORS), 0, 1, "tiles on each floor of each palace / 6"),
    Piece(
        "palace",
        (SEATS, NUM_SLOTS),
        -1,
        1,
        f"tile on each slot of each palace, own first: (1 + its number) / {_ALL_TILES}, negative if mirrored; 0 if empty",
    ),
    Piece("occupied", (NUM_SLOTS,), 0, 1, "1 for each slot of the own palace with a tile"),
    Piece("open", (NUM_SLOTS,), 0, 1, "1 for each slot of the own palace where a tile with the right artwork could go now"),
    Piece(
        "lifted",
        (NUM_SLOTS,),
        0,
        1,
        "one-hot: the slot of the acting player's palace from which the tile in hand was lifted",
    ),
    Piece(
        "seams",
        (_SEAMS, _SEAM_COLUMNS, 2, 2),
        -1,
        1,
        "own edges between floors, half-columns 1 … 10, from below and above, as in `tile_edges`",
    ),
    Piece("on_floor", (_COUNTED, NUM_FLOORS), 0, 3, "guards, sapphires, towers, windows on each own floor / 4"),
    Piece("in_column", (_COUNTED, NUM_COLUMNS), 0, 1, "guards, sapphires, towers, windows in each own half-column / 4"),
    Piece("pile_size", (NUM_FLOORS,), 0, 1, "tiles in each pile / 28"),
    Piece(
        "known_depth",
        (NUM_FLOORS, MOST_TILES),
        0,
        1,
        "depth from the top / 28 of each tile, by number in its floor, whose place in the pile this seat knows; else 0",
    ),
    Piece(
        "tile_edges",
        (SHOWN, _EDGES, 2),
        -1,
        1,
        "bottom left, bottom right, top left, top right: wall -1 or column +1; gate or minaret",
    ),
    Piece("tile_symbols", (SHOWN, 2, NUM_SYMBOLS), 0, 1, "symbols on the left and right half of each shown tile"),
    Piece("tile_special", (SHOWN, 3), 0, 1, "lintel or lone gate; point or lone minaret; extra points / 5"),
    Piece("tile_worth", (SHOWN,), 0, 6, "points of the tile's symbols for the own character / 20"),
    Piece("tile_fits", (SHOWN,), 0, 1, "1 if the tile fits somewhere in the own palace (a lifted one: elsewhere)"),
)

_GATE, _MINARET = int(Kind.GATE), int(Kind.MINARET)
_GUARD, _SAPPHIRE, _TOWER, _WINDOW = int(Symbol.GUARD), int(Symbol.SAPPHIRE), int(Symbol.TOWER), int(Symbol.WINDOW)
# Of each kind of edge; tables, since a branch here would be guessed wrong half the time.
_PLAIN = np.array([-1.0 if kind == Kind.WALL else float(kind == Kind.COLUMN) for kind in Kind], np.float32)
_SPECIAL = np.array([float(kind in (Kind.GATE, Kind.MINARET)) for kind in Kind], np.float32)
# Of each face, which are numbered in components.py.
_TILE_SHOWN = np.array([(face + 1) // 2 / _ALL_TILES * (1 if face % 2 else -1) for face in range(NUM_FACES)], np.float32)
_COUNTED_SYMBOLS = (_GUARD, _SAPPHIRE, _TOWER, _WINDOW)
_S_LINTEL, _S_POINT = int(Special.LINTEL), int(Special.POINT)
_S_LONE_GATE, _S_LONE_MINARET = int(Special.LONE_GATE), int(Special.LONE_MINARET)
_P_SEARCH = int(Phase.SEARCH)
# For what is written tile by tile: plain fractions are 64-bit numbers, and turning those into 32-bit ones takes time.
_QUARTER, _SIXTH, _EIGHTH = np.float32(1 / 4), np.float32(1 / 6), np.float32(1 / 8)


@rule
def observe(state, box, player, out):
    """Write the table as this seat sees it."""
    n = state.num_players
    out.phase[state.phase] = 1.0
    out.acting[(state.player - player + n) % n] = 1.0
    out.players[n - 1] = 1.0
    out.open_objectives[0] = box.open_objectives
    most = box.solo_turns if n == 1 else box.most_turns
    out.time[0] = min(1.0, state.rounds / most)
    out.first_player[(state.first_player - player + n) % n] = 1.0
    out.last_turns[0] = state.ender != NOBODY
    out.builds[0] = state.builds / 2
    observe_djinns(state, box, player, out)
    out.treasure[0] = state.treasure / 10
    for side in range(n):
        observe_seat(state, box, (player + side) % n, side, out)
    observe_objectives(state, box, player, out)
    observe_piles(state, player, out)
    slots = open_slots(state.palace[player])
    slots_now = slots
    if state.lifted != NOTHING:
        out.lifted[state.lifted] = 1.0
        if state.player == player:
            # The tile in hand may not go back; one built later this turn may stand there.
            slots_now &= ~(1 << LEFT[state.lifted])
    observe_palace(state, box, player, slots_now, out)
    observe_tiles(state, box, player, slots, slots_now, out)


@rule
def observe_djinns(state, box, player, out):
    """Who holds each Djinn, what it costs, and which one works now."""
    n = state.num_players
    if state.djinn != NOTHING:
        out.djinn[state.djinn] = 1.0
    for djinn in range(NUM_DJINNS):
        holder = state.djinn_holder[djinn]
        if holder != NOBODY:
            out.djinn_holder[djinn, (holder - player + n) % n] = 1.0
        out.djinn_cost[djinn] = box.cost[djinn] / 4
        out.affordable[djinn] = state.sapphires[player] >= box.cost[djinn]


@rule
def observe_seat(state, box, seat, side, out):
    """What everybody sees of one player."""
    character = state.character[seat]
    out.sapphires[side] = state.sapphires[seat] / 10
    out.scoring[side, box.score_1[character]] = 1.0
    out.scoring[side, box.score_3[character]] = 1.0
    # Gate and minaret stand behind the four symbols, as kinds they are numbered 2 and 3.
    out.scoring[side, 2 + box.score_6[character]] = 1.0
    for slot in range(NUM_SLOTS):
        face = state.palace[seat, slot]
        if face != 0:
            out.palace[side, slot] = _TILE_SHOWN[face]
            out.floors[side, FLOOR_OF[slot]] += _SIXTH
            for symbol in range(NUM_SYMBOLS):
                out.symbols[side, symbol] += box.totals[face, symbol] * _EIGHTH
    gates, minarets = complete(state, box, seat, _GATE), complete(state, box, seat, _MINARET)
    extra = extra_points(state, box, seat)
    out.complete[side, 0] = gates / 2
    out.complete[side, 1] = minarets / 2
    out.extra[side] = extra / 10
    scored_1, scored_3 = 8 * out.symbols[side, box.score_1[character]], 8 * out.symbols[side, box.score_3[character]]
    scored_6 = gates if box.score_6[character] == _GATE else minarets
    out.points[side] = board_points(box, scored_1, scored_3, scored_6, extra) / 30


@rule
def observe_objectives(state, box, player, out):
    """Own objectives, and in the variant everybody's."""
    n = state.num_players
    for side in range(n if box.open_objectives else 1):
        seat = (player + side) % n
        for held in range(OBJECTIVES_EACH):
            out.objectives[side, state.objectives[OBJECTIVES_EACH * seat + held]] = 1.0


@rule
def observe_piles(state, player, out):
    """Sizes, and the places this seat knows: the top, tiles all saw going under, and in a pile it searches all."""
    for pile in range(NUM_FLOORS):
        out.revealed[pile] = state.revealed >> pile & 1
        size = state.pile_size[pile]
        out.pile_size[pile] = size / MOST_TILES
        known = state.known_under[pile]
        if state.phase == _P_SEARCH and state.searched == pile:
            out.searched_pile[pile] = 1.0
            if state.player == player:
                known = size
        for height in range(known):
            write_depth(state, pile, height, out)
        if size > 0:
            write_depth(state, pile, size - 1, out)


@rule
def write_depth(state, pile, height, out):
    """How deep the tile at this height lies; the top has depth 1."""
    number = state.pile[pile, height] - FIRST_TILE[pile]
    out.known_depth[pile, number] = (state.pile_size[pile] - height) / MOST_TILES


@rule
def observe_palace(state, box, player, slots, out):
    """The own palace: outline, artwork at the seams, and symbols by floor and half-column."""
    palace = state.palace[player]
    for slot in range(NUM_SLOTS):
        face = palace[slot]
        if face == 0:
            out.open[slot] = is_open(slots, slot)
            continue
        out.occupied[slot] = 1.0
        floor = FLOOR_OF[slot]
        for half in range(2):
            column = COLUMN_OF[slot] + half
            if 1 <= column <= _SEAM_COLUMNS:
                if floor < _SEAMS:
                    write_edge(out.seams[floor, column - 1, 0], box.top[face, half])
                if floor > 0:
                    write_edge(out.seams[floor - 1, column - 1, 1], box.bottom[face, half])
            for counted in range(_COUNTED):
                number = box.symbols[face, half, _COUNTED_SYMBOLS[counted]]
                out.on_floor[counted, floor] += number * _QUARTER
                out.in_column[counted, column] += number * _QUARTER


@rule
def write_edge(out, kind):
    """A wall is -1, a column +1; a gate or minaret is marked beside."""
    out[0] = _PLAIN[kind]
    out[1] = _SPECIAL[kind]


@rule
def observe_tiles(state, box, player, slots, slots_now, out):
    """Displays, visible tops and the tile in hand, which goes to a slot that is open now."""
    for pile in range(NUM_FLOORS):
        size = state.pile_size[pile]
        fitting = tiles_of(fitting_faces(state.palace[player], box, slots, pile))
        first = pile * (MOST_DISPLAYED + 1)
        for k in range(state.displayed[pile]):
            observe_tile(state, box, player, state.display[pile, k], fitting, first + k, out)
        if size > 0:
            observe_tile(state, box, player, state.pile[pile, size - 1], fitting, first + MOST_DISPLAYED, out)
    if state.hand != NOTHING:
        fitting = tiles_of(fitting_faces(state.palace[player], box, slots_now, floor_of_tile(state.hand)))
        observe_tile(state, box, player, state.hand, fitting, _HAND, out)


@rule
def observe_tile(state, box, player, tile, fitting, shown, out):
    """One tile as drawn."""
    face = 1 + 2 * int(tile)
    for half in range(2):
        write_edge(out.tile_edges[shown, half], box.bottom[face, half])
        write_edge(out.tile_edges[shown, 2 + half], box.top[face, half])
        for symbol in range(NUM_SYMBOLS):
            out.tile_symbols[shown, half, symbol] = box.symbols[face, half, symbol]
    special = box.special[face]
    character = state.character[player]
    worth = box.window_or_tower_points * box.totals[face, box.score_1[character]] + box.extra[face]
    worth += box.cupola_or_garden_points * box.totals[face, box.score_3[character]]
    if special in (_S_LINTEL, _S_LONE_GATE):
        out.tile_special[shown, 0] = 1.0
        worth += box.gate_or_minaret_points * (box.score_6[character] == _GATE)
    elif special in (_S_POINT, _S_LONE_MINARET):
        out.tile_special[shown, 1] = 1.0
        worth += box.gate_or_minaret_points * (box.score_6[character] == _MINARET)
    out.tile_special[shown, 2] = box.extra[face] / 5
    out.tile_worth[shown] = worth / 20
    out.tile_fits[shown] = fitting >> (tile - FIRST_TILE[floor_of_tile(tile)]) & 1
