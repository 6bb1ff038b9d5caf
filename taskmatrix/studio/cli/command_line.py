"""The command ``taskmatrix``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from taskmatrix.core.base.cache import cache_root
from taskmatrix.core.base.errors import NotFoundError, TaskMatrixError
from taskmatrix.perception.octree import compile_ahead as compile_map
from taskmatrix.session.catalogue import find_class
from taskmatrix.session.graph import Graph, graph_of

from ..conformance.command import check
from ..design.command import design
from ..drawing.graph_svg import svg
from ..drawing.graph_text import dot, mermaid
from ..shell.command import shell
from ..validation.command import validate
from ..viewer.command import view_recording
from .adopt import adopt
from .list_command import list_
from .recording_command import recording
from .run_command import run
from .terminal import compile_with_progress, console
from .terminal.screen import writing, wrote

DRAWINGS: dict[str, Callable[[Graph], str]] = {"mermaid": mermaid, "dot": dot, "svg": svg}
app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)


def _version(wanted: bool) -> None:
    if wanted:
        try:
            typer.echo(f"taskmatrix {version('taskmatrix')}")
        except PackageNotFoundError:
            raise TaskMatrixError("taskmatrix runs from a folder and is not installed: it has no version") from None
        raise typer.Exit


class _Command(TyperCommand):
    """Its usage names required arguments plainly, without the braces that Typer puts around them."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


@app.callback()
def options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Program humanoid robots by behavior."""


for command in (run, validate, check, adopt, recording):
    app.command(cls=_Command)(command)
app.command("view", cls=_Command)(view_recording)
app.command("list", cls=_Command)(list_)
app.command(cls=_Command)(design)
app.command(cls=_Command)(shell)


@app.command(cls=_Command)
def graph(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of a behavior, or module:Class.")],
    format: Annotated[str, typer.Option(help="mermaid, dot or svg.")] = "mermaid",
    out: Annotated[Path | None, typer.Option(help="File to write; printed unless given.")] = None,
    depth: Annotated[int, typer.Option(help="How deep machines inside of states are drawn.", min=0)] = 9,
) -> None:
    """Draw a machine from its class, without running it."""
    if format not in DRAWINGS:
        raise NotFoundError("format", format, DRAWINGS)
    drawn = DRAWINGS[format](graph_of(find_class(name), depth))
    if out is None:
        typer.echo(drawn, nl=False)
        return
    with writing(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(drawn, encoding="utf-8")
    wrote(console(), out)


@app.command(cls=_Command)
def prepare() -> None:
    """Compile what is compiled on the first run, ahead of it: for the image of a container, say."""
    screen = console()
    done = [compile_with_progress(screen), compile_map()]
    screen.print(f"{'compiled' if any(done) else 'nothing to do'}: it is in {cache_root()}", soft_wrap=True)


def main(arguments: list[str] | None = None) -> Any:
    """Run the command; an error of the user's input is one clear line and exit code 2.

    A character that the terminal cannot show is printed as a question mark.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app(arguments, obj=sys.argv[1:] if arguments is None else arguments)
    except TaskMatrixError as error:
        console(stderr=True).print(f"error: {error}", style="red", markup=False, highlight=False)
        sys.exit(2)
