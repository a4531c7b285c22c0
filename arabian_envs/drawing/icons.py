"""Small pictures that more than one game uses; each fills a square of the given size around its centre."""

from __future__ import annotations

import math

from arabian_envs.drawing import palette
from arabian_envs.drawing.canvas import Canvas

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def die(canvas: Canvas, x: float, y: float, size: float, number: int) -> None:
    """A die that shows a number."""
    canvas.rect(x - size / 2, y - size / 2, size, size, palette.WHITE, size / 5, stroke=palette.INK, stroke_width=1.2)
    for column, row in _PIPS[number]:
        canvas.circle(x + column * size / 4, y + row * size / 4, size / 11, palette.CRIMSON if number == 1 else palette.INK)


def star(canvas: Canvas, x: float, y: float, size: float, fill: str, stroke: str = palette.INK) -> None:
    """A star of eight points, as on tiles of the Alhambra."""
    radii = (size / 2, size / 2 * 0.66)
    turns = [(radii[k % 2], k * math.pi / 8) for k in range(16)]
    canvas.polygon([(x + r * math.sin(a), y - r * math.cos(a)) for r, a in turns], fill, stroke=stroke, stroke_width=0.7)


def coin(canvas: Canvas, x: float, y: float, size: float, number: object) -> None:
    """A gold coin with a number."""
    canvas.circle(x, y, size / 2, "#f0c75e", stroke="#9a6b14", stroke_width=1)
    canvas.text(x, y + size * 0.23, number, size * (0.7 if len(str(number)) == 1 else 0.55), "#5a3c08", "middle", bold=True)


def gem(canvas: Canvas, x: float, y: float, size: float, fill: str) -> None:
    """A cut stone."""
    r = size / 2
    outline = [
        (x - r, y - r * 0.2),
        (x - r * 0.55, y - r * 0.8),
        (x + r * 0.55, y - r * 0.8),
        (x + r, y - r * 0.2),
        (x, y + r),
    ]
    canvas.polygon(outline, fill, stroke=palette.INK, stroke_width=0.8)
    facet = f"M{-r} {-r * 0.2}H{r}M{-r * 0.4} {-r * 0.2}L0 {r}L{r * 0.4} {-r * 0.2}"
    canvas.path(facet, "none", x, y, stroke=palette.WHITE, stroke_width=0.8, stroke_opacity=0.8)


def card_back(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """The back of a card or tile, whose top left corner is at x, y."""
    canvas.rect(x, y, width, height, palette.NIGHT, 4, stroke=palette.WHITE, stroke_width=1)
    canvas.rect(x + 3, y + 3, width - 6, height - 6, "none", 2, stroke=palette.GOLD, stroke_width=0.8)
    star(canvas, x + width / 2, y + height / 2, min(width, height) * 0.5, palette.GOLD, palette.NIGHT)
