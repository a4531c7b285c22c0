"""Small tools for boards in a terminal."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Sequence

_CODES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
    "white": "37",
    "grey": "90",
}
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def paint(text: str, *styles: str) -> str:
    """Text in a colour or style; plain when the environment variable NO_COLOR is set."""
    if os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"


def plain(text: str) -> str:
    """Text without its colours."""
    return _ESCAPES.sub("", text)


def pad(text: str, width: int) -> str:
    """Text filled with blanks to a visible width."""
    return text + " " * max(0, width - len(plain(text)))


def join_columns(blocks: Sequence[Sequence[str]], gap: str = " ") -> list[str]:
    """Blocks of lines side by side."""
    widths = [max((len(plain(line)) for line in block), default=0) for block in blocks]
    rows = itertools.zip_longest(*blocks, fillvalue="")
    return [gap.join(pad(line, width) for line, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def bar(value: int, largest: int, width: int) -> str:
    """A little gauge."""
    full = round(width * value / max(1, largest))
    return "▮" * full + "▯" * (width - full)
