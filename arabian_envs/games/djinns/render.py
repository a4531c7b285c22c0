"""Djinns of the High Desert as text."""

from __future__ import annotations

from typing import Any

from arabian_envs.engine.text import bar, pad, paint
from arabian_envs.games.djinns.components import CLAN_NAMES, KIND_NAMES, NUM_CLANS, NUM_KINDS, NUM_RANKS, RANK_NAMES
from arabian_envs.games.djinns.state import Phase, Wish

_COLOURS = ("yellow", "blue", "green", "red", "magenta")
_WISHES = {
    Wish.LOOK: "to look into the deck",
    Wish.RETRIEVE: "to search the discards",
    Wish.REMOVE: "to banish a djinn",
}
QUESTIONS = {
    Phase.TURN: "summons or makes a wish",
    Phase.PAY: "pays for a wish",
    Phase.KEEP: "keeps one of the cards looked at",
    Phase.RETRIEVE: "takes a card from the discards",
    Phase.REMOVE: "removes a card from a palace",
    Phase.GIVE: "exchanges a card?",
    Phase.EXCHANGE: "takes a card in exchange",
    Phase.ROB: "robs a hand",
    Phase.DISCARD: "discards a card from a palace?",
    Phase.PLACE: "places another card?",
}


def render_text(state: Any, box: Any, viewer: int | None = None) -> str:
    """Palaces by clan, open piles, hand sizes and the viewer's own hand; every hand without a viewer."""
    lines = [paint("Djinns of the High Desert", "bold"), _headline(state), ""]
    for seat in range(int(state["num_players"])):
        lines += [*_player(state, box, seat, viewer), ""]
    if state["looked"].any():
        shown = viewer is None or viewer == state["player"]
        lines.append(
            _pile("looked at", state["looked"], box) if shown else f"  looked at   {_backs(int(state['looked'].sum()))}"
        )
    lines.append(f"  deck        {_backs(int(state['deck_size']))}")
    lines.append(_pile("discards", state["discards"], box))
    if state["removed"].any():
        lines.append(_pile("removed", state["removed"], box))
    return "\n".join(lines)


def _headline(state: Any) -> str:
    if state["status"]:
        return "The game is over."
    question = QUESTIONS[Phase(int(state["phase"]))]
    if state["phase"] == Phase.PAY:
        question += f" {_WISHES[Wish(int(state['wish']))]} ({state['to_pay']} more)"
    if state["given"] >= 0:
        question += f" for {_card_name(int(state['given']))}"
    elif state["summoned"] >= 0:
        question = f"has summoned {_card_name(int(state['summoned']))} and {question}"
    last = paint(f"   last round: {state['turns_left']} to play", "bold") if state["turns_left"] else ""
    return f"Turn {state['turn']}   player {state['player']} {question}{last}"


def _player(state: Any, box: Any, seat: int, viewer: int | None) -> list[str]:
    size, closing = int(state["palace_size"][seat]), int(box["closing_palace"])
    turn = "▶" if state["player"] == seat and not state["status"] else " "
    you = " (you)" if viewer == seat else ""
    immune = paint("  immune", "bold") if size >= box["immune_palace"] else ""
    lines = [
        f"{turn} {paint(pad(f'player {seat}{you}', 16), 'bold')} {palace_points(state, box, seat):4d} points   "
        f"palace {size:2d} {bar(min(size, closing), closing, closing)}{immune}"
    ]
    lines.append(_pile("palace", state["palace"][seat], box))
    if viewer is None or viewer == seat:
        lines.append(_pile("hand", state["hand"][seat], box))
    else:
        lines.append(f"  hand        {_backs(int(state['hand_size'][seat]))}")
    return lines


def palace_points(state: Any, box: Any, seat: int) -> int:
    """The best clan and the Jann, less the other clans."""
    clans = [0] * NUM_CLANS
    for kind in range(NUM_KINDS):
        clans[kind // NUM_RANKS] += int(state["palace"][seat, kind]) * int(box["value"][kind])
    *rivals, jann = clans
    return 2 * max(rivals) - sum(rivals) + jann


def _pile(title: str, pile: Any, box: Any) -> str:
    """The cards of a pile, clan by clan: value, rank and how many."""
    clans = []
    for clan in range(NUM_CLANS):
        kinds = range(clan * NUM_RANKS, min(NUM_KINDS, (clan + 1) * NUM_RANKS))
        cards = [_card(kind, int(pile[kind]), box) for kind in kinds if pile[kind]]
        if cards:
            clans.append(paint(f"{CLAN_NAMES[clan]} {' '.join(cards)}", _COLOURS[clan]))
    return f"  {title:<11} {'  '.join(clans) if clans else paint('none', 'dim')}"


def _card(kind: int, count: int, box: Any) -> str:
    return f"{RANK_NAMES[kind % NUM_RANKS]}·{box['value'][kind]}" + (f"×{count}" if count > 1 else "")


def _card_name(kind: int) -> str:
    return paint(KIND_NAMES[kind], _COLOURS[kind // NUM_RANKS])


def _backs(count: int) -> str:
    """Face-down cards: a back for each of the first few, and their number."""
    return paint(f"{'▒' * min(count, 12)}{'…' if count > 12 else ''} {count}" if count else "none", "dim")
