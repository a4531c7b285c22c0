"""The rules of Djinns of the High Desert.

In brief
- On a turn, summon a card from the hand into the palace and carry out its action, or discard three cards for a wish; then
  draw a card.
- Diviner: draw two. Merchant: may exchange a palace card for one of equal or lesser value of another palace. Thief: take a
  random card from another hand. Vizier: may discard another palace card of value 4 or less. Sultan: may place another card.
- Wishes: keep one of the top five cards of the deck; take a card from the discard pile; remove a palace card from the game.
- A palace of eight or more makes its owner immune; a turn begun with one brings the last round.
- A palace scores its best clan and the Jann, less the cards of the other clans; more cards, then more Jann break ties.

Our rulings, of which the README has the full list: the start player is random; an action without a possible target is no
step, and an unworkable wish cannot be chosen; a Merchant or Vizier never means the very card just summoned, but may mean a
twin; one's own effects reach one's own palace even when immune; a wish is paid before it is carried out; looked-at cards
return under the deck in random order; draws that no pile can serve are skipped; only a player without any card to be had
passes; the last round is the turn that brought it and one turn of every other player, and nothing revokes it; the game also
ends when every card lies in a palace or out of the game, and is cut off after 1000 turns.
"""

from __future__ import annotations

from arabian_envs.engine.jit import rule
from arabian_envs.engine.rng import random_below, shuffle
from arabian_envs.engine.spec import ActionSpec, Group
from arabian_envs.engine.state import TERMINATED, TRUNCATED
from arabian_envs.games.djinns.components import (
    KIND_NAMES,
    MAX_CARDS,
    NUM_KINDS,
    NUM_RANKS,
    RIVAL_CLANS,
    Clan,
    Rank,
)
from arabian_envs.games.djinns.state import NONE, NUM_WISHES, SEATS, Phase, Wish

MAX_TURNS = 1000
"""Players who only undo each other's work could go on for ever; random play takes 27 to 51 turns."""

_OTHERS = ("next", "second next", "third next")
_EVERYONE = ("own", *_OTHERS)

ACTIONS = ActionSpec(
    Group("summon", (NUM_KINDS,), "place this card from the hand into the palace and follow it", (KIND_NAMES,)),
    Group("wish", (NUM_WISHES,), "make this wish", (("look", "retrieve", "remove"),)),
    Group("pay", (NUM_KINDS,), "wish: discard this card from the hand for it", (KIND_NAMES,)),
    Group("keep", (NUM_KINDS,), "first wish: put this one of the cards looked at into the hand", (KIND_NAMES,)),
    Group("retrieve", (NUM_KINDS,), "second wish: put this card of the discard pile into the hand", (KIND_NAMES,)),
    Group(
        "remove",
        (SEATS, NUM_KINDS),
        "third wish: remove this card of this palace from the game",
        (_EVERYONE, KIND_NAMES),
    ),
    Group("give", (NUM_KINDS,), "Merchant: offer this card of the own palace", (KIND_NAMES,)),
    Group("exchange", (SEATS - 1, NUM_KINDS), "Merchant: exchange it for this card of this palace", (_OTHERS, KIND_NAMES)),
    Group("rob", (SEATS - 1,), "Thief: take a random card from this hand", (_OTHERS,)),
    Group("discard", (SEATS, NUM_KINDS), "Vizier: discard this card of this palace", (_EVERYONE, KIND_NAMES)),
    Group("place", (NUM_KINDS,), "Sultan: place this card from the hand without its action", (KIND_NAMES,)),
    Group("decline", (), "Merchant, Vizier, Sultan: leave it"),
    Group("pass_turn", (), "pass, when there is no card to be had"),
)

