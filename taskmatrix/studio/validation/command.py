"""The command ``taskmatrix validate``."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from taskmatrix.core.base.errors import NotFoundError, ParameterError, TaskMatrixError
from taskmatrix.robots import robot_descriptions
from taskmatrix.session.catalogue import behaviors as known_behaviors
from taskmatrix.session.settings import SIMULATIONS
from taskmatrix.simulation.scenes.world_loader import load_world, world_names

from ..cli.terminal import TerminalProgress, console
from ..drawing.frame_recorder import EventFile
from .case import SUCCESS, Case, Result
from .comparison import Comparison, read_matrix, show_comparison
from .engine import EngineError
from .engines import open_engine
from .matrix import Matrix, all_cases, sample
from .page import page
from .precision import more_cases
from .programs import ProgramMatrix, keep, loop_cases, random_cases, written_case
from .run_case import run_case
from .scatter import Arrival, Scatter
from .store import Store
from .table import show
from .task import task_of, tasks
from .timing import hosts, timing
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
        str,
        typer.Option(metavar="NAME", help="kinematic; with physics, and judged with its tolerances: bullet, mujoco."),
    ] = SIMULATIONS[0],
    take_sample: Annotated[
        bool, typer.Option("--sample", help="Each behavior once, on robots and in worlds in turn.")
    ] = False,
    pictures: Annotated[bool, typer.Option("--pictures", help="A contact sheet for each cell.")] = False,
    limit: Annotated[float, typer.Option(metavar="SECONDS", help="Longest wall time of a run.", min=1.0)] = LIMIT,
    programs: Annotated[
        int | None, typer.Option(help="Random programs, that many in all, instead of single behaviors.", min=1)
    ] = None,
    steps: Annotated[int, typer.Option(help="Behaviors in a random program.", min=1)] = 10,
    disturb: Annotated[
        bool, typer.Option("--disturb", help="Let something happen to the robot between steps of random programs.")
    ] = False,
    program: Annotated[
        Path | None, typer.Option(help="Run the program in a file that an earlier run left.", exists=True)
    ] = None,
    loop: Annotated[
        list[str] | None, typer.Option(metavar="NAMES", help="Run these behaviors again and again, for --hours.")
    ] = None,
    hours: Annotated[float, typer.Option(help="Of simulated time, for --loop.", min=0.001)] = 3.0,
    engine: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Runs on other machines: dask://HOST:PORT, a scheduler; dask, a cluster made here."
        ),
    ] = "",
    precision: Annotated[
        float | None,
        typer.Option(help="More seeds until half of each rate's 95 % interval is as small.", min=0.001, max=0.5),
    ] = None,
    budget: Annotated[
        int | None, typer.Option(metavar="RUNS", help="Run at most so many now; the same command goes on.", min=1)
    ] = None,
    compare: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Compare with the matrix.json of another state of the library.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the matrix as JSON and nothing else.")] = False,
) -> None:
    """Run behaviors on robots in worlds, judge every run from ground truth, and show the success rates.

    Worlds without what the tasks are about, such as a soccer field, are left out unless they are named. Exits with 1 if
    less than 95 % of the runs of a cell succeed, or less than 99 % of all. A single case is run here, tells all that
    happens, and leaves pictures and the event log, but no matrix.
    """
    if precision is not None and seed is not None:
        raise ParameterError("--precision adds seeds, and --seed leaves only one: give one of them")
    other = read_matrix(compare) if compare is not None else None
    chosen = (
        _chosen("behavior", behaviors, _validated()),
        _chosen("robot", robots, sorted(robot_descriptions())),
        _chosen("world", worlds, world_names()) if worlds else list(filter(_furnished, world_names())),
    )
    if sim not in SIMULATIONS:
        raise NotFoundError("simulation", sim, SIMULATIONS)
    cases: list[Case]
    if programs is not None:
        cases = [*random_cases(programs, steps, disturb, *chosen[1:], seed or 0, sim)]
    elif program is not None:
        cases = [written_case(program)]
    elif loop:
        cases = [*loop_cases(_chosen("behavior", loop, _validated()), *chosen[1:], seed or 0, sim, hours)]
    elif take_sample:
        cases = sample(*chosen, seed=seed or 0)
    else:
        cases = all_cases(*chosen, range(seeds) if seed is None else [seed])
    one_by_one = programs is None and program is None and not loop
    sim = cases[0].sim if program is not None else sim
    cases = [replace(case, sim=sim, out="" if out == OUT else str(out)) for case in cases]
    if one_by_one:
        cases = _possible(cases)
    screen = console(stderr=as_json, quiet=as_json)
    try:
        if len(cases) == 1:
            results = [_single(cases[0], out, screen)]
        else:
            how = _How(out, processes or os.cpu_count() or 1, engine, pictures, limit, budget, screen)
            cases, results = _all(cases, how, Store(out / "results.jsonl", fresh), precision)
        matrix = Matrix(tuple(results)) if one_by_one else ProgramMatrix.of(results)
        for result in results:
            keep(result, out)
        if len(cases) > 1:
            out.mkdir(parents=True, exist_ok=True)
            (out / "matrix.json").write_text(json.dumps(matrix.to_dict(), indent=1), encoding="utf-8")
            (out / "matrix.html").write_text(page(matrix), encoding="utf-8")
    except OSError as error:
        raise TaskMatrixError(f"cannot write {error.filename or out}: {error.strerror or error}") from error
    if isinstance(matrix, ProgramMatrix):
        matrix.show(screen)
    if len(cases) > 1:
        show(matrix, screen)
        if len(results) < len(cases):
            screen.print(f"{len(cases) - len(results)} runs are left; the same command goes on", style="yellow")
        screen.print(f"wrote {out / 'matrix.json'} and {out / 'matrix.html'}", markup=False, highlight=False)
    if other is not None:
        show_comparison(Comparison(other, matrix), screen)
    if as_json:
        typer.echo(json.dumps(matrix.to_dict()))
    raise typer.Exit(1 if matrix.complaints or len(results) < len(cases) else 0)


@dataclass(frozen=True)
class _How:
    """How many cases are run."""

    out: Path
    """Folder of the results."""
    processes: int
    """At once, on this machine."""
    engine: str
    """Its name; empty for the pool of this machine."""
    pictures: bool
    """Whether each cell gets one."""
    limit: float
    """[s] Of wall time for one run."""
    budget: int | None
    """How many runs at most; None for all."""
    screen: Console
    """Where to tell."""


def _all(cases: list[Case], how: _How, store: Store, precision: float | None) -> tuple[list[Case], list[Result]]:
    """Run the cases, and those that a precision asks for besides; all of them, and the results that there are."""
    done, before = False, len(store.results)
    while not done:
        left = None if how.budget is None else max(how.budget - (len(store.results) - before), 0)
        results = _many(cases, replace(how, budget=left), store)
        more = (
            []
            if precision is None or len(results) < len(cases)
            else more_cases(Matrix(tuple(results)).cells, cases, precision)
        )
        done = not more
        if more:
            how.screen.print(f"{len(more)} more runs make the rates sure to {precision:.1%}", style="dim")
            cases = cases + more
    (how.out / "timing.json").write_text(json.dumps(timing(cases, store), indent=1), encoding="utf-8")
    if how.engine:
        for host, counts in hosts(cases, store).items():
            told = ", ".join(f"{count} {what}" for what, count in counts.items())
            how.screen.print(f"{host}: {told}", style="dim", markup=False, highlight=False)
    return cases, results


def _many(cases: Sequence[Case], how: _How, store: Store) -> list[Result]:
    """Run what has no result yet; the results of all cases that have one, also after Ctrl-C."""
    screen = how.screen
    drawn = {case: _picture(how.out, case) for case in {case.cell: case for case in reversed(cases)}.values()}
    drawn = drawn if how.pictures else {}
    done = {
        case
        for case, result in store.results.items()
        if case not in drawn or not result.duration or Path(result.picture or "?").is_file()
    }
    left = [case for case in cases if case not in done]
    if len(left) < len(cases):
        screen.print(f"{len(cases) - len(left)} of {len(cases)} runs are done already", style="dim")
    elif store.outdated:
        screen.print(f"{store.outdated} results of another state of the library do not count", style="dim")
    expected = _expected(left, store)
    now = sorted(left[: how.budget], key=lambda case: -expected[case.cell])
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"),
        TimeRemainingColumn(elapsed_when_finished=False),
    )  # fmt: skip
    failed = 0
    try:
        with Progress(*columns, console=screen, speed_estimate_period=600.0) as progress:
            bar = progress.add_task("validate", total=len(cases), completed=len(cases) - len(left))

            def tell(text: str) -> None:
                progress.console.print(text, style="yellow", markup=False, highlight=False)

            for arrival in _arrivals(now, how, drawn, tell):
                result = arrival.result
                store.add(result, arrival.worker, arrival.deaths)
                if result.verdict != SUCCESS:
                    failed += 1
                    progress.console.print(f"{result.case}: {result.verdict}: {result.reason}", markup=False)
                    progress.console.print(f"  {result.case.replay}", style="dim", markup=False, highlight=False)
                progress.update(bar, advance=1, description=f"validate, {failed} failed" if failed else "validate")
    except KeyboardInterrupt:
        screen.print("interrupted by Ctrl-C", style="yellow")
    except EngineError as error:
        kept = sum(case in store.results for case in cases)
        raise EngineError(f"{error}; {kept} of {len(cases)} results are kept, the same command goes on") from error
    return [replace(store.results[case], case=case) for case in cases if case in store.results]


def _arrivals(
    cases: Sequence[Case], how: _How, drawn: Mapping[Case, str], tell: Callable[[str], None]
) -> Iterator[Arrival]:
    """Results as they come, from the pool of this machine or from an engine."""
    if not how.engine:
        for result in work(cases, run_case, min(how.processes, max(len(cases), 1)), drawn, how.limit):
            yield Arrival(result)
    elif cases:
        scatter = Scatter(cases, open_engine(how.engine, how.processes, run_case), drawn, how.limit, tell)
        yield from scatter


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
    for told in result.facts.get("told", ()):
        screen.print(f"{told['step']}: {told['verdict']}", markup=False, highlight=False)
    style = "bold green" if result.verdict == SUCCESS else "bold red"
    text = "judged successful" if result.verdict == SUCCESS else f"{result.verdict}, {result.kind}: {result.reason}"
    screen.print(f"{case}: {text}", style=style, markup=False)
    screen.print(f"wrote {Path(path).with_suffix('.jsonl')}{f' and {path}' if result.picture else ''}", markup=False)
    return result


def _expected(cases: Sequence[Case], store: Store) -> dict[tuple[str, str, str], float]:
    """[s] How long a case of each cell may take: as the others did, or its task's timeout; the longest go first."""
    walls: dict[tuple[str, str, str], list[float]] = {}
    for case, result in store.results.items():
        walls.setdefault(case.cell, []).append(result.wall)
    cells = {case.cell: case for case in cases}
    return {
        cell: sum(walls[cell]) / len(walls[cell]) if cell in walls else case.timeout for cell, case in cells.items()
    }


