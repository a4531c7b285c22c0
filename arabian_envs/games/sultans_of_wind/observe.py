"""What a seat sees of Sultans of Wind: the board from its own corner, and all tiles but those picked in secret."""

from __future__ import annotations

from arabian_envs.engine.jit import rule
from arabian_envs.engine.spec import ObservationSpec, Piece
from arabian_envs.games.sultans_of_wind.components import NUM_WINDS
from arabian_envs.games.sultans_of_wind.maze import (
    CORNERS,
    SIDE,
    SPACES,
    SQUARES,
    SQUARES_ACROSS,
    TO_CORNER,
    WORD,
    square_of,
)
from arabian_envs.games.sultans_of_wind.rules import clouds, corner_of
from arabian_envs.games.sultans_of_wind.state import CARPETS, IN_HAND, NUM_PHASES, VISIBLE, Phase

_P_ARRANGE, _P_CHOOSE = int(Phase.ARRANGE), int(Phase.CHOOSE)
_LONGEST = 12

OBSERVATION = ObservationSpec(
    Piece("phase", (NUM_PHASES,), 0, 1, "one-hot: what is to be decided"),
    Piece("acting", (CORNERS,), 0, 1, "one-hot: whose decision it is, by corner: own, next clockwise, opposite, last"),
    Piece("seated", (CORNERS,), 0, 1, "1 for each corner with a player, own corner first"),
    Piece("favor", (CORNERS,), 0, 1, "one-hot: who has the Djinn's Favor, by corner"),
    Piece(
        "turns_left",
        (CORNERS,),
        0,
        1,
        "who still has actions to resolve this round, by corner: 1 now, less the later; else 0",
    ),
    Piece("round_number", (1,), 0, 1, "rounds begun, as a share of all rounds"),
    Piece("clouds", (SPACES,), 0, 1, "1 where a cloud blocks, row by row from the own corner"),
    Piece("own_carpets", (SPACES,), 0, 1, "1 where an own carpet is"),
    Piece("other_carpets", (SPACES,), 0, 1, "1 where another's carpet is"),
    Piece(
        "carpet_at", (CORNERS, CARPETS, 2), 0, 1, "row and column of each carpet, 1/12 … 1, by corner; 0 if not in the game"
    ),
    Piece("djinn_square", (SQUARES,), 0, 1, "one-hot: the Djinn's square, from the own palace"),
    Piece("djinn_at", (2,), 0, 1, "row and column of the Djinn, 1/12 … 1; 0 before it is placed"),
    Piece(
        "channel",
        (CORNERS, NUM_WINDS),
        0,
        1,
        "place of each strength, by corner: 1 behind the screen, 0.8 … 0.2 in view towards the left end; 0 taken or unknown",
    ),
    Piece("hand", (CORNERS, NUM_WINDS), 0, 1, "1 for each tile in hand that this seat knows of, by corner"),
    Piece("playing", (NUM_WINDS,), 0, 1, "one-hot: strength of the tile being resolved"),
    Piece("steps", (1,), 0, 1, "how far its pawn may go / 12"),
    Piece("wishing", (1,), 0, 1, "1 if that is a wish's extra action"),
    Piece("moving", (CARPETS,), 0, 1, "one-hot: the acting player's carpet that will move"),
)


@rule
def observe(state, box, player, out):
    """Write the table as this seat sees it."""
    home = corner_of(state, player)
    out.phase[state.phase] = 1.0
    out.round_number[0] = state.round_number / box.last_round
    observe_clouds(state, box, home, out)
    for seat in range(state.num_players):
        corner = (corner_of(state, seat) - home + CORNERS) % CORNERS
        out.seated[corner] = 1.0
        out.acting[corner] = state.player == seat
        out.favor[corner] = state.favor == seat
        observe_carpets(state, box, seat, home, corner, out)
        observe_tiles(state, seat, player, corner, out)
    if state.djinn >= 0:
        space = TO_CORNER[home, state.djinn]
        out.djinn_square[square_of(space)] = 1.0
        out.djinn_at[0] = (space // SIDE + 1) / SIDE
        out.djinn_at[1] = (space % SIDE + 1) / SIDE
    if state.phase > _P_CHOOSE:
        for turn in range(state.turn, state.num_players):
            corner = (corner_of(state, state.order[turn]) - home + CORNERS) % CORNERS
            out.turns_left[corner] = 1 - (turn - state.turn) / CORNERS
    if state.playing > 0:
        out.playing[state.playing - 1] = 1.0
        out.steps[0] = box.steps[state.playing] / _LONGEST
        out.wishing[0] = state.wishing
    if state.moving >= 0:
        out.moving[state.moving] = 1.0


@rule
def observe_clouds(state, box, home, out):
    """Write the maze as seen from a corner."""
    maze = clouds(state, box)
    for row in range(SQUARES_ACROSS):
        word = maze[row]
        for bit in range(WORD):
            out.clouds[TO_CORNER[home, row * WORD + bit]] = word >> bit & 1


@rule
def observe_carpets(state, box, seat, home, corner, out):
    """Write one seat's carpets."""
    for carpet in range(box.carpets[state.num_players]):
        space = TO_CORNER[home, state.carpet[seat, carpet]]
        out.carpet_at[corner, carpet, 0] = (space // SIDE + 1) / SIDE
        out.carpet_at[corner, carpet, 1] = (space % SIDE + 1) / SIDE
        if corner == 0:
            out.own_carpets[space] = 1.0
        else:
            out.other_carpets[space] = 1.0


@rule
def observe_tiles(state, seat, player, corner, out):
    """Write one seat's channel and hand, as far as they are revealed."""
    if seat == player or state.phase != _P_ARRANGE:
        for place in range(NUM_WINDS):
            # During set-up only the tiles picked so far have a place; the others will lie behind the screen.
            in_view = place < (state.picks if state.phase == _P_ARRANGE and state.player == seat else VISIBLE)
            if state.phase == _P_ARRANGE and state.player < seat:
                in_view = False
            out.channel[corner, state.channel[seat, place] - 1] = (place + 1) / (VISIBLE + 1) if in_view else 1.0
    if seat == player or state.phase != _P_CHOOSE:
        for index in range(IN_HAND):
            strength = state.hand[seat, index]
            if strength > 0:
                out.hand[corner, strength - 1] = 1.0
                out.channel[corner, strength - 1] = 0.0
    if state.playing > 0 and state.player == seat:
        out.channel[corner, state.playing - 1] = 0.0
