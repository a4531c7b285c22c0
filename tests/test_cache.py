"""Compiled code is kept between processes, and never outlives the rule it was compiled from."""

import os
import subprocess
import sys

from tests.test_contributing import build_game

PLAY = (
    "from arabian_envs import make_batch, register_game; register_game('pebbles', 'pebbles:GAME')\n"
    "b = make_batch('pebbles', 4, seed=1); b.step(b.sample()); print(b.state['taken'].sum())"
)


def play(folder, **environment) -> tuple[int, bool]:
    """The pebbles taken in one step, and whether anything was compiled for it."""
    answer = subprocess.run(
        [sys.executable, "-c", PLAY],
        cwd=folder,
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache"), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(answer.stdout), "compiling pebbles" in answer.stderr


def test_the_second_process_compiles_nothing_and_an_edited_rule_is_compiled_anew(tmp_path):
    build_game(tmp_path)
    taken, compiled = play(tmp_path)
    assert compiled
    assert play(tmp_path) == (taken, False)

    rules = tmp_path / "pebbles" / "rules.py"
    right = rules.read_text()
    rules.write_text(right.replace("state.taken[state.player] += action + 1", "state.taken[state.player] += action + 101"))
    assert play(tmp_path) == (taken + 400, True)
    rules.write_text(right)
    assert play(tmp_path) == (taken, False)

    for path in (tmp_path / "cache").rglob("*.nbc"):
        path.write_bytes(b"damaged")
    assert play(tmp_path) == (taken, True)


def test_it_plays_where_nothing_can_be_written(tmp_path):
    build_game(tmp_path)
    (tmp_path / "blocked").write_text("a file, so no folder can be made in it")
    taken, compiled = play(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "blocked" / "cache"))
    assert compiled
    assert taken > 0
