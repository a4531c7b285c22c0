"""RLlib: one table of a game as a MultiAgentEnv."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from arabian_envs.adapters.learner import ILLEGAL_REWARD
from arabian_envs.checks import whole
from arabian_envs.engine.batch import GameBatch
from arabian_envs.registry import get_game


@dataclass(frozen=True)
class TableOptions:
    """What RLlib's `env_config` may hold.

    Attributes:
        game_id: one of `GAMES`.
        num_players: players at the table, or several numbers that take turns from game to game.
        reward: as in `make_batch`.
        box: as in `make_batch`.
        illegal: "terminate" ends a game in which an illegal action is tried, with -1 for its player; "raise" raises
            `IllegalActionError` and changes nothing.
    """

    game_id: str
    num_players: int | Sequence[int] | None = None
    reward: str = "outcome"
    box: NDArray | str | Path | None = None
    illegal: str = "terminate"

    def __post_init__(self) -> None:
        if self.illegal not in ("terminate", "raise"):
            raise ValueError(f"{self.game_id}: illegal={self.illegal!r}; expected 'terminate' or 'raise'")

    @classmethod
    def read(cls, config: Mapping[str, Any]) -> TableOptions:
        """The options in an `env_config`; an unknown one is refused."""
        known = [option.name for option in fields(cls)]
        unknown = [name for name in config if name not in known]
        if unknown or "game_id" not in config:
            wrong = f"unknown options {', '.join(unknown)}" if unknown else "no game_id"
            raise ValueError(f"env_config: {wrong}; expected game_id and any of {', '.join(known[1:])}")
        return cls(**config)


class ArabianMultiAgentEnv(MultiAgentEnv):
    """One table of a game; the seats are the agents `player_0`, `player_1`, …

    Only the seat to act gets an observation: a dict of `observation` and `action_mask`. RLlib joins an agent's action
    to that agent's next observation, so a transition runs from one decision of a seat to its next. The end of a game
    gives every seat its reward and a last observation, whose mask is empty.

    `env_config` holds `TableOptions`. RLlib's environment runners play different games from one seed.
    """

    def __init__(self, config: Mapping[str, Any]):
        super().__init__()
        options = TableOptions.read(config)
        game = get_game(options.game_id)
        sizes = options.num_players
        if sizes is None or isinstance(sizes, int):
            sizes = [game.default_players if sizes is None else sizes]
        self.game = game
        self.illegal = options.illegal
        # One table for each number of players. RLlib gives runner w the seeds seed + w, seed + w + 1, …: without tables
        # of their own, neighbouring runners would play the same games.
        runner = getattr(config, "worker_index", 0) or 0
        self._batch = GameBatch(
            game,
            len(sizes),
            sizes,
            box=options.box,
            reward=options.reward,
            autoreset=False,
            num_threads=1,
            first_table=runner * len(sizes),
        )
        self._table = -1
        self._actions = np.zeros(len(sizes), np.int64)
        self._no_actions = np.zeros(game.num_actions, np.int8)
        self.possible_agents = [f"player_{seat}" for seat in range(max(sizes))]
        self.agents: list[str] = []
        vision = spaces.Box(game.observation.low, game.observation.high, dtype=np.float32)
        view = spaces.Dict({"observation": vision, "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, view)
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Deal the next game, or the first one of a seed. Options are not used."""
        super().reset(seed=seed)
        if seed is None:
            self._table = (self._table + 1) % self._batch.num_games
            self._batch.reset(tables=[self._table])
        else:
            self._batch.reset(seed)
            # Environments are seeded one after another: together they begin with every number of players.
            self._table = seed % self._batch.num_games
        self.agents = self.possible_agents[: int(self._batch.num_players[self._table])]
        return self._turn(), {}

    def step(
        self, action_dict: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """One decision of the seat to act."""
        batch, table = self._batch, self._table
        agent = self.possible_agents[batch.player[table]]
        if list(action_dict) != [agent]:
            raise ValueError(f"{self.game.id}: actions of {', '.join(action_dict) or 'nobody'}; it is the turn of {agent}")
        action = whole(action_dict[agent], f"{self.game.id}: action")
        if self.illegal == "terminate" and not self._is_legal(action):
            rewards = {other: ILLEGAL_REWARD if other == agent else 0.0 for other in self.agents}
            return self._end(rewards, truncated=False)
        self._actions[table] = action
        batch.step(self._actions, where=np.arange(batch.num_games) == table)
        rewards = {other: float(batch.reward[table, seat]) for seat, other in enumerate(self.agents)}
        if batch.terminated[table] or batch.truncated[table]:
            return self._end(rewards, bool(batch.truncated[table]))
        # RLlib adds up what a seat earns while others act; only the acting one must be told of nothing.
        rewards = {other: reward for other, reward in rewards.items() if reward or other == agent}
        return self._turn(), rewards, {"__all__": False}, {"__all__": False}, {}

    def render(self) -> str:
        """The table as the acting player sees it."""
        return self._batch.render(self._table, int(self._batch.player[self._table]))

    def _is_legal(self, action: int) -> bool:
        return 0 <= action < self.game.num_actions and bool(self._batch.action_mask[self._table, action])

    def _turn(self) -> dict[str, Any]:
        batch, table = self._batch, self._table
        view = {"observation": batch.observation[table].copy(), "action_mask": batch.action_mask[table].copy()}
        return {self.possible_agents[batch.player[table]]: view}

    def _end(
        self, rewards: dict[str, float], truncated: bool
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        batch, table = self._batch, self._table
        scores = batch.scores()[table]
        views, infos = {}, {}
        for seat, agent in enumerate(self.agents):
            seen = batch.observe(seat, tables=[table])[0]
            views[agent] = {"observation": seen, "action_mask": self._no_actions.copy()}
            infos[agent] = {"score": float(scores[seat])}
        over = [*self.agents, "__all__"]
        return views, rewards, dict.fromkeys(over, not truncated), dict.fromkeys(over, truncated), infos
