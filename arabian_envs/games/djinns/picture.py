"""Djinns of the High Desert as a picture."""

from __future__ import annotations

from typing import Any

from arabian_envs.drawing import Canvas, icons, palette
from arabian_envs.drawing.canvas import HEADER, MARGIN, WIDTH
from arabian_envs.games.djinns.components import CLAN_NAMES, KIND_NAMES, NUM_CLANS, NUM_KINDS, NUM_RANKS, RANK_NAMES, Rank
from arabian_envs.games.djinns.render import QUESTIONS, palace_points
from arabian_envs.games.djinns.state import Phase

_CLAN_COLOURS = ("#d29a2b", "#2f6fa8", "#4c8c4a", "#b8412f", "#7b549c")
_CARD_WIDTH, _CARD_HEIGHT = 34, 48
_SEAT = 144
_LARGE, _SMALL = 1.2, 0.86
_PILES = 108
_RANK_SHAPES = {
    # In a square of 20 around the middle.
    Rank.DIVINER: "M-10 0Q0 -9 10 0Q0 9 -10 0ZM0 -4A4 4 0 1 0 0 4A4 4 0 1 0 0 -4Z",  # an eye
    Rank.MERCHANT: "M0 -9V7M-8 -5H8M-5 8H5M-8 -5L-11 2A3 3 0 0 0 -5 2ZM8 -5L11 2A3 3 0 0 1 5 2Z",  # scales
    Rank.THIEF: "M-8 9L-4 5M-7 2L-1 8M-4 5L8 -9L6 -1L-1 6Z",  # a dagger
    Rank.VIZIER: "M-9 3Q-9 -9 0 -9Q9 -9 9 3Q0 -3 -9 3ZM-9 3Q0 -3 9 3V8Q0 2 -9 8ZM0 -9V-3",  # a turban
    Rank.SULTAN: "M-10 8L-10 -5L-5 1L0 -9L5 1L10 -5L10 8Z",  # a crown
}


def render_svg(state: Any, box: Any, viewer: int | None = None) -> str:
    """Palaces and hands, deck and open piles; other hands face down, unless there is no viewer."""
    seats = int(state["num_players"])
    canvas = Canvas(HEADER + seats * _SEAT + _PILES + MARGIN)
    corner = f"Turn {state['turn']}" if not state["turns_left"] else f"last round: {state['turns_left']} to play"
    canvas.board("Djinns of the High Desert", _headline(state), corner)
    for seat in range(seats):
        _draw_seat(canvas, state, box, seat, viewer, HEADER + seat * _SEAT)
    _draw_piles(canvas, state, box, viewer, HEADER + seats * _SEAT)
    return canvas.svg()


def _headline(state: Any) -> str:
    if state["status"]:
        return "The game is over."
    words = f"player {state['player']} {QUESTIONS[Phase(int(state['phase']))]}"
    if state["given"] >= 0:
        return f"{words} for {KIND_NAMES[state['given']]}"
    return f"{words} (summoned: {KIND_NAMES[state['summoned']]})" if state["summoned"] >= 0 else words


def _draw_seat(canvas: Canvas, state: Any, box: Any, seat: int, viewer: int | None, y: float) -> None:
    width = WIDTH - 2 * MARGIN
    canvas.panel(MARGIN, y, width, _SEAT - 8, highlight=state["player"] == seat and not state["status"])
    x = MARGIN + 10
    canvas.player(x, y + 22, f"player {seat}", palette.SEATS[seat])
    if seat == viewer:
        canvas.text(x + 16, y + 37, "you", 11, palette.FADED)
    canvas.text(x, y + 72, palace_points(state, box, seat), 26, palette.INK, bold=True)
    canvas.text(x, y + 87, "points", 11, palette.FADED)
    size, closing = int(state["palace_size"][seat]), int(box["closing_palace"])
    canvas.gauge(x, y + 94, 92, 8, size / closing, palette.SEATS[seat])
    immune = ", immune" if size >= box["immune_palace"] else ""
    canvas.text(x, y + 117, f"palace {size}{immune}", 11, palette.CRIMSON if immune else palette.FADED, width=110)
    row, room = MARGIN + 128, width - 138
    canvas.text(row, y + 14, "palace", 10, palette.FADED)
    _draw_cards(canvas, _cards(state["palace"][seat]), box, row, y + 17, room, _LARGE)
    canvas.text(row, y + 86, f"hand {state['hand_size'][seat]}", 10, palette.FADED)
    if viewer is None or viewer == seat:
        _draw_cards(canvas, _cards(state["hand"][seat]), box, row, y + 89, room, _SMALL)
    else:
        _draw_backs(canvas, int(state["hand_size"][seat]), row, y + 89, room, _SMALL)


def _cards(pile: Any) -> list[int]:
    """The kind of each card of a pile, clan by clan."""
    return [kind for kind in range(NUM_KINDS) for _ in range(int(pile[kind]))]


def _step(cards: int, room: float, scale: float) -> float:
    """From card to card: side by side, or overlapping when there are many."""
    width = _CARD_WIDTH * scale
    return min(width + 3, (room - width) / max(1, cards - 1))


