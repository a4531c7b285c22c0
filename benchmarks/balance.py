"""How fair the games are: length, scores, ties, the worth of a seat and what the components do.

    python benchmarks/balance.py [--games 4000 1000 200] [GAME…]

All seats are played by the same agent: at random, greedily and by tree search (`--games` says how many games of each).
Places count from whoever decides first. What is counted for the components stands beside each game's function below; the
win rate of a component is that of the seats that had it, each as often as it had it. The intervals hold 95 % and take the
seats of one game together, since they are not independent. Prints what stands out, draws a picture of each game to
results/balance_GAME.png and writes results/balance.json.
"""

from __future__ import annotations

import argparse
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from machine import RESULTS, write_results
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from agents import make_agent
from arabian_envs import GameBatch, get_game
from arabian_envs.games.djinns.components import CLAN_NAMES, NUM_RANKS, RANK_NAMES, RIVAL_CLANS
from arabian_envs.games.islands.components import DREAM_NAMES
from arabian_envs.games.islands.rules import dream_score
from arabian_envs.games.six_sons.components import TEA_NAMES
from arabian_envs.games.six_sons.state import Phase as SixSonsPhase
from arabian_envs.games.sultaniya.components import CHARACTER_NAMES
from arabian_envs.games.sultans_of_wind.components import NUM_WINDS
from arabian_envs.games.sultans_of_wind.state import Phase as WindPhase

AGENTS = ("random", "greedy", "ismcts:50")
COLOURS = ("#999999", "#b8860b", "#1f4e79")
GAMES_EACH = (4_000, 1_000, 200)
TABLES = 1024
SEED = 1
Z = 1.959963984540054  # 95 %
FAR = 1.5
"""A win rate stands out if it is surely this many times more, or less, than an even share."""

Figure = dict[str, float]
"""A mean with its interval: `mean`, `low`, `high`."""
Parts = Mapping[str, Mapping[str, tuple[NDArray, NDArray]]]
"""Of each kind of figure and each component: what is counted and what it is divided by, games × seats."""


@dataclass(frozen=True)
class Played:
    """Finished games; the arrays have one row a game."""

    state: NDArray
    box: NDArray
    lengths: NDArray[np.int64]
    scores: NDArray[np.float64]
    share: NDArray[np.float64]
    """Games × seats: what each seat has of the win; tied winners share it."""
    first: NDArray[np.int64]
    """Who decided first."""
    truncated: NDArray[np.bool_]
    counts: NDArray[np.int64]
    """Games × seats × whatever the game counts as it is played."""


# -- statistics --------------------------------------------------------------------------------------------------------


def ratio(counted: NDArray, of: NDArray) -> Figure | None:
    """The sum of what is counted over the sum of what it is divided by, with its interval; None if that sum is 0.

    Rows are games, and only they are independent, so the error is that of the games' residuals.
    """
    counted, of = (np.asarray(values, np.float64).reshape(len(values), -1).sum(axis=1) for values in (counted, of))
    if of.sum() == 0:
        return None
    mean = counted.sum() / of.sum()
    residuals = counted - mean * of
    reach = Z * np.sqrt((residuals**2).sum() * len(of) / max(1, len(of) - 1)) / of.sum()
    return {"mean": float(mean), "low": float(mean - reach), "high": float(mean + reach)}


def by_place(values: NDArray, first: NDArray) -> NDArray:
    """Values of seats as values of places: place 0 is the seat that decided first."""
    seats = np.arange(values.shape[1])
    return np.take_along_axis(values, (first[:, None] + seats) % len(seats), axis=1)


def each(values: NDArray) -> list[Figure | None]:
    """The mean of every column."""
    return [ratio(column, np.ones_like(column)) for column in values.T]


