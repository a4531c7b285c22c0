"""The rules of Six Sons of the Sultan, sentence by sentence."""

import numpy as np
import pytest

from arabian_envs import ComponentError, GameBatch, get_game
from arabian_envs.games.six_sons.components import Tea
from arabian_envs.games.six_sons.state import Phase
from tests.positions import change, legal, play, position

HERBAL, JASMINE, WHITE, OOLONG = range(4)


def ordering(tea: Tea, wealth: int = 20, **fields) -> GameBatch:
    """Seat 0, who opens the rounds, about to order on a card, with a Wealth Die of 2 and a Passing Die of 3."""
    fields = {"dice": (2, 3, 6), "active": 0, **fields}
    return position(
        "six_sons",
        player=0,
        first_player=0,
        phase=Phase.ORDER,
        order_die=tea + 1,
        wealth_die=2,
        passing_die=3,
        wealth=(wealth, 5),
        **fields,
    )


def advances(batch: GameBatch) -> list[int]:
    return sorted(int(name.split()[1]) for name in legal(batch) if name.startswith("advance"))


# -- Setup -----------------------------------------------------------------------------------------------------------


def test_setup_puts_tokens_in_glasses_capital_on_five_and_time_on_ten():
    state = position("six_sons").state[0]
    assert (state["position"] == 0).all()
    assert state["wealth"].tolist() == [5, 5]
    assert state["time"] == 10


def test_either_player_may_start():
    batch = GameBatch(get_game("six_sons"), 2000, seed=3)
    assert batch.state["first_player"].mean() == pytest.approx(0.5, abs=0.05)
    assert (batch.player == batch.state["first_player"]).all()


# -- Phase 1: the dice -------------------------------------------------------------------------------------------------


def test_dice_are_fair():
    batch = GameBatch(get_game("six_sons"), 20000, seed=4)
    counts = np.bincount(batch.state["dice"].ravel(), minlength=7)[1:]
    assert np.abs(counts / 60000 - 1 / 6).max() < 0.01


def test_the_passing_die_is_locked_into_the_next_players_dice():
    for seed in range(20):
        batch = position("six_sons", seed=seed, player=0, first_player=0, dice=(1, 3, 6), phase=Phase.ASSIGN)
        play(batch, "assign", "low/middle/high")
        play(batch, "advance", 0)
        assert batch.player[0] == 1
        assert 6 in batch.state["dice"][0]


def test_the_other_two_dice_are_rolled():
    rolled = set()
    for seed in range(60):
        batch = position("six_sons", seed=seed, player=0, first_player=0, dice=(1, 3, 6), phase=Phase.ASSIGN)
        play(batch, "assign", "low/middle/high")
        play(batch, "advance", 0)
        rolled.update(batch.state["dice"][0][:2].tolist())
    assert rolled == set(range(1, 7))


def test_assigning_names_order_wealth_and_passing_die():
    batch = position("six_sons", dice=(2, 4, 5), phase=Phase.ASSIGN)
    play(batch, "assign", "middle/high/low")
    state = batch.state[0]
    assert (state["order_die"], state["wealth_die"], state["passing_die"]) == (4, 5, 2)


@pytest.mark.parametrize(("dice", "count"), [((1, 2, 3), 6), ((1, 1, 3), 3), ((1, 4, 4), 3), ((5, 5, 5), 1)])
def test_assignments_that_differ_only_by_equal_dice_are_one(dice, count):
    batch = position("six_sons", dice=dice, phase=Phase.ASSIGN)
    assert len(legal(batch)) == count


# -- Phase 2: orders ---------------------------------------------------------------------------------------------------


def test_a_token_moves_as_far_as_can_be_paid():
    batch = ordering(Tea.GREEN, wealth=7)  # 2, 2, 2, 2 …
    assert advances(batch) == [0, 1, 2, 3]
    play(batch, "advance", 3)
    assert batch.state["position"][0, 0, Tea.GREEN] == 3
    assert batch.state["wealth"][0, 0] == 7 - 6 + 2


def test_with_no_wealth_nothing_can_be_ordered():
    assert advances(ordering(Tea.HERBAL, wealth=0)) == [0]


def test_a_track_ends_at_its_top():
    batch = ordering(Tea.BLACK, position=((0, 0, 0, 0, 0, 5), (0,) * 6), reached=(0, 0, 0, 0, 0, 5))
    assert advances(batch) == [0, 1]


