"""Replays: one game as a small JSON-lines file that can be checked to the last byte.

The first line says what is played (game, version, components, players, seed and table), each further line is one decision,
and the last line holds the scores and a digest of the final state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from arabian_envs.checks import whole, words
from arabian_envs.engine.batch import GameBatch
from arabian_envs.engine.state import record_digest
from arabian_envs.errors import IllegalActionError, MismatchError
from arabian_envs.registry import get_game


def state_digest(batch: GameBatch, table: int = 0) -> str:
    """A fingerprint of one table's state."""
    return record_digest(np.asarray(batch.state)[table : table + 1])


@dataclass(frozen=True)
class Replay:
    """One finished game."""

    game: str
    version: int
    box: str
    num_players: int
    seed: int
    table: int
    episode: int
    actions: list[int]
    names: list[str]
    players: list[int]
    scores: list[float]
    digest: str
    agents: tuple[str, ...] = ()
    """Who sat where, if it is known."""

    @classmethod
    def record(
        cls, batch: GameBatch, actions: Sequence[SupportsIndex], table: int = 0, agents: Sequence[str] = ()
    ) -> Replay:
        """The replay of a table, whose game these actions brought to where it is."""
        game, chosen = batch.game, [whole(action, f"{batch.game.id}: action") for action in actions]
        table = whole(table, f"{game.id}: table", 0, batch.num_games - 1)
        num_players, episode = int(batch.num_players[table]), int(batch.episodes[table])
        start = _start(game.id, num_players, batch.seed, batch.first_table + table, episode, batch.box)
        players = [_step(start, action, "recorded game", number) for number, action in enumerate(chosen, 1)]
        if state_digest(start) != state_digest(batch, table):
            raise MismatchError(f"{game.id}, table {table}: the actions do not lead to the present state")
        return cls(
            game=game.id,
            version=game.version,
            box=game.box_digest(batch.box),
            num_players=num_players,
            seed=batch.seed,
            table=batch.first_table + table,
            episode=episode,
            actions=chosen,
            names=[game.action_name(action) for action in chosen],
            players=players,
            scores=[float(score) for score in start.scores()[0]],
            digest=state_digest(start),
            agents=tuple(agents),
        )

    def write(self, path: str | Path) -> None:
        """Write the file, replacing an older one only when complete."""
        header = {name: getattr(self, name) for name in _HEADER}
        if self.agents:
            header["agents"] = list(self.agents)
        lines = [header]
        lines += [
            {"player": player, "action": action, "name": name}
            for player, action, name in zip(self.players, self.actions, self.names, strict=True)
        ]
        lines.append({"scores": self.scores, "digest": self.digest})
        path = Path(path)
        partial = path.with_name(path.name + ".part")
        partial.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        partial.replace(path)

    @classmethod
    def read(cls, path: str | Path) -> Replay:
        """Read a file and check its form; `play` checks its content."""
        path = Path(path)
        try:
            lines = _lines(path)
            header, moves, end = lines[0], lines[1:-1], lines[-1]
            values: dict[str, Any] = {name: kind(header[name], name) for name, kind in _HEADER.items()}
            players = values["num_players"]
            return cls(
                **values,
                actions=[whole(move["action"], "action") for move in moves],
                names=[words(move["name"], "name") for move in moves],
                players=[whole(move["player"], "player") for move in moves],
                scores=_one_each(end["scores"], "scores", _points, players),
                digest=words(end["digest"], "digest"),
                agents=tuple(_one_each(header["agents"], "agents", words, players)) if "agents" in header else (),
            )
        except KeyError as problem:
            raise MismatchError(f"{path}: not a whole replay: a line lacks {problem}") from problem
        except (ValueError, TypeError) as problem:
            raise MismatchError(f"{path}: not a whole replay: {problem}") from problem

    def start(self, box: NDArray | None = None) -> GameBatch:
        """The table before the first decision; `box` gives the components if they are not the game's own."""
        game = get_game(self.game)
        if self.version != game.version:
            raise MismatchError(f"the replay is of {self.game} version {self.version}; this is version {game.version}")
        components = game.take_box(box)
        if self.box != game.box_digest(components):
            raise MismatchError(f"the replay was played with components {self.box}; these are {game.box_digest(components)}")
        try:
            return _start(self.game, self.num_players, self.seed, self.table, self.episode, components)
        except ValueError as problem:
            raise MismatchError(f"the replay cannot be dealt: {problem}") from problem

    def play(self, box: NDArray | None = None) -> Iterator[GameBatch]:
        """The table before the first and after every decision; anything that differs from the file is refused."""
        batch = self.start(box)
        yield batch
        for number, (action, name, player) in enumerate(zip(self.actions, self.names, self.players, strict=True), 1):
            known = 0 <= action < batch.game.num_actions
            if known and batch.game.action_name(action) != name:
                raise MismatchError(
                    f"decision {number}: action {action} is {batch.game.action_name(action)!r}, not {name!r}"
                )
            if _step(batch, action, "replay", number) != player:
                raise MismatchError(f"decision {number}: not the turn of player {player}")
            yield batch
        if batch.running[0]:
            raise MismatchError(f"the replay stops after {len(self.actions)} decisions, before the end of the game")
        if batch.scores()[0].tolist() != self.scores:
            raise MismatchError(f"the game ends {batch.scores()[0].tolist()}; the replay says {self.scores}")
        if state_digest(batch) != self.digest:
            raise MismatchError(f"the game ends in state {state_digest(batch)}; the replay says {self.digest}")

    def check(self, box: NDArray | None = None) -> None:
        """Play the whole game; raise `MismatchError` if anything differs from the file."""
        for _ in self.play(box):
            pass

    def seat_name(self, seat: int) -> str:
        """A player by seat and, if it is known, by agent."""
        return f"player {seat}" + (f" ({self.agents[seat]})" if self.agents else "")


