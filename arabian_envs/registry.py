"""The games, by id. A game is imported when it is first asked for."""

from __future__ import annotations

import functools
import importlib

from arabian_envs.engine.game import Game
from arabian_envs.errors import UnknownGameError

_ENTRY_POINTS = {
    "six_sons": "arabian_envs.games.six_sons:GAME",
}

GAMES: list[str] = list(_ENTRY_POINTS)
"""The ids of all registered games."""


def register_game(game_id: str, entry_point: str) -> None:
    """Add a game of your own: `register_game("my_game", "my_package.my_game:GAME")`."""
    if not game_id.isidentifier():
        raise ValueError(f"game id {game_id!r}: expected letters, digits and underscores")
    if _ENTRY_POINTS.setdefault(game_id, entry_point) != entry_point:
        raise ValueError(f"game id {game_id!r} already stands for {_ENTRY_POINTS[game_id]}")
    if game_id not in GAMES:
        GAMES.append(game_id)


def get_game(game_id: str) -> Game:
    """The game of that id."""
    if game_id not in _ENTRY_POINTS:
        raise UnknownGameError(f"no game {game_id!r}; there are: {', '.join(GAMES)}")
    return _load(game_id)


@functools.lru_cache(maxsize=None)
def _load(game_id: str) -> Game:
    module, _, name = _ENTRY_POINTS[game_id].partition(":")
    return getattr(importlib.import_module(module), name)
