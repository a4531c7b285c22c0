"""What an agent is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from arabian_envs import GameBatch


@runtime_checkable
class Agent(Protocol):
    """Someone who plays: asked for many tables at once.

    An agent may read `batch.observation`, `batch.action_mask` and `batch.player`; one that reads `batch.state` must first
    redraw what the acting seat cannot know (the verb `determinize`).
    """

    name: str

    def seed(self, seed: int) -> None:
        """Start the agent's own randomness anew."""

    def act(self, batch: GameBatch, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        """A legal action for the acting seat of each of these tables."""
