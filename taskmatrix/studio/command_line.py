"""The command ``taskmatrix``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from taskmatrix.core.errors import MissingDependencyError, NotFoundError, TaskMatrixError
from taskmatrix.core.failure import plain
from taskmatrix.robots import robot_descriptions
from taskmatrix.simulation.world_loader import world_descriptions

from .catalogue import SUBJECTS, behaviors, describe, make
from .pictures import animation, contact_sheet
from .recorder import EventFile, FrameRecorder
from .renderer import Frame
from .session import Session, simulate
from .terminal import TerminalProgress

app = typer.Typer(help="Program humanoid robots by behavior.", no_args_is_help=True, add_completion=False)


@app.command()
def run(
    behavior: Annotated[str, typer.Argument(help="Name of a behavior, see 'taskmatrix list behaviors'.")],
    robot: Annotated[str, typer.Option(help="Name of a robot, or path of its robot.toml.")] = "mannequin",
    world: Annotated[str, typer.Option(help="Name of a world, or path of its file.")] = "sparse",
    seed: Annotated[int, typer.Option(help="Same seed, same run.", min=0)] = 0,
    param: Annotated[
        list[str] | None, typer.Option(help="A parameter of the behavior: name=value. Repeatable.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON and nothing else.")] = False,
    out: Annotated[Path, typer.Option(help="Folder for pictures and the event log.")] = Path("out"),
    pictures: Annotated[bool, typer.Option(help="Render the contact sheet and the animation.")] = True,
) -> None:
    """Run a behavior on a robot in the kinematic simulation, and leave pictures of it."""
    console = Console(stderr=as_json, quiet=as_json)
    with simulate(robot, world, seed) as session:
        task = make(behavior, param or [], session.world.default_object)
        out.mkdir(parents=True, exist_ok=True)
        stem = f"{behavior}-{session.robot.name}-{session.world.name}-{seed}"
        frames, log = FrameRecorder(), EventFile(out / f"{stem}.jsonl")
        for reader in (frames, log):
            session.events.subscribe(reader)
        try:
            with TerminalProgress(console) as progress:
                session.events.subscribe(progress)
                outcome = session.run(task)
        finally:
            log.close()
        console.print(str(outcome), style="bold green" if outcome.success else "bold red", markup=False)
        title = f"{behavior} by {session.robot.name} in {session.world.name}, seed {seed}"
        files = {"events": str(out / f"{stem}.jsonl")}
        if pictures:
            subjects = [task.parameters[name] for name in SUBJECTS if name in task.declared]
            target = next((subject for subject in subjects if subject in session.world.objects), None)
            files |= _pictures(session, frames.frames, target, out / stem, title, str(outcome), console)
        for path in files.values():
            console.print(f"wrote {path}", markup=False, highlight=False)
    if as_json:
        report = {
            "behavior": behavior,
            "parameters": task.parameters,
            "robot": session.robot.name,
            "world": session.world.name,
            "furniture_scale": session.world.furniture_scale,
            "seed": seed,
            "success": outcome.success,
            "failure": outcome.failure.to_dict() if outcome.failure else None,
            "duration": outcome.duration,
            "steps": outcome.steps,
            "files": files,
        }
        typer.echo(json.dumps(plain(report)))
    raise typer.Exit(0 if outcome.success else 1)


def _pictures(
    session: Session, frames: list[Frame], target: str | None, stem: Path, title: str, outcome: str, console: Console
) -> dict[str, str]:
    """Write the contact sheet and the animation; say so and go on where PyBullet is missing."""
    sheet, film = stem.with_suffix(".png"), stem.with_suffix(".gif")
    try:
        with console.status("rendering pictures"):
            contact_sheet(session.robot, session.world, frames, sheet, title, outcome=outcome, target=target)
            animation(session.robot, session.world, frames, film, target=target)
    except MissingDependencyError as error:
        Console(stderr=True).print(f"no pictures: {error}", style="yellow", markup=False)
        return {}
    return {"contact_sheet": str(sheet), "animation": str(film)}


LISTS: dict[str, Callable[[], dict[str, str]]] = {
    "robots": robot_descriptions,
    "behaviors": lambda: {name: describe(item) for name, item in behaviors().items()},
    "worlds": world_descriptions,
}


@app.command("list")
def list_(
    what: Annotated[str, typer.Argument(help="robots, behaviors or worlds")],
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List what there is, with a line of description each."""
    if what not in LISTS:
        raise NotFoundError("list", what, LISTS)
    rows = LISTS[what]()
    if as_json:
        typer.echo(json.dumps(rows))
        return
    table = Table(what[:-1], "description", box=None, pad_edge=False)
    for name, description in rows.items():
        table.add_row(name, description)
    Console().print(table)


def main(arguments: list[str] | None = None) -> Any:
    """Run the command; an error of the user's input is one clear line and exit code 2."""
    try:
        app(arguments)
    except TaskMatrixError as error:
        Console(stderr=True).print(f"error: {error}", style="red", markup=False, highlight=False)
        sys.exit(2)