def test_the_rulebooks_example_of_passing_one_special_and_landing_on_the_second():
    """One use of the action for the first player; the second must be first on the third marked space, at the top."""
    batch = ordering(Tea.HERBAL)  # marked: 2, 5 and 8, the top
    play(batch, "advance", 5)
    assert batch.state["earned"][0].tolist() == [[1, 0, 0, 0], [0, 0, 0, 0]]

    for spaces, earned in ((2, 0), (5, 0), (7, 0), (8, 1)):
        other = batch.copy()
        change(other, phase=Phase.ORDER, order_die=1, wealth_die=2, passing_die=3, wealth=(20, 20))
        assert other.player[0] == 1
        play(other, "advance", spaces)
        assert other.state["earned"][0, 1, HERBAL] == earned


def test_passing_a_special_earns_nothing():
    batch = ordering(Tea.OOLONG)
    play(batch, "advance", 4)
    assert not batch.state["earned"].any()
    assert batch.state["reached"][0, Tea.OOLONG] == 4


def test_staying_on_a_special_does_not_earn_it_again():
    batch = ordering(Tea.HERBAL, position=((2, 0, 0, 0, 0, 0), (0,) * 6), reached=(2, 0, 0, 0, 0, 0))
    play(batch, "advance", 0)
    assert not batch.state["earned"].any()


# -- Phase 3: wealth ---------------------------------------------------------------------------------------------------


def test_the_wealth_die_is_gained_and_the_track_is_its_limit():
    batch = ordering(Tea.BLACK, wealth=8)
    play(batch, "advance", 0)
    assert batch.state["wealth"][0, 0] == 10
    batch = ordering(Tea.BLACK, wealth=19)
    play(batch, "advance", 0)
    assert batch.state["wealth"][0, 0] == 20


# -- Special actions ---------------------------------------------------------------------------------------------------


def test_herbal_makes_each_space_one_lira_cheaper_but_never_below_zero():
    batch = ordering(Tea.JASMINE, wealth=2, active=(1, 0, 0, 0))  # 1 1 1 2 2 2 3 3 becomes 0 0 0 1 1 1 2 2
    assert advances(batch) == [0, 1, 2, 3, 4, 5]
    play(batch, "advance", 5)
    assert batch.state["wealth"][0, 0] == 0 + 2


def test_herbal_does_not_help_without_wealth():
    assert advances(ordering(Tea.HERBAL, wealth=0, active=(1, 0, 0, 0))) == [0]


def test_free_spaces_may_follow_the_last_lira_of_an_order():
    box = changed_box(cost=(2, 1))
    batch = ordering(Tea.HERBAL, wealth=1, active=(1, 0, 0, 0), box=box)
    assert advances(batch)[:3] == [0, 1, 2]


def test_herbal_does_not_discount_the_second_order_of_jasmine():
    batch = ordering(Tea.GREEN, wealth=3, active=(1, 1, 0, 0))
    play(batch, "advance", 3)  # 2 - 1 each
    assert batch.state["wealth"][0, 0] == 0
    change(batch, wealth=(2, 5))
    play(batch, "jasmine", "yes")
    assert advances(batch) == [0, 1, 2]  # Jasmine's card at its full 1, 1


def test_jasmine_turns_the_wealth_die_into_a_second_order_without_wealth():
    batch = ordering(Tea.HERBAL, wealth=9, active=(0, 1, 0, 0))
    play(batch, "advance", 2)
    assert legal(batch) == {"jasmine no", "jasmine yes"}
    play(batch, "jasmine", "yes")
    play(batch, "advance", 2)
    state = batch.state[0]
    assert state["position"][0].tolist() == [2, 2, 0, 0, 0, 0]
    assert state["wealth"][0] == 9 - 2 - 2
    assert state["earned"][0].tolist() == [1, 1, 0, 0]
    assert batch.player[0] == 1


def test_jasmine_declined_brings_wealth_as_usual():
    batch = ordering(Tea.HERBAL, wealth=9, active=(0, 1, 0, 0))
    play(batch, "advance", 0)
    play(batch, "jasmine", "no")
    assert batch.state["wealth"][0, 0] == 11


def test_white_rolls_any_dice_again_once_even_the_passed_one():
    seen = set()
    for seed in range(80):
        batch = position("six_sons", seed=seed, dice=(2, 2, 2), phase=Phase.REROLL, active=(0, 0, 1, 0))
        assert len(legal(batch)) == 8
        play(batch, "reroll", "low+high")
        assert batch.state["phase"][0] == Phase.ASSIGN
        assert 2 in batch.state["dice"][0]
        seen.update(batch.state["dice"][0].tolist())
    assert seen == set(range(1, 7))


