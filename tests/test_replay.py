"""Replays: written, read, checked, refused, and turned into pages and animations."""

import json
import re
import shutil

import numpy as np
import pytest
from typer.testing import CliRunner

from agents.arena import play_match
from arabian_envs import GAMES, MismatchError, get_game, make_batch
from arabian_envs.adapters.aec import make_env
from arabian_envs.replay import Replay
from arabian_envs.replay_page import write_gif, write_page
from training.cli import app


@pytest.fixture
def file(tmp_path):
    """The replay of a random game."""
    path = tmp_path / "game.jsonl"
    played("six_sons", seed=4).write(path)
    return path


def played(game_id, seed, **options):
    batch = make_batch(game_id, 1, seed=seed, autoreset=False, **options)
    actions = []
    while batch.running[0]:
        actions.append(int(batch.sample()[0]))
        batch.step(actions[-1:])
    return Replay.record(batch, actions)


def edit(path, change):
    """Change the lines of a replay."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.parametrize("game_id", GAMES)
def test_golden_games_are_replays(game_id):
    paths = sorted((get_game(game_id).folder / "golden").glob("*.jsonl"))
    assert paths
    for path in paths:
        Replay.read(path).check()


def test_an_environment_gives_the_replay_of_its_last_game(tmp_path):
    env = make_env("djinns", num_players=3)
    env.reset(seed=7)
    for _ in range(2):  # the second game of a seed is another one
        env.reset()
        while env.agents and not env.terminations[env.agent_selection]:
            env.step(env.action_space(env.agent_selection).sample(env.observe(env.agent_selection)["action_mask"]))
    env.replay().write(tmp_path / "game.jsonl")
    replay = Replay.read(tmp_path / "game.jsonl")
    replay.check()
    assert replay.num_players == 3
    assert replay.scores == [env.infos[agent]["score"] for agent in env.possible_agents]


def test_a_game_that_goes_on_has_no_replay():
    env = make_env("six_sons")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="six_sons: the game is still going on"):
        env.replay()


def test_a_returned_environment_still_has_its_whole_game():
    env = make_env("six_sons").unwrapped
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    kept = env.get_state()
    for _ in range(2):
        env.set_state(kept)
        while env._batch.running[0]:
            env.step(int(env._batch.sample()[0]))
        env.replay().check()


def test_a_match_writes_its_games_with_the_agents_names(tmp_path):
    result = play_match("six_sons", ["greedy", "random"], 6, seed=2, replays=tmp_path, num_replays=4)
    replays = [Replay.read(path) for path in sorted(tmp_path.glob("*.jsonl"))]
    assert [replay.table for replay in replays] == [0, 1, 2, 3]
    assert {replay.agents for replay in replays} == {("greedy", "random"), ("random", "greedy")}
    for number, replay in enumerate(replays):
        replay.check()
        assert replay.agents == tuple(result.agents[agent] for agent in result.who[number])


def test_replays_of_another_version_or_box_are_refused(file, tmp_path):
    with pytest.raises(MismatchError, match="of six_sons version 9; this is version 0"):
        Replay.read(edit(file, lambda lines: lines[0].update(version=9))).check()
    box = tmp_path / "box"
    shutil.copytree(get_game("six_sons").folder / "data", box)
    numbers = box / "numbers.csv"
    numbers.write_text(numbers.read_text().replace("starting_wealth,5", "starting_wealth,9"))
    other = get_game("six_sons").load_box(box)
    replay = played("six_sons", seed=4, box=other)
    replay.check(other)
    with pytest.raises(MismatchError, match=r"played with components \w+; these are \w+"):
        replay.check()


def test_truncated_files_are_refused(file):
    text = file.read_text()
    lines = text.splitlines(keepends=True)
    for cut, message in (
        ("", "it ends after line 0 without the line of scores"),
        (text[: len(text) // 2], r"line \d+ is not JSON \(cut off\?\)|without the line of scores"),
        ("".join(lines[:5]), "it ends after line 5 without the line of scores"),
    ):
        file.write_text(cut)
        with pytest.raises(MismatchError, match=f"{re.escape(str(file))}: not a whole replay: .*{message}|{message}"):
            Replay.read(file)
    file.write_text("".join([*lines[:9], lines[-1]]))
    with pytest.raises(MismatchError, match="the replay stops after 8 decisions, before the end of the game"):
        Replay.read(file).check()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[3].update(action=0, name="reroll none"), "decision 3"),
        (lambda lines: lines[3].update(action=99), "decision 3 of the replay is not legal: .*99"),
        (lambda lines: lines[3].update(name="swap none"), "decision 3: action .* not 'swap none'"),
        (lambda lines: lines[1].update(player=1 - lines[1]["player"]), "decision 1: not the turn of player"),
        (lambda lines: lines[0].update(seed=5), "decision|the game ends"),
        (lambda lines: lines[-1].update(scores=[1.0, 2.0]), r"the game ends \[.*\]; the replay says \[1.0, 2.0\]"),
        (lambda lines: lines[-1].update(digest="0" * 16), "the game ends in state .*; the replay says 0000"),
        (lambda lines: lines.pop(5), "decision|the replay stops|the game ends"),
        (lambda lines: lines[0].pop("seed"), "a line lacks 'seed'"),
    ],
)
def test_edited_files_are_refused_saying_what_differs(file, change, message):
    with pytest.raises(MismatchError, match=message):
        Replay.read(edit(file, change)).check()


def test_a_page_holds_every_board_decision_and_score(file, tmp_path):
    replay = Replay.read(file)
    write_page(replay, tmp_path / "game.html")
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert "{{" not in page
    assert not re.search(r"""(src|href)=["']""", page), "the page needs nothing else"
    data = json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', page, re.S)[1])
    assert len(data["boards"]) == len(replay.actions) + 1
    assert [name for _, name in data["log"]] == replay.names
    assert data["scores"][-1] == replay.scores
    for board, batch in zip(data["boards"], replay.play(), strict=True):
        assert "\n".join(data["shapes"][shape] for shape in board) == batch.picture()


