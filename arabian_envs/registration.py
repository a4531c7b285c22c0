"""Telling Gymnasium and PettingZoo which games there are."""

from __future__ import annotations

import gymnasium
import pettingzoo

from arabian_envs.registry import GAMES, add_game


def environment_id(game_id: str, version: int = 0) -> str:
    """The id of a game in Gymnasium's and PettingZoo's registries: `arabian/SixSons-v0`."""
    return f"arabian/{''.join(word.title() for word in game_id.split('_'))}-v{version}"


def register_game(game_id: str, entry_point: str) -> None:
    """Add a game of your own: `register_game("my_game", "my_package.my_game:GAME")`.

    From then on it is one of `GAMES`, and Gymnasium and PettingZoo (1.27 and later) can make it.
    """
    add_game(game_id, entry_point)
    _register(game_id)


def register_all() -> None:
    """Register every game of this package."""
    for game_id in GAMES:
        _register(game_id)


def _register(game_id: str) -> None:
    name = environment_id(game_id)
    if name not in gymnasium.registry:
        gymnasium.register(
            name,
            entry_point="arabian_envs.adapters.single_agent:SingleAgentEnv",
            vector_entry_point="arabian_envs.adapters.vector:ArabianVectorEnv",
            kwargs={"game_id": game_id},
        )
    if hasattr(pettingzoo, "register") and name not in pettingzoo.aec_registry:
        pettingzoo.register("aec", name, entry_point="arabian_envs.adapters.aec:make_env", kwargs={"game_id": game_id})
