"""Wrong values, damaged files, and what a refusal must look like."""

from __future__ import annotations

import contextlib
import faulthandler
import json
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from arabian_envs import ArabianError, GameBatch
from arabian_envs.testing.common import snapshot

HANGING = 300
"""Seconds after which a call counts as hanging; the first one of a game may have to compile it."""


# -- Refusals ----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def watched():
    """A call that never returns, even one in machine code, ends the tests with a traceback."""
    faulthandler.dump_traceback_later(HANGING, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def on_purpose(error: Exception) -> bool:
    """Whether a line of ours raised it, rather than something deep inside that stumbled."""
    if not (isinstance(error, ArabianError) or type(error) in (ValueError, TypeError)):
        return False
    line = traceback.extract_tb(error.__traceback__)[-1].line or ""
    return line.startswith("raise ")


def refused(call: Callable[[], Any], word: str, *others: type[BaseException]) -> None:
    """The call is refused, and the error names what was wrong; `others` are errors another library raises for us."""
    try:
        with watched():
            answer = call()
    except others:
        return
    except Exception as error:
        if not on_purpose(error) or word not in str(error):
            raise AssertionError(f"refused, but not with a clear word on {word!r}: {error!r}") from error
    else:
        raise AssertionError(f"a wrong {word!r} was accepted: {answer!r}")


def attempt(call: Callable[[], Any], word: str) -> Any:
    """What the call returns, or None if it is refused as it should be."""
    try:
        with watched():
            return call()
    except OSError:
        return None
    except Exception as error:
        if not on_purpose(error) or word not in str(error):
            raise AssertionError(f"refused, but not with a clear word on {word!r}: {error!r}") from error
        return None


# -- Wrong values ------------------------------------------------------------------------------------------------------

BIG = 2**70
JUNK: list[Any] = [
    *(0.5, 1.0, float("nan"), float("inf"), 1j, True, False, np.True_, np.float32(1), np.datetime64(1, "s")),
    *("1", "two", "", b"1", object(), int, [], [0.5], [[0], [0, 1]], {}, {"a": 1}, slice(0, 1)),
    *(np.array([0.0, 1.0]), np.array([None, 1]), np.zeros((2, 2), int), np.array([True, False, True, True])),
]
"""Nothing of this is a whole number."""


def no_number(*but: Any) -> st.SearchStrategy[Any]:
    """Anything but a whole number, None included."""
    return st.sampled_from([value for value in [None, *JUNK] if not any(value is other for other in but)])


def outside(low: int, high: int) -> st.SearchStrategy[int]:
    """A whole number that is not one of low … high."""
    near = [low - 1, high + 1, -BIG, BIG, 2**31, 2**32 + low, 2**63, 2**64 + low, -(2**63)]
    wrong = st.sampled_from([number for number in near if not low <= number <= high])
    return wrong | st.integers(max_value=low - 1) | st.integers(min_value=high + 1)


def no_index(size: int, *but: Any) -> st.SearchStrategy[Any]:
    """Anything but a number from 0 to size - 1."""
    return no_number(*but) | outside(0, size - 1)


def everything(batch: GameBatch) -> bytes:
    """All that there is to know of a batch, its future included."""
    names = ("seeds", "episodes", "generators", "num_players", "truncated", "final_scores")
    arrays = b"".join(np.asarray(getattr(batch, name)).tobytes() for name in names)
    facts = (batch.game.id, batch.num_games, batch.seed, batch.first_table, batch.reward_mode, batch.autoreset)
    facts += (batch.game.box_digest(batch.box),)
    return snapshot(batch) + arrays + repr(facts).encode()


def legal_actions(batch: GameBatch, seed: int) -> np.ndarray:
    """A legal action for every table, -1 where the game is over; the batch's own sampler is left alone."""
    chance = np.random.default_rng(seed).random(batch.action_mask.shape) * batch.action_mask
    return np.where(batch.running, chance.argmax(axis=1), -1)


@st.composite
def wrong_actions(draw: Any, batch: GameBatch) -> Any:
    """Actions of which at least one cannot be taken."""
    actions = legal_actions(batch, draw(st.integers(0, 99)))
    table = draw(st.integers(0, batch.num_games - 1))
    how = draw(st.sampled_from(["type", "shape", "outside", "illegal", "one of another type", "junk"]))
    if how == "type":
        kind = draw(st.sampled_from([float, np.float16, bool, str, bytes, object, complex, "m8[s]"]))
        return actions.astype(kind)
    if how == "shape":
        return draw(st.sampled_from([actions[:-1], actions[None], actions[:, None], np.append(actions, 0), actions[0]]))
    if how == "outside":
        chosen = actions.tolist()
        chosen[table] = draw(outside(0, batch.game.num_actions - 1))
        return chosen
    if how == "illegal":
        forbidden = np.flatnonzero(batch.action_mask[table] == 0)
        actions[table] = forbidden[draw(st.integers(0, 999)) % len(forbidden)]
        return actions
    if how == "one of another type":
        chosen = actions.tolist()
        # A bool among numbers is a number before anybody can see it.
        chosen[table] = draw(no_number(True, False, np.True_))
        return chosen
    return draw(no_number())


@st.composite
def wrong_masks(draw: Any, batch: GameBatch) -> Any:
    """Anything but a truth value for each table."""
    n = batch.num_games
    shapes = [np.ones(n + 1, bool), np.ones((n, 1), bool), np.ones((1, n), bool), np.ones(0, bool), np.True_]
    types = [np.ones(n, int), [0] * n, np.ones(n), ["yes"] * n, np.full(n, None), [0], -1, n]
    return draw(st.sampled_from([*shapes, *types, "yes", 0.5, object(), {}, [[True], [True, False]], float("nan")]))


@st.composite
def wrong_tables(draw: Any, batch: GameBatch) -> Any:
    """Anything but a mask, or numbers of tables."""
    n = batch.num_games
    number = draw(outside(0, n - 1))
    shapes = [np.ones(n + 1, bool), np.ones((n, 1), bool), np.True_, np.zeros((1, 1), int), [[0]], [0.0], ["0"], [None]]
    return draw(st.sampled_from([number, [0, number], [number], *shapes, 0.5, "0", float("nan"), object(), [[0], [0, 0]]]))


@st.composite
def wrong_seats(draw: Any, batch: GameBatch) -> Any:
    """Anything but a seat, or one for each table."""
    n = batch.num_games
    number = draw(outside(0, int(batch.num_players.min()) - 1))
    wrong = [number, [number] * n, [0] * (n + 1), np.zeros((2, n), int), [0.5] * n, [None] * n, [[0], [0, 1]]]
    return draw(st.sampled_from([None, 0.5, "0", True, float("nan"), object(), *wrong]))


# -- Damaged files -----------------------------------------------------------------------------------------------------


@st.composite
def damaged(draw: Any, whole: bytes) -> bytes:
    """A file cut off, with bytes changed, lines lost or doubled, or replaced by something else."""
    how = draw(st.sampled_from(["cut", "flip", "lines", "numbers", "junk", "insert"]))
    if how == "cut":
        return whole[: draw(st.integers(0, len(whole) - 1))]
    if how == "flip":
        changed = bytearray(whole)
        for _ in range(draw(st.integers(1, 4))):
            # Headers are short; places near the start are where most can go wrong.
            place = draw(st.integers(0, len(whole) - 1) | st.integers(0, min(len(whole), 200) - 1))
            changed[place] = draw(st.integers(0, 255))
        return bytes(changed)
    if how == "lines":
        lines = whole.splitlines(keepends=True)
        line = draw(st.integers(0, len(lines) - 1))
        lines[line : line + 1] = draw(st.sampled_from([[], [lines[line]] * 2, [b"\n"], [b"null\n"], [b"[]\n"], [b'"x"\n']]))
        return b"".join(lines)
    if how == "insert":
        place = draw(st.integers(0, len(whole)))
        return whole[:place] + draw(st.binary(min_size=1, max_size=20)) + whole[place:]
    if how == "numbers":
        return _with_other_number(whole, draw(st.integers(0, 999)), draw(st.sampled_from(OTHER_NUMBERS)))
    return draw(st.binary(max_size=100) | st.sampled_from([b"", b"\n", b"\xff\xfe", b"\0" * 64, b"{}", b"[" * 100_000]))


OTHER_NUMBERS = [b"NaN", b"Infinity", b"-1", b"1e400", b"9" * 25, b"0.5", b'"x"', b"true", b"null", b"", b"1" * 5000]


def _with_other_number(whole: bytes, nth: int, other: bytes) -> bytes:
    """A text in which one number is another one."""
    places = [match.span() for match in re.finditer(rb"\d+", whole)]
    if not places:
        return whole
    start, end = places[nth % len(places)]
    return whole[:start] + other + whole[end:]


def damaged_lines(whole: bytes) -> st.SearchStrategy[bytes]:
    """A file of JSON lines with something else in the place of one value, or one value less."""

    @st.composite
    def damage(draw: Any) -> bytes:
        lines = [json.loads(line) for line in whole.splitlines()]
        damage_json(draw, lines[draw(st.integers(0, len(lines) - 1))])
        return "".join(json.dumps(line) + "\n" for line in lines).encode()

    return damage()


OTHER_VALUES: list[Any] = [
    *(None, True, False, -1, 0, 1, 3, 1.5, 1.0, 10**30, -(10**30), 2**63, 2**64, 1e308, float("nan"), float("inf")),
    *("", "x", "0", "NaN", [], [0], ["a"], {}, {"a": 0}, [[]], [None]),
]


def damage_json(draw: Any, value: dict[str, Any]) -> None:
    """Change, add or delete one entry somewhere in an object."""
    name = draw(st.sampled_from(sorted(value)))
    inner = value[name]
    how = draw(st.sampled_from(["delete", "replace", "replace", "deeper"]))
    if how == "delete":
        del value[name]
    elif how == "deeper" and isinstance(inner, dict) and inner:
        damage_json(draw, inner)
    elif how == "deeper" and isinstance(inner, list) and inner:
        inner[draw(st.integers(0, len(inner) - 1))] = draw(st.sampled_from(OTHER_VALUES))
    else:
        value[name] = draw(st.sampled_from(OTHER_VALUES))


def written(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path
