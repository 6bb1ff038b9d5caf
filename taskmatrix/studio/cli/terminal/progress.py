"""What happens in a run, as lines that scroll, and below them what runs now."""

from __future__ import annotations

import sys
from collections import deque
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from threading import Event as Signal
from threading import Thread
from typing import TextIO

from rich.console import Console, ConsoleRenderable, RenderHook
from rich.file_proxy import FileProxy
from rich.live import Live as Screen
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from taskmatrix.core.base.clock import Clock, RealClock
from taskmatrix.core.base.compilation import CompileProgress
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure
from taskmatrix.kernel.ahead_of_time import compile_ahead
from taskmatrix.session.event_text import RepeatFilter, event_text

from .activity import Activity
from .live import Live
from .outcome import STEP, chain
from .screen import broken

REFRESHES = 10.0  # [Hz] at most
SHOWN = {  # kinds of events that are lines; the others change what runs, or matter to programs only
    *("message", "transition", "plan", "motion", "replan", "wait", "recovery", "blocked", "failure", "overrun"),
    *("slip", "lost", "contest", "schedule", "remote", "moved", "adjusted"),
}
_STYLES = {
    "quiet": "dim",
    "change": "magenta",
    "plan": "blue",
    "success": "green",
    "warning": "yellow",
    "failure": "red",
}
_FAILURES = {
    "blocked": "held",
    "failure": "failed",
    "recovery": "recovered from",
    "replan": "plans anew",
    "wait": "waits for what moves",
}


class TerminalProgress(RenderHook):
    """Prints messages, transitions, plans and failures, and on a terminal shows below them what runs now.

    Elsewhere - in a file, a pipe, on a terminal that cannot move its cursor - there are lines and nothing else. On a
    terminal they are gathered and drawn a few times a second, by a thread: the run does not wait for the screen. What
    is printed meanwhile is gathered with them, since the cursor may be moved by one thread only.

    Args:
        console: Where to print.
        clock: The time in which somebody looks at it; that of the machine unless given.
    """

    def __init__(self, console: Console, clock: Clock | None = None) -> None:
        self._console = console
        self._repeats = RepeatFilter()
        self._activity = Activity()
        self._live = console.is_interactive and not console.quiet
        self._waiting: deque[Event | Text] = deque()
        self._ended = Signal()
        self._redirected = ExitStack()
        if self._live:
            shown = Live(self._activity, clock or RealClock())
            self._screen = Screen(
                shown,
                console=console,
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._thread: Thread | None = None

    def __enter__(self) -> TerminalProgress:
        if self._live:
            self._console.push_render_hook(self)  # before that of the screen: lines come above it
            self._screen.start()
            for redirect, file in ((redirect_stdout, sys.stdout), (redirect_stderr, sys.stderr)):
                printed = _Printed(self._console, file, self._waiting)
                self._redirected.callback(printed.end)
                self._redirected.enter_context(redirect(printed))
            self._ended.clear()
            self._thread = Thread(target=self._watch, name="taskmatrix-terminal", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live and self._thread is not None:
            self._ended.set()
            self._thread.join()
            self._redirected.close()
            self.refresh()
            self._screen.stop()
            self._console.pop_render_hook()

    def __call__(self, event: Event) -> None:
        """Show an event."""
        if self._console.quiet:
            return
        self._activity(event)
        if event.kind in SHOWN and self._repeats(event.kind, event.source, event.data):
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
        """Put the lines that wait above whatever is drawn."""
        waiting: list[ConsoleRenderable] = []
        while self._waiting:
            first = self._waiting.popleft()
            waiting += [first] if isinstance(first, Text) else self._lines(first)
        return [*waiting, *renderables]

    def _watch(self) -> None:
        while not self._ended.wait(1.0 / REFRESHES):
            self.refresh()

    def _lines(self, event: Event) -> list[Text]:
        """An event in words; a failure with causes has a line for each of them on a terminal."""
        text, level = event_text(event.kind, event.data)
        head = Text.assemble((f"{event.time:7.2f} s  ", "dim"), (f"{event.source:<18} ", "bold cyan"))
        style = _STYLES.get(level, "")
        failure = event.data.get("cause" if event.kind in ("replan", "wait") else "failure")
        if not self._console.is_terminal:
            return [head + Text(text, style=style)]
        if event.kind in _FAILURES and isinstance(failure, Failure) and (failure.cause or failure.earlier):
            told = Text(_FAILURES[event.kind], style=style)
            return [*broken(head, told, self._console), *chain(failure, 11 + STEP, self._console)]
        return broken(head, Text(text, style=style), self._console)


class _Printed(FileProxy):
    """Standard output or error in a run: its lines wait to be drawn with the events."""

    def __init__(self, console: Console, file: TextIO, waiting: deque[Event | Text]) -> None:
        super().__init__(console, file)
        self._waiting = waiting
        self._begun = ""
        self._ended = False

    def write(self, text: str) -> int:
        if self._ended:  # a logger that was made in the run may keep it
            return self.rich_proxied_file.write(text)
        *lines, self._begun = (self._begun + text).split("\n")
        self._waiting.extend(Text.from_ansi(line) for line in lines)
        return len(text)

    def end(self) -> None:
        """Let the line that was begun wait too; what comes later goes to the file."""
        if self._begun:
            self.write("\n")
        self._ended = True


def compile_with_progress(screen: Console) -> bool:
    """Compile the kernel where that is still to be done: with a bar on a terminal, with a few lines elsewhere.

    Returns:
        Whether it was compiled now.
    """
    if not screen.is_interactive:
        return compile_ahead()
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed} of {task.total} functions")
    bar = Progress(*columns, TimeElapsedColumn(), console=screen, transient=True)
    with ExitStack() as shown:

        def report(progress: CompileProgress) -> None:
            if not bar.tasks:
                shown.enter_context(bar)
                bar.add_task("", total=progress.total)
            text = f"{'waiting for' if progress.waiting else 'compiling'} {progress.what}"
            bar.update(bar.tasks[0].id, completed=progress.done, description=text)

        return compile_ahead(report)
