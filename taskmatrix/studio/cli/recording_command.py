"""The command ``taskmatrix recording``: what is in a recording."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from taskmatrix.core.base.errors import ParameterError, TaskMatrixError
from taskmatrix.core.base.failure import Failure
from taskmatrix.session.event_text import event_text

from .terminal import console

if TYPE_CHECKING:
    from ..recording import Recording

SETTINGS = (
    "robot",
    "world",
    "seed",
    "sim",
    "plant",
    "physics",
    "perception",
    "policy",
    "planner",
    "second_robot",
    "start",
    "dt",
)


def recording(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recording, as --record of 'run' leaves one.")],
    other: Annotated[
        Path | None, typer.Argument(metavar="[OTHER]", help="Another one: say where the two differ.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="PNG", help="Write a contact sheet of the run, as 'run' does.")
    ] = None,
    film: Annotated[Path | None, typer.Option(metavar="GIF", help="Write an animation of the run.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Say what is in a recording: of what, with which versions, how long, how it ended; of two, where they differ."""
    from ..recording import Recording  # noqa: PLC0415 - what reads recordings is loaded by those who read some

    for option, path, suffix in (("--picture", picture, ".png"), ("--film", film, ".gif")):
        if path is not None and path.suffix.lower() != suffix:
            raise ParameterError(f"{option} writes a file that ends with {suffix}, not '{path}'")
    found = Recording.open(file)
    if other is not None:
        if picture or film:
            raise ParameterError("--picture and --film are of one recording, not of two")
        _compare(found, Recording.open(other), as_json)
    elif picture or film:
        _draw(found, picture, film, console(stderr=as_json))
    elif as_json:
        typer.echo(json.dumps(_summary(found)))
    else:
        _print(found, console())


def as_typed(arguments: Sequence[str], program: str = "taskmatrix") -> str:
    """A command as it would be typed in a shell, with files named without their folders.

    Args:
        arguments: After the name of the program.
        program: Its name.
    """
    return shlex.join([program, *map(_without_folder, arguments)])


def _without_folder(argument: str) -> str:
    option, equals, value = argument.rpartition("=")
    return f"{option}{equals}{Path(value).name}" if Path(value).is_absolute() else argument


def _summary(recording: Recording) -> dict[str, Any]:
    """All that the command says, as data."""
    runs = [
        {"behavior": event["source"], "ended": event["time"], **event["data"]} for event in recording.events("outcome")
    ]
    return {
        **recording.header,
        "file": str(recording.path),
        "complete": not recording.truncated,
        "duration": recording.duration,
        "steps": recording.kinds.count("step"),
        "events": dict(sorted(Counter(recording.kinds).items())),
        "outcomes": runs,
    }


def _compare(first: Recording, second: Recording, as_json: bool) -> None:
    """Say where two recordings differ."""
    from ..recording import compare, differences, summary  # noqa: PLC0415 - as above

    found, screen = compare(first, second), console()
    if as_json:
        typer.echo(json.dumps(found.to_dict()))
        return
    table = Table(box=None, pad_edge=False)
    table.add_column(style="bold")
    for name in found.names:
        table.add_column(Text(name), ratio=1)
    for each in differences(found):
        table.add_row(each.name, Text(each.first), Text(each.second))
    screen.print(table)
    screen.print(summary(found), style="green" if found.same else "yellow", markup=False, highlight=False)


def _draw(recording: Recording, picture: Path | None, film: Path | None, screen: Console) -> None:
    """Write pictures of a run, made from its recording alone."""
    from ..drawing.pictures import animation, contact_sheet  # noqa: PLC0415 - loaded by those who draw
    from ..recording.drawable import drawable  # noqa: PLC0415 - likewise

    said = _summary(recording)
    runs = [event_text("program", event["data"]).text for event in recording.events("program")]
    title = f"{' and '.join(runs) or 'run'} by {said.get('robot')} in {said.get('world')}, seed {said.get('seed')}"
    outcome = _ended(said["outcomes"][-1]) if said["outcomes"] else "no outcome"
    with screen.status("rendering pictures"), drawable(recording) as drawn:
        args = (drawn.body, drawn.world, drawn.frames)
        try:
            if picture is not None:
                contact_sheet(*args, picture, title, outcome=outcome, target=drawn.subject)
            if film is not None:
                animation(*args, film, target=drawn.subject)
        except OSError as error:
            raise TaskMatrixError(f"cannot write {error.filename}: {error.strerror or error}") from error
    for path in filter(None, (picture, film)):
        screen.print(f"wrote {path}", markup=False, highlight=False)


def _ended(run: Mapping[str, Any]) -> str:
    """How a run ended, in words."""
    return "succeeded" if run["success"] else f"failed: {Failure.from_dict(run['failure']).explain()}"


def _print(recording: Recording, screen: Console) -> None:
    said, table = _summary(recording), Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold")
    table.add_column()
    kept = {key: said[key] for key in SETTINGS if said.get(key) is not None}
    versions = {"taskmatrix": said["taskmatrix"] or "?", "python": said["python"], **said["packages"]}
    rows = {
        "command": said["command"] or "none: recorded in Python",
        **{key.replace("_", " "): str(value) for key, value in kept.items()},
        "versions": ", ".join(f"{name} {number}" for name, number in versions.items()),
        "duration": f"{said['duration']:.2f} s, {said['steps']} control steps",
        "events": ", ".join(f"{count} {kind}" for kind, count in said["events"].items()),
    }
    for name, text in rows.items():
        table.add_row(name, Text(text))
    screen.print(table)
    if recording.truncated:
        screen.print("the file breaks off or is damaged: this is what stands before that", style="yellow")
    for run in said["outcomes"]:
        style = "green" if run["success"] else "red"
        screen.print(f"{run['behavior']} {_ended(run)}", style=style, markup=False, highlight=False)
