"""Sultans of Wind as a picture."""

from __future__ import annotations

from typing import Any

from arabian_envs.drawing import Canvas, palette
from arabian_envs.drawing.canvas import HEADER, MARGIN, WIDTH
from arabian_envs.engine.text import plain
from arabian_envs.games.sultans_of_wind.components import NUM_CLOUDS, NUM_WINDS, WIND_NAMES, Wind
from arabian_envs.games.sultans_of_wind.maze import CORNERS, SIDE, SPACES_OF_SQUARE, SQUARE_SIDE, SQUARES, TO_CORNER
from arabian_envs.games.sultans_of_wind.render import corner_of_seat, headline, known_tiles
from arabian_envs.games.sultans_of_wind.state import CARPETS

_COLOURS = palette.SEATS[:CORNERS]
_SPACE = 30
_BOARD = SIDE * _SPACE
_LEFT, _TOP = MARGIN + 18, HEADER + 4
_PANEL_LEFT = _LEFT + _BOARD + 10
_PANEL_WIDTH = WIDTH - MARGIN - _PANEL_LEFT
_PANEL = _BOARD / CORNERS
_LEGEND_TOP = _TOP + _BOARD + 26
_TILE_WIDTH, _TILE_HEIGHT = 19.5, 32
_WIND_SHAPES = {
    # In a square of 20 around the middle.
    Wind.MOVE: "M-8 0H7M2 -5L7 0L2 5",
    Wind.MOVE_THROUGH: "M-9 0Q-6 -6 -3 0T3 0T8 0M4 -5L9 0L4 5",
    Wind.TURBULENCE: "M7 -2A7 7 0 1 0 6 4M8 -7L7 -2L2 -3",
    Wind.CHANGING_CLOUDS: "M-8 -4H7M3 -8L7 -4L3 0M8 4H-7M-3 0L-7 4L-3 8",
    Wind.CALL_DJINN: "M-2 -8A8 8 0 1 0 7 4A6.5 6.5 0 0 1 -2 -8ZM5 -8V-3M5 0V1",
    Wind.MOVE_DJINN: "M-4 -8A8 8 0 1 0 5 4A6.5 6.5 0 0 1 -4 -8ZM1 -4H9M6 -7L9 -4L6 -1",
}


def render_svg(state: Any, box: Any, viewer: int | None = None) -> str:
    """The board from the viewer's corner (the first seat's if everything is revealed), and every channel."""
    canvas = Canvas(_LEGEND_TOP + 44)
    canvas.board("Sultans of Wind", plain(headline(state, box)).replace("   ", " · "))
    home = corner_of_seat(state, viewer or 0)
    _draw_squares(canvas, state, box, home)
    _draw_labels(canvas)
    for seat in range(state["num_players"]):
        for carpet in range(CARPETS):
            if state["carpet"][seat, carpet] >= 0:
                x, y = _middle(home, int(state["carpet"][seat, carpet]))
                _draw_carpet(canvas, x, y, _COLOURS[corner_of_seat(state, seat)], carpet + 1)
        _draw_seat(canvas, state, box, seat, viewer)
    if state["djinn"] >= 0:
        _draw_djinn(canvas, *_middle(home, int(state["djinn"])))
    _draw_legend(canvas, box)
    return canvas.svg()


def _middle(home: int, space: int) -> tuple[float, float]:
    """Where a space is drawn for the player of a corner, whose own palace lies at the bottom left."""
    row, column = divmod(int(TO_CORNER[home, space]), SIDE)
    return _LEFT + (column + 0.5) * _SPACE, _TOP + (SIDE - row - 0.5) * _SPACE


