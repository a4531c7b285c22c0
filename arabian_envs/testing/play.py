"""Checks of play itself."""

from __future__ import annotations

import numpy as np

from arabian_envs.engine.batch import GameBatch
from arabian_envs.engine.game import Game
from arabian_envs.errors import IllegalActionError
from arabian_envs.testing.common import (
    LONGEST_GAME,
    assert_invariants,
    batches,
    player_counts,
    random_positions,
    record_bytes,
    snapshot,
    where_is,
)


def check_random_play(game: Game) -> None:
    """Masks are never empty, pieces are never lost, observations keep their bounds, rewards come at the end and sum to 0."""
    low, high = game.observation.low - 1e-6, game.observation.high + 1e-6
    for batch in batches(game, 64):
        assert_invariants(batch, "after the deal")
        for step in range(400):
            assert (batch.action_mask.sum(axis=1) > 0).all(), f"{where_is(batch)}, step {step}: nobody can act"
            batch.step(batch.sample())
            assert_invariants(batch, f"after step {step}")
            seen = batch.observation
            wrong = np.flatnonzero(((seen < low) | (seen > high) | ~np.isfinite(seen)).any(axis=0))
            assert not len(wrong), f"{where_is(batch)}, step {step}: outside their bounds: {_pieces(game, wrong)}"
            over = batch.terminated | batch.truncated
            assert not batch.reward[~over].any(), f"{where_is(batch)}, step {step}: a reward before the end"
            if batch.num_players[0] > 1:
                assert np.abs(batch.reward.sum(axis=1)).max() < 1e-6, f"{where_is(batch)}: rewards do not sum to 0"


def _pieces(game: Game, numbers: np.ndarray) -> str:
    names = []
    first = 0
    for name, piece in game.observation.pieces.items():
        if ((numbers >= first) & (numbers < first + piece.size)).any():
            names.append(name)
        first += piece.size
    return ", ".join(names)


def check_games_end(game: Game) -> None:
    """Random play ends every game, finished tables stay as they are, and a win is worth 1 at most."""
    for batch in batches(game, 32, autoreset=False):
        for _ in range(LONGEST_GAME):
            if not batch.running.any():
                break
            batch.step(batch.sample(), where=batch.running)
        assert not batch.running.any(), f"{where_is(batch)}: a game of more than {LONGEST_GAME} decisions"
        assert (batch.terminated != batch.truncated).all(), f"{where_is(batch)}: an end must be one of terminated, truncated"
        assert not batch.action_mask.any(), f"{where_is(batch)}: legal actions after the end"
        assert (batch.final_scores == batch.scores()).all(), f"{where_is(batch)}: scores changed after the end"
        if batch.num_players[0] > 1:
            assert (np.abs(batch.reward) <= 1).all(), f"{where_is(batch)}: an outcome outside -1 … 1"
            best = batch.reward.argmax(axis=1)
            rows = np.arange(batch.num_games)
            winners_points = batch.final_scores[rows, best]
            assert (winners_points == batch.final_scores.max(axis=1)).all(), (
                f"{where_is(batch)}: the most points did not win"
            )
        assert (batch.sample() == -1).all(), f"{where_is(batch)}: sample() offers actions after the end"


def check_every_legal_action(game: Game) -> None:
    """Each legal action of many random positions can be carried out, and keeps the pieces."""
    for batch in random_positions(game, 16, seed=1):
        masks = batch.action_mask.copy()
        for action in np.flatnonzero(masks.any(axis=0)):
            trial = batch.copy()
            where = masks[:, action] == 1
            trial.step(np.full(batch.num_games, action), where=where)
            assert_invariants(trial, f"after {game.action_name(action)!r}")
            untouched = np.array_equal(record_bytes(trial)[~where], record_bytes(batch)[~where])
            assert untouched, f"{where_is(batch)}: {game.action_name(action)!r} changed a table that took no part"


