"""How fast things go: random legal play, with observation and mask written at every step."""

from __future__ import annotations

import random
import time
from typing import Any

from arabian_envs.engine.batch import make_batch

BATCH_SIZES = (1, 64, 1024, 8192)


def batch_steps_per_second(
    game_id: str, num_games: int, num_threads: int | None = None, num_players: int | None = None, seconds: float = 1.0
) -> float:
    """Decisions a second of a batch under random legal play."""
    batch = make_batch(game_id, num_games, num_players, seed=1, num_threads=num_threads)
    for _ in range(10):
        batch.step(batch.sample())
    steps, started = 0, time.perf_counter()
    while True:
        for _ in range(5):
            batch.step(batch.sample())
        steps += 5 * num_games
        elapsed = time.perf_counter() - started
        if elapsed >= seconds:
            return steps / elapsed


def aec_steps_per_second(env: Any, seconds: float = 1.0) -> float:
    """Decisions a second of a PettingZoo AEC loop under random legal play, picked the same way for any environment."""
    pick = random.Random(1).random
    env.reset(seed=1)
    steps, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(pick() * len(legal))]))
            steps += 1
        env.reset()
    return steps / (time.perf_counter() - started)
