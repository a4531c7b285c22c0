"""CONTRIBUTING.md's steps lead to a game that passes the conformance kit."""

import re
import subprocess
import sys
from pathlib import Path

GUIDE = Path(__file__).parent.parent / "CONTRIBUTING.md"


def build_game(folder: Path) -> str:
    """Write the guide's files; its last step as a program."""
    text = GUIDE.read_text(encoding="utf-8")
    for name, content in re.findall(r"^`(pebbles/[^`]+)`\n```\w+\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    program = re.search(r"^```python register\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert program
    return program[1]


def run(folder: Path, program: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True)


def test_the_steps_of_add_a_game_lead_to_a_conforming_game(tmp_path):
    program = build_game(tmp_path)
    answer = run(tmp_path, program)
    assert answer.returncode == 0, answer.stderr
    assert (tmp_path / "pebbles" / "golden" / "3_players.jsonl").exists()

    play = (
        "from arabian_envs import register_game; register_game('pebbles', 'pebbles:GAME')\n"
        "import gymnasium; gymnasium.make('arabian/Pebbles-v0').reset(seed=1)\n"
        "from agents.arena import play_match\n"
        "print(play_match('pebbles', ['greedy', 'random'], 500).win_share[0])"
    )
    answer = run(tmp_path, play)
    assert float(answer.stdout) > 0.9, answer.stderr

    # The kit has teeth: each of these slips in the rules must be caught.
    rules = tmp_path / "pebbles" / "rules.py"
    right = rules.read_text()
    check = (
        "from arabian_envs import get_game, register_game; register_game('pebbles', 'pebbles:GAME')\n"
        "import sys; from arabian_envs.testing import CHECKS\n"
        "for name in sys.stdin.read().split(): CHECKS[name](get_game('pebbles'))"
    )
    slips = {
        ("state.heap -= action + 1", "state.heap -= 1"): ("random_play", "broken: every pebble is somewhere"),
        ("min(3, state.heap)", "min(2, state.heap)"): ("golden_games", "is not legal"),
        ("state.player = (state.player + 1)", "state.player = (state.player + 2)"): ("golden_games", "not the turn of"),
    }
    for (old, new), (name, complaint) in slips.items():
        rules.write_text(right.replace(old, new))
        answer = subprocess.run([sys.executable, "-c", check], cwd=tmp_path, input=name, capture_output=True, text=True)
        assert answer.returncode != 0, f"{new!r} went unnoticed"
        assert complaint in answer.stderr