_MOST_POINTS = 1e9


def _number(value: Any, what: str) -> int:
    """A number as NumPy can keep it, from 0."""
    return whole(value, what, 0, 2**62)


def _points(value: Any, what: str) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not -_MOST_POINTS <= value <= _MOST_POINTS:
        raise ValueError(f"{what} {value!r}; expected numbers")
    return float(value)


def _one_each(values: Any, what: str, kind: Callable[[Any, str], Any], players: int) -> list[Any]:
    """A list with an entry for each player."""
    if not isinstance(values, list) or len(values) != players:
        raise ValueError(f"{what} {values!r}; expected one for each of {players} players")
    return [kind(value, what) for value in values]


_HEADER: dict[str, Callable[[Any, str], Any]] = {
    "game": words,
    "version": whole,
    "box": words,
    "num_players": _number,
    "seed": whole,
    "table": _number,
    "episode": _number,
}


def _lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a file as objects: a header, decisions and an end."""
    lines = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            lines.append(json.loads(line))
        except (ValueError, RecursionError):
            raise ValueError(f"line {number} is not JSON (cut off?)") from None
        if not isinstance(lines[-1], dict):
            raise ValueError(f"line {number} is not an object")
    if len(lines) < 2 or "scores" not in lines[-1]:
        raise ValueError(f"it ends after line {len(lines)} without the line of scores (cut off?)")
    return lines


def _start(game_id: str, num_players: int, seed: int, table: int, episode: int, box: NDArray) -> GameBatch:
    batch = GameBatch(get_game(game_id), 1, num_players, seed, box, autoreset=False, first_table=table)
    if episode:
        batch.episodes[0] = episode - 1
        batch.reset()
    return batch


def _step(batch: GameBatch, action: int, what: str, number: int) -> int:
    """Play one decision; the seat that made it."""
    player = int(batch.player[0])
    try:
        batch.step([action])
    except IllegalActionError as problem:
        raise MismatchError(f"decision {number} of the {what} is not legal: {problem}") from problem
    return player
