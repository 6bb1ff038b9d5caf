"""The command ``taskmatrix run``."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from py_trees.behaviour import Behaviour
from rich.console import Console

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.failure import FailureKind, plain
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.session.catalogue import SUBJECTS, behaviors, find_class, make, make_before, needs_second_robot
from taskmatrix.session.live.breakpoints import check_states
from taskmatrix.session.session import Session
from taskmatrix.session.settings import from_options

from ..drawing.frame_recorder import EventFile, FrameRecorder
from ..drawing.pictures import animation, contact_sheet
from ..drawing.renderer import Frame
from ..viewer.command import LOOPBACK, Viewing, stay
from .edited import Edited
from .recording_command import as_typed
from .setting_options import changed, completing, with_settings
from .terminal import TerminalProgress, compile_with_progress, console, show_outcome
from .terminal.screen import writing, wrote

DEFAULT_SECOND_ROBOT = "asimo"  # walks past where a behavior is about a second robot and none is given
FIRST_STEPS = 2  # of a run in which nothing has moved yet
NAMED = ("robot", "world", "seed")  # which the names of files have anyway
OUTPUT, PAGE = "What is printed and written", "In the browser"  # headings of the help


@with_settings
def run(
    context: typer.Context,
    behavior: Annotated[
        str,
        typer.Argument(
            metavar="BEHAVIOR",
            help="A name from 'taskmatrix list behaviors', or module:Class.",
            autocompletion=completing(behaviors),
        ),
    ],
    param: Annotated[
        list[str] | None, typer.Option(help="A parameter, name=value; see 'list behaviors NAME'. Repeatable.")
    ] = None,
    after: Annotated[
        list[str] | None,
        typer.Option(
            metavar="BEHAVIOR",
            help="Run this first, with the same object. Repeatable.",
            autocompletion=completing(behaviors),
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="Longest time of the run, on its own clock.")
    ] = 120.0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the outcome as JSON and nothing else.", rich_help_panel=OUTPUT)
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print the outcome and nothing else.", rich_help_panel=OUTPUT)
    ] = False,
    out: Annotated[
        Path, typer.Option(help="Folder for pictures, recording and event log.", rich_help_panel=OUTPUT)
    ] = Path("out"),
    record: Annotated[
        bool, typer.Option("--record", help="Record the run; see 'taskmatrix recording'.", rich_help_panel=OUTPUT)
    ] = False,
    pictures: Annotated[
        bool, typer.Option(help="Render the contact sheet and the animation.", rich_help_panel=OUTPUT)
    ] = True,
    view: Annotated[
        bool,
        typer.Option(
            "--view",
            help="Show the run in the browser, where it can be controlled; without pictures.",
            rich_help_panel=PAGE,
        ),
    ] = False,
    paused: Annotated[
        bool, typer.Option("--paused", help="Wait for somebody on the page.", rich_help_panel=PAGE)
    ] = False,
    breakpoints: Annotated[
        list[str] | None,
        typer.Option(
            "--break",
            metavar="STATE",
            help="Pause where this state starts: its path or name. Repeatable.",
            rich_help_panel=PAGE,
        ),
    ] = None,
    browser: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Open the page; on a desktop unless said.", rich_help_panel=PAGE),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            help="Where it listens. Others than this machine need the token in the address.", rich_help_panel=PAGE
        ),
    ] = LOOPBACK,
    port: Annotated[int, typer.Option(help="Any that is free if 0.", min=0, max=65535, rich_help_panel=PAGE)] = 0,
    **given: Any,
) -> None:
    """Run a behavior on a robot in a simulation, and leave pictures of it."""
    if not 0.0 < timeout < math.inf:
        raise ParameterError(f"--timeout has to be a number of seconds greater than 0, not {timeout}")
    screen, result = console(stderr=as_json, quiet=as_json or quiet), console(stderr=as_json, quiet=as_json)
    greets = any(needs_second_robot(name, param or []) for name in (behavior, *(after or [])))
    settings = from_options(given | ({"second_robot": given["second_robot"] or DEFAULT_SECOND_ROBOT} if greets else {}))
    viewing = Viewing(view, host, port, paused, browser, tuple(breakpoints or ()))
    for name in (behavior, *(after or [])):
        find_class(name)  # what is misspelt is told before anything is compiled
    compile_with_progress(screen)
    with viewing.link() as link, Session(settings) as session:
        before = [make_before(name, param or [], session.world, session.robot) for name in after or []]
        task = make(behavior, param or [], session.world, session.robot)
        check_states(viewing.breakpoints, [*before, task])
        parameters = _given(task, param or [])
        words = [behavior, session.robot.name, session.world.name, str(session.seed), *parameters]
        words += [f"after={'+'.join(after)}"] if after else []
        stem = out / _safe("-".join([*words, *changed({name: given[name] for name in given if name not in NAMED})]))
        events, sheet, film = (Path(f"{stem}{suffix}") for suffix in (".jsonl", ".png", ".gif"))
        with writing(out):
            out.mkdir(parents=True, exist_ok=True)
            _remove(sheet, film)  # of an earlier run
            log = EventFile(events)
            recorders = [session.record(f"{stem}.mcap", as_typed(context.obj))] if record else []
        session.events.subscribe(log)
        try:
            with viewing.page(
                session,
                link,
                console(stderr=as_json),
                context.obj,
                Edited(behavior, lambda: make(behavior, param or [], session.world, session.robot)),
            ) as page:
                outcome, frames = _run(session, [*before, task], timeout, screen)
                show_outcome(outcome, result)
                stay(page, outcome, lambda task: _shown(_run(session, [task], timeout, screen)[0], result), screen)
        finally:
            with writing(out):
                for close in (log.close, *(recorder.close for recorder in recorders)):
                    close()
        if not after and _wants_held(outcome):
            screen.print("no hand holds anything at the start of a run (try --after pickup)", style="yellow")
        files = dict(zip(("events", "recording"), [str(events), *(str(each.path) for each in recorders)], strict=False))
        wrote(screen, *map(Path, files.values()))
        interrupted = outcome.failure is not None and outcome.failure.kind is FailureKind.INTERRUPTED
        if pictures and not (interrupted or view):
            what = f"{behavior} ({', '.join(parameters)})" if parameters else behavior
            title = f"{what} by {session.robot.name} in {session.world.name}, seed {session.seed}"
            with writing(out):
                drawn = _pictures(session, task, frames, (sheet, film), title, str(outcome), screen)
            if drawn:
                wrote(screen, sheet, film)
                files |= {"contact_sheet": str(sheet), "animation": str(film)}
    if as_json:
        report = {
            "behavior": behavior,
            "parameters": task.parameters,
            "after": after or [],
            "robot": session.robot.name,
            "world": session.world.name,
            "furniture_scale": session.world.furniture_scale,
            "seed": session.seed,
            **settings.to_dict(),
            "success": outcome.success,
            "failure": outcome.failure.to_dict() if outcome.failure else None,
            "recovered": [failure.to_dict() for failure in outcome.recovered],
            "duration": outcome.duration,
            "steps": outcome.steps,
            "files": files,
        }
        typer.echo(json.dumps(plain(report)))
    raise typer.Exit(0 if outcome.success else 1)


def _run(session: Session, tasks: Sequence[Behaviour], timeout: float, screen: Console) -> tuple[Outcome, list[Frame]]:
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
    task: TaskBehavior,
    frames: list[Frame],
    paths: tuple[Path, Path],
    title: str,
    outcome: str,
    screen: Console,
) -> bool:
    """Write the contact sheet and the animation; say so where somebody has no time."""
    sheet, film = paths
    subjects = [task.parameters[name] for name in SUBJECTS if name in task.declared]
    target = next((subject for subject in subjects if subject in session.world.objects), None)
    try:
        with screen.status("rendering pictures"):
            contact_sheet(session.robot, session.world, frames, sheet, title, outcome=outcome, target=target)
            animation(session.robot, session.world, frames, film, target=target)
    except KeyboardInterrupt:
        _remove(sheet, film)
        console(stderr=True).print("interrupted by Ctrl-C; pictures left out", style="yellow")
        return False
    return True


def _remove(*paths: Path) -> None:
    for path in paths:
        path.unlink(missing_ok=True)


def _safe(stem: str) -> str:
    """A file name without what file systems and shells take for something else."""
    return re.sub(r"[^\w.=+-]", "_", stem)
