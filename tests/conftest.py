"""Tests of one game run in one process, so that its kernels are compiled once and not by two workers at the same time."""

import pytest

from arabian_envs import GAMES


def pytest_collection_modifyitems(items):
    for item in items:
        game_id = next((game_id for game_id in GAMES if game_id in item.nodeid), None)
        if game_id is not None:
            item.add_marker(pytest.mark.xdist_group(game_id))
