"""The command ``taskmatrix check``."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track
from rich.table import Table

from taskmatrix.core.errors import TaskMatrixError
from taskmatrix.robots import Robot, load_robot
from taskmatrix.studio.portrait import portrait
from taskmatrix.studio.session import simulate
from taskmatrix.studio.terminal import console
from taskmatrix.studio.validation import Case, Task, run_case
from taskmatrix.studio.validation.case import NOT_ABLE, SUCCESS
from taskmatrix.studio.validation.task import tasks

from .body import check_adapter, check_postures
from .finding import FAILS, PASSES, UNABLE, Finding
from .page import page
from .reach import reach_of, svg
from .skills import SkillCheck

WORLD = "sparse"
SIDEWAYS = 0.6  # [rad] off its front, from where a robot is drawn
_STYLES = {PASSES: "green", FAILS: "bold red", UNABLE: "yellow"}


def check(
    robot: Annotated[str, typer.Argument(help="Name of a robot, or path of its robot.toml or of the folder with it.")],
    behaviors: Annotated[
        bool, typer.Option("--behaviors/--no-behaviors", help="Whether to run every behavior once, too.")
    ] = True,
    out: Annotated[Path, typer.Option(help="Folder of the page and the figures.")] = Path("out/check"),
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON and nothing else.")] = False,
) -> None:
    """Try the common skill set on a robot, and every behavior, and say what it can do, what not, and why.

    Exits with 1 if anything fails; what the robot is not able to is no failure.
    """
    screen = console(stderr=as_json, quiet=as_json)
    loaded = load_robot(robot)
    with simulate(loaded, WORLD, 0) as session:
        findings = [*check_adapter(loaded), *check_postures(session)]
        findings += track(SkillCheck(session).findings(), "skills", console=screen, transient=True)
    reaches = [reach_of(loaded, hand) for hand in loaded.hands]
    findings += [reach.finding() for reach in reaches]
    if behaviors:
        chosen = tasks().values()
        findings += track(
            (_behavior(task, robot) for task in chosen), "behaviors", len(chosen), console=screen, transient=True
        )
    table = Table("", "", "", title=f"{loaded.name}: {loaded.description}", show_header=False)
    for finding in findings:
        table.add_row(finding.name, finding.verdict, finding.text, style=_STYLES.get(finding.verdict))
    screen.print(table)
    try:
        out.mkdir(parents=True, exist_ok=True)
        stem = out / loaded.name
        stem.with_suffix(".json").write_text(
            json.dumps([finding.to_dict() for finding in findings], indent=1), encoding="utf-8"
        )
        pictures = _drawn(loaded, stem.with_suffix(".png"))
        stem.with_suffix(".html").write_text(
            page(loaded.name, loaded.description, findings, svg(reaches), pictures), encoding="utf-8"
        )
    except OSError as error:
        raise TaskMatrixError(f"cannot write {error.filename or out}: {error.strerror or error}") from error
    screen.print(f"wrote {stem.with_suffix('.html')}", markup=False, highlight=False)
    if as_json:
        typer.echo(json.dumps([finding.to_dict() for finding in findings]))
    raise typer.Exit(1 if any(finding.verdict == FAILS for finding in findings) else 0)


def _behavior(task: Task, robot: str) -> Finding:
    """What becomes of a behavior in the sparse world."""
    result = run_case(Case(task.behavior, robot, WORLD, 0), task=task)
    verdict = {SUCCESS: PASSES, NOT_ABLE: UNABLE}.get(result.verdict, FAILS)
    text = f"judged successful after {result.duration:.1f} s" if verdict == PASSES else result.reason
    return Finding("behaviors", task.behavior, verdict, text, {"duration_s": result.duration, "wall_s": result.wall})


def _drawn(robot: Robot, path: Path) -> list[Path]:
    """The robot in its postures, if PyBullet is there to draw it."""
    if find_spec("pybullet") is None:
        return []
    portrait(robot, path, f"Postures of {robot.name}", [(posture, SIDEWAYS) for posture in robot.postures])
    return [path]
