"""What a seat sees of Djinns of the High Desert: its own hand and all open cards, its own side first."""

from __future__ import annotations

from arabian_envs.engine.jit import rule
from arabian_envs.engine.spec import ObservationSpec, Piece
from arabian_envs.games.djinns.components import MAX_CARDS, MAX_COUNT, MAX_VALUE, NUM_CLANS, NUM_KINDS
from arabian_envs.games.djinns.rules import MAX_TURNS, clan_points, is_immune, palace_points
from arabian_envs.games.djinns.state import NONE, NUM_PHASES, NUM_WISHES, SEATS, Phase

# Divisors that bring the numbers of the game's own box to about 0 … 1.
_COUNT, _VALUE, _POINTS, _HAND = 5, 5, 20, 10

_MOST = MAX_COUNT / _COUNT
_FAR = MAX_CARDS * MAX_VALUE / _POINTS

OBSERVATION = ObservationSpec(
    Piece("phase", (NUM_PHASES,), 0, 1, "one-hot: what is to be decided"),
    Piece("acting", (SEATS,), 0, 1, "one-hot: who decides, from the own seat on"),
    Piece("seated", (SEATS,), 0, 1, "1 for each seat of the table, from the own seat on"),
    Piece("hand", (NUM_KINDS,), 0, _MOST, "own hand: cards of each kind / 5"),
    Piece("palace", (SEATS, NUM_KINDS), 0, _MOST, "each palace: cards of each kind / 5, from the own seat on"),
    Piece("hand_size", (SEATS,), 0, MAX_CARDS / _HAND, "cards in each hand / 10"),
    Piece("palace_size", (SEATS,), 0, 2.5, "cards in each palace, as a share of what brings the last round"),
    Piece("immune", (SEATS,), 0, 1, "1 if others can reach neither palace nor hand"),
    Piece("points", (SEATS,), -_FAR, _FAR, "points of each palace now / 20"),
    Piece("clan_points", (SEATS, NUM_CLANS), 0, _FAR, "values of each clan in each palace / 20"),
    Piece("discards", (NUM_KINDS,), 0, _MOST, "discard pile: cards of each kind / 5"),
    Piece("removed", (NUM_KINDS,), 0, _MOST, "out of the game: cards of each kind / 5"),
    Piece(
        "unseen", (NUM_KINDS,), 0, _MOST, "in the deck, in other hands or being looked at by others: cards of each kind / 5"
    ),
    Piece("deck_size", (1,), 0, 1, "cards in the deck as a share of all"),
    Piece("looked", (NUM_KINDS,), 0, _MOST, "first wish: the cards this seat is looking at, of each kind / 5"),
    Piece("summoned", (NUM_KINDS,), 0, 1, "one-hot: the card being followed"),
    Piece("given", (NUM_KINDS,), 0, 1, "one-hot: the card offered by the Merchant"),
    Piece("wish", (NUM_WISHES,), 0, 1, "one-hot: the wish being made"),
    Piece("to_pay", (1,), 0, 1, "share of the wish still to be paid"),
    Piece("last_round", (1,), 0, 1, "1 in the last round"),
    Piece("last_turn", (SEATS,), 0, 1, "last round: 1 for each seat whose last turn is to come or under way"),
    Piece("turn", (1,), 0, 1, "turns so far as a share of the longest game"),
    Piece("value", (NUM_KINDS,), 0, MAX_VALUE / _VALUE, "value of each kind / 5"),
)

_P_KEEP = int(Phase.KEEP)


@rule
def observe(state, box, player, out):
    """Write the table as this seat sees it."""
    out.phase[state.phase] = 1.0
    for side in range(state.num_players):
        observe_side(state, box, (player + side) % state.num_players, side, out)
    looking = state.phase == _P_KEEP and state.player == player
    for kind in range(NUM_KINDS):
        observe_kind(state, box, player, kind, looking, out)
    out.deck_size[0] = state.deck_size / box.cards
    if state.summoned != NONE:
        out.summoned[state.summoned] = 1.0
    if state.given != NONE:
        out.given[state.given] = 1.0
    if state.wish != NONE:
        out.wish[state.wish] = 1.0
    out.to_pay[0] = state.to_pay / box.wish_cost
    out.last_round[0] = state.turns_left > 0
    out.turn[0] = state.turn / MAX_TURNS


@rule
def observe_side(state, box, seat, side, out):
    """Write one player's open cards and numbers."""
    distance = (seat - state.player + state.num_players) % state.num_players
    out.acting[side] = distance == 0
    out.seated[side] = 1.0
    out.hand_size[side] = state.hand_size[seat] / _HAND
    out.palace_size[side] = state.palace_size[seat] / box.closing_palace
    out.immune[side] = is_immune(state, box, seat)
    out.points[side] = palace_points(state, box, seat) / _POINTS
    for clan in range(NUM_CLANS):
        out.clan_points[side, clan] = clan_points(state, box, seat, clan) / _POINTS
    for kind in range(NUM_KINDS):
        out.palace[side, kind] = state.palace[seat, kind] / _COUNT
    out.last_turn[side] = distance < state.turns_left


@rule
def observe_kind(state, box, player, kind, looking, out):
    """Write where the cards of one kind are, as far as this seat can tell."""
    out.hand[kind] = state.hand[player, kind] / _COUNT
    out.discards[kind] = state.discards[kind] / _COUNT
    out.removed[kind] = state.removed[kind] / _COUNT
    out.value[kind] = box.value[kind] / _VALUE
    unseen = box.count[kind] - state.hand[player, kind] - state.discards[kind] - state.removed[kind]
    for seat in range(state.num_players):
        unseen -= state.palace[seat, kind]
    if looking:
        out.looked[kind] = state.looked[kind] / _COUNT
        unseen -= state.looked[kind]
    out.unseen[kind] = unseen / _COUNT
