"""The rules of Sultaniya.

In brief
- On a turn a player builds, calls on a Djinn, or passes and takes two sapphires.
- Build: reveal tiles of one pile (at most three lie in front of it), take a displayed tile and place it in the own palace:
  on its floor, artwork matching, on a tile or the base, adjacent, inside the width, making no hole. It brings sapphires.
- Djinns: search a pile and build a tile of it; build twice; move or return an own tile, then build; refresh a display, then
  build. The caller pays, gains no sapphires from tiles, and keeps the Djinn until another player calls it.
- The fifth roof tile gives all others one last turn. Points come from the symbols of the own character, extra points on
  roofs, the majority of guards and two secret objectives. Sapphires break ties.

Our rulings, with more of them in the README: characters all from one side, by lot; tiles are revealed one at a time;
only a tile that fits can be taken; after revealing, passing needs that nothing fits; a turn with a Djinn that builds nothing
earns nothing; the red Djinn's move, and building after the red or the refreshing Djinn, are optional; the second build is
not, unless nothing fits; tiles put under a pile stay known to all, a searched pile is known only while it is searched; tied
guards take the lowest of the ranks they share; 40 turns a player end the game as it stands.
"""

from __future__ import annotations

from arabian_envs.engine.jit import rule
from arabian_envs.engine.rng import random_below, shuffle
from arabian_envs.engine.spec import ActionSpec, Group
from arabian_envs.engine.state import TERMINATED, TRUNCATED
from arabian_envs.games.sultaniya.components import (
    DJINN_NAMES,
    FIRST_SLOT,
    FIRST_TILE,
    FLOOR_NAMES,
    FLOOR_OF,
    MOST_DISPLAYED,
    MOST_SLOTS,
    MOST_TILES,
    NUM_COLUMNS,
    NUM_DJINNS,
    NUM_FLOORS,
    NUM_OBJECTIVES,
    NUM_SLOTS,
    NUM_TILES,
    OBJECTIVES_EACH,
    PRINTED_SLOTS,
    PRINTED_TILES,
    SEATS,
    TILES_OF_FLOOR,
    WIDTH,
    Counts,
    Djinn,
    Floor,
    Kind,
    Special,
    Symbol,
)
from arabian_envs.games.sultaniya.palace import (
    BELOW,
    can_lift,
    fitting_faces,
    is_open,
    matching_faces,
    open_slots,
    outline,
    tiles_of,
)
from arabian_envs.games.sultaniya.state import NOBODY, NOTHING, Phase

KEEP = NUM_SLOTS
"""The choice of lifting no tile."""

_PILES = FLOOR_NAMES
_SLOT_NAMES = tuple(f"{FLOOR_NAMES[FLOOR_OF[slot]]} {slot - FIRST_SLOT[FLOOR_OF[slot]]}" for slot in range(NUM_SLOTS))

ACTIONS = ActionSpec(
    Group("reveal", (NUM_FLOORS,), "move the top tile of a pile to its display", (_PILES,)),
    Group("pick", (NUM_FLOORS, MOST_DISPLAYED), "take a tile of a display, oldest first", (_PILES, None)),
    Group("place", (MOST_SLOTS, 2), "place the tile in hand on a slot of its floor", (None, ("as drawn", "mirrored"))),
    Group("call", (NUM_DJINNS,), "call on a Djinn", (DJINN_NAMES,)),
    Group("pile", (NUM_FLOORS,), "the pile to search, or whose display to refresh", (_PILES,)),
    Group("find", (MOST_TILES,), "build this tile of the searched pile: its number among the tiles of its floor"),
    Group("lift", (NUM_SLOTS + 1,), "red Djinn: lift this tile of the own palace, or none", ((*_SLOT_NAMES, "none"),)),
    Group("return", (), "red Djinn: put the lifted tile under its pile"),
    Group("pass", (), "pass, or end a turn in which nothing is built"),
)

_REVEAL, _PICK, _PLACE, _CALL = (ACTIONS.offsets[name] for name in ("reveal", "pick", "place", "call"))
_PILE, _FIND, _LIFT, _RETURN, _PASS = (ACTIONS.offsets[name] for name in ("pile", "find", "lift", "return", "pass"))

