"""The rules of 1001 Islands, sentence by sentence."""

import itertools
import shutil

import numpy as np
import pytest

from agents.arena import play_match
from arabian_envs import ComponentError, GameBatch, get_game, make_batch
from arabian_envs.engine.text import plain
from arabian_envs.games.islands.components import COLUMNS, DREAM_NAMES, ROWS, TILES, Dream, Picture, Stack
from arabian_envs.games.islands.state import EMPTY, FACE_DOWN_SLOT, Phase
from tests.positions import change, legal, play, position

GAME = get_game("islands")
BOX = GAME.load_box()
LETTERS = "PBROFCEMSLVUD"
UPPER, CENTRAL, LOWER, DREAM = (stack.name.lower() for stack in Stack)
EVERYWHERE = (2, 3, 4, 5)


# -- Building Islands --------------------------------------------------------------------------------------------------


def tile(row: int, code: str, skip: int = 0) -> int:
    """The number of the tile of a row with these pictures."""
    wanted = [code.count(letter) for letter in LETTERS]
    return int(np.flatnonzero((BOX["pictures"][0, row] == wanted).all(axis=1))[skip])


def dream(kind: int, copy: int = 0) -> int:
    return int(np.flatnonzero(BOX["dream"][0] == kind)[copy])


def settle(batch: GameBatch, seat: int, rows: list[str], dreams: tuple[int, ...] = ()) -> None:
    """Give a seat an Island, as three lines of tile codes ("·" empty, a code in brackets flipped), and dreams."""
    island, flipped = np.full((ROWS, COLUMNS), EMPTY), np.zeros((ROWS, COLUMNS), int)
    for row, line in enumerate(rows):
        for column, code in enumerate(line.split()):
            if code != "·":
                island[row, column] = tile(row, code.strip("()"))
                flipped[row, column] = code.startswith("(")
    faces = BOX["pictures"][0][np.arange(ROWS)[:, None], island] * ((island != EMPTY) & (flipped == 0))[..., None]
    batch.state["island"][0, seat] = island
    batch.state["flipped"][0, seat] = flipped
    batch.state["visible"][0, seat] = faces.sum((0, 1))
    batch.state["dreams"][0, seat] = [*dreams, *[EMPTY] * (COLUMNS - len(dreams))]
    robbers = batch.state["visible"][0, :, Picture.BANDIT].copy()
    batch.state["visible"][0, :, Picture.BANDIT] = 0
    batch.state["points"][0, seat] = batch.scores()[0, seat]
    batch.state["visible"][0, :, Picture.BANDIT] = robbers
    batch.refresh()


def about_to_place(row: int, code: str, rows: list[str], players: int = 3, dreams: tuple[int, ...] = ()) -> GameBatch:
    """Seat 0 with a tile in hand and an Island."""
    batch = position("islands", players, player=0, lookout=0)
    play(batch, "stack", row)
    if players == 2:
        change(batch, phase=Phase.TILE, player=0)
    play(batch, "tile", 0)
    settle(batch, 0, rows, dreams)
    change(batch, held=tile(row, code))
    return batch


def columns(batch: GameBatch) -> list[int]:
    names = ["first", "second", "third", "fourth"]
    return sorted(names.index(name.split()[1]) for name in legal(batch) if name.startswith("column"))


def points(batch: GameBatch) -> list[float]:
    return batch.scores()[0].tolist()


def score_of(rows: list[str], *dreams: int) -> float:
    """The points of an Island; somebody else has the Bandits."""
    batch = position("islands", 2)
    settle(batch, 0, rows, tuple(dream(kind, dreams[:place].count(kind)) for place, kind in enumerate(dreams)))
    batch.state["visible"][0, 1, Picture.BANDIT] = 50
    return points(batch)[0]


def flags(batch: GameBatch, seat: int) -> dict:
    return GAME.describe(batch.observe(seat)[0])


def random_games(players: int, num_games: int = 64, seed: int = 0):
    """Batches as random games pass through them, every position once."""
    batch = make_batch("islands", num_games, players, seed=seed, autoreset=False)
    while batch.running.any():
        yield batch
        batch.step(batch.sample(), where=batch.running)
    yield batch


# -- The box and setup -------------------------------------------------------------------------------------------------


def test_the_box_has_the_pictures_it_should():
    totals = BOX["pictures"][0].sum((0, 1)).tolist()
    assert totals == [45, 24, 18, 12, 14, 11, 8, 20, 9, 15, 8, 8, 8]


def test_there_are_two_copies_of_each_dream():
    assert np.bincount(BOX["dream"][0]).tolist() == [2] * 10


@pytest.mark.parametrize(("players", "size", "per_round"), [(2, 12, 3), (3, 12, 3), (4, 16, 4), (5, 20, 5)])
def test_stacks_hold_the_tiles_for_four_rounds(players, size, per_round):
    batch = position("islands", players)
    for used in range(1, 5):
        change(batch, phase=Phase.STACK)
        assert "stack dream" in legal(batch)
        play(batch, "stack", DREAM)
        assert batch.state["on_table"][0].sum() == per_round
        assert batch.state["drawn"][0, Stack.DREAM] == used * per_round
    change(batch, phase=Phase.STACK)
    assert batch.state["drawn"][0, Stack.DREAM] == size
    assert legal(batch) == {"stack upper", "stack central", "stack lower"}


def test_the_tiles_in_play_are_a_random_subset_in_random_order():
    batch = make_batch("islands", 20000, 2, seed=5)
    for place in (0, 11, 19):
        counts = np.bincount(batch.state["deck"][:, Stack.LOWER, place], minlength=TILES)
        assert np.abs(counts / 20000 - 1 / TILES).max() < 0.008


