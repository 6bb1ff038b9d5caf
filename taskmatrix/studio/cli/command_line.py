"""The command ``taskmatrix``."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text
from typer.core import TyperCommand

from taskmatrix.core.base.errors import MissingDependencyError, NotFoundError, ParameterError, TaskMatrixError
from taskmatrix.core.base.failure import FailureKind, plain
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.kernel.ahead_of_time import compile_ahead
from taskmatrix.kernel.jit.compiled import cache_folder
from taskmatrix.perception.octree import compile_ahead as compile_map
from taskmatrix.robots import load_robot, robot_descriptions
from taskmatrix.session.catalogue import (
    SUBJECTS,
    behaviors,
    describe,
    find_class,
    make,
    make_before,
    needs_second_robot,
    parameters,
)
from taskmatrix.session.graph import Graph, graph_of
from taskmatrix.session.policies import POLICIES
from taskmatrix.session.session import Session, simulate
from taskmatrix.session.settings import SIMULATIONS
from taskmatrix.simulation.scenes.world_loader import world_descriptions
from taskmatrix.skills.planning.settings import TREES, PlannerSettings

from ..conformance.command import check
from ..drawing.frame_recorder import EventFile, FrameRecorder
from ..drawing.graph_svg import svg
from ..drawing.graph_text import dot, mermaid
from ..drawing.pictures import animation, contact_sheet
from ..drawing.renderer import Frame
from ..validation.command import validate
from ..viewer.command import LOOPBACK, Viewing, stay, view_recording
from .adopt import adopt
from .recording_command import as_typed, recording
from .terminal import TerminalProgress, console, show_outcome

DEFAULT_SECOND_ROBOT = "asimo"  # walks past where a behavior is about a second robot and none is given
FIRST_STEPS = 2  # of a run in which nothing has moved yet
app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


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


@app.command(cls=_Command)
def run(
    context: typer.Context,
    behavior: Annotated[
        str, typer.Argument(metavar="BEHAVIOR", help="A name from 'taskmatrix list behaviors', or module:Class.")
    ],
    robot: Annotated[str, typer.Option(help="Name of a robot, or path of its robot.toml.")] = "mannequin",
    world: Annotated[str, typer.Option(help="Name of a world, or path of its file.")] = "sparse",
    seed: Annotated[int, typer.Option(help="Same seed, same run.", min=0)] = 0,
    param: Annotated[
        list[str] | None, typer.Option(help="A parameter, name=value; see 'list behaviors NAME'. Repeatable.")
    ] = None,
    after: Annotated[
        list[str] | None, typer.Option(metavar="BEHAVIOR", help="Run this first, with the same object. Repeatable.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="Longest time of the run, on its own clock.")
    ] = 120.0,
    second_robot: Annotated[
        str | None, typer.Option(help="Name of a second robot that walks past, or path of its robot.toml.")
    ] = None,
    planner: Annotated[
        str,
        typer.Option(metavar="NAME", help="trees, the compiled one, or a geometric planner of OMPL, as RRTConnect."),
    ] = TREES,
    sim: Annotated[str, typer.Option(metavar="NAME", help="kinematic, or bullet: with physics.")] = SIMULATIONS[0],
    physics: Annotated[str | None, typer.Option(metavar="PRESET", help="Of bullet: fast, default or robust.")] = None,
    perception: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="omniscient; camera: on the robot's head; map: the same, and nothing known before."
        ),
    ] = "omniscient",
    policy: Annotated[
        str,
        typer.Option(metavar="NAME", help="Where two want one chain: exclusive, subsumption, sum or null-space."),
    ] = POLICIES[0],
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON and nothing else.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the outcome and nothing else.")] = False,
    out: Annotated[Path, typer.Option(help="Folder for pictures, recording and event log.")] = Path("out"),
    record: Annotated[bool, typer.Option("--record", help="Record the run; see 'taskmatrix recording'.")] = False,
    pictures: Annotated[bool, typer.Option(help="Render the contact sheet and the animation.")] = True,
    view: Annotated[
        bool,
        typer.Option("--view", help="Show the run in the browser, where it can be controlled; without pictures."),
    ] = False,
    paused: Annotated[bool, typer.Option("--paused", help="Of --view: wait for somebody on the page.")] = False,
    browser: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Of --view: open the page; on a desktop unless said.")
    ] = None,
    host: Annotated[
        str, typer.Option(help="Of --view: where it listens. Others than this machine need the token in the address.")
    ] = LOOPBACK,
    port: Annotated[int, typer.Option(help="Of --view; any that is free if 0.", min=0, max=65535)] = 0,
) -> None:
    """Run a behavior on a robot in a simulation, and leave pictures of it."""
    if not 0.0 < timeout < math.inf:
        raise ParameterError(f"--timeout has to be a number of seconds greater than 0, not {timeout}")
    screen, result = console(stderr=as_json, quiet=as_json or quiet), console(stderr=as_json, quiet=as_json)
    greets = any(needs_second_robot(name, param or []) for name in (behavior, *(after or [])))
    company = second_robot or (DEFAULT_SECOND_ROBOT if greets else None)
    planning = PlannerSettings(planner)
    chosen: dict[str, Any] = {"sim": sim, "physics": physics, "perception": perception, "policy": policy}
    viewing = Viewing(view, host, port, paused, browser)
    with (
        viewing.link() as link,
        simulate(robot, world, seed, second_robot=company, planning=planning, **chosen) as session,
    ):
        before = [make_before(name, param or [], session.world, session.robot) for name in after or []]
        task = make(behavior, param or [], session.world, session.robot)
        given = _given(task, param or [])
        words = [
            behavior,
            session.robot.name,
            session.world.name,
            str(seed),
            *given,
            *_around(after, second_robot, **chosen),
        ]
        stem = out / _safe("-".join(words))
        events, sheet, film = (Path(f"{stem}{suffix}") for suffix in (".jsonl", ".png", ".gif"))
        with _writing(out):
            out.mkdir(parents=True, exist_ok=True)
            _remove(sheet, film)  # of an earlier run
            log = EventFile(events)
            recorders = [session.record(f"{stem}.mcap", as_typed(context.obj))] if record else []
        session.events.subscribe(log)
        try:
            with viewing.page(session, link, console(stderr=as_json), context.obj) as page:
                outcome, frames = _run(session, [*before, task], timeout, screen)
                show_outcome(outcome, result)
                stay(page, outcome, lambda task: _shown(_run(session, [task], timeout, screen)[0], result), screen)
        finally:
            with _writing(out):
                for close in (log.close, *(recorder.close for recorder in recorders)):
                    close()
        if not after and _wants_held(outcome):
            screen.print("no hand holds anything at the start of a run (try --after pickup)", style="yellow")
        files = dict(zip(("events", "recording"), [str(events), *(str(each.path) for each in recorders)], strict=False))
        _wrote(screen, *map(Path, files.values()))
        interrupted = outcome.failure is not None and outcome.failure.kind is FailureKind.INTERRUPTED
        if pictures and not (interrupted or view):
            what = f"{behavior} ({', '.join(given)})" if given else behavior
            title = f"{what} by {session.robot.name} in {session.world.name}, seed {seed}"
            subjects = [task.parameters[name] for name in SUBJECTS if name in task.declared]
            target = next((subject for subject in subjects if subject in session.world.objects), None)
            with _writing(out):
                drawn = _pictures(session, frames, target, (sheet, film), title, str(outcome), screen)
            if drawn:
                _wrote(screen, sheet, film)
                files |= {"contact_sheet": str(sheet), "animation": str(film)}
    if as_json:
        report = {
            "behavior": behavior,
            "parameters": task.parameters,
            "after": after or [],
            "robot": session.robot.name,
            "world": session.world.name,
            "furniture_scale": session.world.furniture_scale,
            "seed": seed,
            "second_robot": company,
            "sim": sim,
            "physics": physics,
            "perception": perception,
            "success": outcome.success,
            "failure": outcome.failure.to_dict() if outcome.failure else None,
            "recovered": [failure.to_dict() for failure in outcome.recovered],
            "duration": outcome.duration,
            "steps": outcome.steps,
            "files": files,
        }
        typer.echo(json.dumps(plain(report)))
    raise typer.Exit(0 if outcome.success else 1)


def _run(session: Session, tasks: list[TaskBehavior], timeout: float, screen: Console) -> tuple[Outcome, list[Frame]]:
    """Run one after the other until one fails, and tell the story of several; the rest is of the last that ran."""
    with TerminalProgress(screen) as progress:
        hide = session.events.subscribe(progress)
        for task in tasks:
            recorder = FrameRecorder()
            unsubscribe = session.events.subscribe(recorder)
            outcome = session.run(task, timeout)
            unsubscribe()
            if not outcome.success:
                break
        hide()
    if len(tasks) > 1:
        screen.print(str(session.report()), markup=False, highlight=False)
    return outcome, recorder.frames


def _wants_held(outcome: Outcome) -> bool:
    """Whether it failed before anything moved, because no hand holds anything."""
    root = outcome.failure.root if outcome.failure else None
    if root is None or root.kind is not FailureKind.PRECONDITION or outcome.steps > FIRST_STEPS:
        return False
    held = root.facts.get("held")
    reached = "graspable" in root.message  # what it lacks is a hand at the object: reach, not pickup
    return isinstance(held, Mapping) and not any(held.values()) and not reached


def _given(task: TaskBehavior, assignments: list[str]) -> list[str]:
    """The parameters that were given, as they were understood."""
    names = {assignment.partition("=")[0] for assignment in assignments}
    return [f"{name}={task.parameters[name]}" for name in task.declared if name in names]


def _shown(outcome: Outcome, screen: Console) -> Outcome:
    show_outcome(outcome, screen)
    return outcome


def _pictures(
    session: Session,
    frames: list[Frame],
    target: str | None,
    paths: tuple[Path, Path],
    title: str,
    outcome: str,
    screen: Console,
) -> bool:
    """Write the contact sheet and the animation; say why not where PyBullet is missing or somebody has no time."""
    sheet, film = paths
    try:
        with screen.status("rendering pictures"):
            contact_sheet(session.robot, session.world, frames, sheet, title, outcome=outcome, target=target)
            animation(session.robot, session.world, frames, film, target=target)
    except MissingDependencyError as error:
        console(stderr=True).print(f"no pictures: {error}", style="yellow", markup=False)
        return False
    except KeyboardInterrupt:
        _remove(sheet, film)
        console(stderr=True).print("interrupted by Ctrl-C; pictures left out", style="yellow")
        return False
    return True


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """Tell in one line what could not be written."""
    try:
        yield
    except OSError as error:
        raise TaskMatrixError(f"cannot write {error.filename or out}: {error.strerror or error}") from error


def _remove(*paths: Path) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _wrote(screen: Console, *paths: Path) -> None:
    for path in paths:
        screen.print(f"wrote {path}", markup=False, highlight=False)


def _around(
    after: list[str] | None, second_robot: str | None, sim: str, physics: str | None, perception: str, policy: str
) -> list[str]:
    """What is said in the name of a run's files of all that is not as it is by default."""
    return [
        *([f"after={'+'.join(after)}"] if after else []),
        *([f"second_robot={second_robot}"] if second_robot else []),
        *([sim, *([physics] if physics else [])] if sim != SIMULATIONS[0] else []),
        *([f"perception={perception}"] if perception != "omniscient" else []),
        *([f"policy={policy}"] if policy != POLICIES[0] else []),
    ]


