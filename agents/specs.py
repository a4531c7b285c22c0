"""Agents by name: `random`, `greedy`, `greedy:16`."""

from __future__ import annotations

from collections.abc import Callable

from agents.base import Agent
from agents.greedy import GreedyAgent
from agents.random import RandomAgent


def _random(argument: str) -> Agent:
    if argument:
        raise ValueError("takes no argument")
    return RandomAgent()


def _greedy(argument: str) -> Agent:
    return GreedyAgent(int(argument)) if argument else GreedyAgent()


_MAKERS: dict[str, tuple[Callable[[str], Agent], str]] = {
    "random": (_random, "random"),
    "greedy": (_greedy, "greedy or greedy:SAMPLES"),
}


def known_specs() -> list[str]:
    """How agents may be named."""
    return [usage for _, usage in _MAKERS.values()]


def make_agent(spec: str | Agent) -> Agent:
    """The agent that a spec names; an agent object stands for itself."""
    if not isinstance(spec, str):
        if not isinstance(spec, Agent):
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
