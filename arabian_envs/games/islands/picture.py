"""1001 Islands as a picture."""

from __future__ import annotations

from typing import Any

from arabian_envs.drawing import Canvas, icons, palette
from arabian_envs.drawing.canvas import HEADER, MARGIN, WIDTH
from arabian_envs.games.islands.components import (
    COLUMNS,
    DREAM_PICTURE,
    NUM_STACKS,
    PICTURE_NAMES,
    ROWS,
    STACK_NAMES,
    Dream,
    Picture,
    Stack,
)
from arabian_envs.games.islands.render import QUESTIONS, points_after_bandits
from arabian_envs.games.islands.rules import tile_on_table, tiles_not_seen, tiles_per_round
from arabian_envs.games.islands.state import EMPTY, Phase

_STACK_COLOURS = ("#bfe0ee", "#e3d3a8", "#9fd0c4", "#c9b6de")
_GEM_COLOURS = {Picture.EMERALD: "#2f9e5f", Picture.RUBY: "#cf2f4a", Picture.DIAMOND: "#6fc3ea"}
_TILE_WIDTH, _TILE_HEIGHT = 68, 46
_BOARD_WIDTH = COLUMNS * _TILE_WIDTH + 10
_GAP = WIDTH - 2 * MARGIN - 2 * _BOARD_WIDTH
_DREAM_HEIGHT = 30
_BOARD_HEIGHT = 24 + ROWS * _TILE_HEIGHT + _DREAM_HEIGHT + 9
_TABLE_TOP = HEADER + 2
_BOARDS_TOP = _TABLE_TOP + 104
_LEGEND = 46

# Each picture in a square of 20 around the middle: figures and their colours, from back to front.
_BROWN, _STONE, _SNAKE = "#8a5a2b", "#8d9aa6", "#5c8f2f"
_FIGURES = {
    Picture.PALM: (
        ("M-1.5 10Q1 2 -1 -3H1.5Q4 3 2 10Z", _BROWN),
        (
            "M0 -3C-4 -9 -9 -6 -10 0C-6 -3 -3 -3 0 -3C-2 -1 -6 1 -6 5C-2 3 0 0 0 -3C3 0 5 2 6 5C8 0 4 -3 0 -3"
            "C4 -5 7 -4 10 -1C10 -7 4 -9 0 -3C-1 -7 1 -9 3 -10C-2 -11 -3 -7 0 -3Z",
            palette.LEAF,
        ),
    ),
    Picture.BANDIT: (
        ("M-8 10Q-8 2 0 2Q8 2 8 10Z", palette.INK),
        ("M-6 -3A6 6.5 0 0 1 6 -3V1Q0 6 -6 1Z", "#d9a877"),
        ("M-7 -3Q-7 -10 0 -10Q7 -10 7 -3Q0 -6 -7 -3Z", palette.CRIMSON),
        ("M-6.5 0H6.5L5 5Q0 8 -5 5Z", palette.CRIMSON),
    ),
    Picture.ROC: (
        ("M0 3C-3 -6 -8 -8 -10 -6C-8 -5 -9 -3 -8 -2C-7 1 -4 5 0 6C4 5 7 1 8 -2C9 -3 8 -5 10 -6C8 -8 3 -6 0 3Z", "#5577aa"),
        ("M-2 9L0 -3L2 9Z", "#5577aa"),
        ("M-2 -2A2.5 2.5 0 1 1 3 -3L6 -1L2 0Z", palette.GOLD),
    ),
    Picture.EGG: (
        ("M0 -9C6 -9 8 1 8 3A8 7 0 0 1 -8 3C-8 1 -6 -9 0 -9Z", "#f5e6c8"),
        ("M-3 -3H-1V-1H-3ZM2 2H4V4H2ZM-2 4H0V6H-2Z", _BROWN),
    ),
    Picture.FENNEC: (
        ("M-10 -10L-1 -3L-7 4ZM10 -10L1 -3L7 4Z", "#e0a15a"),
        ("M-8 0Q0 -6 8 0L0 10Z", "#f0bd7c"),
        ("M-4 1A1 1 0 1 0 -3 2ZM4 1A1 1 0 1 1 3 2ZM-1.5 7H1.5L0 10Z", palette.INK),
    ),
    Picture.CAMEL: (
        (
            "M-9 9V1C-9 -4 -6 -7 -4 -3C-3 -7 1 -7 2 -3C4 -2 5 -4 5 -8C6 -10 10 -9 10 -7L7 -6C7 0 6 2 4 3V9H2V4H-6V9Z",
            "#c48a3f",
        ),
    ),
    Picture.ELEPHANT: (
        ("M-10 9V0C-10 -6 -5 -8 0 -7C4 -9 9 -7 9 -2C9 2 8 5 10 7C8 9 6 7 6 3L4 3V9H1V4H-5V9Z", _STONE),
        ("M-1 -4Q3 -6 3 -1Q1 2 -1 0Z", "#b7c1ca"),
    ),
    Picture.MONKEY: (
        ("M-9 -1A3.5 3.5 0 1 1 -5 2ZM9 -1A3.5 3.5 0 1 0 5 2Z", "#c99a6b"),
        ("M0 -9A7 8 0 1 1 0 8A7 8 0 1 1 0 -9Z", "#7a4a22"),
        ("M0 -2C2 -6 6 -4 4 0Q5 6 0 6Q-5 6 -4 0C-6 -4 -2 -6 0 -2Z", "#e0b98c"),
        ("M-3 -1H-1.5V1H-3ZM1.5 -1H3V1H1.5ZM-2 3H2V4H-2Z", palette.INK),
    ),
    Picture.SNAKE: (
        (
            "M-9 8C-9 4 2 8 2 5C2 2 -7 4 -7 -1C-7 -6 4 -3 3 -7C2 -9 5 -10 7 -9C10 -8 9 -4 6 -4"
            "C4 0 -3 -2 -3 0C-3 1 7 0 7 5C7 10 -6 6 -6 9Z",
            _SNAKE,
        ),
    ),
    Picture.LAMP: (
        (
            "M-10 -2C-6 -3 -5 1 -3 1C-2 -2 3 -2 4 1C6 -3 10 -2 9 1C9 3 6 3 5 4C4 6 2 7 1 7L3 10H-4L-2 7C-6 6 -6 2 -10 -2Z",
            palette.GOLD,
        ),
        ("M-0.5 -5A1.5 1.5 0 1 1 1 -3.5Z", palette.CRIMSON),
    ),
}


