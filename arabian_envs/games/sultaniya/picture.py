"""Sultaniya as a picture."""

from __future__ import annotations

from typing import Any

from arabian_envs.drawing import Canvas, icons, palette
from arabian_envs.drawing.canvas import HEADER, MARGIN
from arabian_envs.drawing.canvas import WIDTH as PAGE
from arabian_envs.games.sultaniya.components import (
    CHARACTER_NAMES,
    DJINN_NAMES,
    FIRST_SLOT,
    FLOOR_NAMES,
    MOST_DISPLAYED,
    NUM_DJINNS,
    NUM_FLOORS,
    NUM_TILES,
    WIDTH,
    Kind,
    Special,
    Symbol,
)
from arabian_envs.games.sultaniya.render import objective_names, question
from arabian_envs.games.sultaniya.rules import floor_of_tile, palace_points
from arabian_envs.games.sultaniya.state import NOBODY, NOTHING, Phase

_COLOURS = palette.SEATS[:4]
_FLOOR_COLOURS = ("#a9c6e3", "#e6b3a3", "#b5d3a0", "#f0d58a")
_FLOOR_EDGES = ("#3a6ea5", "#a8483a", "#4d8b3f", "#b08420")
_TILE_WIDTH, _TILE_HEIGHT = 44, 36
_HALF = _TILE_WIDTH / 2
_PALACE_WIDTH = 6 * _TILE_WIDTH + 18
_PALACE_HEIGHT = 24 + NUM_FLOORS * (_TILE_HEIGHT + 1) + 44
_GAP = PAGE - 2 * MARGIN - 2 * _PALACE_WIDTH
_PILES = 2 * (_TILE_HEIGHT + 8) + 6
_DJINNS = 54
_SEARCH_SCALE = 0.88

# In a square of 16 around the middle: figures and their colours, from back to front.
_FIGURES = {
    Symbol.WINDOW: (("M-6 8V-1A6 7 0 0 1 6 -1V8Z", "#2f5f9e"), ("M-0.7 -7H0.7V8H-0.7ZM-6 0.5H6V2H-6Z", palette.WHITE)),
    Symbol.TOWER: (("M-6 8V-8H-3V-5H-1.5V-8H1.5V-5H3V-8H6V8Z", "#a08a6c"), ("M-1.7 8V2A1.7 2 0 0 1 1.7 2V8Z", palette.INK)),
    Symbol.CUPOLA: (("M-7 4C-9 -1 -2 -3 0 -8C2 -3 9 -1 7 4Z", palette.GOLD), ("M-7 4H7V8H-7Z", "#c07f2a")),
    Symbol.GARDEN: (
        ("M-1.3 8V0H1.3V8Z", "#7a4a22"),
        ("M0 4A5 5 0 0 1 -6 -2A5 5 0 0 1 0 -7A5 5 0 0 1 6 -2A5 5 0 0 1 0 4Z", palette.LEAF),
    ),
    Symbol.GUARD: (
        ("M5 -8H6.2V8H5ZM5.6 -9L7.5 -5H3.7Z", palette.INK),
        ("M-5 8Q-5 -1 -1 -1Q3 -1 3 8Z", palette.CRIMSON),
        ("M-1 -7A3 3 0 1 1 -1 -1A3 3 0 1 1 -1 -7Z", "#d9a877"),
        ("M-4.5 -4Q-4 -9 -1 -9Q2 -9 2.5 -4Q-1 -6 -4.5 -4Z", palette.WHITE),
    ),
}
_GATE = "M-15 12V2A15 13 0 0 1 15 2V12H9V3A9 8 0 0 0 -9 3V12Z"
_MINARET = "M-5 12V-3L0 -12L5 -3V12Z"
_GATE_COLOUR, _MINARET_COLOUR = "#8b6a2f", palette.PLUM


