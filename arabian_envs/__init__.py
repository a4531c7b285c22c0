"""Arabian-themed tabletop games for reinforcement learning."""

from arabian_envs.engine.batch import GameBatch, make_batch
from arabian_envs.engine.game import Game
from arabian_envs.errors import (
    ArabianError,
    ComponentError,
    GameOverError,
    IllegalActionError,
    MismatchError,
    UnknownGameError,
)
from arabian_envs.registration import register_all, register_game
from arabian_envs.registry import GAMES, get_game

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "ArabianError",
    "ComponentError",
    "Game",
    "GameBatch",
    "GameOverError",
    "IllegalActionError",
    "MismatchError",
    "UnknownGameError",
    "get_game",
    "make_batch",
    "register_game",
]

register_all()
