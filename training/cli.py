"""The `arabian` command."""

from __future__ import annotations

import dataclasses
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from agents.arena import play_match
from arabian_envs import GAMES, ArabianError, Game, __version__, get_game, make_batch
from arabian_envs.docs import action_rows, facts, observation_rows, rulings
from arabian_envs.engine.text import plain
from arabian_envs.errors import MismatchError
from arabian_envs.measure import BATCH_SIZES, batch_steps_per_second
from arabian_envs.replay import Replay
from arabian_envs.replay_page import write_gif, write_page

app = typer.Typer(add_completion=False, help="Arabian tabletop games for reinforcement learning.")
out = Console()

LADDER = ["random", "greedy", "flat:200", "ismcts:100", "ismcts:500"]

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="A game's id, see `arabian games`.")]
PlayersOption = Annotated[int | None, typer.Option(help="Players at the table.")]
SeedOption = Annotated[int, typer.Option(help="What all randomness comes from.")]


# Typer's versions differ in where this class lives.
_UsageError: Any = typer.BadParameter.__bases__[0]


def main() -> None:
    """Run the command; a mistake of the caller is one line on stderr and exit code 2."""
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except _UsageError as problem:
        _complain(problem.format_message().rstrip(".") + _choices(problem))
    except (ArabianError, ValueError, FileNotFoundError) as problem:
        _complain(str(problem))
    except ModuleNotFoundError as problem:
        _complain(f"this needs {problem.name}, which is not installed: pip install 'arabian-envs[train,ladder,pictures]'")
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)


def _choices(problem: Any) -> str:
    """What would have been right, for an unknown command or option."""
    context = getattr(problem, "ctx", None)
    if context is None or "No such" not in problem.format_message():
        return ""
    if "command" in problem.format_message():
        names = list(getattr(context.command, "commands", {}))
    else:
        names = [option for parameter in context.command.params for option in parameter.opts if option.startswith("--")]
    return "; there are: " + ", ".join(names)


def _complain(message: str) -> None:
    print("arabian: " + " ".join(message.split()), file=sys.stderr)
    sys.exit(2)