def _draw_squares(canvas: Canvas, state: Any, box: Any, home: int) -> None:
    """Palaces and clouds: a puff where a space is blocked."""
    canvas.rect(_LEFT, _TOP, _BOARD, _BOARD, "#dcebf4")
    starts = {int(space): corner for corner in range(CORNERS) for space in box["start"][corner]}
    for square in range(SQUARES):
        tile = int(state["tile"][square])
        face = int(box["face"][tile, state["turned"][square]])
        for place, space in enumerate(SPACES_OF_SQUARE[square]):
            x, y = _middle(home, int(space))
            blocked = face >> (place // SQUARE_SIDE * SIDE + place % SQUARE_SIDE) & 1
            if tile >= NUM_CLOUDS:
                _draw_palace_space(canvas, x, y, _COLOURS[tile - NUM_CLOUDS], bool(blocked), int(space) in starts)
            elif blocked:
                _draw_cloud(canvas, x, y)
    for place in range(SIDE + 1):
        stroke, width = ("#6d8fa8", 1.4) if place % SQUARE_SIDE == 0 else ("#bfd3e0", 0.6)
        canvas.line(_LEFT + place * _SPACE, _TOP, _LEFT + place * _SPACE, _TOP + _BOARD, stroke, width)
        canvas.line(_LEFT, _TOP + place * _SPACE, _LEFT + _BOARD, _TOP + place * _SPACE, stroke, width)


def _draw_palace_space(canvas: Canvas, x: float, y: float, colour: str, wall: bool, start: bool) -> None:
    half = _SPACE / 2
    canvas.rect(x - half, y - half, _SPACE, _SPACE, colour, fill_opacity=0.75 if wall else 0.22)
    if start:
        canvas.path("M-9 9V-1Q-9 -8 0 -11Q9 -8 9 -1V9Z", "#ffffff", x, y, stroke=colour, stroke_width=1.6)


def _draw_cloud(canvas: Canvas, x: float, y: float) -> None:
    half = _SPACE / 2
    canvas.rect(x - half, y - half, _SPACE, _SPACE, "#8fb0c8")
    canvas.path("M-12 7A5.5 5.5 0 0 1 -9 -2A7 7 0 0 1 4 -6A6 6 0 0 1 10 0A4.5 4.5 0 0 1 11 8Z", "#f4f9fc", x, y)


def _draw_labels(canvas: Canvas) -> None:
    """Rows and columns as the viewer's actions name them."""
    for place in range(SIDE):
        middle = (place + 0.5) * _SPACE
        canvas.text(_LEFT + middle, _TOP + _BOARD + 13, "abcdefghijkl"[place], 11, palette.FADED, "middle")
        canvas.text(_LEFT - 5, _TOP + _BOARD - middle + 4, place + 1, 11, palette.FADED, "end")


def _draw_carpet(canvas: Canvas, x: float, y: float, colour: str, number: int) -> None:
    """A flying carpet with fringes."""
    canvas.path(
        "M-11 -10.5V10.5M11 -10.5V10.5", "none", x, y, stroke=palette.INK, stroke_width=3, stroke_dasharray="1.6 1.6"
    )
    canvas.rect(x - 11, y - 9, 22, 18, colour, 2, stroke=palette.INK, stroke_width=1)
    canvas.rect(x - 8.5, y - 6.5, 17, 13, "none", 1, stroke="#f0c75e", stroke_width=1.2)
    canvas.text(x, y + 4.5, number, 12, "#ffffff", "middle", bold=True)


def _draw_djinn(canvas: Canvas, x: float, y: float) -> None:
    """A djinn rising from its smoke."""
    smoke = "M0 12C-4 8 6 6 1 1C-9 3 -9 -3 -5 -4H5C9 -3 9 3 3 2C8 7 0 8 0 12Z"
    canvas.circle(x, y, 13, palette.GOLD, fill_opacity=0.85)
    canvas.path(smoke, palette.PLUM, x, y, stroke=palette.INK, stroke_width=0.8)
    canvas.circle(x, y - 7, 4, palette.PLUM, stroke=palette.INK, stroke_width=0.8)


def _draw_seat(canvas: Canvas, state: Any, box: Any, seat: int, viewer: int | None) -> None:
    """A player's channel: what is in view, what lies behind the screen, and what is in hand."""
    x, y = _PANEL_LEFT, _TOP + seat * _PANEL
    canvas.panel(x, y, _PANEL_WIDTH, _PANEL - 6, highlight=state["player"] == seat and not state["status"])
    canvas.player(
        x + 8, y + 17, f"player {seat}" + (" (you)" if seat == viewer else ""), _COLOURS[corner_of_seat(state, seat)]
    )
    if state["favor"] == seat:
        _draw_djinn(canvas, x + _PANEL_WIDTH - 16, y + 15)
    tiles = known_tiles(state, seat, viewer)
    if tiles is None:
        canvas.text(x + 8, y + 44, "arranges in secret", 11.5, palette.FADED)
        return
    in_view, behind, hand = tiles
    for place, strength in enumerate(in_view):
        _draw_tile(canvas, box, strength, x + 7 + place * (_TILE_WIDTH + 1), y + 24)
    screen = x + 8 + len(in_view) * (_TILE_WIDTH + 1)
    canvas.rect(screen, y + 22, 3, _TILE_HEIGHT + 4, palette.INK)
    for place, strength in enumerate(behind):
        _draw_tile(canvas, box, strength, screen + 5 + place * (_TILE_WIDTH + 1), y + 24)
    if hand:
        canvas.text(x + 8, y + 75, "in hand", 11, palette.FADED)
        for place, strength in enumerate(hand):
            _draw_small_tile(canvas, box, strength, x + 62 + place * 44, y + 61)


def _draw_tile(canvas: Canvas, box: Any, strength: int, x: float, y: float) -> None:
    """A wind tile: its strength over a sign for its action."""
    canvas.rect(x, y, _TILE_WIDTH, _TILE_HEIGHT, palette.SAND, 3, stroke=palette.FADED, stroke_width=0.8)
    canvas.text(x + _TILE_WIDTH / 2, y + 12.5, strength, 12, palette.INK, "middle", bold=True)
    _draw_wind(canvas, int(box["wind"][strength]), x + _TILE_WIDTH / 2, y + 22.5, 0.75)


def _draw_small_tile(canvas: Canvas, box: Any, strength: int, x: float, y: float) -> None:
    """A wind tile lying on its side."""
    canvas.rect(x, y, 40, 19, "#f0d9a0", 3, stroke=palette.FADED, stroke_width=0.8)
    canvas.text(x + 6, y + 14, strength, 12, palette.INK, bold=True)
    _draw_wind(canvas, int(box["wind"][strength]), x + 27, y + 9.5, 0.75)


def _draw_wind(canvas: Canvas, wind: int, x: float, y: float, scale: float) -> None:
    canvas.path(
        _WIND_SHAPES[Wind(wind)], "none", x, y, scale, stroke=palette.LAPIS, stroke_width=1.8, stroke_linecap="round"
    )


def _draw_legend(canvas: Canvas, box: Any) -> None:
    """What the wind tiles do."""
    step = (WIDTH - 2 * MARGIN) / 4
    for strength in range(1, NUM_WINDS + 1):
        x, y = MARGIN + (strength - 1) % 4 * step, _LEGEND_TOP + (strength - 1) // 4 * 20
        steps = f" {box['steps'][strength]}" if box["steps"][strength] else ""
        canvas.text(x + 2, y + 4, strength, 12, palette.INK, bold=True)
        _draw_wind(canvas, int(box["wind"][strength]), x + 22, y, 0.7)
        canvas.text(x + 34, y + 4, WIND_NAMES[box["wind"][strength]] + steps, 11, palette.FADED)
