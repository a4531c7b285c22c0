"""The rules of Djinns of the High Desert, sentence by sentence."""

import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from agents.arena import play_match
from arabian_envs import ComponentError, GameBatch, get_game
from arabian_envs.engine.text import plain
from arabian_envs.games.djinns.components import CLAN_NAMES, KIND_NAMES, NUM_KINDS, RANK_NAMES
from arabian_envs.games.djinns.rules import MAX_TURNS
from arabian_envs.games.djinns.state import Phase
from tests import positions
from tests.positions import legal, position

GAME = get_game("djinns")
DATA = GAME.folder / "data"
CLANS, RANKS = "GMSEJ", "DMTVS"


def kind(code: str) -> int:
    """A kind from its initials: "GD" is a Genie Diviner."""
    return CLANS.index(code[0]) * len(RANKS) + RANKS.index(code[1])


def name(code: str) -> str:
    return KIND_NAMES[kind(code)]


def pile(codes: str) -> np.ndarray:
    """Counts by kind of cards such as "GD GD JM"."""
    return np.bincount([kind(code) for code in codes.split()], minlength=NUM_KINDS)


def codes(counts: np.ndarray) -> str:
    """The reverse of `pile`."""
    every = [clan + rank for clan, rank in itertools.product(CLANS, RANKS)][:NUM_KINDS]
    return " ".join(" ".join([code] * int(count)) for code, count in zip(every, counts, strict=True) if count)


def table(
    hands: tuple[str, ...], palaces: tuple[str, ...], deck: str | None = None, discards: str = "", box=None, seed=0, **fields
) -> GameBatch:
    """Seat 0 to begin its turn. A named deck (top last) is all there is; otherwise it holds every card not named."""
    batch = position("djinns", len(hands), seed, box)
    state = batch.state[0]
    state["hand"], state["palace"] = 0, 0
    for seat, (hand, palace) in enumerate(zip(hands, palaces, strict=True)):
        state["hand"][seat], state["palace"][seat] = pile(hand), pile(palace)
    state["hand_size"], state["palace_size"] = state["hand"].sum(1), state["palace"].sum(1)
    state["discards"], state["discards_size"] = pile(discards), len(discards.split())
    rest = batch.box["count"][0] - state["hand"].sum(0) - state["palace"].sum(0) - state["discards"]
    assert (rest >= 0).all()
    order = np.random.default_rng(seed).permutation(np.repeat(np.arange(NUM_KINDS), rest))
    if deck is not None:
        order = np.array([kind(code) for code in deck.split()], int)
        state["removed"] = rest - pile(deck)
    state["deck_size"] = len(order)
    state["deck"][: len(order)] = order
    positions.change(batch, **{"player": 0, "phase": Phase.TURN, "turn": 5, **fields})
    check_cards(batch)
    return batch


def check_cards(batch: GameBatch) -> None:
    broken = [truth for truth, holds in GAME.invariants(batch.state, batch.box).items() if not holds.all()]
    assert not broken


def play(batch: GameBatch, group: str, *index: int | str) -> None:
    """Play an action; cards are given by their initials."""
    positions.play(batch, group, *(name(i) if isinstance(i, str) and len(i) == 2 else i for i in index))
    check_cards(batch)


def choices(batch: GameBatch, group: str) -> set[str]:
    """The legal actions of a group, without its name."""
    return {action.removeprefix(group).strip() for action in legal(batch) if action.split()[0] == group}


def names(text: str) -> set[str]:
    return {name(code) for code in text.split()}


def hand(batch: GameBatch, seat: int = 0) -> str:
    return codes(batch.state["hand"][0, seat])


def palace(batch: GameBatch, seat: int = 0) -> str:
    return codes(batch.state["palace"][0, seat])


def discards(batch: GameBatch) -> str:
    return codes(batch.state["discards"][0])


SEVEN = "MD MD MD MM MM MM MT"
EIGHT = SEVEN + " MT"


# -- The box ---------------------------------------------------------------------------------------------------------


def test_the_box_holds_seventy_cards_by_the_rulebooks_counts():
    box = GAME.load_box()[0]
    assert box["cards"] == 70
    for clan in range(4):
        assert box["count"][clan * 5 : clan * 5 + 5].tolist() == [5, 4, 3, 2, 1]
    assert box["count"][20:].tolist() == [4, 3, 2, 1]


# -- Setup -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_setup_deals_five_cards_each_and_leaves_the_rest_as_the_deck(players):
    batch = position("djinns", players)
    state = batch.state[0]
    assert state["hand_size"].tolist() == [5] * players + [0] * (4 - players)
    assert state["deck_size"] == 70 - 5 * players
    assert not state["palace"].any()
    assert not state["discards"].any()
    check_cards(batch)