# Enum members as plain numbers, which compile fastest.
_P_TURN, _P_BUILD, _P_PLACE, _P_SEARCH_PILE = int(Phase.TURN), int(Phase.BUILD), int(Phase.PLACE), int(Phase.SEARCH_PILE)
_P_SEARCH, _P_REFRESH_PILE, _P_LIFT, _P_MOVE = int(Phase.SEARCH), int(Phase.REFRESH_PILE), int(Phase.LIFT), int(Phase.MOVE)
_D_SEARCH, _D_BUILD_TWICE, _D_RED, _D_REFRESH = int(Djinn.SEARCH), int(Djinn.BUILD_TWICE), int(Djinn.RED), int(Djinn.REFRESH)
_C_FLOOR, _C_COLUMN, _C_DJINNS = int(Counts.FLOOR), int(Counts.COLUMN), int(Counts.DJINNS)
_S_LINTEL, _S_POINT = int(Special.LINTEL), int(Special.POINT)
_S_LONE_GATE, _S_LONE_MINARET = int(Special.LONE_GATE), int(Special.LONE_MINARET)
_GUARD, _SAPPHIRE, _GATE, _ROOF = int(Symbol.GUARD), int(Symbol.SAPPHIRE), int(Kind.GATE), int(Floor.ROOF)


# -- Setup -------------------------------------------------------------------------------------------------------------


@rule
def setup(state, box):
    """Piles by number of players, boards, sapphires, two objectives each, a random first player."""
    for floor in range(NUM_FLOORS):
        make_pile(state, box, floor)
    for seat in range(SEATS):
        state.character[seat] = NOTHING
    state.treasure = box.sapphires
    choose_boards(state, box)
    for objective in range(NUM_OBJECTIVES):
        state.objectives[objective] = objective
    shuffle(state, state.objectives, NUM_OBJECTIVES)
    for djinn in range(NUM_DJINNS):
        state.djinn_holder[djinn] = NOBODY
    state.ender = NOBODY
    state.first_player = random_below(state, state.num_players)
    begin_turn(state, state.first_player)


@rule
def make_pile(state, box, floor):
    """The tiles marked for this number of players, shuffled; solo play uses those for two."""
    players = max(2, state.num_players)
    size = 0
    for tile in range(FIRST_TILE[floor], FIRST_TILE[floor] + TILES_OF_FLOOR[floor]):
        if box.min_players[tile] <= players:
            state.pile[floor, size] = tile
            size += 1
    state.pile_size[floor] = size
    state.pile[floor, size:] = NOTHING
    shuffle(state, state.pile[floor], size)
    state.display[floor, :] = NOTHING


@rule
def choose_boards(state, box):
    """Boards of one side by lot, but for seats whose character is given; each with its printed tiles and sapphires."""
    side = box.given_side + 0
    if side < 0:
        side = random_below(state, 2)
    taken = 0
    for seat in range(SEATS):
        if box.character_of_seat[seat] > 0:
            taken |= 1 << int(box.character_of_seat[seat] - 1)
    for seat in range(state.num_players):
        character = box.character_of_seat[seat] - 1
        while character < 0:
            drawn = box.side_characters[side, random_below(state, SEATS)]
            if taken >> int(drawn) & 1 == 0:
                character = drawn
        taken |= 1 << int(character)
        state.character[seat] = character
        for printed in range(PRINTED_TILES):
            state.palace[seat, PRINTED_SLOTS[printed]] = 1 + 2 * (NUM_TILES + PRINTED_TILES * character + printed)
        gain_sapphires(state, seat, box.start_sapphires[character])


@rule
def begin_turn(state, player):
    """Nothing is in hand, revealed or called yet."""
    state.player = player
    state.phase = _P_TURN
    state.hand = NOTHING
    state.djinn = NOTHING
    state.builds = 1
    state.revealed = 0
    state.searched = NOTHING
    state.lifted = NOTHING


@rule
def gain_sapphires(state, seat, number):
    """Sapphires come from the treasure, as long as it has any."""
    number = min(number, state.treasure)
    state.sapphires[seat] += number
    state.treasure -= number


# -- Build -------------------------------------------------------------------------------------------------------------


