"""Six Sons of the Sultan: a dice game of tea orders for two players, or one against a dummy."""

from pathlib import Path

from arabian_envs.engine.game import Game
from arabian_envs.engine.kernels import Rules
from arabian_envs.games.six_sons.components import read_box
from arabian_envs.games.six_sons.heuristic import evaluate
from arabian_envs.games.six_sons.invariants import invariants
from arabian_envs.games.six_sons.observe import OBSERVATION, observe
from arabian_envs.games.six_sons.picture import render_svg
from arabian_envs.games.six_sons.render import render_text
from arabian_envs.games.six_sons.rules import ACTIONS, apply, determinize, legal_actions, scores, setup
from arabian_envs.games.six_sons.state import STATE

GAME = Game(
    id="six_sons",
    title="Six Sons of the Sultan",
    version=0,
    designer="Todd Sanders",
    publisher="Air and Nothingness Press, 2014",
    summary="Assign three dice to order tea, earn wealth and feed the opponent; ten rounds of tracks and special actions.",
    min_players=1,
    max_players=2,
    hidden_information=False,
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