@pytest.mark.parametrize("players", EVERYWHERE)
def test_the_first_lookout_is_random(players):
    batch = make_batch("islands", 10000, players, seed=1)
    assert (batch.player == batch.state["lookout"]).all()
    assert np.abs(np.bincount(batch.player, minlength=players) / 10000 - 1 / players).max() < 0.025


@pytest.mark.parametrize("players", EVERYWHERE)
def test_boards_are_empty_at_first(players):
    state = position("islands", players).state[0]
    assert (state["island"] == EMPTY).all()
    assert (state["dreams"] == EMPTY).all()
    assert not state["visible"].any()


# -- A round with three to five players --------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5])
def test_one_tile_per_player_and_the_lookout_chooses_first(players):
    batch = position("islands", players, player=1, lookout=1)
    play(batch, "stack", CENTRAL)
    names = ["first", "second", "third", "fourth", "fifth"][:players]
    assert legal(batch) == {f"tile {name}" for name in names}
    assert batch.player[0] == 1
    for seat in range(players):
        seen = flags(batch, seat)
        assert seen["on_table"].sum() == players
        assert not seen["unknown"].any()
        assert seen["stack"].tolist() == [0, 1, 0, 0]


def test_a_taken_tile_is_gone_and_its_place_in_the_row_is_chosen():
    batch = position("islands", 4, player=2, lookout=2)
    play(batch, "stack", LOWER)
    taken = batch.state["deck"][0, Stack.LOWER, 1]
    play(batch, "tile", "second")
    assert columns(batch) == [0]
    play(batch, "column", "first")
    assert batch.state["island"][0, 2, Stack.LOWER, 0] == taken
    assert batch.state["on_table"][0].tolist() == [1, 0, 1, 1, 0]


def test_a_dream_goes_to_the_left_without_a_choice_of_place():
    batch = position("islands", 3, player=0, lookout=0)
    play(batch, "stack", DREAM)
    taken = batch.state["deck"][0, Stack.DREAM, 2]
    play(batch, "tile", "third")
    assert batch.state["dreams"][0, 0].tolist() == [taken, EMPTY, EMPTY, EMPTY]
    assert batch.state["phase"][0] == Phase.NEXT


def test_each_player_names_one_who_has_not_chosen_and_the_last_becomes_lookout():
    batch = position("islands", 5, player=3, lookout=3)
    play(batch, "stack", DREAM)
    play(batch, "tile", 0)
    assert legal(batch) == {"next neighbour", "next second neighbour", "next third neighbour", "next fourth neighbour"}
    play(batch, "next", "second neighbour")
    assert batch.player[0] == 0
    play(batch, "tile", 4)
    assert legal(batch) == {"next neighbour", "next second neighbour", "next fourth neighbour"}  # all but 0 and 3
    play(batch, "next", "fourth neighbour")
    assert batch.player[0] == 4
    play(batch, "tile", 1)
    play(batch, "next", "second neighbour")
    assert batch.player[0] == 1
    play(batch, "tile", 2)
    assert legal(batch) == {"next neighbour"}  # the only one left is a decision all the same
    play(batch, "next", "neighbour")
    assert legal(batch) == {"tile fourth"}
    play(batch, "tile", "fourth")
    assert batch.state["lookout"][0] == batch.player[0] == 2
    assert batch.state["phase"][0] == Phase.STACK
    assert batch.state["rounds_played"][0] == 1
    assert not batch.state["chosen"][0].any()


def test_seats_in_next_are_relative_to_the_acting_player_and_exist():
    batch = position("islands", 3, player=2, lookout=2)
    play(batch, "stack", DREAM)
    play(batch, "tile", 0)
    assert legal(batch) == {"next neighbour", "next second neighbour"}
    play(batch, "next", "neighbour")
    assert batch.player[0] == 0


@pytest.mark.parametrize("players", EVERYWHERE)
def test_sixteen_rounds_fill_every_board(players):
    *_, batch = random_games(players)
    assert batch.terminated.all()
    assert (batch.state["rounds_played"] == 16).all()
    assert (batch.state["island"][:, :players] != EMPTY).all()
    assert (batch.state["dreams"][:, :players] != EMPTY).all()
    assert (batch.state["drawn"] == BOX["tiles_per_stack"][0, players]).all()


# -- Construction ------------------------------------------------------------------------------------------------------

NOTHING = ["· · · ·"] * 3


@pytest.mark.parametrize("row", range(ROWS))
def test_the_first_tile_touches_the_board(row):
    assert columns(about_to_place(row, "PMM", NOTHING)) == [0]


def test_tiles_lie_beside_the_board_or_beside_a_tile():
    batch = about_to_place(1, "PMM", ["PPP · · ·", "· · · ·", "· · · ·"])
    assert columns(batch) == [0]
    batch = about_to_place(1, "PMM", ["PPP PPS PPR ·", "· · · ·", "· · · ·"])
    assert columns(batch) == [0, 1, 2]  # gaps in the row are allowed below tiles of the row above
    batch = about_to_place(2, "PMM", ["PPP PPS PPR ·", "· · PPP ·", "· · · ·"])
    assert columns(batch) == [0, 2]
    batch = about_to_place(1, "PMM", ["· · · ·", "PPP · · ·", "PPP PPS · ·"])
    assert columns(batch) == [1]


def test_a_gap_can_be_filled_from_the_right_and_corners_do_not_touch():
    batch = about_to_place(1, "PMM", ["PPP PPS · ·", "· PPP · ·", "· · · ·"])
    assert columns(batch) == [0, 2]
    batch = about_to_place(2, "PMM", ["PPP PPS · ·", "· PPP · ·", "· · · ·"])
    assert columns(batch) == [0, 1]
    batch = about_to_place(0, "PMM", ["PPP · · ·", "PPP PPS PPR ·", "· · · ·"])
    assert columns(batch) == [1, 2]