def test_the_deck_is_shuffled():
    batch = GameBatch(GAME, 7000, 2, seed=1)
    first, last = batch.state["deck"][:, 0], batch.state["deck"][:, 59]
    expected = batch.box["count"][0] / 70
    for cards in (first, last):
        assert np.abs(np.bincount(cards, minlength=NUM_KINDS) / 7000 - expected).max() < 0.012


@pytest.mark.parametrize("players", [2, 3, 4])
def test_any_player_may_start(players):
    batch = GameBatch(GAME, 3000, players, seed=2)
    assert np.bincount(batch.player) / 3000 == pytest.approx([1 / players] * players, abs=0.05)


# -- Turns -----------------------------------------------------------------------------------------------------------


def test_a_turn_is_a_summons_or_a_wish():
    batch = table(("GD GD MS", ""), ("", "ED"))
    assert choices(batch, "summon") == names("GD MS")
    assert choices(batch, "wish") == {"look", "retrieve", "remove"}
    assert len(legal(batch)) == 5


def test_at_the_end_of_a_turn_a_card_is_drawn_and_the_next_player_begins():
    batch = table(("GS GT", "MD", "MD"), ("", "", ""), deck="ED JV")
    play(batch, "summon", "GS")
    play(batch, "decline")
    assert hand(batch) == "GT JV"
    assert batch.player[0] == 1
    assert batch.state["turn"][0] == 6


def test_turns_go_round_the_table():
    batch = table(("GD", "GD", "GD"), ("", "", ""), player=2)
    play(batch, "summon", "GD")
    assert batch.player[0] == 0


def test_there_is_no_hand_limit():
    many = "GD GD GD GD GD MD MD MD MD MD SD SD SD SD SD ED ED ED ED ED"
    batch = table((many, "JD"), ("", ""))
    play(batch, "summon", "GD")
    assert batch.state["hand_size"][0, 0] == 21


def test_a_player_who_begins_without_cards_first_draws_five():
    batch = table(("GD", ""), ("", ""), deck="GM MM SM EM JM MD SD ED JD")
    play(batch, "summon", "GD")
    assert hand(batch) == "ED JD"
    assert batch.player[0] == 1
    assert hand(batch, 1) == "MD SD SM EM JM"
    assert batch.state["deck_size"][0] == 2
    assert len(choices(batch, "summon")) == 5


def test_an_empty_deck_is_made_anew_from_the_discards_when_a_card_is_needed():
    batch = table(("GD", "MD"), ("", ""), deck="MS", discards="ED ET EV")
    play(batch, "summon", "GD")  # draws the last card of the deck and one of the discards
    assert "MS" in hand(batch)
    assert batch.state["hand_size"][0, 0] == 2
    assert batch.state["deck_size"][0] == 2
    assert not batch.state["discards"].any()


def test_an_empty_deck_stays_empty_until_a_card_is_needed():
    batch = table(("GS GD", "MD"), ("", ""), deck="MS", discards="ED ET EV")
    play(batch, "summon", "GS")
    play(batch, "decline")
    assert batch.state["deck_size"][0] == 0
    assert discards(batch) == "ED ET EV"


def test_the_new_deck_is_shuffled():
    drawn = Counter()
    for seed in range(300):
        batch = table(("GS GD", "MD"), ("", ""), deck="", discards="ED ET EV", seed=seed)
        play(batch, "summon", "GS")
        play(batch, "decline")
        drawn[hand(batch)] += 1
    assert set(drawn) == {"GD ED", "GD ET", "GD EV"}
    assert min(drawn.values()) > 70


def test_a_draw_is_skipped_when_deck_and_discards_are_empty():
    batch = table(("GD GT", "MD"), ("", ""), deck="")
    play(batch, "summon", "GD")
    assert hand(batch) == "GT"


def test_a_player_passes_only_when_there_is_no_card_to_be_had():
    batch = table(("GD", "", "MD MD"), ("", "", ""), deck="")
    play(batch, "summon", "GD")
    assert legal(batch) == {"pass_turn"}
    play(batch, "pass_turn")
    assert batch.player[0] == 2
    assert "pass_turn" not in legal(batch)


def test_the_game_ends_when_every_card_is_in_a_palace_or_removed():
    batch = table(("GD", "", ""), ("", "MD MD", ""), deck="")
    play(batch, "summon", "GD")
    assert batch.terminated[0]
    assert batch.final_scores[0].tolist() == [1, 2, 0]


def test_a_game_without_end_is_cut_off():
    batch = table(("GD", "MD"), ("", ""), turn=MAX_TURNS - 1)
    play(batch, "summon", "GD")
    assert not batch.truncated[0]
    play(batch, "summon", "MD")
    assert batch.truncated[0]
    assert not batch.terminated[0]


# -- Summon ----------------------------------------------------------------------------------------------------------


def test_a_summoned_card_lies_in_the_palace():
    batch = table(("GD GD", "MD"), ("ET", ""))
    play(batch, "summon", "GD")
    assert palace(batch) == "GD ET"


