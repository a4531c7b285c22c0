"""PettingZoo's three usual wrappers in one layer."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

_ILLEGAL_REWARD = -1.0


class GuardedEnv(wrappers.OrderEnforcingWrapper):
    """What TerminateIllegalWrapper, AssertOutOfBoundsWrapper and OrderEnforcingWrapper do, in one layer.

    Stacked, each of them looks up every attribute in the layer below, which costs several times more than a step of the
    game. The behaviour is theirs: an illegal action ends the game with -1 for its player, an action outside the space is an
    AssertionError, and calls out of order are refused.
    """

    def __getattr__(self, name: str) -> Any:
        if name == "env":  # not there yet: a copy is being made
            raise AttributeError(name)
        return super().__getattr__(name)

    def step(self, action: int | None) -> None:
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        env = self.env
        self._has_updated = True
        if not env.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = env.agent_selection
        if env.terminations[agent] or env.truncations[agent]:
            env.step(action)
            return
        if env.is_legal(action):
            env.step(action)
        else:
            # Gymnasium takes True for 1.
            known = env.action_space(agent).contains(action) and not isinstance(action, bool)
            assert known, "action is not in action space"
            self._end_by_illegal_move(agent)

    def _end_by_illegal_move(self, agent: str) -> None:
        EnvLogger.warn_on_illegal_move()
        env = self.env
        env._cumulative_rewards[agent] = 0
        env.terminations = dict.fromkeys(env.agents, True)
        env.truncations = dict.fromkeys(env.agents, True)
        env.rewards = {other: _ILLEGAL_REWARD if other == agent else 0.0 for other in env.agents}
        env._accumulate_rewards()
        env._deads_step_first()

    def last(self, observe: bool = True) -> tuple[dict[str, NDArray] | None, float, bool, bool, dict[str, Any]]:
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return self.env.last(observe)

    def _repr_svg_(self) -> str:
        return self.env._repr_svg_()  # PettingZoo's wrappers hide names that begin with an underscore

    # Looked up in every turn of a loop: quicker as properties than through __getattr__.

    @property
    def agents(self) -> list[str]:
        return self._after_reset("agents")

    @property
    def agent_selection(self) -> str:
        return self._after_reset("agent_selection")

    @property
    def rewards(self) -> dict[str, float]:
        return self._after_reset("rewards")

    @property
    def terminations(self) -> dict[str, bool]:
        return self._after_reset("terminations")

    @property
    def truncations(self) -> dict[str, bool]:
        return self._after_reset("truncations")

    def _after_reset(self, name: str) -> Any:
        if not self._has_reset:
            raise AttributeError(f"{name} cannot be accessed before reset")
        return getattr(self.env, name)