def test_a_row_right_of_a_gap_may_grow_to_the_left():
    batch = about_to_place(0, "PMM", ["· · · PPP", "PPP PPS PPR PRU", "· · · ·"])
    assert columns(batch) == [0, 1, 2]
    batch = about_to_place(0, "PMM", ["PPP · · PPS", "· · · ·", "· · · ·"])
    assert columns(batch) == [1, 2]  # the third column touches the tile on its right


def test_a_flipped_tile_still_occupies_its_place_and_is_a_neighbour():
    batch = about_to_place(0, "PMM", ["(LOS) · · ·", "· · · ·", "· · · ·"])
    assert columns(batch) == [1]


def test_a_tile_that_lies_is_never_moved():
    for players in (2, 4):
        before = None
        for batch in random_games(players, 32):
            island = batch.state["island"].copy()
            if before is not None:
                assert (island[before != EMPTY] == before[before != EMPTY]).all()
            before = island


def test_the_tile_goes_into_the_row_of_its_stack():
    batch = about_to_place(2, "PMM", ["PPP · · ·", "· · · ·", "· · · ·"])
    play(batch, "column", "first")
    assert batch.state["island"][0, 0, 2, 0] == tile(2, "PMM")
    assert (batch.state["island"][0, 0, 1] == EMPTY).all()


# -- Beware the Magic Lamps! -------------------------------------------------------------------------------------------


def test_two_lamps_are_no_problem():
    batch = about_to_place(1, "LFC", ["LER · · ·", "· · · ·", "· · · ·"])
    play(batch, "column", "first")
    assert not batch.state["flipped"].any()
    assert batch.state["visible"][0, 0, Picture.LAMP] == 2


def test_the_third_lamp_flips_the_two_earlier_ones_and_stays():
    batch = about_to_place(2, "LFC", ["LER BPPM · ·", "LOS · · ·", "· · · ·"])
    play(batch, "column", "first")
    assert np.argwhere(batch.state["flipped"][0, 0]).tolist() == [[0, 0], [1, 0]]
    seen = batch.state["visible"][0, 0]
    assert seen[Picture.LAMP] == 1
    # Only BPPM and LFC can still be seen.
    assert [LETTERS[p] * int(seen[p]) for p in Picture] == ["PP", "B", "", "", "F", "C", "", "M", "", "L", "", "", ""]
    assert (batch.state["flipped"][0, 1:] == 0).all()


def test_every_third_lamp_flips_again():
    batch = about_to_place(0, "LOS", ["(LER) LFC · ·", "(LOS) LFC · ·", "· · · ·"])
    play(batch, "column", "third")
    assert np.argwhere(batch.state["flipped"][0, 0]).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert batch.state["visible"][0, 0, Picture.LAMP] == 1


def test_a_tile_without_a_lamp_flips_nothing():
    batch = about_to_place(0, "PMM", ["LER LFC · ·", "· · · ·", "· · · ·"])
    play(batch, "column", "third")
    assert not batch.state["flipped"].any()


def test_a_flipped_tile_hides_everything_on_it():
    assert score_of(["PPP LER · ·", "· · · ·", "· · · ·"], Dream.ELEPHANT) == 3 + 5
    assert score_of(["PPP (LER) · ·", "· · · ·", "· · · ·"], Dream.ELEPHANT) == 3
    assert score_of(["(LER) · · ·", "BOE · · ·", "· · · ·"]) == 0  # no pair with a hidden Roc
    assert score_of(["(LMMV) · · ·", "· · · ·", "· · · ·"], Dream.GEM_COLUMNS, Dream.GEM_LINES, Dream.MONKEY) == 0


# -- Scoring -----------------------------------------------------------------------------------------------------------


def test_the_rulebooks_scoring_example():
    rows = ["OFV PRD LER BPMC", "BRU BPMC PPR PMM", "BBCFR CSD BPFR BPMC"]
    parts = {Dream.ELEPHANT: 5, Dream.GEM_COLUMNS: 8, Dream.LAMP: 4, Dream.SNAKE: 10}
    palms, combos, bandits = 8, 7, 7
    assert score_of(rows) == palms + combos
    for kind, worth in parts.items():
        assert score_of(rows, kind) == palms + combos + worth
    batch = position("islands", 4)
    settle(batch, 0, rows, tuple(dream(kind) for kind in parts))
    settle(batch, 1, ["BBCFR BPPM · ·", "· · · ·", "· · · ·"])
    assert batch.state["visible"][0, 0, Picture.BANDIT] == bandits
    assert points(batch)[0] == 35
    batch.state["visible"][0, 1, Picture.BANDIT] = 8
    assert points(batch)[0] == 42  # somebody else has more Bandits


