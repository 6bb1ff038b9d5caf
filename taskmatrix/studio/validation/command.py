"""The command ``taskmatrix validate``."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from taskmatrix.core.errors import NotFoundError, ParameterError, TaskMatrixError
from taskmatrix.robots import robot_descriptions
from taskmatrix.simulation.world_loader import load_world, world_names
from taskmatrix.studio.catalogue import behaviors as known_behaviors
from taskmatrix.studio.recorder import EventFile
from taskmatrix.studio.session import SIMULATIONS
from taskmatrix.studio.terminal import TerminalProgress, console

from .case import SUCCESS, Case, Result
from .matrix import Matrix, all_cases, sample
from .page import page
from .run_case import run_case
from .store import Store
from .table import show
from .task import task_of, tasks
from .work import LIMIT, work

OUT = Path("out/validation")
Names = Annotated[
    list[str] | None, typer.Option(metavar="NAMES", help="Separated by commas, or repeated; all unless given.")
]


def validate(
    behaviors: Names = None,
    robots: Names = None,
    worlds: Names = None,
    seeds: Annotated[int, typer.Option(help="Runs of each cell, with the seeds 0, 1, ...", min=1)] = 20,
    seed: Annotated[int | None, typer.Option(help="Only this seed.", min=0)] = None,
    processes: Annotated[
        int | None, typer.Option(help="Runs at once; as many as there are processors unless given.", min=1)
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = OUT,
    fresh: Annotated[
        bool, typer.Option("--fresh/--resume", help="Run all anew, or only what the folder has no results of.")
    ] = False,
    sim: Annotated[
        str, typer.Option(metavar="NAME", help="kinematic, or bullet: with physics, judged with its tolerances.")
    ] = SIMULATIONS[0],
    take_sample: Annotated[
        bool, typer.Option("--sample", help="Each behavior once, on robots and in worlds in turn.")
    ] = False,
    pictures: Annotated[bool, typer.Option("--pictures", help="A contact sheet for each cell.")] = False,
    limit: Annotated[float, typer.Option(metavar="SECONDS", help="Longest wall time of a run.", min=1.0)] = LIMIT,
    as_json: Annotated[bool, typer.Option("--json", help="Print the matrix as JSON and nothing else.")] = False,
) -> None:
    """Run behaviors on robots in worlds, judge every run from ground truth, and show the success rates.

    Worlds without furniture, such as a soccer field, are left out unless they are named. Exits with 1 if less than 95 %
    of the runs of a cell succeed, or less than 99 % of all. A single case is run here, tells all that happens, and
    leaves pictures and the event log, but no matrix.
    """
    chosen = (
        _chosen("behavior", behaviors, _validated()),
        _chosen("robot", robots, sorted(robot_descriptions())),
        _chosen("world", worlds, world_names()) if worlds else list(filter(_furnished, world_names())),
    )
    if take_sample:
        cases = sample(*chosen, seed=seed or 0)
    else:
        cases = all_cases(*chosen, range(seeds) if seed is None else [seed])
    if sim not in SIMULATIONS:
        raise NotFoundError("simulation", sim, SIMULATIONS)
    cases = [replace(case, sim=sim, out="" if out == OUT else str(out)) for case in cases if _is_there(case)]
    screen = console(stderr=as_json, quiet=as_json)
    try:
        if len(cases) == 1:
            results = [_single(cases[0], out, screen)]
        else:
            results = _many(cases, out, fresh, processes or os.cpu_count() or 1, pictures, limit, screen)
        matrix = Matrix(tuple(results))
        if len(cases) > 1:
            out.mkdir(parents=True, exist_ok=True)
            (out / "matrix.json").write_text(json.dumps(matrix.to_dict(), indent=1), encoding="utf-8")
            (out / "matrix.html").write_text(page(matrix), encoding="utf-8")
    except OSError as error:
        raise TaskMatrixError(f"cannot write {error.filename or out}: {error.strerror or error}") from error
    if len(cases) > 1:
        show(matrix, screen)
        if len(results) < len(cases):
            screen.print(f"{len(cases) - len(results)} runs are left; the same command goes on", style="yellow")
        screen.print(f"wrote {out / 'matrix.json'} and {out / 'matrix.html'}", markup=False, highlight=False)
    if as_json:
        typer.echo(json.dumps(matrix.to_dict()))
    raise typer.Exit(1 if matrix.complaints or len(results) < len(cases) else 0)


def _many(
    cases: Sequence[Case], out: Path, fresh: bool, processes: int, pictures: bool, limit: float, screen: Console
) -> list[Result]:
    """Run what has no result yet; the results of all cases that have one, also after Ctrl-C."""
    store = Store(out / "results.jsonl", fresh)
    drawn = {case: _picture(out, case) for case in {case.cell: case for case in reversed(cases)}.values()}
    if pictures and find_spec("pybullet") is None:
        screen.print("there are no pictures without PyBullet", style="yellow")
    drawn = drawn if pictures and find_spec("pybullet") is not None else {}
    done = {
        case
        for case, result in store.results.items()
        if case not in drawn or not result.duration or Path(result.picture or "?").is_file()
    }
    left = sorted((case for case in cases if case not in done), key=lambda case: -_expected(case, store))
    if len(left) < len(cases):
        screen.print(f"{len(cases) - len(left)} of {len(cases)} runs are done already", style="dim")
    elif store.outdated:
        screen.print(f"{store.outdated} results of another state of the library do not count", style="dim")
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"),
        TimeRemainingColumn(elapsed_when_finished=False),
    )  # fmt: skip
    failed = 0
    try:
        with Progress(*columns, console=screen, speed_estimate_period=600.0) as progress:
            bar = progress.add_task("validate", total=len(cases), completed=len(cases) - len(left))
            for result in work(left, run_case, min(processes, max(len(left), 1)), drawn, limit):
                store.add(result)
                if result.verdict != SUCCESS:
                    failed += 1
                    progress.console.print(f"{result.case}: {result.verdict}: {result.reason}", markup=False)
                    progress.console.print(f"  {result.case.replay}", style="dim", markup=False, highlight=False)
                progress.update(bar, advance=1, description=f"validate, {failed} failed" if failed else "validate")
    except KeyboardInterrupt:
        screen.print("interrupted by Ctrl-C", style="yellow")
    return [replace(store.results[case], case=case) for case in cases if case in store.results]


def _single(case: Case, out: Path, screen: Console) -> Result:
    """Run one case, tell all of it, and leave its pictures and events."""
    path = _picture(out, case)
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    log = EventFile(Path(path).with_suffix(".jsonl"))
    try:
        with TerminalProgress(screen) as progress:
            result = run_case(case, path, [progress, log])
    finally:
        log.close()
    style = "bold green" if result.verdict == SUCCESS else "bold red"
    text = "judged successful" if result.verdict == SUCCESS else f"{result.verdict}, {result.kind}: {result.reason}"
    screen.print(f"{case}: {text}", style=style, markup=False)
    screen.print(f"wrote {Path(path).with_suffix('.jsonl')}{f' and {path}' if result.picture else ''}", markup=False)
    return result


def _expected(case: Case, store: Store) -> float:
    """[s] How long a case may take: as the others of its cell did, or its task's timeout; the longest go first."""
    walls = [result.wall for other, result in store.results.items() if other.cell == case.cell]
    return sum(walls) / len(walls) if walls else task_of(case.behavior).timeout