@rule
def can_reveal(state, box, pile):
    """Tiles of one pile a turn, of two different ones with the Djinn who builds twice, and none once a tile was taken."""
    if state.pile_size[pile] == 0 or state.displayed[pile] >= box.most_on_display:
        return False
    if state.revealed >> pile & 1 or state.revealed == 0:
        return state.djinn != _D_BUILD_TWICE or state.builds == 2
    if state.djinn != _D_BUILD_TWICE or state.builds < 2:
        return False
    return state.revealed & (state.revealed - 1) == 0


@rule
def reveal(state, pile):
    """The top tile joins the display in front of its pile, and the next one is seen."""
    size = state.pile_size[pile] - 1
    state.display[pile, state.displayed[pile]] = state.pile[pile, size]
    state.displayed[pile] += 1
    state.pile[pile, size] = NOTHING
    state.pile_size[pile] = size
    state.known_under[pile] = min(state.known_under[pile], size)
    state.revealed |= 1 << pile
    state.phase = _P_BUILD


@rule
def displayed_fits(state, box, pile, slots):
    """Which displayed tiles of a pile fit in the open slots of the acting player's palace: bit k for the k-th."""
    if state.displayed[pile] == 0:
        return 0
    tiles = tiles_of(fitting_faces(state.palace[state.player], box, slots, pile))
    fitting = 0
    for k in range(state.displayed[pile]):
        fitting |= (tiles >> (state.display[pile, k] - FIRST_TILE[pile]) & 1) << k
    return fitting


@rule
def anything_fits(state, box):
    """Whether any displayed tile can be built."""
    slots = open_slots(state.palace[state.player])
    for pile in range(NUM_FLOORS):
        if displayed_fits(state, box, pile, slots) != 0:
            return True
    return False


@rule
def take(state, pile, k):
    """Take a displayed tile; the others close ranks."""
    state.hand = state.display[pile, k]
    last = state.displayed[pile] - 1
    for moved in range(k, last):
        state.display[pile, moved] = state.display[pile, moved + 1]
    state.display[pile, last] = NOTHING
    state.displayed[pile] = last
    state.phase = _P_PLACE


@rule
def floor_of_tile(tile):
    """The floor of a tile of the piles."""
    floor = 0
    while floor < _ROOF and tile >= FIRST_TILE[floor + 1]:
        floor += 1
    return floor