def summarise(played: Played, parts: Parts) -> dict[str, Any]:
    """All figures of some games."""
    players = played.scores.shape[1]
    ties = (played.share > 0).sum(axis=1) > 1
    figures: dict[str, Any] = {
        "games": len(played.lengths),
        "length": {**(each(played.lengths[:, None])[0] or {}), "sd": float(played.lengths.std())},
        "truncated": float(played.truncated.mean()),
        "score": {**(ratio(played.scores, np.ones_like(played.scores)) or {}), "sd": float(played.scores.std())},
        "best_score": each(played.scores.max(axis=1, keepdims=True))[0],
    }
    if players > 1:
        figures["ties"] = each(ties[:, None])[0]
        figures["win_rate_by_seat"] = each(played.share)
        figures["win_rate_by_place"] = each(by_place(played.share, played.first))
    figures["components"] = {
        kind: {name: ratio(*pair) for name, pair in of.items()}
        for kind, of in parts.items()
        if players > 1 or not kind.startswith("win rate")
    }
    return figures


# -- what each game counts ---------------------------------------------------------------------------------------------


def named(names: Sequence[str], counted: NDArray, of: NDArray | None = None) -> dict[str, tuple[NDArray, NDArray]]:
    """One pair for each name from arrays of games × seats × names; without `of` it is a mean over the seats."""
    of = np.ones(counted.shape) if of is None else of
    return {name: (counted[:, :, index], of[:, :, index]) for index, name in enumerate(names)}


def won(names: Sequence[str], had: NDArray, share: NDArray) -> dict[str, tuple[NDArray, NDArray]]:
    """The win rate of those who had each component, from games × seats × names."""
    return named(names, had * share[:, :, None], had)


def count_specials(batch: GameBatch, actions: NDArray[np.int64]) -> tuple[NDArray, int]:
    """Six Sons: which tea's Special Action an action earns; -1 for none."""
    state, box, everyone = batch.state, batch.box[0], np.arange(batch.num_games)
    spaces = actions - batch.game.action("advance", 0)
    ordering = np.isin(state["phase"], (SixSonsPhase.ORDER, SixSonsPhase.SECOND_ORDER))
    die = np.where(state["phase"] == SixSonsPhase.SECOND_ORDER, state["wealth_die"], state["order_die"])
    tea = np.clip(die - 1, 0, None)
    space = np.clip(state["position"][everyone, batch.player, tea] + spaces, 0, box["special"].shape[1] - 1)
    earned = ordering & (spaces > 0) & (box["special"][tea, space] == 1) & (space > state["reached"][everyone, tea])
    return np.where(earned, tea, -1), len(TEA_NAMES)


def six_sons(played: Played) -> Parts:
    """How far each tea's track is climbed, the prestige it brings, how often its Special Action is earned, by whom."""
    seats = played.scores.shape[1]
    position = played.state["position"][:, :seats]
    prestige = played.box["total"][0][np.arange(len(TEA_NAMES)), position]
    return {
        "spaces climbed on each tea": named(TEA_NAMES, position),
        "prestige of each tea": named(TEA_NAMES, prestige),
        "Special Actions earned": named(TEA_NAMES, played.counts),
        "win rate of who earns a Special Action": won(TEA_NAMES, played.counts, played.share),
    }