_SUMMON, _WISH, _PAY, _KEEP = (ACTIONS.offsets[name] for name in ("summon", "wish", "pay", "keep"))
_RETRIEVE, _REMOVE, _GIVE, _EXCHANGE = (ACTIONS.offsets[name] for name in ("retrieve", "remove", "give", "exchange"))
_ROB, _DISCARD, _PLACE, _DECLINE = (ACTIONS.offsets[name] for name in ("rob", "discard", "place", "decline"))
_PASS = ACTIONS.offsets["pass_turn"]

# Enum members as plain numbers, which compile fastest.
_P_TURN, _P_PAY, _P_KEEP, _P_RETRIEVE = int(Phase.TURN), int(Phase.PAY), int(Phase.KEEP), int(Phase.RETRIEVE)
_P_REMOVE, _P_GIVE, _P_EXCHANGE, _P_ROB = int(Phase.REMOVE), int(Phase.GIVE), int(Phase.EXCHANGE), int(Phase.ROB)
_P_DISCARD, _P_PLACE = int(Phase.DISCARD), int(Phase.PLACE)
_W_LOOK, _W_RETRIEVE, _W_REMOVE = int(Wish.LOOK), int(Wish.RETRIEVE), int(Wish.REMOVE)
_R_DIVINER, _R_MERCHANT, _R_THIEF = int(Rank.DIVINER), int(Rank.MERCHANT), int(Rank.THIEF)
_R_VIZIER = int(Rank.VIZIER)
_C_JANN = int(Clan.JANN)


# -- Setup -----------------------------------------------------------------------------------------------------------


@rule
def setup(state, box):
    """Shuffle all cards, deal a hand to each player, leave the rest as the Draw Deck; a random player starts."""
    for kind in range(NUM_KINDS):
        for _ in range(box.count[kind]):
            state.deck[state.deck_size] = kind
            state.deck_size += 1
    shuffle(state, state.deck, state.deck_size)
    for seat in range(state.num_players):
        draw(state, seat, box.starting_hand)
    state.summoned = NONE
    state.given = NONE
    state.wish = NONE
    begin_turn(state, box, random_below(state, state.num_players))


# -- Drawing ---------------------------------------------------------------------------------------------------------


@rule
def draw(state, seat, cards):
    """Draw from the deck; when a card is needed and the deck is empty, the discard pile becomes the new deck."""
    for _ in range(cards):
        if state.deck_size == 0:
            reshuffle(state)
        if state.deck_size == 0:
            return
        take_in_hand(state, seat, draw_top(state))


@rule
def draw_top(state):
    """The top card of a deck that is not empty."""
    state.deck_size -= 1
    return state.deck[state.deck_size]


@rule
def reshuffle(state):
    """Shuffle the discard pile to form a new Draw Deck."""
    for kind in range(NUM_KINDS):
        for _ in range(state.discards[kind]):
            state.deck[state.deck_size] = kind
            state.deck_size += 1
        state.discards[kind] = 0
    state.discards_size = 0
    shuffle(state, state.deck, state.deck_size)


@rule
def take_in_hand(state, seat, kind):
    """A card enters a hand; there is no hand limit."""
    state.hand[seat, kind] += 1
    state.hand_size[seat] += 1


@rule
def leave_hand(state, seat, kind):
    """A card leaves a hand."""
    state.hand[seat, kind] -= 1
    state.hand_size[seat] -= 1


@rule
def enter_palace(state, seat, kind):
    """A card enters a palace."""
    state.palace[seat, kind] += 1
    state.palace_size[seat] += 1


@rule
def leave_palace(state, seat, kind):
    """A card leaves a palace."""
    state.palace[seat, kind] -= 1
    state.palace_size[seat] -= 1


@rule
def put_on_discards(state, kind):
    """A card goes to the discard pile."""
    state.discards[kind] += 1
    state.discards_size += 1


# -- Turns -----------------------------------------------------------------------------------------------------------