@rule
def place(state, box, choice):
    """Place the tile in hand; its sapphires are gained unless a Djinn did the building."""
    player, tile = state.player, int(state.hand)
    face = 1 + 2 * tile + choice % 2
    state.palace[player, FIRST_SLOT[floor_of_tile(tile)] + choice // 2] = face
    state.hand = NOTHING
    state.builds -= 1
    if state.djinn == NOTHING:
        gain_sapphires(state, player, box.totals[face, _SAPPHIRE])
    if state.builds > 0 and anything_fits(state, box):
        state.phase = _P_BUILD
    else:
        end_turn(state, box)


# -- Pass --------------------------------------------------------------------------------------------------------------


@rule
def pass_turn(state, box):
    """Take two sapphires. A turn on which a Djinn was called ends without them."""
    if state.djinn == NOTHING:
        gain_sapphires(state, state.player, box.pass_sapphires)
    end_turn(state, box)


# -- Calling on a Djinn ------------------------------------------------------------------------------------------------


@rule
def can_call(state, box, djinn):
    """The cost must be there, and something to search or refresh."""
    if state.sapphires[state.player] < box.cost[djinn]:
        return False
    if djinn == _D_SEARCH:
        return any_tiles(state, False)
    return djinn != _D_REFRESH or any_tiles(state, True)


@rule
def any_tiles(state, with_display):
    """Whether any pile (or display) has tiles left."""
    for pile in range(NUM_FLOORS):
        if state.pile_size[pile] > 0 or (with_display and state.displayed[pile] > 0):
            return True
    return False


@rule
def call(state, box, djinn):
    """Pay the treasure, take the Djinn from wherever it stands, and apply its power."""
    player = state.player
    state.sapphires[player] -= box.cost[djinn]
    state.treasure += box.cost[djinn]
    state.djinn_holder[djinn] = player
    state.djinn = djinn
    if djinn == _D_SEARCH:
        state.phase = _P_SEARCH_PILE
    elif djinn == _D_BUILD_TWICE:
        state.builds = 2
        state.phase = _P_BUILD
    elif djinn == _D_RED:
        state.phase = _P_LIFT
    else:
        state.phase = _P_REFRESH_PILE


@rule
def find(state, number):
    """Search: take one tile out of the pile, whose order stays as it was."""
    pile = state.searched
    tile = FIRST_TILE[pile] + number
    size = state.pile_size[pile] - 1
    depth = 0
    while state.pile[pile, depth] != tile:
        depth += 1
    if depth < state.known_under[pile]:
        state.known_under[pile] -= 1
    for moved in range(depth, size):
        state.pile[pile, moved] = state.pile[pile, moved + 1]
    state.pile[pile, size] = NOTHING
    state.pile_size[pile] = size
    state.searched = NOTHING
    state.hand = tile
    state.phase = _P_PLACE


@rule
def put_under(state, pile, tile):
    """A tile goes under its pile, before everybody's eyes."""
    size = state.pile_size[pile]
    for moved in range(size, 0, -1):
        state.pile[pile, moved] = state.pile[pile, moved - 1]
    state.pile[pile, 0] = tile
    state.pile_size[pile] = size + 1
    state.known_under[pile] += 1


@rule
def refresh(state, pile):
    """A pile's display goes under it in order; then up to three others must be revealed, the first of them at once."""
    for k in range(state.displayed[pile]):
        put_under(state, pile, state.display[pile, k])
        state.display[pile, k] = NOTHING
    state.displayed[pile] = 0
    reveal(state, pile)


@rule
def lift(state, slot):
    """Red Djinn: pick up a tile of the own palace, or none."""
    if slot == KEEP:
        state.phase = _P_BUILD
        return
    state.hand = (state.palace[state.player, slot] - 1) // 2
    state.palace[state.player, slot] = 0
    state.lifted = slot
    state.phase = _P_MOVE


@rule
def move(state, choice):
    """Red Djinn: the lifted tile goes to another free place."""
    tile = int(state.hand)
    state.palace[state.player, FIRST_SLOT[floor_of_tile(tile)] + choice // 2] = 1 + 2 * tile + choice % 2
    build_normally(state)


@rule
def return_tile(state):
    """Red Djinn: the lifted tile goes to the bottom of its pile."""
    put_under(state, floor_of_tile(state.hand), state.hand)
    build_normally(state)


@rule
def build_normally(state):
    """After the red Djinn's work, build."""
    state.hand = NOTHING
    state.lifted = NOTHING
    state.phase = _P_BUILD


# -- Turns and the end -------------------------------------------------------------------------------------------------


@rule
def roofs(state, seat):
    """Roof tiles of a palace."""
    number = 0
    for slot in range(FIRST_SLOT[_ROOF], NUM_SLOTS):
        number += state.palace[seat, slot] != 0
    return number


@rule
def end_turn(state, box):
    """The fifth roof gives the others one last turn; solo play ends with it or with the last of its turns."""
    player = state.player
    if state.ender == NOBODY and roofs(state, player) >= box.roofs_to_end:
        state.ender = player
    following = (player + 1) % state.num_players
    if following == state.first_player:
        state.rounds += 1
    begin_turn(state, following)
    if state.ender == following or (state.num_players == 1 and state.rounds >= box.solo_turns):
        state.status = TERMINATED
    elif state.ender == NOBODY and following == state.first_player and state.rounds >= box.most_turns:
        state.status = TRUNCATED


# -- Scoring -----------------------------------------------------------------------------------------------------------


@rule
def count(state, box, seat, symbol):
    """How often a palace shows a symbol."""
    number = 0
    for slot in range(NUM_SLOTS):
        number += box.totals[state.palace[seat, slot], symbol]
    return number


@rule
def complete(state, box, seat, kind):
    """Complete gates or minarets: a lintel or point on two uprights, or a roof that has one of its own."""
    cover, lone = (_S_LINTEL, _S_LONE_GATE) if kind == _GATE else (_S_POINT, _S_LONE_MINARET)
    palace = state.palace[seat]
    number = 0
    for slot in range(FIRST_SLOT[1], NUM_SLOTS):
        special = box.special[palace[slot]]
        if special == lone:
            number += 1
        elif special == cover:
            left, right = BELOW[slot, 0], BELOW[slot, 1]
            number += left >= 0 and right >= 0 and palace[left] != 0 and palace[right] != 0
    return number


@rule
def extra_points(state, box, seat):
    """The +4 and +5 on roof tiles."""
    points = 0
    for slot in range(FIRST_SLOT[_ROOF], NUM_SLOTS):
        points += box.extra[state.palace[seat, slot]]
    return points


@rule
def board_points(box, scored_1, scored_3, scored_6, extra):
    """What the symbols on a character's board bring, by how many there are, and the extra points."""
    points = box.window_or_tower_points * scored_1 + box.cupola_or_garden_points * scored_3
    return points + box.gate_or_minaret_points * scored_6 + extra


@rule
def palace_points(state, box, seat):
    """The points of a palace without guards and objectives."""
    character = state.character[seat]
    scored_1 = count(state, box, seat, box.score_1[character])
    scored_3 = count(state, box, seat, box.score_3[character])
    scored_6 = complete(state, box, seat, box.score_6[character])
    return board_points(box, scored_1, scored_3, scored_6, extra_points(state, box, seat))


@rule
def guard_points(state, box, seat):
    """By rank of guards; tied players take the lowest of the ranks they share. None in solo play."""
    if state.num_players == 1:
        return 0
    own = count(state, box, seat, _GUARD)
    rank = -1
    for other in range(state.num_players):
        rank += count(state, box, other, _GUARD) >= own
    return box.guard_points[rank]


@rule
def most_on_floor(state, box, seat, symbol):
    """Symbols on the floor that has the most of them."""
    most = 0
    for floor in range(NUM_FLOORS):
        number = 0
        for slot in range(FIRST_SLOT[floor], FIRST_SLOT[floor] + WIDTH[floor]):
            number += box.totals[state.palace[seat, slot], symbol]
        most = max(most, number)
    return most


@rule
def most_in_column(state, box, seat, symbol):
    """Symbols in the half-column that has the most of them, whatever the tiles they are on."""
    most = 0
    for column in range(NUM_COLUMNS):
        number = 0
        for floor in range(NUM_FLOORS):
            left = column - floor % 2
            if 0 <= left < 2 * WIDTH[floor]:
                number += box.symbols[state.palace[seat, FIRST_SLOT[floor] + left // 2], left % 2, symbol]
        most = max(most, number)
    return most


@rule
def djinns_held(state, seat):
    """Djinns beside a palace."""
    number = 0
    for djinn in range(NUM_DJINNS):
        number += state.djinn_holder[djinn] == seat
    return number


@rule
def objective_points(state, box, seat, objective):
    """What one objective brings a seat."""
    counts = box.counts[objective]
    if counts == _C_FLOOR:
        return box.floor_objective_points * most_on_floor(state, box, seat, box.counted[objective])
    if counts == _C_COLUMN:
        most = most_in_column(state, box, seat, box.counted[objective])
        return box.column_objective_points * most + box.column_objective_extra
    if counts == _C_DJINNS:
        return box.djinn_objective_points * djinns_held(state, seat)
    return box.pair_objective_points * (state.sapphires[seat] // 2)


@rule
def scores(state, box, points, tiebreaks):
    """Symbols, extra points, guards and objectives; sapphires break ties."""
    for seat in range(state.num_players):
        points[seat] = palace_points(state, box, seat) + guard_points(state, box, seat)
        for held in range(OBJECTIVES_EACH):
            points[seat] += objective_points(state, box, seat, state.objectives[OBJECTIVES_EACH * seat + held])
        tiebreaks[seat] = state.sapphires[seat]


# -- The verbs ---------------------------------------------------------------------------------------------------------


@rule
def legal_actions(state, box, mask):
    """What the acting player may decide now."""
    phase = state.phase
    if phase == _P_TURN:
        legal_builds(state, box, mask)
        for djinn in range(NUM_DJINNS):
            mask.call[djinn] = can_call(state, box, djinn)
        mask["pass"] = 1
    elif phase == _P_BUILD:
        fitting = legal_builds(state, box, mask)
        declines = state.djinn == _D_REFRESH or (state.djinn == _D_RED and state.revealed == 0)
        mask["pass"] = declines or not fitting
    elif phase == _P_PLACE:
        legal_places(state, box, mask)
    elif phase == _P_SEARCH_PILE:
        for pile in range(NUM_FLOORS):
            mask.pile[pile] = state.pile_size[pile] > 0
    elif phase == _P_SEARCH:
        mask["pass"] = not legal_finds(state, box, mask)
    elif phase == _P_REFRESH_PILE:
        for pile in range(NUM_FLOORS):
            mask.pile[pile] = state.pile_size[pile] + state.displayed[pile] > 0
    elif phase == _P_LIFT:
        cells = outline(state.palace[state.player])
        for slot in range(NUM_SLOTS):
            mask.lift[slot] = can_lift(state.palace[state.player], cells, slot)
        mask.lift[KEEP] = 1
    else:
        legal_places(state, box, mask)
        mask["return"] = 1


@rule
def legal_builds(state, box, mask):
    """Reveals and takes; whether any displayed tile fits."""
    slots = open_slots(state.palace[state.player])
    any_fitting = 0
    for pile in range(NUM_FLOORS):
        mask.reveal[pile] = can_reveal(state, box, pile)
        fitting = displayed_fits(state, box, pile, slots)
        any_fitting |= fitting
        for k in range(state.displayed[pile]):
            mask.pick[pile, k] = fitting >> k & 1
    return any_fitting != 0


@rule
def legal_places(state, box, mask):
    """Where the tile in hand may go; a lifted one not back to where it was."""
    palace = state.palace[state.player]
    slots = open_slots(palace)
    floor = floor_of_tile(state.hand)
    number = state.hand - FIRST_TILE[floor]
    for i in range(WIDTH[floor]):
        slot = FIRST_SLOT[floor] + i
        if slot != state.lifted and is_open(slots, slot):
            faces = matching_faces(palace, box, slot)
            mask.place[i, 0] = faces >> number & 1
            mask.place[i, 1] = faces >> (MOST_TILES + number) & 1


@rule
def legal_finds(state, box, mask):
    """The tiles of the searched pile that fit; whether there are any."""
    pile = state.searched
    palace = state.palace[state.player]
    tiles = tiles_of(fitting_faces(palace, box, open_slots(palace), pile))
    any_fitting = False
    for depth in range(state.pile_size[pile]):
        number = state.pile[pile, depth] - FIRST_TILE[pile]
        if tiles >> number & 1:
            mask.find[number] = 1
            any_fitting = True
    return any_fitting


@rule
def apply(state, box, action):
    """Carry out one decision."""
    if action == _PASS:
        pass_turn(state, box)
    elif action == _RETURN:
        return_tile(state)
    elif action >= _LIFT:
        lift(state, action - _LIFT)
    elif action >= _FIND:
        find(state, action - _FIND)
    elif action >= _PILE:
        choose_pile(state, action - _PILE)
    elif action >= _CALL:
        call(state, box, action - _CALL)
    elif action >= _PLACE:
        if state.phase == _P_MOVE:
            move(state, action - _PLACE)
        else:
            place(state, box, action - _PLACE)
    elif action >= _PICK:
        take(state, (action - _PICK) // MOST_DISPLAYED, (action - _PICK) % MOST_DISPLAYED)
    else:
        reveal(state, action - _REVEAL)


@rule
def choose_pile(state, pile):
    """The pile for the Djinn's power."""
    if state.phase == _P_SEARCH_PILE:
        state.searched = pile
        state.phase = _P_SEARCH
    else:
        refresh(state, pile)


@rule
def determinize(state, box, player):
    """Redraw others' objectives and the order of the piles, between the visible top and the tiles known to lie under."""
    for pile in range(NUM_FLOORS):
        if state.phase != _P_SEARCH or state.player != player or state.searched != pile:
            known = state.known_under[pile]
            shuffle(state, state.pile[pile, known:], max(0, state.pile_size[pile] - 1 - known))
    if box.open_objectives == 0:
        redraw_objectives(state, player)


@rule
def redraw_objectives(state, player):
    """Shuffle all objectives but the seat's own, which are set aside at the front meanwhile."""
    objectives = state.objectives
    for held in range(OBJECTIVES_EACH):
        swap(objectives, held, OBJECTIVES_EACH * player + held)
    shuffle(state, objectives[OBJECTIVES_EACH:], NUM_OBJECTIVES - OBJECTIVES_EACH)
    for held in range(OBJECTIVES_EACH):
        swap(objectives, held, OBJECTIVES_EACH * player + held)


@rule
def swap(cards, one, other):
    """Exchange two entries."""
    held = cards[one]
    cards[one] = cards[other]
    cards[other] = held
