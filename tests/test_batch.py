"""The batch as its users meet it."""

import copy
import hashlib
import pickle
import subprocess
import sys

import numpy as np
import pytest

from arabian_envs import (
    GAMES,
    GameBatch,
    GameOverError,
    IllegalActionError,
    MismatchError,
    UnknownGameError,
    get_game,
    make_batch,
)
from arabian_envs.engine.kernels import OUTCOME, write_rewards
from arabian_envs.engine.state import state_dtype
from arabian_envs.testing.common import snapshot


def finish(batch: GameBatch) -> GameBatch:
    while batch.running.any():
        batch.step(batch.sample(), where=batch.running)
    return batch


def test_an_unknown_game_names_the_known_ones():
    with pytest.raises(UnknownGameError, match=r"no game 'chess'; there are: .*six_sons"):
        get_game("chess")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"num_players": 3}, "3 players; expected 1 to 2"),
        ({"num_players": [2, 1]}, "one for each of 4 tables"),
        ({"reward": "money"}, "expected one of outcome, margin"),
        ({"num_games": 0}, "at least 1"),
    ],
)
def test_wrong_options_say_what_would_be_right(options, expected):
    with pytest.raises(ValueError, match=expected):
        make_batch("six_sons", **{"num_games": 4, **options})


def test_an_illegal_action_names_game_table_action_and_the_legal_ones():
    batch = make_batch("six_sons", 3, seed=0)
    before = snapshot(batch)
    actions = batch.sample()
    actions[1] = batch.game.action("advance", 4)
    expected = r"six_sons, table 1: action 18 \(advance 4\) is not legal now; legal: .*\(assign"
    with pytest.raises(IllegalActionError, match=expected):
        batch.step(actions)
    assert snapshot(batch) == before


@pytest.mark.parametrize("num_threads", [1, 2, 5])
@pytest.mark.parametrize("wrong", [(0,), (1999,), (700, 1300, 1999), (1001, 1000)])
def test_threads_name_the_first_illegal_action_and_nobody_moves(num_threads, wrong):
    batch = make_batch("six_sons", 2000, seed=0, num_threads=num_threads)
    for _ in range(20):
        batch.step(batch.sample())
        actions = batch.sample()
        actions[list(wrong)] = -1
        before = snapshot(batch)
        with pytest.raises(IllegalActionError, match=f"table {min(wrong)}: "):
            batch.step(actions)
        assert snapshot(batch) == before


@pytest.mark.parametrize("action", [-1, 39, 2**62, -(2**62)])
def test_an_action_outside_the_range_is_refused(action):
    batch = make_batch("six_sons", 1, seed=0)
    with pytest.raises(IllegalActionError, match=r"outside 0 … 38"):
        batch.step([action])


@pytest.mark.parametrize(
    ("actions", "error", "expected"),
    [
        ([1.5, 2.5], TypeError, "float64; expected whole numbers"),
        ([np.nan, 0], TypeError, "expected whole numbers"),
        (["a", "b"], TypeError, "expected whole numbers"),
        ([None, None], TypeError, "expected whole numbers"),
        ([8], ValueError, r"shape \(1,\); expected \(2,\)"),
        ([[8, 8]], ValueError, r"shape \(1, 2\)"),
        (8, ValueError, r"shape \(\)"),
    ],
)
def test_actions_of_a_wrong_type_or_shape_are_refused(actions, error, expected):
    batch = make_batch("six_sons", 2, seed=0)
    with pytest.raises(error, match=expected):
        batch.step(actions)


def test_the_mask_cannot_be_written():
    batch = make_batch("six_sons", 2, seed=0)
    with pytest.raises(ValueError, match="read-only"):
        batch.action_mask[:] = 1


def test_without_autoreset_a_finished_table_refuses_steps_until_reset():
    batch = finish(make_batch("six_sons", 2, seed=0, autoreset=False))
    with pytest.raises(GameOverError, match="table 0: the game is over"):
        batch.step([0, 0])
    batch.reset(tables=[1])
    assert batch.running.tolist() == [False, True]
    assert batch.terminated.tolist() == [True, False]
    batch.step(batch.sample(), where=batch.running)


@pytest.mark.parametrize("game_id", GAMES)
def test_with_autoreset_the_last_step_reports_the_end_and_shows_the_next_game(game_id):
    auto = make_batch(game_id, 8, seed=6)
    manual = make_batch(game_id, 8, seed=6, autoreset=False)
    ended = np.zeros(8, bool)
    while not ended.all():
        actions = auto.sample()
        auto.step(actions)
        manual.step(actions, where=~ended)
        now = (auto.terminated | auto.truncated) & ~ended
        for i in np.flatnonzero(now):
            assert manual.terminated[i] == auto.terminated[i]
            assert auto.reward[i].tolist() == manual.reward[i].tolist()
            assert auto.final_scores[i].tolist() == manual.scores()[i].tolist()
            manual.reset(tables=[i])
            assert np.asarray(manual.state)[i].tobytes() == np.asarray(auto.state)[i].tobytes()
            assert auto.action_mask[i].any()
        ended |= now


