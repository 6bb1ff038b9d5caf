"""The command ``taskmatrix adopt``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import numpy as np
import typer
from rich.console import Console

from taskmatrix.core.base.errors import RobotError, TaskMatrixError
from taskmatrix.robots import Robot, load_robot
from taskmatrix.robots.adoption.anatomy.notes import Note
from taskmatrix.robots.adoption.proposal import Proposal, propose
from taskmatrix.robots.adoption.sureness import SURE, sureness
from taskmatrix.robots.adoption.writing import add_tried, remark, write
from taskmatrix.robots.mjcf.compiled import is_mjcf
from taskmatrix.robots.mjcf.to_urdf import write_urdf

from ..conformance.finding import FAILS, PASSES, UNABLE, Finding
from ..conformance.trial import try_out
from ..drawing.portrait import portrait
from .terminal import console

STYLES = {"unsure": "yellow", "missing": "bold yellow"}
PICTURE = "adopted.png"
MARKS = {"unsure": "?", "missing": "!"}


def adopt(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Path of the robot's URDF or MJCF.")],
    srdf: Annotated[Path | None, typer.Option(metavar="FILE", help="Its SRDF, if there is one.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where to write; robots/NAME unless given.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over the adapter that is there.")] = False,
    seed: Annotated[int, typer.Option(help="Of the random configurations.", min=0)] = 0,
    picture: Annotated[bool, typer.Option("--picture/--no-picture", help="Render the picture.")] = True,
    tried: Annotated[
        bool, typer.Option("--try/--no-try", help="Try stance, hands, view and reach in a world, judged.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the proposal as JSON and nothing else.")] = False,
) -> None:
    """Look at a robot in URDF or MJCF and propose the adapter that makes it a robot of the library.

    MJCF is read by MuJoCo (extra "mujoco") and kept as a URDF beside the adapter; its keyframes become postures.
    What it proposes is tried in a world, and judged; what fails is in the adapter as a comment, with what to change.

    Exits with 0 when the robot loads, neither arms nor a view are missing and what is tried does not fail, with 1 when
    the adapter needs a hand before that, and with 2 when the model cannot be used.
    """
    folder = out or Path("robots") / (re.sub(r"\W+", "_", model.stem).strip("_") or "robot")
    if (folder / "robot.toml").exists() and not force:
        raise RobotError(f"{folder / 'robot.toml'} is there already; --force writes over it, --out writes elsewhere")
    if not model.is_file():
        raise RobotError(f"the model {model} does not exist")
    screen = console(stderr=as_json, quiet=as_json)
    with TemporaryDirectory() as scratch:
        with screen.status("looking at links, joints and meshes, and at random configurations"):
            proposal = _proposal(model, srdf, seed, Path(scratch))
        try:
            files = [*write(proposal, folder)]
            (folder / PICTURE).unlink(missing_ok=True)  # one of an earlier proposal shows another robot
        except OSError as error:
            raise TaskMatrixError(f"cannot write {error.filename or folder}: {error.strerror or error}") from error
    problem, findings = "", list[Finding]()
    try:
        robot = load_robot(folder)
    except RobotError as error:
        problem = str(error)
    else:
        if picture:
            files += _pictured(robot, folder)
        if tried:
            with screen.status("trying stance, hands, view and reach in a world"):
                findings = list(try_out(robot, str(folder)))
            add_tried(folder, map(_note, findings))
    missing = proposal.of("missing")
    if as_json:
        typer.echo(json.dumps(_report(proposal, files, problem, findings)))
    else:
        _tell(screen, proposal)
        _tell_tried(screen, findings)
        for file in files:
            screen.print(f"wrote {file}", markup=False, highlight=False)
        if problem:
            screen.print(f"It does not load yet: {problem}", style="bold red", markup=False)
        else:
            screen.print(_verdict(proposal, findings), style=_style(missing, findings), markup=False)
    failed = any(finding.verdict == FAILS for finding in findings)
    raise typer.Exit(1 if problem or missing or failed else 0)


def _proposal(model: Path, srdf: Path | None, seed: int, scratch: Path) -> Proposal:
    """What is proposed for a URDF, or for an MJCF file, which is written as a URDF into the folder ``scratch``."""
    if not is_mjcf(model):
        return propose(model, srdf, seed)
    converted = write_urdf(model, scratch)
    proposal = propose(converted.urdf, srdf or converted.srdf, seed)
    return replace(proposal, notes=(*converted.notes, *proposal.notes))


def _note(finding: Finding) -> Note:
    """A finding as the file has it."""
    kind = {PASSES: "found", FAILS: "missing"}.get(finding.verdict, "unsure")
    return Note(kind, "model", f"{finding.name}: {finding.verdict}: {finding.text}")


def _tell_tried(screen: Console, findings: list[Finding]) -> None:
    """Print what was tried."""
    for finding in findings:
        style = {FAILS: "bold yellow", UNABLE: "yellow"}.get(finding.verdict, "")
        text = f"  tried {finding.name}: {finding.verdict}, {finding.text}"
        screen.print(text, style=style, markup=False, highlight=False)


def _verdict(proposal: Proposal, findings: list[Finding]) -> str:
    """The last line: that it loads, and what is left to do."""
    unsure = len(proposal.of("unsure"))
    failed = [finding.name for finding in findings if finding.verdict == FAILS]
    parts = ["It loads"]
    if findings:
        passed = sum(finding.verdict == PASSES for finding in findings)
        parts.append(f"{passed} of {len(findings)} trials pass" + (f", not {', '.join(failed)}" if failed else ""))
    if unsure:
        parts.append(f"{unsure} thing{'s' if unsure > 1 else ''} to look at")
    return "; ".join(parts) + "."


def _style(missing: tuple[Note, ...], findings: list[Finding]) -> str:
    failed = any(finding.verdict == FAILS for finding in findings)
    return "bold yellow" if missing or failed else "bold green"


def _pictured(robot: Robot, folder: Path) -> list[Path]:
    """The picture."""
    path = folder / PICTURE
    ready = "ready" if "ready" in robot.postures else robot.stance
    portrait(robot, path, folder.name, [(robot.stance, 0.0), (robot.stance, np.pi / 2), (ready, np.pi / 5)], True)
    return [path]


def _tell(screen: Console, proposal: Proposal) -> None:
    """Print what was found, and every remark that matters."""
    for chain, joints in proposal.chains.items():
        ends = joints[0] if len(joints) == 1 else f"{joints[0]} ... {joints[-1]}"
        screen.print(f"  {chain}: {len(joints)} ({ends})", markup=False, highlight=False)
    for name, grip in proposal.hands.items():
        how = f"{len(grip.open)} finger joints" if grip.open else "affixes"
        screen.print(f"  hand {name}: on {grip.frame}, {how}, opens {1000 * grip.aperture:.0f} mm", markup=False)
    levels = sureness(proposal)
    sure = ", ".join(one.part for one in levels if one.level == SURE)
    screen.print(f"  sure: {sure or 'nothing'}", markup=False, highlight=False)
    for one in levels:
        if one.level != SURE:
            screen.print(f"  {one.level}: {one.part} ({one.why})", markup=False, highlight=False)
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


def _report(proposal: Proposal, files: list[Path], problem: str, findings: list[Finding]) -> dict[str, object]:
    return {
        "chains": {chain: list(joints) for chain, joints in proposal.chains.items()},
        "hands": {name: grip.frame for name, grip in proposal.hands.items()},
        "view": proposal.view_pose.frame if proposal.view_pose else None,
        "forward": [float(value) for value in proposal.heading.forward[:2]],
        "floor": list(proposal.floor),
        "notes": [{"kind": note.kind, "about": note.about, "text": note.text} for note in proposal.notes],
        "sure": [{"part": one.part, "level": one.level, "why": one.why} for one in sureness(proposal)],
        "tried": [{"name": one.name, "verdict": one.verdict, "text": one.text} for one in findings],
        "loads": not problem,
        "problem": problem,
        "files": [str(file) for file in files],
    }
