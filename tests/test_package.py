"""The wheel is whole: installed in an empty environment, it plays."""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent

PLAY = """
import sys
import arabian_envs, agents, training.cli
from arabian_envs import GAMES, get_game, make_batch
from arabian_envs.testing.files import check_golden_games
assert sys.prefix in arabian_envs.__file__, arabian_envs.__file__
for game_id in GAMES:
    game = get_game(game_id)
    assert (game.folder / "README.md").exists() and game.load_box() is not None
check_golden_games(get_game("six_sons"))
batch = make_batch("six_sons", 4, seed=1, autoreset=False)
while batch.running.any():
    batch.step(batch.sample(), where=batch.running)
print(batch.final_scores.tolist())
"""


def test_the_wheel_plays_a_game_in_an_empty_environment(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path / "dist", ROOT],
        check=True,
        capture_output=True,
    )
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    install = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "-c",
        ROOT / "constraints.txt",
        wheel,
    ]
    subprocess.run(install, check=True, capture_output=True)
    answer = subprocess.run([python, "-I", "-c", PLAY], cwd=tmp_path, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
    listed = subprocess.run([tmp_path / "env" / "bin" / "arabian", "games"], cwd=tmp_path, capture_output=True, text=True)
    assert "six_sons" in listed.stdout, listed.stderr
    for package in ("arabian_envs", "agents", "training"):
        assert list((tmp_path / "env").glob(f"lib/python*/site-packages/{package}/py.typed"))
