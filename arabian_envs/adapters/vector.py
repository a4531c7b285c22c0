"""Gymnasium: many tables, one learner at each, as one vector environment."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from arabian_envs.adapters.learner import LearnerTables
from arabian_envs.adapters.rendering import RENDER_FPS, VECTOR_RENDER_MODES, check_render_mode, render
from arabian_envs.adapters.single_agent import final_info


class ArabianVectorEnv(VectorEnv):
    """Many tables of a game for one learner; `info["action_mask"]` holds the legal actions of every table.

    A finished table is dealt anew in the same step; the last view of the old game is in `info["final_obs"]`, its
    facts in `info["final_info"]`. Arguments as in `LearnerTables`.
    """

    metadata: dict[str, Any] = {
        "render_modes": VECTOR_RENDER_MODES,
        "render_fps": RENDER_FPS,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(self, game_id: str, num_envs: int = 1, render_mode: str | None = None, **options: Any):
        check_render_mode(game_id, render_mode, VECTOR_RENDER_MODES)
        self.tables = LearnerTables(game_id, num_envs, **options)
        self.game = self.tables.game
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = spaces.Box(self.game.observation.low, self.game.observation.high, dtype=np.float32)
        self.single_action_space = spaces.Discrete(self.game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self.tables.reset(seed)
        return self.tables.observation, self._info()

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        result = self.tables.step(actions)
        infos = self._info()
        for index, table in enumerate(result.done):
            last = {"final_obs": result.final_observation[index], "final_info": final_info(result, index)}
            infos = self._add_info(infos, last, int(table))
        return self.tables.observation, result.reward.astype(np.float64), result.terminated, result.truncated, infos

    def action_masks(self) -> NDArray[np.int8]:
        """The legal actions of every table."""
        return self.tables.action_mask

    def render(self) -> tuple[Any, ...] | None:
        """Every table as its learner sees it."""
        if self.render_mode is None:
            return None
        return tuple(render(self.tables.batch, i, int(seat), self.render_mode) for i, seat in enumerate(self.tables.seat))

    def _repr_html_(self) -> str:
        return self.tables.batch._repr_html_()

    def _info(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self.tables.action_mask,
            "_action_mask": everywhere,
            "seat": self.tables.seat.copy(),
            "_seat": everywhere.copy(),
        }
