"""Compiling what is compiled on the first run, with somebody who waits for it."""

from __future__ import annotations

from contextlib import ExitStack

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from taskmatrix.core.base.compilation import CompileProgress
from taskmatrix.kernel.ahead_of_time import compile_ahead


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
