"""The cards of Djinns of the High Desert: how many of each kind, their values, and the numbers of the rulebook."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arabian_envs.engine.components import Cell, Row, choice, component_files, integer, read_numbers, read_table
from arabian_envs.errors import ComponentError


class Clan(IntEnum):
    """The clans; the noble Jann ally themselves with any of the other four."""

    GENIE = 0
    MARID = 1
    SHAITAN = 2
    EFREET = 3
    JANN = 4


class Rank(IntEnum):
    """The ranks, each with its own action."""

    DIVINER = 0
    MERCHANT = 1
    THIEF = 2
    VIZIER = 3
    SULTAN = 4


CLAN_NAMES = tuple(clan.name.title() for clan in Clan)
RANK_NAMES = tuple(rank.name.title() for rank in Rank)
NUM_CLANS = len(Clan)
NUM_RANKS = len(Rank)
RIVAL_CLANS = NUM_CLANS - 1
"""The four clans a player can choose in scoring: all but the Jann."""

NUM_KINDS = NUM_CLANS * NUM_RANKS - 1
"""A kind is clan × 5 + rank. The Jann have no Sultan, which would be the last kind."""

KIND_NAMES = tuple(f"{CLAN_NAMES[kind // NUM_RANKS]} {RANK_NAMES[kind % NUM_RANKS]}" for kind in range(NUM_KINDS))
MAX_CARDS = 120
MAX_COUNT = 10
MAX_VALUE = 20
MAX_PLAYERS = 4

BOX = np.dtype(
    [
        ("count", np.int16, (NUM_KINDS,)),  # cards of each kind, 0 … 10
        ("value", np.int16, (NUM_KINDS,)),  # points printed on each kind, 0 … 20
        ("by_value", np.int16, (NUM_KINDS,)),  # the kinds from the most to the least valuable
        ("cards", np.int16),  # all cards together, at most 120
        ("starting_hand", np.int16),  # cards dealt to each player
        ("fresh_hand", np.int16),  # cards drawn by a player who begins a turn without any
        ("turn_draw", np.int16),  # cards drawn at the end of a turn
        ("diviner_draw", np.int16),  # the same after summoning a Diviner
        ("vizier_limit", np.int16),  # largest value a Vizier can discard
        ("wish_cost", np.int16),  # cards discarded for a wish
        ("wish_look", np.int16),  # cards looked at by the first wish
        ("immune_palace", np.int16),  # cards in a palace that make its owner immune
        ("closing_palace", np.int16),  # cards in a palace at the start of a turn that bring the last round
    ],
    align=True,
)

_DATA = Path(__file__).parent / "data"
_NUMBERS: dict[str, Cell] = {
    "starting_hand": integer(1, 10),
    "fresh_hand": integer(1, 10),
    "turn_draw": integer(1, 5),
    "diviner_draw": integer(1, 5),
    "vizier_limit": integer(0, MAX_VALUE),
    "wish_cost": integer(1, 5),
    "wish_look": integer(1, 10),
    "immune_palace": integer(2, 20),
    "closing_palace": integer(2, 20),
}


def read_box(folder: str | Path | None = None) -> NDArray:
    """The box of the game, or one with the CSV files of a folder."""
    files = component_files(_DATA, folder, ("cards.csv", "values.csv", "numbers.csv"))
    box = np.zeros(1, BOX)
    _read_kinds(files["cards.csv"], box[0], "count", MAX_COUNT)
    _read_kinds(files["values.csv"], box[0], "value", MAX_VALUE)
    for name, number in read_numbers(files["numbers.csv"], _NUMBERS).items():
        box[name] = number
    box["by_value"] = np.argsort(-box["value"], axis=1, kind="stable")
    box["cards"] = box["count"].sum()
    fewest = MAX_PLAYERS * int(box["starting_hand"][0])
    if not fewest <= box["cards"][0] <= MAX_CARDS:
        raise ComponentError(
            f"{files['cards.csv']}, field 'count': expected {fewest} (a hand for each of {MAX_PLAYERS} players) "
            f"to {MAX_CARDS} cards in all, found {box['cards'][0]}"
        )
    return box


def _read_kinds(path: Path, box: np.void, field: str, largest: int) -> None:
    """One number for each kind, the kinds in any order."""
    columns = {"clan": choice(*CLAN_NAMES), "rank": choice(*RANK_NAMES), field: integer(0, largest)}
    seen: set[int] = set()
    for row in read_table(path, columns, NUM_KINDS):
        kind = _kind(row)
        if kind in seen:
            raise row.wrong("rank", f"each kind once; {KIND_NAMES[kind]} came before")
        seen.add(kind)
        box[field][kind] = row[field]


def _kind(row: Row) -> int:
    kind = row["clan"] * NUM_RANKS + row["rank"]
    if kind >= NUM_KINDS:
        raise row.wrong("rank", f"one of {', '.join(RANK_NAMES[:-1])} for the Jann clan, which has no Sultan")
    return kind
