"""Round-robins and ratings."""

import json

import pytest

from agents import ladder
from agents.ladder import Pairing, draw_ladder, lineups, play_ladder, rate
from arabian_envs import MismatchError

AGENTS = ["random", "greedy", "greedy:1"]


def test_a_ladder_puts_better_agents_higher_and_random_at_zero():
    ratings = play_ladder("six_sons", ["random", "greedy"], 200)
    assert [rating.agent for rating in ratings] == ["greedy", "random"]
    assert ratings[1].rating == 0
    assert ratings[0].low > 300
    assert ratings[0].low < ratings[0].rating < ratings[0].high


def test_finished_pairings_are_not_played_again_and_a_cut_off_line_is(tmp_path, monkeypatch):
    path = tmp_path / "results.jsonl"
    first = play_ladder("six_sons", AGENTS, 40, results=path)
    whole = path.read_text()
    played = []
    real = ladder.play_match

    def counting(game_id, agents, *rest):
        played.append(tuple(agents))
        return real(game_id, agents, *rest)

    monkeypatch.setattr(ladder, "play_match", counting)
    assert play_ladder("six_sons", AGENTS, 40, results=path) == first
    assert not played

    path.write_text(whole[:-20])  # killed while writing the last pairing
    assert play_ladder("six_sons", AGENTS, 40, results=path) == first
    assert played == [("greedy", "greedy:1")]
    assert path.read_text() == whole


def test_another_agent_can_join_later(tmp_path, monkeypatch):
    path = tmp_path / "results.jsonl"
    play_ladder("six_sons", AGENTS[:2], 40, results=path)
    kept = path.read_text()
    play_ladder("six_sons", AGENTS, 40, results=path)
    assert path.read_text().startswith(kept)
    assert len(path.read_text().splitlines()) == 4


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('"players": 2', '"players": 1', "expected {'game': 'six_sons', 'version': 0, 'players': 2}"),
        ('"version": 0', '"version": 9', "expected {'game': 'six_sons'"),
        ('"games": 20', '"games": 21', "line 2: not a ladder's result"),
        ('{"agents"', "{agents", "line 2: not a ladder's result"),
    ],
)
def test_a_damaged_or_foreign_results_file_is_refused(tmp_path, old, new, expected):
    path = tmp_path / "results.jsonl"
    play_ladder("six_sons", AGENTS[:2], 20, results=path)
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(MismatchError, match=expected):
        play_ladder("six_sons", AGENTS[:2], 20, results=path)


def test_a_foreign_file_is_refused_and_kept_even_if_it_is_cut_off(tmp_path):
    path = tmp_path / "results.jsonl"
    play_ladder("six_sons", AGENTS[:2], 20, results=path)
    content = path.read_text().replace('"game": "six_sons"', '"game": "djinns"')[:-20]
    path.write_text(content)
    with pytest.raises(MismatchError, match=r"expected \{'game': 'six_sons'"):
        play_ladder("six_sons", AGENTS[:2], 20, results=path)
    assert path.read_text() == content


def test_a_line_without_an_end_is_not_written_on(tmp_path):
    path = tmp_path / "results.jsonl"
    play_ladder("six_sons", AGENTS[:2], 20, results=path)
    path.write_text(path.read_text()[:-1])
    first = play_ladder("six_sons", AGENTS, 20, results=path)
    assert play_ladder("six_sons", AGENTS, 20, results=path) == first


def test_ratings_recover_known_strengths():
    """Games drawn from a known rating difference of 200 points are rated so."""
    pairing = Pairing(("random", "a"), 10000, 0, {(0, 1): 2403, (1, 0): 7597})
    rating = rate([pairing])[0]
    assert rating.rating == pytest.approx(200, abs=3)
    assert rating.low < 200 < rating.high
    assert rating.high - rating.low < 25


def test_a_tie_counts_half_for_both():
    even = Pairing(("random", "a"), 100, 0, {(0, 0): 100})
    assert rate([even])[0].rating == pytest.approx(0, abs=1e-6)
    assert rate([even])[0].win_share == 0.5


def test_orders_of_several_seats_rate_everybody():
    pairing = Pairing(("random", "a", "b"), 300, 0, {(2, 0, 1): 200, (2, 1, 0): 60, (0, 1, 2): 40})
    assert [rating.agent for rating in rate([pairing])] == ["a", "b", "random"]


def test_lineups_use_every_agent_at_any_table():
    assert lineups(["a", "b", "c"], 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert lineups(["a", "b"], 3) == [("a", "a", "b"), ("a", "b", "b")]


@pytest.mark.parametrize("agents", [["random"], ["random", "random"]])
def test_a_ladder_needs_two_different_agents(agents):
    with pytest.raises(ValueError, match="at least two different agents"):
        play_ladder("six_sons", agents, 10)


def test_the_chart_is_a_picture(tmp_path):
    ratings = rate([Pairing(("random", "a"), 100, 0, {(0, 1): 30, (1, 0): 70})])
    draw_ladder(ratings, "A ladder", tmp_path / "ladder.png")
    assert (tmp_path / "ladder.png").read_bytes().startswith(b"\x89PNG")


def test_a_pairing_survives_its_file_form():
    pairing = Pairing(("a", "b"), 10, 3, {(0, 0): 4, (0, 1): 6})
    assert Pairing.from_json(json.loads(json.dumps(pairing.as_json()))) == pairing
