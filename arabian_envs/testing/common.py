"""What the checks share."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from arabian_envs.engine.batch import GameBatch
from arabian_envs.engine.game import Game

LONGEST_GAME = 20_000
"""Decisions after which random play must have ended."""


def player_counts(game: Game) -> range:
    """Every table size of a game."""
    return range(game.min_players, game.max_players + 1)


def batches(game: Game, num_games: int, seed: int = 0, autoreset: bool = True) -> Iterator[GameBatch]:
    """A batch for every table size."""
    for players in player_counts(game):
        yield GameBatch(game, num_games, players, seed + players, autoreset=autoreset)


def random_positions(game: Game, num_games: int, seed: int = 0, moments: int = 8) -> Iterator[GameBatch]:
    """Batches caught at several moments of random play, early and late, at every table size."""
    for batch in batches(game, num_games, seed):
        for moment in range(moments):
            for _ in range(1 + moment * moment):
                batch.step(batch.sample())
            yield batch


def where_is(batch: GameBatch) -> str:
    """The words every complaint begins with."""
    return f"{batch.game.id}, {int(batch.num_players[0])} players"


def assert_invariants(batch: GameBatch, moment: str) -> None:
    """The game's own truths about its pieces."""
    for truth, holds in batch.game.invariants(batch.state, batch.box).items():
        assert np.all(holds), f"{where_is(batch)}, table {int(np.argmin(holds))}, {moment}: broken: {truth}"


def record_bytes(batch: GameBatch) -> NDArray[np.uint8]:
    """The states as rows of bytes. Indexing records with a mask would leave the bytes between fields undefined."""
    return np.asarray(batch.state).view(np.uint8).reshape(batch.num_games, -1)


def snapshot(batch: GameBatch) -> bytes:
    """All that a step may change, as bytes."""
    arrays = (batch.state, batch.player, batch.observation, batch.action_mask, batch.reward, batch.terminated)
    return b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)


def play_digest(game: Game, num_games: int, steps: int) -> str:
    """A fingerprint of all that random play shows at every table size, for comparing ways to run it."""
    content = hashlib.sha256()
    for batch in batches(game, num_games, seed=99):
        for _ in range(steps):
            batch.step(batch.sample())
            content.update(snapshot(batch))
        content.update(np.round(batch.evaluate(0), 6).tobytes())
        batch.determinize(0, seed=7)
        content.update(snapshot(batch))
    return content.hexdigest()
