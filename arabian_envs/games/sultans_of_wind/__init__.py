"""Sultans of Wind: a carpet race for 2–4 players through a maze of clouds that everybody turns and shifts."""

from pathlib import Path

from arabian_envs.engine.game import Game
from arabian_envs.engine.kernels import Rules
from arabian_envs.games.sultans_of_wind.components import read_box
from arabian_envs.games.sultans_of_wind.heuristic import evaluate
from arabian_envs.games.sultans_of_wind.invariants import invariants
from arabian_envs.games.sultans_of_wind.observe import OBSERVATION, observe
from arabian_envs.games.sultans_of_wind.picture import render_svg
from arabian_envs.games.sultans_of_wind.render import render_text
from arabian_envs.games.sultans_of_wind.rules import ACTIONS, apply, determinize, legal_actions, scores, setup
from arabian_envs.games.sultans_of_wind.state import STATE

GAME = Game(
    id="sultans_of_wind",
    title="Sultans of Wind",
    version=0,
    designer="Jan Meyberg",
    publisher="Desyllas Games, 2016",
    summary="Secretly choose two wind tiles a round and race carpets through a maze of clouds that turns and shifts.",
    min_players=2,
    max_players=4,
    hidden_information=True,
    point_scale=0.02,
    actions=ACTIONS,
    observation=OBSERVATION,
    state_dtype=STATE,
    rules=Rules(setup, legal_actions, apply, observe, scores, determinize, evaluate),
    read_box=read_box,
    render_text=render_text,
    render_svg=render_svg,
    invariants=invariants,
    search_depth=0,
    folder=Path(__file__).parent,
)
