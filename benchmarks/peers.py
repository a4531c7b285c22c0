"""Other libraries beside ours, in one run on one machine: random legal play, compile times, and tree search.

    make peers        or: .venv-peers/bin/python benchmarks/peers.py [--seconds 0.5] [--only WORD…]

Play is uniformly random over the legal actions, with the acting player's observation and mask of legal actions made at every
step; only decisions of players count, not chance events. Every figure is the best of three runs.

- ours: batches on all cores, and a PettingZoo AEC loop.
- PettingZoo: the same AEC loop. RLCard and OpenSpiel: one table in a Python loop over their own calls (OpenSpiel plays in
  C++, with an observer that writes into a NumPy array where the game has one). None of the three has batches.
- Pgx: batches on JAX's CPU backend, all cores, one compiled call a step that picks the actions, steps, and deals finished
  tables anew.

Search: simulations a second of a tree search in which every simulation goes on with random moves to the end of the game,
from its first real choice; ours, and OpenSpiel's MCTS and ISMCTS in C++, which use one thread. Games differ in length, so
decisions a second are shown too.

Every contestant is measured in a process of its own and has a limited time. One that cannot be measured is named with the
reason. Prints tables, and writes results/peers.json and results/peers.png.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import multiprocessing
import random
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from machine import RESULTS, write_results
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from throughput import RUNS, best, start_times

from agents.search import IsmctsAgent, SearchOptions
from arabian_envs import GAMES, make_batch
from arabian_envs.adapters.aec import make_env
from arabian_envs.measure import BATCH_SIZES, aec_steps_per_second, batch_steps_per_second, thread_scaling

OURS = "arabian_envs"
LARGEST = str(BATCH_SIZES[-1])
SECONDS_EACH = 150.0
SEARCH_SIMULATIONS = 200
SEARCH_TABLES = 32
PACKAGES = ("arabian-envs", "pettingzoo", "rlcard", "open-spiel", "pgx", "jax", "numba", "numpy")

Figures = dict[str, Any]
Measure = Callable[[str, float], Figures]


@dataclass(frozen=True)
class Contestant:
    """A game of a library, and how its speed is had.

    Attributes:
        measure: (game, seconds a run) -> `speeds` by batch size, `first_step` in seconds from the import, and what else.
        similar: whether it is of our games' kind: turns and chance, of a size that people play.
    """

    library: str
    game: str
    measure: Measure
    similar: bool = False

    @property
    def name(self) -> str:
        return f"{self.library} {self.game}"


# -- Random play -------------------------------------------------------------------------------------------------------


def our_speeds(game_id: str, seconds: float) -> Figures:
    start = start_times(game_id)
    speeds = {
        str(size): best(lambda size=size: batch_steps_per_second(game_id, size, seconds=seconds)) for size in BATCH_SIZES
    }
    return {
        "speeds": speeds,
        "threads_bring": thread_scaling(game_id, seconds=6 * seconds),
        "aec": best(lambda: aec_steps_per_second(make_env(game_id), seconds)),
        "first_step": start["cold"]["first_step"],
        "first_step_again": start["warm"]["first_step"],
    }


def pettingzoo_speed(name: str, seconds: float) -> Figures:
    warnings.simplefilter("ignore")
    begin = time.perf_counter()
    env = importlib.import_module(f"pettingzoo.classic.{name}").env()
    env.reset(seed=1)
    env.last()
    first_step = time.perf_counter() - begin
    return {"speeds": {"1": best(lambda: aec_steps_per_second(env, seconds))}, "first_step": first_step}


def table_speed(play_game: Callable[[], int], begin: float, seconds: float) -> Figures:
    """Decisions a second of a function that plays one game and counts them."""
    play_game()
    first_game = time.perf_counter() - begin

    def run() -> float:
        steps, started = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - started) < seconds:
            steps += play_game()
        return steps / elapsed

    return {"speeds": {"1": best(run)}, "first_step": first_game}


def rlcard_speed(name: str, seconds: float) -> Figures:
    begin = time.perf_counter()
    import rlcard

    env = rlcard.make(name, config={"seed": 1})
    pick = random.Random(1).choice

    def play_game() -> int:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            mask = np.zeros(env.num_actions, np.int8)
            mask[legal] = 1
            state, _ = env.step(pick(legal))
            steps += 1
        return steps

    return table_speed(play_game, begin, seconds)


def spiel_observer(game: Any) -> Callable[[Any, int], Any]:
    """How a player's view is had quickest: written into an array, or where the game has no such thing, as a list."""
    from open_spiel.python.observation import make_observation

    if game.get_type().provides_observation_tensor:
        return make_observation(game).set_from
    return lambda state, player: np.array(state.information_state_tensor(player), np.float32)


