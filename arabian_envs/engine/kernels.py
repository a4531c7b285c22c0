"""The loops over many tables, written once for all games.

Each factory receives a game's `Rules` and returns a loop; `Game.kernel` compiles and caches it for that game. A loop works
on the tables start … stop-1, so that threads can share a batch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from arabian_envs.engine.jit import lean, rule
from arabian_envs.engine.rng import advance, derive, mix, scale
from arabian_envs.engine.state import RUNNING, TERMINATED, TRUNCATED

OUTCOME, MARGIN = 0, 1
SAMPLER_SALT = np.uint64(0x5A3D1E5A3D1E5A3D)


class Rules(NamedTuple):
    """The verbs of a game, compiled, each on one table's record."""

    setup: Callable  # (state, box): deal, shuffle, choose the first player
    legal_actions: Callable  # (state, box, mask): write 1 for each legal action into a cleared mask record
    apply: Callable  # (state, box, action): one decision, in place
    observe: Callable  # (state, box, player, out): what this seat may know, into a cleared observation record
    scores: Callable  # (state, box, points, tiebreaks): points at any time, and what decides between equal points
    determinize: Callable  # (state, box, player): redraw from state.rng all that this seat cannot know
    evaluate: Callable  # (state, box, player) -> float: a guess at the seat's outcome reward, -1 … 1


@lean
def is_winner(points, tiebreaks, seat, num_players):
    """Whether nobody stands above this seat, by points and then by tie-break."""
    for other in range(num_players):
        if points[other] > points[seat]:
            return False
        if points[other] == points[seat] and tiebreaks[other] > tiebreaks[seat]:
            return False
    return True


@lean
def write_rewards(points, tiebreaks, num_players, mode, point_scale, out):
    """The rewards at the end of a game: see `Rewards` in the README."""
    if num_players == 1:
        out[0] = points[0] * point_scale
        return
    if mode == MARGIN:
        for seat in range(num_players):
            best_other = -np.inf
            for other in range(num_players):
                if other != seat and points[other] > best_other:
                    best_other = points[other]
            out[seat] = (points[seat] - best_other) * point_scale
        return
    winners = 0
    for seat in range(num_players):
        winners += is_winner(points, tiebreaks, seat, num_players)
    for seat in range(num_players):
        if is_winner(points, tiebreaks, seat, num_players):
            out[seat] = (num_players - winners) / ((num_players - 1) * winners)
        else:
            out[seat] = -1.0 / (num_players - 1)


@lean
def pick(masks, table, generators):
    """A uniformly random legal action of a table, or -1 where there is none."""
    size = masks.shape[1]
    legal = 0
    for action in range(size):
        legal += masks[table, action]
    if legal == 0:
        return -1
    generators[table] = advance(generators[table])
    nth = scale(mix(generators[table]), legal)
    for action in range(size):
        nth -= masks[table, action]
        if nth < 0:
            return action
    return -1


def make_seed(_rules):
    """The seed of each table's games, and of its sampler, from the batch's seed."""

    def seed(start, stop, root, first_table, seeds, generators):
        for i in range(start, stop):
            seeds[i] = derive(root, first_table + i)
            generators[i] = derive(seeds[i] ^ SAMPLER_SALT, 0)

    return seed


def make_deal(rules):
    """New games on the tables marked in `where`."""
    setup = rules.setup

    def deal(start, stop, states, box, blank, where, num_players, seeds, episodes):
        for i in range(start, stop):
            if where[i]:
                states[i] = blank[0]
                state = states[i]
                state.rng = derive(seeds[i], episodes[i])
                state.num_players = num_players[i]
                setup(state, box[0])

    return deal


def make_show(rules):
    """Write the acting seat, its observation and its mask for the tables marked in `where`."""
    observe, legal_actions = rules.observe, rules.legal_actions

    def show(start, stop, states, box, where, player, observations, blank_observation, masks, blank_mask):
        for i in range(start, stop):
            if where[i]:
                state = states[i]
                player[i] = state.player
                observations[i] = blank_observation[0]
                observe(state, box[0], state.player, observations[i])
                masks[i] = blank_mask[0]
                if state.status == RUNNING:
                    legal_actions(state, box[0], masks[i])

    return show


def _ending(rules):
    """What a step brought: nothing, or the end of the game with its scores."""
    scores = rules.scores

    @rule
    def score(state, box, i, reward, final_scores, mode, point_scale):
        points = np.zeros(reward.shape[1])
        tiebreaks = np.zeros(reward.shape[1])
        scores(state, box, points, tiebreaks)
        write_rewards(points, tiebreaks, state.num_players, mode, point_scale, reward[i])
        for seat in range(reward.shape[1]):
            final_scores[i, seat] = points[seat]

    @lean
    def ending(state, box, i, reward, final_scores, mode, point_scale):
        for seat in range(reward.shape[1]):
            reward[i, seat] = 0.0
        if state.status != RUNNING:
            score(state, box, i, reward, final_scores, mode, point_scale)

    return ending