@pytest.mark.parametrize(
    ("kind", "rows", "worth"),
    [
        (Dream.FENNEC, ["LFC OFV · ·", "BPFR · · ·", "· · · ·"], 3 * 3),
        (Dream.ROC, ["LER BRFD · ·", "· · · ·", "· · · ·"], 2 * 2),
        (Dream.CAMEL, ["LFC CUS · ·", "BPMC · · ·", "· · · ·"], 3 * 4),
        (Dream.ELEPHANT, ["LER BOE · ·", "· · · ·", "· · · ·"], 2 * 5),
        (Dream.MONKEY, ["PMM LMMV · ·", "· · · ·", "· · · ·"], 4 * 2),
        (Dream.FLIPPED, ["(LER) (LFC) LOS ·", "· · · ·", "· · · ·"], 2 * 4),
        (Dream.LAMP, NOTHING, 0),
        (Dream.LAMP, ["LER · · ·", "· · · ·", "· · · ·"], 4),
        (Dream.LAMP, ["LER LFC · ·", "· · · ·", "· · · ·"], 12),
        (Dream.LAMP, ["(LER) (LFC) LOS ·", "· · · ·", "· · · ·"], 4),
        (Dream.SNAKE, NOTHING, 0),
        (Dream.SNAKE, ["CUS · · ·", "· · · ·", "· · · ·"], 10),
        (Dream.SNAKE, ["CUS LOS · ·", "· · · ·", "· · · ·"], 5),
        (Dream.SNAKE, ["CUS LOS · ·", "LOS · · ·", "· · · ·"], 0),
        (Dream.SNAKE, ["CUS LOS · ·", "LOS CVS · ·", "· · · ·"], 0),
    ],
)
def test_each_dream(kind, rows, worth):
    assert score_of(rows, kind) - score_of(rows) == worth


@pytest.mark.parametrize(
    ("rows", "by_column", "by_line"),
    [
        (["OFV · · ·", "· · · ·", "· · · ·"], 2, 2),
        (["OFV CUS · ·", "· · · ·", "· · · ·"], 4, 5),
        (["OFV CUS BRFD ·", "· · · ·", "· · · ·"], 6, 10),
        (["OFV LMMV · ·", "· · · ·", "· · · ·"], 4, 2),  # two emeralds are one kind
        (["OFV · · ·", "OFD · · ·", "OFU · · ·"], 12, 6),
        (["OFV · · ·", "· · · ·", "OFU · · ·"], 6, 4),
        (["CUS · · ·", "BRU · · ·", "OFU · · ·"], 2, 6),
        (["OFV CUS BRFD LMMV", "OFD CVS BRU LMMD", "OFU CSD BRFV LMMU"], 48, 30),
    ],
)
def test_gems_by_column_and_line(rows, by_column, by_line):
    nothing = score_of(rows)
    assert score_of(rows, Dream.GEM_COLUMNS) - nothing == by_column
    assert score_of(rows, Dream.GEM_LINES) - nothing == by_line


def test_both_copies_of_a_dream_score_in_full():
    rows = ["CUS · · ·", "· · · ·", "· · · ·"]
    assert score_of(rows, Dream.SNAKE, Dream.SNAKE) == 20
    assert score_of(rows, Dream.CAMEL, Dream.CAMEL) == 8


def test_palms_give_a_point_each():
    assert score_of(["PPP PPS · ·", "PMM · · ·", "· · · ·"]) == 6


def test_a_roc_or_an_egg_serves_one_pair_only():
    assert score_of(["LER · · ·", "· · · ·", "· · · ·"]) == 0
    assert score_of(["LER BOE · ·", "· · · ·", "· · · ·"]) == 7
    assert score_of(["LER BOE OFV ·", "LOS · · ·", "· · · ·"]) == 7
    assert score_of(["LER BOE OFV BRFD", "LOS · · ·", "· · · ·"]) == 14


def test_the_roc_dream_counts_paired_rocs_too():
    assert score_of(["LER BOE · ·", "· · · ·", "· · · ·"], Dream.ROC) == 7 + 2


def bandits(*numbers: int) -> list[float]:
    batch = position("islands", len(numbers))
    batch.state["visible"][0, : len(numbers), Picture.PALM] = 20
    batch.state["visible"][0, : len(numbers), Picture.BANDIT] = numbers
    return points(batch)


def test_the_player_with_most_bandits_loses_a_point_for_each():
    assert bandits(3, 5, 1) == [20, 15, 20]
    assert bandits(3, 2) == [17, 20]


def test_all_tied_for_most_bandits_lose():
    assert bandits(4, 1, 4, 4) == [16, 20, 16, 16]
    assert bandits(2, 2) == [18, 18]


def test_nobody_loses_without_bandits():
    assert bandits(0, 0, 0) == [20, 20, 20]


def rewards_at_the_end(*seats: tuple[int, int], reward: str = "outcome") -> list[float]:
    """Rewards when a game ends with these (palms, bandits): the last player takes a dream of foxes, and has none."""
    players = len(seats)
    batch = GameBatch(GAME, 1, players, seed=0, reward=reward, autoreset=False)
    batch.state["deck"][0, Stack.DREAM, 0] = dream(Dream.FENNEC)
    batch.state["drawn"][0, Stack.DREAM] = max(3, players)
    batch.state["on_table"][0, : 2 if players == 2 else 1] = 1
    batch.state["chosen"][0, : players - 1] = 1
    batch.state["visible"][0, :players, Picture.PALM] = [palms for palms, _ in seats]
    batch.state["visible"][0, :players, Picture.BANDIT] = [robbers for _, robbers in seats]
    last = players - 1
    change(batch, rounds_played=15, stack=Stack.DREAM, phase=Phase.TILE, player=last, lookout=last)
    play(batch, "tile", "first")
    assert batch.terminated[0]
    return batch.reward[0].round(4).tolist()


def test_most_points_win():
    assert rewards_at_the_end((20, 0), (19, 0)) == [1, -1]
    assert rewards_at_the_end((20, 3), (18, 1)) == [-1, 1]  # 17 points after losses
    assert rewards_at_the_end((20, 0), (10, 0), (21, 0)) == [-0.5, -0.5, 1]


def test_fewest_bandits_break_a_tie():
    assert rewards_at_the_end((23, 3), (20, 1)) == [-1, 1]  # 20 points each after losses
    assert rewards_at_the_end((20, 2), (20, 1), (9, 6)) == [-0.5, 1, -0.5]