def test_sampling_is_uniform_over_the_legal_actions():
    batch = make_batch("six_sons", 1, seed=0)
    legal = np.flatnonzero(batch.action_mask[0])
    picks = np.concatenate([batch.sample() for _ in range(6000)])
    assert set(picks) == set(legal)
    assert np.bincount(picks)[legal] / 6000 == pytest.approx(np.full(len(legal), 1 / len(legal)), abs=0.03)


def test_sampling_does_not_touch_the_game():
    batch = make_batch("six_sons", 4, seed=0)
    before = snapshot(batch)
    batch.sample()
    assert snapshot(batch) == before


def test_outcome_rewards_of_three_and_more_seats_sum_to_zero_also_in_ties():
    cases = {
        (5, 3, 1): [1, -0.5, -0.5],
        (5, 5, 1): [0.25, 0.25, -0.5],
        (2, 2, 2): [0, 0, 0],
        (9, 1, 1, 1): [1, -1 / 3, -1 / 3, -1 / 3],
    }
    for points, expected in cases.items():
        rewards = np.zeros(len(points))
        write_rewards(np.array(points, float), np.zeros(len(points)), len(points), OUTCOME, 0.01, rewards)
        assert rewards == pytest.approx(expected)


def test_the_margin_reward_is_the_scaled_lead():
    batch = finish(make_batch("six_sons", 50, seed=3, reward="margin", autoreset=False))
    lead = batch.final_scores[:, 0] - batch.final_scores[:, 1]
    assert batch.reward[:, 0] == pytest.approx(lead * batch.game.point_scale)
    assert batch.reward[:, 1] == pytest.approx(-batch.reward[:, 0])


@pytest.mark.parametrize("game_id", [game_id for game_id in GAMES if get_game(game_id).max_players > 2])
def test_tables_of_several_sizes_share_a_batch(game_id):
    game = get_game(game_id)
    sizes = [2, game.max_players] * 3
    mixed = make_batch(game_id, 6, sizes, seed=4)
    for i, size in enumerate(sizes):
        alone = make_batch(game_id, 1, size, seed=4, first_table=i)
        assert np.asarray(mixed.state)[i].tobytes() == np.asarray(alone.state)[0].tobytes()
    ended = np.zeros(6, bool)
    while not ended.all():
        mixed.step(mixed.sample())
        ended |= mixed.terminated | mixed.truncated
        assert np.abs(mixed.reward.sum(axis=1)).max() < 1e-6
        assert not mixed.reward[::2, 2:].any()


@pytest.mark.parametrize("keep", [copy.copy, copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b)), GameBatch.copy])
def test_a_kept_batch_plays_on_as_the_original(keep):
    batch = make_batch("six_sons", 5, seed=2)
    for _ in range(30):
        batch.step(batch.sample())
    twin = keep(batch)
    for _ in range(60):
        batch.step(batch.sample())
        twin.step(twin.sample())
    assert snapshot(twin) == snapshot(batch)


def test_a_saved_batch_plays_on_in_another_process(tmp_path):
    batch = make_batch("six_sons", 5, seed=2, num_players=[1, 2, 1, 2, 2])
    for _ in range(30):
        batch.step(batch.sample())
    batch.save(tmp_path / "tables.npz")
    program = (
        "import sys, hashlib; from arabian_envs import GameBatch; from arabian_envs.testing.common import snapshot\n"
        "b = GameBatch.load(sys.argv[1])\n"
        "for _ in range(40): b.step(b.sample())\n"
        "print(hashlib.sha256(snapshot(b)).hexdigest())"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "tables.npz"], capture_output=True, text=True, check=True
    )
    for _ in range(40):
        batch.step(batch.sample())
    assert answer.stdout.strip() == hashlib.sha256(snapshot(batch)).hexdigest()


def test_a_file_that_is_no_batch_is_refused(tmp_path):
    for name, content in (("empty", b""), ("text", b"hello"), ("half", _saved(tmp_path)[:200])):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(MismatchError, match="expected a batch written by save"):
            GameBatch.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        GameBatch.load(tmp_path / "none")


def _saved(folder) -> bytes:
    make_batch("six_sons", 1, seed=0).save(folder / "whole")
    return (folder / "whole").read_bytes()


