"""What runs now as a few lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from taskmatrix.core.base.clock import Clock

from .activity import Activity, Row, folded
from .screen import WIDE

SHARE, FEWEST = 2, 3  # of the window's lines one in so many is used, and at least so many
SLOWEST = 0.05  # times real time that are a speed
BAR = 12  # [columns] of how far a motion is
USUAL = len("goal achieved")  # [columns] of a state
MEMORY = 20  # times at which it was drawn, over which the speed is measured
_STYLES = {"planning": "blue", "achieved": "green", "failed": "red"}


class Live:
    """Draws the head line, which tells time and speed, and below it what runs as a tree.

    Args:
        activity: What runs.
        clock: The time in which somebody looks at it, to tell how fast the run is.
    """

    def __init__(self, activity: Activity, clock: Clock) -> None:
        self._activity, self._clock = activity, clock
        self._drawn: list[tuple[float, float]] = []

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        lines = max(console.height // SHARE, FEWEST)
        rows = folded(self._activity.rows(), lines - 1)
        bars = _PLAIN if options.ascii_only else _LINES
        drawn = [self._head(width, bars), *_drawn(rows, self._activity.time, width, bars)]
        for line in drawn:
            line.no_wrap = True
            line.truncate(width, overflow="crop" if options.ascii_only else "ellipsis")
            yield line

    def _head(self, width: int, bars: Mapping[str, str]) -> Text:
        """A rule with the time, the speed, and what the planner does."""
        activity, now = self._activity, self._clock.now()
        self._drawn = [*self._drawn[-MEMORY:], (now, activity.time)]
        began, then = self._drawn[0]
        speed = (activity.time - then) / (now - began) if now > began else 0.0
        line = Text.assemble((bars["rule"] * 2, "dim"), (f" {activity.time:.2f} s", "bold"))
        if speed >= SLOWEST:
            line.append(f", {speed:.1f} times real time")
        if activity.work:
            done = ", ".join(f"{value} {key.replace('_', ' ')}" for key, value in activity.work.items())
            line.append(f"; planner: {done}", style="blue")
        return line.append(f" {bars['rule'] * max(width - line.cell_len - 1, 0)}", style="dim")


_LINES = {"rule": "─", "more": "├─ ", "last": "└─ ", "on": "│  ", "done": "━", "left": "─"}
_PLAIN = {"rule": "-", "more": "|- ", "last": "`- ", "on": "|  ", "done": "=", "left": "-"}


def _drawn(rows: Sequence[Row], time: float, width: int, bars: Mapping[str, str]) -> list[Text]:
    """The rows as a tree in columns, as far as the width goes."""
    branches = zip(_branches(rows, bars), rows, strict=True)
    labels = [Text.assemble((branch, "dim"), _label(row)) for branch, row in branches]
    names = min(max((label.cell_len for label in labels), default=0), width // 2)
    states = max([USUAL, *(len(_state(row)) for row in rows)])
    lines = []
    for row, label in zip(rows, labels, strict=True):
        label.truncate(names, overflow="ellipsis", pad=True)
        label.append(f"  {_state(row):<{states}}", style=_style(row))
        if row.name:
            _append_time(label, row, time, width, bars)
        if row.chains and width >= WIDE:
            label.append(f"  {', '.join(row.chains)}", style="dim")
        lines.append(label)
    return lines


def _append_time(line: Text, row: Row, time: float, width: int, bars: Mapping[str, str]) -> None:
    """For how long it has been so, and how far its motion is."""
    elapsed = max(time - row.since, 0.0)
    line.append(f"  {elapsed:6.1f} s")
    if row.motion and row.state != "planning":
        share = min(elapsed / row.motion, 1.0)
        line.append(f" of {row.motion:.1f} s ")
        if width >= WIDE:
            done = round(share * BAR)
            line.append(bars["done"] * done, style="green").append(bars["left"] * (BAR - done), style="dim")


def _label(row: Row) -> str:
    return f"{row.name} (+{row.hidden})" if row.hidden else row.name


def _state(row: Row) -> str:
    if row.goal is None:
        return row.state
    return "goal achieved" if row.goal else "goal failed"


def _style(row: Row) -> str:
    if row.goal is not None:
        return "green" if row.goal else "yellow"
    return _STYLES.get(row.state, "cyan" if row.name else "dim")


def _branches(rows: Sequence[Row], bars: Mapping[str, str]) -> list[str]:
    """What stands before each row: which of the rows above it goes on below."""
    open_at: set[int] = set()  # depths at which another row follows further down
    found = []
    for row in reversed(rows):
        open_at = {depth for depth in open_at if depth <= row.depth}
        branch = "".join(bars["on"] if depth in open_at else "   " for depth in range(1, row.depth))
        found.append(branch + (bars["more" if row.depth in open_at else "last"] if row.depth else ""))
        open_at.add(row.depth)
    return found[::-1]
