"""How fast things go: random legal play, with observation and mask written at every step."""

from __future__ import annotations

import random
import statistics
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


def thread_scaling(game_id: str, num_games: int = BATCH_SIZES[-1], num_threads: int = 2, seconds: float = 1.0) -> float:
    """How many times as fast as on one thread a batch is on several.

    Both play the same games by turns, a few milliseconds each, so that a busy machine slows both alike. It is the ratio of
    the medians of these slices.
    """
    batches = [make_batch(game_id, num_games, seed=1, num_threads=threads) for threads in (1, num_threads)]
    slices: tuple[list[float], list[float]] = ([], [])
    started = time.perf_counter()
    while len(slices[0]) < 5 or time.perf_counter() - started < seconds:
        for batch, times in zip(batches, slices, strict=True):
            begin = time.perf_counter()
            for _ in range(4):
                batch.step(batch.sample())
            times.append(time.perf_counter() - begin)
    one, several = (statistics.median(times) for times in slices)
    return one / several


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
