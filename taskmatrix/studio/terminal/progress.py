"""What happens in a run, as lines that scroll, and below them what runs now."""

from __future__ import annotations

from collections import deque
from threading import Event as Signal
from threading import Thread

from rich.console import Console, ConsoleRenderable, RenderHook
from rich.live import Live as Screen
from rich.text import Text

from taskmatrix.core.clock import Clock, RealClock
from taskmatrix.core.events import Event
from taskmatrix.core.failure import Failure
from taskmatrix.studio.words import News, words

from .activity import Activity
from .live import Live
from .outcome import STEP, chain
from .screen import broken

REFRESHES = 10.0  # [Hz] at most
SHOWN = {  # kinds of events that are lines; the others change what runs, or matter to programs only
    *("message", "transition", "plan", "motion", "renewal", "recovery", "blocked", "failure", "overrun"),
    *("slip", "lost", "contest", "schedule", "remote", "moved"),
}
_STYLES = {
    "quiet": "dim",
    "change": "magenta",
    "plan": "blue",
    "success": "green",
    "warning": "yellow",
    "failure": "red",
}
_FAILURES = {"blocked": "held", "failure": "failed", "recovery": "recovered from", "renewal": "plans anew"}


class TerminalProgress(RenderHook):
    """Prints messages, transitions, plans and failures, and on a terminal shows below them what runs now.

    Elsewhere - in a file, a pipe, on a terminal that cannot move its cursor - there are lines and nothing else. On a
    terminal they are gathered and drawn a few times a second, by a thread: the run does not wait for the screen.

    Args:
        console: Where to print.
        clock: The time in which somebody looks at it; that of the machine unless given.
    """

    def __init__(self, console: Console, clock: Clock | None = None) -> None:
        self._console = console
        self._news = News()
        self._activity = Activity()
        self._live = console.is_interactive and not console.quiet
        self._waiting: deque[Event] = deque()
        self._ended = Signal()
        if self._live:
            shown = Live(self._activity, clock or RealClock())
            self._screen = Screen(shown, console=console, auto_refresh=False, transient=True)
            self._thread = Thread(target=self._watch, name="taskmatrix-terminal", daemon=True)

    def __enter__(self) -> TerminalProgress:
        if self._live:
            self._console.push_render_hook(self)  # before that of the screen: lines come above it
            self._screen.start()
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._ended.set()
            self._thread.join()
            self.refresh()
            self._screen.stop()
            self._console.pop_render_hook()

    def __call__(self, event: Event) -> None:
        """Show an event."""
        if self._console.quiet:
            return
        self._activity(event)
        if event.kind in SHOWN and self._news(event.kind, event.source, event.data):
            if self._live:
                self._waiting.append(event)
            else:
                for line in self._lines(event):
                    self._console.print(line)

    def refresh(self) -> None:
        """Draw now what is new, where there is a terminal."""
        if self._live:
            self._screen.refresh()

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Whatever is printed comes after the lines that wait."""
        waiting: list[ConsoleRenderable] = []
        while self._waiting:
            waiting += self._lines(self._waiting.popleft())
        return [*waiting, *renderables]

    def _watch(self) -> None:
        while not self._ended.wait(1.0 / REFRESHES):
            self.refresh()

    def _lines(self, event: Event) -> list[Text]:
        """An event in words; a failure with causes has a line for each of them on a terminal."""
        text, level = words(event.kind, event.data)
        head = Text(f"{event.time:7.2f} s  ", style="dim")
        head.append(f"{event.source:<18} ", style="bold cyan")
        style = _STYLES.get(level, "")
        failure = event.data.get("cause" if event.kind == "renewal" else "failure")
        if not self._console.is_terminal:
            return [head + Text(text, style=style)]
        if event.kind in _FAILURES and isinstance(failure, Failure) and (failure.cause or failure.earlier):
            told = Text(_FAILURES[event.kind], style=style)
            return [*broken(head, told, self._console), *chain(failure, 11 + STEP, self._console)]
        return broken(head, Text(text, style=style), self._console)
