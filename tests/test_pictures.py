"""Pictures: SVG that shows no more than a seat may know, pixels, windows and notebooks."""

import copy
import os
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageFont

from arabian_envs import GAMES, get_game, make_batch
from arabian_envs.adapters.aec import make_env
from arabian_envs.adapters.sb3 import ArabianVecEnv
from arabian_envs.adapters.single_agent import SingleAgentEnv
from arabian_envs.adapters.vector import ArabianVectorEnv
from arabian_envs.drawing import picture, text_picture

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
FONTS = Path(picture.__file__).parent / "fonts"


def moments(game_id, num_players, count=12, seed=3):
    """A batch at some moments of one random game, from the first to the last."""
    batch = make_batch(game_id, 1, num_players, seed=seed, autoreset=False)
    states = [batch.copy()]
    while batch.running[0]:
        batch.step(batch.sample())
        states.append(batch.copy())
    return [states[k] for k in np.linspace(0, len(states) - 1, count).astype(int)]


def player_counts(game_id):
    game = get_game(game_id)
    return sorted({game.min_players, game.max_players})


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_draws_itself_without_other_files_and_always_at_the_same_size(game_id):
    assert get_game(game_id).render_svg is not None
    for num_players in player_counts(game_id):
        sizes = set()
        for batch in moments(game_id, num_players):
            picture = batch.picture()
            root = ET.fromstring(picture)
            sizes.add((root.get("width"), root.get("height")))
            assert "href" not in picture
            assert "url(" not in picture
            assert get_game(game_id).title in picture
        assert len(sizes) == 1


def extent(text):
    """Where a text begins and ends."""
    style = "Bold" if text.get("font-weight") else "Regular"
    font = ImageFont.truetype(FONTS / f"ArabianSans-{style}.ttf", 100)
    width = font.getlength(text.text) * float(text.get("font-size")) / 100
    start = float(text.get("x")) - width * {None: 0, "middle": 0.5, "end": 1}[text.get("text-anchor")]
    return start, start + width


@pytest.mark.parametrize("game_id", GAMES)
def test_texts_stay_inside_and_are_large_enough_to_read_at_600_pixels(game_id):
    for num_players in player_counts(game_id):
        for batch in moments(game_id, num_players):
            root = ET.fromstring(batch.picture())
            height = float(root.get("height"))
            assert float(root.get("width")) == 600
            for text in root.iter("{http://www.w3.org/2000/svg}text"):
                if text.text:
                    start, end = extent(text)
                    assert start >= 0, text.text
                    assert end <= 600, text.text
                    assert 8 < float(text.get("y")) < height, text.text
                    assert float(text.get("font-size")) >= 7.5, text.text


@pytest.mark.parametrize("game_id", GAMES)
def test_a_picture_shows_nothing_that_its_viewer_cannot_know(game_id):
    """Whatever the hidden pieces and the future are redrawn to, a seat's picture is the same file."""
    for num_players in player_counts(game_id):
        for batch in moments(game_id, num_players, count=30):
            for viewer in range(num_players):
                other = batch.copy()
                for seed in (1, 2):
                    other.determinize(viewer, seed)
                    assert other.picture(viewer=viewer) == batch.picture(viewer=viewer)


@pytest.mark.parametrize("game_id", [game_id for game_id in GAMES if get_game(game_id).hidden_information])
def test_hidden_pieces_are_drawn_for_their_owner_and_when_all_is_revealed(game_id):
    batches = moments(game_id, 2, count=40)
    assert any(batch.picture(viewer=0) != batch.picture(viewer=None) for batch in batches)
    assert any(batch.picture(viewer=0) != batch.picture(viewer=1) for batch in batches)


def test_pixels_are_the_picture_with_its_texts():
    batch = make_batch("six_sons", 1, seed=1)
    pixels = batch.picture().pixels()
    assert pixels.dtype == np.uint8
    assert pixels.shape[1:] == (600, 3)
    header = pixels[8:30, 14:220]
    assert (header.min(axis=2) > 180).any(), "the title is missing: are the fonts there?"
    assert batch.picture().pixels(2).shape[1] == 1200


def test_a_picture_is_saved_by_its_ending(tmp_path):
    picture = make_batch("six_sons", 1, seed=1).picture()
    picture.save(tmp_path / "a.svg")
    picture.save(tmp_path / "a.png")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == picture
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_game_without_a_picture_is_drawn_as_its_text():
    picture = text_picture("\x1b[31mred\x1b[0m & <blue>\n  ● ● ●")
    words = [text.text for text in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]
    assert words == ["red\u00a0&\u00a0<blue>", "\u00a0\u00a0●\u00a0●\u00a0●"]


@pytest.mark.parametrize("make", [make_env, SingleAgentEnv])
def test_render_modes_of_environments(make):
    kinds = {"ansi": str, "svg": str, "rgb_array": np.ndarray, "human": type(None)}
    for mode, kind in kinds.items():
        env = make("six_sons", render_mode=mode)
        env.reset(seed=1)
        picture = env.render()
        assert isinstance(picture, kind)
        assert (mode == "svg") == str(picture).startswith("<svg")
        env.close()


def test_the_window_shows_the_acting_players_picture_and_closes():
    pygame = pytest.importorskip("pygame")
    env = make_env("six_sons", render_mode="human")
    env.reset(seed=1)
    surface = pygame.display.get_surface()
    assert surface.get_width() == 840
    before = pygame.surfarray.array3d(surface)
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert (pygame.surfarray.array3d(pygame.display.get_surface()) != before).any()
    twin = copy.deepcopy(env)
    twin.close()
    env.close()
    assert not pygame.display.get_init()


def test_a_closed_window_stays_closed_and_the_game_goes_on():
    pygame = pytest.importorskip("pygame")
    env = make_env("six_sons", render_mode="human")
    env.reset(seed=1)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    for _ in range(3):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert not pygame.display.get_init()


def test_vector_environments_draw_every_table():
    env = ArabianVectorEnv("six_sons", 3, render_mode="rgb_array")
    env.reset(seed=1)
    images = env.render()
    assert len(images) == 3
    assert all(image.shape == images[0].shape for image in images)
    with pytest.raises(ValueError, match="render mode 'human'; expected None or one of rgb_array, svg, ansi"):
        ArabianVectorEnv("six_sons", 3, render_mode="human")
    tables = ArabianVecEnv("six_sons", 4, render_mode="rgb_array")
    tables.reset()
    assert tables.render().shape[1] == 2 * images[0].shape[1]


def test_notebooks_show_batches_tables_and_environments():
    batch = make_batch("six_sons", 9, seed=1)
    html = batch._repr_html_()
    assert html.count("<svg") == 4
    assert "4 of 9 tables" in html
    assert batch.picture(8)._repr_svg_().startswith("<svg")
    env = make_env("djinns")
    env.reset(seed=1)
    assert env._repr_svg_() == env.unwrapped._batch.picture(viewer=env.unwrapped._batch.player[0])
    assert SingleAgentEnv("six_sons")._repr_svg_().startswith("<svg")
    assert "<svg" in ArabianVectorEnv("six_sons", 2)._repr_html_()


def test_missing_libraries_are_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(ImportError, match=r"pixels need resvg_py: pip install 'arabian-envs\[pictures\]'"):
        make_batch("six_sons", 1).picture().pixels()
