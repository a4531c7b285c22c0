"""The agent that plays a trained policy. It needs no learning library."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.advice import Adviser
from agents.policy import Policy, load_policy
from arabian_envs import Game, GameBatch, MismatchError

SHIPPED = Path(__file__).parent / "policies"
"""Where the policies that come with the package are, one a game."""


class PPOAgent:
    """Plays what a policy likes best.

    Args:
        policy: the policy, or its file; None for the one shipped with the game at the table.
        sample: whether to choose actions with their probabilities rather than the likeliest one.
    """

    def __init__(self, policy: Policy | str | Path | None = None, sample: bool = False):
        self.name = f"ppo:{policy}" if isinstance(policy, (str, Path)) else "ppo"
        self.policy = load_policy(policy) if isinstance(policy, (str, Path)) else policy
        self.sample = sample
        self._adviser = Adviser()
        self.seed(0)

    def seed(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)
        self._adviser.seed(seed)

    def act(self, batch: GameBatch, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        policy = self._policy_for(batch.game)
        logits = policy.logits(self._adviser.observe(batch, tables, policy.advice))
        logits[batch.action_mask[tables] == 0] = -np.inf
        return self._sample(logits) if self.sample else logits.argmax(axis=1)

    def _sample(self, logits: NDArray[np.float32]) -> NDArray[np.int64]:
        chances = np.exp(logits - logits.max(axis=1, keepdims=True)).cumsum(axis=1)
        # A draw of exactly 0 would land on a leading illegal action.
        draws = (1 - self._generator.random(len(logits), np.float32)) * chances[:, -1]
        return (chances >= draws[:, None]).argmax(axis=1)

    def _policy_for(self, game: Game) -> Policy:
        policy = shipped_policy(game) if self.policy is None else self.policy
        policy.check(game)
        return policy


@functools.cache
def shipped_policy(game: Game) -> Policy:
    """The policy that comes with a game."""
    path = SHIPPED / f"{game.id}.safetensors"
    if not path.is_file():
        raise MismatchError(f"no policy is shipped for {game.id}; train one with `arabian train {game.id}`")
    return load_policy(path)