@rule
def begin_turn(state, box, seat):
    """A full palace brings the last round; an empty hand is filled; then the player chooses."""
    state.player = seat
    state.turn += 1
    if state.turns_left == 0 and state.palace_size[seat] >= box.closing_palace:
        state.turns_left = state.num_players
    if state.hand_size[seat] == 0:
        draw(state, seat, box.fresh_hand)
    state.draws = box.turn_draw
    state.phase = _P_TURN
    if nothing_left(state):
        end_of_game(state, TERMINATED)


@rule
def nothing_left(state):
    """Whether every card lies in a palace or out of the game, so that nothing can ever happen again."""
    cards = state.deck_size + state.discards_size
    for seat in range(state.num_players):
        cards += state.hand_size[seat]
    return cards == 0


@rule
def end_of_turn(state, box):
    """Draw, and let the next player begin unless the last round is over."""
    state.summoned = NONE
    state.wish = NONE
    draw(state, state.player, state.draws)
    if state.turns_left > 0:
        state.turns_left -= 1
        if state.turns_left == 0:
            end_of_game(state, TERMINATED)
            return
    if state.turn >= MAX_TURNS:
        end_of_game(state, TRUNCATED)
        return
    begin_turn(state, box, relative_seat(state, 1))


@rule
def end_of_game(state, status):
    """Each player discards all cards in hand before the palaces are scored."""
    for seat in range(state.num_players):
        for kind in range(NUM_KINDS):
            for _ in range(state.hand[seat, kind]):
                leave_hand(state, seat, kind)
                put_on_discards(state, kind)
    state.status = status


@rule
def relative_seat(state, distance):
    """The seat so many places after the acting player."""
    return (state.player + distance) % state.num_players


@rule
def is_immune(state, box, seat):
    """Effects of others reach neither the palace nor the hand of a player with so many palace cards."""
    return state.palace_size[seat] >= box.immune_palace


@rule
def can_reach(state, box, seat):
    """Whether an effect of the acting player may touch a palace: the own one always, another unless immune."""
    return seat == state.player or not is_immune(state, box, seat)


# -- Summon ----------------------------------------------------------------------------------------------------------


@rule
def summon(state, box, kind):
    """Place a card from the hand into the palace and follow it; the player must, unless the card says "may"."""
    leave_hand(state, state.player, kind)
    enter_palace(state, state.player, kind)
    state.summoned = kind
    rank = kind % NUM_RANKS
    if rank == _R_DIVINER:
        divine(state, box)
    elif rank == _R_MERCHANT:
        decide_or_end(state, box, _P_GIVE, can_exchange(state, box))
    elif rank == _R_THIEF:
        decide_or_end(state, box, _P_ROB, can_rob_anyone(state, box))
    elif rank == _R_VIZIER:
        decide_or_end(state, box, _P_DISCARD, can_discard_any(state, box))
    else:
        decide_or_end(state, box, _P_PLACE, state.hand_size[state.player] > 0)


@rule
def decide_or_end(state, box, phase, possible):
    """An action that nothing can come of is skipped."""
    if possible:
        state.phase = phase
    else:
        end_of_turn(state, box)


@rule
def divine(state, box):
    """Diviner: draw two cards at the end of the turn instead of one."""
    state.draws = box.diviner_draw
    end_of_turn(state, box)


@rule
def others_in_palace(state, seat, kind):
    """Cards of a kind in a palace, not counting the one summoned this turn."""
    return state.palace[seat, kind] - (1 if seat == state.player and kind == state.summoned else 0)


@rule
def cheapest_in_reach(state, box):
    """The least value among the palace cards a Merchant can take; above every value if there is none."""
    for place in range(NUM_KINDS - 1, -1, -1):
        kind = box.by_value[place]
        for distance in range(1, state.num_players):
            seat = relative_seat(state, distance)
            if state.palace[seat, kind] > 0 and not is_immune(state, box, seat):
                return box.value[kind]
    return box.value[box.by_value[0]] + 1


