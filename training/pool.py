"""Who the learner plays against: itself, its past and fixed agents, drawn anew for every seat of every game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from agents import Agent, make_agent
from agents.policy import Policy
from agents.ppo import PPOAgent
from arabian_envs import Game, GameBatch

CURRENT, SNAPSHOTS = "current", "snapshots"


class OpponentPool:
    """An opponent for `LearnerTables` that hands each seat to one of its members for a whole game.

    Args:
        game: the game they play.
        mix: weights of `current`, `snapshots` and of any agents by their specs. While there are no snapshots, their
            weight is the current policy's.
        kept: how many snapshots to keep.
    """

    def __init__(self, game: Game, mix: Mapping[str, float], kept: int):
        self._fixed = {spec: make_agent(spec) for spec in mix if spec not in (CURRENT, SNAPSHOTS)}
        self._weights = dict(mix)
        # Until `update` tells better, all actions are alike.
        nothing = np.zeros((game.num_actions, game.observation_size)), np.zeros(game.num_actions)
        self._current = PPOAgent(Policy(game.id, game.version, [nothing]), sample=True)
        self._kept = kept
        self.snapshots: list[PPOAgent] = []
        self.taken = 0
        self.seed(0)

    def seed(self, seed: int) -> None:
        """Start all randomness anew; every seat of every game is handed out again."""
        children = np.random.SeedSequence(seed).generate_state(1 + len(self._fixed) + 1)
        self._generator = np.random.default_rng(children[0])
        for agent, child in zip([self._current, *self._fixed.values()], children[1:], strict=True):
            agent.seed(int(child))
        self._who = np.zeros((0, 0), np.int16)
        self._episode = np.zeros(0, np.int64)

    @property
    def members(self) -> list[Agent]:
        """Everybody who plays: the learner now, the fixed agents, the snapshots."""
        return [self._current, *self._fixed.values(), *self.snapshots]

    @property
    def policies(self) -> list[Policy]:
        """The snapshots as policies."""
        return [agent.policy for agent in self.snapshots if agent.policy is not None]

    def chances(self) -> NDArray[np.float64]:
        """How likely each member gets a seat."""
        current, past = self._weights.get(CURRENT, 0.0), self._weights.get(SNAPSHOTS, 0.0)
        fixed = [self._weights[spec] for spec in self._fixed]
        each = past / max(1, len(self.snapshots))
        weights = np.array([current + (0 if self.snapshots else past), *fixed, *[each] * len(self.snapshots)])
        return weights / weights.sum()

    def update(self, policy: Policy) -> None:
        """Tell the pool what the learner has become."""
        self._current.policy = policy

    def take_snapshot(self, policy: Policy) -> None:
        """Keep the learner as it is; beyond `kept`, the oldest makes room."""
        agent = PPOAgent(policy, sample=True)
        agent.seed(int(self._generator.integers(2**32)))
        if len(self.snapshots) < self._kept:
            self.snapshots.append(agent)
        else:
            self.snapshots[self.taken % self._kept] = agent
        self.taken += 1

    def act(self, batch: GameBatch, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        self._hand_out_seats(batch, tables)
        who = self._who[tables, batch.player[tables]]
        actions = np.empty(len(tables), np.int64)
        members = self.members
        for member in np.unique(who):
            theirs = who == member
            actions[theirs] = members[member].act(batch, tables[theirs])
        return actions

    def _hand_out_seats(self, batch: GameBatch, tables: NDArray[np.intp]) -> None:
        """Draw members for the seats of the games that are new."""
        if len(self._episode) != batch.num_games:
            self._who = np.zeros((batch.num_games, int(batch.num_players.max())), np.int16)
            self._episode = np.full(batch.num_games, -1, np.int64)
        new = tables[self._episode[tables] != batch.episodes[tables]]
        if len(new):
            chances = self.chances()
            self._who[new] = self._generator.choice(len(chances), (len(new), self._who.shape[1]), p=chances)
            self._episode[new] = batch.episodes[new]

    def restore(self, policies: Sequence[Policy], taken: int) -> None:
        """Have these snapshots again, of so many that were ever taken."""
        self.snapshots = [PPOAgent(policy, sample=True) for policy in policies]
        self.taken = taken
