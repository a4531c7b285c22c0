"""Agents by name: `random`, `greedy`, `flat:200`, `ismcts:500`, `ppo`."""

from __future__ import annotations

from collections.abc import Callable

from agents.base import Agent
from agents.greedy import GreedyAgent
from agents.ppo import PPOAgent
from agents.random import RandomAgent
from agents.search import FlatAgent, IsmctsAgent, SearchOptions
from arabian_envs.checks import whole

_MOST = 1_000_000


def _random(argument: str) -> Agent:
    if argument:
        raise ValueError("takes no argument")
    return RandomAgent()


def _number(argument: str, default: int) -> int:
    """How long an agent thinks. More than the most would take hours for a decision, and more memory than there is."""
    return whole(int(argument), "number", 1, _MOST) if argument else default


def _greedy(argument: str) -> Agent:
    return GreedyAgent(_number(argument, 4))


def _flat(argument: str) -> Agent:
    return FlatAgent(SearchOptions(simulations=_number(argument, 200), playout="random", depth=None))


def _ismcts(argument: str) -> Agent:
    return IsmctsAgent(SearchOptions(simulations=_number(argument, 500)))


def _ppo(argument: str) -> Agent:
    return PPOAgent(argument or None)


_MAKERS: dict[str, tuple[Callable[[str], Agent], str]] = {
    "random": (_random, "random"),
    "greedy": (_greedy, "greedy or greedy:SAMPLES"),
    "flat": (_flat, "flat:SIMULATIONS"),
    "ismcts": (_ismcts, "ismcts:SIMULATIONS"),
    "ppo": (_ppo, "ppo or ppo:PATH"),
}


def known_specs() -> list[str]:
    """How agents may be named."""
    return [usage for _, usage in _MAKERS.values()]


def make_agent(spec: str | Agent) -> Agent:
    """The agent that a spec names; an agent object stands for itself."""
    if not isinstance(spec, str):
        if not isinstance(spec, Agent) or isinstance(spec, type):
            raise TypeError(f"{spec!r} is not an agent: expected a spec, or an object with name, seed and act")
        return spec
    name, _, argument = spec.partition(":")
    right = f"expected {', '.join(known_specs())}"
    if name not in _MAKERS or spec.endswith(":"):
        raise ValueError(f"no agent {spec!r}; {right}")
    try:
        return _MAKERS[name][0](argument)
    except ValueError as problem:
        raise ValueError(f"agent {spec!r}: {problem}; {right}") from None