def spiel_chance(state: Any, generator: random.Random) -> None:
    """Let luck decide."""
    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(generator.choices(outcomes, chances)[0])


def openspiel_speed(name: str, seconds: float) -> Figures:
    begin = time.perf_counter()
    import pyspiel

    game = pyspiel.load_game(name)
    observe, size = spiel_observer(game), game.num_distinct_actions()
    generator = random.Random(1)

    def play_game() -> int:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                spiel_chance(state, generator)
                continue
            observe(state, state.current_player())
            legal = state.legal_actions()
            mask = np.zeros(size, np.int8)
            mask[legal] = 1
            state.apply_action(generator.choice(legal))
            steps += 1
        return steps

    return table_speed(play_game, begin, seconds)


def pgx_speeds(name: str, seconds: float) -> Figures:
    begin = time.perf_counter()
    import jax
    import pgx
    from pgx.experimental import act_randomly, auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def play(states: Any, key: Any) -> Any:
        key, choosing, playing = jax.random.split(key, 3)
        actions = act_randomly(choosing, states.legal_action_mask)
        return step(states, actions, jax.random.split(playing, actions.shape[0])), key

    def run(size: int, states: Any, key: Any) -> float:
        steps, started = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - started) < seconds:
            for _ in range(5):
                states, key = play(states, key)
            jax.block_until_ready(states)
            steps += 5 * size
        return steps / elapsed

    speeds, compiling = {}, {}
    for size in BATCH_SIZES:
        started = time.perf_counter()
        key = jax.random.PRNGKey(1)
        now = jax.block_until_ready(play(jax.jit(jax.vmap(env.init))(jax.random.split(key, size)), key))
        compiling[str(size)] = time.perf_counter() - started
        if not speeds:
            first_step = time.perf_counter() - begin
        speeds[str(size)] = best(lambda size=size, now=now: run(size, *now))
    return {"speeds": speeds, "first_step": first_step, "compiling": compiling}


PLAYERS = [
    *(Contestant(OURS, game_id, our_speeds) for game_id in GAMES),
    Contestant("Pgx", "backgammon", pgx_speeds, similar=True),
    Contestant("Pgx", "connect_four", pgx_speeds),
    Contestant("Pgx", "go_9x9", pgx_speeds),
    Contestant("OpenSpiel", "backgammon", openspiel_speed, similar=True),
    Contestant("OpenSpiel", "gin_rummy", openspiel_speed, similar=True),
    Contestant("OpenSpiel", "hearts", openspiel_speed, similar=True),
    Contestant("OpenSpiel", "connect_four", openspiel_speed),
    Contestant("RLCard", "gin-rummy", rlcard_speed, similar=True),
    Contestant("RLCard", "uno", rlcard_speed, similar=True),
    Contestant("RLCard", "leduc-holdem", rlcard_speed),
    Contestant("PettingZoo", "texas_holdem_v4", pettingzoo_speed, similar=True),
    Contestant("PettingZoo", "gin_rummy_v4", pettingzoo_speed, similar=True),
    Contestant("PettingZoo", "leduc_holdem_v4", pettingzoo_speed),
    Contestant("PettingZoo", "connect_four_v3", pettingzoo_speed),
]


# -- Search ------------------------------------------------------------------------------------------------------------


def our_search(game_id: str, seconds: float) -> Figures:
    """Our information-set search with complete random play-outs and no heuristic, as OpenSpiel's works."""
    options = SearchOptions(SEARCH_SIMULATIONS, playout="random", depth=None, prior=0.0, others="search")

    def rate(threads: int | None) -> float:
        batch = make_batch(game_id, SEARCH_TABLES, seed=1, num_threads=threads)
        agent, tables = IsmctsAgent(options), np.arange(SEARCH_TABLES)
        return simulation_rate(lambda: agent.act(batch, tables), SEARCH_SIMULATIONS * SEARCH_TABLES, seconds)

    return {"simulations": rate(None), "one_thread": rate(1), "decisions_a_game": our_game_length(game_id)}


def our_game_length(game_id: str, num_games: int = 256) -> float:
    batch = make_batch(game_id, num_games, seed=1, autoreset=False)
    steps = 0
    while batch.running.any():
        steps += int(np.count_nonzero(batch.running))
        batch.step(batch.sample(), where=batch.running)
    return steps / num_games


