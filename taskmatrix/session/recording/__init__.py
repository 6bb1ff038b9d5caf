"""Recordings as they are written: every event, what there was to see, and how to have the same run again."""

from .encode import Encoder as Encoder
from .event_recorder import Recorder as Recorder
from .header import header as header
from .scene import packed as packed
from .scene import scene as scene
from .scene import surfaces as surfaces

__all__ = ["Encoder", "Recorder", "header", "packed", "scene", "surfaces"]
