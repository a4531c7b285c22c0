"""Learning from a teacher: what it chooses, and how its games end. A start for PPO, not an end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from agents import Agent, make_agent
from agents.advice import Adviser
from arabian_envs import Game, GameBatch
from training.config import ImitationConfig

if TYPE_CHECKING:
    from training.learner import TablePolicy

_MINIBATCH = 1024


class Lessons(NamedTuple):
    """Decisions of a teacher, one row each."""

    observations: NDArray[np.float32]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    returns: NDArray[np.float32]
    """What the deciding seat earned at the end of the game."""


def imitate(
    policy: TablePolicy,
    game: Game,
    players: NDArray[np.int64],
    reward: str,
    config: ImitationConfig,
    advice: int,
    seed: int,
    report: Callable[[float, float], bool],
) -> None:
    """Teach a policy, and its value, for so many seconds.

    Args:
        policy: who learns.
        game: the game.
        players: players at a table, to draw from.
        reward: as in `make_batch`.
        config: the teacher and the time.
        advice: in how many worlds the policy asks for advice.
        seed: what all randomness comes from.
        report: told after each generation the seconds spent and the share of the teacher's choices that were foreseen;
            a true answer ends the lessons.
    """
    teacher = make_agent(config.teacher)
    teacher.seed(seed)
    generator = np.random.default_rng(seed)
    optimizer = torch.optim.Adam(policy.parameters(), lr=config.learning_rate)
    policy.set_training_mode(True)
    started = time.perf_counter()
    spent = 0.0
    while spent < config.seconds:
        counts = generator.choice(players, config.tables).tolist()
        batch = GameBatch(game, config.tables, counts, int(generator.integers(2**62)), reward=reward, autoreset=False)
        lessons = watch(batch, teacher, config.noise, advice, generator)
        # Towards the end of the time the steps grow small.
        for group in optimizer.param_groups:
            group["lr"] = config.learning_rate * max(0.05, 1 - spent / config.seconds)
        foreseen = study(policy, optimizer, lessons, config.epochs, generator)
        spent = time.perf_counter() - started
        if report(spent, foreseen):
            return


def watch(batch: GameBatch, teacher: Agent, noise: float, advice: int, generator: np.random.Generator) -> Lessons:
    """Let a teacher play all seats to the end. Some moves are replaced by random ones; its own choices are the lessons."""
    adviser = Adviser()
    adviser.seed(int(generator.integers(2**32)))
    observations, masks, choices, tables, seats = [], [], [], [], []
    actions = np.zeros(batch.num_games, np.int64)
    while (running := batch.running).any():
        here = np.flatnonzero(running)
        chosen = teacher.act(batch, here)
        # A forced move teaches the policy nothing and costs as much as any other.
        open_choice = batch.action_mask[here].sum(axis=1) > 1
        taught = here[open_choice]
        observations.append(adviser.observe(batch, taught, advice))
        masks.append(batch.action_mask[taught])
        choices.append(chosen[open_choice])
        tables.append(taught)
        seats.append(batch.player[taught])
        actions[here] = np.where(generator.random(len(here)) < noise, batch.sample()[here], chosen)
        batch.step(actions, where=running)
    earned = batch.reward[np.concatenate(tables), np.concatenate(seats)]
    return Lessons(np.concatenate(observations), np.concatenate(masks), np.concatenate(choices), earned)


def study(
    policy: TablePolicy,
    optimizer: torch.optim.Optimizer,
    lessons: Lessons,
    epochs: int,
    generator: np.random.Generator,
) -> float:
    """Go through lessons so often. Returns the share of choices foreseen in the first pass."""
    rows = len(lessons.actions)
    foreseen = 0
    for epoch in range(epochs):
        order = generator.permutation(rows)
        for first in range(0, rows, _MINIBATCH):
            some = order[first : first + _MINIBATCH]
            masks = torch.as_tensor(lessons.masks[some]).bool()
            actions = torch.as_tensor(lessons.actions[some])
            seen = torch.as_tensor(lessons.observations[some])
            log_chances = policy.log_chances(seen, masks).gather(1, actions[:, None])
            if epoch == 0:
                foreseen += int((log_chances > np.log(0.5)).sum())
            misjudged = torch.nn.functional.mse_loss(policy.values(seen), torch.as_tensor(lessons.returns[some]))
            optimizer.zero_grad()
            (misjudged - log_chances.mean()).backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
            optimizer.step()
    return foreseen / rows
