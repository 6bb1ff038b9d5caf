"""``taskmatrix view``, and what ``taskmatrix run --view`` does around a run."""

from __future__ import annotations

import asyncio
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from taskmatrix.core.behavior import TaskBehavior
from taskmatrix.core.executive import Outcome

from ..terminal import console

if TYPE_CHECKING:
    from ..session import Session
    from .link import Link
    from .view import View

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Viewing:
    """How a run is to be viewed."""

    host: str = LOOPBACK
    """Where the page is served."""
    port: int = 0
    """Likewise; 0: any that is free."""
    paused: bool = False
    """Whether the run waits until somebody on the page lets it go on."""
    browser: bool = False
    """Whether to open the page in a browser."""

    def start(self) -> Link:
        """Start the viewer's process, which is ready by the time that the robot is.

        Raises:
            MissingDependencyError: The viewer's packages are not installed.
        """
        from .link import Link  # noqa: PLC0415 - loaded by those who view

        return Link(self.host, self.port)

    @contextmanager
    def shown(self, session: Session, link: Link, screen: Console, command: str) -> Iterator[View]:
        """Show a session on a page, and tell where it is."""
        from .view import View  # noqa: PLC0415 - loaded by those who view

        with View(session, link, paused=self.paused, command=command) as view:
            tell(screen, view.address, self.browser)
            if self.paused:
                screen.print("paused: let it go on from the page", style="yellow")
            yield view


def tell(screen: Console, address: str, browser: bool) -> None:
    """Say where the page is, and open it if that is wanted."""
    screen.print(f"view at {address}", style="bold", markup=False, highlight=False, soft_wrap=True)
    if browser:
        webbrowser.open(address)


def stay(view: View, screen: Console, run: Callable[[TaskBehavior], Outcome]) -> None:
    """Let the page stay after a run, with other behaviors to be started from it, until Ctrl-C or its end."""
    try:
        while view.alive:
            screen.print("the page stays until Ctrl-C; other behaviors can be started from it", style="dim")
            behavior = view.next_behavior()
            if behavior is None:
                return
            told(screen, run(behavior))
    except KeyboardInterrupt:
        return


def told(screen: Console, outcome: Outcome) -> None:
    """Say how a run ended."""
    screen.print(str(outcome), style="bold green" if outcome.success else "bold red", markup=False)


def view(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recording, as 'run --record' leaves it.")],
    host: Annotated[
        str, typer.Option(help="Where to listen: others than this machine need the token in the address then.")
    ] = LOOPBACK,
    port: Annotated[int, typer.Option(help="Where to listen; any that is free if 0.", min=0, max=65535)] = 0,
    browser: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Show a recording in the browser, until Ctrl-C."""
    from ..recording import Recording  # noqa: PLC0415 - loaded by those who view
    from .page_files import check_installed  # noqa: PLC0415 - likewise

    check_installed()
    from .replay import serve  # noqa: PLC0415 - needs what was checked

    recording = Recording.open(file)
    screen = console()
    if recording.truncated:
        screen.print(f"{file} was cut off; it is shown as far as it goes", style="yellow")
    try:
        asyncio.run(serve(recording, host, port, lambda address: tell(screen, address, browser)))
    except KeyboardInterrupt:
        return
