"""Many tables of one game, stepped together."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arabian_envs.checks import as_array, whole
from arabian_envs.drawing import Picture, gallery, text_picture
from arabian_envs.engine import kernels
from arabian_envs.engine.game import Game, for_rules, frozen
from arabian_envs.engine.state import RUNNING
from arabian_envs.engine.threads import available_threads, run_split
from arabian_envs.errors import GameOverError, IllegalActionError, MismatchError
from arabian_envs.registry import get_game

REWARDS = {"outcome": kernels.OUTCOME, "margin": kernels.MARGIN}

_TABLES_IN_NOTEBOOK = 4

_INT64 = np.dtype(np.int64)
_MOST_TABLES, _MOST_THREADS, _LAST_TABLE = 2**31, 2**16, 2**62

_SAVED = ("state", "seeds", "episodes", "generators", "num_players", "reward", "terminated", "truncated", "final_scores")


class GameBatch:
    """N tables of one game.

    The arrays are allocated once and overwritten by each step; copy what you keep.

    Attributes:
        state: one record a table; `batch.state["wealth"]` is an array over the tables. After editing it, call `refresh`.
        player: the seat to act (int8).
        observation: what the acting seat may know (float32, tables × observation_size).
        action_mask: its legal actions (int8, tables × num_actions, read-only).
        reward: what each seat earned in the table's last step (float32, tables × seats).
        terminated, truncated: whether that step ended the game, by the rules or by the cap on its length.
        final_scores: the points of each seat at the end of the game that ended last on that table.
        num_players: players at each table.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        num_players: int | Sequence[int] | None = None,
        seed: int | None = None,
        box: NDArray | str | Path | None = None,
        reward: str = "outcome",
        autoreset: bool = True,
        num_threads: int | None = None,
        first_table: int = 0,
    ):
        if not isinstance(game, Game):
            raise TypeError(f"game {game!r}; expected a Game, as get_game returns it (make_batch takes an id)")
        if not isinstance(reward, str) or reward not in REWARDS:
            raise ValueError(f"{game.id}: reward {reward!r}; expected one of {', '.join(REWARDS)}")
        if not isinstance(autoreset, (bool, np.bool_)):
            raise TypeError(f"{game.id}: autoreset {autoreset!r}; expected True or False")
        self.game = game
        self.num_games = whole(num_games, f"{game.id}: number of tables", 1, _MOST_TABLES)
        self.num_players = _player_counts(game, self.num_games, num_players)
        self.box = game.take_box(box)
        self.reward_mode = reward
        self.autoreset = bool(autoreset)
        threads = available_threads() if num_threads is None else num_threads
        self.num_threads = whole(threads, f"{game.id}: num_threads", 1, _MOST_THREADS)
        self.first_table = whole(first_table, f"{game.id}: first_table", 0, _LAST_TABLE)
        seed = whole(secrets.randbits(63) if seed is None else seed, f"{game.id}: seed")
        self._allocate()
        self.reset(seed)

    def _allocate(self) -> None:
        game, n, seats = self.game, self.num_games, int(self.num_players.max())
        self.state = for_rules(np.zeros(n, game.state_dtype))
        self.player = np.zeros(n, np.int8)
        self.observation = np.zeros((n, game.observation_size), np.float32)
        self._mask = np.zeros((n, game.num_actions), np.int8)
        self.action_mask = self._mask.view()
        self.action_mask.flags.writeable = False
        self.reward = np.zeros((n, seats), np.float32)
        self.terminated = np.zeros(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self.final_scores = np.zeros((n, seats), np.float64)
        self.seeds = np.zeros(n, np.uint64)
        self.episodes = np.zeros(n, np.int64)
        self.generators = np.zeros(n, np.uint64)
        self._everywhere = np.ones(n, np.bool_)
        self._bind()

    def _bind(self) -> None:
        """Record views of the flat arrays, and cleared records to start from."""
        game = self.game
        self._observations = for_rules(self.observation.view(game.observation.dtype)[:, 0])
        self._masks = for_rules(self._mask.view(game.actions.dtype)[:, 0])
        self._blank = for_rules(np.zeros(1, game.state_dtype))
        self._blank_observation = for_rules(np.zeros(1, game.observation.dtype))
        self._blank_mask = for_rules(np.zeros(1, game.actions.dtype))
        self._step = game.kernel(kernels.make_step)

    def __repr__(self) -> str:
        return f"GameBatch({self.game.id!r}, {self.num_games} tables)"

    # -- playing -----------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, tables: ArrayLike | None = None) -> None:
        """Deal new games: on all tables from a seed, or the next game of each table (or of the given tables)."""
        where = self._everywhere if tables is None else self._where(tables)
        if seed is not None:
            if tables is not None:
                raise ValueError(f"{self.game.id}: a seed goes with a reset of all tables")
            self._seed(whole(seed, f"{self.game.id}: seed"))
        else:
            self.episodes[where] += 1
        self._run(kernels.make_deal, self.state, self.box, self._blank, where, self.num_players, self.seeds, self.episodes)
        self.reward[where] = 0
        self.terminated[where] = False
        self.truncated[where] = False
        self.refresh(where)

    def _seed(self, seed: int) -> None:
        self.seed = seed
        self._run(kernels.make_seed, _word(self.seed), self.first_table, self.seeds, self.generators)
        self.episodes[:] = 0

    def refresh(self, tables: ArrayLike | None = None) -> None:
        """Write player, observation and mask anew, after the states were edited."""
        where = self._everywhere if tables is None else self._where(tables)
        self._run(
            kernels.make_show,
            self.state,
            self.box,
            where,
            self.player,
            self._observations,
            self._blank_observation,
            self._masks,
            self._blank_mask,
        )

    def step(self, actions: ArrayLike, where: ArrayLike | None = None) -> None:
        """One decision on each table (or only on those of the mask `where`). An illegal action changes nothing."""
        actions = self._check_actions(actions)
        mask = self._everywhere if where is None else self._mask_of_tables(where)
        illegal = run_split(
            self._step,
            self.num_games,
            self.num_threads,
            self.state,
            self.box,
            self._blank,
            self._mask,
            mask,
            actions,
            self.player,
            self._observations,
            self._blank_observation,
            self._masks,
            self._blank_mask,
            self.reward,
            self.terminated,
            self.truncated,
            self.final_scores,
            self.seeds,
            self.episodes,
            REWARDS[self.reward_mode],
            self.game.point_scale,
            self.autoreset,
        )
        if illegal >= 0:
            raise self._illegal(illegal, int(actions[illegal]))

    def sample(self) -> NDArray[np.int64]:
        """A uniformly random legal action for each table (-1 for a finished one), from a generator of its own."""
        out = np.empty(self.num_games, np.int64)
        self._run(kernels.make_sample, self._mask, self.generators, out)
        return out

    def play_on(self, seats: ArrayLike, where: ArrayLike | None = None) -> None:
        """Play at random on each table (or those of the mask `where`) until it is a given seat's turn, or the game is over.

        For batches without autoreset. What was earned on the way is in `reward`.
        """
        if self.autoreset:
            raise ValueError(f"{self.game.id}: play_on; expected a batch with autoreset=False")
        self._run(
            kernels.make_play_on,
            self.state,
            self.box,
            self._everywhere if where is None else self._mask_of_tables(where),
            self._seats(seats),
            self._mask,
            self.generators,
            self.player,
            self._observations,
            self._blank_observation,
            self._masks,
            self._blank_mask,
            self.reward,
            self.terminated,
            self.truncated,
            self.final_scores,
            REWARDS[self.reward_mode],
            self.game.point_scale,
        )

    @property
    def running(self) -> NDArray[np.bool_]:
        """Which tables have a game going on."""
        return np.asarray(self.state["status"]) == RUNNING

    # -- looking -----------------------------------------------------------------------------------------------------

    def observe(self, seats: ArrayLike, tables: ArrayLike | None = None) -> NDArray[np.float32]:
        """What a seat may know on each of all (or of some) tables, whether or not it is its turn: a new array."""
        states, counts = self.state, self.num_players
        if tables is not None:
            chosen = self._tables(tables)
            states, counts = states[chosen], counts[chosen]
        out = np.zeros((len(states), self.game.observation_size), np.float32)
        records = for_rules(out.view(self.game.observation.dtype)[:, 0])
        kernel = self.game.kernel(kernels.make_observe)
        run_split(kernel, len(states), self.num_threads, states, self.box, self._seats(seats, counts), records)
        return out

    def scores(self) -> NDArray[np.float64]:
        """The points of every seat as the tables stand."""
        return self._points()[0]

    def tiebreaks(self) -> NDArray[np.float64]:
        """What decides between equal points; larger is better."""
        return self._points()[1]

    def _points(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        points, tiebreaks = np.zeros_like(self.final_scores), np.zeros_like(self.final_scores)
        self._run(kernels.make_scores, self.state, self.box, points, tiebreaks)
        return points, tiebreaks

    def evaluate(self, seats: ArrayLike) -> NDArray[np.float64]:
        """The game's heuristic value of each table for a seat, about -1 … 1."""
        out = np.zeros(self.num_games)
        self._run(kernels.make_evaluate, self.state, self.box, self._seats(seats), out)
        return out

    def determinize(self, seats: ArrayLike, seed: int) -> None:
        """Redraw on each table all that a seat cannot know: hidden pieces and the future."""
        seed = whole(seed, f"{self.game.id}: seed")
        self._run(kernels.make_determinize, self.state, self.box, self._seats(seats), _word(seed))
        self.refresh()

    def render(self, table: int = 0, viewer: int | None = None) -> str:
        """One table as text, from a seat's view, or with everything revealed."""
        table, viewer = self._view(table, viewer)
        return self.game.render_text(self.state[table], self.box[0], viewer)

    def picture(self, table: int = 0, viewer: int | None = None) -> Picture:
        """One table as SVG, from a seat's view, or with everything revealed; a notebook shows it."""
        table, viewer = self._view(table, viewer)
        draw = self.game.render_svg
        if draw is None:
            return text_picture(self.render(table, viewer))
        return Picture(draw(self.state[table], self.box[0], viewer))

    def _repr_html_(self) -> str:
        shown = min(self.num_games, _TABLES_IN_NOTEBOOK)
        return gallery([self.picture(table) for table in range(shown)], self.num_games)

    # -- keeping -----------------------------------------------------------------------------------------------------

    def copy(self) -> GameBatch:
        """An independent batch in the same position, the future included."""
        twin = object.__new__(type(self))
        twin.__setstate__(self.__getstate__())
        return twin

    def __getstate__(self) -> dict[str, Any]:
        plain = ("game", "num_games", "reward_mode", "autoreset", "num_threads", "first_table", "seed")
        kept: dict[str, Any] = {name: getattr(self, name) for name in plain}
        kept["box"] = np.array(self.box)
        kept.update((name, np.array(getattr(self, name))) for name in _SAVED)
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        arrays = {name: kept[name] for name in _SAVED}
        self.__dict__.update({name: value for name, value in kept.items() if name not in arrays})
        self.box = frozen(self.box)
        self.num_players = arrays["num_players"].copy()
        self._allocate()
        for name, array in arrays.items():
            getattr(self, name)[...] = array
        self.refresh()

    def save(self, path: str | Path) -> None:
        """Write the batch to a file that `GameBatch.load` reads back."""
        arrays: dict[str, Any] = {name: np.asarray(getattr(self, name)) for name in _SAVED}
        facts = {
            "game": self.game.id,
            "version": self.game.version,
            "state": str(self.game.state_dtype.descr),
            "seed": self.seed,
            "reward": self.reward_mode,
            "autoreset": self.autoreset,
            "first_table": self.first_table,
        }
        for name, content in (
            ("facts", json.dumps(facts).encode()),
            ("state", self.state.tobytes()),
            ("box", self.box.tobytes()),
        ):
            arrays[name] = np.frombuffer(content, np.uint8)
        with Path(path).open("wb") as file:
            np.savez_compressed(file, digest=_fingerprint(arrays), **arrays)

    @classmethod
    def load(cls, path: str | Path) -> GameBatch:
        """A batch from a file written by `save`."""
        try:
            with np.load(path, allow_pickle=False) as file:
                stored = {name: file[name] for name in file.files}
            # The rules trust a state; one that was changed behind their back could make them write anywhere.
            if not np.array_equal(stored["digest"], _fingerprint(stored)):
                raise ValueError("its content is not what was saved")
            facts = json.loads(stored["facts"].tobytes())
        except FileNotFoundError:
            raise
        except Exception as problem:
            raise MismatchError(f"{path}: expected a batch written by save ({problem})") from problem
        game = get_game(facts["game"])
        for name, now in (("version", game.version), ("state", str(game.state_dtype.descr))):
            if facts[name] != now:
                raise MismatchError(f"{path}: {game.id} {name} is {facts[name]} in the file and {now} here")
        batch = object.__new__(cls)
        batch.__setstate__(
            {
                **{name: stored[name] for name in _SAVED},
                "state": stored["state"].view(game.state_dtype),
                "box": stored["box"].view(game.load_box().dtype),
                "game": game,
                "num_games": len(stored["seeds"]),
                "reward_mode": facts["reward"],
                "autoreset": facts["autoreset"],
                "num_threads": available_threads(),
                "first_table": facts["first_table"],
                "seed": facts["seed"],
            }
        )
        return batch

    # -- helpers -----------------------------------------------------------------------------------------------------

    def _run(self, factory: Any, *args: Any) -> None:
        run_split(self.game.kernel(factory), self.num_games, self.num_threads, *args)

    def _where(self, tables: ArrayLike) -> NDArray[np.bool_]:
        """A mask of the tables that were given by their numbers or as a mask."""
        if isinstance(tables, np.ndarray) and tables.dtype == np.bool_:
            return self._mask_of_tables(tables)
        where = np.zeros(self.num_games, np.bool_)
        where[self._tables(tables)] = True
        return where

    def _mask_of_tables(self, where: ArrayLike) -> NDArray[np.bool_]:
        mask = as_array(where, f"{self.game.id}: mask")
        if mask.dtype != np.bool_ or mask.shape != (self.num_games,):
            raise ValueError(
                f"{self.game.id}: mask of {mask.dtype} and shape {mask.shape}; expected True or False for each of "
                f"{self.num_games} tables"
            )
        return mask if mask.flags.carray else mask.copy()

    def _tables(self, tables: ArrayLike) -> NDArray[np.intp]:
        """The numbers of the tables that were given by them or as a mask."""
        chosen = as_array(tables, f"{self.game.id}: tables")
        if chosen.dtype == np.bool_:
            return np.flatnonzero(self._mask_of_tables(chosen))
        if chosen.shape == (0,):
            return np.zeros(0, np.intp)
        if chosen.dtype.kind not in "iu":
            raise TypeError(f"{self.game.id}: tables {tables!r}; expected their numbers, or a mask")
        if chosen.ndim > 1 or (chosen < 0).any() or (chosen >= self.num_games).any():
            raise ValueError(f"{self.game.id}: tables {tables!r}; expected numbers 0 … {self.num_games - 1}")
        return np.atleast_1d(chosen).astype(np.intp)

    def _view(self, table: int, viewer: int | None) -> tuple[int, int | None]:
        table = whole(table, f"{self.game.id}: table", 0, self.num_games - 1)
        if viewer is not None:
            seats = int(self.num_players[table])
            viewer = whole(viewer, f"{self.game.id}, table {table}: viewer", 0, seats - 1)
        return table, viewer

    def _seats(self, seats: ArrayLike, counts: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        counts = self.num_players if counts is None else counts
        chosen = as_array(seats, f"{self.game.id}: seats")
        fits = chosen.dtype.kind in "iu" and chosen.shape in ((), counts.shape)
        if not fits or (chosen < 0).any() or (chosen >= counts).any():
            raise ValueError(f"{self.game.id}: seats {seats!r}; expected a seat of each table, from 0")
        return np.broadcast_to(chosen, counts.shape).astype(np.int8)

    def _check_actions(self, actions: ArrayLike) -> NDArray[np.int64]:
        try:
            chosen = np.asarray(actions)
        except ValueError:
            raise ValueError(f"{self.game.id}: actions {actions!r}; expected a whole number for each table") from None
        if chosen.dtype.kind not in "iu":
            raise TypeError(f"{self.game.id}: actions of type {chosen.dtype}; expected whole numbers")
        if chosen.shape != (self.num_games,):
            raise ValueError(f"{self.game.id}: actions of shape {chosen.shape}; expected ({self.num_games},)")
        # Only an array of one form meets kernels that are compiled already.
        return chosen if chosen.dtype == _INT64 and chosen.flags.carray else chosen.astype(np.int64)

    def _illegal(self, table: int, action: int) -> IllegalActionError:
        where = f"{self.game.id}, table {table}"
        if not self.running[table]:
            return GameOverError(f"{where}: the game is over; call reset before the next step")
        known = 0 <= action < self.game.num_actions
        name = (
            f"{action} ({self.game.action_name(action)})" if known else f"{action} (outside 0 … {self.game.num_actions - 1})"
        )
        legal = np.flatnonzero(self._mask[table])
        shown = ", ".join(f"{a} ({self.game.action_name(a)})" for a in legal[:8]) + (", …" if len(legal) > 8 else "")
        return IllegalActionError(f"{where}: action {name} is not legal now; legal: {shown}")


def _word(seed: int) -> np.uint64:
    """A seed of any size or sign as 64 bits."""
    return np.uint64(seed & 0xFFFFFFFFFFFFFFFF)


def _fingerprint(arrays: Mapping[str, NDArray]) -> NDArray[np.uint8]:
    """A digest of the arrays of a saved batch; there may be others beside them."""
    content = hashlib.sha256()
    for name in ("facts", "box", *_SAVED):
        content.update(f"{name} {arrays[name].dtype.str} {arrays[name].shape}".encode())
        content.update(arrays[name].tobytes())
    return np.frombuffer(content.digest(), np.uint8)


def _player_counts(game: Game, num_games: int, num_players: int | Sequence[int] | None) -> NDArray[np.int8]:
    counts = as_array(game.default_players if num_players is None else num_players, f"{game.id}: num_players")
    if counts.dtype.kind not in "iu" or counts.shape not in ((), (num_games,)):
        raise ValueError(f"{game.id}: num_players {num_players!r}; expected a number, or one for each of {num_games} tables")
    for count in np.unique(counts):
        game.check_players(int(count))
    return np.ascontiguousarray(np.broadcast_to(counts, (num_games,)), dtype=np.int8)


def make_batch(
    game_id: str,
    num_games: int,
    num_players: int | Sequence[int] | None = None,
    seed: int | None = None,
    box: NDArray | str | Path | None = None,
    reward: str = "outcome",
    autoreset: bool = True,
    num_threads: int | None = None,
    first_table: int = 0,
) -> GameBatch:
    """N tables of a game, stepped together.

    Args:
        game_id: one of `GAMES`.
        num_games: how many tables.
        num_players: players at every table, or a sequence with one number per table.
        seed: what all randomness comes from; None draws one (see `batch.seed`).
        box: other components: a folder of CSV files, or a box from `Game.load_box`.
        reward: "outcome" (the winner +1, the others share -1) or "margin" (scaled points ahead of the best other).
        autoreset: whether the step that ends a game already deals the next one.
        num_threads: threads to share the tables among; None for all cores.
        first_table: the index of the first table: table i of a batch plays as the only table of a batch with
            `first_table=i` and the same seed does.
    """
    return GameBatch(get_game(game_id), num_games, num_players, seed, box, reward, autoreset, num_threads, first_table)
