"""What a game is, to everything that is not its rules."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from arabian_envs.checks import whole
from arabian_envs.engine.jit import INTERPRETED, kernel
from arabian_envs.engine.kernels import Rules
from arabian_envs.engine.spec import ActionSpec, ObservationSpec
from arabian_envs.engine.state import record_digest
from arabian_envs.errors import MismatchError


@dataclass(frozen=True, eq=False)
class Game:
    """A game: its facts, its specifications, its compiled rules and its components."""

    id: str
    title: str
    version: int
    """Raised whenever learning results could change."""
    designer: str
    publisher: str
    summary: str
    min_players: int
    max_players: int
    hidden_information: bool
    point_scale: float
    """Turns points into rewards of about -1 … 1, for the `margin` reward and for solo play."""
    actions: ActionSpec
    observation: ObservationSpec
    state_dtype: np.dtype
    rules: Rules
    read_box: Callable[[str | Path | None], NDArray]
    """The components from a folder (None: the game's own), as an array of one box record."""
    render_text: Callable[[Any, Any, int | None], str]
    """(state, box, viewer) -> board; the viewer is a seat, or None to reveal everything."""
    invariants: Callable[[NDArray, NDArray], dict[str, NDArray[np.bool_]]]
    """(states, box) -> for each named truth about the pieces, whether it holds on each table."""
    folder: Path
    search_depth: int = 1
    """How often the turn should come round in a search's play-out before the heuristic is asked; found by matches."""
    render_svg: Callable[[Any, Any, int | None], str] | None = None
    """(state, box, viewer) -> an SVG file as `render_text` would draw it; None for a picture of the text."""
    _kernels: dict[Callable, Callable] = field(default_factory=dict, repr=False)

    @property
    def num_actions(self) -> int:
        return self.actions.size

    @property
    def observation_size(self) -> int:
        return self.observation.size

    @property
    def default_players(self) -> int:
        return max(2, self.min_players)

    @property
    def name(self) -> str:
        """The id with its version, as in `six_sons_v0`."""
        return f"{self.id}_v{self.version}"

    def action(self, group: str, *index: int | str) -> int:
        """The id of an action: `game.action("advance", 3)`."""
        return self.actions.action(group, *index)

    def action_name(self, action: SupportsIndex) -> str:
        """The name of an action id: "advance 3"."""
        return self.actions.name(action)

    def describe(self, observation: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """The named pieces of one observation, or of a batch of them."""
        return self.observation.describe(observation)

    def load_box(self, path: str | Path | None = None) -> NDArray:
        """The components: the game's own, or those in a folder of CSV files like the game's `data/`."""
        if path is None:
            return self._default_box
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"{self.id}: box {path!r}; expected a folder of CSV files")
        return frozen(self.read_box(path))

    def take_box(self, box: NDArray | str | Path | None) -> NDArray:
        """The components that someone asks for: a folder, what `load_box` returned, or None for the game's own."""
        if not isinstance(box, np.ndarray):
            return self.load_box(box)
        own = self.load_box()
        if box.dtype != own.dtype or box.shape != own.shape:
            raise MismatchError(f"{self.id}: expected a box made by load_box, got {box.dtype} of shape {box.shape}")
        return frozen(box.copy() if box.flags.writeable else box)

    @functools.cached_property
    def _default_box(self) -> NDArray:
        return frozen(self.read_box(None))

    def box_digest(self, box: NDArray) -> str:
        """A short fingerprint of a box."""
        return record_digest(box)

    def kernel(self, factory: Callable) -> Callable:
        """The loop of a kernel factory, compiled for this game (and kept on disk)."""
        if factory not in self._kernels:
            self._kernels[factory] = kernel(factory, self.rules, self.id, self.folder)
        return self._kernels[factory]

    def check_players(self, num_players: int) -> None:
        num_players = whole(num_players, f"{self.id}: number of players")
        if not self.min_players <= num_players <= self.max_players:
            raise ValueError(f"{self.id}: {num_players} players; expected {self.min_players} to {self.max_players}")

    def __reduce__(self) -> tuple:
        from arabian_envs.registry import get_game

        return get_game, (self.id,)


def frozen(box: NDArray) -> NDArray:
    """A box that cannot be changed by accident, in the form the rules take."""
    box = for_rules(box)
    box.flags.writeable = False
    return box


def for_rules(records: NDArray) -> NDArray:
    """Records as the rules take them: interpreted rules need attribute access."""
    return records.view(np.recarray) if INTERPRETED else records
