"""Recordings of runs: one MCAP file with every event, what there was to see, and how to have the same run again."""

from __future__ import annotations

from .comparison import Comparison as Comparison
from .comparison import compare as compare
from .differences import differences as differences
from .differences import summary as summary
from .encode import Encoder as Encoder
from .header import header as header
from .recorder import Recorder as Recorder
from .recording import Recording as Recording
from .recording import Steps as Steps
from .scene import packed as packed
from .scene import scene as scene

__all__ = [
    "Comparison",
    "Encoder",
    "Recorder",
    "Recording",
    "Steps",
    "compare",
    "differences",
    "header",
    "packed",
    "scene",
    "summary",
]