def test_a_tie_in_points_and_bandits_is_a_shared_win():
    assert rewards_at_the_end((20, 1), (20, 1)) == [0, 0]
    assert rewards_at_the_end((20, 1), (20, 1), (5, 4)) == [0.25, 0.25, -0.5]


def test_margin_reward_is_scaled_points():
    assert rewards_at_the_end((30, 0), (20, 0), reward="margin") == pytest.approx([0.2, -0.2])


# -- Two players -------------------------------------------------------------------------------------------------------


def hidden_round(stack: int = Stack.UPPER, lookout: int = 0, hide: str = "first", **fields) -> GameBatch:
    """Two players: the Lookout has drawn and laid a tile face down; the other is to choose."""
    batch = position("islands", 2, player=lookout, lookout=lookout, **fields)
    play(batch, "stack", stack)
    play(batch, "hide", hide)
    return batch


def place_anywhere(batch: GameBatch) -> None:
    if batch.state["phase"][0] == Phase.COLUMN:
        batch.step(batch.sample())


def test_the_lookout_of_two_looks_at_three_tiles_and_hides_one():
    batch = position("islands", 2, player=1, lookout=1)
    play(batch, "stack", CENTRAL)
    assert batch.player[0] == 1
    assert legal(batch) == {"hide first", "hide second", "hide third"}
    own, other = flags(batch, 1), flags(batch, 0)
    assert own["unknown"].tolist() == [0] * 5
    assert other["unknown"].tolist() == [1, 1, 1, 0, 0]
    assert other["on_table"].tolist() == [1, 1, 1, 0, 0]
    assert own["table_pictures"].any(axis=1).tolist() == [True] * 3 + [False] * 2
    assert not other["table_pictures"].any()


@pytest.mark.parametrize("hide", ["first", "second", "third"])
def test_two_tiles_are_revealed_and_the_hidden_one_lies_third(hide):
    batch = position("islands", 2, player=0, lookout=0)
    play(batch, "stack", DREAM)
    drawn = batch.state["deck"][0, Stack.DREAM, :3].tolist()
    play(batch, "hide", hide)
    now = batch.state["deck"][0, Stack.DREAM, :3].tolist()
    assert now[FACE_DOWN_SLOT] == drawn[["first", "second", "third"].index(hide)]
    assert sorted(now) == sorted(drawn)
    assert batch.player[0] == 1
    assert legal(batch) == {"tile first", "tile second", "tile third"}
    assert flags(batch, 1)["unknown"].tolist() == [0, 0, 1, 0, 0]
    assert flags(batch, 1)["table_dreams"].sum(axis=1).tolist() == [1, 1, 0, 0, 0]
    assert flags(batch, 0)["unknown"].tolist() == [0] * 5
    assert flags(batch, 0)["table_dreams"].sum(axis=1).tolist() == [1, 1, 1, 0, 0]


def test_the_other_chooses_then_the_lookout_and_the_last_tile_is_discarded():
    batch = hidden_round(Stack.LOWER)
    tiles = batch.state["deck"][0, Stack.LOWER, :3].tolist()
    play(batch, "tile", "second")
    play(batch, "column", "first")
    assert batch.player[0] == 0
    assert legal(batch) == {"tile first", "tile third"}
    play(batch, "tile", "first")
    play(batch, "column", "first")
    assert batch.state["island"][0, 1, Stack.LOWER, 0] == tiles[1]
    assert batch.state["island"][0, 0, Stack.LOWER, 0] == tiles[0]
    assert batch.state["discarded"][0, Stack.LOWER].tolist() == [tiles[2], EMPTY, EMPTY, EMPTY]
    assert not batch.state["on_table"].any()


def test_the_two_players_take_turns_as_lookout():
    batch = position("islands", 2)
    lookouts = []
    while batch.running[0]:
        if batch.state["phase"][0] == Phase.STACK:
            lookouts.append(int(batch.player[0]))
        batch.step(batch.sample())
    assert len(lookouts) == 16
    assert all(one != other for one, other in itertools.pairwise(lookouts))


def test_nobody_names_a_next_player_with_two():
    assert all(not batch.action_mask[:, GAME.action("next", 0) :].any() for batch in random_games(2, 32))


@pytest.mark.parametrize("stack", [Stack.CENTRAL, Stack.DREAM])
def test_taking_the_face_down_tile_makes_it_public(stack):
    batch = hidden_round(stack)
    hidden = batch.state["deck"][0, stack, FACE_DOWN_SLOT]
    play(batch, "tile", "third")
    assert batch.state["face_down"][0] == 0
    for seat in (0, 1):
        seen = flags(batch, seat)
        assert not seen["unknown"].any()
        if stack == Stack.DREAM:
            assert seen["dreams"][1 - seat if seat == 0 else 0].sum() == 0.25
        else:
            assert (seen["held_pictures"] == BOX["pictures"][0, stack, hidden]).all()


def test_the_face_down_tile_stays_hidden_while_the_others_are_taken_and_is_discarded_face_up():
    batch = hidden_round(Stack.UPPER, lookout=0)
    hidden = batch.state["deck"][0, Stack.UPPER, FACE_DOWN_SLOT]
    play(batch, "tile", "first")
    assert flags(batch, 1)["unknown"].tolist() == [0, 0, 1, 0, 0]
    place_anywhere(batch)
    assert flags(batch, 1)["unknown"].tolist() == [0, 0, 1, 0, 0]
    play(batch, "tile", "second")  # the Lookout leaves it, and still has to place a tile
    assert flags(batch, 1)["unknown"].tolist() == [0, 0, 1, 0, 0]
    before = flags(batch, 1)["undrawn"][Stack.UPPER] * 18  # tiles the other player has not seen
    place_anywhere(batch)
    after = flags(batch, 1)["undrawn"][Stack.UPPER] * 17
    assert np.round(before - after).astype(int).tolist() == BOX["pictures"][0, Stack.UPPER, hidden].tolist()


