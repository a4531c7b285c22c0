"""Randomness that lives in the state: splitmix64, eight bytes a table.

A game is a function of its seed and its actions, whatever the batch size, the threads or the machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arabian_envs.engine.jit import rule, wrapping

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@wrapping
def mix(z: Any) -> Any:
    """Scramble 64 bits (the finaliser of splitmix64)."""
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


@wrapping
def derive(seed: Any, index: Any) -> Any:
    """An independent seed for the index-th child of a seed."""
    return mix(mix(seed + GOLDEN) + (np.uint64(index) + np.uint64(1)) * GOLDEN)


@wrapping
def advance(generator: Any) -> Any:
    """The next state of a generator; `mix` turns it into random bits."""
    return generator + GOLDEN


@rule
def next_bits(state: Any) -> Any:
    """The next 64 random bits of a table."""
    state.rng = advance(state.rng)
    return mix(state.rng)


@wrapping
def scale(bits: Any, n: Any) -> Any:
    """Map 64 random bits to 0 … n-1."""
    return np.int64(((bits >> _32) * np.uint64(n)) >> _32)


@rule
def random_below(state: Any, n: Any) -> Any:
    """A uniformly random integer 0 … n-1 from the table's own generator."""
    return scale(next_bits(state), n)


@rule
def roll_die(state: Any) -> Any:
    """A six-sided die, 1 … 6."""
    return random_below(state, 6) + 1


@rule
def shuffle(state: Any, cards: Any, n: Any) -> None:
    """Shuffle the first n entries in place."""
    for last in range(n - 1, 0, -1):
        other = random_below(state, last + 1)
        swapped = cards[last]
        cards[last] = cards[other]
        cards[other] = swapped