def simulation_rate(search: Callable[[], Any], simulations: int, seconds: float) -> float:
    search()

    def run() -> float:
        calls, started = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - started) < seconds:
            search()
            calls += 1
        return calls * simulations / elapsed

    return best(run)


def openspiel_search(name: str, seconds: float, make_bot: Callable[[Any, Any], Any]) -> Figures:
    import pyspiel

    game = pyspiel.load_game(name)
    bot = make_bot(game, pyspiel.RandomRolloutEvaluator(1, 1))
    generator = random.Random(1)
    state = first_choice(game, generator)
    speed = simulation_rate(lambda: bot.step(state), SEARCH_SIMULATIONS, seconds)
    return {"simulations": speed, "decisions_a_game": spiel_game_length(state, generator)}


def first_choice(game: Any, generator: random.Random) -> Any:
    """The first position with more than one legal action: a search answers the others without thinking."""
    state = game.new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) < 2:
        if state.is_chance_node():
            spiel_chance(state, generator)
        else:
            state.apply_action(state.legal_actions()[0])
    return state


def spiel_game_length(start: Any, generator: random.Random, num_games: int = 50) -> float:
    steps = 0
    for _ in range(num_games):
        state = start.clone()
        while not state.is_terminal():
            if state.is_chance_node():
                spiel_chance(state, generator)
            else:
                state.apply_action(generator.choice(state.legal_actions()))
                steps += 1
    return steps / num_games


def openspiel_mcts(name: str, seconds: float) -> Figures:
    import pyspiel

    return openspiel_search(
        name, seconds, lambda game, playout: pyspiel.MCTSBot(game, playout, 1.4, SEARCH_SIMULATIONS, 1000, False, 1, False)
    )


def openspiel_ismcts(name: str, seconds: float) -> Figures:
    import pyspiel

    return openspiel_search(
        name,
        seconds,
        lambda _, playout: pyspiel.ISMCTSBot(1, playout, 1.4, SEARCH_SIMULATIONS, allow_inconsistent_action_sets=True),
    )


SEARCHERS = [
    *(Contestant(f"{OURS} ISMCTS", game_id, our_search) for game_id in GAMES),
    Contestant("OpenSpiel MCTS", "connect_four", openspiel_mcts),
    Contestant("OpenSpiel MCTS", "backgammon", openspiel_mcts, similar=True),
    Contestant("OpenSpiel ISMCTS", "gin_rummy", openspiel_ismcts, similar=True),
    Contestant("OpenSpiel ISMCTS", "hearts", openspiel_ismcts, similar=True),
]


# -- The contest -------------------------------------------------------------------------------------------------------