def test_the_lookout_may_take_the_face_down_tile():
    batch = hidden_round(Stack.DREAM)
    hidden = batch.state["deck"][0, Stack.DREAM, FACE_DOWN_SLOT]
    play(batch, "tile", "first")
    play(batch, "tile", "third")
    assert batch.state["dreams"][0, 0, 0] == hidden
    assert flags(batch, 1)["dreams"][1].sum() == 0.25


# -- Hidden information ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", EVERYWHERE)
def test_determinize_leaves_what_each_seat_knows(players):
    for step, batch in enumerate(random_games(players, 32)):
        if step % 3:
            continue
        for seat in range(players):
            seen, mask, undrawn = batch.observe(seat), batch.action_mask.copy(), batch.state["undrawn"].copy()
            twin = batch.copy()
            twin.determinize(seat, seed=step)
            assert (twin.observe(seat) == seen).all()
            assert (twin.action_mask == mask).all()
            for name in ("island", "dreams", "flipped", "visible", "discarded", "drawn", "on_table", "held"):
                assert (twin.state[name] == batch.state[name]).all()
            for name, truth in GAME.invariants(twin.state, twin.box).items():
                assert truth.all(), name
            if players > 2:
                assert (twin.state["undrawn"] == undrawn).all()


def worlds(batch: GameBatch, seat: int, stack: int, number: int = 6000) -> np.ndarray:
    """The decks of many worlds that a seat thinks possible."""
    many = GameBatch(GAME, number, int(batch.num_players[0]), seed=0)
    many.state[:] = batch.state[0]
    many.determinize(seat, seed=9)
    return np.asarray(many.state["deck"][:, stack])


def is_uniform(values: np.ndarray, possible: list[int]) -> bool:
    """Whether values fall on exactly the possible ones, equally often (chi-square, beyond any doubt)."""
    counts = np.array([(values == value).sum() for value in possible])
    expected = len(values) / len(possible)
    return counts.sum() == len(values) and ((counts - expected) ** 2 / expected).sum() < 3 * len(possible) + 20


@pytest.mark.parametrize("stack", [Stack.UPPER, Stack.DREAM])
def test_the_other_player_guesses_the_face_down_tile_uniformly_and_the_lookout_knows_it(stack):
    batch = hidden_round(stack)
    deck = batch.state["deck"][0, stack].tolist()
    other = worlds(batch, 1, stack)
    assert (other[:, :2] == deck[:2]).all()
    assert is_uniform(other[:, FACE_DOWN_SLOT], deck[2:])
    assert is_uniform(other[:, 7], deck[2:])
    own = worlds(batch, 0, stack)
    assert (own[:, :3] == deck[:3]).all()
    assert is_uniform(own[:, 3], deck[3:])


def test_while_the_lookout_looks_the_other_player_knows_none_of_the_three():
    batch = position("islands", 2, player=0, lookout=0)
    play(batch, "stack", LOWER)
    deck = batch.state["deck"][0, Stack.LOWER].tolist()
    other = worlds(batch, 1, Stack.LOWER)
    for slot in range(3):
        assert is_uniform(other[:, slot], deck)
    assert (worlds(batch, 0, Stack.LOWER)[:, :3] == deck[:3]).all()


def test_a_face_down_tile_that_was_taken_is_known_to_both():
    batch = hidden_round(Stack.UPPER)
    play(batch, "tile", "third")
    deck = batch.state["deck"][0, Stack.UPPER].tolist()
    for seat in (0, 1):
        assert (worlds(batch, seat, Stack.UPPER)[:, :3] == deck[:3]).all()


def test_a_discarded_tile_is_known_to_both():
    batch = hidden_round(Stack.UPPER)
    for name in ("first", "second"):
        play(batch, "tile", name)
        place_anywhere(batch)
    deck = batch.state["deck"][0, Stack.UPPER].tolist()
    for seat in (0, 1):
        decks = worlds(batch, seat, Stack.UPPER)
        assert (decks[:, :3] == deck[:3]).all()
        assert is_uniform(decks[:, 3], deck[3:])


@pytest.mark.parametrize("players", [3, 5])
def test_stacks_and_box_are_redrawn_uniformly_together(players):
    batch = position("islands", players)
    play(batch, "stack", CENTRAL)
    deck = batch.state["deck"][0, Stack.CENTRAL].tolist()
    decks = worlds(batch, 0, Stack.CENTRAL)
    assert (decks[:, :players] == deck[:players]).all()
    for place in (players, 11, 19):
        assert is_uniform(decks[:, place], deck[players:])


def test_the_board_in_text_hides_what_a_seat_does_not_know():
    batch = hidden_round(Stack.DREAM, hide="first")
    name = DREAM_NAMES[BOX["dream"][0, batch.state["deck"][0, Stack.DREAM, FACE_DOWN_SLOT]]]
    assert f"3: {name} (face down)" in plain(batch.render(viewer=0))
    assert f"3: {name} (face down)" in plain(batch.render(viewer=None))
    assert "3: ??" in plain(batch.render(viewer=1))
    batch = position("islands", 2, player=0, lookout=0)
    play(batch, "stack", UPPER)
    assert "1: ??   2: ??   3: ??" in plain(batch.render(viewer=1))
    assert "??" not in plain(batch.render(viewer=0)).splitlines()[3]


# -- The board in text -------------------------------------------------------------------------------------------------


