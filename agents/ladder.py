"""Round-robins and ratings: who is better, by how much, and how sure that is."""

from __future__ import annotations

import itertools
import json
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.arena import MatchResult, play_match
from agents.policy import write_atomically
from agents.specs import make_agent
from arabian_envs import MismatchError, get_game
from arabian_envs.checks import whole, words

ANCHOR = "random"
"""The agent whose rating is 0."""

_ELO = 400 / np.log(10)
_BOOTSTRAPS = 400


@dataclass(frozen=True)
class Pairing:
    """The agents of one match, and how often each order of finishing came up.

    An order gives the place of every agent of the line-up, best 0, ties equal.
    """

    agents: tuple[str, ...]
    games: int
    seed: int
    orders: dict[tuple[int, ...], int]

    @classmethod
    def of(cls, result: MatchResult, lineup: Sequence[str]) -> Pairing:
        by_agent = np.take_along_axis(result.places, np.argsort(result.who, axis=1), axis=1)
        orders = Counter(tuple(int(place) for place in row) for row in by_agent)
        return cls(tuple(lineup), result.num_games, result.seed, dict(sorted(orders.items())))

    def as_json(self) -> dict[str, Any]:
        orders = {" ".join(map(str, order)): count for order, count in sorted(self.orders.items())}
        return {"agents": list(self.agents), "games": self.games, "seed": self.seed, "orders": orders}

    @classmethod
    def from_json(cls, line: dict[str, Any]) -> Pairing:
        agents = tuple(words(agent, "agent") for agent in _listed(line["agents"]))
        orders: dict[tuple[int, ...], int] = {}
        for text, count in line["orders"].items():
            order = tuple(int(place) for place in text.split())
            if len(order) != len(agents) or any(place != sum(other < place for other in order) for place in order):
                raise ValueError(
                    f"order of finishing {text!r}; expected for each of {len(agents)} agents how many did better"
                )
            orders[order] = whole(count, "count", 1)
        pairing = cls(agents, whole(line["games"], "games", 1), whole(line["seed"], "seed"), orders)
        if sum(orders.values()) != pairing.games:
            raise ValueError("the orders of finishing do not add up to the games")
        return pairing


def _listed(agents: Any) -> Sequence[Any]:
    """Several agents; a text would be a sequence of letters."""
    if not isinstance(agents, Sequence) or isinstance(agents, str):
        raise TypeError(f"agents {agents!r}; expected a sequence of specs")
    return agents


@dataclass(frozen=True)
class Rating:
    """An agent's strength on an Elo-like scale, random play at 0, with its 95 % interval."""

    agent: str
    rating: float
    low: float
    high: float
    games: int
    win_share: float
    """Share of all its games won, ties shared; it depends on who it met."""


def lineups(agents: Sequence[str], num_players: int) -> list[tuple[str, ...]]:
    """The matches of a round-robin: all choices of agents for the seats; with too few agents some sit twice."""
    if len(agents) >= num_players:
        return list(itertools.combinations(agents, num_players))
    mixed = itertools.combinations_with_replacement(agents, num_players)
    return [lineup for lineup in mixed if len(set(lineup)) == len(agents)]


def play_ladder(
    game_id: str,
    agents: Sequence[str],
    num_games: int = 400,
    num_players: int | None = None,
    seed: int = 0,
    results: str | Path | None = None,
    progress: bool = False,
) -> list[Rating]:
    """Play every pairing of a round-robin and rate the agents.

    Args:
        game_id: one of `GAMES`.
        agents: specs of the agents, each once.
        num_games: games of each pairing.
        num_players: seats at the table.
        seed: what everything comes from.
        results: a file that keeps finished pairings; those found there are not played again.
        progress: whether to show progress.
    """
    players = get_game(game_id).default_players if num_players is None else num_players
    get_game(game_id).check_players(players)
    num_games, seed = whole(num_games, "number of games", 1), whole(seed, "seed")
    specs = [words(spec, "agents: spec") for spec in _listed(agents)]
    if len(set(specs)) != len(specs) or len(specs) < 2 or players < 2:
        raise ValueError(f"a ladder needs at least two different agents and two players; got {', '.join(specs)}")
    for spec in specs:
        make_agent(spec)
    kept = _Results(game_id, players, None if results is None else Path(results))
    pairings = []
    for lineup in lineups(specs, players):
        # A seed of its own, whatever other agents take part.
        own_seed = seed + zlib.crc32(" ".join(lineup).encode())
        pairing = kept.find(lineup, num_games, own_seed)
        if pairing is None:
            pairing = Pairing.of(play_match(game_id, lineup, num_games, players, own_seed, progress), lineup)
            kept.add(pairing)
        pairings.append(pairing)
    return rate(pairings, seed)


