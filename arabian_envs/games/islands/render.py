"""1001 Islands as text."""

from __future__ import annotations

from typing import Any

from arabian_envs.engine.text import join_columns, pad, paint
from arabian_envs.games.islands.components import (
    COLUMNS,
    DREAM_NAMES,
    MAX_PICTURES,
    ROWS,
    STACK_NAMES,
    Picture,
    Stack,
)
from arabian_envs.games.islands.rules import points_before_bandits, tile_on_table, tiles_not_seen, tiles_per_round
from arabian_envs.games.islands.state import EMPTY, SLOTS, Phase

_COLOURS = ("cyan", "magenta", "yellow", "green", "blue")
_LETTERS = "PBROFCEMSLVUD"
_PAINT = {
    Picture.PALM: ("green",),
    Picture.BANDIT: ("red",),
    Picture.LAMP: ("bold", "yellow"),
    Picture.EMERALD: ("bold", "green"),
    Picture.RUBY: ("bold", "red"),
    Picture.DIAMOND: ("bold", "cyan"),
}
_LEGEND = (
    "P palm  B bandit  R roc  O egg  F fennec  C camel  E elephant  M monkey  S snake  L lamp  "
    "V emerald  U ruby  D diamond  ≈≈ flipped  ?? face down"
)
QUESTIONS = {
    Phase.STACK: "is the Lookout and chooses a stack",
    Phase.HIDE: "lays one of the tiles face down",
    Phase.TILE: "takes a tile",
    Phase.COLUMN: "places the tile",
    Phase.NEXT: "names the next player",
}
_WIDTH = MAX_PICTURES


def render_text(state: Any, box: Any, viewer: int | None = None) -> str:
    """Stacks, the tiles on the table, and each player's Island; from a seat's view or with everything revealed."""
    lines = [paint("1001 Islands", "bold"), _headline(state), _stacks(state, box)]
    if state["stack"] != EMPTY:
        lines.append(_table(state, box, viewer))
    lines.append("")
    blocks = [_board(state, box, seat) for seat in range(state["num_players"])]
    for first in range(0, len(blocks), 3):
        lines += join_columns(blocks[first : first + 3], "   ")
        lines.append("")
    lines.append(paint(_LEGEND, "dim"))
    return "\n".join(lines)


def _name(seat: int) -> str:
    return paint(f"player {seat}", _COLOURS[seat])


def _headline(state: Any) -> str:
    if state["status"]:
        return "The game is over."
    return f"Round {state['rounds_played'] + 1} of 16   {_name(state['player'])} {QUESTIONS[Phase(int(state['phase']))]}"


def _stacks(state: Any, box: Any) -> str:
    size = int(box["tiles_per_stack"][state["num_players"]])
    words = [f"{name} {size - int(drawn)}" for name, drawn in zip(STACK_NAMES, state["drawn"], strict=True)]
    text = f"Stacks: {'   '.join(words)}"
    discarded = [_face(box, stack, int(tile)) for stack in Stack for tile in state["discarded"][stack] if tile != EMPTY]
    return text + (f"   discarded: {', '.join(discarded)}" if discarded else "")


def _table(state: Any, box: Any, viewer: int | None) -> str:
    """The tiles on the table by their numbers, face down where the viewer must not see them."""
    unseen = 0 if viewer is None else int(tiles_not_seen(state, viewer))
    tiles = int(tiles_per_round(state, box))
    words = []
    for slot in range(min(SLOTS, tiles)):
        if state["on_table"][slot]:
            face = "??" if slot >= tiles - unseen else _face(box, int(state["stack"]), int(tile_on_table(state, box, slot)))
            down = paint(" (face down)", "dim") if state["face_down"] and slot == tiles - 1 and unseen == 0 else ""
            words.append(f"{slot + 1}: {face}{down}")
    text = f"On the table, {STACK_NAMES[state['stack']]}: {'   '.join(words) or 'nothing'}"
    if state["held"] != EMPTY:
        text += f"   in hand: {_face(box, int(state['stack']), int(state['held']))}"
    return text


def _face(box: Any, stack: int, tile: int) -> str:
    return DREAM_NAMES[box["dream"][tile]] if stack == Stack.DREAM else _pictures(box, stack, tile)


def _pictures(box: Any, row: int, tile: int) -> str:
    """A letter for each picture of an island tile."""
    return "".join(
        paint(_LETTERS[picture], *_PAINT[picture]) * int(box["pictures"][row, tile, picture])
        if picture in _PAINT
        else _LETTERS[picture] * int(box["pictures"][row, tile, picture])
        for picture in Picture
    )


def _board(state: Any, box: Any, seat: int) -> list[str]:
    """A player's name, Island and dreams."""
    bandits, most = int(state["visible"][seat, Picture.BANDIT]), has_most_bandits(state, seat)
    marks = ("◆ " if state["player"] == seat and not state["status"] else "  ") + _name(seat)
    marks += paint(" Lookout", "bold") if state["lookout"] == seat and not state["status"] else ""
    lines = [
        f"{marks}  {points_after_bandits(state, box, seat)} points, bandits {bandits}"
        + (paint(" (most)", "red") if most else "")
    ]
    edge = "─" * _WIDTH
    lines.append("┌" + "┬".join([edge] * COLUMNS) + "┐")
    for row in range(ROWS):
        places = [_place(state, box, seat, row, column) for column in range(COLUMNS)]
        lines.append("│" + "│".join(pad(place, _WIDTH) for place in places) + "│")
    lines.append("└" + "┴".join([edge] * COLUMNS) + "┘")
    dreams = [DREAM_NAMES[box["dream"][tile]] for tile in state["dreams"][seat] if tile != EMPTY]
    dreams += ["…"] * (COLUMNS - len(dreams))
    return [*lines, f"dreams: {', '.join(dreams[:2])},", f"        {', '.join(dreams[2:])}"]


def has_most_bandits(state: Any, seat: int) -> bool:
    """Whether a player loses points to Bandits now."""
    seen = state["visible"][: state["num_players"], Picture.BANDIT]
    return bool(seen[seat] == seen.max() > 0)


def points_after_bandits(state: Any, box: Any, seat: int) -> int:
    """A player's points as the table stands."""
    lost = int(state["visible"][seat, Picture.BANDIT]) * int(box["points_lost_per_bandit"])
    return int(points_before_bandits(state, box, seat)) - (lost if has_most_bandits(state, seat) else 0)


def _place(state: Any, box: Any, seat: int, row: int, column: int) -> str:
    tile = int(state["island"][seat, row, column])
    if tile == EMPTY:
        return paint("·", "dim")
    if state["flipped"][seat, row, column]:
        return paint("≈" * _WIDTH, "blue")
    return _pictures(box, row, tile)