def check_illegal_actions(game: Game) -> None:
    """Each illegal action of many random positions is refused, and nothing changes."""
    for batch in random_positions(game, 4, seed=2, moments=6):
        for table in range(batch.num_games):
            only = np.arange(batch.num_games) == table
            _refuse_all(batch, table, only, np.flatnonzero(batch.action_mask[table] == 0))
    for batch in random_positions(game, 500, seed=3, moments=5):
        before = snapshot(batch)
        for action in range(-1, game.num_actions + 1):
            inside = 0 <= action < game.num_actions
            where = batch.action_mask[:, action] == 0 if inside else np.ones(batch.num_games, np.bool_)
            if where.any():
                _refuse(batch, np.full(batch.num_games, action), where, action)
        assert snapshot(batch) == before, f"{where_is(batch)}: refused actions changed something"


def _refuse_all(batch: GameBatch, table: int, only: np.ndarray, illegal: np.ndarray) -> None:
    before = snapshot(batch)
    actions = np.zeros(batch.num_games, np.int64)
    for action in [*illegal.tolist(), -1, batch.game.num_actions, 2**40, -(2**40)]:
        actions[table] = action
        _refuse(batch, actions, only, action)
    assert snapshot(batch) == before, f"{where_is(batch)}: refused actions changed something"


def _refuse(batch: GameBatch, actions: np.ndarray, where: np.ndarray, action: int) -> None:
    try:
        batch.step(actions, where=where)
    except IllegalActionError:
        return
    raise AssertionError(f"{where_is(batch)}: illegal action {action} was accepted")


def check_batch_sizes_and_threads(game: Game) -> None:
    """A table plays the same in a batch of 1, 7 or 256, on one thread or two."""
    for players in player_counts(game):

        def play(num_games: int, threads: int, first: int = 0, players: int = players) -> list[bytes]:
            batch = GameBatch(game, num_games, players, seed=5, num_threads=threads, first_table=first)
            for _ in range(150):
                batch.step(batch.sample())
            return [np.asarray(batch.state)[i].tobytes() + batch.observation[i].tobytes() for i in range(num_games)]

        whole = play(256, 2)
        assert play(256, 1) == whole, f"{game.id}, {players} players: one thread and two differ"
        assert play(7, 1) == whole[:7], f"{game.id}, {players} players: batches of 7 and 256 differ"
        assert play(1, 1, first=200) == whole[200:201], f"{game.id}, {players} players: a single table differs"


def check_looking(game: Game) -> None:
    """Observing, scoring and evaluating leave the table as it is; a guess at the outcome lies in -1 … 1."""
    for batch in random_positions(game, 32, seed=6, moments=6):
        before = record_bytes(batch).copy()
        for seat in range(int(batch.num_players[0])):
            guess = batch.evaluate(seat)
            assert (np.abs(guess) <= 1).all(), f"{where_is(batch)}: evaluate gives {guess.min()} … {guess.max()}"
            batch.observe(seat)
        batch.scores()
        batch.refresh()
        assert np.array_equal(record_bytes(batch), before), f"{where_is(batch)}: looking at a table changed it"


def check_seeds(game: Game) -> None:
    """The same seed gives the same games, another seed gives others, and so does each next game of a table."""
    for players in player_counts(game):
        first, same, other = (GameBatch(game, 16, players, seed) for seed in (1, 1, 2))
        assert snapshot(first) == snapshot(same), f"{game.id}: one seed, two games"
        assert snapshot(first) != snapshot(other), f"{game.id}: two seeds, one game"
        same.reset()
        assert snapshot(first) != snapshot(same), f"{game.id}: the next game is the same game"
        same.reset(1)
        assert snapshot(first) == snapshot(same), f"{game.id}: reset(seed) does not return to the seed's games"


def check_copies(game: Game) -> None:
    """A copy played on does not disturb the original, and plays on as the original would."""
    for batch in random_positions(game, 8, seed=4, moments=4):
        before = snapshot(batch)
        twin, other = batch.copy(), batch.copy()
        for _ in range(20):
            other.step(other.sample())
        assert snapshot(batch) == before, f"{where_is(batch)}: playing a copy changed the original"
        for _ in range(20):
            actions = batch.sample()
            batch.step(actions)
            twin.step(actions)
        assert snapshot(batch) == snapshot(twin), f"{where_is(batch)}: a copy plays differently"
