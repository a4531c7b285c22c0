"""`python -m arabian_envs.testing.golden GAME…`: write golden games anew after a rule changed on purpose."""

from __future__ import annotations

import sys

from arabian_envs.registry import get_game
from arabian_envs.testing.files import write_golden

if __name__ == "__main__":
    for game_id in sys.argv[1:]:
        write_golden(get_game(game_id))
