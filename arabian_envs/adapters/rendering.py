"""Render modes, the same in every adapter."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from arabian_envs.drawing import Picture
from arabian_envs.drawing.picture import need
from arabian_envs.engine.batch import GameBatch
from arabian_envs.engine.game import Game

RENDER_MODES = ["human", "rgb_array", "svg", "ansi"]
VECTOR_RENDER_MODES = ["rgb_array", "svg", "ansi"]
RENDER_FPS = 8
_WINDOW_ZOOM = 1.4


def check_render_mode(game_id: str, mode: str | None, modes: list[str] = RENDER_MODES) -> None:
    """Refuse a render mode there is not."""
    if mode is not None and not (isinstance(mode, str) and mode in modes):
        raise ValueError(f"{game_id}: render mode {mode!r}; expected None or one of {', '.join(modes)}")


def render(batch: GameBatch, table: int, viewer: int, mode: str | None) -> str | NDArray | None:
    """One table from a seat's view: text for `ansi`, an SVG file for `svg`, pixels for `rgb_array`."""
    if mode is None:
        return None
    if mode == "ansi":
        return batch.render(table, viewer)
    picture = batch.picture(table, viewer)
    return picture if mode == "svg" else picture.pixels()


class Renderer:
    """The render mode of an environment with one table, and its window if the mode is `human`."""

    def __init__(self, game: Game, mode: str | None):
        check_render_mode(game.id, mode)
        self.title = game.title
        self.mode = mode
        self._window: Window | None = None

    def render(self, batch: GameBatch, viewer: int) -> str | NDArray | None:
        """The table from a seat's view; `human` shows it and returns nothing."""
        if self.mode != "human":
            return render(batch, 0, viewer, self.mode)
        if self._window is None:
            self._window = Window(self.title)
        self._window.show(batch.picture(0, viewer))
        return None

    def close(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window = None

    def __getstate__(self) -> dict[str, Any]:
        """A copy of an environment opens a window of its own."""
        return {**self.__dict__, "_window": None}


class Window:
    """A window that shows the latest picture. Once its user closes it, it stays closed."""

    def __init__(self, title: str):
        self._pygame = need("pygame")
        self._pygame.display.init()
        self._pygame.display.set_caption(title)
        self._clock = self._pygame.time.Clock()
        self._surface: Any = None
        self._closed = False

    def show(self, picture: Picture) -> None:
        if self._closed:
            return
        pixels = picture.pixels(_WINDOW_ZOOM)
        size = (pixels.shape[1], pixels.shape[0])
        if self._surface is None or self._surface.get_size() != size:
            self._surface = self._pygame.display.set_mode(size)
        self._surface.blit(self._pygame.surfarray.make_surface(pixels.swapaxes(0, 1)), (0, 0))
        self._pygame.display.flip()
        if any(event.type == self._pygame.QUIT for event in self._pygame.event.get()):
            self.close()
        self._clock.tick(RENDER_FPS)

    def close(self) -> None:
        if not self._closed:
            self._pygame.display.quit()
        self._closed = True