@rule
def can_exchange(state, box):
    """Whether any own card but the Merchant just played is worth enough for a card of another palace."""
    least = cheapest_in_reach(state, box)
    dearest = -1
    for kind in range(NUM_KINDS):
        if others_in_palace(state, state.player, kind) > 0:
            dearest = max(dearest, box.value[kind])
    return dearest >= least


@rule
def give(state, kind):
    """Merchant: name the own card to pass on."""
    state.given = kind
    state.phase = _P_EXCHANGE


@rule
def exchange(state, box, seat, kind):
    """Merchant: the two cards change palaces."""
    leave_palace(state, state.player, state.given)
    enter_palace(state, seat, state.given)
    leave_palace(state, seat, kind)
    enter_palace(state, state.player, kind)
    state.given = NONE
    end_of_turn(state, box)


@rule
def can_rob(state, box, seat):
    """A Thief needs another player's hand that holds a card and is not immune."""
    return seat != state.player and state.hand_size[seat] > 0 and not is_immune(state, box, seat)


@rule
def can_rob_anyone(state, box):
    """Whether the Thief finds a victim."""
    victims = 0
    for seat in range(state.num_players):
        victims += can_rob(state, box, seat)
    return victims > 0


@rule
def rob(state, box, seat):
    """Thief: take a random card from another player's hand."""
    nth = random_below(state, state.hand_size[seat])
    for kind in range(NUM_KINDS):
        nth -= state.hand[seat, kind]
        if nth < 0:
            leave_hand(state, seat, kind)
            take_in_hand(state, state.player, kind)
            break
    end_of_turn(state, box)


@rule
def can_discard(state, box, seat, kind):
    """A Vizier discards another card of small value from any palace, the own included."""
    return box.value[kind] <= box.vizier_limit and others_in_palace(state, seat, kind) > 0 and can_reach(state, box, seat)


@rule
def can_discard_any(state, box):
    """Whether there is a card for the Vizier to discard."""
    for seat in range(state.num_players):
        for kind in range(NUM_KINDS):
            if can_discard(state, box, seat, kind):
                return True
    return False


@rule
def discard(state, box, seat, kind):
    """Vizier: move the card from its palace to the discard pile."""
    leave_palace(state, seat, kind)
    put_on_discards(state, kind)
    end_of_turn(state, box)


@rule
def place(state, box, kind):
    """Sultan: place one more card from the hand; its action does not happen."""
    leave_hand(state, state.player, kind)
    enter_palace(state, state.player, kind)
    end_of_turn(state, box)


# -- Make a Wish -----------------------------------------------------------------------------------------------------


@rule
def can_wish(state, box, wish):
    """A wish needs the cards to pay for it; removal also needs a palace card within reach."""
    if state.hand_size[state.player] < box.wish_cost:
        return False
    if wish != _W_REMOVE:
        return True
    cards = 0
    for seat in range(state.num_players):
        if can_reach(state, box, seat):
            cards += state.palace_size[seat]
    return cards > 0


@rule
def make_wish(state, box, wish):
    """Choose a wish, then discard cards from the hand for it."""
    state.wish = wish
    state.to_pay = box.wish_cost
    state.phase = _P_PAY


@rule
def pay(state, box, kind):
    """Discard one card for the wish; when all are discarded the wish is granted."""
    leave_hand(state, state.player, kind)
    put_on_discards(state, kind)
    state.to_pay -= 1
    if state.to_pay > 0:
        return
    if state.wish == _W_LOOK:
        look(state, box)
    elif state.wish == _W_RETRIEVE:
        state.phase = _P_RETRIEVE
    else:
        state.phase = _P_REMOVE


@rule
def look(state, box):
    """First wish: look at the top cards of the deck, or of the shuffled discards if there is no deck."""
    if state.deck_size == 0:
        reshuffle(state)
    for _ in range(min(box.wish_look, state.deck_size)):
        state.looked[draw_top(state)] += 1
    state.phase = _P_KEEP


