"""Recordings as they are read: what is in one, where two differ, and what can be drawn from them."""

from .comparison import Comparison as Comparison
from .comparison import compare as compare
from .differences import differences as differences
from .differences import summary as summary
from .log_plant import LogPlant as LogPlant
from .recording_reader import Recording as Recording
from .recording_reader import Steps as Steps
from .repetition import repeat as repeat
from .shown import demonstration as demonstration

__all__ = [
    "Comparison",
    "LogPlant",
    "Recording",
    "Steps",
    "compare",
    "demonstration",
    "differences",
    "repeat",
    "summary",
]
