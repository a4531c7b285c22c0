"""Sharing a batch among threads. Kernels release the interpreter lock, so plain threads run them side by side.

Every thread has a part of the tables and takes a few at a time; whoever is done helps with the others' parts. So nobody
waits for a thread that wakes up late: the others have done its work. And since waking a thread takes as long as a hundred
tables, a helper looks out for the next call before it falls asleep, and the caller for the last helper's end.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arabian_envs.engine.jit import BEGUN, ENDED, INTERPRETED, LINE

MIN_TABLES_PER_THREAD = 256
"""Below this, waking a thread costs more than it saves."""
_PIECES_PER_THREAD = 32
_CALLER = 0
_UNUSED = np.zeros(2 * LINE, np.int64)

_jobs: SimpleQueue[_Job] = SimpleQueue()
_helpers = 0
_calls = np.zeros(1, np.int64)
"""How many calls have been shared so far."""


def _forget_helpers() -> None:
    global _jobs, _helpers
    _jobs, _helpers = SimpleQueue(), 0


# A forked child inherits no threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_helpers)


class _Job:
    """A call that a helper may join in, unless it is called off first."""

    def __init__(self, kernel: Callable, counter: NDArray[np.int64], args: tuple):
        self._kernel, self._counter, self._args = kernel, counter, args
        self._claim, self._done = threading.Lock(), threading.Lock()
        self._done.acquire()
        self._problem: BaseException | None = None

    def run(self, thread: int) -> None:
        if self._claim.acquire(blocking=False):
            try:
                self._kernel(thread, _calls, self._counter, *self._args)
            except BaseException as problem:
                self._problem = problem
            self._done.release()

    def finish(self) -> None:
        """Call it off, or wait for its end. Who has not begun by now will find all tables taken, and touch none."""
        if not self._claim.acquire(blocking=False) and self._counter[BEGUN] != self._counter[ENDED]:
            self._done.acquire()
            if self._problem is not None:
                raise self._problem


def _help(jobs: SimpleQueue[_Job], thread: int) -> None:
    while True:
        jobs.get().run(thread)


def available_threads() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_split(kernel: Callable, count: int, num_threads: int, *args: Any, grain: int = MIN_TABLES_PER_THREAD) -> int:
    """Run a loop over the tables 0 … count-1, on so many threads, as long as there are `grain` tables for each.

    Returns the first table that the loop's check refuses, in which case nothing was done, or -1.
    """
    global _helpers
    threads = 1 if INTERPRETED else min(num_threads, count // grain)
    if threads <= 1:
        return kernel(_CALLER, _calls, _UNUSED, count, count, *args)
    counter = np.zeros((1 + threads) * LINE, np.int64)
    size = -(-count // (threads * _PIECES_PER_THREAD))
    others = [_Job(kernel, counter, (size, count, *args)) for _ in range(threads - 1)]
    while _helpers < len(others):
        _helpers += 1
        threading.Thread(target=_help, args=(_jobs, _helpers), name="arabian", daemon=True).start()
    for other in others:
        _jobs.put(other)
    try:
        return kernel(_CALLER, _calls, counter, size, count, *args)
    finally:
        for other in others:
            other.finish()