@app.callback(invoke_without_command=True)
def top(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False
) -> None:
    """Arabian tabletop games for reinforcement learning."""
    if version:
        out.print(f"arabian_envs {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def games() -> None:
    """List the games."""
    table = Table(title="The games")
    for column in ("id", "title", "players", "hidden"):
        table.add_column(column, no_wrap=column in ("id", "hidden"))
    for column in ("actions", "sees", "bytes"):
        table.add_column(column, justify="right", no_wrap=True)
    for game_id in GAMES:
        game = get_game(game_id)
        table.add_row(
            game.id,
            game.title,
            dict(facts(game))["Players"],
            "yes" if game.hidden_information else "no",
            str(game.num_actions),
            str(game.observation_size),
            str(game.state_dtype.itemsize),
        )
    out.print(table)


@app.command()
def info(game_id: GameArgument) -> None:
    """Show a game's facts, rulings, actions and observation."""
    game = get_game(game_id)
    out.print(f"[bold]{game.title}[/bold]\n{game.summary}\n")
    _print_table("Facts", ("", ""), [(name.replace("`", ""), value.replace("`", "")) for name, value in facts(game)])
    out.print("[bold]Rulings[/bold], where the rulebook leaves something open")
    for number, ruling in enumerate(rulings(game), 1):
        out.print(f"{number:3}. {ruling}", highlight=False, markup=False)
    out.print()
    _print_table("Actions", ("ids", "name", "index", "meaning"), action_rows(game))
    _print_table("Observation", ("numbers", "name", "shape", "bounds", "meaning"), observation_rows(game))


def _print_table(title: str, header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    table = Table(title=title, title_justify="left", show_header=any(header))
    for column in header:
        table.add_column(column)
    for row in rows:
        table.add_row(*row)
    out.print(table)


@app.command()
def rollout(
    game_id: GameArgument,
    players: PlayersOption = None,
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 1000,
    seed: SeedOption = 0,
) -> None:
    """Play random games: speed, length and scores."""
    game = get_game(game_id)
    lengths, scores, seconds = _random_games(game, players, games, seed)
    table = Table(title=f"{game.title}: {len(lengths)} random games")
    for column in ("", "mean", "sd", "least", "most"):
        table.add_column(column, justify="right")
    rows = {"decisions": lengths, **{f"score of seat {seat}": scores[:, seat] for seat in range(scores.shape[1])}}
    for name, values in rows.items():
        table.add_row(name, *(f"{value:.1f}" for value in (values.mean(), values.std(), values.min(), values.max())))
    out.print(table)
    out.print(f"{lengths.sum():,} decisions in {seconds:.2f} s: {lengths.sum() / seconds:,.0f} a second")


def _random_games(game: Game, players: int | None, games: int, seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Lengths and final scores of that many random games, and the seconds they took."""
    tables = min(games, 4096)
    lengths, scores, seconds = [], [], 0.0
    with Progress(console=out, transient=True) as progress:
        task = progress.add_task(game.title, total=games)
        for first in range(0, games, tables):
            batch = make_batch(game.id, min(tables, games - first), players, seed, autoreset=False, first_table=first)
            length = np.zeros(batch.num_games, np.int64)
            running = batch.running
            started = time.perf_counter()
            while running.any():
                batch.step(batch.sample(), where=running)
                length += running
                left = batch.running
                progress.advance(task, int(running.sum() - left.sum()))
                running = left
            seconds += time.perf_counter() - started
            lengths.append(length)
            scores.append(batch.final_scores)
    return np.concatenate(lengths), np.concatenate(scores), seconds


@app.command()
def match(
    game_id: GameArgument,
    agents: Annotated[list[str], typer.Argument(metavar="AGENT…", help="Who plays, such as: greedy random.")],
    players: PlayersOption = None,
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 1000,
    seed: SeedOption = 0,
    replays: Annotated[Path | None, typer.Option(help="A folder to write a replay of every game to.")] = None,
    folder: Annotated[Path | None, typer.Option("--out", help="A folder for the result as JSON and as a chart.")] = None,
) -> None:
    """Play a match between agents, with rotating seats."""
    if folder is not None:
        from agents.ladder import draw_match
    result = play_match(game_id, agents, games, players, seed, progress=True, replays=replays)
    table = Table(title=f"{get_game(game_id).title}: {games} games of {result.num_players}")
    for column in ("agent", "won", "95 % interval", "mean score"):
        table.add_column(column, justify="left" if column == "agent" else "right")
    for index, name in enumerate(result.agents):
        interval = f"{result.win_share_low[index]:.1%} – {result.win_share_high[index]:.1%}"
        table.add_row(name, f"{result.win_share[index]:.1%}", interval, f"{result.mean_score[index]:.1f}")
    out.print(table)
    seats = ", ".join(f"{share:.1%}" for share in result.seat_share)
    out.print(f"{result.mean_length:.1f} decisions a game; wins by seat {seats}; {result.seconds:.1f} s")
    if folder is not None:
        name = f"{get_game(game_id).name}_{result.num_players}p_match"
        command = f"arabian match {game_id} {' '.join(agents)} --players {result.num_players} --games {games} --seed {seed}"
        _write_json(folder / f"{name}.json", {"command": command, **result.as_json()})
        draw_match(result, f"{get_game(game_id).title}, {result.num_players} players", folder / f"{name}.png")
        out.print(f"written to {folder}/{name}.json and .png", highlight=False)


def _write_json(path: Path, content: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


@app.command()
def ladder(
    game_id: GameArgument,
    agents: Annotated[
        list[str] | None, typer.Argument(metavar="AGENT…", help="Who plays; by default a few of each kind.")
    ] = None,
    players: PlayersOption = None,
    games: Annotated[int, typer.Option(help="Games of each pairing.", min=1)] = 400,
    seed: SeedOption = 0,
    folder: Annotated[Path, typer.Option("--out", help="Where results, ratings and chart go.")] = Path("runs/ladder"),
) -> None:
    """Play a round-robin and rate the agents; finished pairings are kept and not played again."""
    from agents.ladder import draw_ladder, play_ladder

    game = get_game(game_id)
    table_size = players or game.default_players
    name = f"{game.name}_{table_size}p"
    ratings = play_ladder(game_id, agents or LADDER, games, players, seed, folder / f"{name}.results.jsonl", progress=True)
    table = Table(title=f"{game.title}, {table_size} players, {games} games a pairing")
    for column in ("agent", "rating", "95 % interval", "won"):
        table.add_column(column, justify="left" if column == "agent" else "right")
    for row in ratings:
        table.add_row(row.agent, f"{row.rating:.0f}", f"{row.low:.0f} … {row.high:.0f}", f"{row.win_share:.1%}")
    out.print(table)
    command = f"arabian ladder {game_id} {' '.join(agents or LADDER)} --players {table_size} --games {games} --seed {seed}"
    _write_json(folder / f"{name}.json", {"command": command, "ratings": [dataclasses.asdict(row) for row in ratings]})
    draw_ladder(ratings, f"{game.title}, {table_size} players", folder / f"{name}.png")
    out.print(f"written to {folder}/{name}.json, .png and .results.jsonl")


@app.command()
def train(
    game_id: GameArgument,
    config: Annotated[Path | None, typer.Option(help="A TOML file of options, on top of the game's own.")] = None,
    steps: Annotated[int | None, typer.Option(help="Decisions of the learner.", min=1)] = None,
    settings: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any option.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="DIR", help="The folder of a run to go on with.")] = None,
    folder: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The folder of a new run.")] = None,
    replays: Annotated[int, typer.Option(help="Games of every evaluation to keep as replays.", min=0)] = 0,
) -> None:
    """Train a policy by self-play (needs the extra `train`). The options are in training/configs/default.toml."""
    try:
        import training.ppo as ppo
    except ImportError as problem:
        raise ValueError(f"training needs more packages: pip install 'arabian-envs[train]' ({problem})") from None
    ppo.train_from_command_line(get_game(game_id), config, steps, settings or [], resume, folder, replays, out)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A replay, as `arabian match --replays` and environments write it.")],
    html: Annotated[Path | None, typer.Option(help="Write a web page with the board and a slider.")] = None,
    gif: Annotated[Path | None, typer.Option(help="Write an animation.")] = None,
    viewer: Annotated[int | None, typer.Option(help="Show what this seat may know; everything without it.")] = None,
    box: Annotated[Path | None, typer.Option(help="The folder of the components it was played with.")] = None,
) -> None:
    """Check a replay, and step through it in the terminal or write it as a page or an animation."""
    game = Replay.read(file)
    components = None if box is None else get_game(game.game).load_box(box)
    try:
        game.check(components)
    except MismatchError as problem:
        raise MismatchError(f"{file}: {problem}") from problem
    if viewer is not None and not 0 <= viewer < game.num_players:
        raise ValueError(f"viewer {viewer}; expected a seat from 0 to {game.num_players - 1}")
    for path, write in ((html, write_page), (gif, write_gif)):
        if path is not None:
            _write_with_progress(write, game, path, components, viewer)
    if html is None and gif is None:
        _step_through(game, [batch.render(0, viewer) for batch in game.play(components)])
    scores = ", ".join(f"{game.seat_name(seat)} {score:g}" for seat, score in enumerate(game.scores))
    out.print(f"{len(game.actions)} decisions, as recorded. Scores: {scores}", highlight=False)


def _write_with_progress(write: Callable[..., None], game: Replay, path: Path, *options: Any) -> None:
    with Progress(console=out, transient=True) as progress:
        task = progress.add_task(path.name, total=None)
        write(game, path, *options, progress=lambda done, total: progress.update(task, completed=done, total=total))
    out.print(f"wrote {path}", highlight=False, soft_wrap=True)


def _step_through(game: Replay, boards: list[str]) -> None:
    """One board after the other at a terminal; elsewhere the decisions and the last board."""
    captions = ["the start"]
    captions += [f"{game.seat_name(p)}: {name}" for p, name in zip(game.players, game.names, strict=True)]
    if not (sys.stdin.isatty() and out.is_terminal):
        print("\n".join(f"{number:5d}  {caption}" for number, caption in enumerate(captions)), plain(boards[-1]), sep="\n")
        return
    number = 0
    while number < len(boards):
        out.clear()
        print(boards[number], f"\n{number} of {len(boards) - 1}: {captions[number]}", sep="\n")
        answer = input("Enter: on, b: back, a number: there, q: quit > ").strip()
        if answer == "q":
            return
        number = max(0, number - 1) if answer == "b" else int(answer) if answer.isdigit() else number + 1


@app.command()
def bench(
    game_ids: Annotated[list[str] | None, typer.Argument(metavar="GAME…", help="Games; all if none is named.")] = None,
    players: PlayersOption = None,
    seconds: Annotated[float, typer.Option(help="Seconds for each figure.", min=0.05)] = 1.0,
) -> None:
    """Measure random play: decisions a second by batch size."""
    chosen = [get_game(game_id) for game_id in game_ids or GAMES]
    table = Table(title="Decisions a second, random legal play, all cores")
    table.add_column("game")
    for size in BATCH_SIZES:
        table.add_column(f"batch {size}", justify="right")
    with Progress(console=out, transient=True) as progress:
        task = progress.add_task("measuring", total=len(chosen) * len(BATCH_SIZES))
        for game in chosen:
            figures = []
            for size in BATCH_SIZES:
                figures.append(batch_steps_per_second(game.id, size, None, players, seconds))
                progress.advance(task)
            table.add_row(game.id, *(f"{figure:,.0f}" for figure in figures))
    out.print(table)


if __name__ == "__main__":
    main()
