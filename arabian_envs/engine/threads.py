"""Sharing a batch among threads. Kernels release the interpreter lock, so plain threads run them side by side."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from arabian_envs.engine.jit import INTERPRETED

MIN_TABLES_PER_THREAD = 128
"""Below this, waking a thread costs more than it saves."""

_pool: ThreadPoolExecutor | None = None


def _forget_pool() -> None:
    global _pool
    _pool = None


# A forked child inherits the pool object but not its threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)


def available_threads() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_split(kernel: Callable, count: int, num_threads: int, *args: Any, grain: int = MIN_TABLES_PER_THREAD) -> None:
    """Call `kernel(start, stop, *args)` over 0 … count, in one piece per thread of at least `grain` tables."""
    global _pool
    pieces = min(num_threads, count // grain)
    if pieces <= 1 or INTERPRETED:
        kernel(0, count, *args)
        return
    if _pool is None:
        _pool = ThreadPoolExecutor(max(available_threads(), 16), thread_name_prefix="arabian")
    edges = [count * piece // pieces for piece in range(pieces + 1)]
    others = [_pool.submit(kernel, edges[p], edges[p + 1], *args) for p in range(1, pieces)]
    kernel(edges[0], edges[1], *args)
    for other in others:
        other.result()