def test_a_diviner_draws_two_instead_of_one():
    batch = table(("GD SS", "MD"), ("", ""), deck="ED JD JT")
    play(batch, "summon", "GD")
    assert hand(batch) == "SS JD JT"


def test_the_next_player_draws_one_again_after_a_diviner():
    batch = table(("GD", "SS MD"), ("", ""))
    play(batch, "summon", "GD")
    play(batch, "summon", "SS")
    play(batch, "decline")
    assert batch.state["hand_size"][0, 1] == 2


def test_a_merchant_exchanges_a_card_for_one_of_equal_or_lesser_value():
    batch = table(("GM", "SD", "SD"), ("ET MD", "EM GT GD", "JV"))
    play(batch, "summon", "GM")
    assert legal(batch) == {"decline", f"give {name('ET')}", f"give {name('MD')}"}
    play(batch, "give", "ET")
    assert choices(batch, "exchange") == {f"next {name(code)}" for code in ("EM", "GT", "GD")}
    assert "decline" not in legal(batch)
    play(batch, "exchange", "next", "GT")
    assert palace(batch) == "GM GT MD"
    assert palace(batch, 1) == "GD EM ET"
    assert batch.player[0] == 1


def test_a_merchant_reaches_any_other_palace_by_its_relative_seat():
    batch = table(("GD", "SM", "GD", "GD"), ("GS", "ET", "GT", "MT"), player=1)
    play(batch, "summon", "SM")
    play(batch, "give", "ET")
    assert choices(batch, "exchange") == {f"next {name('GT')}", f"second next {name('MT')}"}
    play(batch, "exchange", "second next", "MT")
    assert palace(batch, 1) == "MT SM"
    assert palace(batch, 3) == "ET"


def test_the_merchant_just_played_cannot_be_exchanged_but_its_twin_can():
    batch = table(("GM GM", "SD"), ("", "ED"))
    play(batch, "summon", "GM")  # nothing else to give: no decision
    assert batch.player[0] == 1
    batch = table(("GM GM", "SD"), ("GM", "ED"))
    play(batch, "summon", "GM")
    assert choices(batch, "give") == names("GM")
    play(batch, "give", "GM")
    play(batch, "exchange", "next", "ED")
    assert palace(batch) == "GM ED"


def test_only_cards_that_are_worth_enough_can_be_given():
    batch = table(("GM", "SD"), ("MD MV", "ET"))
    play(batch, "summon", "GM")
    assert choices(batch, "give") == names("MV")


def test_a_merchant_may_leave_it():
    batch = table(("GM", "SD"), ("MD", "ED"))
    play(batch, "summon", "GM")
    play(batch, "decline")
    assert palace(batch) == "GM MD"
    assert batch.player[0] == 1


@pytest.mark.parametrize("theirs", ["", "ET", EIGHT])
def test_a_merchant_without_a_possible_exchange_is_no_decision(theirs):
    batch = table(("GM", "SD"), ("ED", theirs))
    play(batch, "summon", "GM")
    assert batch.player[0] == 1


def test_a_thief_must_take_a_card_from_another_hand():
    batch = table(("GT", "SD MV", "ED", ""), ("", "", "", ""), deck="JD")
    play(batch, "summon", "GT")
    assert legal(batch) == {"rob next", "rob second next"}  # the third hand is empty
    play(batch, "rob", "second next")
    assert hand(batch) == "ED JD"
    assert batch.state["hand_size"][0].tolist()[:2] == [2, 2]


def test_the_stolen_card_is_random():
    stolen = Counter()
    for seed in range(600):
        batch = table(("GT", "SD SD MV EM"), ("", ""), deck="JD", seed=seed)
        play(batch, "summon", "GT")
        play(batch, "rob", "next")
        stolen[hand(batch)] += 1
    assert {cards: stolen[cards] / 600 for cards in stolen} == pytest.approx(
        {"SD JD": 0.5, "MV JD": 0.25, "EM JD": 0.25}, abs=0.07
    )


@pytest.mark.parametrize(("hand_1", "palace_1"), [("", ""), ("SD SD", EIGHT)])
def test_a_thief_without_a_victim_does_nothing(hand_1, palace_1):
    batch = table(("GT ED", hand_1), ("", palace_1))
    play(batch, "summon", "GT")
    assert batch.player[0] == 1
    assert batch.state["hand_size"][0, 0] == 2


def test_a_vizier_discards_another_card_of_value_four_or_less_from_any_palace():
    batch = table(("GV", "SD", "SD"), ("GD MS", "EV ES", "JT"))
    play(batch, "summon", "GV")
    assert choices(batch, "discard") == {f"own {name('GD')}", f"next {name('EV')}", f"second next {name('JT')}"}
    play(batch, "discard", "next", "EV")
    assert palace(batch, 1) == "ES"
    assert discards(batch) == "EV"
    assert batch.player[0] == 1


