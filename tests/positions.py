"""Building positions and playing by name, for tests of rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from arabian_envs import GameBatch, get_game


def position(game_id: str, num_players: int | None = None, seed: int = 0, box: Any = None, **fields: Any) -> GameBatch:
    """One table, dealt from a seed, with the given fields of its state replaced."""
    batch = GameBatch(get_game(game_id), 1, num_players, seed, box, autoreset=False)
    change(batch, **fields)
    return batch


def change(batch: GameBatch, **fields: Any) -> None:
    """Replace fields of the only table's state."""
    for name, value in fields.items():
        batch.state[name][0] = value
    batch.refresh()


def play(batch: GameBatch, group: str, *index: int | str) -> None:
    """Play one action on the only table, by name."""
    batch.step([batch.game.action(group, *index)])


def legal(batch: GameBatch) -> set[str]:
    """The names of the legal actions on the only table."""
    return {batch.game.action_name(action) for action in np.flatnonzero(batch.action_mask[0])}
