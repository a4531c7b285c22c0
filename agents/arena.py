"""Matches: who wins how often, with an honest interval."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent
from agents.specs import make_agent
from arabian_envs import GameBatch, get_game
from arabian_envs.adapters.learner import ask, child_seed
from arabian_envs.checks import whole
from arabian_envs.replay import Replay

_TABLES = 1024
_Z = 1.959963984540054  # 95 %


@dataclass(frozen=True)
class MatchResult:
    """What came of a match; the arrays have one entry an agent."""

    game_id: str
    agents: list[str]
    num_games: int
    num_players: int
    seed: int
    win_share: NDArray[np.float64]
    """Share of the games won; tied winners share a game, so the shares sum to 1."""
    win_share_low: NDArray[np.float64]
    win_share_high: NDArray[np.float64]
    mean_score: NDArray[np.float64]
    """Mean points of a seat of this agent."""
    mean_length: float
    """Decisions in a game."""
    truncated: float
    """Share of games that the cap on their length ended."""
    seat_share: NDArray[np.float64]
    """Share of the games won by each seat, whoever sat there."""
    places: NDArray[np.int64]
    """Games × seats: how many seats did better; tied seats share a place."""
    who: NDArray[np.intp]
    """Games × seats: which agent sat there."""
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """The result without its games, for a file."""
        kept = {name: value for name, value in vars(self).items() if name not in ("places", "who")}
        return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in kept.items()}


def play_match(
    game_id: str,
    agents: Sequence[Agent | str],
    num_games: int,
    num_players: int | None = None,
    seed: int = 0,
    progress: bool = False,
    replays: str | Path | None = None,
    num_replays: int | None = None,
) -> MatchResult:
    """Play a match, many tables at once; every seating of the agents comes up equally often.

    Args:
        game_id: one of `GAMES`.
        agents: agents or their specs, one a seat; with fewer agents than seats the last one takes the rest.
        num_games: how many games.
        num_players: seats at the table; by default one for each agent.
        seed: what the whole match comes from.
        progress: whether to show a progress bar.
        replays: a folder to write replays to.
        num_replays: of how many games, from the first on; None for all.
    """
    game = get_game(game_id)
    if not isinstance(agents, Sequence) or isinstance(agents, str) or not agents:
        raise ValueError(f"agents {agents!r}; expected a sequence of at least one agent")
    num_games = whole(num_games, "number of games", 1)
    seed = whole(seed, "seed")
    if num_replays is not None:
        whole(num_replays, "number of replays", 0)
    folder = None if replays is None else _folder(replays)
    players = [make_agent(agent) for agent in agents]
    seats = max(len(players), game.min_players) if num_players is None else num_players
    game.check_players(seats)
    if len(players) > seats:
        raise ValueError(f"{len(players)} agents for {seats} seats")
    for index, player in enumerate(players):
        player.seed(child_seed(seed, index))

    started = time.perf_counter()
    shares, scores, places, lengths, capped, seating = [], [], [], [], 0, []
    with _progress_bar(progress, f"{game.title}: {' – '.join(p.name for p in players)}", num_games) as advance:
        for first in range(0, num_games, _TABLES):
            tables = min(_TABLES, num_games - first)
            batch = GameBatch(game, tables, seats, seed, autoreset=False, first_table=first)
            who = _seating(first, tables, seats, len(players))
            decisions: list[NDArray[np.int64]] = []
            kept = 0 if folder is None else tables if num_replays is None else min(tables, max(0, num_replays - first))
            lengths.append(_play(batch, players, who, advance, decisions if kept else None))
            if folder is not None and kept:
                names = [[players[agent].name for agent in chairs] for chairs in who]
                _write_replays(batch, np.array(decisions)[:, :kept], names, folder)
            winners = batch.reward == batch.reward.max(axis=1, keepdims=True)
            shares.append(winners / winners.sum(axis=1, keepdims=True))
            scores.append(batch.final_scores)
            places.append(_places(batch))
            capped += int(batch.truncated.sum())
            seating.append(who)
    share, score, who = np.concatenate(shares), np.concatenate(scores), np.concatenate(seating)
    won = np.array([(share * (who == agent)).sum() for agent in range(len(players))]) / num_games
    low, high = wilson_interval(won, num_games)
    return MatchResult(
        game_id=game_id,
        agents=[player.name for player in players],
        num_games=num_games,
        num_players=seats,
        seed=seed,
        win_share=won,
        win_share_low=low,
        win_share_high=high,
        mean_score=np.array([score[who == agent].mean() for agent in range(len(players))]),
        mean_length=float(np.concatenate(lengths).mean()),
        truncated=capped / num_games,
        seat_share=share.mean(axis=0),
        places=np.concatenate(places),
        who=who,
        seconds=time.perf_counter() - started,
    )


def _folder(path: str | Path) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"replays {path!r}; expected a folder")
    return Path(path)


def wilson_interval(share: NDArray[np.float64], n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The 95 % interval of a share seen in n games. Ties only make it wider than need be."""
    centre = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    reach = _Z * np.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
    return np.clip(centre - reach, 0, 1), np.clip(centre + reach, 0, 1)