def test_a_vizier_may_discard_from_the_own_palace_even_its_twin():
    batch = table(("GV", "SD"), ("GV", ""))
    play(batch, "summon", "GV")
    assert choices(batch, "discard") == {f"own {name('GV')}"}
    play(batch, "discard", "own", "GV")
    assert palace(batch) == "GV"


def test_a_vizier_may_leave_it():
    batch = table(("GV", "SD"), ("", "SD"))
    play(batch, "summon", "GV")
    play(batch, "decline")
    assert palace(batch, 1) == "SD"


def test_a_vizier_never_discards_itself():
    batch = table(("GV", "SD"), ("", "SS"))
    play(batch, "summon", "GV")
    assert batch.player[0] == 1
    assert palace(batch) == "GV"


def test_a_sultan_places_another_card_without_its_action():
    batch = table(("GS GV GD", "SD"), ("", "SD"), deck="JD JT")
    play(batch, "summon", "GS")
    assert legal(batch) == {"decline", f"place {name('GV')}", f"place {name('GD')}"}
    play(batch, "place", "GD")
    assert palace(batch) == "GD GS"
    assert hand(batch) == "GV JT"  # one card, not the Diviner's two
    assert batch.player[0] == 1


def test_a_sultan_placed_by_a_sultan_places_no_more():
    batch = table(("GS MS GD", "SD"), ("", ""))
    play(batch, "summon", "GS")
    play(batch, "place", "MS")
    assert batch.player[0] == 1


def test_a_sultan_may_leave_it():
    batch = table(("GS GV", "SD"), ("", ""))
    play(batch, "summon", "GS")
    play(batch, "decline")
    assert palace(batch) == "GS"


def test_the_last_card_in_hand_can_be_a_sultan():
    batch = table(("GS", "SD"), ("", ""))
    play(batch, "summon", "GS")
    assert batch.player[0] == 1


def test_the_jann_have_the_same_actions():
    batch = table(("JT", "SD"), ("", ""))
    play(batch, "summon", "JT")
    assert legal(batch) == {"rob next"}


# -- Make a Wish -----------------------------------------------------------------------------------------------------


def wish(which: str, payment: str, *args, **fields) -> GameBatch:
    batch = table(*args, **fields)
    play(batch, "wish", which)
    for code in payment.split():
        assert batch.state["phase"][0] == Phase.PAY
        play(batch, "pay", code)
    return batch


def test_a_wish_needs_three_cards():
    batch = table(("GD MD", "SD"), ("ED", "ED"))
    assert choices(batch, "wish") == set()


def test_a_wish_costs_three_cards_of_ones_choice():
    batch = table(("GD GD MD SV", "SD"), ("", "ED"))
    play(batch, "wish", "look")
    assert legal(batch) == {f"pay {card}" for card in names("GD MD SV")}
    play(batch, "pay", "GD")
    play(batch, "pay", "MD")
    assert legal(batch) == {f"pay {card}" for card in names("GD SV")}
    play(batch, "pay", "GD")
    assert discards(batch) == "GD GD MD"
    assert hand(batch) == "SV"


def test_the_first_wish_keeps_one_of_the_top_five_and_puts_the_rest_under_the_deck():
    args = (("GD GD GD", "SD"), ("", "")), {"deck": "MD SM ET ET JD JV ES"}
    orders = set()
    for seed in range(60):
        batch = wish("look", "GD GD GD", *args[0], seed=seed, **args[1])
        assert legal(batch) == {f"keep {card}" for card in names("ET JD JV ES")}
        play(batch, "keep", "ES")
        assert hand(batch) == "SM ES"  # the drawn card lay below those looked at
        state = batch.state[0]
        assert state["deck"][state["deck_size"] - 1] == kind("MD")
        assert sorted(state["deck"][:4].tolist()) == sorted([kind("ET")] * 2 + [kind("JD"), kind("JV")])
        orders.add(tuple(state["deck"][:4].tolist()))
    assert len(orders) == 12


def test_a_short_deck_shows_fewer_cards():
    batch = wish("look", "GD GD GD", ("GD GD GD", "SD"), ("", ""), deck="MD SM", discards="ET")
    assert choices(batch, "keep") == names("MD SM")
    play(batch, "keep", "MD")
    assert hand(batch) == "MD SM"


def test_without_a_deck_the_discards_are_shuffled_before_looking():
    batch = wish("look", "GD GM GT", ("GD GM GT", "SD"), ("", ""), deck="")
    assert choices(batch, "keep") == names("GD GM GT")
    assert not batch.state["discards"].any()


def test_the_second_wish_takes_any_card_of_the_discards_even_one_just_paid():
    batch = wish("retrieve", "GD GM GT", ("GD GM GT", "SD"), ("", ""), deck="JD JT", discards="ES ED")
    assert legal(batch) == {f"retrieve {card}" for card in names("GD GM GT ES ED")}
    other = batch.copy()
    play(batch, "retrieve", "ES")
    assert hand(batch) == "ES JT"
    assert discards(batch) == "GD GM GT ED"
    play(other, "retrieve", "GT")
    assert hand(other) == "GT JT"


