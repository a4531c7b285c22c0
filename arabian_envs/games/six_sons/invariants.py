"""What must hold at every moment of Six Sons of the Sultan."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arabian_envs.games.six_sons.state import Phase


def invariants(state: NDArray, box: NDArray) -> dict[str, NDArray[np.bool_]]:
    """Named truths, each over all tables."""
    length = np.asarray(box["length"][0])
    position, wealth, reached, dice = (np.asarray(state[name]) for name in ("position", "wealth", "reached", "dice"))
    over = np.asarray(state["time"]) == 0
    return {
        "tokens stand on their tracks": ((position >= 0) & (position <= length)).all((1, 2)),
        "wealth stays on its track": ((wealth >= 0) & (wealth <= box["largest_wealth"][0])).all(1),
        "no token stands beyond what orders reached": (position.max(1) <= reached).all(1),
        "the furthest token is where orders reached": (position.max(1) == reached).all(1),
        "dice show 1 to 6 in rising order": ((dice >= 1) & (dice <= 6)).all(1) & (np.diff(dice, axis=1) >= 0).all(1),
        "the Black phase follows the last round": ~over
        | (np.asarray(state["phase"]) == Phase.BLACK)
        | (state["status"] != 0),
    }
