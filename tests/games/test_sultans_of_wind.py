"""Sultans of Wind: every rule of the rulebook, from positions built for it."""

from __future__ import annotations

import heapq
import shutil
from collections import Counter, deque
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from agents import GreedyAgent
from agents.arena import play_match
from arabian_envs import ComponentError, GameBatch, IllegalActionError, get_game, make_batch
from arabian_envs.engine.game import for_rules
from arabian_envs.engine.kernels import make_step
from arabian_envs.engine.state import RUNNING, TERMINATED, TRUNCATED
from arabian_envs.engine.text import plain
from arabian_envs.games.sultans_of_wind.components import NUM_CLOUDS, WIND_NAMES, Wind
from arabian_envs.games.sultans_of_wind.maze import (
    CLOUD_STEPS,
    CORNER_SQUARES,
    FROM_CORNER,
    SPACES_OF_SQUARE,
    SQUARE_FROM_CORNER,
    TO_CORNER,
)
from arabian_envs.games.sultans_of_wind.rules import (
    CLOUD_PAIRS,
    CLOUD_SQUARES,
    SPACE_NAMES,
    remaining_distance,
)
from arabian_envs.games.sultans_of_wind.state import VISIBLE, Phase
from tests.positions import change, legal, play, position

ID = "sultans_of_wind"
GAME = get_game(ID)
BOXES = Path(GAME.folder) / "boxes"


def at(name: str) -> int:
    """A space by its name, as the first seat calls it."""
    return SPACE_NAMES.index(name)


def named(*names: str) -> list[int]:
    spaces = [at(name) for name in names]
    return spaces + [-1] * (3 - len(spaces))


def table(num_players: int = 2, seed: int = 0, box=None, **fields) -> GameBatch:
    """A table in its first round, set-up done: the first seat to act with tiles 1 … 4 in view, 5 … 8 behind the screen."""
    start = {
        "round_number": 1,
        "phase": Phase.RESOLVE,
        "player": 0,
        "turn": 0,
        "order": [*range(num_players), *[-1] * (4 - num_players)],
        "djinn": at("f6"),
        "favor": 0,
        "channel": [[1, 2, 3, 4, 5, 6, 7, 8] if seat < num_players else [0] * 8 for seat in range(4)],
    }
    return position(ID, num_players, seed, box, **{**start, **fields})


def resolving(strength: int, num_players: int = 2, box=None, **fields) -> GameBatch:
    """A table whose first seat resolves a tile, with nothing else in hand."""
    phases = {
        Wind.MOVE: Phase.CARPET,
        Wind.MOVE_THROUGH: Phase.CARPET,
        Wind.TURBULENCE: Phase.TURBULENCE,
        Wind.CHANGING_CLOUDS: Phase.CHANGING_CLOUDS,
        Wind.CALL_DJINN: Phase.CALL_DJINN,
        Wind.MOVE_DJINN: Phase.MOVE_DJINN,
    }
    wind = Wind(int(GAME.load_box(box)["wind"][0][strength]))
    others = [tile for tile in range(1, 9) if tile != strength]
    channel = [[*others[:4], strength, *others[4:]] if seat < num_players else [0] * 8 for seat in range(4)]
    # The others still hold two tiles each, so that the round goes on.
    hand = [[0, 0]] + [[others[5], others[6]] if seat < num_players else [0, 0] for seat in range(1, 4)]
    return table(
        num_players, box=box, **{"phase": phases[wind], "playing": strength, "channel": channel, "hand": hand, **fields}
    )


def destinations(batch: GameBatch) -> set[str]:
    return {name.split()[1] for name in legal(batch) if name.startswith("destination")}


def destination_mask(batch: GameBatch, index: int) -> np.ndarray:
    first = GAME.actions.offsets["destination"]
    return batch.action_mask[index, first : first + 144]


def field(batch: GameBatch, name: str):
    return batch.state[name][0]


