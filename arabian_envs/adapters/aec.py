"""PettingZoo: a game as an AEC environment."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from arabian_envs.adapters.guard import GuardedEnv
from arabian_envs.adapters.rendering import RENDER_FPS, RENDER_MODES, Renderer
from arabian_envs.docs import action_rows, observation_rows
from arabian_envs.engine.batch import GameBatch
from arabian_envs.engine.game import Game
from arabian_envs.errors import GameOverError, MismatchError
from arabian_envs.registry import get_game
from arabian_envs.replay import Replay

_KEPT_DICTS = ("rewards", "_cumulative_rewards", "terminations", "truncations")
_KEPT = {"game", "batch", "agents", "_actions", "agent_selection", "infos", *_KEPT_DICTS}


class AECGame(AECEnv[str, dict[str, NDArray], int]):
    """One table of a game. Subclasses, one a game, name it in `game_id`."""

    game_id: ClassVar[str]

    def __init__(
        self,
        num_players: int | None = None,
        reward: str = "outcome",
        box: NDArray | str | Path | None = None,
        render_mode: str | None = None,
    ):
        super().__init__()
        game = get_game(self.game_id)
        self.game = game
        self.render_mode = render_mode
        self._renderer = Renderer(game, render_mode)
        self._batch = GameBatch(game, 1, num_players, box=box, reward=reward, autoreset=False)
        self.possible_agents = [f"player_{seat}" for seat in range(int(self._batch.num_players[0]))]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        vision = spaces.Box(game.observation.low, game.observation.high, dtype=np.float32)
        mask = spaces.Box(0, 1, (game.num_actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": vision, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}
        seats = len(self.possible_agents)
        self.state_space = spaces.Box(np.tile(vision.low, seats), np.tile(vision.high, seats), dtype=np.float32)
        self._no_actions = np.zeros(game.num_actions, np.int8)
        self._fresh = True
        self._actions: list[int] = []

    def observation_space(self, agent: str) -> spaces.Space:
        try:
            return self.observation_spaces[agent]
        except (KeyError, TypeError):
            raise self._stranger(agent) from None

    def action_space(self, agent: str) -> spaces.Space:
        try:
            return self.action_spaces[agent]
        except (KeyError, TypeError):
            raise self._stranger(agent) from None

    def _stranger(self, agent: Any) -> ValueError:
        return ValueError(f"{self.game.id}: no agent {agent!r}; there are: {', '.join(self.possible_agents)}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game: from a seed, or the next one of the present seed. Options are not used."""
        if seed is not None or not self._fresh:
            self._batch.reset(seed)
        self._fresh = False
        self._actions = []
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._batch.player[0]]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, NDArray]:
        """What an agent may know now; its mask is empty unless it is its turn."""
        try:
            batch, seat = self._batch, self._seat[agent]
        except (KeyError, TypeError):
            raise self._stranger(agent) from None
        if seat == batch.player[0]:
            return {"observation": batch.observation[0].copy(), "action_mask": batch.action_mask[0].copy()}
        return {"observation": batch.observe(seat)[0], "action_mask": self._no_actions.copy()}

    def state(self) -> NDArray[np.float32]:
        """What all agents together know: their observations one after another."""
        return np.concatenate([self._batch.observe(seat)[0] for seat in range(len(self.possible_agents))])

    def step(self, action: Any) -> None:
        """One decision of the selected agent. An illegal action raises `IllegalActionError` and changes nothing."""
        agent = self.agent_selection
        try:
            over = self.terminations[agent] or self.truncations[agent]
        except KeyError:
            raise self._left() from None
        if over:
            self._was_dead_step(action)
            return
        batch = self._batch
        batch.step((action,))
        self._actions.append(int(action))
        self._cumulative_rewards[agent] = 0.0
        if batch.terminated[0] or batch.truncated[0]:
            self._finish()
        self.agent_selection = self.possible_agents[batch.player[0]]
        if self.render_mode == "human":
            self.render()

    def last(self, observe: bool = True) -> tuple[dict[str, NDArray] | None, float, bool, bool, dict[str, Any]]:
        """What the selected agent sees, what it earned since it acted last, and whether the game is over for it."""
        agent = self.agent_selection
        if agent not in self.terminations:
            raise self._left()
        seen = self.observe(agent) if observe else None
        return seen, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], self.infos[agent]

    def _left(self) -> GameOverError:
        return GameOverError(f"{self.game.id}: the game is over and all agents have left it; call reset")

    def is_legal(self, action: Any) -> bool:
        """Whether this is an action, and the acting player may do it now."""
        if isinstance(action, np.ndarray) and action.shape == ():
            action = action[()]  # an array of one number and no dimension is that number
        whole = isinstance(action, (int, np.integer)) and not isinstance(action, bool)
        if not whole or not 0 <= action < len(self._no_actions):
            return False
        return bool(self._batch.action_mask[0, action])

    def _finish(self) -> None:
        batch = self._batch
        for agent, seat in self._seat.items():
            self.rewards[agent] = float(batch.reward[0, seat])
            self.terminations[agent] = bool(batch.terminated[0])
            self.truncations[agent] = bool(batch.truncated[0])
            self.infos[agent] = {"score": float(batch.final_scores[0, seat])}
        self._accumulate_rewards()

    def render(self) -> str | NDArray | None:
        """The table as the acting player sees it: text, an SVG file or pixels; in the mode `human` a window shows it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called without a render mode; pass render_mode to the environment")
            return None
        return self._renderer.render(self._batch, int(self._batch.player[0]))

    def _repr_svg_(self) -> str:
        return self._batch.picture(0, int(self._batch.player[0]))

    def replay(self) -> Replay:
        """The game that has just ended, to be kept: `env.replay().write("game.jsonl")`."""
        if self._batch.running[0]:
            raise ValueError(f"{self.game.id}: the game is still going on; only a finished one has a replay")
        return Replay.record(self._batch, self._actions)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()

    def get_state(self) -> dict[str, Any]:
        """All that `set_state` needs to return to this moment, the future included."""
        return {
            "game": self.game.name,
            "batch": self._batch.copy(),
            "agents": list(self.agents),
            "_actions": list(self._actions),
            "agent_selection": self.agent_selection,
            "infos": {agent: dict(info) for agent, info in self.infos.items()},
            **{name: dict(getattr(self, name)) for name in _KEPT_DICTS},
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Return to a moment kept by `get_state`, of this environment or another of the same game and size."""
        whole = isinstance(state, Mapping) and state.keys() == _KEPT
        if not whole or not isinstance(state["batch"], GameBatch):
            raise TypeError(f"{self.game.id}: expected a state that get_state returned, got {type(state).__name__}")
        batch = state["batch"]
        for what, theirs, ours in (
            ("game", batch.game.name, self.game.name),
            ("tables", batch.num_games, 1),
            ("players", batch.num_players[0], self._batch.num_players[0]),
        ):
            if theirs != ours:
                raise MismatchError(f"{self.game.id}: the state is of {what} {theirs}, the environment of {ours}")
        self._batch = batch.copy()
        self._fresh = False
        for name, value in state.items():
            if name not in ("game", "batch"):
                setattr(self, name, value.copy() if isinstance(value, (dict, list)) else value)

    def __str__(self) -> str:
        return self.game.name