def render_svg(state: Any, box: Any, viewer: int | None = None) -> str:
    """Palaces, piles and Djinns; objectives and a searched pile only for those who may see them."""
    seats = int(state["num_players"])
    piles_top = HEADER + (seats + 1) // 2 * (_PALACE_HEIGHT + 8)
    canvas = Canvas(piles_top + _PILES + _DJINNS + MARGIN)
    corner = "" if state["status"] else f"Round {int(state['rounds']) + 1}" + ("" if state["ender"] < 0 else " · last turns")
    canvas.board("Sultaniya", _headline(state), corner)
    for seat in range(seats):
        x = (PAGE - _PALACE_WIDTH) / 2 if seats == 1 else MARGIN + seat % 2 * (_PALACE_WIDTH + _GAP)
        _draw_palace(canvas, state, box, seat, viewer, x, HEADER + seat // 2 * (_PALACE_HEIGHT + 8))
    if state["phase"] == Phase.SEARCH and viewer in (None, int(state["player"])):
        _draw_searched(canvas, state, box, piles_top)
    else:
        for floor in range(NUM_FLOORS):
            _draw_pile(canvas, state, box, floor, piles_top)
    _draw_djinns(canvas, state, box, piles_top + _PILES)
    return canvas.svg()


def _headline(state: Any) -> str:
    if state["status"]:
        return "The game is over."
    return f"player {state['player']} {question(state)}"


# -- Palaces ---------------------------------------------------------------------------------------------------------


def _draw_palace(canvas: Canvas, state: Any, box: Any, seat: int, viewer: int | None, x: float, y: float) -> None:
    """Four staggered floors between a player's name and possessions."""
    character = int(state["character"][seat])
    canvas.panel(x, y, _PALACE_WIDTH, _PALACE_HEIGHT, highlight=state["player"] == seat and not state["status"])
    you = " (you)" if seat == viewer else ""
    canvas.player(x + 7, y + 17, f"{seat} · {CHARACTER_NAMES[character]}{you}", _COLOURS[seat], width=142)
    _draw_scoring(canvas, box, character, x + 166, y + 12)
    canvas.text(x + _PALACE_WIDTH - 8, y + 18, int(palace_points(state, box, seat)), 15, palette.INK, "end", bold=True)
    for floor in range(NUM_FLOORS):
        top = y + 24 + (NUM_FLOORS - 1 - floor) * (_TILE_HEIGHT + 1)
        for place in range(int(WIDTH[floor])):
            left = x + 9 + place * _TILE_WIDTH + (_HALF if floor % 2 else 0)
            _draw_place(canvas, box, int(state["palace"][seat, FIRST_SLOT[floor] + place]), floor, left, top)
    bottom = y + _PALACE_HEIGHT
    icons.gem(canvas, x + 17, bottom - 29, 14, palette.LAPIS)
    canvas.text(x + 28, bottom - 25, int(state["sapphires"][seat]), 12.5, palette.INK, bold=True)
    djinns = [DJINN_NAMES[djinn] for djinn in range(NUM_DJINNS) if state["djinn_holder"][djinn] == seat]
    canvas.text(x + 54, bottom - 25, "Djinns: " + (", ".join(djinns) or "none"), 11, palette.FADED, width=_PALACE_WIDTH - 62)
    objectives = " + ".join(objective_names(state, box, seat, viewer))
    canvas.text(x + 9, bottom - 9, f"objectives: {objectives}", 11, palette.FADED, width=_PALACE_WIDTH - 18)


def _draw_scoring(canvas: Canvas, box: Any, character: int, x: float, y: float) -> None:
    """What a character scores, and for how many points."""
    _draw_symbol(canvas, Symbol(int(box["score_1"][character])), x, y, 0.8)
    _draw_symbol(canvas, Symbol(int(box["score_3"][character])), x + 26, y, 0.8)
    is_gate = box["score_6"][character] == Kind.GATE
    shape, colour = (_GATE, _GATE_COLOUR) if is_gate else (_MINARET, _MINARET_COLOUR)
    canvas.path(shape, colour, x + 52, y, 0.55)


def _draw_place(canvas: Canvas, box: Any, face: int, floor: int, x: float, y: float) -> None:
    if face:
        _draw_tile(canvas, box, face, floor, x, y)
    else:
        canvas.rect(
            x + 1, y + 1, _TILE_WIDTH - 2, _TILE_HEIGHT - 2, "none", 4, stroke=_FLOOR_COLOURS[floor], stroke_dasharray="3 3"
        )


# -- Tiles -----------------------------------------------------------------------------------------------------------


def _draw_tile(canvas: Canvas, box: Any, face: int, floor: int, x: float, y: float, scale: float = 1) -> None:
    """A tile as it lies; printed ones have a dark frame."""
    width, height = _TILE_WIDTH * scale, _TILE_HEIGHT * scale
    printed = face > 2 * NUM_TILES
    frame = palette.INK if printed else palette.WHITE
    canvas.rect(x, y, width, height, _FLOOR_COLOURS[floor], 3, stroke=frame, stroke_width=1.2)
    _draw_special(canvas, box, face, x + width / 2, y + height / 2, scale)
    for half in range(2):
        middle = x + (half + 0.5) * _HALF * scale
        _draw_edge(canvas, int(box["top"][face, half]), floor, middle, y + 0.6, scale)
        _draw_edge(canvas, int(box["bottom"][face, half]), floor, middle, y + height - 4.6 * scale, scale)
        symbols = [symbol for symbol in Symbol for _ in range(int(box["symbols"][face, half, symbol]))]
        for place, symbol in enumerate(symbols):
            shift = (place - (len(symbols) - 1) / 2) * 11 * scale
            _draw_symbol(canvas, symbol, middle + shift, y + height / 2, (1 if len(symbols) == 1 else 0.62) * scale)


def _draw_edge(canvas: Canvas, kind: int, floor: int, x: float, y: float, scale: float) -> None:
    """How a half ends: a plain band is a wall, three pillars are columns, a wide foot a gate, a point a minaret."""
    dark = _FLOOR_EDGES[floor]
    if kind == Kind.WALL:
        canvas.rect(x - 10 * scale, y, 20 * scale, 4 * scale, dark)
    elif kind == Kind.COLUMN:
        for place in (-1, 0, 1):
            canvas.rect(x + (7 * place - 1.5) * scale, y, 3 * scale, 4 * scale, dark)
    elif kind == Kind.GATE:
        canvas.rect(x - 6 * scale, y, 12 * scale, 4 * scale, _GATE_COLOUR, 1)
    elif kind == Kind.MINARET:
        canvas.polygon([(x - 5 * scale, y + 4 * scale), (x, y), (x + 5 * scale, y + 4 * scale)], _MINARET_COLOUR)


def _draw_symbol(canvas: Canvas, symbol: Symbol, x: float, y: float, scale: float) -> None:
    if symbol == Symbol.SAPPHIRE:
        icons.gem(canvas, x, y, 14 * scale, palette.LAPIS)
        return
    for figure, colour in _FIGURES[symbol]:
        canvas.path(figure, colour, x, y, scale, stroke=palette.INK, stroke_width=0.6, stroke_linejoin="round")


def _draw_special(canvas: Canvas, box: Any, face: int, x: float, y: float, scale: float) -> None:
    special = int(box["special"][face])
    if special in (Special.LINTEL, Special.LONE_GATE):
        canvas.path(_GATE, _GATE_COLOUR, x, y, scale * 0.9, stroke=palette.INK, stroke_width=0.6, fill_opacity=0.85)
    elif special in (Special.POINT, Special.LONE_MINARET):
        canvas.path(_MINARET, _MINARET_COLOUR, x, y, scale, stroke=palette.INK, stroke_width=0.6, fill_opacity=0.9)
    elif special in (Special.PLUS4, Special.PLUS5):
        canvas.circle(x, y, 9 * scale, palette.WHITE, stroke=palette.INK, stroke_width=0.6)
        canvas.text(x, y + 4.5 * scale, f"+{int(box['extra'][face])}", 11.5 * scale, palette.CRIMSON, "middle", bold=True)


# -- Piles and Djinns ------------------------------------------------------------------------------------------------


def _draw_pile(canvas: Canvas, state: Any, box: Any, floor: int, y: float) -> None:
    """How many tiles a pile has, the one on top, and its display."""
    x = MARGIN + floor % 2 * (_PALACE_WIDTH + _GAP)
    y += floor // 2 * (_TILE_HEIGHT + 8)
    size = int(state["pile_size"][floor])
    canvas.text(x, y + 16, FLOOR_NAMES[floor], 12, _FLOOR_EDGES[floor], bold=True)
    canvas.text(x, y + 31, f"{size} left", 11, palette.FADED)
    if size:
        canvas.rect(x + 51, y + 3, _TILE_WIDTH, _TILE_HEIGHT, palette.DUNE, 3, stroke=palette.FADED, stroke_width=0.8)
        _draw_tile(canvas, box, 1 + 2 * int(state["pile"][floor, size - 1]), floor, x + 48, y)
    for place in range(MOST_DISPLAYED):
        left = x + 112 + place * (_TILE_WIDTH + 6)
        tile = int(state["display"][floor, place]) if place < state["displayed"][floor] else NOTHING
        _draw_place(canvas, box, 1 + 2 * tile if tile != NOTHING else 0, floor, left, y)


def _draw_searched(canvas: Canvas, state: Any, box: Any, y: float) -> None:
    """All tiles of the pile that is searched, the top one first."""
    floor = int(state["searched"])
    tiles = [int(tile) for tile in state["pile"][floor, : state["pile_size"][floor]]]
    for place, tile in enumerate(reversed(tiles)):
        row, column = divmod(place, 14)
        left = MARGIN + column * (_TILE_WIDTH * _SEARCH_SCALE + 2.4)
        _draw_tile(canvas, box, 1 + 2 * tile, floor, left, y + row * (_TILE_HEIGHT + 4), _SEARCH_SCALE)


def _draw_djinns(canvas: Canvas, state: Any, box: Any, y: float) -> None:
    """The Djinns with their cost and holder, the treasure, and the tile in hand."""
    step = 96
    for djinn in range(NUM_DJINNS):
        x, holder = MARGIN + djinn * step, int(state["djinn_holder"][djinn])
        stroke = palette.DUNE if holder == NOBODY else _COLOURS[holder]
        thickness = 1 if holder == NOBODY else 2.5
        canvas.rect(x, y, step - 7, 46, palette.WHITE, 7, stroke=stroke, stroke_width=thickness)
        canvas.text(x + 8, y + 18, DJINN_NAMES[djinn], 11.5, palette.INK, bold=True, width=step - 20)
        icons.gem(canvas, x + 15, y + 32, 12, palette.LAPIS)
        canvas.text(x + 25, y + 36, int(box["cost"][djinn]), 12, palette.INK)
        owner = "free" if holder == NOBODY else f"player {holder}"
        canvas.text(x + step - 12, y + 36, owner, 10.5, palette.FADED, "end")
    x = MARGIN + NUM_DJINNS * step + 6
    canvas.text(x, y + 14, "treasure", 11, palette.FADED)
    icons.gem(canvas, x + 8, y + 31, 14, palette.LAPIS)
    canvas.text(x + 20, y + 36, int(state["treasure"]), 13, palette.INK, bold=True)
    if state["hand"] != NOTHING:
        tile = int(state["hand"])
        canvas.text(x + 74, y + 8, "in hand", 11, palette.FADED)
        _draw_tile(canvas, box, 1 + 2 * tile, int(floor_of_tile(tile)), x + 74, y + 12)
