"""Agents that search: flat Monte Carlo, and single-observer information-set Monte Carlo tree search.

Both see only what the acting seat may know: every simulation first redraws the rest (the verb `determinize`), the
generator included. They need nothing of a game but its verbs, and play any number of seats, each for itself (max^n).

A simulated seat must not know more than a real one either, or hiding a tile would be pointless and luck a plan. So
- the tree tells decisions apart by what the acting seat sees, and values an action over all worlds that look alike;
- whoever looks one decision ahead inside a simulation does so in a world redrawn once more, for its own eyes.
At the root the simulations are shared by sequential halving, and every action is tried in the same worlds, so that luck
does not decide between them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arabian_envs import Game, GameBatch
from arabian_envs.checks import number, whole
from arabian_envs.engine.game import for_rules
from arabian_envs.engine.jit import lean, rule, wrapping
from arabian_envs.engine.kernels import OUTCOME, write_rewards
from arabian_envs.engine.rng import GOLDEN, derive, mix, scale
from arabian_envs.engine.state import RUNNING
from arabian_envs.engine.threads import run_split

_SEATS = 8  # room for every seat's value
_NODES_PER_SIMULATION = 64
_LONGEST_PATH = 4096
_NONE = -1
_OPINIONS, _MOVES, _TIES = 1_000_000, 2_000_000, 3_000_000  # where the seeds for these begin, beyond those of the worlds


class Settings(NamedTuple):
    """The options as the kernels take them."""

    simulations: int
    exploration: float
    greedy: bool
    depth: int
    prior: float
    opinions: int
    others_greedy: bool


@dataclass(frozen=True)
class SearchOptions:
    """How to search.

    Attributes:
        simulations: how many worlds to imagine for one decision.
        exploration: weight of the exploration term of UCB; rewards lie in -1 … 1.
        playout: how a simulation goes on beyond the tree: "random" or "greedy" moves.
        depth: how often the turn comes round to the searching seat in a play-out before `evaluate` values the position (so
            it always does so at the same point of the game's course); "game" for what suits the game, None for all of it.
        prior: how many visits the heuristic's opinion of an action counts for; 0 asks for no opinion.
        opinions: redrawn worlds over which that opinion is averaged at the root; further down it is asked for once.
        others: how the other seats move within the tree: "search" for themselves (max^n), or "greedy".
    """

    simulations: int = 500
    exploration: float = 0.4
    playout: str = "greedy"
    depth: int | str | None = "game"
    prior: float = 2.0
    opinions: int = 8
    others: str = "greedy"

    def __post_init__(self) -> None:
        for name in ("simulations", "opinions"):
            whole(getattr(self, name), name, 1)
        for name in ("exploration", "prior"):
            number(getattr(self, name), name, 0)
        if self.playout not in ("random", "greedy"):
            raise ValueError(f"playout {self.playout!r}; expected 'random' or 'greedy'")
        if self.others not in ("search", "greedy"):
            raise ValueError(f"others {self.others!r}; expected 'search' or 'greedy'")
        if self.depth is not None and self.depth != "game":
            whole(self.depth, "depth ('game', None or a number)", 0)

    def settings(self, game: Game) -> Settings:
        """The options as the kernels take them."""
        depth = game.search_depth if self.depth == "game" else self.depth
        return Settings(
            self.simulations,
            float(self.exploration),
            self.playout == "greedy",
            2**31 if depth is None else int(depth),
            float(self.prior),
            self.opinions,
            self.others == "greedy",
        )


class Room(NamedTuple):
    """Scratch memory, one entry a table."""

    worlds: NDArray  # the world of the running simulation
    imagined: NDArray  # that world as its acting seat imagines it
    trials: NDArray  # a world to try one action in
    flat: NDArray  # the legal actions
    masks: NDArray  # the same memory as records
    blank: NDArray  # one cleared mask record
    bits: NDArray  # what the acting seat sees, as plain numbers
    seen: NDArray  # the same memory as records
    unseen: NDArray  # one cleared observation record
    points: NDArray  # scores and tie-breaks of a finished game
    rewards: NDArray  # of a play-out
    racing: NDArray  # the actions that are still compared


class Tree(NamedTuple):
    """The tree of one decision, one entry a node, the root first.

    Nodes are decisions and actions by turns: below a decision lie its actions, below an action the decisions it led to.
    """

    size: NDArray  # nodes in use, one number
    best: NDArray  # the action to play, one number
    key: NDArray  # decision: digest of what the acting seat sees
    action: NDArray  # action: which
    first_child: NDArray
    next_sibling: NDArray
    visits: NDArray
    available: NDArray  # action: simulations in which it could be chosen
    opinion: NDArray  # action: summed opinions of the heuristic, for the seat that chooses
    opinions: NDArray  # action: how many
    value: NDArray  # summed values of every seat


@rule
def new_tree(nodes):
    """Memory for that many nodes."""
    return Tree(
        np.zeros(1, np.int64),
        np.zeros(1, np.int64),
        np.zeros(nodes, np.uint64),
        np.zeros(nodes, np.int64),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.float32),
        np.zeros(nodes, np.int32),
        np.zeros((nodes, _SEATS), np.float32),
    )


def _make_room(batch: GameBatch, count: int) -> Room:
    game = batch.game
    flat = np.zeros((count, game.num_actions), np.int8)
    seen = np.zeros((count, game.observation_size), np.float32)
    return Room(
        for_rules(np.zeros(count, game.state_dtype)),
        for_rules(np.zeros(count, game.state_dtype)),
        for_rules(np.zeros(count, game.state_dtype)),
        flat,
        for_rules(flat.view(game.actions.dtype)[:, 0]),
        for_rules(np.zeros(1, game.actions.dtype)),
        seen.view(np.uint32),
        for_rules(seen.view(game.observation.dtype)[:, 0]),
        for_rules(np.zeros(1, game.observation.dtype)),
        np.zeros((count, 2, _SEATS)),
        np.zeros((count, _SEATS)),
        np.zeros((count, game.num_actions), np.int64),
    )


# -- Play-outs, shared by both searches --------------------------------------------------------------------------------


class Playout(NamedTuple):
    """The rules that play a world on."""

    imagine: Callable  # (box, room, k, seed): the running world, redrawn for the eyes of its acting seat
    worth: Callable  # (box, room, k, action, rewards) -> float: an action at first sight, in the imagined world
    greedy_move: Callable  # (box, room, k, seed, rewards): the acting seat looks one decision ahead and moves
    playout: Callable  # (box, room, k, seed, settings, searcher, only, rewards): play on so deep; value where that leads


@functools.cache  # compiled once for all searches of a game
def make_playout(rules):
    """The play-out of a game."""
    apply, scores, evaluate = rules.apply, rules.scores, rules.evaluate
    legal_actions, determinize = rules.legal_actions, rules.determinize

    @lean
    def value(world, box, points, only, rewards):
        """The rewards of a finished game, or the heuristic's guess at them, for one seat or (-1) for all."""
        if world.status == RUNNING:
            for seat in range(world.num_players):
                if only < 0 or only == seat:
                    rewards[seat] = evaluate(world, box, seat)
            return
        points[:] = 0.0
        scores(world, box, points[0], points[1])
        write_rewards(points[0], points[1], world.num_players, OUTCOME, 0.01, rewards)

    @lean
    def imagine(box, room, k, seed):
        room.imagined[k] = room.worlds[k]
        room.imagined[k].rng = seed
        determinize(room.imagined[k], box[0], room.worlds[k].player)

    @lean
    def worth(box, room, k, action, rewards):
        player = int(room.imagined[k].player)
        room.trials[k] = room.imagined[k]
        apply(room.trials[k], box[0], action)
        value(room.trials[k], box[0], room.points[k], player, rewards)
        return rewards[player]

    @lean
    def count_legal(box, room, k):
        room.masks[k] = room.blank[0]
        legal_actions(room.worlds[k], box[0], room.masks[k])
        legal = 0
        for action in range(room.flat.shape[1]):
            legal += room.flat[k, action]
        return legal

    @lean
    def random_move(box, room, k, bits):
        nth = scale(bits, count_legal(box, room, k))
        for action in range(room.flat.shape[1]):
            nth -= room.flat[k, action]
            if nth < 0:
                apply(room.worlds[k], box[0], action)
                return

    @lean
    def greedy_move(box, room, k, seed, rewards):
        if count_legal(box, room, k) == 1:
            random_move(box, room, k, seed)
            return
        imagine(box, room, k, seed)
        best, chosen = -np.inf, 0
        for action in range(room.flat.shape[1]):
            if room.flat[k, action]:
                this = worth(box, room, k, action, rewards)
                if this > best:
                    best, chosen = this, action
        apply(room.worlds[k], box[0], chosen)

    @lean
    def playout(box, room, k, seed, settings, searcher, only, rewards):
        world = room.worlds[k]
        step, turns = 0, 0
        while world.status == RUNNING and turns < settings.depth:
            mover = world.player
            if settings.greedy:
                greedy_move(box, room, k, derive(seed, step), rewards)
            else:
                random_move(box, room, k, derive(seed, step))
            step += 1
            if world.player == searcher and (mover != searcher or world.num_players == 1):
                turns += 1
        value(world, box[0], room.points[k], only, rewards)

    return Playout(imagine, worth, greedy_move, playout)


# -- Flat Monte Carlo --------------------------------------------------------------------------------------------------


def make_flat(rules):
    """Share the simulations evenly among the legal actions and take the best mean."""
    apply, determinize, legal_actions = rules.apply, rules.determinize, rules.legal_actions
    playout = make_playout(rules).playout

    @lean
    def best_mean(state, seed, box, room, k, settings):
        """The action of one table."""
        rewards, legal = room.rewards[k], room.racing[k]
        room.masks[k] = room.blank[0]
        legal_actions(state, box[0], room.masks[k])
        count = 0
        for action in range(room.flat.shape[1]):
            if room.flat[k, action]:
                legal[count] = action
                count += 1
        best, chosen = -np.inf, 0
        for choice in range(count):
            total = 0.0
            for nth in range(max(1, settings.simulations // count)):
                # The same worlds for every action, so that luck does not decide between them.
                world_seed = derive(seed, nth)
                room.worlds[k] = state
                room.worlds[k].rng = world_seed
                determinize(room.worlds[k], box[0], state.player)
                apply(room.worlds[k], box[0], legal[choice])
                playout(box, room, k, world_seed, settings, state.player, int(state.player), rewards)
                total += rewards[state.player]
            if total > best:
                best, chosen = total, legal[choice]
        return chosen

    def flat_search(start, stop, tables, states, box, seeds, settings, room, out):
        for k in range(start, stop):
            out[k] = best_mean(states[tables[k]], seeds[k], box, room, k, settings)

    return flat_search


# -- Information-set tree search ---------------------------------------------------------------------------------------


@wrapping
def digest(bits, k):
    """A fingerprint of what a seat sees."""
    result = np.uint64(0)
    for place in range(bits.shape[1]):
        if bits[k, place]:
            result = mix(result ^ (np.uint64(bits[k, place]) + np.uint64(place) * GOLDEN))
    return result


@lean
def add_child(tree, node, key, action):
    """A new child of a node, or _NONE when the memory is full."""
    child = tree.size[0]
    if child == tree.action.shape[0]:
        return _NONE
    tree.size[0] = child + 1
    tree.key[child] = key
    tree.action[child] = action
    tree.first_child[child] = _NONE
    tree.next_sibling[child] = tree.first_child[node]
    tree.first_child[node] = child
    tree.visits[child] = 0
    tree.available[child] = 0
    tree.opinion[child] = 0.0
    tree.opinions[child] = 0
    tree.value[child] = 0.0
    return child


@lean
def find_decision(tree, node, key):
    """The decision below an action at which the acting seat sees this; a new one if there is none yet."""
    child = tree.first_child[node]
    while child != _NONE:
        if tree.key[child] == key:
            return child
        child = tree.next_sibling[child]
    return add_child(tree, node, key, _NONE)


@lean
def offer(tree, node, room, k):
    """Count which known actions of a decision this world allows, and add the ones not seen before."""
    child = tree.first_child[node]
    while child != _NONE:
        if room.flat[k, tree.action[child]]:
            tree.available[child] += 1
            room.flat[k, tree.action[child]] = 2
        child = tree.next_sibling[child]
    for action in range(room.flat.shape[1]):
        if room.flat[k, action] == 1:
            child = add_child(tree, node, np.uint64(0), action)
            if child != _NONE:
                tree.available[child] = 1


@lean
def estimate(tree, child, player, prior):
    """What an action is worth to the seat that chooses, by opinion and experience; the worst if there is neither."""
    weight = tree.visits[child] + prior
    if weight == 0:
        return -1.0
    opinion = tree.opinion[child] / max(1, tree.opinions[child])
    return (prior * opinion + tree.value[child, player]) / weight


@lean
def choose(tree, node, player, room, k, seed, settings):
    """UCB among the actions that this world allows, by how often they were available."""
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
                score += estimate(tree, child, player, settings.prior)
                score += settings.exploration * np.sqrt(np.log(tree.available[child] + 1.0) / weight)
            if score > best:
                best, chosen = score, child
        child = tree.next_sibling[child]
    return chosen


@lean
def sort_by_estimate(tree, player, prior, racing, count):
    """Put the best of the actions still in the race first."""
    for last in range(1, count):
        place = last
        while place > 0:
            here, before = racing[place], racing[place - 1]
            if estimate(tree, here, player, prior) <= estimate(tree, before, player, prior):
                break
            racing[place], racing[place - 1] = before, here
            place -= 1


@lean
def least_visited(tree, racing, count):
    """The first of the actions still in the race that were tried least."""
    least = racing[0]
    for place in range(1, count):
        if tree.visits[racing[place]] < tree.visits[least]:
            least = racing[place]
    return least


@functools.cache
def make_grow(rules):
    """The rule that grows the tree of one table."""
    apply, determinize, legal_actions, observe = rules.apply, rules.determinize, rules.legal_actions, rules.observe
    imagine, worth, greedy_move, playout = make_playout(rules)

    @lean
    def look(box, room, k):
        """The digest of what the acting seat sees."""
        world = room.worlds[k]
        room.seen[k] = room.unseen[0]
        observe(world, box[0], world.player, room.seen[k])
        return digest(room.bits, k)

    @lean
    def opine(tree, node, box, room, k, seed, rewards):
        """Ask the heuristic once more about every action of a decision."""
        imagine(box, room, k, seed)
        child = tree.first_child[node]
        while child != _NONE:
            if room.flat[k, tree.action[child]]:
                tree.opinion[child] += worth(box, room, k, tree.action[child], rewards)
                tree.opinions[child] += 1
            child = tree.next_sibling[child]

    @lean
    def decide(tree, node, box, room, k, seed, settings, rewards):
        """The action that the acting seat takes at a decision seen before."""
        room.masks[k] = room.blank[0]
        legal_actions(room.worlds[k], box[0], room.masks[k])
        offer(tree, node, room, k)
        if settings.prior > 0 and tree.visits[node] == 1:
            opine(tree, node, box, room, k, derive(seed, _OPINIONS), rewards)
        return choose(tree, node, room.worlds[k].player, room, k, derive(seed, _TIES), settings)

    @lean
    def others_move(box, room, k, seed, searcher, rewards):
        """Let the others move until it is the searcher's turn again."""
        move = 0
        while room.worlds[k].status == RUNNING and room.worlds[k].player != searcher:
            greedy_move(box, room, k, derive(seed, move), rewards)
            move += 1

    @lean
    def descend(tree, path, box, room, k, seed, searcher, settings, rewards):
        """Follow the tree from the first action on the path to a decision that is new; the length of the path."""
        world = room.worlds[k]
        length = 2
        while length + 1 < path.shape[0]:
            here = derive(seed, _MOVES + length)
            if settings.others_greedy:
                others_move(box, room, k, here, searcher, rewards)
            if world.status != RUNNING:
                break
            node = find_decision(tree, path[length - 1], look(box, room, k))
            if node == _NONE:
                break
            path[length] = node
            length += 1
            if tree.visits[node] == 0:
                break
            action = decide(tree, node, box, room, k, here, settings, rewards)
            if action == _NONE:
                break
            apply(world, box[0], tree.action[action])
            path[length] = action
            length += 1
        return length

    @lean
    def simulate(tree, path, state, first, seed, box, room, k, settings, rewards):
        """Redraw, play the first action, go on by the tree and then without it, and credit every node on the way."""
        room.worlds[k] = state
        room.worlds[k].rng = seed
        determinize(room.worlds[k], box[0], state.player)
        apply(room.worlds[k], box[0], tree.action[first])
        path[0], path[1] = 0, first
        length = descend(tree, path, box, room, k, seed, state.player, settings, rewards)
        only = int(state.player) if settings.others_greedy else _NONE
        playout(box, room, k, seed, settings, state.player, only, rewards)
        for step in range(length):
            tree.visits[path[step]] += 1
            for seat in range(state.num_players):
                tree.value[path[step], seat] += rewards[seat]

    @lean
    def plant(tree, state, seed, box, room, k, settings, racing, rewards):
        """A tree of the root and its actions; how many they are."""
        tree.size[0] = 1
        tree.first_child[0] = _NONE
        tree.visits[0] = 0
        tree.value[0] = 0.0
        room.worlds[k] = state
        room.masks[k] = room.blank[0]
        legal_actions(state, box[0], room.masks[k])
        offer(tree, 0, room, k)
        if settings.prior > 0:
            for nth in range(settings.opinions):
                opine(tree, 0, box, room, k, derive(seed, _OPINIONS + nth), rewards)
        count = 0
        child = tree.first_child[0]
        while child != _NONE:
            racing[count] = child
            count += 1
            child = tree.next_sibling[child]
        return count

    @lean
    def grow(tree, path, state, seed, box, room, k, settings):
        """All simulations of one decision: in each round the worse half of the actions leaves the race."""
        rewards, racing = room.rewards[k], room.racing[k]
        player, prior = state.player, settings.prior
        count = plant(tree, state, seed, box, room, k, settings, racing, rewards)
        rounds = max(1, int(np.ceil(np.log2(count))))
        finished = 0
        sort_by_estimate(tree, player, prior, racing, count)
        for nth in range(settings.simulations):
            if nth * rounds >= settings.simulations * (finished + 1):
                sort_by_estimate(tree, player, prior, racing, count)
                count = (count + 1) // 2
                finished += 1
            first = least_visited(tree, racing, count)
            # The nth trial of every action takes place in the same world.
            world_seed = derive(seed, tree.visits[first])
            simulate(tree, path, state, first, world_seed, box, room, k, settings, rewards)
        sort_by_estimate(tree, player, prior, racing, count)
        tree.best[0] = tree.action[racing[0]]

    return grow


def make_ismcts(rules):
    """The action each table's tree ends up with."""
    grow = make_grow(rules)
    legal_actions = rules.legal_actions

    @lean
    def only_action(state, box, room, k):
        """The action of a decision that is none, else _NONE."""
        room.masks[k] = room.blank[0]
        legal_actions(state, box[0], room.masks[k])
        found = _NONE
        for action in range(room.flat.shape[1]):
            if room.flat[k, action]:
                if found != _NONE:
                    return _NONE
                found = action
        return found

    def ismcts(start, stop, tables, states, box, seeds, settings, room, out):
        tree = new_tree(settings.simulations * _NODES_PER_SIMULATION + 1024)
        path = np.zeros(_LONGEST_PATH, np.int64)
        for k in range(start, stop):
            state = states[tables[k]]
            out[k] = only_action(state, box, room, k)
            if out[k] == _NONE:
                grow(tree, path, state, seeds[k], box, room, k, settings)
                out[k] = tree.best[0]

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
            self.options.settings(batch.game),
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
        super().__init__(options or SearchOptions(simulations=200, playout="random", depth=None))


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
        tree = kernel(batch.state[[table]], batch.box, seed, self.options.settings(batch.game), _make_room(batch, 1))
        return _lines(batch, tree, [0], int(batch.player[table]), levels)


def _children(tree: Any, nodes: list[int]) -> list[int]:
    children = []
    for node in nodes:
        child = int(tree.first_child[node])
        while child != _NONE:
            children.append(child)
            child = int(tree.next_sibling[child])
    return children


def _lines(batch: GameBatch, tree: Any, decisions: list[int], player: int, levels: int) -> list[Line]:
    """The actions of decisions that followed from the same actions, whatever else was different."""
    by_action: dict[int, list[int]] = {}
    for child in _children(tree, decisions) if levels else []:
        by_action.setdefault(int(tree.action[child]), []).append(child)
    lines = []
    for action, nodes in by_action.items():
        visits = int(tree.visits[nodes].sum())
        lines.append(
            Line(
                action,
                batch.game.action_name(action),
                visits,
                int(tree.available[nodes].sum()),
                float(tree.value[nodes, player].sum() / max(1, visits)),
                float(tree.opinion[nodes].sum() / max(1, tree.opinions[nodes].sum())),
                _lines(batch, tree, _children(tree, nodes), player, levels - 1),
            )
        )
    return sorted(lines, key=lambda line: -line.visits)