def test_the_third_wish_removes_a_card_of_any_palace_from_the_game():
    batch = wish("remove", "GD GM GT", ("GD GM GT", "SD", "SD"), ("MS", "ES JD", "ET"))
    expected = {f"own {name('MS')}", f"next {name('ES')}", f"next {name('JD')}", f"second next {name('ET')}"}
    assert choices(batch, "remove") == expected
    play(batch, "remove", "next", "ES")
    assert palace(batch, 1) == "JD"
    assert codes(batch.state["removed"][0]) == "ES"


def test_removed_cards_never_return():
    batch = wish("remove", "GD GM GT", ("GD GM GT", "SD"), ("", "ES"), deck="")
    before = batch.state["removed"][0].copy()
    play(batch, "remove", "next", "ES")  # the draw that follows makes a new deck of the discards
    state = batch.state[0]
    assert (state["removed"] - before).tolist() == pile("ES").tolist()
    deck = np.bincount(state["deck"][: state["deck_size"]], minlength=NUM_KINDS)
    assert codes(state["hand"][0] + deck) == "GD GM GT"
    assert not state["discards"].any()


def test_the_third_wish_needs_a_card_within_reach():
    assert choices(table(("GD GM GT", "SD"), ("", "")), "wish") == {"look", "retrieve"}
    assert choices(table(("GD GM GT", "SD"), ("", EIGHT)), "wish") == {"look", "retrieve"}
    assert choices(table(("GD GM GT", "SD"), ("ED", EIGHT)), "wish") == {"look", "retrieve", "remove"}


def test_a_wish_ends_the_turn_with_one_card_drawn():
    batch = wish("retrieve", "GD GM GT", ("GD GM GT ES", "SD"), ("", ""))
    play(batch, "retrieve", "GD")
    assert batch.state["hand_size"][0, 0] == 3
    assert batch.player[0] == 1
    assert batch.state["wish"][0] == -1


# -- Immunity --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("theirs", "reached"), [(SEVEN, True), (EIGHT, False)])
def test_eight_palace_cards_are_immune_to_every_effect(theirs, reached):
    merchant = table(("GM", "SD", "SD"), ("ES", theirs, "SD"))
    play(merchant, "summon", "GM")
    play(merchant, "give", "ES")
    thief = table(("GT", "SD", "SD"), ("", theirs, ""))
    play(thief, "summon", "GT")
    vizier = table(("GV", "SD", "SD"), ("", theirs, "SD"))
    play(vizier, "summon", "GV")
    removal = wish("remove", "GD GD GD", ("GD GD GD", "SD", "SD"), ("", theirs, "SD"))
    for batch in (merchant, thief, vizier, removal):
        assert any(" next " in f"{action} " and "second" not in action for action in legal(batch)) == reached
        assert any("second next" in action for action in legal(batch))


def test_an_immune_players_own_effects_reach_the_own_palace():
    batch = table(("GV", "SD"), (EIGHT, ""))
    play(batch, "summon", "GV")
    assert choices(batch, "discard") == {f"own {name(code)}" for code in ("MD", "MM", "MT")}
    batch = wish("remove", "GD GD GD", ("GD GD GD", "SD"), (EIGHT, ""))
    assert len(choices(batch, "remove")) == 3
    batch = table(("GM", "SD"), (EIGHT, "ED"))
    play(batch, "summon", "GM")
    play(batch, "give", "MT")
    play(batch, "exchange", "next", "ED")
    assert palace(batch, 1) == "MT"


def test_immunity_is_lost_with_the_eighth_card():
    batch = table(("GV", "GT"), (SEVEN, "SD"))
    play(batch, "summon", "GV")
    play(batch, "discard", "own", "MD")
    play(batch, "summon", "GT")
    assert legal(batch) == {"rob next"}


# -- The end ---------------------------------------------------------------------------------------------------------


def pass_the_turn(batch: GameBatch) -> None:
    """Summon the Diviner everyone in these positions holds, or the first card there is, and leave what may be left."""
    player, turn = batch.player[0], batch.state["turn"][0]
    while not batch.terminated[0] and (batch.player[0], batch.state["turn"][0]) == (player, turn):
        action = "decline" if "decline" in legal(batch) else min(legal(batch), key=lambda a: (a.split()[0] == "wish", a))
        batch.step([next(a for a in np.flatnonzero(batch.action_mask[0]) if GAME.action_name(a) == action)])
        check_cards(batch)