def test_white_may_keep_all_dice():
    batch = position("six_sons", dice=(1, 2, 5), phase=Phase.REROLL, active=(0, 0, 1, 0))
    play(batch, "reroll", "none")
    assert batch.state["dice"][0].tolist() == [1, 2, 5]


def test_oolong_doubles_the_wealth_die():
    batch = ordering(Tea.BLACK, wealth=5, active=(0, 0, 0, 1))
    play(batch, "advance", 0)
    assert batch.state["wealth"][0, 0] == 5 + 4


def test_a_special_serves_the_owners_next_turn_and_then_expires():
    batch = ordering(Tea.OOLONG)
    play(batch, "advance", 3)
    assert batch.state["earned"][0, 0, OOLONG] == 1
    finish_turn(batch)  # the opponent's
    assert batch.player[0] == 0
    assert batch.state["active"][0, OOLONG] == 1
    assert batch.state["earned"][0, 0, OOLONG] == 0
    finish_turn(batch)
    finish_turn(batch)
    assert batch.player[0] == 0
    assert batch.state["active"][0, OOLONG] == 0


def test_white_earned_opens_the_next_turn_with_a_reroll():
    batch = ordering(Tea.WHITE)
    play(batch, "advance", 3)
    finish_turn(batch)
    assert batch.state["phase"][0] == Phase.REROLL


def test_green_swaps_both_tokens_of_a_card_after_wealth():
    batch = ordering(Tea.GREEN, wealth=6, position=((1, 0, 0, 2, 0, 0), (4, 3, 0, 0, 0, 0)), reached=(4, 3, 0, 2, 0, 0))
    play(batch, "advance", 3)
    assert batch.state["wealth"][0, 0] == 2
    assert legal(batch) == {"swap Herbal", "swap none"}  # elsewhere a token is in the glass
    play(batch, "swap", "Herbal")
    assert batch.state["position"][0, :, Tea.HERBAL].tolist() == [4, 1]
    assert batch.player[0] == 1


def test_a_swap_frees_and_takes_no_space():
    batch = ordering(Tea.GREEN, position=((1, 0, 0, 0, 0, 0), (5, 0, 0, 0, 0, 0)), reached=(5, 0, 0, 0, 0, 0))
    play(batch, "advance", 3)
    play(batch, "swap", "Herbal")
    assert batch.state["reached"][0, Tea.HERBAL] == 5
    assert not batch.state["earned"].any()
    change(batch, phase=Phase.ORDER, order_die=1, wealth_die=2, passing_die=3, wealth=(20, 20))
    play(batch, "advance", 1)  # back onto the marked space 2, which was passed before the swap
    assert not batch.state["earned"].any()


def test_two_green_actions_are_two_swaps():
    batch = ordering(
        Tea.GREEN, active=(0, 1, 0, 0), position=((1, 1, 0, 0, 0, 0), (2, 2, 0, 0, 0, 0)), reached=(2, 2, 0, 0, 0, 0)
    )
    change(batch, wealth_die=5)
    play(batch, "advance", 3)
    play(batch, "jasmine", "yes")
    play(batch, "advance", 2)
    assert batch.state["swaps"][0] == 2
    play(batch, "swap", "Herbal")
    assert batch.player[0] == 0
    play(batch, "swap", "none")
    assert batch.player[0] == 1


def black_phase(**fields) -> GameBatch:
    tokens = ((0, 0, 3, 0, 0, 6), (0, 0, 5, 0, 4, 2))
    return position("six_sons", player=0, first_player=0, phase=Phase.BLACK, time=0, black=(1, 0), position=tokens, **fields)


def test_black_lets_only_the_leader_score_the_named_card():
    batch = black_phase()
    before = batch.scores()[0]
    play(batch, "black", "Green")
    assert batch.terminated[0]
    after = batch.final_scores[0]
    assert after[1] == before[1]  # the leader on Green is the opponent
    assert after[0] == before[0]  # who owned Black had nothing there
    batch = black_phase()
    play(batch, "black", "White")
    assert batch.final_scores[0].tolist() == [before[0] - 3, before[1]]


def test_black_tied_on_the_named_card_scores_for_both():
    batch = black_phase()
    before = batch.scores()[0].copy()
    play(batch, "black", "Oolong")
    assert batch.final_scores[0].tolist() == before.tolist()


