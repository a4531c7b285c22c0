"""Named actions and named observations.

Both are NumPy record types, so a rule writes `mask.advance[3] = 1` or `out.wealth[0] = 0.25`, and the same memory seen
flat is what a learner reads. Spaces, tables in documents, `describe` and `action_name` all come from here.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from arabian_envs.checks import as_array, whole

Labels = Sequence[str] | None


def check_names(names: Sequence[str]) -> None:
    """Refuse names that cannot be fields of a record: used twice, or already methods of NumPy's records."""
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two fields share the name {name!r}")
        if hasattr(np.record, name):
            raise ValueError(f"{name!r} cannot name a field: NumPy's records have a method of that name")


@dataclass(frozen=True)
class Group:
    """A family of actions: `name` with an index of `shape`; `labels` names the values of each axis."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    labels: tuple[Labels, ...] = ()

    def __post_init__(self) -> None:
        for axis, labels in enumerate(self.labels):
            if labels is not None and len(labels) != self.shape[axis]:
                raise ValueError(f"group {self.name!r}, axis {axis}: {len(labels)} labels for {self.shape[axis]} values")

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def index_name(self, index: tuple[int, ...]) -> str:
        words = [self.name]
        for axis, value in enumerate(index):
            labels = self.labels[axis] if axis < len(self.labels) else None
            words.append(str(value) if labels is None else labels[value])
        return " ".join(words)

    def resolve(self, axis: int, value: int | str) -> int:
        """An index given as a number or as its label."""
        labels = self.labels[axis] if axis < len(self.labels) else None
        if isinstance(value, str):
            names = [str(number) for number in range(self.shape[axis])] if labels is None else list(labels)
            if value not in names:
                raise ValueError(f"action {self.name!r}: {value!r} is not one of: {', '.join(names)}")
            return names.index(value)
        number = whole(value, f"action {self.name!r}: index")
        if not 0 <= number < self.shape[axis]:
            raise ValueError(f"action {self.name!r}: index {number} is outside 0 … {self.shape[axis] - 1}")
        return number


class ActionSpec:
    """All actions of a game: groups laid one after another over the ids 0 … size-1."""

    def __init__(self, *groups: Group):
        check_names([group.name for group in groups])
        self.groups = {group.name: group for group in groups}
        sizes = [group.size for group in groups]
        self.offsets = dict(zip(self.groups, itertools.accumulate([0, *sizes[:-1]]), strict=True))
        self.size = sum(sizes)
        self.dtype = np.dtype([(group.name, np.int8, group.shape) for group in groups])

    def action(self, group: str, *index: int | str) -> int:
        """The id of an action: `action("advance", 3)`."""
        if not isinstance(group, str) or group not in self.groups:
            raise ValueError(f"no action group {group!r}; there are: {', '.join(self.groups)}")
        spec = self.groups[group]
        if len(index) != len(spec.shape):
            raise ValueError(f"action {group!r} takes {len(spec.shape)} index values {spec.shape}, got {len(index)}")
        numbers = [spec.resolve(axis, value) for axis, value in enumerate(index)]
        return self.offsets[group] + (int(np.ravel_multi_index(numbers, spec.shape)) if numbers else 0)

    def split(self, action: SupportsIndex) -> tuple[Group, tuple[int, ...]]:
        """The group of an action id, and the index within it."""
        action = whole(action, "action")
        if not 0 <= action < self.size:
            raise ValueError(f"action {action} is outside 0 … {self.size - 1}")
        name = next(name for name in reversed(self.offsets) if self.offsets[name] <= action)
        group = self.groups[name]
        return group, tuple(int(i) for i in np.unravel_index(action - self.offsets[name], group.shape))

    def name(self, action: SupportsIndex) -> str:
        """The name of an action id: "advance 3"."""
        group, index = self.split(action)
        return group.index_name(index)


@dataclass(frozen=True)
class Piece:
    """A named part of an observation, with its bounds and meaning."""

    name: str
    shape: tuple[int, ...]
    low: float
    high: float
    meaning: str

    @property
    def size(self) -> int:
        return math.prod(self.shape)


class ObservationSpec:
    """All pieces of an observation, laid one after another in a flat float32 vector."""

    def __init__(self, *pieces: Piece):
        check_names([piece.name for piece in pieces])
        self.pieces = {piece.name: piece for piece in pieces}
        self.size = sum(piece.size for piece in pieces)
        self.dtype = np.dtype([(piece.name, np.float32, piece.shape) for piece in pieces])
        self.low = np.concatenate([np.full(piece.size, piece.low, np.float32) for piece in pieces])
        self.high = np.concatenate([np.full(piece.size, piece.high, np.float32) for piece in pieces])

    def describe(self, observation: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        """The named pieces of one observation, or of a batch of them."""
        given = as_array(observation, "observations")
        if given.dtype.kind not in "fiu" or given.shape[-1:] != (self.size,):
            raise ValueError(f"expected observations of {self.size} numbers, got {given.dtype} of shape {given.shape}")
        flat = np.ascontiguousarray(given, dtype=np.float32)
        records = flat.view(self.dtype)[..., 0]
        return {name: np.asarray(records[name]) for name in self.pieces}
