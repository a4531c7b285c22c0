"""Compiling rules and kernels, and a disk cache that hits across processes and never goes stale.

A *rule* is an ordinary function of one table's record, compiled with `rule`. A *kernel* is a loop over many tables,
written once for all games as a factory: a function that receives a game's `Rules` and returns the loop. `kernel` compiles
such a factory for one game.

Numba keys its cache on the kernel's own file, so an edited rule would leave old machine code behind. Here the folder of
the cache is named by a digest of everything that can end up in the machine code: the engine, the game's folder, the
kernel's file and the compiler's settings. An edit therefore recompiles just the games it touches.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import config as numba_config
from numba import njit
from numba.core import caching, types
from numba.extending import intrinsic

config: Any = numba_config  # its attributes are made at run time

INTERPRETED = bool(config.DISABLE_JIT)
"""Whether compilation is switched off (environment variable NUMBA_DISABLE_JIT=1)."""

_ENGINE = Path(__file__).resolve().parent
_KEEP_FOLDERS = 4


def rule(function: Callable) -> Callable:
    """Compile a function of one table. It is compiled into the kernels that call it."""
    return _compile(function, counting=True)


def lean(function: Callable) -> Callable:
    """Compile a function that makes no arrays, and so need not count the references to those it is handed.

    Counting takes two locked instructions whenever an array is taken out of a tuple, or a row out of an array: in a tree
    search that was more than half of the time.
    """
    return _compile(function, counting=False)


def _compile(function: Callable, counting: bool) -> Callable:
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": counting}
    return njit(**options)(function)


def wrapping(function: Callable) -> Callable:
    """Compile a function whose unsigned integers are meant to overflow, without warnings when interpreted."""
    return np.errstate(over="ignore")(function) if INTERPRETED else rule(function)


def kernel(factory: Callable, rules: Any, name: str, folder: Path) -> Callable:
    """Compile the loop that `factory(rules)` returns, cached on disk for the game `name` whose sources are in `folder`.

    A loop that begins with `start, stop` is made for `run_split`, so that threads can share it. A factory may return a
    check and a loop: see `_share`.
    """
    made = factory(rules)
    check, loop = made if isinstance(made, tuple) else (None, made)
    shared = list(inspect.signature(loop).parameters)[:2] == ["start", "stop"]
    dispatcher: Any = rule(_share(check, loop) if shared else loop)
    if not INTERPRETED:
        dispatcher._cache = _Cache(loop, name, _digest(folder, Path(inspect.getfile(factory))))
    return dispatcher


@intrinsic
def _take(_typing: Any, counter: Any, _index: Any, _amount: Any) -> Any:
    """Add to one of some counters in one indivisible step; what it was before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.atomic_rmw("add", builder.gep(array.data, [arguments[1]]), arguments[2], "seq_cst")

    return types.int64(counter, types.int64, types.int64), generate


@intrinsic
def _look(_typing: Any, counter: Any, _index: Any) -> Any:
    """One of some counters as it is now. Unlike `_take` it leaves the counter in the other processors' caches."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        return builder.load_atomic(builder.gep(array.data, [arguments[1]]), "seq_cst", 8)

    return types.int64(counter, types.int64), generate


LINE = 16
"""Counters that threads write to by turns lie so far apart, in lines of the processor's cache of their own."""
BEGUN, ENDED, CHECKED = 0, 1, 2
"""The counters of a shared call: how many threads have begun and ended, and how many parts of the tables are checked."""
_TAKEN, _CLAIMED, _WRONG = 0, 1, 2
"""The counters of each part: how far it is taken, whether somebody checks it, and 1 + the first table refused."""
_LOOKS = 200_000  # some fifty microseconds

_SHARED = """
def shared(thread, calls, counter, size, count, {names}):
    if size == count:
        wrong = check(0, count, {checked})
        if wrong < 0:
            some(0, count, {names})
        return wrong
    number = take(calls, 0, 1 if thread == 0 else 0)
    take(counter, BEGUN, 1)
    parts = len(counter) // LINE - 1
    each = -(-count // parts)
    wrong = -1
    if CHECKS:
        for k in range(parts):
            part = (thread + k) % parts
            if k > 0:
                for _ in range(LOOKS):
                    if look(counter, CHECKED) == parts:
                        break
            place = LINE * (1 + part)
            if take(counter, place + CLAIMED, 1) == 0:
                counter[place + WRONG] = 1 + check(part * each, min((part + 1) * each, count), {checked})
                take(counter, CHECKED, 1)
        while look(counter, CHECKED) < parts:
            pass
        for part in range(parts):
            if wrong < 0:
                wrong = counter[LINE * (1 + part) + WRONG] - 1
    for k in range(parts if wrong < 0 else 0):
        part = (thread + k) % parts
        first, end = part * each, min((part + 1) * each, count)
        place = LINE * (1 + part)
        start = first + take(counter, place + TAKEN, size)
        while start < end:
            some(start, min(start + size, end), {names})
            start = first + take(counter, place + TAKEN, size)
    take(counter, ENDED, 1)
    for _ in range(LOOKS):
        if thread == 0 and look(counter, BEGUN) == look(counter, ENDED):
            break
        if thread != 0 and look(calls, 0) != number:
            break
    return wrong
"""


