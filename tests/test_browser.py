"""The page of a replay in a real browser."""

import shutil

import pytest

from arabian_envs import get_game
from arabian_envs.replay import Replay
from arabian_envs.replay_page import write_page

selenium = pytest.importorskip("selenium", reason="selenium is not installed")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no chromium and chromedriver on the path")

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --window-size=1200,900"
)


@pytest.fixture(scope="module")
def replay():
    return Replay.read(get_game("six_sons").folder / "golden" / "2_players.jsonl")


@pytest.fixture(scope="module")
def browser(replay, tmp_path_factory):
    from selenium import webdriver

    folder = tmp_path_factory.mktemp("browser")
    write_page(replay, folder / "game.html")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in [*FLAGS.split(), f"--user-data-dir={folder / 'profile'}"]:
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.get((folder / "game.html").as_uri())
    yield driver
    driver.quit()


def board(browser):
    return browser.find_element("id", "board").get_attribute("innerHTML")


def move_slider(browser, value):
    slider = browser.find_element("id", "slider")
    browser.execute_script(
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", slider, value
    )


def test_the_slider_moves_the_board_the_log_and_the_scores(browser, replay):
    last = len(replay.actions)
    move_slider(browser, 0)
    first = board(browser)
    assert "<svg" in first
    assert browser.find_element("css selector", "#board svg").size["width"] > 300
    seen = {first}
    for step in (1, last // 2, last):
        move_slider(browser, step)
        assert browser.find_element("id", "number").text == f"{step} / {last}"
        assert replay.names[step - 1] in browser.find_element("css selector", "li[aria-current]").text
        seen.add(board(browser))
    assert len(seen) == 4
    assert "The game is over." in board(browser)
    scores = [cell.text for cell in browser.find_elements("css selector", "#scores td:last-child")]
    assert scores == [f"{score:g}" for score in replay.scores]


def test_keys_and_buttons_step_through_the_game(browser):
    from selenium.webdriver.common.keys import Keys

    move_slider(browser, 0)
    start = board(browser)
    browser.find_element("id", "on").click()
    assert browser.find_element("id", "slider").get_property("value") == "1"
    assert board(browser) != start
    browser.find_element("id", "back").click()
    assert board(browser) == start
    slider = browser.find_element("id", "slider")
    slider.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert slider.get_property("value") == "2"


def test_a_line_of_the_log_leads_to_its_board(browser, replay):
    browser.find_elements("css selector", "#log li")[4].click()
    assert browser.find_element("id", "slider").get_property("value") == "5"


def test_the_page_reports_no_errors(browser):
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