def djinns(played: Played) -> Parts:
    """The clan that each palace scores, its points and win rate, and the win rate of the Jann and of each rank."""
    seats = played.scores.shape[1]
    palace = played.state["palace"][:, :seats].astype(np.int64)
    padded = np.zeros((*palace.shape[:2], len(CLAN_NAMES) * NUM_RANKS), np.int64)
    padded[:, :, : palace.shape[2]] = palace
    by_clan = padded.reshape(*palace.shape[:2], len(CLAN_NAMES), NUM_RANKS)
    value = np.zeros(len(CLAN_NAMES) * NUM_RANKS, np.int64)
    value[: palace.shape[2]] = played.box["value"][0]
    points = (by_clan * value.reshape(len(CLAN_NAMES), NUM_RANKS)).sum(axis=3)[:, :, :RIVAL_CLANS]
    best = points == points.max(axis=2, keepdims=True)
    # Palaces whose best clans are equal count a part for each of them.
    scored = best / best.sum(axis=2, keepdims=True)
    clans = CLAN_NAMES[:RIVAL_CLANS]
    cards = np.concatenate([scored, by_clan[:, :, RIVAL_CLANS:].sum(axis=3)], axis=2)
    return {
        "palaces that score each clan": named(clans, scored),
        "points of a palace of each clan": named(clans, scored * played.scores[:, :, None], scored),
        "win rate of each clan (of each Jann card)": won(CLAN_NAMES, cards, played.share),
        "cards of each rank in a palace": named(RANK_NAMES, by_clan.sum(axis=2)),
        "win rate of a palace card of each rank": won(RANK_NAMES, by_clan.sum(axis=2), played.share),
    }


def islands(played: Played) -> Parts:
    """How many points a tile of each dream brings, and how often its owner wins."""
    seats = played.scores.shape[1]
    tiles = played.state["dreams"][:, :seats]
    had = np.zeros((len(tiles), seats, len(DREAM_NAMES)), np.int64)
    worth = np.zeros_like(had)
    for game, seat, held in np.argwhere(tiles >= 0):
        dream = int(played.box["dream"][0][tiles[game, seat, held]])
        had[game, seat, dream] += 1
        worth[game, seat, dream] += dream_score(played.state[game], played.box[0], seat, dream)
    return {
        "points of a dream tile": named(DREAM_NAMES, worth, had),
        "win rate of who has a dream tile": won(DREAM_NAMES, had, played.share),
    }


WINDS = tuple(str(strength) for strength in range(1, NUM_WINDS + 1))


def count_winds(batch: GameBatch, actions: NDArray[np.int64]) -> tuple[NDArray, int]:
    """Sultans of Wind: the tile chosen in secret (the first eight), or declined (the others); -1 for neither."""
    state = batch.state
    chosen = np.where(state["phase"] == WindPhase.CHOOSE, actions - batch.game.action("tile", "1"), -1)
    declined = (actions == batch.game.action("decline")) & (state["playing"] > 0)
    return np.where(declined, NUM_WINDS + state["playing"] - 1, chosen), 2 * NUM_WINDS


def sultans_of_wind(played: Played) -> Parts:
    """How often each wind tile is chosen in secret, how often it is then declined, and the win rate of a choice."""
    chosen, declined = played.counts[:, :, :NUM_WINDS], played.counts[:, :, NUM_WINDS:]
    choices = np.broadcast_to(chosen.sum(axis=2, keepdims=True), chosen.shape)
    return {
        "share of the choices": named(WINDS, chosen, choices),
        "times declined for each choice": named(WINDS, declined, chosen),
        "win rate of who chooses the tile": won(WINDS, chosen, played.share),
    }


def sultaniya(played: Played) -> Parts:
    """Points and win rate of each palace character."""
    seats = played.scores.shape[1]
    had = (played.state["character"][:, :seats, None] == np.arange(len(CHARACTER_NAMES))).astype(np.int64)
    return {
        "points of each character": named(CHARACTER_NAMES, had * played.scores[:, :, None], had),
        "win rate of each character": won(CHARACTER_NAMES, had, played.share),
    }


PARTS: dict[str, Callable[[Played], Parts]] = {
    "six_sons": six_sons,
    "djinns": djinns,
    "islands": islands,
    "sultans_of_wind": sultans_of_wind,
    "sultaniya": sultaniya,
}
COUNTERS: dict[str, Callable[[GameBatch, NDArray[np.int64]], tuple[NDArray, int]]] = {
    "six_sons": count_specials,
    "sultans_of_wind": count_winds,
}


# -- playing -----------------------------------------------------------------------------------------------------------


