"""What every game's record begins with."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arabian_envs.engine.spec import check_names

RUNNING = 0
TERMINATED = 1  # the rules ended the game
TRUNCATED = 2  # the cap on its length did

_HEADER = [
    ("rng", np.uint64),  # the table's generator
    ("num_players", np.int8),  # 1 … max_players
    ("player", np.int8),  # seat to act
    ("phase", np.int8),  # the game's own phases
    ("status", np.int8),  # RUNNING, TERMINATED or TRUNCATED
]


def state_dtype(*fields: tuple[Any, ...]) -> np.dtype:
    """The record of one table: the common header and the game's own fields."""
    check_names([field[0] for field in (*_HEADER, *fields)])
    return np.dtype([*_HEADER, *fields], align=True)


def record_digest(records: NDArray) -> str:
    """A short fingerprint of records: of their fields alone, for a copy may have anything in the gaps between them."""
    clean = np.zeros(records.shape, records.dtype)
    for name in records.dtype.names or ():
        clean[name] = records[name]
    return hashlib.sha256(clean.tobytes()).hexdigest()[:16]