@rule
def keep(state, box, kind):
    """Put one of the cards into the hand, and the others under the deck in random order."""
    state.looked[kind] -= 1
    take_in_hand(state, state.player, kind)
    rest = 0
    for other in range(NUM_KINDS):
        rest += state.looked[other]
    for place in range(state.deck_size - 1, -1, -1):
        state.deck[place + rest] = state.deck[place]
    state.deck_size += rest
    bottom = 0
    for other in range(NUM_KINDS):
        for _ in range(state.looked[other]):
            state.deck[bottom] = other
            bottom += 1
        state.looked[other] = 0
    shuffle(state, state.deck, rest)
    end_of_turn(state, box)


@rule
def retrieve(state, box, kind):
    """Second wish: put any card of the discard pile into the hand."""
    state.discards[kind] -= 1
    state.discards_size -= 1
    take_in_hand(state, state.player, kind)
    end_of_turn(state, box)


@rule
def remove(state, box, seat, kind):
    """Third wish: remove a card in any palace from the game."""
    leave_palace(state, seat, kind)
    state.removed[kind] += 1
    end_of_turn(state, box)


# -- The verbs -------------------------------------------------------------------------------------------------------


@rule
def legal_actions(state, box, mask):
    """What the acting player may decide now."""
    hand = state.hand[state.player]
    if state.phase == _P_TURN:
        legal_turns(state, box, mask)
    elif state.phase == _P_PAY:
        mark_held(hand, mask.pay)
    elif state.phase == _P_KEEP:
        mark_held(state.looked, mask.keep)
    elif state.phase == _P_RETRIEVE:
        mark_held(state.discards, mask.retrieve)
    elif state.phase == _P_REMOVE:
        legal_removals(state, box, mask)
    elif state.phase == _P_GIVE:
        legal_gifts(state, box, mask)
    elif state.phase == _P_EXCHANGE:
        legal_exchanges(state, box, mask)
    elif state.phase == _P_ROB:
        for distance in range(1, state.num_players):
            mask.rob[distance - 1] = can_rob(state, box, relative_seat(state, distance))
    elif state.phase == _P_DISCARD:
        legal_discards(state, box, mask)
    else:
        mark_held(hand, mask.place)
        mask.decline = 1


@rule
def mark_held(pile, out):
    """Mark the kinds a pile holds."""
    for kind in range(NUM_KINDS):
        out[kind] = pile[kind] > 0


@rule
def legal_turns(state, box, mask):
    """Summon or make a wish; pass only without a hand, which means that deck and discards are empty too."""
    if state.hand_size[state.player] == 0:
        mask.pass_turn = 1
        return
    mark_held(state.hand[state.player], mask.summon)
    for wish in range(NUM_WISHES):
        mask.wish[wish] = can_wish(state, box, wish)


@rule
def legal_removals(state, box, mask):
    """Any card of any palace within reach."""
    for distance in range(state.num_players):
        seat = relative_seat(state, distance)
        if can_reach(state, box, seat):
            mark_held(state.palace[seat], mask.remove[distance])


@rule
def legal_gifts(state, box, mask):
    """Own cards worth enough for a card of another palace, or none."""
    least = cheapest_in_reach(state, box)
    for kind in range(NUM_KINDS):
        mask.give[kind] = box.value[kind] >= least and others_in_palace(state, state.player, kind) > 0
    mask.decline = 1


@rule
def legal_exchanges(state, box, mask):
    """Cards of equal or lesser value in other palaces."""
    for distance in range(1, state.num_players):
        seat = relative_seat(state, distance)
        if is_immune(state, box, seat):
            continue
        for kind in range(NUM_KINDS):
            mask.exchange[distance - 1, kind] = state.palace[seat, kind] > 0 and box.value[kind] <= box.value[state.given]


@rule
def legal_discards(state, box, mask):
    """Cards of small value in any palace within reach, or none."""
    for distance in range(state.num_players):
        seat = relative_seat(state, distance)
        for kind in range(NUM_KINDS):
            mask.discard[distance, kind] = can_discard(state, box, seat, kind)
    mask.decline = 1


