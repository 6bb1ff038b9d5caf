"""The command ``taskmatrix adopt``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from taskmatrix.core.base.errors import MissingDependencyError, RobotError, TaskMatrixError
from taskmatrix.robots import Robot, load_robot
from taskmatrix.robots.adoption.anatomy.notes import Note
from taskmatrix.robots.adoption.proposal import Proposal, propose
from taskmatrix.robots.adoption.writing import remark, write

from ..drawing.portrait import portrait
from .terminal import console

STYLES = {"unsure": "yellow", "missing": "bold yellow"}
PICTURE = "adopted.png"
MARKS = {"unsure": "?", "missing": "!"}


def adopt(
    urdf: Annotated[Path, typer.Argument(metavar="URDF", help="Path of the robot's URDF.")],
    srdf: Annotated[Path | None, typer.Option(metavar="FILE", help="Its SRDF, if there is one.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where to write; robots/NAME unless given.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over the adapter that is there.")] = False,
    seed: Annotated[int, typer.Option(help="Of the random configurations.", min=0)] = 0,
    picture: Annotated[bool, typer.Option("--picture/--no-picture", help="Render the picture.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the proposal as JSON and nothing else.")] = False,
) -> None:
    """Look at a URDF and propose the adapter that makes it a robot of the library.

    Exits with 0 when the robot loads and nothing of a humanoid is missing, with 1 when something is missing or the
    adapter needs a hand before it loads, and with 2 when the URDF cannot be used.
    """
    folder = out or Path("robots") / (re.sub(r"\W+", "_", urdf.stem).strip("_") or "robot")
    if (folder / "robot.toml").exists() and not force:
        raise RobotError(f"{folder / 'robot.toml'} is there already; --force writes over it, --out writes elsewhere")
    if not urdf.is_file():
        raise RobotError(f"the URDF {urdf} does not exist")
    screen = console(stderr=as_json, quiet=as_json)
    with screen.status("looking at links, joints and meshes, and at random configurations"):
        proposal = propose(urdf, srdf, seed)
    try:
        files = [*write(proposal, folder)]
        (folder / PICTURE).unlink(missing_ok=True)  # one of an earlier proposal shows another robot
    except OSError as error:
        raise TaskMatrixError(f"cannot write {error.filename or folder}: {error.strerror or error}") from error
    problem = ""
    try:
        robot = load_robot(folder)
    except RobotError as error:
        problem = str(error)
    else:
        if picture:
            files += _pictured(robot, folder)
    missing = proposal.of("missing")
    if as_json:
        typer.echo(json.dumps(_report(proposal, files, problem)))
    else:
        _tell(screen, proposal)
        for file in files:
            screen.print(f"wrote {file}", markup=False, highlight=False)
        if problem:
            screen.print(f"It does not load yet: {problem}", style="bold red", markup=False)
        else:
            after = f"; {len(proposal.of('unsure'))} things to look at" if proposal.of("unsure") else ""
            screen.print(f"It loads{after}.", style="bold yellow" if missing else "bold green", markup=False)
    raise typer.Exit(1 if problem or missing else 0)


def _pictured(robot: Robot, folder: Path) -> list[Path]:
    """The picture; where PyBullet is missing, none, and why."""
    path = folder / PICTURE
    try:
        ready = "ready" if "ready" in robot.postures else robot.stance
        portrait(robot, path, folder.name, [(robot.stance, 0.0), (robot.stance, np.pi / 2), (ready, np.pi / 5)], True)
    except MissingDependencyError as error:
        console(stderr=True).print(f"no picture: {error}", style="yellow", markup=False)
        return []
    return [path]


def _tell(screen: Console, proposal: Proposal) -> None:
    """Print what was found, and every remark that matters."""
    for chain, joints in proposal.chains.items():
        ends = joints[0] if len(joints) == 1 else f"{joints[0]} ... {joints[-1]}"
        screen.print(f"  {chain}: {len(joints)} ({ends})", markup=False, highlight=False)
    for name, grip in proposal.hands.items():
        how = f"{len(grip.open)} finger joints" if grip.open else "affixes"
        screen.print(f"  hand {name}: on {grip.frame}, {how}, opens {1000 * grip.aperture:.0f} mm", markup=False)
    for kind in ("unsure", "missing"):
        for note in _gathered(proposal.of(kind)):
            screen.print(f"{MARKS[kind]} {remark(note)}", style=STYLES[kind], markup=False, highlight=False)


def _gathered(notes: Iterable[Note]) -> list[Note]:
    """Remarks with those on hands first, and on pairs only one of each kind, with their number."""
    kinds: dict[tuple[str, str], list[Note]] = {}
    for note in notes:
        kind = note.text.partition(": ")[2] if note.about == "pairs" else ""
        kinds.setdefault((note.about, kind or note.text), []).append(note)
    gathered = []
    for alike in kinds.values():
        more = f" ({len(alike) - 1} more like it in pairs.toml)" if len(alike) > 1 else ""
        gathered.append(Note(alike[0].kind, alike[0].about, alike[0].text + more))
    return sorted(gathered, key=lambda note: note.about != "hands")


def _report(proposal: Proposal, files: list[Path], problem: str) -> dict[str, object]:
    return {
        "chains": {chain: list(joints) for chain, joints in proposal.chains.items()},
        "hands": {name: grip.frame for name, grip in proposal.hands.items()},
        "view": proposal.view_pose.frame if proposal.view_pose else None,
        "forward": [float(value) for value in proposal.heading.forward[:2]],
        "floor": list(proposal.floor),
        "notes": [{"kind": note.kind, "about": note.about, "text": note.text} for note in proposal.notes],
        "loads": not problem,
        "problem": problem,
        "files": [str(file) for file in files],
    }