def _seating(first: int, tables: int, seats: int, agents: int) -> NDArray[np.intp]:
    """Which agent sits where: all seatings in turn, those in which everybody moves one seat on next to each other."""
    orders = [(0, *others) for others in itertools.permutations(range(1, seats))]
    seatings = np.array([np.roll(order, turn) for order in orders for turn in range(seats)])
    return np.minimum(seatings[np.arange(first, first + tables) % len(seatings)], agents - 1)


def _places(batch: GameBatch) -> NDArray[np.int64]:
    """For each seat of each finished table, how many seats did better."""
    points, ties = batch.final_scores, batch.tiebreaks()
    more = points[:, :, None] < points[:, None, :]
    equal_but = (points[:, :, None] == points[:, None, :]) & (ties[:, :, None] < ties[:, None, :])
    return (more | equal_but).sum(axis=2)


def _play(
    batch: GameBatch,
    players: list[Agent],
    who: NDArray[np.intp],
    advance: Callable[[int], None],
    decisions: list[NDArray[np.int64]] | None = None,
) -> NDArray[np.int64]:
    """Play all tables to their end; the number of decisions on each. Keeps the actions (-1 for none) if asked for."""
    lengths = np.zeros(batch.num_games, np.int64)
    actions = np.zeros(batch.num_games, np.int64)
    everyone = np.arange(batch.num_games)
    running = batch.running
    while running.any():
        to_act = who[everyone, batch.player]
        for agent, player in enumerate(players):
            tables = np.flatnonzero(running & (to_act == agent))
            if len(tables):
                actions[tables] = ask(player, batch, tables)
        batch.step(actions, where=running)
        if decisions is not None:
            decisions.append(np.where(running, actions, -1))
        lengths += running
        left = batch.running
        advance(int(running.sum() - left.sum()))
        running = left
    return lengths


def _write_replays(batch: GameBatch, decisions: NDArray[np.int64], names: list[list[str]], folder: Path) -> None:
    """The games of the first tables as files named by the game and the table."""
    folder.mkdir(parents=True, exist_ok=True)
    for table, actions in enumerate(decisions.T):
        replay = Replay.record(batch, actions[actions >= 0].tolist(), table, names[table])
        replay.write(folder / f"{batch.game.id}_{replay.table:05d}.jsonl")


@contextlib.contextmanager
def _progress_bar(show: bool, title: str, total: int):
    """A function that counts finished games, with a bar if asked for."""
    if not show:
        yield lambda _: None
        return
    from rich.progress import Progress

    with Progress() as bar:
        task = bar.add_task(title, total=total)
        yield lambda games: bar.advance(task, games)