def test_the_last_round_begins_with_a_turn_begun_with_eight_cards():
    batch = table(("SD", "SD", "SD"), (SEVEN, "", ""), player=0)
    play(batch, "summon", "SD")
    assert batch.state["turns_left"][0] == 0  # eight cards now, but the turn began with seven
    play(batch, "summon", "SD")
    play(batch, "summon", "SD")
    assert batch.player[0] == 0
    assert batch.state["turns_left"][0] == 3  # this turn and one of each other player
    for left, player in ((2, 1), (1, 2)):
        pass_the_turn(batch)
        assert (batch.state["turns_left"][0], batch.player[0]) == (left, player)
    assert not batch.terminated[0]
    pass_the_turn(batch)
    assert batch.terminated[0]


def test_nothing_revokes_the_last_round():
    batch = table(("SV SD", "GV"), (EIGHT.replace("MT MT", "MT"), ""), turns_left=2)
    play(batch, "summon", "SV")
    play(batch, "discard", "own", "MD")
    assert batch.state["palace_size"][0, 0] == 7
    assert batch.state["turns_left"][0] == 1
    pass_the_turn(batch)
    assert batch.terminated[0]


def test_a_second_full_palace_does_not_prolong_the_last_round():
    batch = table(("SD", "SD"), (EIGHT, "ED ED ED ED ED EM EM EM"), turns_left=2)
    play(batch, "summon", "SD")
    assert batch.state["turns_left"][0] == 1


def test_hands_are_discarded_before_scoring():
    batch = table(("SD SS", "GS JV"), (EIGHT, "ED"), turns_left=1, deck="JD JD JD")
    play(batch, "summon", "SD")
    assert batch.terminated[0]
    assert not batch.state["hand"].any()
    assert discards(batch) == "GS SS JD JD JV"


# -- Scoring ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("", 0),
        ("GD GM GT GV GS", 15),
        ("GS GT MD EM", 8 - 1 - 2),
        ("GT MT", 0),
        ("GT MT ET", -3),
        ("MD SD SM JV JD", 3 + 5 - 1),
        ("JD JM", 3),
        ("GD GD GD MV", 4 - 3),
        ("GT MT ST ET JD", 3 - 9 + 1),
    ],
)
def test_a_palace_scores_its_best_clan_and_the_jann_less_the_others(cards, points):
    batch = table(("GD", "GD"), (cards, ""))
    assert batch.scores()[0].tolist() == [points, 0]


@pytest.mark.parametrize(
    ("palaces", "rewards"),
    [
        (("GS", "MV", "SV"), [1, -0.5, -0.5]),  # points
        (("GM GD", "MT", "SM"), [1, -0.5, -0.5]),  # 3, 3, 2: more cards
        (("GM GD", "MM JD", "SM ED"), [-0.5, 1, -0.5]),  # 3, 3, 1: equal cards, more Jann
        (("GT", "JM MD MT ED", "ED"), [-0.5, 1, -0.5]),  # 3, 4, 1
        (("GM GD", "MM MD", "SM"), [0.25, 0.25, -0.5]),  # nothing decides: both win
        (("GM JD", "MM JD", "SM JD"), [0, 0, 0]),
        (("GD GD GD", "JD JM", "SM"), [1, -0.5, -0.5]),  # 3, 3, 2: a card more beats two Jann more
        (("GT GD ED", "JT", "MD MM"), [1, -0.5, -0.5]),  # three each: three cards beat one Jann
    ],
)
def test_points_then_palace_cards_then_jann_decide(palaces, rewards):
    assert finished(palaces).reward[0].tolist() == rewards


def finished(palaces: tuple[str, ...]) -> GameBatch:
    """A game that ends by a last pass, with these palaces."""
    batch = table(("", "GD", ""), palaces, deck="", turns_left=1)
    play(batch, "pass_turn")
    assert batch.terminated[0]
    return batch


# -- Hidden information ----------------------------------------------------------------------------------------------


def test_an_observation_shows_the_own_hand_and_only_the_size_of_others():
    batch = table(("GD GS", "MD MV ET"), ("JD", "SS"))
    seen = GAME.describe(batch.observe(1))
    assert codes(np.rint(seen["hand"][0] * 5)) == "MD MV ET"
    assert seen["hand_size"][0] * 10 == pytest.approx([3, 2, 0, 0])
    assert codes(np.rint(seen["palace"][0, 0] * 5)) == "SS"
    assert codes(np.rint(seen["palace"][0, 1] * 5)) == "JD"
    unseen = np.rint(seen["unseen"][0] * 5)
    assert unseen[kind("GS")] == 1
    assert unseen[kind("MV")] == 1


def test_only_the_looker_sees_the_cards_looked_at():
    batch = wish("look", "GD GD GD", ("GD GD GD", "SD", "SD"), ("", "", ""))
    looked = batch.state["looked"][0]
    own, other = (GAME.describe(batch.observe(seat)) for seat in (0, 1))
    assert (np.rint(own["looked"][0] * 5) == looked).all()
    assert not other["looked"].any()
    assert (np.rint(other["unseen"][0] * 5) >= looked).all()
    swapped = batch.copy()
    swapped.determinize(1, 4)
    assert (swapped.state["looked"] != batch.state["looked"]).any()
    assert (swapped.observe(1) == batch.observe(1)).all()
    kept = batch.copy()
    kept.determinize(0, 4)
    assert (kept.state["looked"] == batch.state["looked"]).all()


