"""Stable-Baselines3: many tables as one VecEnv, with action masks for sb3-contrib's MaskablePPO."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, tile_images

from arabian_envs.adapters.learner import LearnerTables
from arabian_envs.adapters.rendering import check_render_mode
from arabian_envs.adapters.single_agent import final_info
from arabian_envs.checks import whole


class ArabianVecEnv(VecEnv):
    """Many tables of a game for one learner.

    `MaskablePPO("MlpPolicy", ArabianVecEnv("six_sons", 256))` learns at once: masks are answered from the batch, and
    finished games report `episode` statistics as SB3's Monitor does. For SB3's video recorder pass
    `render_mode="rgb_array"`. Further arguments as in `LearnerTables`.
    """

    def __init__(self, game_id: str, num_envs: int, render_mode: str = "ansi", **options: Any):
        check_render_mode(game_id, render_mode, ["rgb_array", "ansi"])
        self.tables = LearnerTables(game_id, num_envs, **options)
        self.game = self.tables.game
        self.render_mode = render_mode
        self._actions = np.zeros(num_envs, np.int64)
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        self._started = time.time()
        vision = spaces.Box(self.game.observation.low, self.game.observation.high, dtype=np.float32)
        super().__init__(num_envs, vision, spaces.Discrete(self.game.num_actions))

    def action_masks(self) -> NDArray[np.int8]:
        """The legal actions of every table."""
        return self.tables.action_mask

    def reset(self) -> NDArray[np.float32]:
        self.tables.reset(self._seeds[0])
        self._reset_seeds()
        self._returns[:] = 0
        self._lengths[:] = 0
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self.tables.observation

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The seed of the next reset."""
        return super().seed(None if seed is None else whole(seed, f"{self.game.id}: seed"))

    def step_async(self, actions: NDArray) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        result = self.tables.step(self._actions)
        self._returns += result.reward
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        seconds = time.time() - self._started
        for index, table in enumerate(result.done.tolist()):
            infos[table] = {
                **final_info(result, index),
                "terminal_observation": result.final_observation[index],
                # A capped game was scored, so there is nothing for SB3 to guess beyond its end.
                "TimeLimit.truncated": False,
                "capped": bool(result.truncated[table]),
                "episode": {
                    "r": float(self._returns[table]),
                    "l": int(self._lengths[table]),
                    "t": seconds,
                },
            }
        self._returns[result.done] = 0
        self._lengths[result.done] = 0
        return self.tables.observation, result.reward, result.terminated | result.truncated, infos

    def close(self) -> None:
        """Nothing to close."""

    def _get_indices(self, indices: Any) -> Iterable[int]:
        return range(self.num_envs) if indices is None else self.tables.batch._tables(indices)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        if len(list(self._get_indices(indices))) != self.num_envs:
            raise ValueError("the tables share their attributes: set them for all or none")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Methods that answer for every table (`action_masks`) give each its row; others are called once for all."""
        chosen = self._get_indices(indices)
        answer = getattr(self, method_name)(*args, **kwargs)
        if isinstance(answer, np.ndarray) and len(answer) == self.num_envs:
            return [answer[i] for i in chosen]
        return [answer for _ in chosen]

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray]:
        """Every table as its learner sees it, in pixels."""
        return [self.tables.batch.picture(i, int(seat)).pixels() for i, seat in enumerate(self.tables.seat)]

    def render(self, mode: str | None = None) -> str | NDArray:  # type: ignore[override]  # text is not an image
        """`ansi`: the first table as its learner sees it; `rgb_array`: all tables in one image."""
        if mode != "human":  # SB3 asks for that where it means the environment's own mode
            check_render_mode(self.game.id, mode, ["rgb_array", "ansi"])
        if (mode or self.render_mode) == "rgb_array":
            return tile_images(self.get_images())
        return self.tables.batch.render(0, viewer=int(self.tables.seat[0]))
