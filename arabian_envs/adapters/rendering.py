"""Render modes, the same in every adapter."""

from __future__ import annotations

from arabian_envs.engine.batch import GameBatch

RENDER_MODES = ["human", "ansi"]


def check_render_mode(game_id: str, mode: str | None) -> None:
    """Refuse a render mode there is not."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"{game_id}: render mode {mode!r}; expected None or one of {', '.join(RENDER_MODES)}")


def render(batch: GameBatch, table: int, viewer: int, mode: str | None) -> str | None:
    """One table from a seat's view: `ansi` returns its text, `human` prints it."""
    if mode is None:
        return None
    text = batch.render(table, viewer)
    if mode == "ansi":
        return text
    print(text, flush=True)
    return None
