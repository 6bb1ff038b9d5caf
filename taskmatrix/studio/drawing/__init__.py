"""Drawings and pictures."""

from .frame_recorder import EventFile as EventFile
from .frame_recorder import FrameRecorder as FrameRecorder
from .graph_text import mermaid as mermaid
from .pictures import animation as animation
from .pictures import contact_sheet as contact_sheet

__all__ = [
    "EventFile",
    "FrameRecorder",
    "animation",
    "contact_sheet",
    "mermaid",
]