def measure_apart(contestant: Contestant, seconds: float, at_most: float = SECONDS_EACH) -> Figures:
    """The figures of a contestant from a process of its own, or the reason why there are none."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        try:
            return pool.apply_async(contestant.measure, (contestant.game, seconds)).get(at_most)
        except multiprocessing.TimeoutError:
            return {"not_measured": f"took more than {at_most:.0f} seconds"}
        except Exception as problem:
            return {"not_measured": f"{type(problem).__name__}: {str(problem).strip() or 'no message'}".splitlines()[0]}


def contest(contestants: list[Contestant], seconds: float, what: str) -> list[Figures]:
    found = []
    with Progress(transient=True) as progress:
        for contestant in progress.track(contestants, description=what):
            facts = {"library": contestant.library, "game": contestant.game, "similar": contestant.similar}
            found.append({**facts, **measure_apart(contestant, seconds)})
    return found


def is_ours(entry: Figures) -> bool:
    return entry["library"].startswith(OURS)


def top_speed(entry: Figures) -> float:
    """The best of any batch size; 0 for one that was not measured."""
    return max(entry.get("speeds", {}).values(), default=0.0)


def fastest_rival(play: list[Figures]) -> Figures | None:
    """The quickest game of our kind that is not ours."""
    rivals = [entry for entry in play if entry["similar"] and top_speed(entry)]
    return max(rivals, key=top_speed, default=None)


def add_ratios(play: list[Figures]) -> None:
    """How many times the fastest rival each of our games is, at the largest batch."""
    rival = fastest_rival(play)
    for entry in play:
        if rival and is_ours(entry) and "speeds" in entry:
            entry["times_fastest_rival"] = entry["speeds"][LARGEST] / top_speed(rival)


def versions() -> dict[str, str]:
    def version(package: str) -> str:
        try:
            return importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            return "not installed"

    return {package: version(package) for package in PACKAGES}


# -- Showing it --------------------------------------------------------------------------------------------------------


def number(value: float | None, form: str = ",.0f") -> str:
    return "" if value is None else format(value, form)


def play_table(play: list[Figures]) -> Table:
    rival = fastest_rival(play)
    title = "Decisions a second" + (f"; fastest rival of our kind: {rival['library']} {rival['game']}" if rival else "")
    table = Table(title=title)
    sizes = [f"batch {size}" for size in BATCH_SIZES]
    for column in ("library", "game", *sizes, "× rival", "threads", "AEC loop", "first step, s"):
        table.add_column(column, justify="left" if column in ("library", "game") else "right")
    for entry in play:
        if "not_measured" in entry:
            table.add_row(entry["library"], entry["game"], "not measured")
            continue
        speeds = (number(entry["speeds"].get(str(size))) for size in BATCH_SIZES)
        ratios = (number(entry.get("times_fastest_rival"), ".1f"), number(entry.get("threads_bring"), ".2f"))
        table.add_row(
            entry["library"], entry["game"], *speeds, *ratios, number(entry.get("aec")), number(entry["first_step"], ".1f")
        )
    return table


def search_table(search: list[Figures]) -> Table:
    table = Table(title="Tree search with complete random play-outs")
    for column in ("search", "game", "simulations/s", "on one thread", "decisions a game", "decisions/s"):
        table.add_column(column, justify="left" if column in ("search", "game") else "right")
    for entry in search:
        if "not_measured" in entry:
            table.add_row(entry["library"], entry["game"], "not measured")
            continue
        speed, length = entry["simulations"], entry["decisions_a_game"]
        figures = (number(speed), number(entry.get("one_thread")), number(length), number(speed * length))
        table.add_row(entry["library"], entry["game"], *figures)
    return table


def show(results: dict[str, list[Figures]]) -> None:
    console = Console(width=150)
    console.print(play_table(results["play"]))
    console.print(search_table(results["search"]))
    for entry in (*results["play"], *results["search"]):
        if "not_measured" in entry:
            console.print(f"not measured: {entry['library']} {entry['game']}: {entry['not_measured']}", markup=False)


def draw(results: dict[str, list[Figures]], path: Path) -> None:
    """Bars of the best speeds and of the searches, on logarithmic axes."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    play = [(entry, top_speed(entry)) for entry in results["play"] if "speeds" in entry]
    search = [
        (entry, entry["simulations"] * entry["decisions_a_game"]) for entry in results["search"] if "simulations" in entry
    ]
    figure, axes = pyplot.subplots(
        2, 1, figsize=(9, 8), height_ratios=[max(1, len(play)), max(1, len(search))], layout="constrained"
    )
    draw_bars(axes[0], play, "Random play: decisions a second, best batch size")
    draw_bars(axes[1], search, "Tree search with complete play-outs: decisions a second")
    figure.savefig(path, dpi=130)
    pyplot.close(figure)


def draw_bars(axis: Any, entries: list[tuple[Figures, float]], title: str) -> None:
    entries = sorted(entries, key=lambda pair: pair[1])
    names = [f"{entry['library']} {entry['game']}" for entry, _ in entries]
    colours = ["#b8860b" if is_ours(entry) else "#7f8fa6" for entry, _ in entries]
    bars = axis.barh(names, [speed for _, speed in entries], color=colours)
    axis.bar_label(bars, labels=[f"{speed:,.0f}" for _, speed in entries], padding=3, fontsize=8)
    axis.set_xscale("log")
    axis.margins(x=0.15)
    axis.set_title(title)
    axis.spines[["top", "right"]].set_visible(False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.5, help="for each run of each figure")
    parser.add_argument("--only", nargs="*", metavar="WORD", help="only contestants with one of these words in their names")
    options = parser.parse_args()

    def chosen(contestants: list[Contestant]) -> list[Contestant]:
        return [each for each in contestants if not options.only or any(word in each.name for word in options.only)]

    results = {
        "play": contest(chosen(PLAYERS), options.seconds, "random play"),
        "search": contest(chosen(SEARCHERS), options.seconds, "search"),
    }
    add_ratios(results["play"])
    show(results)
    draw(results, RESULTS / "peers.png")
    facts = {"seconds": options.seconds, "runs": RUNS, "versions": versions()}
    print("written to", write_results("peers", {**facts, **results}))


if __name__ == "__main__":
    main()