def _safe(stem: str) -> str:
    """A file name without what file systems and shells take for something else."""
    return re.sub(r"[^\w.=+-]", "_", stem)


app.command(cls=_Command)(validate)
app.command(cls=_Command)(check)
app.command(cls=_Command)(adopt)
app.command("view", cls=_Command)(view_recording)
app.command(cls=_Command)(recording)


LISTS: dict[str, Callable[[], dict[str, tuple[str, ...]]]] = {
    "robots": lambda: {name: (text,) for name, text in robot_descriptions().items()},
    "behaviors": lambda: {name: describe(name) for name in behaviors()},
    "worlds": lambda: {name: (text,) for name, text in world_descriptions().items()},
}


DRAWINGS: dict[str, Callable[[Graph], str]] = {"mermaid": mermaid, "dot": dot, "svg": svg}


@app.command("list", cls=_Command)
def list_(
    what: Annotated[str, typer.Argument(metavar="WHAT", help="robots, behaviors or worlds")],
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Only this one: a behavior's parameters, what a robot provides."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List what there is, with a line of description each; behaviors with their parameters."""
    if what not in LISTS:
        raise NotFoundError("list", what, LISTS)
    rows = LISTS[what]()
    if name is not None:
        if name not in rows:
            raise NotFoundError(what[:-1], name, rows)
        rows = {name: rows[name]}
    if as_json:
        typer.echo(json.dumps({name: description for name, (description, *_) in rows.items()}))
        return
    if name is not None and what == "robots":
        console().print(rows[name][0], markup=False, highlight=False)
        table = Table("part", "what it provides", box=None, pad_edge=False)
        rows = {part: (text,) for part, text in load_robot(name).capabilities.description.items()}
    elif name is not None and what == "behaviors":
        console().print(rows[name][0], markup=False, highlight=False)
        table = Table("parameter", "meaning", box=None, pad_edge=False)
        rows = {signature: (meaning,) for signature, meaning in parameters(name).items()}
    else:
        heads = ["description", "parameters"] if what == "behaviors" else ["description"]
        table = Table(what[:-1], *heads, box=None, pad_edge=False)
    for key, texts in rows.items():
        table.add_row(Text(key), *map(Text, texts))
    console().print(table)


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
    with _writing(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(drawn, encoding="utf-8")
    _wrote(console(), out)


@app.command(cls=_Command)
def prepare() -> None:
    """Compile what is compiled on the first run, ahead of it: for the image of a container, say."""
    done = [compile_ahead(), compile_map()]
    console().print(f"{'compiled' if any(done) else 'nothing to do'}: it is in {cache_folder().parent}", soft_wrap=True)


def main(arguments: list[str] | None = None) -> Any:
    """Run the command; an error of the user's input is one clear line and exit code 2."""
    try:
        app(arguments, obj=sys.argv[1:] if arguments is None else arguments)
    except TaskMatrixError as error:
        console(stderr=True).print(f"error: {error}", style="red", markup=False, highlight=False)
        sys.exit(2)