def play(game_id: str, spec: str, games: int, players: int) -> Played:
    """Play games in which every seat is the same agent."""
    agent = make_agent(spec)
    agent.seed(SEED)
    pieces = [_play_some(game_id, agent, first, min(TABLES, games - first), players) for first in range(0, games, TABLES)]
    joined = {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]}
    return Played(box=get_game(game_id).load_box(), **joined)


def _play_some(game_id: str, agent: Any, first_table: int, tables: int, players: int) -> dict[str, NDArray]:
    batch = GameBatch(get_game(game_id), tables, players, SEED, autoreset=False, first_table=first_table)
    count = COUNTERS.get(game_id)
    everyone, first = np.arange(tables), batch.player.astype(np.int64)
    lengths, actions = np.zeros(tables, np.int64), np.zeros(tables, np.int64)
    counts = np.zeros((tables, players, 0 if count is None else count(batch, actions)[1]), np.int64)
    while (running := batch.running).any():
        moving = np.flatnonzero(running)
        actions[moving] = agent.act(batch, moving)
        if count is not None:
            what, _ = count(batch, actions)
            seen = running & (what >= 0)
            counts[everyone[seen], batch.player[seen], what[seen]] += 1
        batch.step(actions, where=running)
        lengths += running
    winners = batch.reward == batch.reward.max(axis=1, keepdims=True)
    return {
        "state": np.array(batch.state),
        "lengths": lengths,
        "scores": batch.final_scores.copy(),
        "share": winners / winners.sum(axis=1, keepdims=True),
        "first": first,
        "truncated": batch.truncated.copy(),
        "counts": counts,
    }


def measure(game_id: str, games_each: Sequence[int], advance: Callable[[], None]) -> dict[str, Any]:
    """All figures of a game: by number of players, then by agent."""
    game, results = get_game(game_id), {}
    for players in range(game.min_players, game.max_players + 1):
        of_agents = {}
        for spec, games in zip(AGENTS, games_each, strict=True):
            played = play(game_id, spec, games, players)
            of_agents[spec] = summarise(played, PARTS[game_id](played))
            advance()
        results[f"{players} players"] = of_agents
    return results


# -- showing -----------------------------------------------------------------------------------------------------------


def is_far(figure: Figure | None, even: float) -> bool:
    """Surely so; the few games of a figure without any spread say nothing sure."""
    if figure is None or figure["low"] == figure["high"]:
        return False
    return figure["low"] > FAR * even or figure["high"] < even / FAR


def standing_out(results: Mapping[str, Any]) -> list[str]:
    """The win rates of places and components that are far from an even share."""
    lines = []
    for game_id, of_players in results.items():
        for size, of_agents in of_players.items():
            even = 1 / int(size.split()[0])
            for spec, figures in of_agents.items():
                rates = {f"place {place}": rate for place, rate in enumerate(figures.get("win_rate_by_place", []), 1)}
                for kind, of in figures["components"].items():
                    if kind.startswith("win rate"):
                        rates.update({f"{name} ({kind})": rate for name, rate in of.items()})
                for name, rate in rates.items():
                    if is_far(rate, even):
                        lines.append(f"{game_id}, {size}, {spec}: {name} {in_words(rate)}, even is {even:.0%}")
    return lines


def in_words(figure: Figure | None) -> str:
    return "–" if figure is None else f"{figure['mean']:.1%} ({figure['low']:.1%} – {figure['high']:.1%})"


def show(results: Mapping[str, Any]) -> None:
    table = Table(title="Same agent on all seats")
    for column in ("game", "players", "agent", "games", "decisions", "score", "ties", "win rate by place in turn order"):
        table.add_column(column)
    for game_id, of_players in results.items():
        for size, of_agents in of_players.items():
            for spec, figures in of_agents.items():
                ties = f"{figures['ties']['mean']:.1%}" if "ties" in figures else "–"
                places = ", ".join(f"{rate['mean']:.1%}" for rate in figures.get("win_rate_by_place", []))
                length, score = (f"{figures[name]['mean']:.1f} ± {figures[name]['sd']:.1f}" for name in ("length", "score"))
                table.add_row(game_id, size.split()[0], spec, str(figures["games"]), length, score, ties, places)
    console = Console(width=150)
    console.print(table)
    for line in standing_out(results) or ["nothing stands out"]:
        console.print(line, highlight=False)


