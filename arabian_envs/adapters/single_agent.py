"""Gymnasium: one table, one learner."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from arabian_envs.adapters.learner import LearnerStep, LearnerTables
from arabian_envs.adapters.rendering import RENDER_FPS, RENDER_MODES, Renderer


class SingleAgentEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A game as a single-agent environment: the learner has one seat, given agents have the others.

    ## Description
    A step runs from one decision of the learner to its next. See the game's README for the rules.

    ## Action Space
    `Discrete(num_actions)`. The legal ones are in `info["action_mask"]` and from `action_masks()`.

    ## Observation Space
    A float32 vector; `Game.describe` names its pieces.

    ## Rewards
    What the learner's seat earns up to its next decision; see the README.

    ## Episode End
    The end of the game, or an illegal action (reward -1) unless `illegal="raise"`.

    ## Arguments
    game_id, num_players, seat, opponents, reward, box, illegal: see `LearnerTables`; render_mode: None, "ansi" (text),
    "svg", "rgb_array" (pixels) or "human" (a window).

    ## Version History
    See the game's README.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}

    def __init__(self, game_id: str, render_mode: str | None = None, **options: Any):
        self.tables = LearnerTables(game_id, 1, autoreset=False, **options)
        self.game = self.tables.game
        self.render_mode = render_mode
        self._renderer = Renderer(self.game, render_mode)
        self.observation_space = spaces.Box(self.game.observation.low, self.game.observation.high, dtype=np.float32)
        self.action_space = spaces.Discrete(self.game.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self.tables.reset(seed)
        self._show()
        return self.tables.observation[0], self._info()

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        result = self.tables.step([action])
        self._show()
        if not len(result.done):
            return self.tables.observation[0], float(result.reward[0]), False, False, self._info()
        info = final_info(result, 0)
        info["action_mask"] = np.zeros(self.game.num_actions, np.int8)
        return (
            result.final_observation[0],
            float(result.reward[0]),
            bool(result.terminated[0]),
            bool(result.truncated[0]),
            info,
        )

    def action_masks(self) -> NDArray[np.int8]:
        """The legal actions, as sb3-contrib asks for them."""
        return self.tables.action_mask[0]

    def render(self) -> str | NDArray | None:
        """The table as the learner sees it."""
        return self._renderer.render(self.tables.batch, int(self.tables.seat[0]))

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()

    def _repr_svg_(self) -> str:
        return self.tables.batch.picture(0, int(self.tables.seat[0]))

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.tables.action_mask[0], "seat": int(self.tables.seat[0])}


def final_info(result: LearnerStep, index: int) -> dict[str, Any]:
    """What there is to say of the index-th finished game of a step."""
    seat = int(result.final_seat[index])
    return {
        "seat": seat,
        "score": float(result.final_scores[index, seat]),
        "scores": result.final_scores[index].copy(),
        "illegal_action": bool(result.illegal[result.done[index]]),
    }
