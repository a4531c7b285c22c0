"""Sultaniya: every rule of the rulebook, from positions built for it."""

from __future__ import annotations

import csv
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from agents.arena import play_match
from arabian_envs import ComponentError, GameBatch, get_game, make_batch
from arabian_envs.engine.kernels import make_step
from arabian_envs.engine.state import RUNNING, TERMINATED, TRUNCATED
from arabian_envs.engine.text import plain
from arabian_envs.games.sultaniya.components import (
    CHARACTER_NAMES,
    FIRST_SLOT,
    FIRST_TILE,
    FLOOR_NAMES,
    NUM_SLOTS,
    NUM_TILES,
    TILES_OF_FLOOR,
    WIDTH,
    Djinn,
)
from arabian_envs.games.sultaniya.state import Phase
from tests.positions import change, legal, play, position

ID = "sultaniya"
GAME = get_game(ID)
DATA = Path(GAME.folder) / "data"
OPEN = Path(GAME.folder) / "boxes" / "open_objectives"
FLOORS = dict(zip("BRGY", FLOOR_NAMES, strict=True))

with (DATA / "tiles.csv").open(newline="") as _file:
    ROWS = list(csv.DictReader(_file))
with (DATA / "printed.csv").open(newline="") as _file:
    PRINTED_ROWS = list(csv.DictReader(_file))
with (DATA / "objectives.csv").open(newline="") as _file:
    OBJECTIVES = [row["objective"] for row in csv.DictReader(_file)]

PRINTED = """
    roof      .    .    .    .    .
    green  .    .    .    .    .    .
    red       .    .    #    .    .
    blue   .    .    #    #    .    .
"""


# -- Building positions ------------------------------------------------------------------------------------------------


def tile(name: str) -> int:
    """A tile by its name: B01 … Y25."""
    floor = "BRGY".index(name[0])
    return int(FIRST_TILE[floor]) + int(name[1:3]) - 1


def palace(picture: str, character: int) -> np.ndarray:
    """Faces by slot from a picture: `B01` a tile as drawn, `B01'` its mirror image, `#` a printed tile, `.` nothing."""
    faces = np.zeros(NUM_SLOTS, np.int16)
    printed = {2: 0, 3: 1, 8: 2}
    lines = [line.split() for line in picture.strip().splitlines()]
    assert [line[0] for line in lines] == ["roof", "green", "red", "blue"]
    for floor, (_, *cells) in enumerate(reversed(lines)):
        assert len(cells) == WIDTH[floor]
        for i, cell in enumerate(cells):
            slot = int(FIRST_SLOT[floor]) + i
            if cell == "#":
                faces[slot] = 1 + 2 * (NUM_TILES + 3 * character + printed[slot])
            elif cell != ".":
                assert FLOORS[cell[0]] == FLOOR_NAMES[floor]
                faces[slot] = 1 + 2 * tile(cell) + cell.endswith("'")
    return faces


def table(
    picture: str = PRINTED,
    others: str = PRINTED,
    num_players: int = 2,
    character: str = "Ali Baba",
    display: str = "",
    tops: str = "",
    box=None,
    **fields,
) -> GameBatch:
    """Seat 0 to act. Its palace is as drawn, the given tiles are on display or on top of the piles (the last name on top),
    and the remaining tiles lie below in order, the lowest number at the bottom."""
    batch = position(ID, num_players, box=box)
    own = CHARACTER_NAMES.index(character)
    rest = [c for c in (0, 1, 2, 3) if c != own]
    characters = [own, *rest[: num_players - 1]]
    palaces = [palace(picture if seat == 0 else others, c) for seat, c in enumerate(characters)]
    palaces += [np.zeros(NUM_SLOTS, np.int16)] * (4 - num_players)
    used = {(int(face) - 1) // 2 for faces in palaces for face in faces if face}
    shown, top = [tile(name) for name in display.split()], [tile(name) for name in tops.split()]
    used |= {*shown, *top}
    piles, displays = np.full((4, 28), -1), np.full((4, 3), -1)
    sizes, displayed = np.zeros(4, int), np.zeros(4, int)
    for floor in range(4):
        span = range(FIRST_TILE[floor], FIRST_TILE[floor] + TILES_OF_FLOOR[floor])
        kept = [t for t in span if t not in used and int(ROWS[t]["min_players"]) <= max(2, num_players)]
        pile = kept + [t for t in top if t in span]
        front = [t for t in shown if t in span]
        piles[floor, : len(pile)], displays[floor, : len(front)] = pile, front
        sizes[floor], displayed[floor] = len(pile), len(front)
    sapphires = fields.pop("sapphires", (0, 0, 0, 0))
    start = {
        "player": 0,
        "first_player": 0,
        "character": (characters + [-1] * 4)[:4],
        "palace": palaces,
        "pile": piles,
        "pile_size": sizes,
        "display": displays,
        "displayed": displayed,
        "objectives": range(10),
        "sapphires": sapphires,
        "treasure": 55 - sum(sapphires),
    }
    change(batch, **{**start, **fields})
    return batch


def holding(name: str, picture: str = PRINTED, **more) -> GameBatch:
    """Seat 0 has taken this tile and must place it."""
    batch = table(picture, display=name, **more)
    play(batch, "pick", FLOORS[name[0]], 0)
    return batch


def places(batch: GameBatch) -> set[str]:
    return {name.removeprefix("place ") for name in legal(batch) if name.startswith("place")}


def points(batch: GameBatch, seat: int = 0) -> float:
    return float(batch.scores()[0, seat])


def scored(
    picture: str, character: str = "Ali Baba", objectives=("Djinns", "sapphire pairs"), num_players=1, **more
) -> float:
    """The score of a solo palace; with these objectives and no sapphires just that of its symbols."""
    chosen = [OBJECTIVES.index(name) for name in objectives]
    order = chosen + [o for o in range(10) if o not in chosen]
    return points(table(picture, num_players=num_players, character=character, objectives=order, **more))


def faces_of(batch: GameBatch, seat: int = 0) -> dict[int, int]:
    return {slot: int(face) for slot, face in enumerate(batch.state["palace"][0, seat]) if face}


# -- Setup -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "sizes"), [(1, (12, 12, 16, 15)), (2, (12, 12, 16, 15)), (3, (16, 16, 22, 20)), (4, (20, 20, 28, 25))]
)
def test_tiles_by_number_of_players(players, sizes):
    state = position(ID, players).state[0]
    assert tuple(state["pile_size"]) == sizes
    marks = {int(ROWS[t]["min_players"]) for t in state["pile"].ravel() if t >= 0}
    assert marks == set(range(2, max(2, players) + 1))


def test_setup_of_boards_sapphires_objectives_and_first_player():
    batch = make_batch(ID, 2000, 3, seed=4)
    state = batch.state
    sides = state["character"][:, :3] // 4
    assert (sides == sides[:, :1]).all()
    assert set(np.unique(sides)) == {0, 1}
    assert all(len(set(row)) == 3 for row in state["character"][:, :3])
    start = np.array([3, 0, 0, 3, 0, 3, 0, 3])
    assert (state["sapphires"][:, :3] == start[state["character"][:, :3]]).all()
    assert (state["treasure"] == 55 - state["sapphires"].sum(axis=1)).all()
    assert (state["djinn_holder"] == -1).all()
    assert ((state["palace"] > 0).sum(axis=2) == [3, 3, 3, 0]).all()
    assert np.bincount(state["first_player"], minlength=3).min() > 550
    counts = np.bincount(state["objectives"][:, :2].ravel(), minlength=10)
    assert counts.min() > 300


