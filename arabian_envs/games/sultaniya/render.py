"""Sultaniya as text: palaces floor by floor, displays, sapphires and Djinns."""

from __future__ import annotations

from typing import Any

from arabian_envs.engine.text import join_columns, paint
from arabian_envs.games.sultaniya.components import (
    CHARACTER_NAMES,
    DJINN_NAMES,
    FIRST_SLOT,
    FIRST_TILE,
    FLOOR_NAMES,
    NUM_DJINNS,
    NUM_FLOORS,
    NUM_TILES,
    OBJECTIVES_EACH,
    SYMBOL_NAMES,
    WIDTH,
    Counts,
    Kind,
    Special,
    Symbol,
)
from arabian_envs.games.sultaniya.rules import complete, count, extra_points, palace_points
from arabian_envs.games.sultaniya.state import Phase

_SEAT_COLOURS = ("cyan", "magenta", "yellow", "green")
_FLOOR_COLOURS = ("blue", "red", "green", "yellow")
_FLOOR_LETTERS = "BRGY"
_KIND_SIGNS = "═‖∩▲▀·"  # wall, column, gate, minaret, base, sky
_SYMBOL_SIGNS = "▣♜Ω♣♞◆"  # window, tower, cupola, garden, guard, sapphire
_SPECIAL_HALVES = {
    Special.LONE_GATE: ("∩∩", "∩∩"),
    Special.LONE_MINARET: ("▲▲", "▲▲"),
    Special.PLUS4: (" +", "4 "),
    Special.PLUS5: (" +", "5 "),
}
_HALF = 4  # characters a half-column
_LEGEND = "▣ window ♜ tower Ω cupola ♣ garden ♞ guard ◆ sapphire    edges: ═ wall ‖ column ∩ gate ▲ minaret"
_QUESTIONS = {
    Phase.TURN: "builds, calls on a Djinn or passes",
    Phase.BUILD: "reveals or takes a tile",
    Phase.PLACE: "places the tile in hand",
    Phase.SEARCH_PILE: "chooses a pile to search",
    Phase.REFRESH_PILE: "chooses a display to refresh",
    Phase.LIFT: "may lift a tile",
    Phase.MOVE: "moves or returns the lifted tile",
}


def render_text(state: Any, box: Any, viewer: int | None = None) -> str:
    """The whole table; objectives and a searched pile only for those who may see them."""
    seats = range(int(state["num_players"]))
    lines = [paint("Sultaniya", "bold"), _headline(state), paint(_LEGEND, "dim"), ""]
    palaces = [_palace(state, box, seat, viewer) for seat in seats]
    for first in range(0, len(palaces), 2):
        lines += [*join_columns(palaces[first : first + 2], "   "), ""]
    piles = [_pile(state, box, floor) for floor in range(NUM_FLOORS)]
    lines += [*join_columns(piles[:2], "   "), *join_columns(piles[2:], "   ")]
    lines.append(_table_line(state, box))
    if state["hand"] >= 0:
        lines += ["in hand:", *_draw_tile(box, 1 + 2 * int(state["hand"]), _floor_of(int(state["hand"])))]
    if state["phase"] == Phase.SEARCH and viewer in (None, int(state["player"])):
        lines.append(_searched(state))
    return "\n".join(lines)


def _headline(state: Any) -> str:
    if state["status"]:
        return "The game is over."
    seat = int(state["player"])
    last = "" if state["ender"] < 0 else "   last turns!"
    return f"Round {int(state['rounds']) + 1}{last}   {_seat_name(state, seat)} {question(state)}"


def question(state: Any) -> str:
    """What the acting player decides; everybody sees which pile is searched."""
    if state["phase"] == Phase.SEARCH:
        return f"searches the {FLOOR_NAMES[int(state['searched'])]} pile"
    return _QUESTIONS[Phase(int(state["phase"]))]


def _seat_name(state: Any, seat: int) -> str:
    return paint(f"player {seat}, {CHARACTER_NAMES[int(state['character'][seat])]}", _SEAT_COLOURS[seat])


# -- Palaces -----------------------------------------------------------------------------------------------------------


def _palace(state: Any, box: Any, seat: int, viewer: int | None) -> list[str]:
    """A player's name and scoring, and the four floors, each shifted by half a tile."""
    character = int(state["character"][seat])
    scoring = [SYMBOL_NAMES[box["score_1"][character]], SYMBOL_NAMES[box["score_3"][character]]]
    scoring.append("gate" if box["score_6"][character] == Kind.GATE else "minaret")
    lines = [f"{_seat_name(state, seat)}: {', '.join(scoring)}"]
    for floor in reversed(range(NUM_FLOORS)):
        lines += _floor(box, state["palace"][seat], floor)
    lines.append(_summary(state, box, seat))
    lines.append(_objectives(state, box, seat, viewer))
    return lines


def _floor(box: Any, palace: Any, floor: int) -> list[str]:
    """Three lines: the top edges, the symbols, the bottom edges."""
    shift = " " * (_HALF * (floor % 2))
    rows = [shift, shift, shift]
    for i in range(int(WIDTH[floor])):
        face = int(palace[FIRST_SLOT[floor] + i])
        drawn = _draw_tile(box, face, floor) if face else [" " * 8, paint(f"   {i}·   ", "grey"), " " * 8]
        rows = [row + part for row, part in zip(rows, drawn, strict=True)]
    return [row + shift for row in rows]