class _Results:
    """A file of finished pairings: a header line, then a line each."""

    def __init__(self, game_id: str, players: int, path: Path | None):
        self._path = path
        self._pairings: list[Pairing] = []
        self._header = {"game": game_id, "version": get_game(game_id).version, "players": players}
        if path is not None and path.exists():
            self._read(path)
        elif path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(self._header) + "\n", encoding="utf-8")

    def _read(self, path: Path) -> None:
        content = path.read_bytes()
        # A last line without an end was cut short while it was written: that pairing is played again.
        whole_lines = content[: content.rfind(b"\n") + 1]
        for number, line in enumerate(whole_lines.splitlines(), 1):
            try:
                entry = json.loads(line)
                if number == 1 and entry != self._header:
                    raise ValueError(f"it is of {entry}; expected {self._header}")
                if number > 1:
                    self._pairings.append(Pairing.from_json(entry))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
                raise MismatchError(f"{path}, line {number}: not a ladder's result ({problem})") from problem
        if not whole_lines:
            raise MismatchError(f"{path}: not a ladder's results; expected the line {json.dumps(self._header)} first")
        if whole_lines != content:
            write_atomically(path, whole_lines)

    def find(self, lineup: tuple[str, ...], games: int, seed: int) -> Pairing | None:
        wanted = (lineup, games, seed)
        return next((p for p in self._pairings if (p.agents, p.games, p.seed) == wanted), None)

    def add(self, pairing: Pairing) -> None:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(pairing.as_json()) + "\n")


def rate(pairings: Sequence[Pairing], seed: int = 0) -> list[Rating]:
    """Bradley–Terry ratings of all agents from who finished before whom, best first, with bootstrap intervals."""
    names = sorted({agent for pairing in pairings for agent in pairing.agents})
    anchor = names.index(ANCHOR) if ANCHOR in names else 0
    ratings = _strengths(_wins(pairings, names), anchor)
    generator = np.random.default_rng(abs(seed))
    samples = [_strengths(_wins([_resample(p, generator) for p in pairings], names), anchor) for _ in range(_BOOTSTRAPS)]
    low, high = np.percentile(samples, [2.5, 97.5], axis=0)
    table = []
    for index, name in enumerate(names):
        games, won = _share(pairings, name)
        table.append(Rating(name, float(ratings[index]), float(low[index]), float(high[index]), games, won))
    return sorted(table, key=lambda rating: -rating.rating)


def _resample(pairing: Pairing, generator: np.random.Generator) -> Pairing:
    counts = np.array(list(pairing.orders.values()))
    drawn = generator.multinomial(pairing.games, counts / counts.sum())
    orders = {order: int(count) for order, count in zip(pairing.orders, drawn, strict=True) if count}
    return Pairing(pairing.agents, pairing.games, pairing.seed, orders)


def _wins(pairings: Sequence[Pairing], names: list[str]) -> NDArray[np.float64]:
    """How often each agent finished before each other; a tie is half a win for both."""
    wins = np.zeros((len(names), len(names)))
    for pairing in pairings:
        index = [names.index(agent) for agent in pairing.agents]
        for order, count in pairing.orders.items():
            for a, b in itertools.combinations(range(len(order)), 2):
                if index[a] != index[b]:
                    first = 0.5 if order[a] == order[b] else float(order[a] < order[b])
                    wins[index[a], index[b]] += count * first
                    wins[index[b], index[a]] += count * (1 - first)
    return wins


def _strengths(wins: NDArray[np.float64], anchor: int) -> NDArray[np.float64]:
    """Elo-like ratings. Half a win for either side of each pairing keeps a clean sweep from meaning infinity."""
    import choix

    met = (wins + wins.T) > 0
    strengths = choix.ilsr_pairwise_dense(wins + 0.5 * met)
    return (strengths - strengths[anchor]) * _ELO


def _share(pairings: Sequence[Pairing], agent: str) -> tuple[int, float]:
    games, won = 0, 0.0
    for pairing in pairings:
        if agent in pairing.agents:
            games += pairing.games
            for order, count in pairing.orders.items():
                winners = [name for name, place in zip(pairing.agents, order, strict=True) if place == 0]
                won += count * winners.count(agent) / len(winners)
    return games, won / max(1, games)


def draw_ladder(ratings: Sequence[Rating], title: str, path: str | Path) -> None:
    """A chart of the ratings with their intervals, as a PNG file."""
    rows = [(rating.agent, rating.low, rating.rating, rating.high) for rating in ratings]
    draw_intervals(rows, title, "rating (random = 0), with 95 % interval", path)


def draw_match(result: MatchResult, title: str, path: str | Path) -> None:
    """A chart of the shares of the games won with their intervals, as a PNG file."""
    rows = list(zip(result.agents, result.win_share_low, result.win_share, result.win_share_high, strict=True))
    draw_intervals(rows, title, "share of the games won, with 95 % interval", path)


def draw_intervals(rows: Sequence[tuple[str, float, float, float]], title: str, label: str, path: str | Path) -> None:
    """A line for each row of name, low, middle and high, the first on top, as a PNG file."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 0.5 * len(rows) + 1.2), layout="constrained")
    axes = figure.subplots()
    for place, (_, low, middle, high) in enumerate(reversed(rows)):
        axes.plot([low, high], [place, place], color="#b8860b", linewidth=3, solid_capstyle="round")
        axes.plot([middle], [place], "o", color="#1f4e79")
    axes.set_yticks(range(len(rows)), [name for name, *_ in reversed(rows)])
    axes.set_ylim(-0.5, len(rows) - 0.5)
    axes.set_xlabel(label)
    axes.set_title(title)
    axes.grid(axis="x", alpha=0.3)
    figure.savefig(path, dpi=120)
