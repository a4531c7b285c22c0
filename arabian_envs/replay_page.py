"""Replays to look at: one self-contained web page, or an animated GIF."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from html import escape
from importlib.resources import files
from pathlib import Path

from numpy.typing import NDArray

from arabian_envs.drawing import Picture
from arabian_envs.drawing.picture import need
from arabian_envs.registry import get_game
from arabian_envs.replay import Replay

Progress = Callable[[int, int], None]
"""Told how many frames are done, and of how many."""

_MOST_GIF_FRAMES = 200
_GIF_COLOURS = 64
_GIF_MILLISECONDS, _LAST_MILLISECONDS = 450, 4000


def write_page(
    replay: Replay,
    path: str | Path,
    box: NDArray | None = None,
    viewer: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Write a page with the board, a slider, the named decisions and the scores; from one seat's view if asked for.

    A board differs from the one before in a few shapes only. So each shape is stored once, and a board is a list of shapes.
    """
    shapes: dict[str, int] = {}
    boards, scores = [], []
    total = len(replay.actions) + 1
    for number, batch in enumerate(replay.play(box), 1):
        lines = batch.picture(0, viewer).split("\n")
        boards.append([shapes.setdefault(line, len(shapes)) for line in lines])
        # Points may tell what a seat cannot see before the end.
        scores.append(batch.scores()[0].tolist() if viewer is None or number == total else None)
        if progress:
            progress(number, total)
    game = get_game(replay.game)
    data = {
        "shapes": list(shapes),
        "boards": boards,
        "scores": scores,
        "log": [[player, name] for player, name in zip(replay.players, replay.names, strict=True)],
        "seats": [replay.seat_name(seat) for seat in range(replay.num_players)],
    }
    view = "everything revealed" if viewer is None else f"seen by {replay.seat_name(viewer)}"
    facts = f"{game.name}, seed {replay.seed}, table {replay.table}, components {replay.box}; {view}"
    page = files("arabian_envs").joinpath("replay_page.html").read_text(encoding="utf-8")
    for name, text in (("title", game.title), ("facts", facts)):
        page = page.replace("{{" + name + "}}", escape(text))
    # "</" would end the script.
    Path(path).write_text(page.replace("{{data}}", json.dumps(data).replace("</", "<\\/")), encoding="utf-8")


def write_gif(
    replay: Replay,
    path: str | Path,
    box: NDArray | None = None,
    viewer: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Write an animation; of a long game a few hundred evenly spaced moments, the first and the last among them."""
    pictures = [batch.picture(0, viewer) for batch in replay.play(box)]
    last = len(pictures) - 1
    shown = sorted({round(last * k / (_MOST_GIF_FRAMES - 1)) for k in range(_MOST_GIF_FRAMES)}) if last else [0]
    frames = []
    for done, number in enumerate(shown, 1):
        frames.append(_frame(pictures[number]))
        if progress:
            progress(done, len(shown))
    times = [_GIF_MILLISECONDS] * (len(frames) - 1) + [_LAST_MILLISECONDS]
    frames[0].save(path, format="GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=True)


def _frame(picture: Picture):  # an image of a library that may not be installed
    image = need("PIL.Image").open(io.BytesIO(picture.png())).convert("RGB")
    return image.quantize(_GIF_COLOURS)