def test_characters_can_be_given(tmp_path):
    rows = (DATA / "numbers.csv").read_text().replace("character_of_seat_1,0", "character_of_seat_1,7")
    (tmp_path / "numbers.csv").write_text(rows)
    state = make_batch(ID, 50, 2, seed=0, box=tmp_path).state
    assert (state["character"][:, 1] == 6).all()
    assert (state["character"][:, 0] // 4 == 1).all()
    assert (state["character"][:, 0] != 6).all()


# -- Build -------------------------------------------------------------------------------------------------------------


def test_reveal_moves_the_visible_top_one_tile_at_a_time():
    batch = table(tops="B05 B09")
    play(batch, "reveal", "blue")
    assert list(batch.state["display"][0, 0]) == [tile("B09"), -1, -1]
    play(batch, "reveal", "blue")
    assert list(batch.state["display"][0, 0]) == [tile("B09"), tile("B05"), -1]
    assert "reveal blue" in legal(batch)


def test_with_two_tiles_available_only_one_more_can_be_revealed():
    batch = table(display="R03 R04")
    play(batch, "reveal", "red")
    assert "reveal red" not in legal(batch)
    assert batch.state["displayed"][0, 1] == 3


def test_tiles_of_one_pile_only_are_revealed():
    batch = table()
    play(batch, "reveal", "green")
    assert {name for name in legal(batch) if name.startswith("reveal")} == {"reveal green"}


def test_the_top_of_a_pile_is_never_taken():
    batch = table(tops="B05")
    assert not any(name.startswith("pick") for name in legal(batch))


def test_the_last_tile_of_a_pile_may_be_revealed():
    batch = table()
    pile = batch.state["pile"][0].copy()
    pile[0, 1:] = -1
    change(batch, pile=pile, pile_size=[1, 12, 16, 15])
    play(batch, "reveal", "blue")
    assert batch.state["pile_size"][0, 0] == 0
    assert "reveal blue" not in legal(batch)
    assert "pick blue 0" in legal(batch)


def test_a_tile_of_another_display_may_be_taken_after_revealing():
    batch = table(display="B05", tops="Y01")
    play(batch, "reveal", "roof")
    play(batch, "pick", "blue", 0)
    assert batch.state["hand"][0] == tile("B05")


def test_taking_closes_the_ranks_of_the_display():
    batch = table(display="B05 B06 B09")
    play(batch, "pick", "blue", 1)
    assert list(batch.state["display"][0, 0]) == [tile("B05"), tile("B09"), -1]


def test_only_a_tile_that_fits_can_be_taken():
    # Nothing is built that a roof, or a pointed roof on its own, could stand on.
    batch = table(display="Y01 G01 B05")
    assert {name for name in legal(batch) if name.startswith("pick")} == {"pick blue 0"}


def test_after_revealing_a_fitting_tile_must_be_taken():
    batch = table(display="B05", tops="Y01")
    play(batch, "reveal", "roof")
    assert "pass" not in legal(batch)
    assert "pick blue 0" in legal(batch)


def test_if_nothing_fits_after_revealing_the_turn_is_a_pass_and_the_tiles_stay():
    batch = table(tops="Y01")
    play(batch, "reveal", "roof")
    assert legal(batch) == {"reveal roof", "pass"}
    play(batch, "pass")
    assert batch.state["sapphires"][0, 0] == 2
    assert batch.state["displayed"][0, 3] == 1
    assert batch.state["player"][0] == 1


def test_passing_takes_two_sapphires_as_long_as_there_are_any():
    batch = table()
    play(batch, "pass")
    assert batch.state["sapphires"][0, 0] == 2
    batch = table(sapphires=(30, 24, 0, 0))
    play(batch, "pass")
    assert batch.state["sapphires"][0, 0] == 31
    assert batch.state["treasure"][0] == 0


# -- Placing -----------------------------------------------------------------------------------------------------------


def test_the_first_tile_is_adjacent_to_a_printed_one():
    assert places(holding("B05")) == {"1 as drawn", "1 mirrored", "4 as drawn", "4 mirrored"}


def test_artwork_matches_below_and_a_mirror_image_may_fit_where_the_tile_does_not():
    # The top of Ali Baba's ground floor reads wall column wall column: red 1 needs a wall on its right, red 3 a column left.
    assert places(holding("R05")) == {"1 as drawn", "3 as drawn"}  # column left, wall right
    assert places(holding("R06")) == {"1 mirrored", "3 mirrored"}  # wall left, column right
    assert places(holding("R03")) == {"1 as drawn", "1 mirrored"}  # wall left and right


MIRRORED = """
    roof      .    .    .    .    .
    green  .    .    .    .    .    .
    red       .    R06' #    .    .
    blue   .    .    #    #    .    .
"""


def test_a_mirror_image_placement():
    batch = holding("R06")
    play(batch, "place", 1, "mirrored")
    assert list(batch.state["palace"][0, 0]) == list(palace(MIRRORED, 0))
    face = int(batch.state["palace"][0, 0, 7])
    box = batch.box[0]
    # R06 is wall-minaret with a sapphire on its left, column-wall with a window on its right.
    assert list(box["bottom"][face]) == [1, 0]
    assert list(box["top"][face]) == [0, 3]
    assert list(box["symbols"][face, 0]) == [1, 0, 0, 0, 0, 0]
    assert list(box["symbols"][face, 1]) == [0, 0, 0, 0, 0, 1]


def test_green_matches_the_floor_beneath():
    # Red 2 of Ali Baba's board ends in column and wall.
    assert places(holding("G03")) == {"2 as drawn"}  # minaret left, column right
    assert places(holding("G07")) == {"3 as drawn", "3 mirrored"}  # walls


OVERHANG = """
    roof      .    .    .    .    .
    green  .    G07  .    .    .    .
    red       R07' .    #    .    .
    blue   B07  B09  #    #    .    .
"""


def test_an_overhang_may_be_filled_in_under_if_both_seams_match():
    # Red 1 lies under the overhang of green 1, whose right half ends in a wall: only the mirrored R03 has that at the left.
    assert places(holding("R03", OVERHANG)) == {"1 mirrored"}


def test_an_enclosed_hole_is_refused():
    # Green 2 would close red 1 in: green 1 and 2 above, red 0 and 2 beside, blue 1 and 2 below.
    assert places(holding("G06", OVERHANG)) == {"0 mirrored", "3 mirrored"}
    open_above = OVERHANG.replace("G07", ".  ")
    assert places(holding("G06", open_above)) == {"0 mirrored", "1 mirrored", "2 mirrored", "3 mirrored"}


def test_a_tile_needs_one_beneath_it():
    # Green 0 and 1 have no red tile under them, roofs no green one.
    batch = table(OVERHANG.replace("R07'", ".   ").replace("G07", ".  "), display="Y01 G05 G07")
    assert "pick roof 0" not in legal(batch)
    play(batch, "pick", "green", 0)
    assert places(batch) == {"2 as drawn", "3 as drawn"}


def test_blue_may_be_placed_under_an_overhang_only():
    # Red 1 hangs out over blue 1 on the left: blue 1 must match it, and blue 0 is not adjacent to anything yet.
    batch = holding("B05", MIRRORED)
    # R06' has a column over blue 1's right half; B05 ends in wall left, column right.
    assert places(batch) == {"1 as drawn", "4 as drawn", "4 mirrored"}


def test_the_palace_keeps_to_the_width_of_the_board():
    full = """
    roof      .    .    .    .    .
    green  .    .    .    .    .    .
    red       .    .    #    .    .
    blue   B05  B06  #    #    B07  B08
    """
    batch = table(full, display="B09")
    assert not any(name.startswith("pick blue") for name in legal(batch))


def test_a_placed_tile_brings_its_sapphires():
    batch = holding("R05")
    play(batch, "place", 1, "as drawn")
    assert batch.state["sapphires"][0, 0] == 1
    assert batch.state["treasure"][0] == 54
    assert batch.state["player"][0] == 1


def test_sapphires_stop_when_the_treasure_is_empty():
    batch = holding("R05", sapphires=(5, 50, 0, 0))
    play(batch, "place", 1, "as drawn")
    assert batch.state["sapphires"][0, 0] == 5


# -- Legal placements against a plain re-check of the whole palace -----------------------------------------------------


def plain_edges(face: int) -> dict[str, list[str]]:
    number, mirrored = divmod(face - 1, 2)
    row = ROWS[number] if number < NUM_TILES else PRINTED_ROWS[number - NUM_TILES]
    halves = ["right", "left"] if mirrored else ["left", "right"]
    return {place: [row[f"{half}_{place}"] for half in halves] for place in ("bottom", "top")}


def plain_is_legal(faces: dict[int, int]) -> bool:
    """Whether a palace keeps every rule, looked at half-column by half-column."""
    cells: dict[tuple[int, int], tuple[int, int]] = {}
    for slot, _face in faces.items():
        floor = max(f for f in range(4) if slot >= FIRST_SLOT[f])
        left = 2 * (slot - int(FIRST_SLOT[floor])) + floor % 2
        for half in range(2):
            cells[floor, left + half] = (slot, half)
    supported = {slot for (floor, column), (slot, _) in cells.items() if floor == 0 or (floor - 1, column) in cells}
    if supported != set(faces):
        return False
    for (floor, column), (slot, half) in cells.items():
        if (floor - 1, column) in cells:
            below, its_half = cells[floor - 1, column]
            if plain_edges(faces[slot])["bottom"][half] != plain_edges(faces[below])["top"][its_half]:
                return False
    field = {(floor, column) for floor in range(5) for column in range(-1, 13)}
    outside = plain_flood((4, 0), field - set(cells))
    joined = plain_flood((0, 4), set(cells))
    return outside == field - set(cells) and joined == set(cells)


def plain_flood(start, region):
    reached, fresh = {start}, [start]
    while fresh:
        floor, column = fresh.pop()
        for near in ((floor + 1, column), (floor - 1, column), (floor, column + 1), (floor, column - 1)):
            if near in region and near not in reached:
                reached.add(near)
                fresh.append(near)
    return reached


def random_palaces(num_games: int, steps: int, seed: int) -> GameBatch:
    """Tables at different moments of random games."""
    batch = make_batch(ID, num_games, 2, seed=seed)
    for step in range(steps):
        batch.step(batch.sample(), where=(np.arange(num_games) % steps) >= step)
    return batch


@pytest.mark.parametrize("seed", range(4))
def test_legal_placements_are_exact_on_random_palaces(seed):
    batch = random_palaces(600, 150, seed)
    hands = np.random.default_rng(seed).integers(NUM_TILES, size=600)
    batch.state["hand"], batch.state["phase"], batch.state["lifted"] = hands, Phase.PLACE, -1
    batch.refresh()
    found = Counter()
    first = GAME.action("place", 0, 0)
    for table_index, hand in enumerate(hands):
        faces = {s: int(f) for s, f in enumerate(batch.state["palace"][table_index, batch.player[table_index]]) if f}
        floor = max(f for f in range(4) if hand >= FIRST_TILE[f])
        for choice in range(12):
            slot = int(FIRST_SLOT[floor]) + choice // 2
            inside = choice // 2 < WIDTH[floor] and slot not in faces
            expected = inside and plain_is_legal({**faces, slot: 1 + 2 * int(hand) + choice % 2})
            assert batch.action_mask[table_index, first + choice] == expected
            found[expected] += 1
    assert found[True] > 200


@pytest.mark.parametrize("seed", range(2))
def test_lifts_of_the_red_djinn_are_exact_on_random_palaces(seed):
    batch = random_palaces(500, 200, 10 + seed)
    player = batch.player
    # Tables where a tile is in hand are not at a moment of lifting.
    tables = np.flatnonzero(batch.state["hand"] < 0)
    batch.state["phase"][tables] = Phase.LIFT
    batch.refresh()
    first = GAME.action("lift", 0)
    moves = []
    for t in tables:
        faces = {s: int(f) for s, f in enumerate(batch.state["palace"][t, player[t]]) if f}
        for slot in range(NUM_SLOTS):
            rest = {s: f for s, f in faces.items() if s != slot}
            expected = slot in faces and faces[slot] <= 2 * NUM_TILES and plain_is_legal(rest)
            assert batch.action_mask[t, first + slot] == expected
            if expected:
                moves.append((t, slot))
    assert len(moves) > 300
    # After the lift: every other place of the floor where the palace is legal again.
    chosen = dict(moves)
    actions = np.zeros(500, np.int64)
    where = np.zeros(500, bool)
    for t, slot in chosen.items():
        actions[t], where[t] = first + slot, True
    before = batch.state["palace"].copy()
    batch.step(actions, where=where)
    place = GAME.action("place", 0, 0)
    for t, lifted in chosen.items():
        faces = {s: int(f) for s, f in enumerate(batch.state["palace"][t, player[t]]) if f}
        lifted_face = int(before[t, player[t], lifted])
        floor = max(f for f in range(4) if lifted >= FIRST_SLOT[f])
        assert batch.action_mask[t, GAME.action("return")] == 1
        for choice in range(12):
            slot = int(FIRST_SLOT[floor]) + choice // 2
            inside = choice // 2 < WIDTH[floor] and slot not in faces and slot != lifted
            face = 1 + 2 * ((lifted_face - 1) // 2) + choice % 2
            assert batch.action_mask[t, place + choice] == (inside and plain_is_legal({**faces, slot: face}))


# -- Djinns ------------------------------------------------------------------------------------------------------------


def test_a_djinn_is_paid_and_kept_until_another_player_calls_it():
    batch = table(sapphires=(3, 5, 0, 0), display="B05")
    play(batch, "call", "build twice")
    assert batch.state["sapphires"][0, 0] == 1
    assert batch.state["treasure"][0] == 49
    assert list(batch.state["djinn_holder"][0]) == [-1, 0, -1, -1]
    play(batch, "pick", "blue", 0)
    play(batch, "place", 1, "as drawn")
    assert batch.player[0] == 1
    assert list(batch.state["djinn_holder"][0]) == [-1, 0, -1, -1]
    play(batch, "call", "build twice")
    assert list(batch.state["djinn_holder"][0]) == [-1, 1, -1, -1]


def test_the_holder_may_call_the_same_djinn_again():
    batch = table(sapphires=(4, 0, 0, 0), djinn_holder=[-1, 0, -1, -1])
    play(batch, "call", "build twice")
    assert batch.state["sapphires"][0, 0] == 2
    assert batch.state["djinn_holder"][0, 1] == 0


def test_one_djinn_a_turn_and_only_if_it_can_be_paid():
    costs = {0: set(), 1: {"refresh"}, 2: {"refresh", "red", "build twice"}, 3: {"refresh", "red", "build twice", "search"}}
    for owned, callable_now in costs.items():
        names = legal(table(sapphires=(owned, 0, 0, 0)))
        assert {name.removeprefix("call ") for name in names if name.startswith("call")} == callable_now
    batch = table(sapphires=(9, 0, 0, 0))
    play(batch, "call", "build twice")
    assert not any(name.startswith("call") for name in legal(batch))


def test_search_takes_a_fitting_tile_and_keeps_the_order_of_the_pile():
    batch = table(sapphires=(3, 0, 0, 0), display="R09")
    play(batch, "call", "search")
    assert legal(batch) == {"pile blue", "pile red", "pile green", "pile roof"}
    before = [t for t in batch.state["pile"][0, 1] if t >= 0]
    play(batch, "pile", "red")
    finds = {int(name.split()[1]) + 1 for name in legal(batch)}
    # Not R01, R02 (gates below) and not the displayed R09; all others have a wall or a column in the right place.
    assert finds == {3, 4, 5, 6, 7, 8, 10, 11, 12}
    play(batch, "find", 4)
    assert batch.state["hand"][0] == tile("R05")
    assert [t for t in batch.state["pile"][0, 1] if t >= 0] == [t for t in before if t != tile("R05")]
    play(batch, "place", 1, "as drawn")
    assert batch.state["sapphires"][0, 0] == 0, "a Djinn did the building"
    assert batch.player[0] == 1


def test_a_search_without_a_fitting_tile_loses_the_cost_and_the_turn():
    batch = table(sapphires=(3, 0, 0, 0))
    play(batch, "call", "search")
    play(batch, "pile", "roof")
    assert legal(batch) == {"pass"}
    play(batch, "pass")
    assert batch.state["sapphires"][0, 0] == 0
    assert batch.player[0] == 1


def test_an_empty_pile_cannot_be_searched():
    batch = table(sapphires=(3, 0, 0, 0))
    change(batch, pile_size=[0, 12, 16, 15])
    play(batch, "call", "search")
    assert "pile blue" not in legal(batch)
    batch = table(sapphires=(3, 0, 0, 0))
    change(batch, pile_size=[0, 0, 0, 0])
    assert not {"call search", "call refresh"} & legal(batch)
    assert "call red" in legal(batch)


def test_build_twice_reveals_from_two_piles_and_places_two_tiles_without_sapphires():
    batch = table(sapphires=(2, 0, 0, 0), tops="B05 R05")
    play(batch, "call", "build twice")
    play(batch, "reveal", "blue")
    play(batch, "reveal", "red")
    names = {name for name in legal(batch) if name.startswith("reveal")}
    assert names == {"reveal blue", "reveal red"}
    play(batch, "pick", "red", 0)
    play(batch, "place", 1, "as drawn")
    assert batch.player[0] == 0
    assert not any(name.startswith("reveal") for name in legal(batch)), "all revealing comes before the first tile"
    assert "pass" not in legal(batch)
    play(batch, "pick", "blue", 0)
    play(batch, "place", 4, "as drawn")
    assert batch.player[0] == 1
    assert batch.state["sapphires"][0, 0] == 0
    assert len(faces_of(batch)) == 5


def test_the_second_build_falls_away_when_nothing_fits():
    batch = table(sapphires=(2, 0, 0, 0), display="B05 Y01")
    play(batch, "call", "build twice")
    play(batch, "pick", "blue", 0)
    play(batch, "place", 1, "as drawn")
    assert batch.player[0] == 1


def test_build_twice_is_lost_when_nothing_fits_at_all():
    batch = table(sapphires=(2, 0, 0, 0), display="Y01")
    play(batch, "call", "build twice")
    assert "pass" in legal(batch)
    play(batch, "pass")
    assert batch.state["sapphires"][0, 0] == 0


LIFTS = """
    roof      .    .    .    .    .
    green  .    .    .    .    .    .
    red       R07' R03  #    .    .
    blue   B07  B09  #    #    .    .
"""


def test_the_red_djinn_lifts_only_what_leaves_a_sound_palace():
    batch = table(LIFTS, sapphires=(2, 0, 0, 0))
    play(batch, "call", "red")
    # Lifting blue 1 would leave a hole; printed tiles stay.
    assert legal(batch) == {"lift blue 0", "lift red 0", "lift red 1", "lift none"}
    batch = table(OVERHANG, sapphires=(2, 0, 0, 0))
    play(batch, "call", "red")
    # Without red 0, green 1 would stand on nothing; blue 1 may go, since red 0 stands on blue 0 … but then blue 0 and
    # what is on it would be cut off.
    assert legal(batch) == {"lift blue 0", "lift green 1", "lift none"}


def test_the_red_djinn_moves_a_tile_to_another_place_and_then_the_player_builds():
    batch = table(LIFTS, sapphires=(2, 0, 0, 0), display="B05")
    play(batch, "call", "red")
    play(batch, "lift", "blue 0")
    # Blue 0 itself is no other place. Blue 4 and no further, B07 has walls only, so both ways.
    assert legal(batch) == {"place 4 as drawn", "place 4 mirrored", "return"}
    play(batch, "place", 4, "mirrored")
    assert batch.state["palace"][0, 0, 4] == 2 + 2 * tile("B07")
    assert batch.state["palace"][0, 0, 0] == 0
    assert batch.state["sapphires"][0, 0] == 0
    assert {"pick blue 0", "reveal roof", "pass"} <= legal(batch)
    play(batch, "pick", "blue", 0)
    play(batch, "place", 0, "mirrored")
    assert batch.player[0] == 1


def test_the_red_djinn_returns_a_tile_to_the_bottom_of_its_pile():
    batch = table(LIFTS, sapphires=(2, 0, 0, 0))
    play(batch, "call", "red")
    play(batch, "lift", "red 1")
    play(batch, "return")
    assert batch.state["pile"][0, 1, 0] == tile("R03")
    assert batch.state["known_under"][0, 1] == 1
    play(batch, "pass")
    assert batch.state["sapphires"][0, 0] == 0, "no income from a turn with a Djinn"


def test_after_the_red_djinn_a_revealed_fitting_tile_must_be_taken():
    batch = table(sapphires=(2, 0, 0, 0), tops="B05")
    play(batch, "call", "red")
    play(batch, "lift", "none")
    assert "pass" in legal(batch)
    play(batch, "reveal", "blue")
    assert "pass" not in legal(batch)


def test_refresh_puts_the_display_under_the_pile_in_order_and_reveals_anew():
    batch = table(sapphires=(1, 0, 0, 0), display="B05 B06 R09", tops="B09 B10")
    play(batch, "call", "refresh")
    play(batch, "pile", "blue")
    pile = [t for t in batch.state["pile"][0, 0] if t >= 0]
    assert pile[:2] == [tile("B06"), tile("B05")]
    assert pile[-1] == tile("B09")
    assert list(batch.state["display"][0, 0]) == [tile("B10"), -1, -1]
    assert batch.state["known_under"][0, 0] == 2
    assert legal(batch) == {"reveal blue", "pick blue 0", "pick red 0", "pass"}
    play(batch, "reveal", "blue")
    play(batch, "reveal", "blue")
    assert "reveal blue" not in legal(batch)
    play(batch, "pick", "red", 0)
    assert batch.state["hand"][0] == tile("R09")


def test_a_pile_without_a_display_may_be_refreshed():
    batch = table(sapphires=(1, 0, 0, 0), tops="B09 B10")
    play(batch, "call", "refresh")
    play(batch, "pile", "blue")
    assert list(batch.state["display"][0, 0]) == [tile("B10"), -1, -1]
    assert batch.state["known_under"][0, 0] == 0


def test_refreshing_a_display_without_a_pile_turns_the_same_tiles_up_again():
    batch = table(sapphires=(1, 0, 0, 0), display="B05 B06")
    pile = batch.state["pile"][0].copy()
    pile[0] = -1
    change(batch, pile=pile, pile_size=[0, 12, 16, 15])
    play(batch, "call", "refresh")
    play(batch, "pile", "blue")
    assert batch.state["display"][0, 0, 0] == tile("B05")
    assert batch.state["pile"][0, 0, 0] == tile("B06")
    assert batch.state["known_under"][0, 0] == 1


# -- The end -----------------------------------------------------------------------------------------------------------

FOUR_ROOFS = """
    roof      Y06  Y07  Y08  Y09  .
    green  .    .    .    .    .    G07
    red       .    .    #    .    .
    blue   .    .    #    #    .    .
"""


def test_the_fifth_roof_gives_every_other_player_one_last_turn():
    batch = holding("Y10", FOUR_ROOFS, num_players=3, first_player=2)
    play(batch, "place", 4, "as drawn")
    assert batch.state["ender"][0] == 0
    for seat in (1, 2):
        assert batch.player[0] == seat
        assert batch.state["status"][0] == RUNNING
        play(batch, "pass")
    assert batch.state["status"][0] == TERMINATED


def test_another_fifth_roof_in_the_last_turns_changes_nothing():
    batch = holding("Y10", FOUR_ROOFS, num_players=3)
    play(batch, "place", 4, "as drawn")
    faces = batch.state["palace"][0].copy()
    faces[1] = faces[0]
    change(batch, palace=faces)
    play(batch, "pass")
    assert batch.state["ender"][0] == 0
    play(batch, "pass")
    assert batch.state["status"][0] == TERMINATED


def test_four_roofs_do_not_end_the_game():
    batch = table(FOUR_ROOFS)
    play(batch, "pass")
    play(batch, "pass")
    assert batch.state["ender"][0] == -1
    assert batch.state["status"][0] == RUNNING


def test_solo_play_ends_with_the_fifth_roof_or_after_twenty_turns():
    batch = holding("Y10", FOUR_ROOFS, num_players=1)
    play(batch, "place", 4, "as drawn")
    assert batch.state["status"][0] == TERMINATED
    batch = table(num_players=1, rounds=18)
    play(batch, "pass")
    assert batch.state["status"][0] == RUNNING
    play(batch, "pass")
    assert batch.state["status"][0] == TERMINATED


def test_forty_turns_a_player_truncate_the_game_but_not_the_last_turns():
    batch = table(rounds=39)
    play(batch, "pass")
    assert batch.state["status"][0] == RUNNING
    play(batch, "pass")
    assert batch.state["status"][0] == TRUNCATED
    batch = holding("Y10", FOUR_ROOFS, rounds=39, first_player=1)
    play(batch, "place", 4, "as drawn")
    assert batch.state["status"][0] == RUNNING
    play(batch, "pass")
    assert batch.state["status"][0] == TERMINATED


# -- Scoring -----------------------------------------------------------------------------------------------------------

GATE = """
    roof      .    .    .    .    .
    green  .    .    .    .    .    .
    red       R01  .    #    .    .
    blue   B01' B02  #    #    .    .
"""

MINARET = """
    roof      .    .    .    .    .
    green  .    .    G01  .    .    .
    red       .    R03' #    .    .
    blue   .    .    #    #    .    .
"""


def test_a_complete_gate_is_a_lintel_on_two_uprights():
    assert plain_is_legal({s: int(f) for s, f in enumerate(palace(GATE, 0)) if f})
    assert scored(GATE, "Ali Baba") == 6 + 1  # the gate, and B01's window
    one_upright = GATE.replace("B01'", ".   ")
    assert scored(one_upright, "Ali Baba") == 0
    no_lintel = GATE.replace("R01", ".  ")
    assert scored(no_lintel, "Ali Baba") == 1
    assert scored(GATE, "Anis") == 1 + 1  # scores minarets; another window is on the board


def test_a_complete_minaret_is_a_point_on_two_uprights():
    # The board of Anis has one upright, R03' is the other.
    assert plain_is_legal({s: int(f) for s, f in enumerate(palace(MINARET, 1)) if f})
    assert scored(MINARET, "Anis") == 6 + 1 + 1  # and the windows of the board and of R03
    assert scored(MINARET.replace("R03'", ".   "), "Anis") == 1
    assert scored(MINARET, "Ali Baba") == 1


def roofs(*names: str) -> str:
    cells = [*names, *["."] * (5 - len(names))]
    return PRINTED.replace("roof      .    .    .    .    .", "roof " + " ".join(cells))


def test_roofs_with_their_own_gate_or_minaret_are_complete():
    assert scored(roofs("Y02", "Y16"), "Ali Baba") == 12
    assert scored(roofs("Y03"), "Ali Baba") == 0
    assert scored(roofs("Y03"), "Dunyazad") == 6 + 1  # and the board's tower


def test_two_windows_and_two_towers_are_two_points_for_everybody():
    assert scored(roofs("Y01"), "Ali Baba") == 2
    assert scored(roofs("Y01"), "Scheherazade") == 2


def test_extra_points_are_everybodys():
    for character in ("Ali Baba", "Scheherazade", "Aladdin", "Ja'far"):
        bare = scored(PRINTED, character)
        assert scored(roofs("Y04", "Y05"), character) == bare + 9


@pytest.mark.parametrize(
    ("character", "expected"),
    # Windows 2, towers 3, cupolas 2, gardens 1, one lone gate, no minaret; and what is printed on the board.
    [
        ("Ali Baba", 2 + 6 + 6),
        ("Anis", 2 + 1 + 3 + 0),
        ("Dunyazad", 3 + 1 + 6 + 0),
        ("Scheherazade", 3 + 3 + 6),
        ("Aladdin", 2 + 1 + 6 + 0),
        ("Ja'far", 3 + 6 + 6),
        ("Sinbad", 2 + 3 + 6),
        ("Shahriyar", 3 + 3 + 0),
    ],
)
def test_the_eight_characters_score_their_own_symbols(character, expected):
    picture = """
    roof      Y02  Y08  Y10  .    .
    green  G12  .    .    .    .    .
    red       .    .    #    .    .
    blue   B11  B02  #    #    .    .
    """
    assert scored(picture, character) == expected


def with_guards(*guards: int) -> GameBatch:
    """Palaces with these numbers of guards and nothing else that scores; all objectives worth nothing."""
    faces = np.zeros((4, NUM_SLOTS), np.int16)
    for seat, number in enumerate(guards):
        faces[seat, 17 : 17 + min(number, 5)] = 1 + 2 * tile("R01")
        faces[seat, : max(0, number - 5)] = 1 + 2 * tile("R01")
    batch = table(num_players=len(guards))
    change(batch, palace=faces, objectives=[OBJECTIVES.index("Djinns")] * 10)
    return batch


@pytest.mark.parametrize(
    ("guards", "expected"),
    [
        ((3, 1), (9, 6)),
        ((2, 2), (6, 6)),
        ((0, 0), (6, 6)),
        ((5, 3, 1), (9, 6, 3)),
        ((4, 4, 1), (6, 6, 3)),
        ((4, 1, 1), (9, 3, 3)),
        ((2, 2, 2), (3, 3, 3)),
        ((6, 3, 2, 1), (9, 6, 3, 0)),
        ((6, 3, 2, 2), (9, 6, 0, 0)),
        ((3, 3, 3, 0), (3, 3, 3, 0)),
        ((1, 1, 1, 1), (0, 0, 0, 0)),
        ((5, 2, 2, 0), (9, 3, 3, 0)),
    ],
)
def test_guards_score_by_rank_and_ties_take_the_lowest_shared_rank(guards, expected):
    assert tuple(with_guards(*guards).scores()[0]) == expected


def test_solo_play_scores_no_guards():
    assert points(with_guards(5)) == 0


SYMBOLS = """
    roof      .    Y14  .    .    .
    green  .    .    G15  .    .    .
    red       .    R12' #    .    .
    blue   .    B09' #    #    .    .
"""


@pytest.mark.parametrize(
    ("objective", "expected"),
    # Anis. Blue: B09' guard, window; the board's window (left) and guard (right). Red: R12' tower, window. Green: G15
    # window, tower. Roof: Y14 guard, window. Half-columns of windows: 3, 4, 4, 4, 4; guards: 2, 7, 3; towers: 3, 5.
    [
        ("floor windows", 2),
        ("floor guards", 2),
        ("floor towers", 1),
        ("floor sapphires", 0),
        ("column windows", 4 + 1),
        ("column guards", 1 + 1),
        ("column towers", 1 + 1),
        ("column sapphires", 0 + 1),
        ("Djinns", 2 * 3),
        ("sapphire pairs", 3),
    ],
)
def test_each_secret_objective(objective, expected):
    twice = [OBJECTIVES.index(objective)] * 10
    batch = table(SYMBOLS, num_players=1, character="Anis", sapphires=(7, 0, 0, 0), djinn_holder=[0, -1, 0, 0])
    change(batch, objectives=twice)
    assert points(batch) - scored(SYMBOLS, "Anis") == 2 * expected


HALF_COLUMNS = """
    roof      .    .    .    .    .
    green  .    .    .    .    .    .
    red       .    R03  #    .    .
    blue   .    B09' #    #    .    .
"""


def test_a_column_objective_counts_half_columns_not_tiles():
    # Windows stand over half-columns 3 (B09'), 4 (the board) and 4 (R03, right half). R03 lies on both blue tiles, but
    # only the board's window is in line with its own.
    assert plain_is_legal({s: int(f) for s, f in enumerate(palace(HALF_COLUMNS, 1)) if f})
    assert scored(HALF_COLUMNS, "Anis", ("column windows", "Djinns")) - scored(HALF_COLUMNS, "Anis") == 2 + 1


def test_sapphire_objectives_count_symbols_in_the_palace_not_sapphires_owned():
    assert scored(MINARET, "Ali Baba", ("floor sapphires", "Djinns")) - scored(MINARET, "Ali Baba") == 1
    assert scored(MINARET, "Ali Baba", ("floor sapphires", "Djinns"), sapphires=(9, 0, 0, 0)) == 1 + 1


def test_sapphires_break_ties_and_then_the_win_is_shared():
    for sapphires, reward in (((4, 5, 0, 0), [-1, 1]), ((5, 4, 0, 0), [1, -1]), ((4, 4, 0, 0), [0, 0])):
        batch = with_guards(2, 2)
        change(batch, sapphires=sapphires, treasure=55 - sum(sapphires), ender=1)
        # The pass brings two more to seat 0, so start it two below.
        change(batch, sapphires=(sapphires[0] - 2, *sapphires[1:]))
        play(batch, "pass")
        assert batch.state["status"][0] == TERMINATED
        assert list(batch.reward[0]) == reward


# -- Hidden information ------------------------------------------------------------------------------------------------


def copies(batch: GameBatch, number: int) -> GameBatch:
    """Many tables in the position of one."""
    many = make_batch(ID, number, int(batch.num_players[0]), seed=0, box=batch.box)
    many.state[:] = batch.state[0]
    many.refresh()
    return many


def test_redrawing_is_uniform_over_objectives_and_the_unseen_part_of_the_piles():
    batch = table(num_players=3, known_under=[3, 0, 0, 0])
    many = copies(batch, 8000)
    many.determinize(1, seed=5)
    objectives = many.state["objectives"]
    assert (objectives[:, 2:4] == [2, 3]).all()
    for place in (0, 1, 4, 5, 6, 9):
        counts = np.bincount(objectives[:, place], minlength=10)
        assert counts[[2, 3]].sum() == 0
        assert abs(np.delete(counts, [2, 3]) - 1000).max() < 150
    pile, before = many.state["pile"][:, 0], batch.state["pile"][0, 0]
    size = int(batch.state["pile_size"][0, 0])
    assert (pile[:, :3] == before[:3]).all(), "tiles seen going under the pile"
    assert (pile[:, size - 1] == before[size - 1]).all(), "the visible top"
    unseen = before[3 : size - 1]
    for depth in (3, 8, size - 2):
        counts = np.array([(pile[:, depth] == t).sum() for t in unseen])
        assert abs(counts - 8000 / len(unseen)).max() < 150


def test_a_searched_pile_is_seen_by_the_searcher_only_and_only_while_searching():
    batch = table(sapphires=(3, 0, 0, 0))
    play(batch, "call", "search")
    play(batch, "pile", "red")
    for viewer, seen in ((0, range(1, 13)), (1, [1])):
        from_the_top = batch.state["pile"][0, 1][11::-1]
        assert known_depths(batch, viewer)[1] == {int(from_the_top[depth - 1]): depth for depth in seen}
    for viewer, stays in ((0, True), (1, False)):
        many = copies(batch, 64)
        many.determinize(viewer, seed=1)
        assert (many.state["pile"][:, 1] == batch.state["pile"][0, 1]).all() == stays
        assert (many.state["pile"][:, 0] != batch.state["pile"][0, 0]).any()
    assert "the red pile from the top" in plain(batch.render(0, 0))
    assert "the red pile from the top" not in plain(batch.render(0, 1))
    play(batch, "find", 4)
    assert len(known_depths(batch, 0)[1]) == 1, "the top"
    many = copies(batch, 64)
    many.determinize(0, seed=1)
    assert (many.state["pile"][:, 1] != batch.state["pile"][0, 1]).any(), "the look is not kept in mind"


def known_depths(batch: GameBatch, viewer: int) -> list[dict[int, int]]:
    """Of each pile: the tiles whose place a seat is shown, and how deep they lie."""
    depth = GAME.describe(batch.observe(viewer)[0])["known_depth"]
    return [{int(FIRST_TILE[p] + t): round(28 * float(depth[p, t])) for t in np.flatnonzero(depth[p])} for p in range(4)]


def differing(one: GameBatch, other: GameBatch, viewer: int) -> set[str]:
    """The pieces in which a seat's views of two tables differ."""
    here, there = (GAME.describe(batch.observe(viewer)[0]) for batch in (one, other))
    return {name for name in here if (here[name] != there[name]).any()}


def test_everybody_sees_which_pile_is_searched():
    searches = []
    for pile in ("red", "green"):
        batch = table(num_players=3, sapphires=(3, 0, 0, 0))
        play(batch, "call", "search")
        play(batch, "pile", pile)
        searches.append(batch)
        for viewer in range(3):
            shown = GAME.describe(batch.observe(viewer)[0])["searched_pile"]
            assert list(shown) == [pile == name for name in FLOOR_NAMES]
            assert f"searches the {pile} pile" in plain(batch.render(0, viewer))
            assert f"searches the {pile} pile" in batch.picture(0, viewer)
    assert differing(*searches, 1) == differing(*searches, 2) == {"searched_pile"}
    play(batch, "find", 2)
    assert not GAME.describe(batch.observe(1)[0])["searched_pile"].any()


def test_which_tiles_went_under_a_pile_stays_in_view_and_the_order_above_does_not():
    def with_bottom(order: list[int], **fields) -> GameBatch:
        batch = table(num_players=3, **fields)
        pile = batch.state["pile"][0].copy()
        pile[0, : len(order)] = pile[0, order]
        change(batch, pile=pile)
        return batch

    for viewer in range(3):
        under = {"known_under": [2, 0, 0, 0]}
        assert differing(with_bottom([0, 1], **under), with_bottom([1, 0], **under), viewer) == {"known_depth"}
        assert differing(with_bottom([0, 1, 2], **under), with_bottom([2, 1, 0], **under), viewer) == {"known_depth"}
        assert not differing(with_bottom([0, 1, 2, 3], **under), with_bottom([0, 1, 3, 2], **under), viewer)
        assert not differing(with_bottom([0, 1]), with_bottom([1, 0]), viewer)
        assert "known_depth" in differing(table(num_players=3, **under), table(num_players=3), viewer)
        assert "known_depth" in differing(table(num_players=3, tops="B05"), table(num_players=3, tops="B06"), viewer)


def test_the_depths_of_tiles_that_went_under_are_exact():
    batch = table(sapphires=(1, 0, 0, 0), display="B05 B06", tops="B09 B10")
    play(batch, "call", "refresh")
    play(batch, "pile", "blue")
    size = int(batch.state["pile_size"][0, 0])
    for viewer in range(2):
        assert known_depths(batch, viewer)[0] == {tile("B09"): 1, tile("B05"): size - 1, tile("B06"): size}


@pytest.mark.parametrize("seed", range(3))
def test_the_places_shown_are_those_that_redrawing_keeps(seed):
    batch = make_batch(ID, 300, 3, seed=seed)
    for _ in range(150):
        batch.step(batch.sample())
    pile, size = batch.state["pile"], batch.state["pile_size"]
    place = np.broadcast_to(np.arange(28), pile.shape)
    number = np.clip(pile - FIRST_TILE[:, None], 0, None)
    found = Counter()
    for viewer in range(3):
        depth = np.take_along_axis(GAME.describe(batch.observe(viewer))["known_depth"], number, axis=2)
        there = pile >= 0
        shown = there & (np.round(28 * depth) == size[:, :, None] - place)
        assert (shown == (there & (depth > 0))).all()
        kept = there.copy()
        for redraw in range(40):
            world = batch.copy()
            world.determinize(viewer, redraw)
            kept &= world.state["pile"] == pile
        # A single tile between known ones stays where it is, though nobody has seen it there.
        single = (there & ~shown).sum(axis=2, keepdims=True) == 1
        assert ((shown == kept) | single).all()
        found[viewer] += int((batch.state["phase"] == Phase.SEARCH)[batch.player == viewer].sum())
    assert batch.state["known_under"].any()
    assert min(found.values()) > 0, "somebody searches"


def blue(*cells: str) -> str:
    """A palace with these tiles on its ground level."""
    return PRINTED.replace("blue   .    .    #    #    .    .", "blue " + " ".join(cells))


def test_which_tile_lies_where_in_any_palace_and_which_way_round_is_seen():
    one = table(others=blue(".", "B07", "#", "#", ".", "."))
    for other in (blue(".", "B07'", "#", "#", ".", "."), blue(".", ".", "#", "#", "B07", ".")):
        assert differing(one, table(others=other), 0) == {"palace"}
    batch = table(MIRRORED, others=blue(".", "B07", "#", "#", ".", "."), num_players=3)
    shown = np.round(117 * GAME.describe(batch.observe(2)[0])["palace"]).astype(int)
    own, left, _, nobody = ({slot: int(row[slot]) for slot in np.flatnonzero(row)} for row in shown)
    # Printed tiles are numbered on from the 93 of the piles, three a character: here Dunyazad's and Ali Baba's.
    assert own == {1: 1 + tile("B07"), 2: 100, 3: 101, 8: 102}
    assert left == {2: 94, 3: 95, 7: -(1 + tile("R06")), 8: 96}
    assert nobody == {}


def test_tiles_look_alike_only_if_they_are_alike():
    faces = ("left_bottom", "left_top", "left_symbol", "right_bottom", "right_top", "right_symbol", "special")
    for floor, letter in enumerate("BRGY"):
        looks = Counter()
        printed = Counter(tuple(row[name] for name in faces) for row in ROWS if row["floor"] == FLOOR_NAMES[floor])
        for number in range(1, TILES_OF_FLOOR[floor] + 1):
            batch = table(display=f"{letter}{number:02}")
            view = GAME.describe(batch.observe(1)[0])
            looks[b"".join(view[name][4 * floor].tobytes() for name in ("tile_edges", "tile_symbols", "tile_special"))] += 1
        assert sorted(looks.values()) == sorted(printed.values())


def test_everybody_sees_who_decides():
    for player in range(4):
        batch = table(num_players=4, player=player)
        for viewer in range(4):
            decides = GAME.describe(batch.observe(viewer)[0])["acting"]
            assert list(np.flatnonzero(decides)) == [(player - viewer) % 4]


def lifting(slot: str, picture: str, **more) -> GameBatch:
    """Seat 0 has lifted a tile with the red Djinn."""
    batch = table(picture, sapphires=(2, 0, 0, 0), **more)
    play(batch, "call", "red")
    play(batch, "lift", slot)
    return batch


def test_everybody_sees_where_a_tile_was_lifted_from():
    moved = LIFTS.replace("blue   B07  B09  #    #    .  ", "blue   .    B09  #    #    B07")
    one, other = lifting("blue 0", LIFTS), lifting("blue 4", moved)
    assert list(one.state["palace"][0, 0]) == list(other.state["palace"][0, 0])
    assert differing(one, other, 1) == {"lifted"}
    assert differing(one, other, 0) == {"lifted", "open"}
    for batch, slot in ((one, 0), (other, 4)):
        assert list(np.flatnonzero(GAME.describe(batch.observe(1)[0])["lifted"])) == [slot]
        play(batch, "return")
        assert not GAME.describe(batch.observe(1)[0])["lifted"].any()


def test_a_lifted_tile_is_not_shown_to_fit_where_it_was_but_others_are():
    # R03 and the displayed R15 stand on walls, which only red 1 offers.
    batch = lifting("red 1", LIFTS, display="R15", num_players=3)
    assert legal(batch) == {"return"}
    view = GAME.describe(batch.observe(0)[0])
    assert view["open"][7] == 0
    assert view["tile_fits"][-1] == 0
    assert view["tile_fits"][4] == 1
    play(batch, "return")
    assert GAME.describe(batch.observe(0)[0])["open"][7] == 1


def test_a_tile_in_hand_is_shown_to_fit_where_it_may_be_placed():
    batch = random_palaces(2000, 300, 3)
    view = GAME.describe(batch.observation)
    phase, hand, first = batch.state["phase"], batch.state["hand"], GAME.action("place", 0, 0)
    found = Counter()
    for t in np.flatnonzero(hand >= 0):
        may_go = batch.action_mask[t, first : first + 12].reshape(6, 2).any(axis=1)
        floor = max(f for f in range(4) if hand[t] >= FIRST_TILE[f])
        on_floor = view["open"][t, FIRST_SLOT[floor] : FIRST_SLOT[floor] + WIDTH[floor]]
        assert (on_floor >= may_go[: WIDTH[floor]]).all()
        assert view["tile_fits"][t, -1] == may_go.any()
        found[int(phase[t]), bool(may_go.any())] += 1
    assert set(found) == {(Phase.PLACE, True), (Phase.MOVE, True), (Phase.MOVE, False)}


def test_finding_a_tile_that_was_known_to_lie_under_the_pile_keeps_the_rest_known():
    batch = table(sapphires=(3, 0, 0, 0), known_under=[0, 5, 0, 0])
    play(batch, "call", "search")
    play(batch, "pile", "red")
    play(batch, "find", 3)  # R04 lies fourth from the bottom
    assert batch.state["known_under"][0, 1] == 4
    batch = table(sapphires=(3, 0, 0, 0), known_under=[0, 5, 0, 0])
    play(batch, "call", "search")
    play(batch, "pile", "red")
    play(batch, "find", 11)
    assert batch.state["known_under"][0, 1] == 5


def test_others_objectives_are_hidden_and_open_in_the_variant():
    for box, seen in ((None, 2), (OPEN, 6)):
        batch = table(num_players=3, box=box)
        view = GAME.describe(batch.observe(1)[0])["objectives"]
        assert view.sum() == seen
        assert list(np.flatnonzero(view[0])) == [2, 3]
        board = plain(batch.render(0, 1))
        assert ("? + ?" in board) == (box is None)
        many = copies(batch, 64)
        many.determinize(1, seed=2)
        assert (many.state["objectives"] == np.arange(10)).all() == (box is not None)


# -- Components --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("tiles.csv", "B02,blue,2,base,gate", "B02,blue,2,base,arch", "row 3, field 'left_top': expected one of 'wall'"),
        (
            "tiles.csv",
            "B02,blue,2,base,gate",
            "B02,blue,2,base,minaret",
            "row 3, field 'left_top': expected one of wall, column, gate",
        ),
        (
            "tiles.csv",
            "B02,blue,2,base",
            "B02,blue,5,base",
            "row 3, field 'min_players': expected a whole number from 2 to 4",
        ),
        ("tiles.csv", "B02,blue", "B02,red", "expected one of wall, column, gate on red, found 'base'"),
        ("tiles.csv", "B02,blue", "B01,blue", "row 3, field 'tile': expected a name that no other tile has"),
        (
            "tiles.csv",
            "B07,blue,2,base,wall,sapphire",
            "B07,blue,2,base,wall,ruby",
            "row 8, field 'left_symbol': expected nothing, one of window",
        ),
        (
            "tiles.csv",
            "B07,blue,2,base,wall,sapphire",
            "B07,blue,2,base,wall,sapphire+sapphire",
            "or two different ones joined by +, found 'sapphire+sapphire'",
        ),
        (
            "tiles.csv",
            "R01,red,2,gate",
            "R01,red,2,wall",
            "row 22, field 'left_bottom': expected gate under a lintel, found 'wall'",
        ),
        ("tiles.csv", "window+tower,wwtt", "window,wwtt", "row 70, field 'right_symbol': expected window+tower"),
        ("tiles.csv", ",plus5,", ",plus6,", "field 'special': expected one of"),
        (
            "tiles.csv",
            "R03,red,2,wall,minaret,guard,wall,wall,window,,",
            "R03,red,2,wall,minaret,guard,wall,wall,window,wwtt,",
            "row 24, field 'special': expected nothing, lintel on red, found 'wwtt'",
        ),
        ("boards.csv", "Anis,.", "Anis,..", "field 'side': expected 4 characters on each side"),
        ("boards.csv", "Anis", "Aladin", "row 3, field 'character': expected one of"),
        ("boards.csv", "Anis,.,window", "Anis,.,guard", "row 3, field 'score_1': expected one of 'window', 'tower'"),
        (
            "printed.csv",
            "Ali Baba,red,2,column",
            "Ali Baba,red,2,wall",
            "row 4, field 'left_bottom': expected column, as the blue tile under it",
        ),
        ("printed.csv", "Ali Baba,blue,3", "Ali Baba,blue,2", "row 3, field 'slot': expected blue 2, blue 3, red 2"),
        ("djinns.csv", "search,3", "search,-1", "row 2, field 'cost': expected a whole number from 0 to 20"),
        (
            "objectives.csv",
            "floor guards,floor,guard",
            "floor guards,floor,",
            "row 2, field 'symbol': expected a symbol for floor and column",
        ),
        (
            "numbers.csv",
            "open_objectives,0",
            "open_objectives,2",
            "row 3, field 'value': expected a whole number from 0 to 1",
        ),
        (
            "numbers.csv",
            "character_of_seat_0,0,rulebook\ncharacter_of_seat_1,0",
            "character_of_seat_0,1,rulebook\ncharacter_of_seat_1,5",
            "field 'character_of_seat_1': expected a character from the side '.'",
        ),
        (
            "numbers.csv",
            "character_of_seat_0,0,rulebook\ncharacter_of_seat_1,0",
            "character_of_seat_0,3,rulebook\ncharacter_of_seat_1,3",
            "field 'character_of_seat_1': expected a character that no other seat has",
        ),
    ],
)
def test_a_wrong_cell_is_refused_with_its_row_and_the_reason(tmp_path, file, old, new, expected):
    text = (DATA / file).read_text()
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new, 1))
    with pytest.raises(ComponentError) as refusal:
        GAME.load_box(tmp_path)
    assert expected in str(refusal.value)
    assert file in str(refusal.value)


