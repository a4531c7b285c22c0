"""Shapes and text on an SVG canvas."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from arabian_envs.drawing import palette

WIDTH = 600
"""The width of every board; texts are legible at this many pixels."""
MARGIN = 12
HEADER = 62
"""The height of a board's header; its content begins below."""

_FAMILY = "'Arabian Sans', 'DejaVu Sans', Verdana, sans-serif"
_MEAN_GLYPH = 0.6  # of the font's size


class Canvas:
    """An SVG file in the making. Coordinates are pixels from the top left."""

    def __init__(self, height: float, width: float = WIDTH):
        self.width, self.height = width, height
        self._shapes: list[str] = []

    def svg(self) -> str:
        """The whole file."""
        size = f'width="{self.width:g}" height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{_FAMILY}">\n'
            + "\n".join(self._shapes)
            + "\n</svg>\n"
        )

    # -- shapes ------------------------------------------------------------------------------------------------------

    def rect(self, x: float, y: float, width: float, height: float, fill: str, radius: float = 0, **style: object) -> None:
        """A rectangle, with round corners if asked for."""
        corners = f' rx="{radius:g}"' if radius else ""
        size = f'width="{_number(width)}" height="{_number(height)}"'
        self._add(f'<rect x="{_number(x)}" y="{_number(y)}" {size}{corners}', fill, style)

    def circle(self, x: float, y: float, radius: float, fill: str, **style: object) -> None:
        """A disc."""
        self._add(f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"', fill, style)

    def ellipse(self, x: float, y: float, rx: float, ry: float, fill: str, **style: object) -> None:
        """A flattened disc."""
        self._add(f'<ellipse cx="{_number(x)}" cy="{_number(y)}" rx="{_number(rx)}" ry="{_number(ry)}"', fill, style)

    def polygon(self, points: Sequence[tuple[float, float]], fill: str, **style: object) -> None:
        """A closed figure with straight sides."""
        corners = " ".join(f"{_number(x)},{_number(y)}" for x, y in points)
        self._add(f'<polygon points="{corners}"', fill, style)

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str, width: float = 1, **style: object) -> None:
        """A stroke between two points."""
        ends = f'x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}"'
        self._add(f"<line {ends}", "none", {"stroke": stroke, "stroke_width": width, **style})

    def path(self, data: str, fill: str, x: float = 0, y: float = 0, scale: float = 1, **style: object) -> None:
        """A figure in SVG's own path language, moved and scaled."""
        place = f' transform="translate({_number(x)} {_number(y)}) scale({_number(scale)})"' if x or y or scale != 1 else ""
        self._add(f'<path d="{data}"{place}', fill, style)

    def text(
        self,
        x: float,
        y: float,
        words: object,
        size: float = 12,
        fill: str = palette.INK,
        anchor: str = "start",
        bold: bool = False,
        width: float | None = None,
        **style: object,
    ) -> None:
        """Words on a baseline; `anchor` is start, middle or end. What would be wider than `width` is set smaller."""
        shown = str(words)
        if width is not None:
            size = min(size, width / max(1e-9, _MEAN_GLYPH * (1.1 if bold else 1) * len(shown)))
        if bold:
            style["font_weight"] = "bold"
        if anchor != "start":
            style["text_anchor"] = anchor
        opening = f'<text x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}"'
        self._add(opening, fill, style, f">{escape(shown)}</text>")

    def _add(self, opening: str, fill: str, style: dict[str, object], closing: str = "/>") -> None:
        attributes = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
        self._shapes.append(f'{opening} fill="{fill}"{attributes}{closing}')

    # -- what boards have in common ----------------------------------------------------------------------------------

    def board(self, title: str, headline: str, corner: str = "") -> None:
        """The background, and a header with the game's title, what goes on, and a word in the corner."""
        self.rect(0, 0, self.width, self.height, palette.PARCHMENT, 10)
        self.path(
            f"M0 {HEADER - 8}V10Q0 0 10 0H{self.width - 10:g}Q{self.width:g} 0 {self.width:g} 10V{HEADER - 8}Z",
            palette.NIGHT,
        )
        self.rect(0, HEADER - 8, self.width, 3, palette.GOLD)
        self.text(MARGIN + 2, 24, title, 17, palette.PARCHMENT, bold=True)
        self.text(self.width - MARGIN - 2, 24, corner, 13, palette.GOLD, "end", bold=True)
        self.text(MARGIN + 2, 44, headline, 12.5, palette.SAND, width=self.width - 2 * MARGIN)

    def panel(self, x: float, y: float, width: float, height: float, highlight: bool = False) -> None:
        """A place for one player's things, with a golden frame when it is the player's turn."""
        stroke, thickness = (palette.GOLD, 2.5) if highlight else (palette.DUNE, 1)
        self.rect(x, y, width, height, palette.WHITE, 7, stroke=stroke, stroke_width=thickness)

    def player(self, x: float, y: float, name: str, colour: str, width: float | None = None) -> None:
        """A player's name behind a token of the player's colour, on a baseline."""
        self.circle(x + 6, y - 4.5, 5.5, colour, stroke=palette.INK, stroke_width=0.8)
        self.text(x + 16, y, name, 12.5, palette.INK, bold=True, width=None if width is None else width - 16)

    def gauge(self, x: float, y: float, width: float, height: float, share: float, fill: str) -> None:
        """How full something is."""
        self.rect(x, y, width, height, palette.SAND, height / 2)
        if share > 0:
            self.rect(x, y, max(height, width * min(1.0, share)), height, fill, height / 2)


def _number(value: float) -> str:
    return f"{round(float(value), 2):g}"