def test_determinize_is_uniform_over_the_deals_a_player_cannot_tell_apart():
    """Five unseen cards, two of them alike: two in seat 1's hand, one in seat 2's, two in the deck."""
    unseen = ["ED", "ED", "MV", "JT", "GS"]
    tables = 20000
    one = table(("SD", "ED MV", "JT"), ("GD", "", ""), deck="ED GS", discards="SM")
    batch = GameBatch(GAME, tables, 3, seed=1, autoreset=False)
    batch.state[:] = one.state[0]
    batch.refresh()
    before = batch.observe(0)
    batch.determinize(0, seed=11)
    assert (batch.observe(0) == before).all()
    check_cards(batch)
    expected: Counter = Counter()
    for deal in itertools.permutations(unseen):
        expected[(" ".join(sorted(deal[:2])), deal[2], deal[3], deal[4])] += 1 / 120
    found: Counter = Counter()
    for state in batch.state:
        deck = [codes(np.bincount([card], minlength=NUM_KINDS)) for card in state["deck"][:2]]
        found[(" ".join(sorted(codes(state["hand"][1]).split())), codes(state["hand"][2]), *deck)] += 1
    assert set(found) == set(expected)
    deviations = sum((found[deal] - tables * share) ** 2 / (tables * share) for deal, share in expected.items())
    freedom = len(expected) - 1
    assert deviations < freedom + 4 * (2 * freedom) ** 0.5


def test_determinize_of_cards_being_looked_at_is_uniform():
    tables = 12000
    one = wish("look", "GD GD GD", ("GD GD GD", "MV"), ("", ""), deck="ED ET EV ES")
    batch = GameBatch(GAME, tables, 2, seed=1, autoreset=False)
    batch.state[:] = one.state[0]
    batch.refresh()
    batch.determinize(1, seed=3)
    assert (batch.state["looked"].sum(1) == 4).all()
    assert (batch.state["hand"][:, 1] == one.state["hand"][0, 1]).all()
    batch.state[:] = wish("look", "GD GD GD", ("GD GD GD JT", "MV"), ("", ""), deck="ED ET EV ES").state[0]
    batch.refresh()
    batch.determinize(1, seed=5)
    held = Counter(codes(cards) for cards in batch.state["hand"][:, 0])
    assert {cards: count / tables for cards, count in held.items()} == pytest.approx(
        {"JT": 0.2, "ED": 0.2, "ET": 0.2, "EV": 0.2, "ES": 0.2}, abs=0.02
    )


# -- Other boxes -----------------------------------------------------------------------------------------------------


def write_kinds(path: Path, field: str, number) -> None:
    rows = [f"clan,rank,{field},source"]
    for index in range(NUM_KINDS):
        rows.append(f"{CLAN_NAMES[index // 5]},{RANK_NAMES[index % 5]},{number(index)},reconstruction")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def edited(tmp_path: Path, file: str, old: str, new: str) -> Path:
    text = (DATA / file).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    return tmp_path


def test_other_values_play_without_compiling_again(tmp_path):
    position("djinns")
    kernels = {factory: len(getattr(kernel, "signatures", [])) for factory, kernel in GAME._kernels.items()}
    write_kinds(tmp_path / "values.csv", "value", lambda index: 20 - index % 5 * 4)
    batch = table(("GV", "SD"), ("GD", "MS"), box=tmp_path)
    assert batch.scores()[0].tolist() == [20, 4]
    play(batch, "summon", "GV")
    assert choices(batch, "discard") == {f"next {name('MS')}"}  # only the Sultan is worth 4 or less
    assert {f: len(getattr(k, "signatures", [])) for f, k in GAME._kernels.items() if f in kernels} == kernels


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("count", [1, 5])
def test_boxes_with_other_counts_and_numbers_keep_every_card_and_every_bound(tmp_path, players, count):
    write_kinds(tmp_path / "cards.csv", "count", lambda index: count)
    write_kinds(tmp_path / "values.csv", "value", lambda index: index % 21)
    edited(tmp_path, "numbers.csv", "closing_palace,8", "closing_palace,2" if count == 1 else "closing_palace,20")
    batch = GameBatch(GAME, 64, players, seed=4, box=tmp_path)
    ended = 0
    for _ in range(400):
        batch.step(batch.sample())
        check_cards(batch)
        assert (batch.observation >= GAME.observation.low).all()
        assert (batch.observation <= GAME.observation.high).all()
        ended += int(batch.terminated.sum())
    assert ended > 0


