"""The agent that plays any legal action."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arabian_envs import GameBatch


class RandomAgent:
    """Plays a uniformly random legal action."""

    name = "random"

    def __init__(self) -> None:
        self.seed(0)

    def seed(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def act(self, batch: GameBatch, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        legal = np.cumsum(batch.action_mask[tables], axis=1, dtype=np.int32)
        nth = self._generator.integers(legal[:, -1])
        return (legal > nth[:, None]).argmax(axis=1)