def draw(game_id: str, of_players: Mapping[str, Any]) -> None:
    """One picture a game: a row of panels for each figure, a column for each number of players."""
    from matplotlib.figure import Figure as Picture

    sample = list(of_players.values())[-1][AGENTS[0]]
    kinds = ["win rate of each place in turn order", *sample["components"]]
    picture = Picture(figsize=(3.4 * len(of_players) + 0.6, 2.5 * len(kinds)), layout="constrained")
    grid = picture.subplots(len(kinds), len(of_players), squeeze=False)
    for column, (size, of_agents) in enumerate(of_players.items()):
        even = 1 / int(size.split()[0])
        for row, kind in enumerate(kinds):
            _draw_panel(grid[row, column], kind, even, {spec: rows_of(kind, of) for spec, of in of_agents.items()})
        grid[0, column].set_title(f"{size}\n{kinds[0]}" if even < 1 else "solo", fontsize=8)
    grid[0, -1].legend(fontsize=7)
    picture.suptitle(get_game(game_id).title)
    RESULTS.mkdir(exist_ok=True)
    picture.savefig(RESULTS / f"balance_{game_id}.png", dpi=70)


def rows_of(kind: str, figures: Mapping[str, Any]) -> dict[str, Figure | None]:
    """The figures of one panel."""
    if kind in figures["components"]:
        return figures["components"][kind]
    if not kind.endswith("turn order"):
        return {}
    return {str(place): rate for place, rate in enumerate(figures.get("win_rate_by_place", []), 1)}


def _draw_panel(axes: Any, kind: str, even: float, of_agents: Mapping[str, Mapping[str, Figure | None]]) -> None:
    names = list(next(iter(of_agents.values())))
    if not names:
        axes.set_axis_off()
        return
    for index, ((spec, figures), colour) in enumerate(zip(of_agents.items(), COLOURS, strict=True)):
        for place, figure in enumerate(figures.values()):
            if figure is not None:
                x = place + 0.2 * (index - 1)
                axes.plot([x, x], [figure["low"], figure["high"]], color=colour, linewidth=2)
                axes.plot([x], [figure["mean"]], "o", color=colour, markersize=3)
        axes.plot([], [], "o-", color=colour, label=spec)
    if kind.startswith("win rate"):
        axes.axhline(even, color="black", linewidth=0.6, linestyle=":")
    axes.set_xticks(range(len(names)), names, fontsize=7, rotation=0 if len("".join(names)) < 25 else 60)
    axes.tick_params(axis="y", labelsize=7)
    axes.set_title(kind, fontsize=8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games_to_play", nargs="*", metavar="GAME", help=f"of {', '.join(PARTS)}; all if none is named")
    parser.add_argument("--games", nargs=len(AGENTS), type=int, default=GAMES_EACH, metavar="N", help="; ".join(AGENTS))
    options = parser.parse_args()
    chosen = options.games_to_play or list(PARTS)
    runs = sum(get_game(game_id).max_players - get_game(game_id).min_players + 1 for game_id in chosen) * len(AGENTS)
    results = {}
    with Progress(transient=True) as progress:
        task = progress.add_task("playing", total=runs)
        for game_id in chosen:
            results[game_id] = measure(game_id, options.games, functools.partial(progress.advance, task))
            draw(game_id, results[game_id])
            path = write_results("balance", {"agents": AGENTS, "seed": SEED, "games": results})
    show(results)
    print("written to", path)


if __name__ == "__main__":
    main()