def _chosen(noun: str, given: list[str] | None, known: Sequence[str]) -> list[str]:
    """The names given, checked, in the order given; all that are known if none is. A path may be any."""
    if not given:
        return list(known)
    names = [name for text in given for name in text.split(",") if name]
    for name in names:
        plain = name.partition(":")[0] if noun == "behavior" else name
        if plain not in known and not (noun != "behavior" and name.endswith(".toml")):
            raise NotFoundError(noun, plain, known)
    if not names:
        raise ParameterError(f"there is no {noun} in {given}")
    return list(dict.fromkeys(names))


def _furnished(name: str) -> bool:
    """Whether a world has what things are put on."""
    world = load_world(name)
    return world.default_surface in world.objects


def _is_there(case: Case) -> bool:
    """Whether the world has the object that a behavior is to be run with."""
    object = case.behavior.partition(":")[2]
    return not object or object in load_world(case.world).objects


def _validated() -> list[str]:
    """Behaviors that exist and that the matrix knows how to run, in the matrix's order."""
    known = known_behaviors()
    return [behavior for behavior in tasks() if behavior in known]


def _picture(out: Path, case: Case) -> str:
    return str(out / "pictures" / (re.sub(r"[^\w.=+-]", "_", "-".join([*case.cell, str(case.seed)])) + ".png"))
