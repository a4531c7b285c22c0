"""Checks of the adapters, with the other libraries' own tests where they have some."""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import io
import os
import pickle
import warnings

import numpy as np
from gymnasium.utils.env_checker import check_env as gymnasium_check_env
from pettingzoo.test import api_test, render_test, seed_test

from arabian_envs.adapters.aec import define
from arabian_envs.adapters.single_agent import SingleAgentEnv
from arabian_envs.adapters.vector import ArabianVectorEnv
from arabian_envs.engine.game import Game
from arabian_envs.testing.common import player_counts


@contextlib.contextmanager
def _quiet():
    """The other libraries' tests print and warn a lot."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def check_pettingzoo(game: Game) -> None:
    """PettingZoo's own tests, for the raw and the wrapped environment at every table size."""
    raw_env, env = define(game.id)
    for players in player_counts(game):
        with _quiet():
            api_test(raw_env(num_players=players), num_cycles=200)
            api_test(env(num_players=players), num_cycles=200)
            seed_test(lambda n=players: env(num_players=n), num_cycles=50)
            if _can_draw():
                render_test(lambda n=players, **options: env(num_players=n, **options))


def _can_draw() -> bool:
    """Whether the extra `pictures` is there. Windows that nobody looks at are not opened."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    return all(importlib.util.find_spec(name) for name in ("resvg_py", "PIL", "pygame"))


def check_aec_copies(game: Game) -> None:
    """deepcopy, pickle and get_state keep the game, the wrapped environment's included."""
    _, env = define(game.id)
    for players in player_counts(game):
        original = env(num_players=players)
        original.reset(seed=17)
        _play(original, 25)
        copies = [copy.deepcopy(original)]
        if importlib.util.find_spec(f"arabian_envs.{game.id}_v0"):
            copies.append(pickle.loads(pickle.dumps(original)))
        state = original.unwrapped.get_state()
        _play(original, 25)
        expected = original.last()[0]["observation"]
        for twin in copies:
            _play(twin, 25)
            assert (twin.last()[0]["observation"] == expected).all(), f"{game.id}: a copied environment plays differently"
        original.unwrapped.set_state(state)
        _play(original, 25)
        assert (original.last()[0]["observation"] == expected).all(), f"{game.id}: set_state lost something"


def _play(env, steps: int) -> None:
    for step in range(steps):
        observation, _, over, cut, _ = env.last()
        if over or cut:
            return
        legal = np.flatnonzero(observation["action_mask"])
        env.step(int(legal[step % len(legal)]))


def check_gymnasium(game: Game) -> None:
    """Gymnasium's (and SB3's) environment checker, and the vector environment against the single one."""
    for players in player_counts(game):
        with _quiet():
            gymnasium_check_env(SingleAgentEnv(game.id, num_players=players), skip_render_check=False)
            if importlib.util.find_spec("stable_baselines3"):
                from stable_baselines3.common.env_checker import check_env as sb3_check_env

                sb3_check_env(SingleAgentEnv(game.id, num_players=players))
        vector = ArabianVectorEnv(game.id, 5, num_players=players)
        observation, info = vector.reset(seed=3)
        for _ in range(600):
            assert vector.observation_space.contains(observation), f"{game.id}: observations outside the batched space"
            actions = [int(np.flatnonzero(mask)[0]) for mask in info["action_mask"]]
            observation, _, over, cut, info = vector.step(actions)
            assert (info.get("_final_obs", np.zeros(5, bool)) == (over | cut)).all(), (
                f"{game.id}: final_obs at the wrong tables"
            )


def check_stable_baselines3(game: Game) -> None:
    """The VecEnv answers as SB3 and MaskablePPO ask; passed over where SB3 is not installed."""
    if not importlib.util.find_spec("stable_baselines3"):
        return
    from arabian_envs.adapters.sb3 import ArabianVecEnv

    for players in player_counts(game):
        env = ArabianVecEnv(game.id, 4, num_players=players)
        env.seed(3)
        first = np.asarray(env.reset())
        assert env.has_attr("action_masks"), f"{game.id}: MaskablePPO would not find the masks"
        for _ in range(600):
            masks = np.stack(env.env_method("action_masks"))
            assert masks.any(axis=1).all(), f"{game.id}: the learner cannot act"
            observation, _, done, infos = env.step(masks.argmax(axis=1))
            assert np.asarray(observation).shape == first.shape, f"{game.id}: observations of another shape"
            for over, info in zip(done, infos, strict=True):
                assert over == ("terminal_observation" in info), (
                    f"{game.id}: terminal_observation belongs to a finished game"
                )
                assert over == ("episode" in info), f"{game.id}: episode statistics belong to a finished game"
        env.seed(3)
        assert (env.reset() == first).all(), f"{game.id}: a seeded reset is not repeatable"