def render_svg(state: Any, box: Any, viewer: int | None = None) -> str:
    """The tiles on the table and every Island; tiles that the viewer has not seen lie face down."""
    seats = int(state["num_players"])
    canvas = Canvas(_BOARDS_TOP + (seats + 1) // 2 * (_BOARD_HEIGHT + 8) + _LEGEND)
    canvas.board("1001 Islands", _headline(state), "" if state["status"] else f"Round {state['rounds_played'] + 1} of 16")
    _draw_stacks(canvas, state, box)
    if state["stack"] != EMPTY:
        _draw_table(canvas, state, box, viewer)
    for seat in range(seats):
        x = MARGIN + seat % 2 * (_BOARD_WIDTH + _GAP)
        _draw_island(canvas, state, box, seat, x, _BOARDS_TOP + seat // 2 * (_BOARD_HEIGHT + 8), seat == viewer)
    _draw_legend(canvas)
    return canvas.svg()


def _headline(state: Any) -> str:
    if state["status"]:
        return "The game is over."
    return f"player {state['player']} {QUESTIONS[Phase(int(state['phase']))]}"


# -- The table -------------------------------------------------------------------------------------------------------


def _draw_stacks(canvas: Canvas, state: Any, box: Any) -> None:
    """How many tiles are left in each stack, and what two players have discarded."""
    size = int(box["tiles_per_stack"][state["num_players"]])
    for stack in range(NUM_STACKS):
        x = MARGIN + stack * 88
        canvas.rect(x, _TABLE_TOP + 4, 24, 18, _STACK_COLOURS[stack], 3, stroke=palette.FADED, stroke_width=1)
        canvas.text(x + 12, _TABLE_TOP + 17.5, size - int(state["drawn"][stack]), 11.5, palette.INK, "middle", bold=True)
        canvas.text(x + 29, _TABLE_TOP + 17.5, STACK_NAMES[stack], 11.5, palette.FADED)
    discarded = int((state["discarded"] != EMPTY).sum())
    if discarded:
        canvas.text(WIDTH - MARGIN, _TABLE_TOP + 17.5, f"discarded: {discarded}", 11.5, palette.FADED, "end")


def _draw_table(canvas: Canvas, state: Any, box: Any, viewer: int | None) -> None:
    """This round's tiles by their numbers, and the one in hand."""
    tiles = int(tiles_per_round(state, box))
    unseen = 0 if viewer is None else int(tiles_not_seen(state, viewer))
    stack, y = int(state["stack"]), _TABLE_TOP + 46
    for slot in range(tiles):
        x = MARGIN + slot * (_TILE_WIDTH + 12)
        canvas.text(x + 2, y - 6, slot + 1, 11.5, palette.FADED, bold=True)
        if not state["on_table"][slot]:
            canvas.rect(x, y, _TILE_WIDTH, _TILE_HEIGHT, palette.SAND, 5)
        elif slot >= tiles - unseen:
            icons.card_back(canvas, x, y, _TILE_WIDTH, _TILE_HEIGHT)
        else:
            _draw_tile(canvas, box, stack, int(tile_on_table(state, box, slot)), x, y)
        if state["face_down"] and slot == tiles - 1:
            canvas.text(x + 14, y - 6, "face down", 10.5, palette.FADED)
    if state["held"] != EMPTY:
        x = WIDTH - MARGIN - _TILE_WIDTH
        canvas.text(x + 2, y - 6, "in hand", 11.5, palette.FADED, bold=True)
        _draw_tile(canvas, box, stack, int(state["held"]), x, y)


def _draw_tile(canvas: Canvas, box: Any, stack: int, tile: int, x: float, y: float) -> None:
    if stack == Stack.DREAM:
        _draw_dream(canvas, box, int(box["dream"][tile]), x, y, _TILE_WIDTH, _TILE_HEIGHT)
    else:
        _draw_island_tile(canvas, box, stack, tile, x, y)


# -- Islands ---------------------------------------------------------------------------------------------------------


def _draw_island(canvas: Canvas, state: Any, box: Any, seat: int, x: float, y: float, is_viewer: bool) -> None:
    """A player's Island, and the dreams under it."""
    over = bool(state["status"])
    canvas.panel(x, y, _BOARD_WIDTH, _BOARD_HEIGHT, highlight=state["player"] == seat and not over)
    canvas.player(x + 7, y + 17, f"player {seat}" + (" (you)" if is_viewer else ""), palette.SEATS[seat])
    if state["lookout"] == seat and not over:
        canvas.text(x + 128, y + 17, "Lookout", 11, palette.LAPIS, bold=True)
    points = points_after_bandits(state, box, seat)
    canvas.text(x + _BOARD_WIDTH - 8, y + 17.5, f"{points} points", 12.5, palette.INK, "end", bold=True)
    for row in range(ROWS):
        for column in range(COLUMNS):
            left, top = x + 5 + column * _TILE_WIDTH, y + 24 + row * _TILE_HEIGHT
            _draw_place(canvas, state, box, (seat, row, column), left, top)
    for held in range(COLUMNS):
        left, top = x + 5 + held * _TILE_WIDTH, y + 24 + ROWS * _TILE_HEIGHT + 3
        tile = int(state["dreams"][seat, held])
        if tile == EMPTY:
            canvas.rect(
                left + 1, top, _TILE_WIDTH - 2, _DREAM_HEIGHT, "none", 9, stroke=palette.DUNE, stroke_dasharray="3 3"
            )
        else:
            _draw_dream(canvas, box, int(box["dream"][tile]), left + 1, top, _TILE_WIDTH - 2, _DREAM_HEIGHT)


def _draw_place(canvas: Canvas, state: Any, box: Any, place: tuple[int, int, int], x: float, y: float) -> None:
    tile = int(state["island"][place])
    if tile == EMPTY:
        canvas.rect(x + 1, y + 1, _TILE_WIDTH - 2, _TILE_HEIGHT - 2, "none", 5, stroke=palette.DUNE, stroke_dasharray="3 3")
    elif state["flipped"][place]:
        canvas.rect(x, y, _TILE_WIDTH, _TILE_HEIGHT, "#5b8fc0", 5, stroke=palette.WHITE, stroke_width=1.5)
        waves = "M8 15Q14 9 20 15T32 15T44 15T56 15M8 29Q14 23 20 29T32 29T44 29T56 29"
        canvas.path(waves, "none", x + 2, y + 1, stroke="#d8ebf7", stroke_width=2)
    else:
        _draw_island_tile(canvas, box, place[1], tile, x, y)


def _draw_island_tile(canvas: Canvas, box: Any, row: int, tile: int, x: float, y: float) -> None:
    """All pictures of a tile, three in a line."""
    canvas.rect(x, y, _TILE_WIDTH, _TILE_HEIGHT, _STACK_COLOURS[row], 5, stroke=palette.WHITE, stroke_width=1.5)
    counts = box["pictures"][row, tile]
    pictures = [picture for picture in Picture for _ in range(int(counts[picture]))]
    lines = [pictures[:3], pictures[3:]] if len(pictures) > 3 else [pictures]
    scale = 0.98 if len(lines) == 2 else 1.0
    for number, line in enumerate(lines):
        middle = y + _TILE_HEIGHT * (number + 0.5) / len(lines) + (0.5 - number if len(lines) == 2 else 0)
        for place, picture in enumerate(line):
            _draw_picture(canvas, picture, x + _TILE_WIDTH / 2 + (place - (len(line) - 1) / 2) * 21.5, middle, scale)


def _draw_picture(canvas: Canvas, picture: Picture, x: float, y: float, scale: float = 1) -> None:
    if picture in _GEM_COLOURS:
        icons.gem(canvas, x, y, 17 * scale, _GEM_COLOURS[picture])
        return
    for figure, colour in _FIGURES[picture]:
        canvas.path(figure, colour, x, y, scale, stroke=palette.INK, stroke_width=0.7, stroke_linejoin="round")


def _draw_dream(canvas: Canvas, box: Any, dream: int, x: float, y: float, width: float, height: float) -> None:
    """A dream: what it counts, and the points for it."""
    canvas.rect(x, y, width, height, _STACK_COLOURS[Stack.DREAM], 9, stroke=palette.PLUM, stroke_width=1.2)
    middle = y + height / 2
    points = [int(number) for number in box["dream_points"][dream] if number]
    if dream < len(DREAM_PICTURE):
        _draw_picture(canvas, Picture(int(DREAM_PICTURE[dream])), x + 17, middle, 1)
    elif dream in (Dream.LAMP, Dream.SNAKE):
        _draw_picture(canvas, Picture.LAMP if dream == Dream.LAMP else Picture.SNAKE, x + 15, middle, 0.9)
    elif dream == Dream.FLIPPED:
        canvas.rect(x + 6, middle - 8, 22, 16, "#5b8fc0", 3)
        canvas.path("M0 3Q3 0 6 3T12 3T18 3", "none", x + 8, middle - 3, stroke="#d8ebf7", stroke_width=1.6)
    else:
        for place, colour in enumerate(_GEM_COLOURS.values(), -1):
            step = (0, 8.5 * place) if dream == Dream.GEM_COLUMNS else (8.5 * place, 0)
            icons.gem(canvas, x + 15 + step[0], middle + step[1], 8, colour)
    words = "/".join(map(str, points)) if len(points) > 1 else f"×{points[0] if points else 0}"
    left = 32 if len(points) == 1 else 29
    canvas.text(x + left, middle + 4.5, words, 13, palette.INK, bold=True, width=width - left - 4)


def _draw_legend(canvas: Canvas) -> None:
    """The pictures by name."""
    step = (WIDTH - 2 * MARGIN) / 7
    for picture in Picture:
        x = MARGIN + picture % 7 * step
        y = canvas.height - _LEGEND + 10 + picture // 7 * 21
        _draw_picture(canvas, picture, x + 9, y, 0.85)
        canvas.text(x + 21, y + 4, PICTURE_NAMES[picture], 11, palette.FADED)