def test_another_games_box_is_refused():
    other = np.zeros(1, [("nothing", np.int8)])
    with pytest.raises(MismatchError, match="expected a box made by load_box"):
        make_batch("six_sons", 1, box=other)


@pytest.mark.parametrize("game_id", GAMES)
def test_a_copy_of_a_box_has_its_digest_whatever_lies_between_the_fields(game_id):
    game = get_game(game_id)
    box = game.load_box()
    twin = np.frombuffer(bytearray(b"\xff" * box.nbytes), box.dtype)
    for name in box.dtype.names:
        twin[name] = box[name]
    assert game.box_digest(twin) == game.box_digest(box)


def test_a_file_whose_states_were_edited_is_refused(tmp_path):
    make_batch("six_sons", 1, seed=0).save(tmp_path / "batch")
    with np.load(tmp_path / "batch") as file:
        arrays = dict(file)
    arrays["state"][-1] ^= 64
    with (tmp_path / "batch").open("wb") as file:
        np.savez(file, **arrays)
    with pytest.raises(MismatchError, match=r"batch: expected .*not what was saved"):
        GameBatch.load(tmp_path / "batch")


def test_names_and_ids_of_actions_agree():
    for game_id in GAMES:
        game = get_game(game_id)
        for action in range(game.num_actions):
            group, index = game.actions.split(action)
            assert game.action(group.name, *index) == action
        assert len({game.action_name(action) for action in range(game.num_actions)}) == game.num_actions


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("fly",), "no action group 'fly'; there are: reroll"),
        (("advance",), "takes 1 index"),
        (("advance", 9), "outside 0 … 8"),
        (("swap", "Coffee"), "is not one of: Herbal"),
    ],
)
def test_wrong_action_names_are_refused(arguments, expected):
    with pytest.raises(ValueError, match=expected):
        get_game("six_sons").action(*arguments)


def test_describe_names_every_number_of_an_observation():
    batch = make_batch("six_sons", 3, seed=0)
    pieces = batch.game.describe(batch.observation)
    assert pieces["position"].shape == (3, 2, 6)
    assert np.concatenate([piece.reshape(3, -1) for piece in pieces.values()], axis=1).tolist() == batch.observation.tolist()
    with pytest.raises(ValueError, match="expected observations of 133 numbers"):
        batch.game.describe(batch.observation[:, 1:])


def test_seats_outside_the_table_are_refused():
    batch = make_batch("six_sons", 2, seed=0)
    for seats in (2, -1, [0, 5], 0.5):
        with pytest.raises(ValueError, match="expected a seat of each table"):
            batch.observe(seats)


def test_play_with_threads_survives_a_fork():
    """A forked worker has no threads of its parent's; it must make its own."""
    program = (
        "import os; from arabian_envs import make_batch\n"
        "b = make_batch('six_sons', 512, seed=0, num_threads=2); b.step(b.sample())\n"
        "child = os.fork()\n"
        "b.step(b.sample())\n"
        "if not child: os._exit(0)\n"
        "print(os.waitpid(child, 0)[1])"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert answer.stdout.strip() == "0", answer.stderr


@pytest.mark.parametrize("name", ["take", "copy", "rng"])
def test_names_that_numpy_or_the_header_own_are_refused(name):
    with pytest.raises(ValueError, match=f"{name!r}"):
        state_dtype((name, np.int16))


@pytest.mark.parametrize("game_id", GAMES)
def test_playing_on_is_random_play_up_to_a_seats_turn(game_id):
    """It is what `sample` and `step` would do, table by table; tables left out of the mask are not touched."""
    for seed in range(20):
        there = make_batch(game_id, 1, seed=seed, autoreset=False)
        for _ in range(seed):
            there.step(there.sample(), where=there.running)
        for seat in (0, 1, 0, 1):
            here = there.copy()
            here.play_on(seat, np.zeros(1, bool))
            assert here.state.tobytes() == there.state.tobytes()
            here.play_on(seat)
            there.reward[:] = 0 if there.running[0] else there.reward
            while there.running[0] and there.player[0] != seat:
                there.step(there.sample())
            for name in (
                "state",
                "player",
                "observation",
                "action_mask",
                "reward",
                "terminated",
                "truncated",
                "final_scores",
            ):
                assert getattr(here, name).tobytes() == getattr(there, name).tobytes(), name
            if there.running[0]:
                there.step(there.sample())


def test_playing_on_wants_a_batch_that_stops_at_the_end():
    with pytest.raises(ValueError, match="autoreset=False"):
        make_batch("six_sons", 2, seed=1).play_on(0)