def _draw_cards(canvas: Canvas, kinds: list[int], box: Any, x: float, y: float, room: float, scale: float) -> None:
    for place, kind in enumerate(kinds):
        _draw_card(canvas, kind, box, x + place * _step(len(kinds), room, scale), y, scale)


def _draw_backs(canvas: Canvas, cards: int, x: float, y: float, room: float, scale: float) -> None:
    for place in range(cards):
        left = x + place * _step(cards, room, scale)
        icons.card_back(canvas, left, y, _CARD_WIDTH * scale, _CARD_HEIGHT * scale)


def _draw_card(canvas: Canvas, kind: int, box: Any, x: float, y: float, scale: float) -> None:
    """The clan's colour, the value, and a sign for the rank."""
    width, height = _CARD_WIDTH * scale, _CARD_HEIGHT * scale
    colour = _CLAN_COLOURS[kind // NUM_RANKS]
    canvas.rect(x, y, width, height, palette.WHITE, 4, stroke=colour, stroke_width=2)
    canvas.rect(x, y, width, 17 * scale, colour, 3)
    canvas.text(x + 4 * scale, y + 13.5 * scale, box["value"][kind], 13 * scale, "#ffffff", bold=True)
    canvas.text(x + width - 3.5 * scale, y + 12.5 * scale, CLAN_NAMES[kind // NUM_RANKS][:2], 9.5 * scale, "#ffffff", "end")
    _draw_rank(canvas, kind % NUM_RANKS, colour, x + width / 2, y + 32 * scale, scale)


def _draw_rank(canvas: Canvas, rank: int, colour: str, x: float, y: float, scale: float) -> None:
    filled = colour if rank in (Rank.THIEF, Rank.SULTAN, Rank.VIZIER) else "none"
    canvas.path(_RANK_SHAPES[Rank(rank)], filled, x, y, scale, stroke=palette.INK, stroke_width=1.4, stroke_linejoin="round")


def _draw_piles(canvas: Canvas, state: Any, box: Any, viewer: int | None, y: float) -> None:
    """The deck, the discards and the cards out of the game; what is looked at replaces the legend."""
    canvas.text(MARGIN, y + 12, f"deck {state['deck_size']}", 11, palette.FADED)
    for place in range(min(3, int(state["deck_size"]))):
        icons.card_back(canvas, MARGIN + 3 * place, y + 18 + 2 * (2 - place), _CARD_WIDTH, _CARD_HEIGHT)
    looked = int(state["looked"].sum())
    if looked:
        _draw_looked(canvas, state, box, viewer, y, looked)
        return
    removed = int(state["removed"].sum())
    row, end = MARGIN + 64, WIDTH - MARGIN - (110 if removed else 0)
    _draw_open_pile(canvas, "discards", state["discards"], box, row, y, end - row)
    if removed:
        _draw_open_pile(canvas, "removed", state["removed"], box, end + 14, y, 96)
    _draw_legend(canvas, y + _PILES - 12)


def _draw_open_pile(canvas: Canvas, name: str, pile: Any, box: Any, x: float, y: float, room: float) -> None:
    """Each kind once, and how many there are."""
    kinds = [kind for kind in range(NUM_KINDS) if pile[kind]]
    canvas.text(x, y + 12, f"{name} {pile.sum()}", 11, palette.FADED)
    _draw_cards(canvas, kinds, box, x, y + 18, room, _SMALL)
    for place, kind in enumerate(kinds):
        if pile[kind] > 1:
            left = x + place * _step(len(kinds), room, _SMALL)
            canvas.text(left + 1, y + 18 + _CARD_HEIGHT * _SMALL + 12, f"×{pile[kind]}", 11, palette.INK)


def _draw_looked(canvas: Canvas, state: Any, box: Any, viewer: int | None, y: float, looked: int) -> None:
    canvas.text(MARGIN + 64, y + 12, f"player {state['player']} looks at", 11, palette.FADED)
    if viewer is None or viewer == state["player"]:
        _draw_cards(canvas, _cards(state["looked"]), box, MARGIN + 64, y + 18, WIDTH - 100, 1)
    else:
        _draw_backs(canvas, looked, MARGIN + 64, y + 18, WIDTH - 100, 1)
    _draw_legend(canvas, y + _PILES - 12)


def _draw_legend(canvas: Canvas, y: float) -> None:
    """The clans by colour and the ranks by sign."""
    x = float(MARGIN)
    for clan in range(NUM_CLANS):
        canvas.rect(x, y - 9, 10, 10, _CLAN_COLOURS[clan], 2)
        canvas.text(x + 14, y, CLAN_NAMES[clan], 10.5)
        x += 24 + 5.9 * len(CLAN_NAMES[clan])
    for rank in range(NUM_RANKS):
        _draw_rank(canvas, rank, palette.FADED, x + 6, y - 4, 0.5)
        canvas.text(x + 15, y, RANK_NAMES[rank], 10.5)
        x += 22 + 5.9 * len(RANK_NAMES[rank])
