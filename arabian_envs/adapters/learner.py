"""One seat learns, the others are played for it: the part that all single-learner adapters share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arabian_envs.checks import as_array, whole
from arabian_envs.engine.batch import GameBatch
from arabian_envs.errors import GameOverError
from arabian_envs.registry import get_game

ILLEGAL_REWARD = -1.0


class Opponent(Protocol):
    """Who plays the other seats: any agent that acts on many tables at once."""

    def seed(self, seed: int) -> None: ...

    def act(self, batch: GameBatch, tables: NDArray[np.intp]) -> NDArray[np.int64]: ...


class RandomOpponent:
    """Any legal action, from the batch's own sampler."""

    def seed(self, seed: int) -> None:
        """The batch seeds its sampler."""

    def act(self, batch: GameBatch, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        return batch.sample()[tables]


def ask(player: Opponent, batch: GameBatch, tables: NDArray[np.intp]) -> NDArray[np.int64]:
    """A player's actions for these tables: a whole number each. Whether they are legal, the batch will say."""
    actions = as_array(player.act(batch, tables), f"{batch.game.id}: actions")
    if actions.dtype.kind not in "iu" or actions.shape != tables.shape:
        raise TypeError(
            f"{batch.game.id}: {getattr(player, 'name', player)!r} answered with {actions.dtype} of shape {actions.shape}; "
            f"expected a whole number for each of {len(tables)} tables"
        )
    return actions


def child_seed(seed: int, index: int) -> int:
    """A seed for the index-th player of a match or an environment."""
    return int(np.random.SeedSequence([abs(seed), index]).generate_state(1)[0])


@dataclass
class LearnerStep:
    """What a step brought the learner, table by table; `done` lists the tables whose game ended."""

    reward: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    illegal: NDArray[np.bool_]
    done: NDArray[np.intp]
    final_observation: NDArray[np.float32]
    """The learner's last view of each table in `done`."""
    final_scores: NDArray[np.float64]
    """The points of all seats at each table in `done`."""
    final_seat: NDArray[np.int8]
    """Where the learner sat at each table in `done`."""


class LearnerTables:
    """Tables at which it is always the learner's turn.

    A step runs from one decision of the learner to its next, with all that it earned in between.

    Args:
        game_id: one of `GAMES`.
        num_tables: how many tables.
        num_players: players at every table, or one number per table.
        seat: the learner's seat, or None to move it on by one from game to game.
        opponents: who has the other seats, from the learner's left; they repeat if there are too few. None: random play.
        reward: as in `make_batch`.
        box: as in `make_batch`.
        illegal: "terminate" ends a game in which the learner tries an illegal action, with -1; "raise" raises
            `IllegalActionError` and changes nothing.
        autoreset: whether a finished table is dealt anew within the step that ended it.
    """

    def __init__(
        self,
        game_id: str,
        num_tables: int,
        num_players: int | Sequence[int] | None = None,
        seat: int | None = None,
        opponents: Opponent | Sequence[Opponent] | None = None,
        reward: str = "outcome",
        box: NDArray | str | Path | None = None,
        illegal: str = "terminate",
        autoreset: bool = True,
        num_threads: int | None = None,
    ):
        if not isinstance(illegal, str) or illegal not in ("terminate", "raise"):
            raise ValueError(f"{game_id}: illegal={illegal!r}; expected 'terminate' or 'raise'")
        game = get_game(game_id)
        self.batch = GameBatch(
            game, num_tables, num_players, box=box, reward=reward, autoreset=False, num_threads=num_threads
        )
        if seat is not None and not 0 <= whole(seat, f"{game_id}: seat") < self.batch.num_players.min():
            raise ValueError(f"{game_id}: seat {seat}; expected None or 0 … {self.batch.num_players.min() - 1}")
        self.game = game
        self.fixed_seat = seat
        self.illegal = illegal
        self.autoreset = autoreset
        self.opponents = _as_list(opponents)
        self._all_random = all(isinstance(opponent, RandomOpponent) for opponent in self.opponents)
        self._rows = np.arange(num_tables)
        self._over = np.zeros(num_tables, np.bool_)
        self.seat = np.zeros(num_tables, np.int8)
        self.reset(self.batch.seed)

    def reset(self, seed: int | None = None, tables: ArrayLike | None = None) -> None:
        """Deal new games, and play on to the learner's first decision."""
        self.batch.reset(seed, tables)
        if seed is not None:
            for index, opponent in enumerate(self.opponents):
                opponent.seed(child_seed(self.batch.seed, index))
        where = np.ones(len(self._rows), np.bool_) if tables is None else self.batch._where(tables)
        self._over[where] = False
        self._begin(where)

    def _begin(self, where: NDArray[np.bool_]) -> None:
        batch = self.batch
        if self.fixed_seat is None:
            self.seat[where] = ((self._rows + batch.episodes) % batch.num_players)[where]
        else:
            self.seat[where] = self.fixed_seat
        self._opponents_play(None)
        ended_early = where & ~batch.running
        if ended_early.any():
            # The others finished a game before the learner's first decision: there was nothing to learn.
            batch.reset(tables=ended_early)
            self._begin(ended_early)

    @property
    def observation(self) -> NDArray[np.float32]:
        """The learner's view of every table: a copy."""
        return self.batch.observation.copy()

    @property
    def action_mask(self) -> NDArray[np.int8]:
        """The learner's legal actions at every table: a copy."""
        return self.batch.action_mask.copy()

    def step(self, actions: ArrayLike) -> LearnerStep:
        """One decision of the learner at each table, and all decisions of the others up to its next."""
        batch = self.batch
        actions = batch._check_actions(actions)
        if self._over.any():
            table = int(self._over.argmax())
            raise GameOverError(f"{self.game.id}, table {table}: the game is over; call reset before the next step")
        illegal = self._illegal(actions)
        batch.step(actions, where=~illegal)
        reward = np.where(illegal, ILLEGAL_REWARD, batch.reward[self._rows, self.seat]).astype(np.float32)
        self._opponents_play(reward, skip=illegal)
        self._over = over = illegal | ~batch.running
        terminated = illegal | (over & batch.terminated)
        truncated = over & batch.truncated & ~illegal
        done = np.flatnonzero(over)
        result = LearnerStep(
            reward,
            terminated,
            truncated,
            illegal,
            done,
            batch.observe(self.seat[done], tables=done),
            # Whoever tried an illegal action left before the end.
            (batch.scores() if illegal.any() else batch.final_scores)[done],
            self.seat[done].copy(),
        )
        if self.autoreset and len(done):
            self.reset(tables=done)
        return result

    def _illegal(self, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        if self.illegal == "raise":
            return np.zeros(len(self._rows), np.bool_)
        inside = (actions >= 0) & (actions < self.game.num_actions)
        return ~inside | (self.batch.action_mask[self._rows, np.where(inside, actions, 0)] == 0)

    def _opponents_play(self, reward: NDArray[np.float32] | None, skip: NDArray[np.bool_] | None = None) -> None:
        """Let the others act until it is the learner's turn everywhere; add what the learner earns to `reward`."""
        batch = self.batch
        while True:
            waiting = batch.running & (batch.player != self.seat)
            if skip is not None:
                waiting &= ~skip
            if not waiting.any():
                return
            if self._all_random:
                batch.play_on(self.seat, waiting)
            else:
                batch.step(self._answers(waiting), where=waiting)
            if reward is not None:
                reward[waiting] += batch.reward[self._rows, self.seat][waiting]

    def _answers(self, waiting: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The others' actions at the tables that wait for them."""
        batch = self.batch
        actions = np.zeros(len(self._rows), np.int64)
        place = (batch.player - self.seat - 1) % batch.num_players % len(self.opponents)
        for index, opponent in enumerate(self.opponents):
            tables = np.flatnonzero(waiting & (place == index))
            if len(tables):
                actions[tables] = ask(opponent, batch, tables)
        return actions


def _as_list(opponents: Any) -> list[Opponent]:
    if opponents is None:
        return [RandomOpponent()]
    chosen = list(opponents) if isinstance(opponents, Sequence) else [opponents]
    for opponent in chosen:
        able = all(callable(getattr(opponent, verb, None)) for verb in ("act", "seed"))
        if not able or isinstance(opponent, type):
            raise TypeError(f"{opponent!r} cannot play: expected agents with a method act(batch, tables), and seed(seed)")
    if not chosen:
        raise ValueError("no opponents; expected at least one, or None for random play")
    return chosen
