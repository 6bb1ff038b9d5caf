"""How a run ended, on a terminal: what led to a failure, each cause on its own line."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.behavior.executive import Outcome

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
        message = (each.message, "" if each.cause else "red")
        line = Text.assemble(("because " if depth else "", "dim"), (f"{each.where}: ", "cyan"), message)
        yield from indented(line, at, console, STEP)
        for name, words in each.unsaid():
            fact = Text.assemble((f"{name.replace('_', ' ')}: ", "dim"), words)
            yield from indented(fact, at + 2 * STEP, console, STEP)
    for number, earlier in enumerate(earlier for each in failure.chain() for earlier in each.earlier):
        yield from indented(Text("then:" if number else "before that:", style="dim"), indent, console)
        yield from chain(earlier, indent + STEP, console)
