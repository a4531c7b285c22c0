"""What must hold at every moment of Sultans of Wind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arabian_envs.engine.state import RUNNING
from arabian_envs.games.sultans_of_wind.components import NUM_CLOUDS, NUM_WINDS
from arabian_envs.games.sultans_of_wind.maze import CORNER_SQUARES, CORNERS, SIDE, SPACES, SPACES_OF_SQUARE, SQUARES
from arabian_envs.games.sultans_of_wind.state import CARPETS, SEATS, VISIBLE, Phase


def invariants(state: NDArray, box: NDArray) -> dict[str, NDArray[np.bool_]]:
    """Named truths, each over all tables."""
    names = (
        "num_players",
        "phase",
        "tile",
        "turned",
        "carpet",
        "djinn",
        "favor",
        "channel",
        "hand",
        "playing",
        "round_number",
    )
    players, phase, tile, turned, carpet, djinn, favor, channel, hand, playing, rounds = (
        np.asarray(state[name]) for name in names
    )
    running = np.asarray(state["status"]) == RUNNING
    seated = np.arange(SEATS) < players[:, None]
    in_game = seated[:, :, None] & (np.arange(CARPETS) < np.asarray(box["carpets"])[0][players][:, None, None])
    pawns = np.concatenate([np.where(in_game, carpet, -1).reshape(len(tile), -1), djinn[:, None]], axis=1)
    on_board = pawns >= 0
    crowd = np.zeros((len(tile), SPACES), np.int64)
    np.add.at(crowd, (np.nonzero(on_board)[0], pawns[on_board]), 1)
    carpets = np.where(in_game, carpet, 0)
    on_cloud = np.take_along_axis(_clouds(tile, turned, box), carpets.reshape(len(tile), -1), 1).reshape(carpets.shape)
    tiles = np.where(seated[:, :, None], np.sort(channel, axis=2), np.arange(1, NUM_WINDS + 1))
    held = (hand > 0).sum(2)
    setting_up = phase <= Phase.PLACE_DJINN
    in_view = (hand[:, :, :, None] == channel[:, :, None, :VISIBLE]) & (hand[:, :, :, None] > 0)
    return {
        "every tile lies on the board once": (np.sort(tile, axis=1) == np.arange(SQUARES)).all(1),
        "palaces stay in their corners": (
            (tile[:, CORNER_SQUARES] == NUM_CLOUDS + np.arange(CORNERS)) & (turned[:, CORNER_SQUARES] == 0)
        ).all(1),
        "tiles are turned by quarters": ((turned >= 0) & (turned < 4)).all(1),
        "carpets in the game are on the board, others are not": ((carpet >= 0) == in_game).all((1, 2)),
        "carpets are never on clouds": (~on_cloud | ~in_game).all((1, 2)),
        "no space holds two pawns": (crowd <= 1).all(1),
        "every player has the eight wind tiles": (tiles == np.arange(1, NUM_WINDS + 1)).all((1, 2)),
        "tiles in hand come from behind the screen, or moved there": ~(in_view.any((1, 2, 3)) & (phase == Phase.CHOOSE)),
        "hands hold two different tiles at most": (held <= 2).all(1)
        & ((hand[:, :, 0] != hand[:, :, 1]) | (held == 0)).all(1),
        "hands are empty during set-up": ~setting_up | (held.sum(1) == 0),
        "djinn and favor are given out by set-up": (djinn >= 0) & (favor >= 0) | setting_up,
        "a tile is played only while its action is resolved": (playing > 0)
        == (running & (phase >= Phase.CARPET) & (phase <= Phase.MOVE_DJINN)),
        "rounds stay within the cap": (rounds >= 0) & (rounds <= box["last_round"][0]),
    }


def _clouds(tile: NDArray, turned: NDArray, box: NDArray) -> NDArray[np.bool_]:
    """Whether each space is blocked, on each table."""
    face = np.asarray(box["face"])[0][tile, turned]
    blocked = np.zeros((len(tile), SPACES), np.bool_)
    for square in range(SQUARES):
        for place in range(9):
            bit = place // 3 * SIDE + place % 3
            blocked[:, SPACES_OF_SQUARE[square, place]] = face[:, square] >> bit & 1
    return blocked
