"""Agents that search: flat Monte Carlo, and single-observer information-set Monte Carlo tree search.

Both see only what the acting seat may know: every simulation first redraws the rest (the verb `determinize`), the
generator included. They need nothing of a game but its verbs, and play any number of seats, each for itself (max^n).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arabian_envs import GameBatch
from arabian_envs.engine.game import for_rules
from arabian_envs.engine.jit import rule
from arabian_envs.engine.kernels import OUTCOME, write_rewards
from arabian_envs.engine.rng import derive, scale
from arabian_envs.engine.state import RUNNING
from arabian_envs.engine.threads import run_split

_SEATS = 8  # room for every seat's value
_NODES_PER_SIMULATION = 64
_LONGEST_PATH = 4096
_NONE = -1


class Settings(NamedTuple):
    """The options as the kernels take them."""

    simulations: int
    exploration: float
    greedy: bool
    depth: int
    prior: float


@dataclass(frozen=True)
class SearchOptions:
    """How to search.

    Attributes:
        simulations: how many worlds to imagine for one decision.
        exploration: weight of the exploration term of UCB; rewards lie in -1 … 1.
        playout: how a simulation goes on beyond the tree: "random" or "greedy" moves.
        depth: decisions of a play-out before `evaluate` values the position; None plays to the end of the game.
        prior: how many visits the heuristic's opinion of a new action counts for; 0 tries every action before any twice.
    """

    simulations: int = 500
    exploration: float = 0.4
    playout: str = "random"
    depth: int | None = 0
    prior: float = 2.0

    def __post_init__(self) -> None:
        if self.simulations < 1:
            raise ValueError(f"{self.simulations} simulations; expected at least 1")
        if self.playout not in ("random", "greedy"):
            raise ValueError(f"playout {self.playout!r}; expected 'random' or 'greedy'")
        if self.depth is not None and self.depth < 0:
            raise ValueError(f"depth {self.depth}; expected None or at least 0")
        if self.exploration < 0 or self.prior < 0:
            raise ValueError("exploration and prior; expected at least 0")

    def settings(self) -> Settings:
        """The options as the kernels take them."""
        depth = 2**31 if self.depth is None else self.depth
        greedy = self.playout == "greedy"
        return Settings(self.simulations, float(self.exploration), greedy, depth, float(self.prior))


class Room(NamedTuple):
    """Scratch memory, one entry a table."""

    worlds: NDArray  # the world of the running simulation
    trials: NDArray  # a world to try one action in
    flat: NDArray  # its legal actions
    masks: NDArray  # the same memory as records
    blank: NDArray  # one cleared mask record


class Tree(NamedTuple):
    """The tree of one decision, one entry a node, the root first."""

    size: NDArray  # nodes in use, one number
    action: NDArray  # what leads to the node
    first_child: NDArray
    next_sibling: NDArray
    visits: NDArray
    available: NDArray  # simulations in which the action could be chosen
    prior: NDArray  # the heuristic's opinion, for the seat that chooses
    value: NDArray  # summed values of every seat


@rule
def new_tree(nodes):
    """Memory for that many nodes."""
    return Tree(
        np.zeros(1, np.int64),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.float32),
        np.zeros((nodes, _SEATS), np.float32),
    )


def _make_room(batch: GameBatch, count: int) -> Room:
    game = batch.game
    flat = np.zeros((count, game.num_actions), np.int8)
    return Room(
        for_rules(np.zeros(count, game.state_dtype)),
        for_rules(np.zeros(count, game.state_dtype)),
        flat,
        for_rules(flat.view(game.actions.dtype)[:, 0]),
        for_rules(np.zeros(1, game.actions.dtype)),
    )


# -- Play-outs, shared by both searches --------------------------------------------------------------------------------


@functools.cache  # compiled once for all searches of a game
def make_playout(rules):
    """Two rules: the value of a world for every seat, and playing on from a world until there is one."""
    apply, scores, evaluate, legal_actions = rules.apply, rules.scores, rules.evaluate, rules.legal_actions

    @rule
    def value(world, box, rewards):
        """The rewards of a finished game, or the heuristic's guess at them."""
        if world.status == RUNNING:
            for seat in range(world.num_players):
                rewards[seat] = evaluate(world, box, seat)
            return
        points = np.zeros((2, _SEATS))
        scores(world, box, points[0], points[1])
        write_rewards(points[0], points[1], world.num_players, OUTCOME, 0.01, rewards)

    @rule
    def worth(box, room, k, action, rewards):
        """What an action is worth to the acting seat, in this world, at first sight."""
        player = room.worlds[k].player
        room.trials[k] = room.worlds[k]
        apply(room.trials[k], box[0], action)
        if room.trials[k].status == RUNNING:
            return evaluate(room.trials[k], box[0], player)
        value(room.trials[k], box[0], rewards)
        return rewards[player]

    @rule
    def greedy_action(box, room, k, rewards):
        best, chosen = -np.inf, 0
        for action in range(room.flat.shape[1]):
            if room.flat[k, action]:
                this = worth(box, room, k, action, rewards)
                if this > best:
                    best, chosen = this, action
        return chosen

    @rule
    def random_action(room, k, bits):
        legal = 0
        for action in range(room.flat.shape[1]):
            legal += room.flat[k, action]
        nth = scale(bits, legal)
        for action in range(room.flat.shape[1]):
            nth -= room.flat[k, action]
            if nth < 0:
                return action
        return _NONE

    @rule
    def playout(box, room, k, seed, greedy, depth, rewards):
        """Play on from a world, to the end or so deep, and value where that leads."""
        world = room.worlds[k]
        step = 0
        while world.status == RUNNING and step < depth:
            room.masks[k] = room.blank[0]
            legal_actions(world, box[0], room.masks[k])
            if greedy:
                apply(world, box[0], greedy_action(box, room, k, rewards))
            else:
                apply(world, box[0], random_action(room, k, derive(seed, step)))
            step += 1
        value(world, box[0], rewards)

    return worth, playout


