"""What a training run leaves to look at: log.csv, curve.png, and the table at its end."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from agents.arena import MatchResult
from agents.policy import write_atomically
from arabian_envs import get_game

Row = dict[str, float]
"""Figures after one update; those of an evaluation are only there when one was made."""


def evaluation_figures(baseline: str, result: MatchResult) -> Row:
    """The columns of an evaluation against one baseline."""
    return {
        f"win_{baseline}": float(result.win_share[0]),
        f"win_{baseline}_low": float(result.win_share_low[0]),
        f"win_{baseline}_high": float(result.win_share_high[0]),
    }


def write_log(path: Path, rows: Sequence[Row]) -> None:
    """All rows as CSV, in one move."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: f"{value:.10g}" for name, value in row.items()} for row in rows)
    write_atomically(path, text.getvalue().encode())


def draw_curve(path: Path, game_id: str, baselines: Sequence[str], rows: Sequence[Row]) -> None:
    """The share of games won against each baseline over the learner's decisions."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for baseline in baselines:
        name = f"win_{baseline}"
        seen = [row for row in rows if name in row]
        steps = [row["steps"] for row in seen]
        axes.plot(steps, [row[name] for row in seen], marker="o", label=f"against {baseline}")
        axes.fill_between(steps, [row[f"{name}_low"] for row in seen], [row[f"{name}_high"] for row in seen], alpha=0.2)
    game = get_game(game_id)
    axes.axhline(1 / game.default_players, color="grey", linewidth=0.8, linestyle="--")
    axes.set(title=game.title, xlabel="decisions of the learner", ylabel="games won (95 % interval)", ylim=(0, 1))
    axes.legend(loc="lower right")
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=120)
    write_atomically(path, content.getvalue())


def match_table(title: str, results: Sequence[MatchResult]) -> Table:
    """Results of one agent against others."""
    table = Table(title=title)
    for column in ("against", "players", "games", "won", "95 % interval"):
        table.add_column(column, justify="left" if column == "against" else "right")
    for result in results:
        interval = f"{result.win_share_low[0]:.1%} – {result.win_share_high[0]:.1%}"
        table.add_row(
            result.agents[-1], str(result.num_players), f"{result.num_games:,}", f"{result.win_share[0]:.1%}", interval
        )
    return table
