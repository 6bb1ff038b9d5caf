"""Drawings and pictures."""

from typing import TYPE_CHECKING

from taskmatrix.core.base.lazy import lazy, listing

if TYPE_CHECKING:
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

# Loaded when they are first asked for: who lays out a graph needs no renderer.
__getattr__ = lazy(
    __name__,
    {
        ".frame_recorder": "EventFile FrameRecorder",
        ".graph_text": "mermaid",
        ".pictures": "animation contact_sheet",
    },
)
__dir__ = listing(__name__)
