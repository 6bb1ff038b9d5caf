"""Recordings as they are written: every event, what there was to see, and how to have the same run again."""

from .encode import Encoder as Encoder
from .header import header as header
from .recorder import Recorder as Recorder
from .scene import packed as packed
from .scene import scene as scene

__all__ = ["Encoder", "Recorder", "header", "packed", "scene"]
