"""Checks of what a player cannot know."""

from __future__ import annotations

import numpy as np

from arabian_envs.engine.batch import GameBatch
from arabian_envs.engine.game import Game
from arabian_envs.testing.common import assert_invariants, player_counts, random_positions, where_is


def check_determinize(game: Game) -> None:
    """Redrawing what a seat cannot know leaves its observation and mask as they are, keeps every piece, and does redraw."""
    redrawn = dict.fromkeys(player_counts(game), False)
    for batch in random_positions(game, 32, seed=11):
        for seat in range(int(batch.num_players[0])):
            world = batch.copy()
            world.determinize(seat, seed=1000 + seat)
            assert_invariants(world, f"after determinize for seat {seat}")
            assert (world.player == batch.player).all(), f"{where_is(batch)}: determinize changed whose turn it is"
            _assert_same(game, batch.observe(seat), world.observe(seat), f"{where_is(batch)}: seat {seat}'s observation")
            acting = batch.player == seat
            same_mask = (world.action_mask[acting] == batch.action_mask[acting]).all()
            assert same_mask, f"{where_is(batch)}: determinize changed the mask of seat {seat}"
            redrawn[int(batch.num_players[0])] |= _without_generator(world) != _without_generator(batch)
    if game.hidden_information:
        assert all(redrawn.values()), f"{game.id}: determinize never changes anything hidden"


def check_determinize_is_blind(game: Game) -> None:
    """What determinize draws depends on its seed, not on the table's own generator: search cannot see the future."""
    for batch in random_positions(game, 16, seed=12, moments=5):
        for seat in range(int(batch.num_players[0])):
            one, two, three = batch.copy(), batch.copy(), batch.copy()
            two.state["rng"] = np.arange(batch.num_games, dtype=np.uint64)
            for world, seed in ((one, 3), (two, 3), (three, 4)):
                world.determinize(seat, seed)
            assert one.state.tobytes() == two.state.tobytes(), f"{where_is(batch)}: determinize uses the true generator"
            assert (one.state["rng"] != three.state["rng"]).all(), f"{where_is(batch)}: determinize keeps the generator"


def check_off_turn_views(game: Game) -> None:
    """A seat's view, in turn or not, does not depend on what only the others know."""
    for batch in random_positions(game, 32, seed=13):
        players = int(batch.num_players[0])
        for seat in range(players):
            view = batch.observe(seat)
            for seed in range(3):
                world = batch.copy()
                world.determinize(seat, seed)
                _assert_same(game, view, world.observe(seat), f"{where_is(batch)}: the view of seat {seat}")


def _without_generator(batch: GameBatch) -> bytes:
    state = np.array(batch.state)
    state["rng"] = 0
    return state.tobytes()


def _assert_same(game: Game, one: np.ndarray, two: np.ndarray, what: str) -> None:
    if (one == two).all():
        return
    before, after = game.describe(one), game.describe(two)
    changed = [name for name in before if not np.array_equal(before[name], after[name])]
    raise AssertionError(f"{what} shows hidden things in: {', '.join(changed)}")