@functools.cache
def define(game_id: str) -> tuple[type[AECGame], Callable[..., AECEnv]]:
    """The `raw_env` class and the `env` function of a game's PettingZoo module `arabian_envs.<id>_v0`."""
    game = get_game(game_id)
    module = f"arabian_envs.{game_id}_v0"

    def env(**kwargs: Any) -> AECEnv:
        """The environment with PettingZoo's usual checks: an illegal move ends the game with -1 for its player."""
        return GuardedEnv(raw_env(**kwargs))

    env.__module__, env.__qualname__ = module, "env"
    raw_env = type(
        "raw_env",
        (AECGame,),
        {
            "__doc__": _docstring(game),
            "__module__": module,
            "__qualname__": "raw_env",
            "game_id": game_id,
            "metadata": {
                "name": game.name,
                "render_modes": RENDER_MODES,
                "render_fps": RENDER_FPS,
                "is_parallelizable": False,
            },
        },
    )
    return raw_env, env


def make_env(game_id: str, **options: Any) -> AECEnv:
    """The wrapped environment of any registered game."""
    return define(get_game(game_id).id)[1](**options)


def _docstring(game: Game) -> str:
    actions = "\n".join(f"    {ids:>9}  {name} [{index}]: {meaning}" for ids, name, index, meaning in action_rows(game))
    pieces = "\n".join(
        f"    {place:>9}  {name} [{shape}], {bounds}: {meaning}"
        for place, name, shape, bounds, meaning in observation_rows(game)
    )
    return f"""{game.title} for PettingZoo.

    ## Description
    {game.summary} {game.min_players} to {game.max_players} players. Designed by {game.designer}; {game.publisher}.

    ## Action Space
    `Discrete({game.num_actions})`; seats are relative to the acting player.

{actions}

    ## Observation Space
    A dict of `observation`, a vector of {game.observation_size} float32, and `action_mask`, int8, all zero off turn.

{pieces}

    ## Rewards
    At the end of the game. `outcome`: the winner gets +1 and the others share -1; tied winners share so that the sum is 0.
    `margin`: points ahead of the best other player, times {game.point_scale:g}. Solo: the score, times {game.point_scale:g}.

    ## Episode End
    When the rules end the game; a cap on its length, where a game has one, truncates it.

    ## Arguments
    num_players: {game.min_players} to {game.max_players}, by default {game.default_players}.
    reward: "outcome" or "margin".
    box: other components, a folder of CSV files or what `Game.load_box` returned.
    render_mode: None, "ansi" (text), "svg", "rgb_array" (pixels) or "human" (a window).

    ## Version History
    v{game.version}: see the game's README.
    """
