"""How a run ended, on a terminal: what led to a failure, each cause on its own line."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from taskmatrix.core.executive import Outcome
from taskmatrix.core.failure import Failure

from .screen import indented

STEP, DEEPEST = 2, 16  # [columns] by which each cause is indented, and the most


def show_outcome(outcome: Outcome, console: Console) -> None:
    """Print how a run ended: on a terminal the chain of a failure line by line, else in one line."""
    style = "bold green" if outcome.success else "bold red"
    if outcome.failure is None or not console.is_terminal:
        console.print(str(outcome), style=style, markup=False, highlight=False)
        return
    console.print(Text(f"failure after {outcome.duration:.2f} s", style=style))
    for line in chain(outcome.failure, STEP, console):
        console.print(line, no_wrap=True, overflow="ignore", crop=False)


def chain(failure: Failure, indent: int, console: Console) -> Iterator[Text]:
    """The lines of a failure: where and what, below it the facts, further in what led to it; last what was before.

    Args:
        failure: The failure.
        indent: [columns] At which it begins.
        console: Whose width the lines have.
    """
    for depth, each in enumerate(failure.chain()):
        at = indent + min(depth * STEP, DEEPEST)
        line = Text("because " if depth else "", style="dim")
        line.append(f"{each.where}: ", style="cyan not dim")
        line.append(each.message, style="not dim" if each.cause else "red not dim")
        yield from indented(line, at, console, STEP)
        for name, words in each.unsaid():
            fact = Text(f"{name.replace('_', ' ')}: ", style="dim").append(words, style="not dim")
            yield from indented(fact, at + 2 * STEP, console, STEP)
    for number, earlier in enumerate(earlier for each in failure.chain() for earlier in each.earlier):
        yield from indented(Text("then:" if number else "before that:", style="dim"), indent, console)
        yield from chain(earlier, indent + STEP, console)
