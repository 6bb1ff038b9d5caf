"""``taskmatrix view``, and what ``taskmatrix run --view`` does around a run."""

from __future__ import annotations

import asyncio
import os
import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from py_trees.behaviour import Behaviour
from rich.console import Console

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.events import CTRL_C
from taskmatrix.core.behavior.executive import Outcome

from ..cli.terminal import console

if TYPE_CHECKING:
    from taskmatrix.session.live.link import Link
    from taskmatrix.session.live.view import View
    from taskmatrix.session.session import Session

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Viewing:
    """Whether and how a run is shown in the browser.

    Raises:
        ParameterError: Something is asked of a page that is not wanted.
    """

    wanted: bool
    """Whether there is to be a page at all."""
    host: str = LOOPBACK
    """Where it is served."""
    port: int = 0
    """Likewise; 0: any that is free."""
    paused: bool = False
    """Whether the run waits until somebody on the page lets it go on."""
    browser: bool | None = None
    """Whether to open the page in a browser; None: on a desktop."""
    breakpoints: Sequence[str] = ()
    """Paths or names of states at whose start the run is paused."""

    def __post_init__(self) -> None:
        opened = self.browser is not None
        given: dict[str, object] = {"--paused": self.paused, "--break": self.breakpoints, "--open": opened}
        given |= {"--host": self.host != LOOPBACK, "--port": self.port}
        for option, value in given.items():
            if value and not self.wanted:
                raise ParameterError(f"{option} is for a run with --view")

    @contextmanager
    def link(self) -> Iterator[Link | None]:
        """The viewer's process, which starts while the robot is loaded; None where no page is wanted."""
        if not self.wanted:
            yield None
            return
        from taskmatrix.session.live.link import Link  # noqa: PLC0415 - loaded by those who view

        with closing(Link(self.host, self.port)) as link:
            yield link

    @contextmanager
    def page(
        self,
        session: Session,
        link: Link | None,
        screen: Console,
        arguments: Sequence[str] = (),
        anew: Callable[[Behaviour], Behaviour] = lambda task: task,
    ) -> Iterator[View | None]:
        """The page on a session, of which it is told where it is; it says what was typed.

        A behavior that somebody wants to run again is replaced by what ``anew`` makes of it.
        """
        if link is None:
            yield None
            return
        from taskmatrix.session.live.view import View  # noqa: PLC0415 - likewise

        from ..cli.recording_command import as_typed  # noqa: PLC0415 - loaded by those who view

        def told(why: str) -> None:
            screen.print(f"paused: {why}", style="yellow", markup=False)

        command = as_typed(arguments)
        with View(session, link, paused=self.paused, command=command, anew=anew, told=told) as view:
            tell(view.address, self.browser, screen)
            if self.paused:
                screen.print("paused: let it go on from the page", style="yellow")
            for state in self.breakpoints:
                view.stop_at(state)
            yield view


def tell(address: str, browser: bool | None, screen: Console) -> None:
    """Say where the page is, and open it if that is wanted; unless somebody said, where a person sits at a desktop."""
    screen.print(f"view at {address}", style="bold", markup=False, highlight=False, soft_wrap=True)
    if (screen.is_terminal and _on_a_desktop()) if browser is None else browser:
        webbrowser.open(address)


def _on_a_desktop() -> bool:
    """Whether a browser has a screen: not so over SSH, say."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def stay(page: View | None, outcome: Outcome, run: Callable[[Behaviour], Outcome], screen: Console) -> None:
    """Let a page stay after a run, with other behaviors to be started from it, until Ctrl-C or its end."""
    try:
        while page is not None and page.alive and not _by_ctrl_c(outcome):
            screen.print("the page stays until Ctrl-C; other behaviors can be started from it", style="dim")
            behavior = page.next_behavior()
            if behavior is not None:
                screen.print(f"started from the page: {behavior.name}", style="dim", markup=False)
                outcome = run(behavior)
    except KeyboardInterrupt:
        return


def _by_ctrl_c(outcome: Outcome) -> bool:
    return outcome.failure is not None and outcome.failure.message.startswith(CTRL_C)


def view_recording(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recording, as 'run --record' leaves it.")],
    other: Annotated[Path | None, typer.Argument(metavar="[OTHER]", help="Another one, to be shown beside it.")] = None,
    host: Annotated[
        str, typer.Option(help="Where to listen: others than this machine need the token in the address then.")
    ] = LOOPBACK,
    port: Annotated[int, typer.Option(help="Where to listen; any that is free if 0.", min=0, max=65535)] = 0,
    browser: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the page in a browser; on a desktop unless said.")
    ] = None,
) -> None:
    """Show a recording in the browser, or two side by side, until Ctrl-C."""
    from taskmatrix.session.live.link import check_installed  # noqa: PLC0415 - likewise

    from ..recording import Recording  # noqa: PLC0415 - loaded by those who view

    check_installed()
    from .replay import serve  # noqa: PLC0415 - needs what was checked

    recording, second = Recording.open(file), None if other is None else Recording.open(other)
    screen = console()
    for each in (recording, second):
        if each is not None and each.truncated:
            screen.print(f"{each.path} is cut off or damaged; it is shown as far as it goes", style="yellow")
    try:
        asyncio.run(serve(recording, host, port, lambda address: tell(address, browser, screen), second))
    except KeyboardInterrupt:
        return