# -- Flat Monte Carlo --------------------------------------------------------------------------------------------------


def make_flat(rules):
    """Share the simulations evenly among the legal actions and take the best mean."""
    apply, determinize, legal_actions = rules.apply, rules.determinize, rules.legal_actions
    _, playout = make_playout(rules)

    def flat_search(start, stop, tables, states, box, seeds, settings, room, out):
        rewards = np.zeros(_SEATS)
        legal = np.zeros(room.flat.shape[1], np.int64)
        for k in range(start, stop):
            state = states[tables[k]]
            room.masks[k] = room.blank[0]
            legal_actions(state, box[0], room.masks[k])
            count = 0
            for action in range(room.flat.shape[1]):
                if room.flat[k, action]:
                    legal[count] = action
                    count += 1
            best = -np.inf
            for choice in range(count):
                total = 0.0
                for nth in range(max(1, settings.simulations // count)):
                    # The same worlds for every action, so that luck does not decide between them.
                    seed = derive(seeds[k], nth)
                    room.worlds[k] = state
                    room.worlds[k].rng = seed
                    determinize(room.worlds[k], box[0], state.player)
                    apply(room.worlds[k], box[0], legal[choice])
                    playout(box, room, k, seed, settings.greedy, settings.depth, rewards)
                    total += rewards[state.player]
                if total > best:
                    best = total
                    out[k] = legal[choice]

    return flat_search


# -- Information-set tree search ---------------------------------------------------------------------------------------


@functools.cache
def make_grow(rules):
    """The rule that grows the tree of one table."""
    apply, determinize, legal_actions = rules.apply, rules.determinize, rules.legal_actions
    worth, playout = make_playout(rules)

    @rule
    def add_child(tree, node, action, prior):
        """A new action of a node; nothing happens when the memory is full."""
        child = tree.size[0]
        if child == tree.action.shape[0]:
            return
        tree.size[0] = child + 1
        tree.action[child] = action
        tree.first_child[child] = _NONE
        tree.next_sibling[child] = tree.first_child[node]
        tree.first_child[node] = child
        tree.visits[child] = 0
        tree.available[child] = 1
        tree.prior[child] = prior
        tree.value[child] = 0.0

    @rule
    def expand(tree, node, box, room, k, prior, rewards):
        """Count which known actions this world allows, and add the ones not seen before."""
        flat = room.flat
        child = tree.first_child[node]
        while child != _NONE:
            if flat[k, tree.action[child]]:
                tree.available[child] += 1
                flat[k, tree.action[child]] = 2
            child = tree.next_sibling[child]
        for action in range(flat.shape[1]):
            if flat[k, action] == 1:
                add_child(tree, node, action, worth(box, room, k, action, rewards) if prior > 0 else 0.0)

    @rule
    def choose(tree, node, player, room, k, seed, settings):
        """UCB among the children that this world allows, by how often they were available."""
        best, chosen = -np.inf, _NONE
        child = tree.first_child[node]
        while child != _NONE:
            if room.flat[k, tree.action[child]]:
                weight = tree.visits[child] + settings.prior
                # A little noise breaks ties at random.
                score = float(derive(seed, child) >> np.uint64(40)) * 1e-13
                if weight == 0:
                    score += 1e9
                else:
                    score += (settings.prior * tree.prior[child] + tree.value[child, player]) / weight
                    score += settings.exploration * np.sqrt(np.log(tree.available[child] + 1.0) / weight)
                if score > best:
                    best, chosen = score, child
            child = tree.next_sibling[child]
        return chosen

    @rule
    def simulate(tree, path, state, seed, box, room, k, settings, rewards):
        """Redraw, select, expand, play out, and credit every node on the way."""
        room.worlds[k] = state
        world = room.worlds[k]
        world.rng = seed
        determinize(world, box[0], state.player)
        node, length = 0, 1
        path[0] = 0
        while world.status == RUNNING and (node == 0 or tree.visits[node] > 0) and length < path.shape[0]:
            room.masks[k] = room.blank[0]
            legal_actions(world, box[0], room.masks[k])
            expand(tree, node, box, room, k, settings.prior, rewards)
            node = choose(tree, node, world.player, room, k, derive(seed, length), settings)
            if node == _NONE:
                break
            apply(world, box[0], tree.action[node])
            path[length] = node
            length += 1
        playout(box, room, k, derive(seed, 0), settings.greedy, settings.depth, rewards)
        for step in range(length):
            tree.visits[path[step]] += 1
            for seat in range(state.num_players):
                tree.value[path[step], seat] += rewards[seat]

    @rule
    def grow(tree, path, state, seed, box, room, k, settings):
        """All simulations of one decision."""
        rewards = np.zeros(_SEATS)
        tree.size[0] = 1
        tree.first_child[0] = _NONE
        tree.visits[0] = 0
        tree.value[0] = 0.0
        for nth in range(settings.simulations):
            simulate(tree, path, state, derive(seed, nth), box, room, k, settings, rewards)

    return grow


@rule
def most_visited(tree, player):
    """The root's most visited action; the better value breaks ties."""
    best = tree.first_child[0]
    child = best
    while child != _NONE:
        better = tree.value[child, player] > tree.value[best, player]
        if tree.visits[child] > tree.visits[best] or (tree.visits[child] == tree.visits[best] and better):
            best = child
        child = tree.next_sibling[child]
    return tree.action[best]


def make_ismcts(rules):
    """The action each table's tree ends up with."""
    grow = make_grow(rules)

    def ismcts(start, stop, tables, states, box, seeds, settings, room, out):
        tree = new_tree(settings.simulations * _NODES_PER_SIMULATION + 1024)
        path = np.zeros(_LONGEST_PATH, np.int64)
        for k in range(start, stop):
            state = states[tables[k]]
            grow(tree, path, state, seeds[k], box, room, k, settings)
            out[k] = most_visited(tree, state.player)

    return ismcts


def make_show_tree(rules):
    """Grow the tree of one table and hand it out."""
    grow = make_grow(rules)

    def show_tree(states, box, seed, settings, room):
        tree = new_tree(settings.simulations * _NODES_PER_SIMULATION + 1024)
        grow(tree, np.zeros(_LONGEST_PATH, np.int64), states[0], seed, box, room, 0, settings)
        return tree

    return show_tree


# -- Agents ------------------------------------------------------------------------------------------------------------


class _SearchAgent:
    """What the searching agents share."""

    factory: ClassVar[Callable]
    word: ClassVar[str]

    def __init__(self, options: SearchOptions):
        self.options = options
        self.name = f"{self.word}:{options.simulations}"
        self.seed(0)

    def seed(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def act(self, batch: GameBatch, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        out = np.empty(len(tables), np.int64)
        run_split(
            batch.game.kernel(type(self).factory),
            len(tables),
            batch.num_threads,
            np.ascontiguousarray(tables, dtype=np.int64),
            batch.state,
            batch.box,
            self._generator.integers(2**63, size=len(tables), dtype=np.uint64),
            self.options.settings(),
            _make_room(batch, len(tables)),
            out,
            grain=1,
        )
        return out


class FlatAgent(_SearchAgent):
    """Flat Monte Carlo: the action with the best mean over random continuations."""

    factory = staticmethod(make_flat)
    word = "flat"

    def __init__(self, options: SearchOptions | None = None):
        super().__init__(options or SearchOptions(simulations=200, depth=None))


@dataclass(frozen=True)
class Line:
    """One action of a searched position, and what was thought of it."""

    action: int
    name: str
    visits: int
    available: int
    value: float
    """Mean value for the searching seat."""
    prior: float
    children: list[Line]


class IsmctsAgent(_SearchAgent):
    """Single-observer information-set Monte Carlo tree search."""

    factory = staticmethod(make_ismcts)
    word = "ismcts"

    def __init__(self, options: SearchOptions | None = None):
        super().__init__(options or SearchOptions())

    def show(self, batch: GameBatch, table: int = 0, levels: int = 2) -> list[Line]:
        """The tree of one table, most visited actions first, that many levels deep."""
        kernel = batch.game.kernel(make_show_tree)
        seed = np.uint64(self._generator.integers(2**63))
        tree = kernel(batch.state[[table]], batch.box, seed, self.options.settings(), _make_room(batch, 1))
        return _lines(batch, tree, 0, int(batch.player[table]), levels)


def _lines(batch: GameBatch, tree: Any, node: int, player: int, levels: int) -> list[Line]:
    lines = []
    child = int(tree.first_child[node]) if levels else _NONE
    while child != _NONE:
        visits = int(tree.visits[child])
        lines.append(
            Line(
                int(tree.action[child]),
                batch.game.action_name(tree.action[child]),
                visits,
                int(tree.available[child]),
                float(tree.value[child, player] / max(1, visits)),
                float(tree.prior[child]),
                _lines(batch, tree, child, player, levels - 1),
            )
        )
        child = int(tree.next_sibling[child])
    return sorted(lines, key=lambda line: -line.visits)
