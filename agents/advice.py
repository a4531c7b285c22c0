"""The heuristic's opinion of every action, as an input for policies that learn when to follow it.

An observation shows the table; what an action leads to, a network has to guess. With advice it also sees how much worse than
the best each action looks one step ahead, in worlds redrawn for the acting seat, and how good the best one looks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.greedy import opinions
from arabian_envs import Game, GameBatch

_WORST = 0.2  # of the values -1 … 1: all that looks worse by this much looks the same


def advice_size(game: Game, samples: int) -> int:
    """How many numbers advice adds to an observation: one for each action, and one for the best."""
    return game.num_actions + 1 if samples else 0


class Adviser:
    """Observations with advice behind them. It sees no more than the acting seat may know."""

    def __init__(self) -> None:
        self.seed(0)

    def seed(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def observe(self, batch: GameBatch, tables: NDArray[np.intp], samples: int) -> NDArray[np.float32]:
        """What the acting seats see, and advice from so many worlds; none for 0."""
        seen = batch.observation[tables]
        if samples == 0:
            return seen
        value = opinions(batch, tables, samples, self._generator) / samples
        best = value.max(axis=1, keepdims=True)
        # From 0 for the best action to -1 for the worst and the illegal ones.
        behind = np.maximum((value - best) / _WORST, -1)
        return np.concatenate([seen, behind, best], axis=1, dtype=np.float32)
