"""The conformance kit: what every game must keep to, whoever wrote it.

`check_game(game)` runs all of it. `CHECKS` holds the single checks by name, for test suites that want one test each.
"""

from __future__ import annotations

from collections.abc import Callable

from arabian_envs.engine.game import Game
from arabian_envs.testing import api, files, hidden, play, process

CHECKS: dict[str, Callable[[Game], None]] = {
    check.__name__.removeprefix("check_"): check
    for module in (play, hidden, api, files, process)
    for check in vars(module).values()
    if getattr(check, "__name__", "").startswith("check_") and check.__module__ == module.__name__
}


def check_game(game: Game) -> None:
    """Run every check on a game; the first broken promise is an AssertionError that says what broke."""
    for check in CHECKS.values():
        check(game)


__all__ = ["CHECKS", "check_game"]
