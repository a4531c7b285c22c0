"""Telling Gymnasium and PettingZoo which games there are."""

from __future__ import annotations

import gymnasium
import pettingzoo

from arabian_envs.registry import GAMES


def environment_id(game_id: str, version: int = 0) -> str:
    """The id of a game in Gymnasium's and PettingZoo's registries: `arabian/SixSons-v0`."""
    return f"arabian/{''.join(word.title() for word in game_id.split('_'))}-v{version}"


def register_all() -> None:
    """Register every game with Gymnasium, and with PettingZoo where it has a registry (1.27 and later)."""
    for game_id in GAMES:
        name = environment_id(game_id)
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="arabian_envs.adapters.single_agent:SingleAgentEnv",
                vector_entry_point="arabian_envs.adapters.vector:ArabianVectorEnv",
                kwargs={"game_id": game_id},
            )
        if hasattr(pettingzoo, "register") and name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, entry_point=f"arabian_envs.{game_id}_v0:env")
