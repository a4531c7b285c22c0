"""Right and wrong calls of the public API in random order, and damaged files.

A call does what it says, or it is refused on purpose: by an error of `arabian_envs.errors`, or by a ValueError, TypeError
or OSError that says what was wrong. What was refused has changed nothing, and the game goes on as if nobody had asked.

A few examples, the same ones each time, belong to the tests. To look for new ones, ask for more of each:

    ARABIAN_FUZZ_EXAMPLES=2000 pytest tests/test_fuzz.py
"""

from __future__ import annotations

import copy
import csv
import io
import itertools
import json
import os
import pickle
import re
import tempfile
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors

from agents import Agent, GreedyAgent, RandomAgent, make_agent
from agents.arena import play_match
from agents.ladder import play_ladder
from agents.policy import Policy, load_policy, save_policy
from agents.ppo import PPOAgent
from arabian_envs import GAMES, GameBatch, get_game, make_batch
from arabian_envs.adapters.aec import define, make_env
from arabian_envs.adapters.learner import LearnerTables
from arabian_envs.adapters.sb3 import ArabianVecEnv
from arabian_envs.adapters.single_agent import SingleAgentEnv
from arabian_envs.adapters.vector import ArabianVectorEnv
from arabian_envs.errors import UnknownGameError
from arabian_envs.registration import environment_id
from arabian_envs.replay import Replay, state_digest
from arabian_envs.replay_page import write_page
from arabian_envs.testing.common import assert_invariants
from arabian_envs.testing.files import golden_path
from tests.wrong import (
    attempt,
    damage_json,
    damaged,
    damaged_lines,
    everything,
    legal_actions,
    no_index,
    no_number,
    outside,
    refused,
    watched,
    written,
    wrong_actions,
    wrong_masks,
    wrong_seats,
    wrong_tables,
)

EXAMPLES = int(os.environ.get("ARABIAN_FUZZ_EXAMPLES", "0"))


def examples(number: int) -> settings:
    """So many examples, always the same; or as many new ones as were asked for."""
    return settings(
        max_examples=EXAMPLES or number,
        derandomize=not EXAMPLES,
        deadline=None,
        stateful_step_count=25,
        suppress_health_check=list(HealthCheck),
    )


STEPS = st.sampled_from([1, 2, 5, 20, 60, 300])
"""Decisions in a row: some games end among them."""


@cache
def box_of(game_id: str) -> np.ndarray:
    """The components, but in Sultans of Wind for few rounds: random play would hardly ever end it."""
    game = get_game(game_id)
    if game_id != "sultans_of_wind":
        return game.load_box()
    numbers = (game.folder / "data" / "numbers.csv").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "numbers.csv").write_text(re.sub("last_round,[0-9]+", "last_round,6", numbers), encoding="utf-8")
        return game.load_box(folder)


each_game = pytest.mark.parametrize("game_id", GAMES)