def test_black_may_be_declined_and_waits_for_the_last_round():
    batch = ordering(Tea.BLACK, position=((0, 0, 0, 0, 0, 5), (0,) * 6), reached=(0, 0, 0, 0, 0, 5), time=5)
    play(batch, "advance", 1)
    assert batch.state["black"][0].tolist() == [1, 0]
    for _ in range(9):
        assert batch.state["phase"][0] != Phase.BLACK
        finish_turn(batch)
    assert batch.state["phase"][0] == Phase.BLACK
    assert "black none" in legal(batch)
    play(batch, "black", "none")
    assert batch.terminated[0]
    assert not batch.state["named"].any()


def test_who_names_a_card_does_not_have_the_specials_of_the_last_turn():
    batch = ordering(Tea.HERBAL, time=1, black=(1, 0), active=(1, 0, 0, 1))
    change(batch, player=1)
    play(batch, "advance", 0)
    assert batch.state["phase"][0] == Phase.BLACK
    assert batch.player[0] == 0
    assert not batch.game.describe(batch.observe(0)[0])["active"].any()
    assert "(now)" not in batch.render()


# -- Rounds, end, scoring ----------------------------------------------------------------------------------------------


def finish_turn(batch: GameBatch) -> None:
    """Let the acting player order nothing until the turn passes."""
    player, time = batch.player[0], batch.state["time"][0]
    while not batch.terminated[0] and (batch.player[0], batch.state["time"][0]) == (player, time):
        if batch.state["phase"][0] == Phase.BLACK:
            return
        choices = legal(batch)
        for name in ("reroll none", "assign low/middle/high", "advance 0", "jasmine no", "swap none"):
            if name in choices:
                play(batch, *name.split())
                break


def test_ten_rounds_of_two_turns_and_the_same_player_opens_each():
    batch = position("six_sons", seed=5)
    first = batch.state["first_player"][0]
    order = []
    while not batch.terminated[0]:
        order.append((int(batch.state["time"][0]), int(batch.player[0])))
        finish_turn(batch)
    assert order == [(time, seat) for time in range(10, 0, -1) for seat in (first, 1 - first)]


def test_prestige_counts_every_space_up_to_the_token():
    tokens = ((8, 8, 8, 8, 7, 6), (1, 2, 3, 4, 5, 0))
    batch = position("six_sons", position=tokens, reached=(8, 8, 8, 8, 7, 6))
    assert batch.scores()[0].tolist() == [11 + 14 + 16 + 20 + 20 + 22, 1 + 2 + 3 + 6 + 11 + 0]


@pytest.mark.parametrize(
    ("tokens", "wealth", "rewards"),
    [
        (((2, 0, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)), (0, 9), [1, -1]),
        (((1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0)), (3, 9), [-1, 1]),
        (((1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0)), (9, 9), [0, 0]),
    ],
)
def test_most_prestige_wins_then_most_wealth_then_both(tokens, wealth, rewards):
    batch = position(
        "six_sons", position=tokens, wealth=wealth, player=0, first_player=0, phase=Phase.BLACK, time=0, black=(1, 0)
    )
    play(batch, "black", "none")
    assert batch.reward[0].tolist() == rewards


# -- Solo --------------------------------------------------------------------------------------------------------------


def solo_turn(passing: int, **fields) -> GameBatch:
    fields = {"time": 9, **fields}
    return position(
        "six_sons", 1, phase=Phase.ORDER, order_die=1, wealth_die=2, passing_die=passing, wealth=(20, 5), **fields
    )


def test_solo_always_rolls_three_dice():
    lowest = set()
    for seed in range(40):
        batch = position("six_sons", 1, seed=seed, phase=Phase.ORDER, order_die=1, wealth_die=1, passing_die=6)
        play(batch, "advance", 0)
        lowest.add(6 in batch.state["dice"][0])
    assert lowest == {True, False}


def test_the_dummy_moves_by_its_die():
    moves = []
    for seed in range(600):
        batch = solo_turn(4)
        change(batch, rng=np.uint64(seed * 7919))
        play(batch, "advance", 0)
        moves.append(int(batch.state["position"][0, 1, Tea.OOLONG]))
    counts = np.bincount(moves, minlength=4) / len(moves)
    assert counts[1:] == pytest.approx([1 / 6, 3 / 6, 2 / 6], abs=0.07)
    assert batch.state["position"][0, 1].sum() == moves[-1]  # odd round: Black stays


