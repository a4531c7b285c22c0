"""Six Sons of the Sultan as text."""

from __future__ import annotations

from typing import Any

from arabian_envs.engine.text import bar, join_columns, paint
from arabian_envs.games.six_sons.components import TEA_NAMES
from arabian_envs.games.six_sons.state import LASTING, Phase

_COLOURS = ("cyan", "magenta")
_SIGNS = ("●", "○")
_DICE = " ⚀⚁⚂⚃⚄⚅"
QUESTIONS = {
    Phase.REROLL: "rolls again?",
    Phase.ASSIGN: "assigns the dice",
    Phase.ORDER: "orders tea",
    Phase.JASMINE: "orders with the Wealth Die too?",
    Phase.SECOND_ORDER: "orders tea again",
    Phase.SWAP: "swaps the tokens of a card?",
    Phase.BLACK: "names a card for Black Tea",
}


def render_text(state: Any, box: Any, viewer: int | None = None) -> str:
    """The six tracks from the glass upwards, wealth, dice and specials. Nothing is hidden, so the viewer does not matter."""
    names = ["player 0", "player 1" if state["num_players"] == 2 else "the dummy"]
    lines = [paint("Six Sons of the Sultan", "bold"), _headline(state, names), ""]
    lines += join_columns([_track(state, box, tea) for tea in range(len(TEA_NAMES))])
    lines.append("")
    for seat in range(2):
        lines.append(_player_line(state, box, seat, names[seat]))
    return "\n".join(lines)


def _headline(state: Any, names: list[str]) -> str:
    if state["status"]:
        return "The game is over."
    dice = " ".join(_DICE[die] for die in state["dice"])
    uses = ""
    if state["order_die"]:
        uses = (
            f"   order {_DICE[state['order_die']]}  wealth {_DICE[state['wealth_die']]}  pass {_DICE[state['passing_die']]}"
        )
    who = paint(names[state["player"]], _COLOURS[state["player"]])
    return f"Time {state['time']}   dice {dice}{uses}   {who} {QUESTIONS[Phase(int(state['phase']))]}"


def _track(state: Any, box: Any, tea: int) -> list[str]:
    """One card, top space first: tokens, cost → prestige, a star for an open special, a dot for a taken one."""
    lines = [paint(f"{tea + 1} {TEA_NAMES[tea]:<9}", "bold")]
    top = int(box["length"][:].max())
    for space in range(top, -1, -1):
        tokens = "".join(
            paint(_SIGNS[seat], _COLOURS[seat]) if state["position"][seat, tea] == space else " " for seat in range(2)
        )
        if space > box["length"][tea]:
            lines.append(" " * 11)
        elif space == 0:
            lines.append(f"{tokens} ╰─────╯ ")
        else:
            mark = " "
            if box["special"][tea, space]:
                mark = paint("★", "yellow") if space > state["reached"][tea] else paint("☆", "dim")
            lines.append(f"{tokens} {box['cost'][tea, space]}{paint('→', 'dim')}{box['prestige'][tea, space]:<2}{mark}   ")
    return lines


def _player_line(state: Any, box: Any, seat: int, name: str) -> str:
    label = f"{paint(_SIGNS[seat] + ' ' + name, _COLOURS[seat])}"
    prestige = sum(int(box["total"][tea, state["position"][seat, tea]]) for tea in range(len(TEA_NAMES)))
    if state["num_players"] == 1 and seat == 1:
        ahead = "  first at the end of Black: the best card will not score" if state["dummy_first_on_black"] else ""
        return f"{label}{ahead}"
    owned = specials(state, seat)
    wealth = int(state["wealth"][seat])
    named = ", ".join(TEA_NAMES[tea] for tea in range(len(TEA_NAMES)) if state["named"][tea])
    return (
        f"{label}  prestige {prestige:3d}  wealth {wealth:2d} {bar(wealth, int(box['largest_wealth']), 20)}"
        + (f"  {', '.join(owned)}" if owned else "")
        + (f"  leader alone scores: {named}" if named and seat == 1 else "")
    )


def specials(state: Any, seat: int) -> list[str]:
    """The special actions a player has now or keeps for later."""
    owned = [TEA_NAMES[tea] for tea in range(LASTING) if state["earned"][seat, tea]]
    if state["player"] == seat:
        owned += [f"{TEA_NAMES[tea]} (now)" for tea in range(LASTING) if state["active"][tea]]
    return [*owned, "Black"] if state["black"][seat] else owned
