"""The command ``taskmatrix check``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.robots import Robot, load_robot
from taskmatrix.session.session import simulate

from ..cli.terminal import console
from ..drawing.portrait import portrait
from ..validation import Case, Task, run_case
from ..validation.case import NOT_ABLE, SUCCESS
from ..validation.task import tasks
from .body import check_adapter, check_head, check_postures
from .finding import FAILS, PASSES, UNABLE, Finding
from .log import FindingLog
from .page import page
from .reach import Reach, reach_of, svg
from .skills import SkillCheck

WORLD = "sparse"
SIDEWAYS = 0.6  # [rad] off its front, from where a robot is drawn


def check(
    robot: Annotated[str, typer.Argument(help="Name of a robot, or path of its robot.toml or of the folder with it.")],
    behaviors: Annotated[
        bool, typer.Option("--behaviors/--no-behaviors", help="Whether to run every behavior once, too.")
    ] = True,
    out: Annotated[Path, typer.Option(help="Folder of the page and the figures.")] = Path("out/check"),
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON and nothing else.")] = False,
) -> None:
    """Try the common skill set on a robot, and every behavior, and say what it can do, what not, and why.

    What is found is told as it comes, and is in OUT/NAME.json from then on, whatever ends the check. Exits with 1 if
    anything fails; what the robot is not able to is no failure.
    """
    screen = console(stderr=as_json, quiet=as_json)
    loaded = load_robot(robot)
    screen.print(f"{loaded.name}: {loaded.description}", style="bold", markup=False, highlight=False)
    stem = out / loaded.name
    reaches: list[Reach] = []
    log = FindingLog(screen, stem.with_suffix(".json"))
    try:
        with log:
            with simulate(loaded, WORLD, 0) as session:
                log.take("adapter", check_adapter(loaded))
                log.take("postures and motions", check_postures(session))
                log.take("postures and motions", check_head(session))
                log.take("skills", SkillCheck(session).findings())
            for hand in loaded.hands:
                log.take(f"reach of {hand}", _reach(loaded, hand, reaches))
            for name, task in tasks().items() if behaviors else ():
                log.take(f"behavior {name}", (_behavior(one, robot) for one in (task,)))
    except KeyboardInterrupt:
        console(stderr=True).print(
            f"interrupted by Ctrl-C; what was found is in {stem.with_suffix('.json')}", style="yellow", soft_wrap=True
        )
        if as_json:
            typer.echo(log.dumps())
        raise typer.Exit(1) from None
    failures = sum(finding.verdict == FAILS for finding in log.findings)
    unable = sum(finding.verdict == UNABLE for finding in log.findings)
    screen.print(f"{len(log.findings)} findings: {failures} fail, not able to {unable}", highlight=False)
    try:
        pictures = _drawn(loaded, stem.with_suffix(".png"))
        stem.with_suffix(".html").write_text(
            page(loaded.name, loaded.description, log.findings, svg(reaches), pictures), encoding="utf-8"
        )
    except OSError as error:
        raise TaskMatrixError(f"cannot write {error.filename or out}: {error.strerror or error}") from error
    screen.print(f"wrote {stem.with_suffix('.html')}", markup=False, highlight=False)
    if as_json:
        typer.echo(log.dumps())
    raise typer.Exit(1 if failures else 0)


def _reach(robot: Robot, hand: str, reaches: list[Reach]) -> Iterator[Finding]:
    """Where a hand gets; it is added to the others."""
    reaches.append(reach_of(robot, hand))
    yield reaches[-1].finding()


def _behavior(task: Task, robot: str) -> Finding:
    """What becomes of a behavior in the sparse world."""
    result = run_case(Case(task.behavior, robot, WORLD, 0), task=task)
    verdict = {SUCCESS: PASSES, NOT_ABLE: UNABLE}.get(result.verdict, FAILS)
    text = f"judged successful after {result.duration:.1f} s" if verdict == PASSES else result.reason
    return Finding("behaviors", task.behavior, verdict, text, {"duration_s": result.duration, "wall_s": result.wall})


def _drawn(robot: Robot, path: Path) -> list[Path]:
    """The robot in its postures."""
    portrait(robot, path, f"Postures of {robot.name}", [(posture, SIDEWAYS) for posture in robot.postures])
    return [path]