def test_the_board_in_text_shows_islands_dreams_and_flipped_tiles():
    batch = position("islands", 3)
    settle(batch, 1, ["(LER) (LMMV) LOS ·", "BBFR · · ·", "· · · ·"], (dream(Dream.SNAKE), dream(Dream.FLIPPED)))
    text = plain(batch.render())
    assert "│≈≈≈≈≈≈│≈≈≈≈≈≈│OSL   │·     │" in text
    assert "│BBRF  │·     │·     │·     │" in text
    assert "Snake, Flipped Tile" in text
    assert "23 points, bandits 2 (most)" in text  # a snake 10, flipped tiles 8, a pair 7, less 2


@pytest.mark.parametrize("players", EVERYWHERE)
def test_every_position_can_be_drawn(players):
    for step, batch in enumerate(random_games(players, 1)):
        if step % 7 == 0 or not batch.running[0]:
            for viewer in (None, *range(players)):
                assert "1001 Islands" in batch.render(viewer=viewer)


# -- Every tile accounted for ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", EVERYWHERE)
def test_no_tile_is_lost_in_random_play(players):
    for batch in random_games(players, 128, seed=players):
        for name, truth in GAME.invariants(batch.state, batch.box).items():
            assert truth.all(), name


@pytest.mark.parametrize(
    "field", ["island", "dreams", "discarded", "deck", "visible", "points", "undrawn", "flipped", "drawn"]
)
def test_the_invariants_notice_a_lost_or_changed_piece(field):
    batch = make_batch("islands", 1, 2, seed=3, autoreset=False)
    for _ in range(60):
        batch.step(batch.sample())
    assert all(truth.all() for truth in GAME.invariants(batch.state, batch.box).values())
    entry = batch.state[field].reshape(-1)
    entry[0] = entry[0] - 1 if entry[0] > 0 else entry[0] + 1
    assert not all(truth.all() for truth in GAME.invariants(batch.state, batch.box).values())


# -- Observation -------------------------------------------------------------------------------------------------------


def test_own_side_comes_first_and_the_others_follow_in_order():
    batch = position("islands", 4)
    for seat, code in enumerate(("PPP", "PPS", "PRD", "CUS")):
        settle(batch, seat, [f"{code} · · ·", "· · · ·", "· · · ·"])
    seen = flags(batch, 2)
    assert (seen["points"] * 50).round().tolist() == [1, 0, 3, 2, 0]
    palms = (seen["pictures"][:, Picture.PALM] * 4).tolist()
    assert palms == [1, 0, 3, 2, 0]
    places = seen["islands"][:, 0, 0].tolist()
    assert places == [[1, 0, 0, 1, 0], [1, 0, 1, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0]]


def test_the_observation_shows_where_the_lamps_of_every_island_are():
    batch = position("islands", 3)
    settle(batch, 1, ["LER PPP · ·", *NOTHING[1:]])
    seen, lamps = batch.observe(0)[0], flags(batch, 0)["islands"][1, 0, :, -1]
    assert lamps.tolist() == [1, 0, 0, 0]
    settle(batch, 1, ["PPP LER · ·", *NOTHING[1:]])
    assert (batch.observe(0)[0] != seen).sum() == 2
    assert flags(batch, 0)["islands"][1, 0, :, -1].tolist() == [0, 1, 0, 0]
    settle(batch, 1, ["PPP (LER) · ·", *NOTHING[1:]])
    assert not flags(batch, 0)["islands"][1, ..., -1].any()


def test_the_observation_tells_who_was_named():
    batch = position("islands", 4, player=3, lookout=3)
    play(batch, "stack", DREAM)
    play(batch, "tile", "first")
    twin = batch.copy()
    play(batch, "next", "second neighbour")
    play(twin, "next", "third neighbour")
    assert flags(batch, 0)["acting"].tolist() == [0, 1, 0, 0, 0]
    assert flags(twin, 0)["acting"].tolist() == [0, 0, 1, 0, 0]
    assert (batch.observe(0) != twin.observe(0)).sum() == 2
    assert flags(batch, 1)["acting"].tolist() == [1, 0, 0, 0, 0]


def test_the_observation_tells_what_is_left():
    batch = position("islands", 5, player=0, lookout=0)
    play(batch, "stack", DREAM)
    left = BOX["dream"][0, batch.state["deck"][0, Stack.DREAM, 5:]]
    seen = flags(batch, 3)
    assert np.round(seen["undrawn_dreams"] * TILES).tolist() == np.bincount(left, minlength=10).tolist()
    assert seen["draws_left"].tolist() == [1, 1, 1, 0.75]
    faces = BOX["pictures"][0, Stack.UPPER]
    assert seen["undrawn"][Stack.UPPER] == pytest.approx(faces.mean(axis=0))


# -- Other boxes -------------------------------------------------------------------------------------------------------