def _accept(start: int, stop: int) -> int:
    """The check of a loop that has none."""
    return -1


def _share(check: Callable | None, loop: Callable) -> Callable:
    """A loop over the tables start … stop-1 as one that takes the next few of `count` tables until none are left.

    A thread begins with its own part of the tables, which are in its processor's cache since the last call, and then helps
    with the others'. At its end the caller (thread 0) waits a moment for the helpers, and a helper for the next call: both
    without the interpreter lock, which the other one needs just then.

    A check returns the first table it refuses, or -1, and takes some of the loop's arguments by their names. The loop runs
    only if no table is refused; else that table is returned. Here too every thread has its own part, and others wait a
    moment before they take that over: to look at a table would bring it to the wrong processor.

    It is written out with the loop's own arguments, since calls with `*args` take numba a good deal longer.
    """
    names, checked = (list(inspect.signature(each).parameters)[2:] for each in (loop, check or _accept))
    scope: dict[str, Any] = {"__name__": __name__, "take": _take, "look": _look, "some": rule(loop)}
    scope.update(check=rule(check or _accept), CHECKS=check is not None, LINE=LINE, LOOKS=_LOOKS)
    scope.update(BEGUN=BEGUN, ENDED=ENDED, CHECKED=CHECKED, TAKEN=_TAKEN, CLAIMED=_CLAIMED, WRONG=_WRONG)
    exec(_SHARED.format(names=", ".join(names), checked=", ".join(checked)), scope)
    return scope["shared"]


@functools.cache
def _digest(folder: Path, kernel_file: Path) -> str:
    content = hashlib.sha256(f"{numba.__version__} {np.__version__} {config.BOUNDSCHECK} {config.OPT}".encode())
    for path in [*sorted(_ENGINE.glob("*.py")), *sorted(folder.rglob("*.py")), kernel_file]:
        content.update(path.name.encode())
        content.update(path.read_bytes())
    return content.hexdigest()[:20]


@functools.cache
def _cache_root() -> Path:
    """The first of these that can be written: NUMBA_CACHE_DIR, the package's own folder, the user's cache folder."""
    if config.CACHE_DIR:
        return Path(config.CACHE_DIR)
    in_package = _ENGINE / "__pycache__"
    try:
        in_package.mkdir(exist_ok=True)
        tempfile.TemporaryFile(dir=in_package).close()
        return in_package
    except OSError:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "arabian_envs"


class _Locator(caching._CacheLocator):
    """Where one game's machine code lies."""

    def __init__(self, path: Path, line: int):
        self._path, self._line = path, line

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._path.name

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Cache(caching.FunctionCache):
    """Numba's function cache with our own place and key. The closure needs no part in the key: the digest covers it."""

    def __init__(self, loop: Callable, name: str, digest: str):
        self._game_name = name
        locator = _Locator(_cache_root() / f"{name}-{digest}", loop.__code__.co_firstlineno)

        class Here:
            @staticmethod
            def from_function(py_func: Callable, py_file: str) -> _Locator:
                return locator

        impl: Any = type("Impl", (caching.CompileResultCacheImpl,), {"_locator_classes": [Here]})
        self._impl_class = impl
        super().__init__(loop)

    def _index_key(self, sig: Any, codegen: Any) -> tuple:
        return (sig, codegen.magic_tuple())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except Exception as problem:  # a damaged file must cost a compilation, not the program
            print(f"arabian_envs: ignoring an unreadable cache in {self.cache_path} ({problem})", file=sys.stderr)
            with contextlib.suppress(OSError):
                self.flush()
            found = None
        if found is None:
            _announce(self._game_name)
            _forget_old(Path(self.cache_path))
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as problem:
            print(f"arabian_envs: compiled code could not be kept in {self.cache_path} ({problem})", file=sys.stderr)


@functools.cache
def _announce(name: str) -> None:
    print(f"arabian_envs: compiling {name} for this machine; kept for the next time", file=sys.stderr, flush=True)


def _forget_old(path: Path) -> None:
    """Keep only the newest few folders of a game, so that editing rules does not fill the disk."""
    game = path.name.rsplit("-", 1)[0]
    folders = [p for p in path.parent.glob(f"{game}-*") if p.name.rsplit("-", 1)[0] == game and p != path]
    folders.sort(key=lambda p: p.stat().st_mtime, reverse=True)
    for old in folders[_KEEP_FOLDERS:]:
        shutil.rmtree(old, ignore_errors=True)
