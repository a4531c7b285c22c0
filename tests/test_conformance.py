"""Every registered game keeps to the conformance kit; a new game is covered by being registered."""

import pytest

from arabian_envs import GAMES, get_game
from arabian_envs.testing import CHECKS


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("check", CHECKS)
def test_game_keeps(check, game_id):
    CHECKS[check](get_game(game_id))
