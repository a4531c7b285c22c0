"""Train the policies that come with the package, and write their model cards.

    python -m training.policies [--runs DIR] [--set KEY=VALUE]… [GAME…]

One game after another, each with its own options of training/configs and its own budget of time. A run that was stopped goes
on where it was. The policies and cards go to agents/policies/.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from agents.arena import MatchResult, play_match
from agents.policy import load_policy, save_policy
from agents.ppo import SHIPPED
from arabian_envs import GAMES, Game, get_game
from training.config import Config, load_config, parse_setting
from training.ppo import Trainer
from training.report import match_table

GAMES_PER_MATCH = 4000

CARD = """# A policy for {title}

`{id}.safetensors` plays {title} version {version} at every seat and table size: `arabian match {id} ppo greedy`.

| fact | value |
| --- | --- |
| Command | `python -m training.policies {arguments}` |
| Method | {method} |
| Learner's decisions | {steps:,} |
| Wall time | {minutes} minutes |
| Network | {network}, {activation}; {size} KB, 16-bit numbers |
| Seed | {seed} |

Its opponents in training: {opponents}. It plays the likeliest action.{advice}

## Results
Share of the games won, with rotated seats; tied winners share a game.

| against | players | games | won | 95 % interval | fair share |
| --- | --- | --- | --- | --- | --- |
{rows}
"""

ADVICE = """
Besides the observation it sees the heuristic's opinion of every action, one step ahead (worlds redrawn for it: {samples}).
That counts {trust:g} times in its logits; what it has learned is when not to follow it."""


def main(arguments: Sequence[str]) -> int:
    """Train, evaluate and describe; the exit code says whether every policy is as strong as it should be."""
    parser = argparse.ArgumentParser(description="Train the policies that come with the package.")
    parser.add_argument("games", nargs="*", metavar="GAME", default=GAMES, help="games; all if none is named")
    parser.add_argument("--runs", type=Path, default=Path("runs/policies"), help="where the training runs are kept")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="any training option")
    options = parser.parse_args(arguments)
    console = Console()
    strong = True
    for game in [get_game(game_id) for game_id in options.games]:
        config = load_config(game.id, [parse_setting(setting) for setting in options.set])
        trainer = Trainer(game, config, options.runs / game.id, console)
        trainer.run()
        if trainer.stopping:
            return 130
        extra = " ".join(f"--set {setting}" for setting in options.set)
        results = publish(trainer, f"{extra} {game.id}".strip())
        console.print(match_table(f"{game.title}: the shipped policy", results))
        for complaint in weaknesses(results):
            console.print(f"[red]{game.id}: {complaint}")
            strong = False
    return 0 if strong else 1


def publish(trainer: Trainer, arguments: str) -> list[MatchResult]:
    """Put a trained policy and its card among the shipped ones; the results are of the file as shipped."""
    game = trainer.game
    path = SHIPPED / f"{game.id}.safetensors"
    save_policy(path, trainer.policy(), half=True)
    results = evaluate(game, path)
    path.with_suffix(".md").write_text(card(game, trainer.config, path, arguments, results), encoding="utf-8")
    return results


def evaluate(game: Game, path: Path) -> list[MatchResult]:
    """Two players against random and greedy, and the largest table against greedy."""
    pairings = [("random", game.default_players), ("greedy", game.default_players)]
    if game.max_players > game.default_players:
        pairings.append(("greedy", game.max_players))
    return [play_match(game.id, [f"ppo:{path}", other], GAMES_PER_MATCH, seats, seed=1) for other, seats in pairings]


def weaknesses(results: Sequence[MatchResult]) -> list[str]:
    """What a policy that comes with the package should do better."""
    complaints = []
    largest = max(result.num_players for result in results)
    for result in results:
        baseline, won, seats = result.agents[-1], float(result.win_share[0]), result.num_players
        wanted = {"random": 0.95, "greedy": 0.6}[baseline] if seats == 2 else 0.0
        if baseline == "greedy" and seats == largest:
            wanted = max(wanted, 1.5 / seats)
        if won < wanted:
            complaints.append(f"wins {won:.1%} against {baseline} with {seats} players; expected {wanted:.1%}")
    return complaints


def card(game: Game, config: Config, path: Path, arguments: str, results: Sequence[MatchResult]) -> str:
    """The model card as Markdown."""
    policy = load_policy(path)
    sizes = [policy.input_size, *(weight.shape[0] for weight, _ in policy.layers)]
    rows = [
        f"| {result.agents[-1]} | {result.num_players} | {result.num_games:,} | {result.win_share[0]:.1%} "
        f"| {result.win_share_low[0]:.1%} – {result.win_share_high[0]:.1%} | {1 / result.num_players:.0%} |"
        for result in results
    ]
    imitation = config.imitation
    first = f"{imitation.seconds:g} s of imitating {imitation.teacher}, then " if imitation.seconds else ""
    return CARD.format(
        title=game.title,
        id=game.id,
        version=game.version,
        arguments=arguments,
        method=f"{first}PPO by self-play, {config.tables} tables of {', '.join(map(str, policy.facts['players']))} players",
        steps=policy.facts["steps"],
        minutes=policy.facts["minutes"],
        network=" – ".join(map(str, sizes)),
        activation=policy.activation,
        size=path.stat().st_size // 1024,
        seed=config.seed,
        opponents=", ".join(f"{name} {weight:g}" for name, weight in config.opponents.items()),
        advice=ADVICE.format(samples=policy.advice, trust=policy.trust) if policy.advice else "",
        rows="\n".join(rows),
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