def test_a_box_of_few_cards_runs_out_and_ends(tmp_path):
    write_kinds(tmp_path / "cards.csv", "count", lambda index: int(index < 20))
    edited(tmp_path, "numbers.csv", "closing_palace,8", "closing_palace,20")
    batch = GameBatch(GAME, 200, 4, seed=4, box=tmp_path, autoreset=False)
    while batch.running.any():
        batch.step(batch.sample(), batch.running)
        check_cards(batch)
    assert batch.state["palace_size"].max() < 20
    assert (batch.state["deck_size"] == 0).all()
    assert not batch.state["hand"].any()


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("cards.csv", "Marid,Thief,3", "Marid,Thief,11", "row 9, field 'count': expected a whole number from 0 to 10"),
        ("cards.csv", "Marid,Thief,3", "Marid,Thief,x", "row 9, field 'count'"),
        ("cards.csv", "Marid,Thief,3", "Marid,Diviner,3", "row 9, field 'rank': expected each kind once; Marid Diviner"),
        ("cards.csv", "Marid,Thief,3", "Ifrit,Thief,3", "row 9, field 'clan': expected one of 'Genie'"),
        ("cards.csv", "Jann,Vizier,1", "Jann,Sultan,1", "row 25, field 'rank': expected one of Diviner"),
        ("cards.csv", "Jann,Vizier,1,rulebook\n", "", "expected 24 rows"),
        ("cards.csv", "Jann,Vizier,1,rulebook", "Jann,Vizier,1,rumour", "row 25, field 'source'"),
        ("values.csv", "Genie,Diviner,1", "Genie,Diviner,-1", "row 2, field 'value': expected a whole number from 0 to 20"),
        ("values.csv", "clan,rank,value", "clan,rank,worth", "field 'value': expected in the header"),
        ("numbers.csv", "wish_cost,3", "wish_cost,0", "field 'value': expected a whole number from 1 to 5"),
        ("numbers.csv", "wish_cost,3", "wish_price,3", "field 'name': expected once each"),
        ("numbers.csv", "wish_cost,3,rulebook\n", "", "expected a row for 'wish_cost'"),
    ],
)
def test_a_bad_component_file_is_refused_with_its_place(tmp_path, file, old, new, complaint):
    with pytest.raises(ComponentError, match=file) as error:
        GAME.load_box(edited(tmp_path, file, old, new))
    assert complaint in str(error.value)


@pytest.mark.parametrize(("count", "total"), [(0, 0), (6, 144)])
def test_too_few_or_too_many_cards_are_refused(tmp_path, count, total):
    write_kinds(tmp_path / "cards.csv", "count", lambda index: count)
    with pytest.raises(ComponentError, match=f"expected 20 .* to 120 cards in all, found {total}"):
        GAME.load_box(tmp_path)


# -- Boards and play -------------------------------------------------------------------------------------------------


def test_the_board_shows_the_viewers_hand_and_hides_the_others(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    batch = table(("GS SV", "MS EV"), ("JD JD", "ED"))
    board = batch.render(0, viewer=0)
    assert "\x1b[33mGenie Sultan·5\x1b[0m" in board  # yellow
    assert "\x1b[32mShaitan Vizier·4\x1b[0m" in board  # green
    assert "\x1b[35mJann Diviner·1×2\x1b[0m" in board  # purple
    assert "Marid" not in board
    assert "hand        ▒▒ 2" in plain(board)
    everything = batch.render(0)
    assert "\x1b[34mMarid Sultan·5\x1b[0m" in everything  # blue
    assert "\x1b[31mEfreet Vizier·4\x1b[0m" in everything  # red


def test_the_board_hides_cards_that_another_player_looks_at():
    batch = wish("look", "GD GD GD", ("GD GD GD", "SD"), ("", ""), deck="ET EV")
    assert "looked at   Efreet Thief·3 Vizier·4" in plain(batch.render(0, viewer=0))
    assert "looked at   ▒▒ 2" in plain(batch.render(0, viewer=1))
    others = table(("", "SD"), ("", ""), deck="JD JM", discards="GD GD GD")
    positions.change(others, **{field: batch.state[field][0] for field in ("removed", "phase", "wish", "draws", "turn")})
    positions.change(others, looked=pile("JD JM"), deck_size=0)
    assert others.render(0, viewer=1) == batch.render(0, viewer=1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_board_of_a_game_can_be_drawn(players):
    batch = position("djinns", players, seed=8)
    while not batch.terminated[0]:
        batch.step(batch.sample())
        for viewer in (*range(players), None):
            assert f"player {players - 1}" in batch.render(0, viewer)
    assert "The game is over." in batch.render()


def test_the_greedy_agent_beats_random_play():
    assert play_match("djinns", ["greedy", "random"], 400).win_share[0] > 0.95


def test_a_table_is_small():
    assert GAME.state_dtype.itemsize <= 1024
