"""What must hold at every moment of 1001 Islands."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arabian_envs.games.islands.components import (
    COLUMNS,
    DREAM_PICTURE,
    MAX_SEATS,
    NUM_GEMS,
    ROWS,
    TILES,
    WISHES,
    Dream,
    Picture,
    Stack,
)
from arabian_envs.games.islands.state import EMPTY, FACE_DOWN_SLOT, SLOTS, Phase


def invariants(state: NDArray, box: NDArray) -> dict[str, NDArray[np.bool_]]:
    """Named truths, each over all tables."""
    table = {name: np.asarray(state[name]) for name in state.dtype.names or ()}
    players = table["num_players"]
    running = table["status"] == 0
    per_stack = np.asarray(box["tiles_per_stack"][0])[players]
    per_round = per_stack // COLUMNS
    island, flipped, dreams = table["island"], table["flipped"] == 1, table["dreams"]
    on_table = table["on_table"] == 1
    tiles = (island != EMPTY).sum((2, 3)) + (dreams != EMPTY).sum(2)
    nobody = np.arange(MAX_SEATS) >= players[:, None]
    pictures = _pictures(island, box)
    visible = (pictures * ~flipped[..., None]).sum((2, 3))
    lamps = pictures[..., Picture.LAMP]
    taking = np.isin(table["phase"], (Phase.TILE, Phase.COLUMN))
    placing = running & (table["phase"] == Phase.COLUMN)
    return {
        "every kind has each of its tiles once": (np.sort(table["deck"], axis=2) == np.arange(TILES)).all((1, 2)),
        "every drawn tile is in exactly one place": _accounted_for(table, per_round),
        "a stack is drawn from in whole rounds": (table["drawn"] % per_round[:, None] == 0).all(1)
        & (table["drawn"] <= per_stack[:, None]).all(1),
        "a tile is drawn for every round": (table["drawn"].sum(1) // per_round)
        == table["rounds_played"] + (table["stack"] != EMPTY),
        "each player adds one tile a round": (nobody | (tiles == table["rounds_played"][:, None] + table["chosen"])).all(1),
        "empty chairs have nothing": ~((tiles > 0) & nobody).any(1),
        "the visible pictures are those of the tiles face up": (visible == table["visible"]).all((1, 2)),
        "the points kept are those of the boards": (_points(table, visible, box) == table["points"]).all(1),
        "what is left is what was never drawn": _undrawn(table, box),
        "fewer visible lamps than make tiles flip": (visible[..., Picture.LAMP] < WISHES).all(1),
        "only tiles with lamps flip, two at a time": (~flipped | (lamps == 1)).all((1, 2, 3))
        & (flipped.sum((2, 3)) % (WISHES - 1) == 0).all(1),
        "flipped places hold tiles": ~(flipped & (island == EMPTY)).any((1, 2, 3)),
        "every Island hangs together with its board": _connected(island).all(1),
        "a complete game has complete Islands": running
        | (((island != EMPTY).all((2, 3)) & (dreams != EMPTY).all(2)) | nobody).all(1),
        "a tile lies face down only with two players": (table["face_down"] == 0)
        | ((players == 2) & on_table[:, FACE_DOWN_SLOT] & taking),
        "a tile is in hand exactly while it is placed": (table["held"] != EMPTY) == placing,
        "the acting player has not chosen, unless to name the next": (
            table["chosen"][np.arange(len(players)), table["player"]] == (table["phase"] == Phase.NEXT)
        ),
    }


def _pictures(island: NDArray, box: NDArray) -> NDArray[Any]:
    """The pictures of each place (tables, seats, rows, columns, pictures), nothing where it is empty."""
    faces = np.asarray(box["pictures"][0])
    rows = np.arange(ROWS)[:, None]
    return faces[rows, island] * (island != EMPTY)[..., None]


def _points(table: dict[str, NDArray], visible: NDArray, box: NDArray) -> NDArray[Any]:
    """Palms, pairs and dreams of every seat, reckoned in another way than the rules do."""
    island, face_up = table["island"], table["flipped"] == 0
    gem = np.asarray(box["gem"][0])[np.arange(ROWS)[:, None], island] * ((island != EMPTY) & face_up)
    worth = np.asarray(box["dream_points"][0])
    by_count = np.concatenate([np.zeros((len(worth), 1), worth.dtype), worth, worth[:, -1:]], axis=1)
    of_dream = np.zeros((*island.shape[:2], len(worth)), np.int64)
    for dream, picture in enumerate(DREAM_PICTURE):
        of_dream[..., dream] = worth[dream, 0] * visible[..., picture]
    for dream, axis in ((Dream.GEM_COLUMNS, 2), (Dream.GEM_LINES, 3)):
        kinds = np.sum([(gem == kind).any(axis) for kind in range(1, NUM_GEMS + 1)], axis=0)
        of_dream[..., dream] = by_count[dream][kinds].sum(2)
    for dream, picture in ((Dream.LAMP, Picture.LAMP), (Dream.SNAKE, Picture.SNAKE)):
        of_dream[..., dream] = by_count[dream][np.minimum(visible[..., picture], NUM_GEMS)]
    of_dream[..., Dream.FLIPPED] = worth[Dream.FLIPPED, 0] * (~face_up).sum((2, 3))
    kind = np.asarray(box["dream"][0])[table["dreams"]]
    dreams = (np.take_along_axis(of_dream, kind, axis=2) * (table["dreams"] != EMPTY)).sum(2)
    pairs = np.minimum(visible[..., Picture.ROC], visible[..., Picture.EGG])
    palms = visible[..., Picture.PALM]
    return dreams + pairs * int(box["points_per_combo"][0]) + palms * int(box["points_per_palm"][0])


def _accounted_for(table: dict[str, NDArray], per_round: NDArray) -> NDArray[np.bool_]:
    """Of each kind: the drawn tiles are those on boards, on the table, in a hand and discarded, each once."""
    tables = np.arange(len(per_round))
    right = np.ones(len(per_round), np.bool_)
    for stack in Stack:
        drawn = table["drawn"][:, stack]
        should = np.zeros((len(per_round), TILES), np.int64)
        should[tables[:, None], table["deck"][:, stack]] = np.arange(TILES) < drawn[:, None]
        found = np.zeros((len(per_round), TILES + 1), np.int64)  # the last entry gathers what is empty
        own = table["dreams"] if stack == Stack.DREAM else table["island"][:, :, stack]
        for tiles in (own.reshape(len(own), -1), table["discarded"][:, stack]):
            np.add.at(found, (tables[:, None], tiles), 1)
        here = table["stack"] == stack
        np.add.at(found, (tables[here], table["held"][here]), 1)
        for slot in range(SLOTS):
            lying = here & (table["on_table"][:, slot] == 1)
            place = drawn[lying] - per_round[lying] + slot
            np.add.at(found, (tables[lying], table["deck"][tables[lying], stack, place]), 1)
        right &= (found[:, :TILES] == should).all(1)
    return right


def _undrawn(table: dict[str, NDArray], box: NDArray) -> NDArray[np.bool_]:
    """The sums of what is left agree with the decks."""
    left = np.arange(TILES) >= table["drawn"][:, :, None]
    right = np.ones(len(left), np.bool_)
    for row in range(ROWS):
        faces = np.asarray(box["pictures"][0])[row][table["deck"][:, row]]
        right &= ((faces * left[:, row, :, None]).sum(1) == table["undrawn"][:, row]).all(1)
    dreams = np.asarray(box["dream"][0])[table["deck"][:, Stack.DREAM]]
    kinds = np.arange(table["undrawn_dreams"].shape[1])
    found = ((dreams[:, :, None] == kinds) & left[:, Stack.DREAM, :, None]).sum(1)
    return right & (found == table["undrawn_dreams"]).all(1)


def _connected(island: NDArray) -> NDArray[np.bool_]:
    """Whether each Island's tiles can all be reached from the first column."""
    tiles = island != EMPTY
    reached = np.zeros_like(tiles)
    reached[..., 0] = tiles[..., 0]
    for _ in range(ROWS * COLUMNS):
        spread = reached.copy()
        spread[..., 1:] |= reached[..., :-1]
        spread[..., :-1] |= reached[..., 1:]
        spread[..., 1:, :] |= reached[..., :-1, :]
        spread[..., :-1, :] |= reached[..., 1:, :]
        reached = spread & tiles
    return (reached == tiles).all((2, 3))
