"""Sultaniya: staggered palaces, secret objectives and hired Djinns for one to four players."""

from pathlib import Path

from arabian_envs.engine.game import Game
from arabian_envs.engine.kernels import Rules
from arabian_envs.games.sultaniya.components import read_box
from arabian_envs.games.sultaniya.heuristic import evaluate
from arabian_envs.games.sultaniya.invariants import invariants
from arabian_envs.games.sultaniya.observe import OBSERVATION, observe
from arabian_envs.games.sultaniya.picture import render_svg
from arabian_envs.games.sultaniya.render import render_text
from arabian_envs.games.sultaniya.rules import ACTIONS, apply, determinize, legal_actions, scores, setup
from arabian_envs.games.sultaniya.state import STATE

GAME = Game(
    id="sultaniya",
    title="Sultaniya",
    version=0,
    designer="Charles Chevallier",
    publisher="Bombyx, 2014",
    summary="Build a palace of staggered, matching tiles, hire Djinns, and score symbols, guards and secret objectives.",
    min_players=1,
    max_players=4,
    hidden_information=True,
    point_scale=0.01,
    actions=ACTIONS,
    observation=OBSERVATION,
    state_dtype=STATE,
    rules=Rules(setup, legal_actions, apply, observe, scores, determinize, evaluate),
    read_box=read_box,
    render_text=render_text,
    render_svg=render_svg,
    invariants=invariants,
    folder=Path(__file__).parent,
)
