"""Pictures of tables: a small drawing kit and palette that all games share, and what becomes of an SVG file."""

from arabian_envs.drawing.canvas import Canvas
from arabian_envs.drawing.picture import Picture, gallery, text_picture

__all__ = ["Canvas", "Picture", "gallery", "text_picture"]
