"""Sultans of Wind as text."""

from __future__ import annotations

from typing import Any

from arabian_envs.engine.state import RUNNING, TRUNCATED
from arabian_envs.engine.text import join_columns, paint
from arabian_envs.games.sultans_of_wind.components import NUM_CLOUDS, WIND_NAMES, Wind
from arabian_envs.games.sultans_of_wind.maze import CORNERS, FROM_CORNER, SIDE, SPACES_OF_SQUARE, SQUARE_SIDE, SQUARES
from arabian_envs.games.sultans_of_wind.state import CARPETS, VISIBLE, Phase

_COLOURS = ("cyan", "magenta", "yellow", "green")
_QUESTIONS = {
    Phase.ARRANGE: "arranges the wind channel",
    Phase.PLACE_DJINN: "places the Djinn",
    Phase.CHOOSE: "chooses two wind tiles",
    Phase.RESOLVE: "picks the tile to resolve first",
    Phase.CARPET: "picks a carpet to move",
    Phase.DESTINATION: "moves a carpet",
    Phase.TURBULENCE: "turns a cloud",
    Phase.CHANGING_CLOUDS: "swaps two clouds",
    Phase.CALL_DJINN: "calls the Djinn",
    Phase.MOVE_DJINN: "moves the Djinn",
    Phase.WISH: "has a wish",
}
_SIGNS = {
    Wind.MOVE: "→{}",
    Wind.MOVE_THROUGH: "⇝{}",
    Wind.TURBULENCE: "↻",
    Wind.CHANGING_CLOUDS: "⇄",
    Wind.CALL_DJINN: "☾!",
    Wind.MOVE_DJINN: "☾{}",
}


def render_text(state: Any, box: Any, viewer: int | None = None) -> str:
    """The board from the viewer's corner (the first seat's if everything is revealed), and every channel."""
    lines = [paint("Sultans of Wind", "bold"), headline(state, box), ""]
    lines += join_columns([_board(state, box, viewer or 0), _legend(state, box, viewer)], gap="   ")
    return "\n".join(lines)


def _name(state: Any, seat: int) -> str:
    return paint(f"player {seat}", _COLOURS[corner_of_seat(state, seat)])


def corner_of_seat(state: Any, seat: int) -> int:
    """The corner of the board where a player sits."""
    return 2 * seat if state["num_players"] == 2 else seat


def headline(state: Any, box: Any) -> str:
    """What goes on."""
    if state["status"] == TRUNCATED:
        return f"The last round, {state['round_number']}, is over; nobody has won the race."
    if state["status"] != RUNNING:
        return f"{_name(state, int(state['winner']))} is the new Sultan of Wind."
    words = [f"Round {state['round_number']} of {box['last_round']}" if state["round_number"] else "Set-up"]
    words.append(f"{_name(state, int(state['player']))} {_QUESTIONS[Phase(int(state['phase']))]}")
    if state["playing"]:
        wish = ", a wish" if state["wishing"] else ""
        words.append(f"tile {_tile(box, int(state['playing']))} {WIND_NAMES[box['wind'][state['playing']]]}{wish}")
    return "   ".join(words)


def _tile(box: Any, strength: int) -> str:
    """A wind tile: its strength and a sign for its action."""
    return f"{strength}{_SIGNS[Wind(int(box['wind'][strength]))].format(box['steps'][strength])}"


