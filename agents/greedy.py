"""The agent that looks one decision ahead."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arabian_envs import GameBatch
from arabian_envs.checks import whole
from arabian_envs.engine.game import for_rules
from arabian_envs.engine.kernels import OUTCOME, write_rewards
from arabian_envs.engine.rng import derive
from arabian_envs.engine.state import RUNNING
from arabian_envs.engine.threads import run_split

_GRAIN = 8  # a table costs far more here than in a plain step


class GreedyAgent:
    """Plays the action whose outcome `evaluate` likes best, on average over what the seat cannot know and over chance.

    Args:
        samples: how many resampled worlds to average over; the same ones for every action of a decision.
    """

    def __init__(self, samples: int = 4):
        self.samples = whole(samples, "greedy: samples", 1)
        self.name = "greedy" if samples == 4 else f"greedy:{samples}"
        self.seed(0)

    def seed(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def act(self, batch: GameBatch, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        return opinions(batch, tables, self.samples, self._generator).argmax(axis=1)


def opinions(
    batch: GameBatch, tables: NDArray[np.intp], samples: int, generator: np.random.Generator
) -> NDArray[np.float64]:
    """What the acting seat thinks of every action one step ahead, summed over so many worlds; -inf if it is not legal."""
    out = np.full((len(tables), batch.game.num_actions), -np.inf)
    run_split(
        batch.game.kernel(make_opinions),
        len(tables),
        batch.num_threads,
        np.ascontiguousarray(tables, dtype=np.int64),
        batch.state,
        batch.box,
        batch.action_mask,
        generator.integers(2**63, size=len(tables), dtype=np.uint64),
        samples,
        for_rules(np.zeros(len(tables), batch.game.state_dtype)),
        out,
        grain=_GRAIN,
    )
    return out


def make_opinions(rules):
    """The value of every legal action of each table by one-step look-ahead."""
    apply, scores, determinize, evaluate = rules.apply, rules.scores, rules.determinize, rules.evaluate

    def look_ahead(start, stop, tables, states, box, masks, seeds, samples, scratch, out):
        points, tiebreaks, rewards = np.zeros(8), np.zeros(8), np.zeros(8)
        for k in range(start, stop):
            i = tables[k]
            player = states[i].player
            for action in range(masks.shape[1]):
                if masks[i, action] == 0:
                    continue
                # A little noise far below any real difference breaks ties at random.
                value = float(derive(seeds[k], 1000 + action) >> np.uint64(40)) * 1e-14
                for sample in range(samples):
                    scratch[k] = states[i]
                    world = scratch[k]
                    world.rng = derive(seeds[k], sample)
                    determinize(world, box[0], player)
                    apply(world, box[0], action)
                    if world.status == RUNNING:
                        value += evaluate(world, box[0], player)
                    else:
                        points[:] = 0.0
                        tiebreaks[:] = 0.0
                        scores(world, box[0], points, tiebreaks)
                        write_rewards(points, tiebreaks, world.num_players, OUTCOME, 0.01, rewards)
                        value += rewards[player]
                out[k, action] = value

    return look_ahead