def edited(folder, name: str, *changes: tuple[str, str]):
    """A folder with one of the component files, in which some text is replaced."""
    text = (GAME.folder / "data" / name).read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        (
            "islands.csv",
            "upper,1,lamp elephant roc",
            "upper,1,lamp elefant roc",
            r"row 2, field 'pictures': expected 1 to 6",
        ),
        ("islands.csv", "upper,1,lamp elephant roc", "upper,1,", r"row 2, field 'pictures'"),
        ("islands.csv", "upper,1,lamp elephant roc", "upper,1,lamp lamp", r"row 2, .*at most one gem and one lamp"),
        ("islands.csv", "upper,1,lamp elephant roc", "upper,1,ruby emerald", r"row 2, .*at most one gem and one lamp"),
        ("islands.csv", "upper,2,", "upper,1,", r"row 3, field 'tile': expected each of 1 to 20 once"),
        ("islands.csv", "upper,2,", "upper,21,", r"row 3, field 'tile': expected a whole number from 1 to 20"),
        ("islands.csv", "upper,2,", "middle,2,", r"row 3, field 'row': expected one of 'upper'"),
        ("islands.csv", "upper,2,lamp monkey monkey emerald,reconstruction\n", "", r"expected 60 rows"),
        ("dreams.csv", "Camel,2", "Camel,3", r"row 11, field 'copies': expected 20 dream tiles in all"),
        ("dreams.csv", "Camel,2", "Camel,1", r"expected 20 dream tiles in all, found 19"),
        ("dreams.csv", "Camel,2,4", "Camel,2,x", r"row 4, field 'points_1': expected a whole number"),
        ("dreams.csv", "Camel,2,4,,", "Camel,2,4,8,", r"row 4, field 'points_2': expected nothing"),
        ("dreams.csv", "Line of Gems,2,2,5,10", "Line of Gems,2,2,5,", r"row 8, field 'points_3': expected a whole number"),
        ("dreams.csv", "Camel", "Horse", r"row 4, field 'dream': expected once each"),
        ("dreams.csv", "Camel", "Monkey", r"row 6, field 'dream': expected once each"),
        (
            "numbers.csv",
            "with_4_players,16",
            "with_4_players,15",
            r"row 4, field 'value': expected 16, for 4 rounds of 4 tiles",
        ),
        ("numbers.csv", "points_per_palm,1", "points_per_palm,-1", r"row 6, field 'value': expected a whole number from 0"),
        ("numbers.csv", "points_per_palm", "points_per_tree", r"row 6, field 'name': expected once each"),
    ],
)
def test_wrong_components_are_refused(tmp_path, name, old, new, complaint):
    with pytest.raises(ComponentError, match=complaint) as problem:
        GAME.load_box(edited(tmp_path, name, (old, new)))
    assert name in str(problem.value)


def test_another_box_plays_by_its_own_numbers(tmp_path):
    edited(tmp_path, "dreams.csv", ("Camel,2,4", "Camel,3,9"), ("Monkey,2,2", "Monkey,1,2"))
    edited(tmp_path, "numbers.csv", ("points_per_palm,1", "points_per_palm,2"))
    box = GAME.load_box(tmp_path)
    batch = make_batch("islands", 16, 3, seed=1, box=box, autoreset=False)
    while batch.running.any():
        batch.step(batch.sample(), where=batch.running)
        for name, truth in GAME.invariants(batch.state, batch.box).items():
            assert truth.all(), name
    batch.state["dreams"] = EMPTY
    batch.state["dreams"][:, 0, 0] = int(np.flatnonzero(box["dream"][0] == Dream.CAMEL)[2])
    batch.state["visible"] = 0
    batch.state["visible"][:, 0, Picture.CAMEL] = 2
    batch.state["visible"][:, 1, Picture.PALM] = 5
    assert batch.scores()[0].tolist() == [18, 10, 0]


def test_the_observation_keeps_its_bounds_with_a_crowded_box(tmp_path):
    for name in ("islands.csv", "dreams.csv", "numbers.csv"):
        shutil.copy(GAME.folder / "data" / name, tmp_path)
    lines = (tmp_path / "islands.csv").read_text().splitlines()
    crowded = [",".join([*line.split(",")[:2], "palm palm palm roc egg lamp", "reconstruction"]) for line in lines[1:]]
    (tmp_path / "islands.csv").write_text("\n".join([lines[0], *crowded]) + "\n")
    edited(
        tmp_path, "numbers.csv", ("points_per_palm,1", "points_per_palm,10"), ("points_per_combo,7", "points_per_combo,20")
    )
    batch = make_batch("islands", 16, 3, seed=1, box=tmp_path, autoreset=False)
    while batch.running.any():
        batch.step(batch.sample(), where=batch.running)
        assert (batch.observation >= GAME.observation.low).all()
        assert (batch.observation <= GAME.observation.high).all()


# -- The heuristic -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", EVERYWHERE)
def test_evaluate_changes_nothing_and_stays_in_bounds(players):
    for batch in random_games(players, 32):
        before = batch.state.tobytes()
        for seat in range(players):
            assert (np.abs(batch.evaluate(seat)) <= 1).all()
        assert batch.state.tobytes() == before


def value(rows: list[str], *dreams: int, players: int = 3) -> float:
    batch = position("islands", players)
    settle(batch, 0, rows, tuple(dream(kind) for kind in dreams))
    return float(batch.evaluate(0)[0])


def test_the_heuristic_knows_dreams_gems_lamps_and_bandits():
    one = ["LFC · · ·", "· · · ·", "· · · ·"]
    assert value(one, Dream.FENNEC) > value(one, Dream.ELEPHANT)
    apart, together = ["OFV · · ·", "PMM OFD · ·", "· · · ·"], ["OFV · · ·", "OFD PMM · ·", "· · · ·"]
    assert value(together, Dream.GEM_COLUMNS) > value(apart, Dream.GEM_COLUMNS)
    assert value(["LER LFC · ·", *NOTHING[1:]], Dream.LAMP) > value(["LER (LFC) · ·", *NOTHING[1:]], Dream.LAMP)
    assert value(["BBCFR BRFD · ·", *NOTHING[1:]]) < value(["PPR PRD · ·", *NOTHING[1:]])


def test_greedy_is_far_better_than_random():
    assert play_match("islands", ["greedy", "random"], 300).win_share[0] > 0.9
    assert play_match("islands", ["greedy", "random", "random", "random"], 300).win_share[0] > 0.75
