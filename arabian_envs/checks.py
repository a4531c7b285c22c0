"""Checks of arguments, the same everywhere: an error says what was wrong and what would be right."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray


def whole(value: Any, what: str, low: int | None = None, high: int | None = None) -> int:
    """A whole number, within bounds where these are given. Floats and truth values are none."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{what} {value!r}; expected a whole number")
    if (low is not None and number < low) or (high is not None and number > high):
        bounds = [f"at {end} {bound}" for end, bound in (("least", low), ("most", high)) if bound is not None]
        raise ValueError(f"{what} {number}; expected {' and '.join(bounds)}")
    return number


def number(value: Any, what: str, low: float | None = None) -> float:
    """A finite number, not below a bound where one is given."""
    if not isinstance(value, (int, float, np.number)) or isinstance(value, bool) or not np.isfinite(value):
        raise ValueError(f"{what} {value!r}; expected a number")
    if low is not None and value < low:
        raise ValueError(f"{what} {value}; expected at least {low:g}")
    return float(value)


def words(value: Any, what: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{what} {value!r}; expected a text")
    return value


def as_array(values: Any, what: str) -> NDArray:
    """Anything array-like; a sequence without a shape is refused."""
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(f"{what} {values!r}; expected numbers in rows of one length") from None
