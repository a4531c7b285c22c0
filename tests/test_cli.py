"""The `arabian` command as a person types it."""

import json
import os
import subprocess
import sys

import pytest

from arabian_envs import GAMES


def arabian(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "training.cli", *words], capture_output=True, text=True, env={**os.environ, "COLUMNS": "150"}
    )


def test_games_lists_them_all():
    answer = arabian("games")
    assert answer.returncode == 0
    for game_id in GAMES:
        assert game_id in answer.stdout


@pytest.mark.parametrize("game_id", GAMES)
def test_info_shows_facts_rulings_actions_and_observation(game_id):
    answer = arabian("info", game_id)
    assert answer.returncode == 0, answer.stderr
    for heading in ("Facts", "Rulings", "  1. ", "Actions", "Observation"):
        assert heading in answer.stdout


def test_rollout_reports_length_scores_and_speed():
    answer = arabian("rollout", "six_sons", "--players", "1", "--games", "50", "--seed", "3")
    assert answer.returncode == 0, answer.stderr
    for word in ("50 random games", "decisions", "score of seat 0", "a second"):
        assert word in answer.stdout
    assert "score of seat 1" not in answer.stdout


def test_match_prints_a_table_and_writes_json_and_a_chart(tmp_path):
    answer = arabian("match", "six_sons", "greedy", "random", "--games", "100", "--out", str(tmp_path / "new"))
    assert "95 % interval" in answer.stdout, answer.stderr
    result = json.loads((tmp_path / "new" / "six_sons_v0_2p_match.json").read_text())
    assert result["agents"] == ["greedy", "random"]
    assert sum(result["win_share"]) == pytest.approx(1)
    assert result["win_share_low"][0] < result["win_share"][0] < result["win_share_high"][0]
    assert result["command"] == "arabian match six_sons greedy random --players 2 --games 100 --seed 0"
    assert (tmp_path / "new" / "six_sons_v0_2p_match.png").stat().st_size > 5000


def test_bench_prints_a_table():
    answer = arabian("bench", "six_sons", "--seconds", "0.05")
    assert "batch 8192" in answer.stdout, answer.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("info", "chess"), "no game 'chess'; there are: six_sons"),
        (("rollout", "six_sons", "--players", "9"), "9 players; expected 1 to 2"),
        (("rollout", "six_sons", "--games", "many"), "--games"),
        (("rollout", "six_sons", "--games", "0"), "--games"),
        (("rollout", "six_sons", "--speed", "9"), "--players"),
        (("sing",), "games, info"),
        (("match", "six_sons", "gready", "random"), "expected random"),
        (("info",), "GAME"),
    ],
)
def test_a_mistake_is_one_clear_line_and_exit_code_2(words, expected):
    answer = arabian(*words)
    assert answer.returncode == 2
    assert len(answer.stderr.strip().splitlines()) == 1
    assert answer.stderr.startswith("arabian: ")
    assert expected in answer.stderr
    assert "Traceback" not in answer.stderr