def test_wrong_numbers_of_tiles_are_refused(tmp_path):
    lines = (DATA / "tiles.csv").read_text().splitlines()
    (tmp_path / "tiles.csv").write_text("\n".join(lines[:-1]))
    with pytest.raises(ComponentError, match="expected 93 rows below the header, found 92"):
        GAME.load_box(tmp_path)
    extra = lines[20].replace("B20", "B21")
    (tmp_path / "tiles.csv").write_text("\n".join([*lines[:21], extra, *lines[21:-1]]))
    with pytest.raises(ComponentError, match=r"row 22, field 'floor': expected 20 tiles of blue"):
        GAME.load_box(tmp_path)


def test_a_gate_that_cannot_be_built_is_refused(tmp_path):
    text = (DATA / "tiles.csv").read_text()
    for number in (1, 2, 3):
        text = text.replace(f"B0{number},blue,2,base,gate", f"B0{number},blue,2,base,wall")
    (tmp_path / "tiles.csv").write_text(text)
    with pytest.raises(
        ComponentError, match=r"row 22, field 'special': expected two blue tiles with a gate .* cannot be built"
    ):
        GAME.load_box(tmp_path)


def test_another_box_plays_without_compiling_again(tmp_path):
    make_batch(ID, 4, 2, seed=0).step(np.full(4, GAME.action("pass")))
    before = len(getattr(GAME.kernel(make_step), "signatures", ()))
    numbers = (
        (DATA / "numbers.csv")
        .read_text()
        .replace("pass_sapphires,2", "pass_sapphires,3")
        .replace("roofs_to_end,5", "roofs_to_end,1")
    )
    (tmp_path / "numbers.csv").write_text(numbers)
    shutil.copy(DATA / "djinns.csv", tmp_path)
    batch = table(display="Y10", box=tmp_path)
    play(batch, "pass")
    assert batch.state["sapphires"][0, 0] == 3
    batch = holding("Y10", FOUR_ROOFS.replace("Y06  Y07  Y08  Y09", ".    .    .    .  "), box=tmp_path)
    play(batch, "place", 4, "as drawn")
    assert batch.state["ender"][0] == 0
    assert len(getattr(GAME.kernel(make_step), "signatures", ())) == before


