"""The command ``taskmatrix design``."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from taskmatrix.core.base.errors import MissingDependencyError, TaskMatrixError, how_to_install

from ..cli.terminal import console
from ..viewer.command import LOOPBACK, tell


def design(
    program: Annotated[
        str, typer.Argument(metavar="FILE[:CLASS]", help="A file of Python, and the machine in it that is shown first.")
    ],
    new: Annotated[bool, typer.Option("--new", help="Make the file, which is not there yet.")] = False,
    host: Annotated[
        str, typer.Option(help="Where to listen: others than this machine need the token in the address then.")
    ] = LOOPBACK,
    port: Annotated[int, typer.Option(help="Where to listen; any that is free if 0.", min=0, max=65535)] = 0,
    browser: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the page in a browser; on a desktop unless said.")
    ] = None,
) -> None:
    """Draw the machines of a file in the browser, until Ctrl-C: the drawing and the Python are the same."""
    for module in ("aiohttp", "libcst", "nicegui"):
        if find_spec(module) is None:
            raise MissingDependencyError(f"the designer needs {module}; install it {how_to_install('design')}")
    from .document import Document  # noqa: PLC0415 - needs what was checked

    name, colon, machine = program.rpartition(":")
    if not colon or not machine.isidentifier():
        name, machine = program, ""
    path = Path(name)
    if path.suffix != ".py":
        raise TaskMatrixError(f"the designer draws in a file of Python, my_program.py, not in '{name}'")
    if new:
        _make(path)
    elif not path.exists():
        raise TaskMatrixError(f"there is no file {path}; --new makes it")
    document = Document(path)
    if machine and new:
        document.add_class("Machine", machine)
    elif machine:
        document.program.source(machine)
    try:
        asyncio.run(_serve(document, machine, host, port, browser))
    except KeyboardInterrupt:
        return


def _make(path: Path) -> None:
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        raise TaskMatrixError(f"{path} is there already; leave --new out") from None
    except OSError as error:
        raise TaskMatrixError(f"{path} cannot be made: {error.strerror or error}") from None


async def _serve(document: object, machine: str, host: str, port: int, browser: bool | None) -> None:
    from .document import Document  # noqa: PLC0415 - likewise
    from .server import DesignServer  # noqa: PLC0415 - likewise

    assert isinstance(document, Document)
    server = DesignServer(document, machine, host, port)
    tell(await server.start(), browser, console())
    try:
        await asyncio.Event().wait()
    finally:
        await server.close()