def _chosen(noun: str, given: list[str] | None, known: Sequence[str]) -> list[str]:
    """The names given, checked, in the order given; all that are known if none is.

    A file may be any, and so may a robot's folder.
    """
    if not given:
        return list(known)
    names = [name for text in given for name in text.split(",") if name]
    for name in names:
        plain = name.partition(":")[0] if noun == "behavior" else name
        path = noun != "behavior" and (name.endswith(".toml") or (noun == "robot" and Path(name).is_dir()))
        if plain not in known and not path:
            raise NotFoundError(noun, plain, known)
    if not names:
        raise ParameterError(f"there is no {noun} in {given}")
    return list(dict.fromkeys(names))


def _furnished(name: str) -> bool:
    """Whether a world has what the tasks are about, and a vacuum."""
    return load_world(name).objects.keys() >= {"vacuum"}.union(*(task.objects for task in tasks().values()))


def _possible(cases: Sequence[Case]) -> list[Case]:
    """Cases in worlds that have what the behavior is about.

    Raises:
        ParameterError: There is none.
    """
    objects = {world: load_world(world).objects.keys() for world in {case.world for case in cases}}
    lacking = {case: task_of(case.behavior).objects - objects[case.world] for case in cases}
    possible = [case for case in cases if not lacking[case]]
    if cases and not possible:
        lacks = "; ".join(sorted({f"'{case.world}' has no {', '.join(sorted(ids))}" for case, ids in lacking.items()}))
        raise ParameterError(f"nothing that was asked for can be run: {lacks}")
    return possible


def _validated() -> list[str]:
    """Behaviors that exist and that the matrix knows how to run, in the matrix's order."""
    known = known_behaviors()
    return [behavior for behavior in tasks() if behavior in known]


def _picture(out: Path, case: Case) -> str:
    return str(out / "pictures" / (re.sub(r"[^\w.=+-]", "_", "-".join([*case.cell, str(case.seed)])) + ".png"))
