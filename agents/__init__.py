"""Who plays: agents that act on a whole batch at once, and the arena."""

from agents.base import Agent
from agents.greedy import GreedyAgent
from agents.random import RandomAgent
from agents.search import FlatAgent, IsmctsAgent, SearchOptions
from agents.specs import known_specs, make_agent

__all__ = [
    "Agent",
    "FlatAgent",
    "GreedyAgent",
    "IsmctsAgent",
    "RandomAgent",
    "SearchOptions",
    "known_specs",
    "make_agent",
]