def test_the_rulebooks_lintels_and_pointed_roofs():
    for special in ("lintel", "point"):
        marks = [int(row["min_players"]) for row in ROWS if row["special"] == special]
        assert [sum(mark <= players for mark in marks) for players in (2, 3, 4)] == [2, 3, 3]
    assert Counter(row["floor"] for row in ROWS) == {"blue": 20, "red": 20, "green": 28, "roof": 25}


# -- The whole game ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("box", [None, OPEN])
def test_random_games_lose_no_piece(players, box):
    batch = make_batch(ID, 64, players, seed=players, box=box)
    for _ in range(300):
        batch.step(batch.sample())
        for truth, holds in GAME.invariants(np.asarray(batch.state), batch.box).items():
            assert holds.all(), truth
        assert batch.action_mask.any(axis=1).all()


def test_invariants_notice_a_lost_tile_and_a_hole():
    batch = table(OVERHANG)
    assert all(holds.all() for holds in GAME.invariants(np.asarray(batch.state), batch.box).values())
    faces = batch.state["palace"][0].copy()
    faces[0, 13] = 2 + 2 * tile("G06")
    change(batch, palace=faces)
    broken = {truth for truth, holds in GAME.invariants(np.asarray(batch.state), batch.box).items() if not holds.all()}
    assert broken == {"every tile of the player count is in one place", "no palace has a hole"}


def test_the_board_shows_the_half_tile_shift_and_the_table():
    lines = plain(table(GATE, display="R09", sapphires=(4, 0, 0, 0)).render()).splitlines()
    blue = next(line for line in lines if line.startswith("╭═══∩∩∩╮╭∩∩∩‖‖‖╮╔═══‖‖‖╗"))
    red = next(line for line in lines if line.startswith("    ╭═══‖‖‖╮"))
    assert lines.index(red) < lines.index(blue)
    assert any("sapphires 4" in line for line in lines)
    assert any("search (3), build twice (2), red (2), refresh (1)" in line for line in lines)
    assert any("R09" in line for line in lines)


def test_greedy_play_beats_random_play_and_finishes_its_games():
    assert play_match(ID, ["greedy", "random"], 200, seed=1).win_share[0] > 0.95
    assert play_match(ID, ["greedy", "greedy"], 200, seed=1).truncated <= 0.05


def test_the_djinns_of_the_rulebook():
    assert list(GAME.load_box()["cost"][0]) == [3, 2, 2, 1]
    assert [djinn.name for djinn in Djinn] == ["SEARCH", "BUILD_TWICE", "RED", "REFRESH"]