def _draw_tile(box: Any, face: int, floor: int) -> list[str]:
    """A tile, eight characters by three; printed ones with double corners."""
    printed = face > 2 * NUM_TILES
    corners = "╔╗╚╝║" if printed else "╭╮╰╯│"
    colour = _FLOOR_COLOURS[floor]
    top, bottom = ("".join(_KIND_SIGNS[kind] * 3 for kind in box[edge][face]) for edge in ("top", "bottom"))
    middle = "".join(_half(box, face, half) for half in range(2))
    return [
        paint(corners[0] + top + corners[1], colour),
        paint(corners[4], colour) + middle + paint(corners[4], colour),
        paint(corners[2] + bottom + corners[3], colour),
    ]


def _half(box: Any, face: int, half: int) -> str:
    special = _SPECIAL_HALVES.get(Special(int(box["special"][face])))
    if special:
        return special[half].center(3)
    symbols = box["symbols"][face, half]
    return "".join(_SYMBOL_SIGNS[symbol] * int(symbols[symbol]) for symbol in Symbol).center(3)


def _summary(state: Any, box: Any, seat: int) -> str:
    counts = "  ".join(f"{_SYMBOL_SIGNS[symbol]}{count(state, box, seat, int(symbol))}" for symbol in Symbol)
    gates = f"∩{complete(state, box, seat, int(Kind.GATE))}  ▲{complete(state, box, seat, int(Kind.MINARET))}"
    extra = f"  +{extra_points(state, box, seat)}" if extra_points(state, box, seat) else ""
    points = paint(f"{palace_points(state, box, seat)} points", "bold")
    return f"{counts}  {gates}{extra}   {points}"


def _objectives(state: Any, box: Any, seat: int, viewer: int | None) -> str:
    names = " + ".join(objective_names(state, box, seat, viewer))
    djinns = ", ".join(DJINN_NAMES[d] for d in range(NUM_DJINNS) if state["djinn_holder"][d] == seat) or "none"
    return f"sapphires {int(state['sapphires'][seat])}   Djinns: {djinns}   objectives: {names}"


def objective_names(state: Any, box: Any, seat: int, viewer: int | None) -> list[str]:
    """A player's objectives; question marks where the viewer must not see them."""
    held = [int(state["objectives"][OBJECTIVES_EACH * seat + i]) for i in range(OBJECTIVES_EACH)]
    shown = viewer is None or viewer == seat or box["open_objectives"]
    return [_objective(box, objective) if shown else "?" for objective in held]


def _objective(box: Any, objective: int) -> str:
    counts = Counts(int(box["counts"][objective]))
    if counts in (Counts.DJINNS, Counts.PAIRS):
        return "Djinns" if counts == Counts.DJINNS else "sapphire pairs"
    return f"{counts.name.lower()} {SYMBOL_NAMES[box['counted'][objective]]}s"


# -- The middle of the table -------------------------------------------------------------------------------------------


def _floor_of(tile: int) -> int:
    return max(floor for floor in range(NUM_FLOORS) if tile >= FIRST_TILE[floor])


def tile_name(tile: int) -> str:
    """A tile's letter and number, in the order of the tile file: B01 … Y25."""
    floor = _floor_of(tile)
    return f"{_FLOOR_LETTERS[floor]}{tile - int(FIRST_TILE[floor]) + 1:02d}"


def _pile(state: Any, box: Any, floor: int) -> list[str]:
    """The display and, behind a bar, the visible top of the pile."""
    size = int(state["pile_size"][floor])
    blocks = [_card(box, int(state["display"][floor, k]), floor) for k in range(int(state["displayed"][floor]))]
    blocks += [[" " * 8] * 4] * (3 - len(blocks))
    top = _card(box, int(state["pile"][floor, size - 1]), floor) if size else [" " * 8, " empty  ", " " * 8, " " * 8]
    blocks += [[paint("┆", "dim")] * 4, top]
    return [f"{paint(FLOOR_NAMES[floor], _FLOOR_COLOURS[floor])}: display ┆ top of {size} tiles", *join_columns(blocks)]


def _card(box: Any, tile: int, floor: int) -> list[str]:
    return [*_draw_tile(box, 1 + 2 * tile, floor), f"  {tile_name(tile)}   "]


def _table_line(state: Any, box: Any) -> str:
    free = [f"{DJINN_NAMES[d]} ({box['cost'][d]})" for d in range(NUM_DJINNS) if state["djinn_holder"][d] < 0]
    called = "" if state["djinn"] < 0 else f"   called: {paint(DJINN_NAMES[int(state['djinn'])], 'bold')}"
    return f"treasure {int(state['treasure'])}   Djinns on the track: {', '.join(free) or 'none'}{called}"


def _searched(state: Any) -> str:
    pile = int(state["searched"])
    tiles = [tile_name(int(state["pile"][pile, depth])) for depth in reversed(range(int(state["pile_size"][pile])))]
    return f"the {FLOOR_NAMES[pile]} pile from the top: {' '.join(tiles)}"
