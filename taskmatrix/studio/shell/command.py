"""``taskmatrix shell``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer


def shell(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Where the page is, as 'run --view' prints it.")],
    command: Annotated[
        list[str] | None, typer.Option("-c", "--command", help="A command to do instead of reading them; repeatable.")
    ] = None,
) -> None:
    """Look at a running program and change it, by commands."""
    from taskmatrix.session.live.link import check_installed  # noqa: PLC0415 - loaded by those who view

    check_installed()
    from .connection import Connection  # noqa: PLC0415 - needs what was checked
    from .shell import Shell  # noqa: PLC0415 - likewise

    with Connection(address) as connection:
        typed = sys.stdin.isatty()
        reader = Shell(connection, None if typed else sys.stdin)
        if command:
            for line in command:
                if reader.onecmd(line):
                    break
        else:
            try:
                reader.cmdloop()
            except KeyboardInterrupt:
                return
        if reader.failed and (command or not typed):
            raise typer.Exit(1)
