"""Djinns of the High Desert: a card game of hidden hands, theft and wishes for two to four players."""

from pathlib import Path

from arabian_envs.engine.game import Game
from arabian_envs.engine.kernels import Rules
from arabian_envs.games.djinns.components import MAX_PLAYERS, read_box
from arabian_envs.games.djinns.heuristic import evaluate
from arabian_envs.games.djinns.invariants import invariants
from arabian_envs.games.djinns.observe import OBSERVATION, observe
from arabian_envs.games.djinns.picture import render_svg
from arabian_envs.games.djinns.render import render_text
from arabian_envs.games.djinns.rules import ACTIONS, apply, determinize, legal_actions, scores, setup
from arabian_envs.games.djinns.state import STATE

GAME = Game(
    id="djinns",
    title="Djinns of the High Desert",
    version=0,
    designer="Alec Bishop",
    publisher="Toresh Games, 2019",
    summary="Summon djinns of one clan into the palace, rob and trade with the neighbours, and spend cards on wishes.",
    min_players=2,
    max_players=MAX_PLAYERS,
    hidden_information=True,
    point_scale=0.05,
    actions=ACTIONS,
    observation=OBSERVATION,
    state_dtype=STATE,
    rules=Rules(setup, legal_actions, apply, observe, scores, determinize, evaluate),
    read_box=read_box,
    render_text=render_text,
    render_svg=render_svg,
    invariants=invariants,
    search_depth=2,
    folder=Path(__file__).parent,
)
