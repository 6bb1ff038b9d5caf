"""A screen to look at: what a terminal would show."""

from __future__ import annotations

from io import StringIO

import pyte
from rich.console import Console


class Glass:
    """A console, and the screen of the terminal that it writes to."""

    def __init__(self, width: int, height: int = 24, encoding: str = "utf-8") -> None:
        self.file = Paper(encoding)
        self.console = Console(
            file=self.file, force_terminal=True, width=width, height=height, color_system="standard", _environ={}
        )
        self._screen = pyte.HistoryScreen(width, height, history=10_000, ratio=1)
        self._screen.set_mode(pyte.modes.LNM)
        self._stream = pyte.Stream(self._screen)
        self._read = 0

    def lines(self) -> list[str]:
        """What is on the screen now, without empty lines at its end."""
        self._feed()
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip().split("\n")

    def scrolled(self) -> list[str]:
        """What is on the screen, and what has left it at the top before."""
        lines = self.lines()
        above = ["".join(line[column].data for column in sorted(line)) for line in self._screen.history.top]
        return [line.rstrip() for line in above] + lines

    def _feed(self) -> None:
        written = self.file.getvalue()
        self._stream.feed(written[self._read :])
        self._read = len(written)


class Paper(StringIO):
    """A file in memory, with an encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding
