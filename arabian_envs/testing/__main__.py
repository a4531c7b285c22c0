"""`python -m arabian_envs.testing [GAME…]`: check games and say what holds."""

from __future__ import annotations

import sys
import time

from arabian_envs.registry import GAMES, get_game
from arabian_envs.testing import CHECKS

failed = 0
for game_id in sys.argv[1:] or GAMES:
    for name, check in CHECKS.items():
        started = time.perf_counter()
        try:
            check(get_game(game_id))
            verdict = "holds"
        except AssertionError as problem:
            verdict = f"BROKEN: {problem}"
            failed += 1
        print(f"{game_id:18} {name:28} {time.perf_counter() - started:5.1f} s  {verdict}", flush=True)
sys.exit(failed > 0)