def test_a_page_for_a_seat_shows_only_its_view(tmp_path):
    replay = Replay.read(get_game("djinns").folder / "golden" / "2_players.jsonl")
    write_page(replay, tmp_path / "game.html", viewer=1)
    data = json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', (tmp_path / "game.html").read_text(), re.S)[1])
    for board, batch in zip(data["boards"], replay.play(), strict=True):
        assert "\n".join(data["shapes"][shape] for shape in board) == batch.picture(viewer=1)
    assert data["scores"][0] is None


def test_an_animation_has_a_frame_for_every_board(file, tmp_path):
    image = pytest.importorskip("PIL.Image")
    lines = []
    write_gif(Replay.read(file), tmp_path / "game.gif", progress=lambda done, total: lines.append((done, total)))
    frames = image.open(tmp_path / "game.gif").n_frames
    boards = len(Replay.read(file).actions) + 1
    assert boards - 8 <= frames <= boards  # equal boards in succession become one frame
    assert lines[-1] == (boards, boards)


def test_the_command_checks_and_shows_a_replay(file, tmp_path):
    replay = Replay.read(file)
    shown = CliRunner().invoke(app, ["replay", str(file)])
    assert shown.exit_code == 0
    assert f"player {replay.players[0]}: {replay.names[0]}" in shown.output
    assert f"{len(replay.actions)} decisions, as recorded" in shown.output
    page = CliRunner().invoke(app, ["replay", str(file), "--html", str(tmp_path / "a.html"), "--viewer", "1"])
    assert page.exit_code == 0
    assert "seen by player 1" in (tmp_path / "a.html").read_text()


def test_the_command_refuses_what_does_not_fit(file):
    edit(file, lambda lines: lines[-1].update(digest="0" * 16))
    refused = CliRunner().invoke(app, ["replay", str(file)])
    assert isinstance(refused.exception, MismatchError)
    assert str(refused.exception).startswith(f"{file}: the game ends in state")


def test_training_keeps_replays_of_its_evaluations_on_request(tmp_path):
    pytest.importorskip("sb3_contrib")
    from training.config import load_config
    from training.ppo import Trainer

    changes = {
        "steps": 64,
        "tables": 8,
        "players": [2],
        "imitation": {"seconds": 0.0},
        "ppo": {"hidden": [8], "rollout": 8, "minibatch": 64, "epochs": 1},
        "evaluation": {"games": 4, "final_games": 4, "baselines": ["random"]},
    }
    Trainer(get_game("six_sons"), load_config("six_sons", [changes]), tmp_path, replays=2).run()
    paths = list((tmp_path / "replays" / "64_random").glob("*.jsonl"))
    assert len(paths) == 2
    for path in paths:
        Replay.read(path).check()
