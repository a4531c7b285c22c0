import json
import sys
from pathlib import Path

import numpy as np
import pytest

# Behind everything else: a script there has the name of our package `training`.
sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))

import memory
import peers
import soak
from soak import BrokenError, Soak


def test_soak_counts_what_it_played_and_goes_on_where_it_was(tmp_path):
    whole = Soak("six_sons", 64, every=5)
    whole.play(100)
    assert whole.tally.steps == 6400
    assert whole.tally.steps_checked == 1280
    assert whole.tally.games > 64
    assert set(whole.batch.num_players) == {1, 2}

    first, second = Soak("six_sons", 64, every=5), Soak("six_sons", 64, every=5)
    first.play(40)
    first.save(tmp_path)
    second.load(tmp_path)
    second.play(60)
    assert second.batch.state.tobytes() == whole.batch.state.tobytes()
    second.tally.seconds = whole.tally.seconds
    assert second.tally == whole.tally


def test_soak_names_a_broken_truth_and_its_table():
    run = Soak("six_sons", 64, every=1)
    holds = np.arange(64) != 13
    run.game = _Lying(run.game, {"all is well": np.ones(64, bool), "nothing is lost": holds})
    with pytest.raises(BrokenError, match=r"six_sons: broken: nothing is lost \(table 13, .* seed 2026, after 1 decisions"):
        run.play(1)


class _Lying:
    """A game whose truths are what we say."""

    def __init__(self, game, truths):
        self._game, self._truths = game, truths

    def invariants(self, state, box):
        return self._truths

    def __getattr__(self, name):
        return getattr(self._game, name)


def test_soak_script_writes_its_results(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("machine.RESULTS", tmp_path)
    monkeypatch.setattr(sys, "argv", ["soak.py", "--steps", "10000", "--every", "2", "six_sons"])
    soak.main()
    results = json.loads((tmp_path / "soak.json").read_text())
    assert results["total_steps"] >= 10_000
    assert results["command"] == "python benchmarks/soak.py --steps 10000 --every 2 six_sons"
    assert "six_sons" in capsys.readouterr().out


def test_peers_names_what_could_not_be_measured_and_why(capsys):
    contestants = [
        peers.Contestant("PettingZoo", "tictactoe_v3", peers.pettingzoo_speed, similar=True),
        peers.Contestant("PettingZoo", "nowhere_v9", peers.pettingzoo_speed, similar=True),
    ]
    play = peers.contest(contestants, 0.01, "a test")
    assert play[0]["speeds"]["1"] > 10
    assert "nowhere_v9" in play[1]["not_measured"]
    peers.show({"play": play, "search": []})
    shown = capsys.readouterr().out
    assert (
        "not measured: PettingZoo nowhere_v9: ModuleNotFoundError: No module named 'pettingzoo.classic.nowhere_v9'" in shown
    )
    assert peers.fastest_rival(play) is play[0]


def test_peers_gives_up_on_a_contestant_that_takes_too_long():
    slow = peers.Contestant("PettingZoo", "tictactoe_v3", peers.pettingzoo_speed)
    assert peers.measure_apart(slow, 600.0, at_most=0.1) == {"not_measured": "took more than 0 seconds"}


def test_peers_compares_the_largest_batch_with_the_fastest_rival(tmp_path):
    play = [
        {"library": peers.OURS, "game": "ours", "similar": False, "speeds": {"1": 5.0, "8192": 300.0}},
        {"library": "A", "game": "dice", "similar": True, "speeds": {"1": 10.0, "64": 20.0}, "first_step": 1.0},
        {"library": "A", "game": "chess", "similar": False, "speeds": {"1": 1000.0}, "first_step": 1.0},
    ]
    peers.add_ratios(play)
    assert play[0]["times_fastest_rival"] == 15
    search = [{"library": "A MCTS", "game": "dice", "similar": True, "simulations": 10.0, "decisions_a_game": 5.0}]
    peers.draw({"play": play, "search": search}, tmp_path / "chart.png")
    assert (tmp_path / "chart.png").stat().st_size > 5000


def test_memory_sees_growth_and_calm():
    kept = []
    assert memory.readings(lambda: 1, 0.3)["growth_mb"] < 1
    leaking = memory.readings(lambda: kept.append(bytearray(b"x" * 100_000)) or 1, 0.3)
    assert leaking["growth_mb"] > memory.MOST_GROWTH


@pytest.mark.parametrize("run", list(memory.RUNS))
def test_memory_runs_play(run):
    go = memory.RUNS[run]("six_sons")
    assert sum(go() for _ in range(3)) > 10
