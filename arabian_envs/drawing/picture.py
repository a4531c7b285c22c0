"""What becomes of an SVG file: something a notebook shows, pixels, a PNG file."""

from __future__ import annotations

import importlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arabian_envs.drawing import palette
from arabian_envs.drawing.canvas import Canvas
from arabian_envs.engine.text import plain

_FONTS = Path(__file__).parent / "fonts"
_MONO = "'Arabian Sans Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace"


class Picture(str):
    """An SVG file as a string that notebooks show as the picture it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Picture of {len(self):,} characters>"

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: str | Path) -> None:
        """Write the picture to a file: SVG or, by its ending, PNG."""
        path = Path(path)
        if path.suffix == ".png":
            path.write_bytes(self.png(2))
        else:
            path.write_text(self, encoding="utf-8")

    def png(self, zoom: float = 1) -> bytes:
        """The picture as a PNG file, drawn with the package's own fonts, so that it looks the same everywhere."""
        rasteriser = need("resvg_py")
        fonts = [str(font) for font in sorted(_FONTS.glob("*.ttf"))]
        return bytes(rasteriser.svg_to_bytes(svg_string=str(self), zoom=zoom, skip_system_fonts=True, font_files=fonts))

    def pixels(self, zoom: float = 1) -> NDArray[np.uint8]:
        """The picture as an array of height × width × 3."""
        image = need("PIL.Image").open(io.BytesIO(self.png(zoom)))
        return np.array(_on_white(image))


def _on_white(image: Any) -> Any:
    """An image without transparency: round corners become white."""
    background = need("PIL.Image").new("RGBA", image.size, "white")
    return need("PIL.Image").alpha_composite(background, image.convert("RGBA")).convert("RGB")


def need(module: str) -> Any:
    """A library of the `pictures` extra."""
    try:
        return importlib.import_module(module)
    except ImportError as problem:
        message = f"pixels need {module.split('.')[0]}: pip install 'arabian-envs[pictures]' (SVG and text need nothing)"
        raise ImportError(message) from problem


def gallery(pictures: Sequence[str], total: int) -> str:
    """Some tables of a batch for a notebook, side by side."""
    boards = "".join(f'<div style="width:min(600px,48%)">{_fluid(picture)}</div>' for picture in pictures)
    more = f"<p>{len(pictures)} of {total} tables</p>" if total > len(pictures) else ""
    return f'<div style="display:flex;flex-wrap:wrap;gap:12px;align-items:flex-start">{boards}</div>{more}'


def _fluid(picture: str) -> str:
    """A picture as wide as the place it is put in."""
    return picture.replace("<svg ", '<svg style="width:100%;height:auto" ', 1)


def text_picture(text: str) -> Picture:
    """A text board as a picture, for a game that has none of its own."""
    lines = plain(text).split("\n")
    size, leading, margin = 13, 18, 16
    columns = max(len(line) for line in lines)
    canvas = Canvas(len(lines) * leading + 2 * margin, max(300, columns * size * 0.605 + 2 * margin))
    canvas.rect(0, 0, canvas.width, canvas.height, palette.PARCHMENT, 10)
    for number, line in enumerate(lines, 1):
        words = line.replace(" ", "\u00a0")
        canvas.text(margin, margin + number * leading - 5, words, size, font_family=_MONO)
    return Picture(canvas.svg())
