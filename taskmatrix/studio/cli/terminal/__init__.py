"""What a run looks like on the terminal: lines that scroll, and below them what runs now."""

from .activity import Activity as Activity
from .live import Live as Live
from .outcome import show_outcome as show_outcome
from .progress import TerminalProgress as TerminalProgress
from .progress import compile_with_progress as compile_with_progress
from .screen import console as console

__all__ = ["Activity", "Live", "TerminalProgress", "compile_with_progress", "console", "show_outcome"]
