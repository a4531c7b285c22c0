"""1001 Islands: a game of drafting tiles, for two to five children of Sinbad."""

from pathlib import Path

from arabian_envs.engine.game import Game
from arabian_envs.engine.kernels import Rules
from arabian_envs.games.islands.components import read_box
from arabian_envs.games.islands.heuristic import evaluate
from arabian_envs.games.islands.invariants import invariants
from arabian_envs.games.islands.observe import OBSERVATION, observe
from arabian_envs.games.islands.picture import render_svg
from arabian_envs.games.islands.render import render_text
from arabian_envs.games.islands.rules import ACTIONS, apply, determinize, legal_actions, scores, setup
from arabian_envs.games.islands.state import STATE

GAME = Game(
    id="islands",
    title="1001 Islands",
    version=0,
    designer="Antoine Bauza and Bruno Cathala",
    publisher="Ludonaute, 2022",
    summary="Draft island and dream tiles over 16 rounds; each player picks who chooses next, the last becomes the Lookout.",
    min_players=2,
    max_players=5,
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
    folder=Path(__file__).parent,
)
