"""Six Sons of the Sultan as a picture."""

from __future__ import annotations

from typing import Any

from arabian_envs.drawing import Canvas, icons, palette
from arabian_envs.drawing.canvas import HEADER, MARGIN, WIDTH
from arabian_envs.games.six_sons.components import MAX_SPACES, NUM_TEAS, TEA_NAMES
from arabian_envs.games.six_sons.render import QUESTIONS, specials
from arabian_envs.games.six_sons.state import Phase

_TEA_COLOURS = ("#7fa650", "#d9a441", "#a9a08c", "#b0692e", "#3f7d4e", "#4a3230")
_COLOURS = palette.SEATS[:2]
_COLUMN = (WIDTH - 2 * MARGIN) / NUM_TEAS
_CARD = _COLUMN - 6
_STEP = 27
_DICE_TOP = HEADER + 2
_TRACK_TOP = _DICE_TOP + 52
_SPACES_TOP = _TRACK_TOP + 26
_GLASS_TOP = _SPACES_TOP + MAX_SPACES * _STEP
_PANELS_TOP = _GLASS_TOP + 56
_PANEL = 84


def render_svg(state: Any, box: Any, viewer: int | None = None) -> str:
    """Dice, the six tracks from the glass upwards, and both sides. Nothing is hidden, so the viewer does not matter."""
    canvas = Canvas(_PANELS_TOP + _PANEL + MARGIN)
    names = ["player 0", "player 1" if state["num_players"] == 2 else "the dummy"]
    over = bool(state["status"])
    headline = "The game is over." if over else f"{names[state['player']]} {QUESTIONS[Phase(int(state['phase']))]}"
    canvas.board("Six Sons of the Sultan", headline, "" if over else f"Time {state['time']}")
    _draw_dice(canvas, state)
    _draw_time(canvas, state, box)
    for tea in range(NUM_TEAS):
        _draw_track(canvas, state, box, tea)
    for seat in range(2):
        _draw_player(canvas, state, box, seat, names[seat])
    return canvas.svg()


def _draw_dice(canvas: Canvas, state: Any) -> None:
    uses = ("order_die", "wealth_die", "passing_die")
    assigned = bool(state["order_die"])
    dice = [state[use] for use in uses] if assigned else state["dice"]
    for place, number in enumerate(dice):
        x = MARGIN + 20 + place * 60
        if number:
            icons.die(canvas, x, _DICE_TOP + 18, 30, int(number))
        if assigned:
            canvas.text(x, _DICE_TOP + 47, ("order", "wealth", "pass")[place], 11, palette.FADED, "middle")


def _draw_time(canvas: Canvas, state: Any, box: Any) -> None:
    """A lamp for every round, lit for those left."""
    rounds = int(box["rounds"])
    step = min(22.0, 330 / rounds)
    first = WIDTH - MARGIN - step * rounds + step / 2
    for number in range(rounds):
        lit = number < state["time"]
        fill = palette.GOLD if lit else palette.SAND
        canvas.circle(first + number * step, _DICE_TOP + 20, step * 0.36, fill, stroke=palette.DUNE, stroke_width=1)
    canvas.text(WIDTH - MARGIN, _DICE_TOP + 47, "rounds left", 11, palette.FADED, "end")


def _draw_track(canvas: Canvas, state: Any, box: Any, tea: int) -> None:
    x = MARGIN + tea * _COLUMN + 3
    colour = _TEA_COLOURS[tea]
    canvas.panel(x, _TRACK_TOP, _CARD, _PANELS_TOP - 10 - _TRACK_TOP, highlight=bool(state["named"][tea]))
    canvas.rect(x, _TRACK_TOP, _CARD, 22, colour, 6)
    canvas.text(x + _CARD / 2, _TRACK_TOP + 15.5, f"{tea + 1} {TEA_NAMES[tea]}", 12, "#ffffff", "middle", bold=True)
    for space in range(1, int(box["length"][tea]) + 1):
        _draw_space(canvas, state, box, tea, space, x, _GLASS_TOP - space * _STEP)
    _draw_glass(canvas, x + _CARD / 2, _GLASS_TOP + 2, colour)
    if state["named"][tea]:
        canvas.text(x + _CARD / 2, _SPACES_TOP - 6 + 16, "leader only", 10.5, palette.CRIMSON, "middle", bold=True)
    for seat in range(2):
        height = (
            _GLASS_TOP + 22 if state["position"][seat, tea] == 0 else _GLASS_TOP - state["position"][seat, tea] * _STEP + 13
        )
        middle = x + _CARD / 2 if state["position"][seat, tea] == 0 else x + 41
        canvas.circle(middle - 8 + 16 * seat, height, 7.5, _COLOURS[seat], stroke="#ffffff", stroke_width=1.5)


def _draw_space(canvas: Canvas, state: Any, box: Any, tea: int, space: int, x: float, y: float) -> None:
    """Cost on the left, prestige on the right, and a star for a special: golden while it can be taken."""
    canvas.rect(x + 4, y + 1.5, _CARD - 8, _STEP - 3, palette.PARCHMENT, 5)
    icons.coin(canvas, x + 14, y + 13, 14, box["cost"][tea, space])
    if box["special"][tea, space]:
        is_open = space > state["reached"][tea]
        icons.star(
            canvas, x + 66, y + 13, 15, palette.GOLD if is_open else palette.SAND, palette.INK if is_open else palette.DUNE
        )
    canvas.text(x + _CARD - 8, y + 17.5, box["prestige"][tea, space], 13, palette.INK, "end", bold=True)


def _draw_glass(canvas: Canvas, x: float, y: float, colour: str) -> None:
    """A tulip-shaped tea glass on its saucer."""
    shape = "M-22 0C-22 12 -13 14 -13 22C-13 32 -17 30 -16 36H16C17 30 13 32 13 22C13 14 22 12 22 0Z"
    canvas.ellipse(x, y + 37, 27, 4, palette.DUNE)
    canvas.path(shape, colour, x, y, fill_opacity=0.45, stroke=palette.FADED, stroke_width=1.2)


def _draw_player(canvas: Canvas, state: Any, box: Any, seat: int, name: str) -> None:
    width = (WIDTH - 2 * MARGIN - 8) / 2
    x, y = MARGIN + seat * (width + 8), _PANELS_TOP
    canvas.panel(x, y, width, _PANEL, highlight=state["player"] == seat and not state["status"])
    canvas.player(x + 10, y + 21, name, _COLOURS[seat])
    if state["num_players"] == 1 and seat == 1:
        if state["dummy_first_on_black"]:
            canvas.text(x + 10, y + 44, "first at the end of Black:", 12)
            canvas.text(x + 10, y + 62, "the best card will not score", 12)
        return
    prestige = sum(int(box["total"][tea, state["position"][seat, tea]]) for tea in range(NUM_TEAS))
    canvas.text(x + width - 10, y + 25, prestige, 22, palette.INK, "end", bold=True)
    canvas.text(x + width - 54, y + 22, "prestige", 11, palette.FADED, "end")
    wealth, largest = int(state["wealth"][seat]), int(box["largest_wealth"])
    icons.coin(canvas, x + 19, y + 43, 20, wealth)
    canvas.gauge(x + 36, y + 38, width - 48, 10, wealth / largest, palette.GOLD)
    canvas.text(x + 10, y + 72, ", ".join(specials(state, seat)) or "no specials", 11.5, palette.FADED, width=width - 20)