def test_the_dummy_moves_on_black_in_even_rounds():
    batch = solo_turn(1, time=8)
    play(batch, "advance", 0)
    assert batch.state["position"][0, 1, Tea.BLACK] == 1


def test_the_dummy_closes_specials():
    batch = solo_turn(1, position=((0,) * 6, (4, 0, 0, 0, 0, 0)), reached=(4, 0, 0, 0, 0, 0))
    play(batch, "advance", 0)
    assert batch.state["reached"][0, Tea.HERBAL] > 4
    change(batch, phase=Phase.ORDER, order_die=1, wealth_die=2, passing_die=3, position=((4, 0, 0, 0, 0, 0), (5,) * 6))
    play(batch, "advance", 1)
    assert not batch.state["earned"].any()


@pytest.mark.parametrize(("dummy", "own", "lost"), [(5, 0, True), (5, 6, False)])
def test_the_dummy_first_at_the_end_of_black_cancels_the_best_card(dummy, own, lost):
    tokens = ((8, 8, 0, 0, 0, own), (0, 0, 0, 0, 0, dummy))
    batch = solo_turn(1, time=2, position=tokens, reached=(8, 8, 0, 0, 0, max(dummy, own)))
    before = batch.scores()[0, 0]
    play(batch, "advance", 0)
    assert batch.state["position"][0, 1, Tea.BLACK] == 6
    assert before - batch.scores()[0, 0] == (14 if lost else 0)


def test_the_solo_reward_is_the_scaled_score():
    batch = position("six_sons", 1, time=1, phase=Phase.ORDER, order_die=1, wealth_die=2, passing_die=3)
    play(batch, "advance", 2)
    assert batch.terminated[0]
    assert batch.reward[0, 0] == pytest.approx(batch.final_scores[0, 0] * 0.01)


# -- Components --------------------------------------------------------------------------------------------------------


def changed_box(cost):
    box = np.array(get_game("six_sons").load_box())
    box["cost"][0, 0, 1 : 1 + len(cost)] = cost
    return box


def write_variant(folder, old, new, file="tracks.csv"):
    text = (get_game("six_sons").folder / "data" / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    return folder


def test_a_folder_of_other_components_is_played(tmp_path):
    box = get_game("six_sons").load_box(write_variant(tmp_path, "rounds,10,", "rounds,3,", "numbers.csv"))
    batch = GameBatch(get_game("six_sons"), 8, box=box, autoreset=False, seed=1)
    assert (batch.state["time"] == 3).all()
    while batch.running.any():
        batch.step(batch.sample(), where=batch.running)
    assert batch.terminated.all()


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (
            "tracks.csv",
            "White,1,1,1,no",
            "White,1,-1,1,no",
            r"tracks\.csv, row 18, field 'cost': .*from 0 to 20, found '-1'",
        ),
        ("tracks.csv", "White,1,1,1,no", "White,1,one,1,no", r"row 18, field 'cost'"),
        ("tracks.csv", "Black,3,3,3,no", "Black,4,3,3,no", r"row 43, field 'space': expected space 3 of Black"),
        ("tracks.csv", "Green,1", "Mint,1", r"row 34, field 'tea': expected one of 'Herbal'"),
        ("tracks.csv", "cost,", "price,", r"row 1, field 'cost'"),
        ("tracks.csv", "special,source", "special,colour,source", r"row 1, field 'colour'"),
        ("tracks.csv", "Herbal,1,1,1,no,reconstruction", "Herbal,1,1,1,no,guess", r"row 2, field 'source'"),
        ("tracks.csv", "Herbal,1,1,1,no,", "Herbal,1,1,1,", r"row 2: expected 6 fields, found 5"),
        ("numbers.csv", "rounds,10,rulebook\n", "", r"expected a row for 'rounds'"),
        ("numbers.csv", "rounds,10", "rounds,0", r"row 2, field 'value': expected a whole number from 1 to 30"),
        ("numbers.csv", "rounds,10", "turns,10", r"row 2, field 'name'"),
    ],
)
def test_a_wrong_component_file_is_refused_by_file_row_and_field(tmp_path, file, old, new, expected):
    with pytest.raises(ComponentError, match=expected):
        get_game("six_sons").load_box(write_variant(tmp_path, old, new, file))


def test_a_folder_with_an_unknown_file_is_refused(tmp_path):
    (tmp_path / "track.csv").write_text("")
    with pytest.raises(ComponentError, match=r"track\.csv: expected one of tracks\.csv"):
        get_game("six_sons").load_box(tmp_path)
