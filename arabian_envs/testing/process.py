"""Checks that need another process: interpreted play and play with checked array bounds."""

from __future__ import annotations

import os
import subprocess
import sys

from arabian_envs.engine.game import Game
from arabian_envs.registry import entry_point
from arabian_envs.testing.common import play_digest

_TABLES, _STEPS = 2, 250
_PROGRAM = """
import sys
import numpy as np
from arabian_envs import get_game, register_game
from arabian_envs.testing.common import play_digest
game_id, entry_point, tables, steps = sys.argv[1:]
register_game(game_id, entry_point)
with np.errstate(over="raise"):
    print(play_digest(get_game(game_id), int(tables), int(steps)))
"""


def check_interpreted_play(game: Game) -> None:
    """The rules run uncompiled give the same games to the last bit."""
    _compare(game, "NUMBA_DISABLE_JIT", "interpreted and compiled play")


def check_array_bounds(game: Game) -> None:
    """No rule reads or writes beyond an array."""
    _compare(game, "NUMBA_BOUNDSCHECK", "play with and without checked bounds")


def _compare(game: Game, switch: str, what: str) -> None:
    path = os.pathsep.join(entry for entry in sys.path if entry)
    answer = subprocess.run(
        [sys.executable, "-c", _PROGRAM, game.id, entry_point(game.id), str(_TABLES), str(_STEPS)],
        env={**os.environ, switch: "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, f"{game.id}: {switch}=1 fails:\n{answer.stderr[-2000:]}"
    assert answer.stdout.strip() == play_digest(game, _TABLES, _STEPS), f"{game.id}: {what} differ"