def _board(state: Any, box: Any, viewer: int) -> list[str]:
    """Twelve rows, the viewer's own corner at the bottom left, so that spaces have the names of the viewer's actions."""
    signs = _spaces(state, box)
    home = corner_of_seat(state, viewer)
    edge = "   +" + ("-" * (2 * SQUARE_SIDE + 1) + "+") * (SIDE // SQUARE_SIDE)
    lines = [edge]
    for row in range(SIDE - 1, -1, -1):
        cells = [signs[FROM_CORNER[home, row * SIDE + column]] for column in range(SIDE)]
        squares = ["".join(cells[first : first + SQUARE_SIDE]) for first in range(0, SIDE, SQUARE_SIDE)]
        lines.append(f"{row + 1:2d} | " + "| ".join(squares) + "|")
        if row % SQUARE_SIDE == 0:
            lines.append(edge)
    columns = ["".join(f"{letter} " for letter in "abcdefghijkl"[first : first + 3]) for first in range(0, SIDE, 3)]
    lines.append("     " + "  ".join(columns))
    return lines


def _spaces(state: Any, box: Any) -> list[str]:
    """Two visible signs for each space of the board."""
    signs = [""] * (SIDE * SIDE)
    for square in range(SQUARES):
        tile = int(state["tile"][square])
        face = int(box["face"][tile, state["turned"][square]])
        for place, space in enumerate(SPACES_OF_SQUARE[square]):
            blocked = face >> (place // SQUARE_SIDE * SIDE + place % SQUARE_SIDE) & 1
            if blocked:
                signs[space] = paint("▒▒", "blue")
            elif tile >= NUM_CLOUDS:
                signs[space] = paint("· ", _COLOURS[tile - NUM_CLOUDS])
            else:
                signs[space] = paint("· ", "grey")
    for corner in range(CORNERS):
        for space in box["start"][corner]:
            signs[space] = paint("⌂ ", _COLOURS[corner])
    for seat in range(state["num_players"]):
        for carpet in range(CARPETS):
            if state["carpet"][seat, carpet] >= 0:
                signs[state["carpet"][seat, carpet]] = paint(f"◆{carpet + 1}", "bold", _COLOURS[corner_of_seat(state, seat)])
    if state["djinn"] >= 0:
        signs[state["djinn"]] = paint("☾ ", "bold", "red")
    return signs


def _legend(state: Any, box: Any, viewer: int | None) -> list[str]:
    """Every player's channel and hand, and what the signs mean."""
    lines = []
    for seat in range(state["num_players"]):
        favor = "   " + paint("Djinn's Favor", "red") if state["favor"] == seat else ""
        lines += [_name(state, seat) + (" (you)" if seat == viewer else "") + favor, *_tiles(state, box, seat, viewer), ""]
    lines.append(f"{paint('◆1', 'bold')} carpet  {paint('⌂', 'bold')} starting space  {paint('▒▒', 'blue')} cloud  ☾ Djinn")
    if state["round_number"] and state["phase"] > Phase.CHOOSE:
        order = [_name(state, int(seat)) for seat in state["order"][: state["num_players"]]]
        lines.append("turn order: " + ", ".join(order))
    return lines


def _tiles(state: Any, box: Any, seat: int, viewer: int | None) -> list[str]:
    """The channel, left end first, with the screen, and the hand."""
    tiles = known_tiles(state, seat, viewer)
    if tiles is None:
        return ["  arranges in secret"]
    in_view, behind, hand = (" ".join(_tile(box, strength) for strength in part) for part in tiles)
    return [f"  {in_view} ▐{paint(behind, 'bold')}▌", *(["  in hand " + paint(hand, "bold")] if hand else [])]


def known_tiles(state: Any, seat: int, viewer: int | None) -> tuple[list[int], list[int], list[int]] | None:
    """A player's tiles in view, behind the screen and in hand; those picked in secret are shown to their owner alone."""
    known = viewer is None or viewer == seat
    channel = [int(strength) for strength in state["channel"][seat]]
    in_view = VISIBLE
    if state["phase"] == Phase.ARRANGE:
        if not known:
            return None
        if seat >= state["player"]:
            in_view = int(state["picks"]) if seat == state["player"] else 0
    hand = sorted(int(strength) for strength in state["hand"][seat] if strength > 0)
    if state["phase"] == Phase.CHOOSE and not known:
        hand = []
    resolving = int(state["playing"]) if state["player"] == seat else 0
    behind = sorted(strength for strength in channel[in_view:] if strength not in hand and strength != resolving)
    return channel[:in_view], behind, hand
