"""The statistics of benchmarks/balance.py, on games whose truth is known."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent.parent / "benchmarks"))

import balance


def test_ratio_is_the_mean_with_an_interval_that_holds_the_truth_95_times_in_100():
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        had = rng.integers(0, 3, (200, 2))
        # The two seats of a game share their luck, so 400 seats tell no more than 200 games.
        won = np.repeat(rng.random((200, 1)) < 0.3, 2, axis=1)
        figure = balance.ratio(had * won, had)
        held += figure["low"] <= 0.3 <= figure["high"]
    assert 0.91 < held / 400 < 0.98


def test_ratio_of_nothing_is_nothing():
    assert balance.ratio(np.zeros((5, 2)), np.zeros((5, 2))) is None


def test_places_count_from_who_decided_first():
    values = np.array([[10, 11, 12], [20, 21, 22]])
    assert balance.by_place(values, np.array([1, 0])).tolist() == [[11, 12, 10], [20, 21, 22]]


def test_win_rates_are_those_of_the_seats_that_had_the_component():
    share = np.array([[1.0, 0.0], [0.5, 0.5]])
    had = np.array([[[1, 0], [0, 2]], [[0, 0], [3, 0]]])
    rates = {name: balance.ratio(*pair)["mean"] for name, pair in balance.won(["a", "b"], had, share).items()}
    assert rates == {"a": pytest.approx((1 + 3 * 0.5) / 4), "b": 0.0}


def test_only_sure_and_large_differences_stand_out():
    assert balance.is_far({"mean": 0.9, "low": 0.8, "high": 1.0}, 0.5)
    assert balance.is_far({"mean": 0.2, "low": 0.1, "high": 0.3}, 0.5)
    assert not balance.is_far({"mean": 0.9, "low": 0.5, "high": 1.0}, 0.5)
    assert not balance.is_far(None, 0.5)
    assert not balance.is_far({"mean": 0.0, "low": 0.0, "high": 0.0}, 0.5)


@pytest.mark.parametrize("game_id", list(balance.PARTS))
def test_every_game_can_be_measured(game_id):
    game = balance.get_game(game_id)
    played = balance.play(game_id, "random", 30, game.max_players)
    figures = balance.summarise(played, balance.PARTS[game_id](played))
    assert figures["length"]["mean"] > 0
    assert sum(rate["mean"] for rate in figures["win_rate_by_place"]) == pytest.approx(1)
    for kind, of in figures["components"].items():
        known = [figure for figure in of.values() if figure is not None]
        assert known, kind
        assert all(figure["low"] <= figure["mean"] <= figure["high"] for figure in known)


def test_dreams_and_palms_and_pairs_make_up_an_islands_points():
    played = balance.play("islands", "random", 20, 3)
    worth = sum(counted for counted, _ in balance.islands(played)["points of a dream tile"].values())
    seen, box = played.state["visible"][:, :3], played.box[0]
    palms = box["points_per_palm"] * seen[:, :, 0]
    pairs = box["points_per_combo"] * np.minimum(seen[:, :, 2], seen[:, :, 3])
    assert (worth + palms + pairs == played.state["points"][:, :3]).all()


def test_special_actions_are_earned_once_for_each_marked_space():
    played = balance.play("six_sons", "random", 200, 2)
    marked = played.box["special"][0].sum(axis=1)
    assert (played.counts.sum(axis=1) <= marked).all()
    assert (played.counts.sum(axis=(0, 1)) > 0).all()


def test_two_wind_tiles_are_chosen_a_round():
    played = balance.play("sultans_of_wind", "random", 20, 2)
    chosen = played.counts[:, :, :8].sum(axis=2)
    assert (chosen == 2 * played.state["round_number"][:, None]).all()
