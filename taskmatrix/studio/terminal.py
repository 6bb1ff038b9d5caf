"""What a run looks like on the terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from rich.console import Console
from rich.status import Status
from rich.text import Text

from taskmatrix.core.events import Event
from taskmatrix.core.failure import Failure, readable

_STYLES = {"task-successful": "green", "task-failed": "red", "task-failed-to-start": "red", "force-quit": "yellow"}
_QUIET = {"goal-achieved", "goal-failed"}  # every control step
_UNWRAPPED = 10_000  # columns where nobody looks at a screen


def console(stderr: bool = False, quiet: bool = False) -> Console:
    """Where to print; lines are broken at the width of a terminal, and not at all in a file or a pipe."""
    made = Console(stderr=stderr, quiet=quiet)
    if not made.is_terminal:
        made.width = _UNWRAPPED
    return made


class TerminalProgress:
    """Prints messages, transitions, plans and failures as they come, and shows below what is going on now.

    Args:
        console: Where to print.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._phases: dict[str, str] = {}
        self._faced: dict[str, bool] = {}
        self._status: Status = console.status("starting")

    def __enter__(self) -> TerminalProgress:
        self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def __call__(self, event: Event) -> None:
        """Show an event."""
        show = getattr(self, f"_{event.kind}", None)
        if show is not None:
            show(event)

    def _line(self, event: Event, text: str, style: str = "") -> None:
        line = Text(f"{event.time:7.2f} s  ", style="dim")
        line.append(f"{event.source:<18} ", style="bold cyan")
        line.append(text, style=style)
        self._console.print(line)

    def _message(self, event: Event) -> None:
        kind, path = str(event.data["message"]), event.source
        if kind in _QUIET:
            achieved = kind == "goal-achieved"
            if self._faced.get(path) is not achieved:
                self._faced[path] = achieved
                self._line(event, kind, "green" if achieved else "dim")
            return
        if kind == "planning-started":
            self._phases[path] = "planning"
        elif kind == "controlloop-started":
            self._phases[path] = "control loop"
        elif kind == "task-complete":
            self._phases.pop(path, None)
            self._faced.pop(path, None)
        if kind == "parameter-set":
            outputs = {key: value for key, value in event.data.items() if key != "message"}
            self._line(event, f"{kind}  {readable(outputs)}")
        else:
            self._line(event, kind, _STYLES.get(kind, ""))
        self._show()

    def _transition(self, event: Event) -> None:
        start, stop = cast(list[str], event.data["start"]), cast(list[str], event.data["stop"])
        changes = [f"start {', '.join(start)}"] if start else []
        changes += [f"stop {', '.join(stop)}"] if stop else []
        self._line(event, f"on {event.data['trigger']}: {'; '.join(changes)}", "magenta")

    def _planning(self, event: Event) -> None:
        self._show(f"planner: {_work(event.data)}")

    def _plan(self, event: Event) -> None:
        stretched = ", stretched to the velocity limits" if event.data["stretched"] else ""
        work = {key: value for key, value in event.data.items() if key not in ("duration", "stretched")}
        self._line(event, f"planned a motion of {readable(event.data['duration'])} s{stretched}; {_work(work)}", "blue")

    def _blocked(self, event: Event) -> None:
        self._line(event, f"held: {cast(Failure, event.data['failure']).explain()}", "yellow")

    def _failure(self, event: Event) -> None:
        failure = cast(Failure | None, event.data["failure"])
        self._line(event, failure.explain() if failure else "failed", "yellow" if event.data.get("optional") else "red")

    def _overrun(self, event: Event) -> None:
        self._line(event, f"control step late by {readable(event.data['late'])} s", "yellow")

    def _show(self, more: str = "") -> None:
        running = ", ".join(f"{path.rsplit('/', 1)[-1]}: {phase}" for path, phase in self._phases.items())
        self._status.update(" | ".join(part for part in (running, more) if part))


def _work(data: Mapping[str, object]) -> str:
    return ", ".join(f"{value} {key.replace('_', ' ')}" for key, value in data.items())