@rule
def apply(state, box, action):
    """Carry out one decision."""
    if action in (_DECLINE, _PASS):
        end_of_turn(state, box)
    elif state.phase == _P_TURN and action < _WISH:
        summon(state, box, action - _SUMMON)
    elif state.phase == _P_TURN:
        make_wish(state, box, action - _WISH)
    elif state.phase == _P_PAY:
        pay(state, box, action - _PAY)
    elif state.phase == _P_KEEP:
        keep(state, box, action - _KEEP)
    elif state.phase == _P_RETRIEVE:
        retrieve(state, box, action - _RETRIEVE)
    elif state.phase == _P_REMOVE:
        chosen = action - _REMOVE
        remove(state, box, relative_seat(state, chosen // NUM_KINDS), chosen % NUM_KINDS)
    elif state.phase == _P_GIVE:
        give(state, action - _GIVE)
    elif state.phase == _P_EXCHANGE:
        chosen = action - _EXCHANGE
        exchange(state, box, relative_seat(state, chosen // NUM_KINDS + 1), chosen % NUM_KINDS)
    elif state.phase == _P_ROB:
        rob(state, box, relative_seat(state, action - _ROB + 1))
    elif state.phase == _P_DISCARD:
        chosen = action - _DISCARD
        discard(state, box, relative_seat(state, chosen // NUM_KINDS), chosen % NUM_KINDS)
    else:
        place(state, box, action - _PLACE)


# -- Scoring ---------------------------------------------------------------------------------------------------------


@rule
def clan_points(state, box, seat, clan):
    """The values of a clan's cards in a palace, added up."""
    points = 0
    for kind in range(clan * NUM_RANKS, min(NUM_KINDS, (clan + 1) * NUM_RANKS)):
        points += state.palace[seat, kind] * box.value[kind]
    return points


@rule
def palace_points(state, box, seat):
    """The best of the four clans and the Jann, less the cards of the other clans."""
    best = 0
    total = 0
    for clan in range(RIVAL_CLANS):
        points = clan_points(state, box, seat, clan)
        best = max(best, points)
        total += points
    return 2 * best - total + clan_points(state, box, seat, _C_JANN)


@rule
def jann_cards(state, seat):
    """Cards of the Jann clan in a palace."""
    cards = 0
    for kind in range(_C_JANN * NUM_RANKS, NUM_KINDS):
        cards += state.palace[seat, kind]
    return cards


@rule
def scores(state, box, points, tiebreaks):
    """The points of each palace; more palace cards, then more Jann decide between equals."""
    for seat in range(state.num_players):
        points[seat] = palace_points(state, box, seat)
        tiebreaks[seat] = state.palace_size[seat] * (MAX_CARDS + 1) + jann_cards(state, seat)


# -- Hidden information ----------------------------------------------------------------------------------------------


@rule
def determinize(state, box, player):
    """Deal anew what the player cannot see: the deck, the other hands, the cards another player is looking at."""
    for seat in range(state.num_players):
        if seat != player:
            pile_on_deck(state, state.hand[seat])
    looked = 0
    if state.player != player:
        for kind in range(NUM_KINDS):
            looked += state.looked[kind]
        pile_on_deck(state, state.looked)
    shuffle(state, state.deck, state.deck_size)
    for seat in range(state.num_players):
        if seat != player:
            for _ in range(state.hand_size[seat]):
                state.hand[seat, draw_top(state)] += 1
    for _ in range(looked):
        state.looked[draw_top(state)] += 1


@rule
def pile_on_deck(state, pile):
    """Put all cards of a pile on the deck."""
    for kind in range(NUM_KINDS):
        for _ in range(pile[kind]):
            state.deck[state.deck_size] = kind
            state.deck_size += 1
        pile[kind] = 0
