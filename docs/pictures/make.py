"""Draw the README's pictures: each game in the middle of a game between greedy players.

Run from the repository: python docs/pictures/make.py
"""

from pathlib import Path

import numpy as np

from agents import make_agent
from arabian_envs import GAMES, GameBatch, get_game

PLAYERS = {"six_sons": 2, "djinns": 3, "islands": 2, "sultans_of_wind": 4, "sultaniya": 2}
SEED = 11
SHARE = 0.88
"""How much of the game has been played."""


def play(game_id: str, decisions: int | None = None) -> tuple[GameBatch, int]:
    """A game after so many decisions, or its end; and how many it was."""
    batch = GameBatch(get_game(game_id), 1, PLAYERS.get(game_id), seed=SEED, autoreset=False)
    agent = make_agent("greedy")
    agent.seed(SEED)
    made = 0
    while batch.running[0] and made != decisions:
        batch.step(agent.act(batch, np.array([0])))
        made += 1
    return batch, made


def main() -> None:
    """Write one file a game beside this script."""
    for game_id in GAMES:
        batch, _ = play(game_id, int(SHARE * play(game_id)[1]))
        path = Path(__file__).parent / f"{game_id}.png"
        path.write_bytes(batch.picture().png(1.5))
        print(path.name)


if __name__ == "__main__":
    main()