def blocked_spaces(batch: GameBatch, index: int = 0) -> set[int]:
    """The cloud spaces of a table, from the tiles' faces."""
    box = batch.box[0]
    found = set()
    for square in range(16):
        face = int(box["face"][batch.state["tile"][index, square], batch.state["turned"][index, square]])
        found |= {int(SPACES_OF_SQUARE[square, place]) for place in range(9) if face >> (place // 3 * 12 + place % 3) & 1}
    return found


def pawn_spaces(batch: GameBatch, index: int = 0) -> set[int]:
    carpets = batch.state["carpet"][index]
    return {int(space) for space in carpets[carpets >= 0]} | {int(batch.state["djinn"][index])}


def around(space: int) -> list[int]:
    row, column = divmod(space, 12)
    steps = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
    return [r * 12 + c for r, c in steps if 0 <= r < 12 and 0 <= c < 12]


def walk(start: int, steps: int, closed: set[int]) -> set[int]:
    """A plain breadth-first search."""
    seen, queue = {start: 0}, deque([start])
    while queue:
        space = queue.popleft()
        if seen[space] == steps:
            continue
        for other in around(space):
            if other not in seen and other not in closed:
                seen[other] = seen[space] + 1
                queue.append(other)
    return set(seen) - {start}


# A known sky: the cloud tiles in the order of the file, as drawn there. From the palace at a1, row 3 is open to i3.
SKY = {"tile": [12, 0, 1, 15, 2, 3, 4, 5, 6, 7, 8, 9, 13, 10, 11, 14], "turned": [0] * 16}


# -- The box -----------------------------------------------------------------------------------------------------------


def test_the_box_holds_what_the_rulebook_lists():
    box = GAME.load_box()[0]
    for tile in range(NUM_CLOUDS):
        for turn in range(4):
            assert int(box["face"][tile, turn]).bit_count() == 5
    assert list(box["carpets"][2:]) == [3, 2, 2]
    winds = {strength: WIND_NAMES[box["wind"][strength]] for strength in range(1, 9)}
    assert winds == {
        1: "move",
        2: "changing clouds",
        3: "move through",
        4: "turbulence",
        5: "move",
        6: "call djinn",
        7: "move",
        8: "move djinn",
    }
    assert sorted(box["steps"][strength] for strength in (1, 5, 7)) == [3, 6, 12]
    assert box["steps"][3] == 2
    assert box["steps"][8] == 4


def test_palaces_starting_spaces_and_middle():
    box = GAME.load_box()[0]
    assert [{SPACE_NAMES[space] for space in box["start"][corner]} for corner in range(4)] == [
        {"a1", "a2", "b1"},
        {"a12", "a11", "b12"},
        {"l12", "l11", "k12"},
        {"l1", "l2", "k1"},
    ]
    assert [SPACE_NAMES[box["start"][corner][2]] for corner in range(4)] == ["a1", "a12", "l12", "l1"]
    assert {SPACE_NAMES[space] for space in box["middle"]} == {"f6", "f7", "g6", "g7"}


def test_faces_turn_clockwise():
    """Tile 1 is `.../.##/###`: open along the top and at the left; a quarter turn later along the right and at the top."""
    batch = table(**SKY)
    square = 1
    for turned, free in ((0, "d3 e3 f3 d2"), (1, "f3 f2 f1 e3"), (2, "f1 e1 d1 f2"), (3, "d1 d2 d3 e1")):
        batch.state["turned"][0, square] = turned
        blocked = blocked_spaces(batch)
        assert {SPACE_NAMES[space] for space in SPACES_OF_SQUARE[square] if space not in blocked} == set(free.split())


@pytest.mark.parametrize(
    ("file", "change_text", "words"),
    [
        ("clouds.csv", ("1,.../.##/###", "1,.../..#/###"), ["row 2", "face", "4 free"]),
        ("clouds.csv", ("1,.../.##/###", "1,.../.##/##"), ["row 2", "face", "three rows"]),
        ("clouds.csv", ("2,.../#.#", "3,.../#.#"), ["row 3", "tile"]),
        ("clouds.csv", ("12,.#./###/.#.,reconstruction\n", ""), ["12 rows", "11"]),
        ("winds.csv", ("1,move,12", "1,fly,12"), ["row 2", "action", "'fly'"]),
        ("winds.csv", ("1,move,12", "1,move,0"), ["row 2", "spaces"]),
        ("winds.csv", ("4,turbulence,0", "4,turbulence,2"), ["row 5", "spaces"]),
        ("winds.csv", ("5,move,6", "6,move,6"), ["row 6", "strength 5"]),
        ("board.csv", ("12,Ss.", "12,Ss?"), ["row 2", "palaces"]),
        ("board.csv", ("12,Ss.", "12,S.s"), ["spaces", "four corners"]),
        ("board.csv", ("9,????????????", "9,???????????"), ["row 5", "12 signs"]),
        ("board.csv", ("?????DD?????", "????????????"), ["4 spaces 'D'"]),
        ("board.csv", ("11,", "10,"), ["row 11"]),
        ("numbers.csv", ("last_round,60", "last_round,0"), ["row 5", "value"]),
        ("numbers.csv", ("carpets_with_2_players,3", "carpets_with_2_players,4"), ["row 2", "value"]),
        ("numbers.csv", ("last_round", "final_round"), ["final_round"]),
        ("numbers.csv", (",source", ",origin"), ["source"]),
    ],
)
def test_a_wrong_component_file_is_refused_with_its_place(tmp_path, file, change_text, words):
    text = (Path(GAME.folder) / "data" / file).read_text(encoding="utf-8")
    assert change_text[0] in text
    (tmp_path / file).write_text(text.replace(*change_text), encoding="utf-8")
    with pytest.raises(ComponentError) as problem:
        GAME.load_box(tmp_path)
    for word in [file, *words]:
        assert word in str(problem.value)


def test_the_second_reading_of_the_move_distances_is_a_box_of_its_own():
    box = GAME.load_box(BOXES / "rising_moves")
    assert [int(box["steps"][0][strength]) for strength in (1, 5, 7)] == [3, 6, 12]
    assert (box["wind"] == GAME.load_box()["wind"]).all()
    # The same carpet in the same maze: tile 7 now goes as far as tile 1 did, without another compilation.
    play(resolving(1), "decline")
    step = GAME.kernel(make_step)
    compiled = len(getattr(step, "signatures", []))
    reach = []
    for strength, folder in ((1, None), (7, BOXES / "rising_moves"), (7, None)):
        batch = resolving(strength, box=folder, **SKY)
        play(batch, "carpet", "first")
        reach.append(destinations(batch))
    assert reach[0] == reach[1]
    assert reach[2] < reach[0]
    assert len(getattr(step, "signatures", [])) == compiled


# -- Set-up ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("num_players", "expected"),
    [
        (2, [{"a1", "a2", "b1"}, {"l12", "l11", "k12"}]),
        (3, [{"a2", "b1"}, {"a11", "b12"}, {"l11", "k12"}]),
        (4, [{"a2", "b1"}, {"a11", "b12"}, {"l11", "k12"}, {"l2", "k1"}]),
    ],
)
def test_carpets_start_at_home_and_fewer_leave_the_dashed_space(num_players, expected):
    batch = position(ID, num_players)
    carpet = field(batch, "carpet")
    assert [{SPACE_NAMES[space] for space in carpet[seat] if space >= 0} for seat in range(num_players)] == expected
    assert (carpet[num_players:] == -1).all()


def test_clouds_are_shuffled_and_turned_evenly():
    batch = make_batch(ID, 6000, seed=5)
    tile, turned = np.asarray(batch.state["tile"]), np.asarray(batch.state["turned"])
    assert (np.sort(tile, axis=1) == np.arange(16)).all()
    for square in (CLOUD_SQUARES[0], CLOUD_SQUARES[7]):
        assert np.abs(np.bincount(tile[:, square], minlength=12)[:12] - 500).max() < 110
        assert np.abs(np.bincount(turned[:, square], minlength=4) - 1500).max() < 170


def test_four_picks_go_into_view_and_the_rest_behind_the_screen():
    batch = position(ID, 2)
    for strength in "8356":
        assert f"tile {strength}" in legal(batch)
        play(batch, "tile", strength)
        assert f"tile {strength}" not in legal(batch) or batch.player[0] == 1
    # The last one in lies leftmost, the first one next to the screen.
    assert list(field(batch, "channel")[0][:VISIBLE]) == [6, 5, 3, 8]
    assert set(field(batch, "channel")[0][VISIBLE:]) == {1, 2, 4, 7}
    assert batch.player[0] == 1
    assert len(legal(batch)) == 8


def arranged(*picks: str, seed: int = 0) -> GameBatch:
    batch = position(ID, len(picks), seed)
    for seat in picks:
        for strength in seat:
            play(batch, "tile", strength)
    return batch


def test_highest_visible_total_places_the_djinn_and_takes_the_favor():
    batch = arranged("1234", "8765", "1278")
    assert field(batch, "phase") == Phase.PLACE_DJINN
    assert batch.player[0] == 1
    assert field(batch, "favor") == 1
    assert destinations(batch) == {"f6", "f7", "g6", "g7"}
    play(batch, "destination", "g6")
    # Seat 1 sits at the second corner, so its g6 is another space of the board.
    assert field(batch, "djinn") == FROM_CORNER[1, at("g6")]
    assert field(batch, "phase") == Phase.CHOOSE
    assert field(batch, "round_number") == 1


def test_a_set_up_tie_is_broken_by_chance_among_the_tied():
    winners = Counter(int(field(arranged("1278", "1234", "8721", "3456", seed=seed), "favor")) for seed in range(200))
    assert set(winners) == {0, 2, 3}
    assert min(winners.values()) > 35


def test_the_djinn_may_be_placed_on_a_cloud_at_first():
    batch = arranged("8765", "1234")
    blocked = blocked_spaces(batch)
    on_cloud = [name for name in destinations(batch) if at(name) in blocked]
    assert on_cloud
    play(batch, "destination", on_cloud[0])
    assert field(batch, "djinn") == at(on_cloud[0])


# -- Phase 1 -----------------------------------------------------------------------------------------------------------


def test_two_tiles_are_chosen_from_behind_the_screen():
    batch = table(phase=Phase.CHOOSE)
    assert legal(batch) == {"tile 5", "tile 6", "tile 7", "tile 8"}
    play(batch, "tile", "7")
    assert legal(batch) == {"tile 5", "tile 6", "tile 8"}
    play(batch, "tile", "5")
    assert batch.player[0] == 1
    assert set(field(batch, "hand")[0]) == {5, 7}
    assert field(batch, "phase") == Phase.CHOOSE


def turn_order(favor: int, *hands: tuple[int, int]) -> list[int]:
    # Every hand must lie behind the screen.
    channel = [[t for t in range(1, 9) if t not in hand] + list(hand) for hand in hands] + [[0] * 8] * (4 - len(hands))
    batch = table(len(hands), phase=Phase.CHOOSE, favor=favor, channel=channel)
    for hand in hands:
        for strength in hand:
            play(batch, "tile", str(strength))
    assert field(batch, "phase") == Phase.RESOLVE
    assert batch.player[0] == field(batch, "order")[0]
    return list(field(batch, "order")[: len(hands)])


def test_the_rulebooks_example_of_a_turn_order():
    """Ben 8+5 = 13; Shara 7+4, John 5+6 and Anthony 8+3 have 11. So they sit, clockwise; Shara has the Favor."""
    ben, shara, john, anthony = range(4)
    assert turn_order(shara, (8, 5), (7, 4), (5, 6), (8, 3)) == [ben, shara, john, anthony]


@pytest.mark.parametrize(
    ("favor", "hands", "order"),
    [
        (0, [(1, 2), (3, 4)], [1, 0]),
        (1, [(1, 4), (2, 3)], [1, 0]),
        (0, [(1, 4), (2, 3)], [0, 1]),
        (2, [(1, 4), (2, 3), (1, 2)], [0, 1, 2]),
        (1, [(1, 4), (2, 3), (8, 7), (1, 4)], [2, 1, 3, 0]),
        (3, [(1, 2), (1, 2), (1, 2), (1, 2)], [3, 0, 1, 2]),
    ],
)
def test_order_by_strength_then_clockwise_from_the_favor(favor, hands, order):
    assert turn_order(favor, *hands) == order


def test_the_order_stays_when_the_favor_moves_within_the_round():
    batch = resolving(6, 3, hand=[[0, 0], [1, 2], [1, 2], [0, 0]], order=[0, 1, 2, -1], favor=2)
    play(batch, "destination", sorted(destinations(batch))[0])
    assert field(batch, "favor") == 0
    assert list(field(batch, "order")[:3]) == [0, 1, 2]
    assert batch.player[0] == 1


# -- Phase 2 -----------------------------------------------------------------------------------------------------------


def test_either_tile_first_then_the_other_without_asking():
    batch = table(hand=[[5, 8], [5, 6], [0, 0], [0, 0]])
    assert legal(batch) == {"tile 5", "tile 8"}
    play(batch, "tile", "8")
    assert field(batch, "phase") == Phase.MOVE_DJINN
    play(batch, "decline")
    assert field(batch, "phase") == Phase.CARPET
    assert field(batch, "playing") == 5
    play(batch, "decline")
    assert batch.player[0] == 1


def test_resolved_tiles_go_to_the_left_end_and_the_channel_slides():
    batch = table(hand=[[5, 8], [5, 6], [0, 0], [0, 0]])
    play(batch, "tile", "8")
    play(batch, "decline")
    assert list(field(batch, "channel")[0]) == [8, 1, 2, 3, 4, 5, 6, 7]
    play(batch, "decline")
    assert list(field(batch, "channel")[0]) == [5, 8, 1, 2, 3, 4, 6, 7]


def test_a_round_ends_with_four_tiles_behind_every_screen():
    batch = make_batch(ID, 64, 3, seed=2)
    seen = 0
    for _ in range(400):
        before = np.asarray(batch.state["round_number"]).copy()
        batch.step(batch.sample())
        for index in np.flatnonzero(np.asarray(batch.state["round_number"]) == before + 1):
            if batch.state["phase"][index] == Phase.CHOOSE and before[index] > 0:
                assert (np.asarray(batch.state["hand"][index]) == 0).all()
                assert batch.action_mask[index].sum() == 4
                seen += 1
    assert seen > 100


@pytest.mark.parametrize("strength", [1, 5, 7])
def test_move_walks_up_to_its_distance(strength):
    steps = {1: 12, 5: 6, 7: 3}[strength]
    batch = resolving(strength, **SKY)
    assert "decline" in legal(batch)
    play(batch, "carpet", "first")
    closed = blocked_spaces(batch) | pawn_spaces(batch)
    assert {at(name) for name in destinations(batch)} == walk(int(field(batch, "carpet")[0, 0]), steps, closed)
    assert legal(batch) == {f"destination {name}" for name in destinations(batch)}


def test_reach_is_exactly_that_of_a_plain_search():
    """Thousands of random positions: move 3, 6, 12, move through 2 and the Djinn's 4."""
    compared = Counter()
    for num_players in (2, 3, 4):
        batch = make_batch(ID, 300, num_players, seed=num_players)
        for _ in range(150):
            batch.step(batch.sample())
        for _ in range(25):
            batch.step(batch.sample())
            phase = np.asarray(batch.state["phase"])
            for index in np.flatnonzero((phase == Phase.DESTINATION) | (phase == Phase.MOVE_DJINN)):
                state = batch.state[index]
                wind, steps = (int(batch.box[name][0][state["playing"]]) for name in ("wind", "steps"))
                blocked, pawns = blocked_spaces(batch, index), pawn_spaces(batch, index)
                if phase[index] == Phase.MOVE_DJINN:
                    start = int(state["djinn"])
                else:
                    start = int(state["carpet"][state["player"], state["moving"]])
                through = wind == Wind.MOVE_THROUGH
                expected = walk(start, steps, set() if through else blocked | pawns) - blocked - pawns
                corner = int(state["player"]) * (2 if num_players == 2 else 1)
                shown = np.flatnonzero(destination_mask(batch, index))
                assert {int(FROM_CORNER[corner, space]) for space in shown} == expected
                compared[wind, steps] += 1
    assert sum(compared.values()) > 2000
    assert min(compared[key] for key in ((0, 3), (0, 6), (0, 12), (1, 2), (5, 4))) > 200


def test_only_carpets_that_can_go_somewhere_are_offered():
    # The corner carpet is shut in by its own companions.
    batch = resolving(1, carpet=[named("a1", "a2", "b1"), named("l12", "l11", "k12"), [-1] * 3, [-1] * 3], **SKY)
    assert {name for name in legal(batch) if name.startswith("carpet")} == {"carpet second", "carpet third"}
    # Only Move Through gets it out.
    batch = resolving(3, carpet=[named("a1", "a2", "b1"), named("l12", "l11", "k12"), [-1] * 3, [-1] * 3], **SKY)
    assert "carpet first" in legal(batch)
    play(batch, "carpet", "first")
    assert destinations(batch) == {"a3", "b2", "c1"}


def test_carpets_and_the_djinn_block_the_way():
    # b1 and a2 leave the corner carpet one exit each; the Djinn on b2 shuts the diagonal.
    batch = resolving(7, carpet=[named("a1", "c1", "a3"), named("l12", "l11", "k12"), [-1] * 3, [-1] * 3], djinn=at("b2"))
    play(batch, "carpet", "first")
    assert destinations(batch) == {"a2", "b1"}


def test_a_carpet_moves_where_it_was_sent_and_no_other_does():
    batch = resolving(7, **SKY)
    before = field(batch, "carpet").copy()
    play(batch, "carpet", "second")
    play(batch, "destination", "c2")
    after = field(batch, "carpet")
    assert after[0, 1] == at("c2")
    assert (np.delete(after.ravel(), 1) == np.delete(before.ravel(), 1)).all()


def test_move_through_ends_only_on_free_spaces():
    batch = resolving(3, carpet=[named("d3", "c3", "b1"), named("l12", "l11", "k12"), [-1] * 3, [-1] * 3], **SKY)
    play(batch, "carpet", "second")
    blocked = blocked_spaces(batch)
    near = walk(at("c3"), 2, set())
    assert {at(name) for name in destinations(batch)} == near - blocked - {at("d3"), at("b1")}
    assert near & blocked


def test_turbulence_turns_the_cloud_and_its_pawns():
    # Square B2 holds d4 … f6. A quarter turn clockwise takes the bottom left to the top left.
    batch = resolving(
        4,
        carpet=[named("d4", "a2", "b1"), named("e6", "l11", "k12"), [-1] * 3, [-1] * 3],
        djinn=at("f5"),
        tile=SKY["tile"],
        turned=[0] * 16,
    )
    square = 5
    play(batch, "turn", "B2", "90°")
    assert field(batch, "turned")[square] == 1
    assert SPACE_NAMES[field(batch, "carpet")[0, 0]] == "d6"
    assert SPACE_NAMES[field(batch, "carpet")[1, 0]] == "f5"
    assert SPACE_NAMES[field(batch, "djinn")] == "e4"
    assert SPACE_NAMES[field(batch, "carpet")[0, 1]] == "a2"
    assert (np.delete(field(batch, "turned"), square) == 0).all()


@pytest.mark.parametrize(("angle", "where"), [("90°", "d6"), ("180°", "f6"), ("270°", "f4")])
def test_a_cloud_turns_by_any_quarter(angle, where):
    batch = resolving(4, carpet=[named("d4", "a2", "b1"), named("l12", "l11", "k12"), [-1] * 3, [-1] * 3], djinn=at("g9"))
    play(batch, "turn", "B2", angle)
    assert SPACE_NAMES[field(batch, "carpet")[0, 0]] == where


def test_turning_and_swapping_may_be_declined_and_spare_the_palaces():
    batch = resolving(4)
    turns = {name.split()[1] for name in legal(batch) if name.startswith("turn")}
    assert turns == {"A2", "A3", "B1", "B2", "B3", "B4", "C1", "C2", "C3", "C4", "D2", "D3"}
    assert len(legal(batch)) == 12 * 3 + 1
    before = field(batch, "turned").copy()
    play(batch, "decline")
    assert (field(batch, "turned") == before).all()
    batch = resolving(2)
    assert len(legal(batch)) == 16 + 1
    assert "swap B1-C1" in legal(batch)
    assert not any("A1" in name or "D4" in name or "A4" in name or "D1" in name for name in legal(batch))


def test_changing_clouds_swaps_two_tiles_as_they_lie_with_their_pawns():
    batch = resolving(
        2,
        carpet=[named("d4", "a2", "b1"), named("h8", "l11", "k12"), [-1] * 3, [-1] * 3],
        djinn=at("f8"),
        tile=SKY["tile"],
        turned=[0, 1, 2, 0, 1, 2, 3, 1, 1, 3, 0, 0, 0, 2, 2, 0],
    )
    tile, turned = field(batch, "tile").copy(), field(batch, "turned").copy()
    play(batch, "swap", "B2-B3")
    tile[[5, 9]], turned[[5, 9]] = tile[[9, 5]], turned[[9, 5]]
    assert (field(batch, "tile") == tile).all()
    assert (field(batch, "turned") == turned).all()
    assert SPACE_NAMES[field(batch, "carpet")[0, 0]] == "d7"
    assert SPACE_NAMES[field(batch, "djinn")] == "f5"
    assert SPACE_NAMES[field(batch, "carpet")[1, 0]] == "h8"


def test_swapping_and_turning_grant_no_wish():
    # The swap brings the Djinn's square under an own carpet's neighbour, the turn happens where both stand.
    for strength, action in ((2, ("swap", "B2-B3")), (4, ("turn", "B2", "90°"))):
        batch = resolving(
            strength, carpet=[named("d4", "a2", "b1"), named("l12", "l11", "k12"), [-1] * 3, [-1] * 3], djinn=at("f5")
        )
        play(batch, *action)
        assert field(batch, "phase") == Phase.RESOLVE
        assert batch.player[0] == 1


def test_call_djinn_must_be_done_and_goes_to_any_free_space_without_carpets_on_its_square():
    batch = resolving(6, favor=1, **SKY)
    assert "decline" not in legal(batch)
    blocked = blocked_spaces(batch)
    carpets = pawn_spaces(batch) - {int(field(batch, "djinn"))}
    expected = {
        int(space)
        for square in range(16)
        if not carpets & set(SPACES_OF_SQUARE[square].tolist())
        for space in SPACES_OF_SQUARE[square]
        if int(space) not in blocked
    }
    assert {at(name) for name in destinations(batch)} == expected
    # An empty palace is such a square too.
    assert at("a12") in expected
    play(batch, "destination", "a12")
    assert field(batch, "djinn") == at("a12")
    assert field(batch, "favor") == 0


def test_the_djinn_may_be_called_to_where_it_was():
    batch = resolving(6, djinn=at("a12"), favor=1)
    assert "a12" in destinations(batch)


def test_move_djinn_takes_the_favor_only_if_it_moved():
    batch = resolving(8, djinn=at("k1"), favor=1)
    play(batch, "decline")
    assert field(batch, "favor") == 1
    batch = resolving(8, djinn=at("k1"), favor=1)
    assert "k1" not in destinations(batch)
    play(batch, "destination", "l3")
    assert field(batch, "favor") == 0
    assert field(batch, "djinn") == at("l3")


def test_the_djinn_leaves_the_cloud_it_was_placed_on():
    batch = resolving(8, **SKY)
    blocked = blocked_spaces(batch)
    for space in batch.box["middle"][0]:
        if int(space) in blocked:
            change(batch, djinn=space)
            expected = walk(int(space), 4, blocked | pawn_spaces(batch))
            assert {at(name) for name in destinations(batch)} == expected
            assert not {at(name) for name in destinations(batch)} & blocked


# -- The Djinn's wish --------------------------------------------------------------------------------------------------

APART = [named("c3", "a2", "b1"), named("l12", "l11", "k12"), [-1] * 3, [-1] * 3]


def wish_by_carpet(strength: int = 7, **fields) -> GameBatch:
    """A carpet flies from the own palace to the next square, where the Djinn is. Squares B1 and A2 are open beside it."""
    batch = resolving(strength, carpet=APART, **{**SKY, "djinn": at("f3"), **fields})
    play(batch, "carpet", "first")
    play(batch, "destination", "d2")
    return batch


def test_a_carpet_that_ends_on_the_djinns_square_wins_a_wish():
    batch = wish_by_carpet()
    assert field(batch, "phase") == Phase.WISH
    assert batch.player[0] == 0
    # The tile was slid back before the wish: after it four tiles are behind the screen.
    assert legal(batch) == {"tile 4", "tile 5", "tile 6", "tile 8", "decline"}


def test_a_wish_after_the_first_tile_offers_three():
    batch = wish_by_carpet(hand=[[8, 0], [5, 6], [0, 0], [0, 0]])
    assert legal(batch) == {"tile 4", "tile 5", "tile 6", "decline"}
    play(batch, "tile", "5")
    assert field(batch, "wishing") == 1
    play(batch, "decline")
    # Then the second chosen tile follows.
    assert field(batch, "playing") == 8
    assert list(field(batch, "channel")[0][:2]) == [5, 7]


def test_a_wish_may_be_declined():
    batch = wish_by_carpet()
    play(batch, "decline")
    assert batch.player[0] == 1
    assert field(batch, "phase") == Phase.RESOLVE


def test_move_through_wins_a_wish_as_well():
    assert field(wish_by_carpet(3), "phase") == Phase.WISH


def test_no_wish_on_the_square_where_the_carpet_already_was():
    batch = resolving(7, carpet=APART, **{**SKY, "djinn": at("a1")})
    play(batch, "carpet", "first")
    play(batch, "destination", "c2")
    assert batch.player[0] == 1


def test_palaces_count_as_squares_for_a_wish():
    carpet = [named("d3", "a2", "b1"), *APART[1:]]
    batch = resolving(7, carpet=carpet, **{**SKY, "djinn": at("a1")})
    play(batch, "carpet", "first")
    play(batch, "destination", "c3")
    assert field(batch, "phase") == Phase.WISH


def test_passing_the_djinns_square_wins_nothing():
    # Row 3 is open from the palace through B1, where the Djinn is, to C1.
    batch = resolving(1, carpet=APART, **{**SKY, "djinn": at("d2")})
    play(batch, "carpet", "first")
    play(batch, "destination", "h3")
    assert batch.player[0] == 1


def test_a_djinn_moved_to_an_own_carpets_square_grants_a_wish():
    batch = resolving(8, carpet=APART, **{**SKY, "djinn": at("d3")})
    play(batch, "destination", "c2")
    assert field(batch, "phase") == Phase.WISH


def test_a_djinn_that_was_there_already_or_visits_others_grants_none():
    batch = resolving(8, carpet=APART, **{**SKY, "djinn": at("c1")})
    play(batch, "destination", "c2")
    assert batch.player[0] == 1
    others = [named("c3", "a2", "b1"), named("l1", "l11", "k12"), [-1] * 3, [-1] * 3]
    batch = resolving(8, carpet=others, **{**SKY, "djinn": at("l2")})
    play(batch, "destination", "k2")
    assert batch.player[0] == 1


def test_a_called_djinn_never_grants_a_wish():
    batch = resolving(6)
    play(batch, "destination", sorted(destinations(batch))[0])
    assert batch.player[0] == 1


def test_no_wishing_for_wishes():
    batch = wish_by_carpet()
    play(batch, "tile", "8")
    # The Djinn flies over to the palace where two more own carpets are.
    play(batch, "destination", "c3")
    assert batch.player[0] == 1
    assert list(field(batch, "channel")[0][:2]) == [8, 7]


def test_both_tiles_can_win_a_wish_in_one_turn():
    batch = wish_by_carpet(hand=[[8, 0], [5, 6], [0, 0], [0, 0]])
    play(batch, "decline")
    play(batch, "destination", "c3")
    assert field(batch, "phase") == Phase.WISH


# -- The end of the game -----------------------------------------------------------------------------------------------


def test_all_carpets_on_the_opposite_starting_spaces_win():
    far = [named("l12", "l11", "j12"), named("a12", "a11", "b12"), [-1] * 3, [-1] * 3]
    batch = resolving(7, carpet=far, djinn=at("a1"))
    play(batch, "carpet", "third")
    play(batch, "destination", "j11")
    assert field(batch, "status") == RUNNING
    batch = resolving(7, carpet=far, djinn=at("a1"))
    play(batch, "carpet", "third")
    play(batch, "destination", "k12")
    assert field(batch, "status") == TERMINATED
    assert field(batch, "winner") == 0
    assert list(batch.reward[0]) == [1, -1]
    assert batch.final_scores[0, 0] == 0
    assert batch.final_scores[0, 1] < 0


def goal_table(own, other, djinn="a1", num_players=2) -> bool:
    """Whether the first seat, with these carpets, has won after an action that changes nothing."""
    rest = [named(*other)] + [named("a3", "a5")] * (num_players - 2)
    carpet = [named(*own), *rest, *[[-1] * 3] * (3 - len(rest))]
    if num_players > 2:
        carpet[2] = named("e1", "e2")
    batch = resolving(7, num_players, carpet=carpet, djinn=at(djinn))
    play(batch, "decline")
    return field(batch, "status") == TERMINATED


@pytest.mark.parametrize(
    ("own", "other", "djinn", "won"),
    [
        (("l12", "l11", "k12"), ("a12", "a11", "b12"), "a1", True),
        # Beside a starting space that another pawn blocks is enough …
        (("l12", "l11", "j12"), ("k12", "a11", "b12"), "a1", True),
        (("l12", "l11", "k11"), ("k12", "a11", "b12"), "a1", True),
        (("l12", "l11", "k11"), ("a12", "a11", "b12"), "k12", True),
        (("l12", "k11", "j12"), ("k12", "a11", "b12"), "l11", True),
        # … but not beside a free one, not diagonally, and each blocked space serves one carpet.
        (("l12", "l11", "j12"), ("a12", "a11", "b12"), "a1", False),
        (("l12", "l11", "j11"), ("k12", "a11", "b12"), "a1", False),
        (("l12", "k11", "j12"), ("k12", "a11", "b12"), "a1", False),
        # Own carpets are pawns like others: each stands beside the next one, the last beside a space that somebody blocks.
        (("l11", "l12", "l10"), ("k12", "a11", "b12"), "a1", True),
        # With nobody there the three have two spaces between them.
        (("l11", "l12", "l10"), ("a12", "a11", "b12"), "a1", False),
    ],
)
def test_blocked_starting_spaces(own, other, djinn, won):
    assert goal_table(own, other, djinn) == won


@pytest.mark.parametrize(("own", "won"), [(("l11", "k12"), True), (("l12", "k12"), True), (("l12", "j12"), False)])
def test_with_two_carpets_any_of_the_three_spaces_serve(own, won):
    assert goal_table(own, ("a12", "a11"), num_players=4) == won


def test_three_players_race_to_the_opposite_corner_even_if_nobody_plays_there():
    """The second of three players faces the empty fourth corner."""
    carpet = [named("d3", "e3"), named("l1", "k2"), named("a12", "b12"), [-1] * 3]
    batch = resolving(7, 3, carpet=carpet, djinn=at("a1"), player=1, order=[1, 0, 2, -1])
    play(batch, "carpet", "second")
    # It names spaces from its own corner a12: k1 of the board is its l11 turned its way.
    play(batch, "destination", SPACE_NAMES[TO_CORNER[1, at("k1")]])
    assert field(batch, "status") == TERMINATED
    assert field(batch, "winner") == 1
    assert list(batch.reward[0]) == [-0.5, 1, -0.5]


def test_the_win_is_the_acting_players_and_waits_for_an_own_action():
    far = [named("l12", "l11", "j12"), named("b3", "a11", "b12"), [-1] * 3, [-1] * 3]
    # The second player sends the Djinn onto the last starting space: the first player's carpet beside it would do now.
    batch = resolving(8, carpet=far, djinn=at("k11"), player=1, order=[1, 0, -1, -1], hand=[[7, 5], [0, 0], [0, 0], [0, 0]])
    play(batch, "destination", SPACE_NAMES[TO_CORNER[2, at("k12")]])
    assert field(batch, "status") == RUNNING
    play(batch, "tile", "7")
    play(batch, "decline")
    assert field(batch, "winner") == 0


def test_the_game_is_cut_off_after_the_last_round():
    last = int(GAME.load_box()["last_round"][0])
    for rounds, status in ((last - 1, RUNNING), (last, TRUNCATED)):
        batch = resolving(7, round_number=rounds, turn=1, order=[1, 0, -1, -1], hand=[[0, 0]] * 4)
        play(batch, "decline")
        assert field(batch, "status") == status
    assert batch.truncated[0]
    assert not batch.terminated[0]
    with pytest.raises(IllegalActionError):
        play(batch, "decline")


def test_a_cut_off_game_is_placed_by_walking_distance():
    near = [named("l12", "l11", "j11"), named("l1", "l2", "k1"), [-1] * 3, [-1] * 3]
    batch = resolving(7, round_number=60, turn=1, order=[1, 0, -1, -1], hand=[[0, 0]] * 4, carpet=near)
    play(batch, "decline")
    assert list(batch.reward[0]) == [1, -1]
    assert batch.final_scores[0, 0] == -2  # from j11 to k12
    assert batch.final_scores[0, 1] < -30


def test_a_won_position_has_no_steps_left():
    """Who was brought there by others in the last round has no own action left to win with, but is the closest."""
    chain = [named("l11", "l12", "l10"), named("k12", "a2", "b1"), [-1] * 3, [-1] * 3]
    batch = resolving(7, round_number=60, player=1, turn=1, order=[0, 1, -1, -1], hand=[[0, 0]] * 4, carpet=chain)
    play(batch, "decline")
    assert batch.truncated[0]
    assert batch.final_scores[0, 0] == 0
    assert list(batch.reward[0]) == [1, -1]


def plain_distance(batch: GameBatch, seat: int) -> int:
    """Remaining distance by a plain shortest-path search and all assignments."""
    blocked = blocked_spaces(batch)
    number = int(batch.box["carpets"][0][batch.state["num_players"][0]])
    corner = seat * (2 if number == 3 else 1)
    goals = [int(space) for space in batch.box["start"][0][(corner + 2) % 4]]
    carpets = [int(space) for space in field(batch, "carpet")[seat][:number]]
    others = pawn_spaces(batch) - set(carpets)
    costs = []
    for start in carpets:
        best, heap = {start: 0}, [(0, start)]
        while heap:
            cost, space = heapq.heappop(heap)
            if cost > best[space]:
                continue
            for other in around(space):
                further = cost + (CLOUD_STEPS if other in blocked else 1)
                if further < best.get(other, 10**6):
                    best[other] = further
                    heapq.heappush(heap, (further, other))
        costs.append([best[goal] - (goal in others) for goal in goals])
    return min(sum(row[k] for row, k in zip(costs, choice, strict=False)) for choice in permutations(range(3), number))


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_remaining_distance_is_that_of_a_plain_search(num_players):
    batch = make_batch(ID, 1, num_players, seed=9, autoreset=False)
    for _ in range(40):
        for _ in range(10):
            if batch.running[0]:
                batch.step(batch.sample())
        if field(batch, "djinn") < 0 or field(batch, "winner") >= 0:
            continue
        assert list(batch.scores()[0]) == [-plain_distance(batch, seat) for seat in range(num_players)]


# -- Hidden choices ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_secret_picks_show_to_nobody_else(num_players):
    """Tables that differ only in others' unrevealed picks look alike to a seat: observation, mask and board."""
    rng = np.random.default_rng(1)
    for phase, picks in ((Phase.ARRANGE, 4), (Phase.CHOOSE, 2)):
        for viewer in range(num_players):
            start = position(ID, num_players) if phase == Phase.ARRANGE else table(num_players, phase=phase)
            one, two = start.copy(), start.copy()
            for _ in range(num_players * picks - 1):
                if one.player[0] == viewer:
                    assert (one.action_mask == two.action_mask).all()
                    same = rng.choice(np.flatnonzero(one.action_mask[0]))
                    one.step([same])
                    two.step([same])
                else:
                    for batch in (one, two):
                        batch.step([rng.choice(np.flatnonzero(batch.action_mask[0]))])
                assert (one.observe(viewer) == two.observe(viewer)).all()
                assert one.render(0, viewer) == two.render(0, viewer)
            assert field(one, "phase") == phase
            assert one.state.tobytes() != two.state.tobytes()


def test_own_secret_picks_show_to_their_owner_and_revealed_ones_to_all():
    batch = table(phase=Phase.CHOOSE)
    play(batch, "tile", "7")
    assert GAME.describe(batch.observe(0)[0])["hand"][0, 6] == 1
    assert GAME.describe(batch.observe(1)[0])["hand"].sum() == 0
    assert "in hand" in batch.render(0, 0)
    assert "in hand" not in batch.render(0, 1)
    for strength in "856":
        play(batch, "tile", strength)
    assert field(batch, "phase") == Phase.RESOLVE
    assert set(np.flatnonzero(GAME.describe(batch.observe(1)[0])["hand"][2])) == {6, 7}
    assert "in hand" in batch.render(0, 1)


def test_arranged_tiles_are_hidden_until_all_have_arranged():
    batch = position(ID, 2)
    for strength in "1234":
        play(batch, "tile", strength)
    assert GAME.describe(batch.observe(1)[0])["channel"][2].sum() == 0
    assert "arranges in secret" in batch.render(0, 1)
    assert "arranges in secret" not in plain(batch.render(0, 0)).split("player 1")[0]
    for strength in "5678":
        play(batch, "tile", strength)
    channel = GAME.describe(batch.observe(1)[0])["channel"][2]
    assert np.allclose(channel, [0.8, 0.6, 0.4, 0.2, 1, 1, 1, 1])


def test_determinize_keeps_what_a_seat_knows():
    for num_players in (2, 3, 4):
        batch = make_batch(ID, 128, num_players, seed=4)
        for step in range(60):
            batch.step(batch.sample())
            for viewer in range(num_players):
                twin = batch.copy()
                twin.determinize(viewer, step)
                assert (twin.observe(viewer) == batch.observe(viewer)).all()
                same = batch.player == viewer
                assert (twin.action_mask[same] == batch.action_mask[same]).all()
                for name, holds in GAME.invariants(twin.state, twin.box).items():
                    assert holds.all(), name


def chi_square(counts: np.ndarray) -> float:
    expected = counts.sum() / counts.size
    return float(((counts - expected) ** 2 / expected).sum())


def test_determinize_is_uniform_over_hands():
    batch = make_batch(ID, 12_000, 3, seed=1)
    for _ in range(3 * 4 + 1 + 2 + 1):  # set-up, the Djinn, seat 0 has chosen two and seat 1 one
        batch.step(batch.sample())
    batch.determinize(2, 7)
    channel, hand = np.asarray(batch.state["channel"]), np.asarray(batch.state["hand"])
    places = (channel[:, :, None, :] == hand[:, :, :, None]).argmax(3) - VISIBLE
    assert (places[:, 0].min(), places[:, 0].max()) == (0, 3)
    assert (hand[:, 2] == 0).all()
    assert (hand[:, 1, 1] == 0).all()
    pairs = np.bincount(places[:, 0, 0] * 4 + places[:, 0, 1], minlength=16).reshape(4, 4)
    assert (pairs.diagonal() == 0).all()
    assert chi_square(pairs[~np.eye(4, dtype=bool)]) < 31.3  # 11 degrees of freedom, 0.1 %
    assert chi_square(np.bincount(places[:, 1, 0], minlength=4)) < 16.3  # 3 degrees of freedom


def test_determinize_is_uniform_over_channels():
    batch = make_batch(ID, 16_000, 2, seed=1)
    for _ in range(4):
        batch.step(batch.sample())
    batch.determinize(1, 3)
    channel = np.asarray(batch.state["channel"])[:, 0]
    for place in range(VISIBLE):
        assert chi_square(np.bincount(channel[:, place] - 1, minlength=8)) < 24.3  # 7 degrees of freedom
    pairs = np.bincount((channel[:, 0] - 1) * 8 + channel[:, 3] - 1, minlength=64).reshape(8, 8)
    assert chi_square(pairs[~np.eye(8, dtype=bool)]) < 97  # 55 degrees of freedom


# -- Perspective -------------------------------------------------------------------------------------------------------


def rotated(batch: GameBatch, quarters: int) -> GameBatch:
    """The same positions with the whole table turned clockwise: every seat has become the seat of another corner."""
    twin = batch.copy()
    num_players = int(batch.num_players[0])
    shift = quarters if num_players == 4 else quarters // 2
    state, old = twin.state, {name: np.asarray(batch.state[name]).copy() for name in batch.state.dtype.names}
    seats = (np.arange(num_players) + shift) % num_players
    clouds = [square for square in range(16) if square not in CORNER_SQUARES]
    for square in clouds:
        there = int(SQUARE_FROM_CORNER[quarters, square])
        state["tile"][:, there] = old["tile"][:, square]
        state["turned"][:, there] = (old["turned"][:, square] + quarters) % 4
    space = np.append(FROM_CORNER[quarters], -1)
    for seat in range(num_players):
        state["carpet"][:, seats[seat]] = space[old["carpet"][:, seat]]
        state["channel"][:, seats[seat]] = old["channel"][:, seat]
        state["hand"][:, seats[seat]] = old["hand"][:, seat]
    state["djinn"][:] = space[old["djinn"]]
    state["favor"][:] = np.where(old["favor"] >= 0, (old["favor"] + shift) % num_players, -1)
    state["order"][:, :num_players] = np.where(
        old["order"][:, :num_players] >= 0, (old["order"][:, :num_players] + shift) % num_players, -1
    )
    state["player"][:] = (old["player"] + shift) % num_players
    twin.refresh()
    return twin


@pytest.mark.parametrize(("num_players", "quarters"), [(2, 2), (4, 1), (4, 2), (4, 3)])
def test_a_turned_table_looks_and_plays_the_same(num_players, quarters):
    batch = make_batch(ID, 256, num_players, seed=6, autoreset=False)
    for _ in range(120):
        actions = batch.sample()
        secret = np.isin(np.asarray(batch.state["phase"]), (Phase.ARRANGE, Phase.CHOOSE))
        running = batch.running & ~secret
        twin = rotated(batch, quarters)
        assert (twin.action_mask[running] == batch.action_mask[running]).all()
        assert (twin.observation[running] == batch.observation[running]).all()
        assert np.allclose(twin.evaluate(twin.player)[running], batch.evaluate(batch.player)[running])
        twin.step(actions, where=running)
        batch.step(actions, where=batch.running)
        # In the secret phases seats pick one after another, so only what follows them can be compared again.
        later = running & batch.running & ~np.isin(np.asarray(batch.state["phase"]), (Phase.ARRANGE, Phase.CHOOSE))
        assert (twin.action_mask[later] == batch.action_mask[later]).all()
        assert (twin.observation[later] == batch.observation[later]).all()


def test_every_seat_sees_its_own_corner_at_a1():
    batch = position(ID, 4)
    for seat in range(4):
        seen = GAME.describe(batch.observe(seat)[0])
        assert {SPACE_NAMES[space] for space in np.flatnonzero(seen["own_carpets"])} == {"a2", "b1"}
        assert seen["other_carpets"].sum() == 6


# -- Playing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("num_players", [2, 3, 4])
def test_random_games_lose_no_piece(num_players):
    batch = make_batch(ID, 200, num_players, seed=num_players)
    for _ in range(700):
        batch.step(batch.sample())
        assert (batch.action_mask.sum(1) > 0).all()
        for name, holds in GAME.invariants(batch.state, batch.box).items():
            assert holds.all(), name
    assert (batch.observation >= GAME.observation.low).all()
    assert (batch.observation <= GAME.observation.high).all()


def test_greedy_beats_random_and_finishes():
    result = play_match(ID, ["greedy", "random"], 100, seed=1)
    assert result.win_share[0] > 0.95
    result = play_match(ID, ["greedy", "greedy"], 100, seed=1)
    assert result.truncated < 0.05


def test_greedy_comes_closer_round_by_round():
    """It does not shuffle back and forth: over nearly any six rounds two greedy players together have fewer steps to go."""
    batch = make_batch(ID, 16, 2, seed=8, autoreset=False)
    agent = GreedyAgent()
    history: dict[tuple[int, int], np.ndarray] = {}
    while batch.running.any():
        tables = np.flatnonzero(batch.running)
        actions = np.zeros(16, np.int64)
        actions[tables] = agent.act(batch, tables)
        rounds = np.asarray(batch.state["round_number"]).copy()
        batch.step(actions, where=batch.running)
        scores = batch.scores()
        for index in np.flatnonzero(np.asarray(batch.state["round_number"]) > rounds):
            history[int(index), int(batch.state["round_number"][index])] = scores[index].copy()
    later = [(before, history[index, r + 6]) for (index, r), before in history.items() if (index, r + 6) in history]
    assert later
    assert np.mean([after.sum() > before.sum() for before, after in later]) > 0.95


def test_the_board_is_drawn_from_the_viewers_corner():
    batch = table(carpet=[named("c2", "a2", "b1"), named("l12", "l11", "k12"), [-1] * 3, [-1] * 3])
    mine, theirs = plain(batch.render(0, 0)).splitlines(), plain(batch.render(0, 1)).splitlines()

    def row(lines, number):
        return next(line for line in lines if line.startswith(f"{number:2d} |"))

    assert row(mine, 2)[5:11] == "◆2· ◆1"
    assert row(theirs, 2)[5:7] == "◆2"
    assert "☾" in plain(batch.render())
    assert "▐5→6 6☾! 7→3 8☾4▌" in plain(batch.render(0, 0))


def test_a_folder_with_some_files_takes_the_rest_from_the_game(tmp_path):
    shutil.copy(BOXES / "rising_moves" / "winds.csv", tmp_path)
    assert GAME.load_box(tmp_path)["face"].tobytes() == GAME.load_box()["face"].tobytes()


def test_a_blocked_palace_space_is_data_too(tmp_path):
    text = (Path(GAME.folder) / "data" / "board.csv").read_text(encoding="utf-8")
    text = text.replace("11,s..??????..s", "11,s#.??????.#s").replace("2,s..??????..s", "2,s#.??????.#s")
    (tmp_path / "board.csv").write_text(text, encoding="utf-8")
    batch = resolving(7, box=tmp_path)
    assert at("b2") in blocked_spaces(batch)
    assert at("k11") in blocked_spaces(batch)
    play(batch, "carpet", "first")
    assert "b2" not in destinations(batch)


def test_pairs_and_squares_are_named_alike_from_all_corners():
    """Adjacent squares stay adjacent when the table is turned, so that every seat has the same sixteen swaps."""
    pairs = {frozenset(map(int, pair)) for pair in CLOUD_PAIRS}
    assert len(pairs) == 16
    for corner in range(4):
        assert {frozenset(int(SQUARE_FROM_CORNER[corner, square]) for square in pair) for pair in pairs} == pairs


def test_distances_of_a_record_are_read_from_the_rules_directly():
    """`remaining_distance` works on a single record, compiled or not."""
    batch = table(carpet=[named("l12", "l11", "j12"), named("a12", "a11", "b12"), [-1] * 3, [-1] * 3])
    assert remaining_distance(for_rules(batch.state)[0], batch.box[0], 0) == 1
