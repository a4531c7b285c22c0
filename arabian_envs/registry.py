"""The games, by id. A game is imported when it is first asked for."""

from __future__ import annotations

import functools
import importlib

from arabian_envs.engine.game import Game
from arabian_envs.errors import UnknownGameError

_ENTRY_POINTS = {
    "six_sons": "arabian_envs.games.six_sons:GAME",
    "djinns": "arabian_envs.games.djinns:GAME",
    "islands": "arabian_envs.games.islands:GAME",
    "sultans_of_wind": "arabian_envs.games.sultans_of_wind:GAME",
    "sultaniya": "arabian_envs.games.sultaniya:GAME",
}

GAMES: list[str] = list(_ENTRY_POINTS)
"""The ids of all registered games."""


def add_game(game_id: str, entry_point: str) -> None:
    """Make a game known by its id; `register_game` also tells the other libraries."""
    if not game_id.isidentifier():
        raise ValueError(f"game id {game_id!r}: expected letters, digits and underscores")
    if _ENTRY_POINTS.setdefault(game_id, entry_point) != entry_point:
        raise ValueError(f"game id {game_id!r} already stands for {_ENTRY_POINTS[game_id]}")
    if game_id not in GAMES:
        GAMES.append(game_id)


def entry_point(game_id: str) -> str:
    """Where a game is defined, as `package.module:NAME`."""
    return _ENTRY_POINTS[game_id]


def get_game(game_id: str) -> Game:
    """The game of that id."""
    if not isinstance(game_id, str) or game_id not in _ENTRY_POINTS:
        raise UnknownGameError(f"no game {game_id!r}; there are: {', '.join(GAMES)}")
    return _load(game_id)


@functools.cache
def _load(game_id: str) -> Game:
    module, _, name = _ENTRY_POINTS[game_id].partition(":")
    return getattr(importlib.import_module(module), name)