def make_step(rules):
    """One decision on each table marked in `where`; finished games are scored and, with autoreset, dealt anew.

    No decision is made on any table if one of them is not legal.
    """
    setup, apply, ending = rules.setup, rules.apply, _ending(rules)
    observe, legal_actions = rules.observe, rules.legal_actions

    def find_illegal(start, stop, flat_masks, where, actions):
        for i in range(start, stop):
            if where[i] and not (0 <= actions[i] < flat_masks.shape[1] and flat_masks[i, actions[i]] == 1):
                return i
        return -1

    def step(
        start,
        stop,
        states,
        box,
        blank,
        flat_masks,
        where,
        actions,
        player,
        observations,
        blank_observation,
        masks,
        blank_mask,
        reward,
        terminated,
        truncated,
        final_scores,
        seeds,
        episodes,
        mode,
        point_scale,
        autoreset,
    ):
        for i in range(start, stop):
            if not where[i]:
                continue
            state = states[i]
            apply(state, box[0], actions[i])
            terminated[i] = state.status == TERMINATED
            truncated[i] = state.status == TRUNCATED
            ending(state, box[0], i, reward, final_scores, mode, point_scale)
            if autoreset and state.status != RUNNING:
                num_players = state.num_players
                states[i] = blank[0]
                episodes[i] += 1
                state.rng = derive(seeds[i], episodes[i])
                state.num_players = num_players
                setup(state, box[0])
            player[i] = state.player
            observations[i] = blank_observation[0]
            observe(state, box[0], state.player, observations[i])
            masks[i] = blank_mask[0]
            if state.status == RUNNING:
                legal_actions(state, box[0], masks[i])

    return find_illegal, step


def make_play_on(rules):
    """Random legal play on each table marked in `where`, until it is the turn of the given seat or the game is over."""
    apply, ending = rules.apply, _ending(rules)
    observe, legal_actions = rules.observe, rules.legal_actions

    def play_on(
        start,
        stop,
        states,
        box,
        where,
        seats,
        flat_masks,
        generators,
        player,
        observations,
        blank_observation,
        masks,
        blank_mask,
        reward,
        terminated,
        truncated,
        final_scores,
        mode,
        point_scale,
    ):
        for i in range(start, stop):
            if not where[i]:
                continue
            state = states[i]
            while state.status == RUNNING and state.player != seats[i]:
                apply(state, box[0], pick(flat_masks, i, generators))
                masks[i] = blank_mask[0]
                if state.status == RUNNING:
                    legal_actions(state, box[0], masks[i])
            terminated[i] = state.status == TERMINATED
            truncated[i] = state.status == TRUNCATED
            ending(state, box[0], i, reward, final_scores, mode, point_scale)
            player[i] = state.player
            observations[i] = blank_observation[0]
            observe(state, box[0], state.player, observations[i])

    return play_on


def make_observe(rules):
    """Observations of the given seats, acting or not."""
    observe = rules.observe

    def observe_all(start, stop, states, box, seats, observations):
        for i in range(start, stop):
            observe(states[i], box[0], seats[i], observations[i])

    return observe_all


def make_scores(rules):
    """Points and tie-breaks of every seat."""
    scores = rules.scores

    def scores_all(start, stop, states, box, points, tiebreaks):
        for i in range(start, stop):
            scores(states[i], box[0], points[i], tiebreaks[i])

    return scores_all


def make_evaluate(rules):
    """The heuristic value of each table for the given seats."""
    evaluate = rules.evaluate

    def evaluate_all(start, stop, states, box, seats, out):
        for i in range(start, stop):
            out[i] = evaluate(states[i], box[0], seats[i])

    return evaluate_all


def make_determinize(rules):
    """Redraw all that the given seats cannot know, from a fresh seed."""
    determinize = rules.determinize

    def determinize_all(start, stop, states, box, seats, root):
        for i in range(start, stop):
            states[i].rng = derive(root, i)
            determinize(states[i], box[0], seats[i])

    return determinize_all


def make_sample(_rules):
    """A uniformly random legal action for each table, or -1 where there is none; `generators` belongs to the caller."""

    def sample(start, stop, masks, generators, out):
        for i in range(start, stop):
            out[i] = pick(masks, i, generators)

    return sample
