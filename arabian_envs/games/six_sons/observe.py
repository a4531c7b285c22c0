"""What a seat sees of Six Sons of the Sultan: everything but the dice to come, its own side first."""

from __future__ import annotations

from arabian_envs.engine.jit import rule
from arabian_envs.engine.spec import ObservationSpec, Piece
from arabian_envs.games.six_sons.components import MAX_SPACES, NUM_TEAS
from arabian_envs.games.six_sons.state import LASTING, NUM_PHASES, SEATS

OBSERVATION = ObservationSpec(
    Piece("phase", (NUM_PHASES,), 0, 1, "one-hot: what is to be decided"),
    Piece("acting", (1,), 0, 1, "1 if this seat decides"),
    Piece("first_player", (1,), 0, 1, "1 if this seat opens every round"),
    Piece("solo", (1,), 0, 1, "1 in solo play; the second side is then the dummy"),
    Piece("time", (1,), 0, 1, "rounds left, this one included, as a share of all rounds"),
    Piece("wealth", (SEATS,), 0, 1, "wealth as a share of the track: own, other's"),
    Piece("prestige", (SEATS,), 0, 10, "prestige so far / 100: own, other's"),
    Piece("position", (SEATS, NUM_TEAS), 0, 1, "space of each token / 8; 0 is the glass"),
    Piece("next_cost", (SEATS, NUM_TEAS), 0, 5, "cost of the next space / 4; 0 at the top"),
    Piece("next_prestige", (SEATS, NUM_TEAS), 0, 4, "prestige of the next space / 6; 0 at the top"),
    Piece("to_special", (SEATS, NUM_TEAS), 0, 1, "spaces to the nearest open special ahead / 8; 0 if none"),
    Piece("at_top", (SEATS, NUM_TEAS), 0, 1, "1 if the token has reached the last space"),
    Piece("dice", (3, 6), 0, 1, "one-hot: the turn's dice in rising order"),
    Piece("order_die", (6,), 0, 1, "one-hot: the Order Die, once assigned"),
    Piece("wealth_die", (6,), 0, 1, "one-hot: the Wealth Die, once assigned"),
    Piece("passing_die", (6,), 0, 1, "one-hot: the Passing Die, once assigned; before that the die that was passed"),
    Piece("active", (LASTING,), 0, 1, "specials of the acting player's turn: Herbal, Jasmine, White, Oolong"),
    Piece("earned", (SEATS, LASTING), 0, 1, "specials waiting for the next turn: own, other's"),
    Piece("swaps", (1,), 0, 1, "Green swaps still to decide this turn / 2"),
    Piece("black", (SEATS,), 0, 1, "1 if Black Tea is owned and not yet decided: own, other's"),
    Piece("named", (NUM_TEAS,), 0, 1, "1 for each card that only the leader scores"),
    Piece("dummy_first_on_black", (1,), 0, 1, "solo: 1 if the best card will not score"),
)


@rule
def observe(state, box, player, out):
    """Write the table as this seat sees it."""
    out.phase[state.phase] = 1.0
    out.acting[0] = state.player == player
    out.first_player[0] = state.first_player == player
    out.solo[0] = state.num_players == 1
    out.time[0] = state.time / box.rounds
    for side in range(SEATS):
        observe_side(state, box, player if side == 0 else 1 - player, side, out)
    for die in range(3):
        out.dice[die, state.dice[die] - 1] = 1.0
    if state.order_die > 0:
        out.order_die[state.order_die - 1] = 1.0
        out.wealth_die[state.wealth_die - 1] = 1.0
    if state.passing_die > 0:
        out.passing_die[state.passing_die - 1] = 1.0
    for tea in range(LASTING):
        out.active[tea] = state.active[tea]
    out.swaps[0] = min(state.swaps, 2) / 2
    for tea in range(NUM_TEAS):
        out.named[tea] = state.named[tea]
    out.dummy_first_on_black[0] = state.dummy_first_on_black


@rule
def observe_side(state, box, seat, side, out):
    """Write one side's tokens, wealth and specials."""
    out.wealth[side] = state.wealth[seat] / box.largest_wealth
    prestige = 0
    for tea in range(NUM_TEAS):
        space = state.position[seat, tea]
        prestige += box.total[tea, space]
        out.position[side, tea] = space / MAX_SPACES
        if space == box.length[tea]:
            out.at_top[side, tea] = 1.0
        else:
            out.next_cost[side, tea] = box.cost[tea, space + 1] / 4
            out.next_prestige[side, tea] = box.prestige[tea, space + 1] / 6
            out.to_special[side, tea] = spaces_to_special(state, box, tea, space) / MAX_SPACES
    out.prestige[side] = prestige / 100
    for tea in range(LASTING):
        out.earned[side, tea] = state.earned[seat, tea]
    out.black[side] = state.black[seat] > 0


@rule
def spaces_to_special(state, box, tea, space):
    """How far ahead the nearest special lies that nobody has taken; 0 if there is none."""
    for ahead in range(max(space, state.reached[tea]) + 1, box.length[tea] + 1):
        if box.special[tea, ahead]:
            return ahead - space
    return 0