@pytest.fixture(autouse=True)
def _quiet():
    """PettingZoo and Gymnasium warn of what is done here on purpose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


# -- Batches -----------------------------------------------------------------------------------------------------------


class BatchMachine(RuleBasedStateMachine):
    """A batch that hears right and wrong calls, beside a twin that hears the right ones only."""

    def __init__(self, game_id: str):
        super().__init__()
        self.game = get_game(game_id)

    @initialize(data=st.data(), seed=st.integers(), autoreset=st.booleans(), reward=st.sampled_from(["outcome", "margin"]))
    def begin(self, data, seed, autoreset, reward):
        sizes = data.draw(st.lists(st.integers(self.game.min_players, self.game.max_players), min_size=1, max_size=3))
        first, box = data.draw(st.integers(0, 2**40)), box_of(self.game.id)
        options = {"seed": seed, "box": box, "reward": reward, "autoreset": autoreset, "first_table": first}
        self.batch, self.twin = (make_batch(self.game.id, len(sizes), sizes, **options) for _ in range(2))

    def both(self, call: Callable[[GameBatch], Any]) -> None:
        for batch in (self.batch, self.twin):
            call(batch)

    @rule(seed=st.integers(0, 2**32), steps=STEPS)
    def play(self, seed, steps):
        for step in range(steps):
            where = self.batch.running & (np.random.default_rng(seed + step).random(self.batch.num_games) < 0.8)
            actions = legal_actions(self.batch, seed + step)
            self.both(lambda batch, actions=actions, where=where: batch.step(actions, where=where))
        assert_invariants(self.batch, "among wrong calls")

    @rule(form=st.sampled_from([np.int16, np.uint64, ">i4", list, tuple, "read-only", "strided"]))
    def step_in_another_form(self, form):
        """The form of an array does not matter, and nothing is compiled anew for it."""
        actions, where = legal_actions(self.batch, 0), self.batch.running
        self.twin.step(actions, where=where)
        forms = len(getattr(self.twin._step, "signatures", ()))
        self.batch.step(_in_form(actions, form), where=_in_form(where, form))
        assert len(getattr(self.batch._step, "signatures", ())) == forms

    @rule(seed=st.none() | st.integers())
    def reset(self, seed):
        self.both(lambda batch: batch.reset(seed))

    @rule(data=st.data())
    def reset_some(self, data):
        tables = data.draw(st.lists(st.integers(0, self.batch.num_games - 1), max_size=3))
        self.both(lambda batch: batch.reset(tables=tables))

    @rule(seed=st.integers())
    def determinize(self, seed):
        seat = int(self.batch.num_players.min()) - 1
        self.both(lambda batch: batch.determinize(seat, seed))

    @rule(data=st.data())
    def look(self, data):
        batch = self.batch
        table = data.draw(st.integers(0, batch.num_games - 1))
        viewer = data.draw(st.none() | st.integers(0, int(batch.num_players[table]) - 1))
        assert batch.render(table, viewer)
        assert batch.picture(table, viewer).startswith("<svg")
        assert batch.observe(0, tables=[table]).shape == (1, self.game.observation_size)
        assert np.isfinite(batch.evaluate(0)).all()
        assert np.isfinite(batch.scores()).all()

    @rule(how=st.sampled_from(["copy", "deepcopy", "pickle", "file"]))
    def keep(self, how):
        """A copy goes on in the place of the original."""
        if how == "file":
            with tempfile.TemporaryDirectory() as folder:
                self.batch.save(Path(folder) / "batch")
                self.batch = GameBatch.load(Path(folder) / "batch")
        elif how == "copy":
            self.batch = self.batch.copy()
        else:
            self.batch = copy.deepcopy(self.batch) if how == "deepcopy" else pickle.loads(pickle.dumps(self.batch))

    @rule(data=st.data())
    def step_wrongly(self, data):
        actions = data.draw(wrong_actions(self.batch))
        refused(lambda: self.batch.step(actions), self.game.id)

    @rule(data=st.data())
    def choose_tables_wrongly(self, data):
        batch = self.batch
        where = data.draw(wrong_masks(batch))
        refused(lambda: batch.step(legal_actions(batch, 0), where=where), self.game.id)
        tables = data.draw(wrong_tables(batch))
        use = data.draw(st.sampled_from([lambda t: batch.reset(tables=t), batch.refresh, lambda t: batch.observe(0, t)]))
        refused(lambda: use(tables), self.game.id)
        refused(lambda: batch.reset(1, tables=[0]), self.game.id)

    @rule(data=st.data())
    def name_seats_wrongly(self, data):
        batch = self.batch
        seats = data.draw(wrong_seats(batch))
        use = data.draw(st.sampled_from([batch.observe, batch.evaluate, lambda s: batch.determinize(s, 1)]))
        refused(lambda: use(seats), "seats")

    @rule(data=st.data())
    def seed_wrongly(self, data):
        batch = self.batch
        seed = data.draw(no_number(None))
        refused(lambda: batch.reset(seed), "seed")
        refused(lambda: batch.determinize(0, seed), "seed")

    @rule(data=st.data())
    def look_wrongly(self, data):
        batch = self.batch
        draw = data.draw(st.sampled_from([batch.render, batch.picture]))
        table, viewer = data.draw(no_index(batch.num_games)), data.draw(no_index(int(batch.num_players[0]), None))
        refused(lambda: draw(table), "table")
        refused(lambda: draw(0, viewer), "viewer")

    @invariant()
    def nothing_is_lost(self):
        assert everything(self.batch) == everything(self.twin)


def _in_form(array: np.ndarray, form: Any) -> Any:
    if form in (list, tuple):
        return form(array.tolist())
    if form == "strided":
        return np.repeat(array, 2)[::2]
    changed = array.copy() if form == "read-only" or array.dtype == bool else array.astype(form)
    changed.flags.writeable = form != "read-only"
    return changed


@each_game
def test_a_batch_among_wrong_calls(game_id):
    run_state_machine_as_test(lambda: BatchMachine(game_id), settings=examples(50))


# -- PettingZoo --------------------------------------------------------------------------------------------------------

AEC_FIELDS = ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos")


def all_of(env: Any) -> tuple:
    """All that there is to know of an AEC environment."""
    env = env.unwrapped
    return everything(env._batch), list(env._actions), *(copy.deepcopy(getattr(env, name)) for name in AEC_FIELDS)


class AECMachine(RuleBasedStateMachine):
    """An AEC environment, raw or wrapped, beside a twin that hears the right calls only."""

    def __init__(self, game_id: str):
        super().__init__()
        self.game = get_game(game_id)

    @initialize(data=st.data(), seed=st.integers(), wrapped=st.booleans(), reward=st.sampled_from(["outcome", "margin"]))
    def begin(self, data, seed, wrapped, reward):
        players = data.draw(st.integers(self.game.min_players, self.game.max_players))
        make = define(self.game.id)[wrapped]
        self.wrapped = wrapped
        options = {"num_players": players, "reward": reward, "box": box_of(self.game.id), "render_mode": "ansi"}
        self.env, self.twin = (make(**options) for _ in range(2))
        self.both(lambda env: env.reset(seed=seed))

    def both(self, call: Callable[[Any], Any]) -> None:
        for env in (self.env, self.twin):
            call(env)

    @property
    def over(self) -> bool:
        """Whether the agent to step can only leave."""
        env = self.env.unwrapped
        return not env.agents or env.terminations[env.agent_selection] or env.truncations[env.agent_selection]

    def choose(self, seed: int) -> int:
        return int(legal_actions(self.env.unwrapped._batch, seed)[0])

    @rule(seed=st.integers(0, 2**32), steps=STEPS, form=st.sampled_from([int, np.int64, np.uint16, np.array]))
    def play(self, seed, steps, form):
        for step in range(steps):
            if not self.env.agents:
                return
            action = None if self.over else form(self.choose(seed + step))
            self.both(lambda env, action=action: env.step(action))

    @rule(seed=st.none() | st.integers())
    def reset(self, seed):
        self.both(lambda env: env.reset(seed=seed))

    @rule(how=st.sampled_from([copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]))
    def keep(self, how):
        self.env = how(self.env)

    @rule(seed=st.integers(0, 2**32))
    def go_and_return(self, seed):
        """`set_state` takes back whatever happened since."""
        kept = self.env.unwrapped.get_state()
        if not self.over:
            self.env.step(self.choose(seed))
        self.env.unwrapped.set_state(kept)

    @rule()
    def look(self):
        assert self.env.render()
        assert self.env.state_space.contains(self.env.state())
        for agent in self.env.possible_agents:
            assert self.env.observation_space(agent).contains(self.env.observe(agent))
        if self.env.agents:
            self.env.last()

    @rule()
    def replay(self):
        env = self.env.unwrapped
        if env._batch.running[0]:
            refused(env.replay, "still going on")
        else:
            env.replay().check(box_of(self.game.id))

    @rule(data=st.data())
    def step_wrongly(self, data):
        env = self.env
        if not env.unwrapped.agents:
            if not self.wrapped:
                refused(lambda: env.step(None), self.game.id)
            refused(env.last, self.game.id)
            return
        if self.over:
            action = data.draw(no_number(None) | st.integers())
            refused(lambda: env.step(action), "None")
            return
        legal = self.choose(0)
        junk = no_number() | st.sampled_from([[legal], np.array([legal]), float(legal), str(legal), np.float64(legal)])
        action = data.draw(junk | outside(0, self.game.num_actions - 1))
        if self.wrapped:  # as PettingZoo's own wrapper does
            with pytest.raises(AssertionError, match="not in action space"):
                env.step(action)
        else:
            refused(lambda: env.step(action), self.game.id)

    @rule(seed=st.integers(0, 2**32))
    def step_illegally(self, seed):
        """Against the rules: refused by the raw environment, the end of the game in the wrapped one."""
        if self.over:
            return
        mask = self.env.unwrapped._batch.action_mask[0]
        action = int(np.random.default_rng(seed).choice(np.flatnonzero(mask == 0)))
        if not self.wrapped:
            refused(lambda: self.env.step(action), self.game.id)
        elif seed % 4 == 0:
            agent = self.env.agent_selection
            self.both(lambda env: env.step(action))
            assert self.env.unwrapped._cumulative_rewards[agent] == -1
            assert all(self.env.terminations.values())

    @rule(data=st.data())
    def ask_wrongly(self, data):
        env = self.env
        agent = data.draw(no_number() | st.sampled_from(["player_9", "PLAYER_0", 0, -1, ("player_0",)]))
        for use in (env.observe, env.action_space, env.observation_space):
            refused(lambda use=use: use(agent), "player_0")
        seed = data.draw(no_number(None))
        refused(lambda: env.reset(seed=seed), "seed")

    @rule(data=st.data())
    def set_state_wrongly(self, data):
        env = self.env.unwrapped
        state = env.get_state()
        name = data.draw(st.sampled_from(sorted(state)))
        how = data.draw(st.sampled_from(["less", "more", "other batch", "junk"]))
        if how == "less":
            del state[name]
        elif how == "more":
            state[f"{name}_"] = 1
        elif how == "other batch":
            foreign = make_batch("six_sons" if self.game.id != "six_sons" else "djinns", 1)
            state["batch"] = data.draw(st.sampled_from([None, 3, "batch", make_batch(self.game.id, 2), foreign]))
        else:
            state = data.draw(no_number() | st.integers())
        refused(lambda: env.set_state(state), self.game.id)

    @invariant()
    def nothing_is_lost(self):
        assert all_of(self.env) == all_of(self.twin)


@each_game
def test_an_aec_environment_among_wrong_calls(game_id):
    run_state_machine_as_test(lambda: AECMachine(game_id), settings=examples(60))


# -- One learner: Gymnasium and Stable-Baselines3 ----------------------------------------------------------------------

LEARNERS: dict[str, Callable[..., Any]] = {
    "single": lambda game_id, **options: SingleAgentEnv(game_id, render_mode="ansi", **options),
    "vector": lambda game_id, **options: ArabianVectorEnv(game_id, 3, render_mode="ansi", **options),
    "sb3": lambda game_id, **options: ArabianVecEnv(game_id, 3, **options),
}


class LearnerMachine(RuleBasedStateMachine):
    """An environment for one learner, beside a twin that hears the right calls only."""

    def __init__(self, game_id: str):
        super().__init__()
        self.game = get_game(game_id)

    @initialize(data=st.data(), kind=st.sampled_from(list(LEARNERS)), illegal=st.sampled_from(["terminate", "raise"]))
    def begin(self, data, kind, illegal):
        players = data.draw(st.integers(self.game.min_players, self.game.max_players))
        self.kind, self.illegal = kind, illegal
        options = {"num_players": players, "illegal": illegal, "box": box_of(self.game.id)}
        self.env, self.twin = (LEARNERS[kind](self.game.id, **options) for _ in range(2))
        self.over = False
        self.reset(1)

    @property
    def batch(self) -> GameBatch:
        return self.env.tables.batch

    def reset_one(self, env: Any, seed: Any) -> None:
        if self.kind == "sb3":
            if seed is not None:
                env.seed(seed)
            env.reset()
        else:
            env.reset(seed=seed)

    def step_both(self, actions: np.ndarray) -> None:
        for env in (self.env, self.twin):
            answer = env.step(int(actions[0]) if self.kind == "single" else actions)
        self.over = self.kind == "single" and (answer[2] or answer[3])

    @rule(seed=st.none() | st.integers(0, 2**32 - 1))
    def reset(self, seed):
        for env in (self.env, self.twin):
            self.reset_one(env, seed)
        self.over = False

    @rule(seed=st.integers(0, 2**32), steps=STEPS)
    def play(self, seed, steps):
        for step in range(steps):
            if self.over:
                return
            self.step_both(legal_actions(self.batch, seed + step))

    @rule(data=st.data())
    def step_illegally(self, data):
        """Against the rules: refused, or the end of the game, as was asked for."""
        if self.over:
            return
        actions = legal_actions(self.batch, 1)
        action = data.draw(st.sampled_from([-1, self.game.num_actions, 2**62, -(2**63)]))
        actions[0] = data.draw(st.sampled_from([action, int(np.flatnonzero(self.batch.action_mask[0] == 0)[0])]))
        if self.illegal == "raise":
            refused(lambda: self.env.step(actions[0] if self.kind == "single" else actions), self.game.id)
        else:
            self.step_both(actions)

    @rule(data=st.data())
    def step_wrongly(self, data):
        actions = legal_actions(self.batch, 2)
        if self.over:
            refused(lambda: self.env.step(0), "over")
        elif self.kind == "single":
            action = data.draw(no_number() | st.sampled_from([float(actions[0]), actions, np.float64(0), str(actions[0])]))
            refused(lambda: self.env.step(action), self.game.id)
        else:
            kind = data.draw(st.sampled_from([float, bool, str, object]))
            wrong = [actions.astype(kind), actions[:-1], actions[None], actions[0], np.append(actions, 0)]
            chosen = data.draw(st.sampled_from(wrong) | no_number())
            refused(lambda: self.env.step(chosen), self.game.id)

    @rule(data=st.data())
    def seed_wrongly(self, data):
        seed = data.draw(no_number(None))
        # Gymnasium looks at seeds first.
        refused(lambda: self.reset_one(self.env, seed), "seed", gymnasium.error.Error)

    @rule(data=st.data())
    def ask_wrongly(self, data):
        assert self.env.render()
        if self.kind == "sb3":
            indices = data.draw(no_index(3, None) | st.sampled_from([[3], [-1], [0, 7], [0.0], ["0"]]))
            if not (isinstance(indices, list) and not indices):
                refused(lambda: self.env.env_method("action_masks", indices=indices), "table")
                refused(lambda: self.env.get_attr("num_envs", indices=indices), "table")
            refused(lambda: self.env.render("opera"), "opera")

    @invariant()
    def nothing_is_lost(self):
        assert everything(self.batch) == everything(self.twin.tables.batch)
        assert self.env.tables.seat.tolist() == self.twin.tables.seat.tolist()
        if self.kind == "sb3":
            assert self.env._returns.tolist() == self.twin._returns.tolist()
            assert self.env._lengths.tolist() == self.twin._lengths.tolist()


@each_game
def test_a_learners_environment_among_wrong_calls(game_id):
    run_state_machine_as_test(lambda: LearnerMachine(game_id), settings=examples(30))


# -- Arguments ---------------------------------------------------------------------------------------------------------


def wrong_options(game_id: str) -> dict[str, st.SearchStrategy[Any]]:
    """For every option that constructors share, values that none of them can use."""
    game = get_game(game_id)
    sizes = outside(game.min_players, game.max_players)
    words = no_number(None) | st.sampled_from(["", "Outcome", 3, None])
    foreign = np.zeros(1, [("nothing", np.int8)])
    own = game.load_box()
    return {
        "num_players": no_number(None) | sizes | st.lists(sizes, max_size=4),
        "reward": words,
        "box": no_number(None) | st.sampled_from([3, foreign, own[:0], own[0], np.repeat(own, 2), "/nowhere", Path("x")]),
    }


BATCH_OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "num_games": no_number() | outside(1, 2**31),
    "seed": no_number(None),
    "autoreset": no_number(True, False, np.True_) | st.integers(),
    "num_threads": no_number(None) | outside(1, 10**6),
    "first_table": no_number() | outside(0, 2**62),
}
LEARNER_OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "seat": no_index(2, None),
    "illegal": no_number() | st.integers(),
    "opponents": st.sampled_from([[], "greedy", 3, [None], object(), GreedyAgent, [RandomAgent], RandomAgent, {}]),
    "num_threads": BATCH_OPTIONS["num_threads"],
}
RENDER_MODES = no_number(None) | st.sampled_from(["opera", "", 1])


def constructors(game_id: str) -> dict[str, tuple[Callable[..., Any], dict[str, st.SearchStrategy[Any]]]]:
    """Every way to make something playable, with the options it takes and wrong values for them."""
    shared = wrong_options(game_id)
    name = environment_id(game_id)
    learner = {**shared, **LEARNER_OPTIONS}
    shown = {**learner, "render_mode": RENDER_MODES}
    many = {**shown, "num_envs": BATCH_OPTIONS["num_games"]}
    aec = {**shared, "render_mode": RENDER_MODES}
    return {
        "make_batch": (lambda **o: make_batch(game_id, **{"num_games": 2, **o}), {**shared, **BATCH_OPTIONS}),
        "make_env": (lambda **o: make_env(game_id, **o), aec),
        "raw_env": (lambda **o: define(game_id)[0](**o), aec),
        "LearnerTables": (lambda **o: LearnerTables(game_id, 2, **o), learner),
        "SingleAgentEnv": (lambda **o: SingleAgentEnv(game_id, **o), shown),
        "ArabianVectorEnv": (lambda **o: ArabianVectorEnv(game_id, **{"num_envs": 2, **o}), many),
        "ArabianVecEnv": (lambda **o: ArabianVecEnv(game_id, **{"num_envs": 2, **o}), many),
        "gymnasium": (lambda **o: gymnasium.make(name, **o), learner),
        "gymnasium, many": (lambda **o: gymnasium.make_vec(name, 2, **o), learner),
        "pettingzoo": (lambda **o: pettingzoo.make("aec", name, **o), shared),
    }


@each_game
def test_constructors_refuse_wrong_options(game_id):
    makers = constructors(game_id)

    @examples(150)
    @given(st.data())
    def check(data):
        make, options = makers[data.draw(st.sampled_from(list(makers)))]
        option = data.draw(st.sampled_from(list(options)))
        value = data.draw(options[option])
        refused(lambda: make(**{option: value}), game_id if option not in ("box", "opponents") else "expected")

    check()


@examples(60)
@given(no_number() | st.integers() | st.text() | st.sampled_from(["Six_Sons", "six_sons_v0"]))
def test_unknown_games_are_refused(game_id):
    if not isinstance(game_id, str) or game_id not in GAMES:
        for use in (get_game, make_env, ArabianVectorEnv, lambda g: make_batch(g, 1), lambda g: play_match(g, "r", 1)):
            with pytest.raises(UnknownGameError, match="there are: six_sons"):
                use(game_id)
        refused(lambda: GameBatch(game_id, 1), "game")


@each_game
def test_names_of_actions_and_observations(game_id):
    game = get_game(game_id)
    groups = st.sampled_from(list(game.actions.groups))
    observation = np.zeros(game.observation_size)

    @examples(60)
    @given(st.data())
    def check(data):
        wrong = data.draw(no_index(game.num_actions))
        refused(lambda: game.action_name(wrong), "action")
        refused(lambda: game.action(wrong), "group")
        group = game.actions.groups[data.draw(groups)]
        index: list[Any] = [data.draw(st.integers(0, size - 1)) for size in group.shape]
        action = game.action(group.name, *index)
        assert game.actions.split(action) == (group, tuple(index))
        refused(lambda: game.action(group.name, *index, 0), group.name)
        if index:
            axis = data.draw(st.integers(0, len(index) - 1))
            # Text may be the name of an index.
            index[axis] = data.draw(no_index(group.shape[axis], "1") | st.just("nowhere"))
            refused(lambda: game.action(group.name, *index), group.name)
        shapes = [observation[1:], observation[None, :-1], observation[:, None], observation[0]]
        types = [observation.astype(kind) for kind in (str, object, bool, complex)]
        seen = data.draw(st.sampled_from([*shapes, *types]) | no_number() | st.integers())
        refused(lambda: game.describe(seen), "observations")

    check()


@examples(150)
@given(
    st.sampled_from(["random", "greedy", "flat", "ismcts", "ppo", "", "GREEDY", "x"]),
    st.sampled_from(["", ":", ":", ":"]),
    st.integers().map(str) | st.text(max_size=5) | st.sampled_from(["1.5", "1e3", "nan", " 2", "0x3", "\0", "/", "."]),
)
def test_specs_of_agents(name, colon, argument):
    spec = name + colon + argument
    agent = attempt(lambda: make_agent(spec), repr(spec))
    if agent is not None:
        assert isinstance(agent, Agent)
        number = argument.strip()
        if name in ("random", "greedy", "flat", "ismcts") and (not colon or int(number) < 50):
            batch = make_batch("six_sons", 3, seed=1)
            batch.step(agent.act(batch, np.arange(3)))


@examples(40)
@given(no_number("1", "two", "") | st.integers() | st.sampled_from([RandomAgent, GreedyAgent]))
def test_what_is_no_agent_is_refused(agent):
    refused(lambda: make_agent(agent), "agent")
    refused(lambda: play_match("six_sons", [agent, "random"], 1), "agent")


class Foolish:
    """An agent that answers whatever it was told to."""

    name = "foolish"

    def __init__(self, answer: Callable[[np.ndarray], Any]):
        self.answer = answer

    def seed(self, seed: int) -> None:
        pass

    def act(self, batch: GameBatch, tables: np.ndarray) -> Any:
        return self.answer(legal_actions(batch, 0)[tables])


FOOLISH_ANSWERS: list[Callable[[np.ndarray], Any]] = [
    lambda actions: actions.astype(float),
    lambda actions: actions + 0.9,
    lambda actions: actions[:-1],
    lambda actions: actions[None],
    lambda actions: None,
    lambda actions: actions.astype(str),
    lambda actions: actions > 0,
    lambda actions: -1 - actions,
    lambda actions: actions + 10**6,
    lambda actions: [[0], [0, 1]],
]


@pytest.mark.parametrize("answer", FOOLISH_ANSWERS)
def test_foolish_agents_are_found_out(answer):
    refused(lambda: play_match("six_sons", [Foolish(answer), "random"], 4), "six_sons")
    refused(lambda: play_against(Foolish(answer)), "six_sons")


def play_against(opponent: Foolish) -> None:
    tables = LearnerTables("six_sons", 4, opponents=opponent)
    for _ in range(20):
        tables.step(legal_actions(tables.batch, 0))


MATCH_OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "agents": st.sampled_from([None, [], "random", 3, ["random"] * 9, [None], [["random"]], ["gready"], {}, 0.5]),
    "num_games": no_number() | st.integers(max_value=0),
    "num_players": no_number(None) | outside(1, 5),
    "seed": no_number(),
    "num_replays": no_number(None) | st.integers(max_value=-1),
    "replays": st.sampled_from([3, 0.5, object(), ["a"]]),
}


@each_game
def test_matches_refuse_wrong_arguments(game_id, tmp_path):
    @examples(40)
    @given(st.sampled_from(list(MATCH_OPTIONS)), st.data())
    def check(option, data):
        right = {"agents": ["random"], "num_games": 2, "replays": tmp_path / "replays"}
        wrong = {option: data.draw(MATCH_OPTIONS[option])}
        refused(lambda: play_match(game_id, **{**right, **wrong}), "expected")
        assert not (tmp_path / "replays").exists()

    check()


@examples(20)
@given(st.integers(), st.integers(1, 3))
def test_matches_take_any_seed(seed, games):
    result = play_match("six_sons", ["random", "random"], games, seed=seed)
    assert result.win_share.sum() == pytest.approx(1)


LADDER_OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "agents": st.sampled_from([None, [], "random", 3, ["random"], ["random", 3], ["random", RandomAgent()], 0.5]),
    "num_games": MATCH_OPTIONS["num_games"],
    "num_players": no_number(None) | outside(2, 5),
    "seed": no_number(),
}


@examples(40)
@given(st.sampled_from(list(LADDER_OPTIONS)), st.data())
def test_ladders_refuse_wrong_arguments(option, data):
    right = {"agents": ["random", "greedy:1"], "num_games": 2}
    wrong = data.draw(LADDER_OPTIONS[option])
    refused(lambda: play_ladder("six_sons", **{**right, option: wrong}), option.split("_")[-1])


# -- Damaged files -----------------------------------------------------------------------------------------------------


@each_game
def test_damaged_replays(game_id, tmp_path):
    whole = golden_path(get_game(game_id), 2).read_bytes()
    right = Replay.read(golden_path(get_game(game_id), 2))

    @examples(60)
    @given(damaged(whole) | damaged_lines(whole))
    def check(content):
        path = written(tmp_path, "game.jsonl", content)
        replay = attempt(lambda: Replay.read(path), str(path))
        if replay is None:
            return
        for seat in range(replay.num_players if replay.num_players < 9 else 0):
            replay.seat_name(seat)
        if attempt(lambda: [state_digest(batch) for batch in replay.play()], "") is not None:
            assert (replay.actions, replay.players, replay.scores) == (right.actions, right.players, right.scores)
            assert replay.digest == right.digest

    check()


@examples(60)
@given(st.data())
def test_replays_refuse_wrong_arguments(data):
    batch = make_batch("six_sons", 2, seed=1, autoreset=False)
    action = data.draw(no_index(batch.game.num_actions))
    refused(lambda: Replay.record(batch, [action]), "action")
    table = data.draw(no_index(2))
    refused(lambda: Replay.record(batch, [], table), "table")
    replay = Replay.read(golden_path(batch.game, 2))
    box = data.draw(no_number(None) | st.integers())
    refused(lambda: replay.check(box), "expected")
    viewer = data.draw(no_index(2, None))
    with tempfile.TemporaryDirectory() as folder:
        refused(lambda: write_page(replay, Path(folder) / "page.html", viewer=viewer), "viewer")
        assert not list(Path(folder).iterdir())


@each_game
def test_damaged_batches(game_id, tmp_path):
    batch = make_batch(game_id, 3, seed=4)
    for _ in range(20):
        batch.step(batch.sample())
    batch.save(tmp_path / "whole")
    whole = (tmp_path / "whole").read_bytes()
    with np.load(tmp_path / "whole") as file:
        arrays = {name: file[name] for name in file.files}

    @st.composite
    def other_arrays(draw: Any) -> bytes:
        """A proper file with one array changed, missing or too much."""
        changed = dict(arrays)
        name = draw(st.sampled_from(sorted(arrays)))
        array = changed[name].copy()
        how = draw(st.sampled_from(["delete", "cut", "type", "shape", "fill", "facts", "value"]))
        if how == "delete":
            del changed[name]
        elif how == "cut":
            changed[name] = array[:-1]
        elif how == "type":
            changed[name] = array.astype(draw(st.sampled_from([float, "U3", bool, np.int16])))
        elif how == "shape":
            changed[name] = array[None]
        elif how == "facts":
            facts = json.loads(arrays["facts"].tobytes())
            damage_json(draw, facts)
            changed["facts"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
        else:
            place = slice(None) if how == "fill" else draw(st.integers(0, array.size - 1))
            array.reshape(-1)[place] = draw(st.sampled_from([0, 1, 127]))
            changed[name] = array
        file = io.BytesIO()
        np.savez_compressed(file, **changed)
        return file.getvalue()

    @examples(60)
    @given(damaged(whole) | other_arrays())
    def check(content):
        path = written(tmp_path, "damaged", content)
        loaded = attempt(lambda: GameBatch.load(path), str(path))
        if loaded is not None:
            assert everything(loaded) == everything(batch)

    check()


@cache
def policy_file() -> bytes:
    game = get_game("six_sons")
    generator = np.random.default_rng(1)
    sizes = [game.observation_size + game.num_actions + 1, 4, game.num_actions]
    layers = [(generator.normal(size=(b, a)), generator.normal(size=b)) for a, b in itertools.pairwise(sizes)]
    with tempfile.TemporaryDirectory() as folder:
        save_policy(Path(folder) / "policy", Policy(game.id, game.version, layers, facts={"steps": 3}, advice=1, trust=2.0))
        return (Path(folder) / "policy").read_bytes()


@st.composite
def other_policies(draw: Any) -> bytes:
    """A proper safetensors file with another header, or with one tensor changed, missing or too much."""
    whole = policy_file()
    length = int.from_bytes(whole[:8], "little")
    header = json.loads(json.loads(whole[8 : 8 + length])["__metadata__"]["arabian_policy"])
    tensors = load_tensors(whole)
    name = draw(st.sampled_from(sorted(tensors)))
    how = draw(st.sampled_from(["header", "header", "delete", "nan", "type", "shape", "no header"]))
    if how == "header":
        damage_json(draw, header)
    elif how == "delete":
        del tensors[name]
    elif how == "nan":
        tensors[name] = np.full_like(tensors[name], draw(st.sampled_from([np.nan, np.inf, -np.inf])))
    elif how == "type":
        tensors[name] = tensors[name].astype(draw(st.sampled_from([np.int8, np.bool_, np.float64, np.uint64])))
    elif how == "shape":
        tensor = tensors[name]
        shapes = [tensor[None], tensor[:-1], tensor.T, tensor.reshape(-1)[0], tensor[:0]]
        tensors[name] = np.array(draw(st.sampled_from(shapes)), order="C")
    text = "null" if how == "no header" else json.dumps(header)
    return save_tensors(tensors, {"arabian_policy": text})


@examples(150)
@given(st.deferred(lambda: damaged(policy_file()) | other_policies()))
def test_damaged_policies(content):
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), "policy", content)
        policy = attempt(lambda: load_policy(path), str(path))
    if policy is not None:
        assert all(np.isfinite(weight).all() and np.isfinite(bias).all() for weight, bias in policy.layers)
        batch = make_batch("six_sons", 2, seed=1)
        actions = attempt(lambda: PPOAgent(policy).act(batch, np.arange(2)), "this policy cannot play")
        if actions is not None:
            batch.step(actions)


@cache
def ladder_file() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        play_ladder("six_sons", ["random", "greedy:1", "greedy:2"], 6, results=Path(folder) / "results")
        return (Path(folder) / "results").read_bytes()


@examples(60)
@given(st.deferred(lambda: damaged(ladder_file()) | damaged_lines(ladder_file())))
def test_damaged_ladders(content):
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), "results", content)

        def play() -> list:
            return play_ladder("six_sons", ["random", "greedy:1", "greedy:2"], 6, results=path)

        ratings = attempt(play, str(path))
        if ratings is None:
            assert path.read_bytes() == content
        else:
            assert np.isfinite([(r.rating, r.low, r.high, r.win_share) for r in ratings]).all()
            assert play() == ratings, "the file was left in another form than it was found"


@each_game
def test_damaged_boxes(game_id, tmp_path):
    game = get_game(game_id)
    files = {path.name: path.read_bytes() for path in sorted((game.folder / "data").glob("*.csv"))}

    @st.composite
    def other_cells(draw: Any, whole: bytes) -> bytes:
        """A table with one to three cells that may be found elsewhere, or that nobody expects."""
        rows = list(csv.reader(io.StringIO(whole.decode(), newline="")))
        for _ in range(draw(st.integers(1, 3))):
            line, column = draw(st.integers(1, len(rows) - 1)), draw(st.integers(0, len(rows[0]) - 1))
            elsewhere = sorted({row[column] for row in rows[1:]})
            junk = ["", "x", "-1", "0", "1", "2", "20", "9" * 20, "nan", "1.5", "٣", "1_0", " 1", "1" * 200_000]
            rows[line][column] = draw(st.sampled_from([*elsewhere, *junk]))
        out = io.StringIO(newline="")
        csv.writer(out).writerows(rows)
        return out.getvalue().encode()

    @examples(40)
    @given(st.data())
    def check(data):
        name = data.draw(st.sampled_from(sorted(files)))
        content = data.draw(other_cells(files[name]) | damaged(files[name]))
        with tempfile.TemporaryDirectory() as folder:
            path = written(Path(folder), name, content)
            box = attempt(lambda: game.load_box(folder), str(path))
        if box is not None:
            play_with(box)

    def play_with(box: np.ndarray) -> None:
        """A box that is taken can be played with."""
        sizes = list(range(game.min_players, game.max_players + 1))
        batch = make_batch(game_id, len(sizes), sizes, seed=1, box=box)
        for step in range(60):
            with watched():
                batch.step(batch.sample())
            if step % 20 == 0:
                assert_invariants(batch, "with another box")
                assert batch.action_mask.any(axis=1).all(), "nobody can act"

    check()
