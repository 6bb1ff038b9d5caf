"""Runs that are disturbed: the target moves, an obstacle appears, what is held is taken away, the base is pushed.

    python benchmarks/disturbances.py --seeds 9 --json disturbances.json

Each kind of disturbance strikes at a random instant of a control loop and is judged from ground truth: the task is
achieved all the same, or it fails with a reason that the disturbance explains, or neither: unexplained. A contact that
the disturbance made is its own and counted apart; one that the robot made is unexplained. Prints the table and every
run that is unexplained; the JSON holds all.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import traceback
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import sheet
from console import Console
from disturber import DISTURBANCES, PHASES, Disturber, prepared
from evidence import Evidence
from options import parsed
from rich.progress import track
from rich.table import Table

from taskmatrix.core.base.failure import plain
from taskmatrix.session.catalogue import load
from taskmatrix.session.session import CONTROL_STEP, simulate
from taskmatrix.simulation.judges import Record

ROBOTS = ("asimo", "mannequin", "bandit", "talos")
WORLDS = ("sparse", "apartment", "cottage")
VERDICTS = ("recovered", "right reason", "unexplained", "not disturbed")
TIMEOUT = 120.0  # [s]
PARAMETERS: Mapping[str, Mapping[str, str]] = {
    "reach": {"object": "{object}"},
    "pickup": {"object": "{object}"},
    "position": {"object": "{object}", "on": "{surface}"},
    "putdown": {"object": "{object}", "on": "{surface}"},
    "postural": {"posture": "ready"},
}
HOLDING = ("position", "putdown")


@dataclass(frozen=True)
class Case:
    """One disturbed run."""

    task: str
    """Name of the behavior."""
    disturbance: str
    """What happens."""
    robot: str
    """Its name."""
    world: str
    """Its name."""
    seed: int
    """Of the world, the start, the planners and the disturbance."""


CASE = [field.name for field in fields(Case)]


def cases(seeds: int, robots: list[str], worlds: list[str], disturbances: list[str]) -> list[Case]:
    """Each kind of disturbance of each task once a seed, on robots and in worlds in turn."""
    kinds = [(task, name) for task in PHASES for name in DISTURBANCES[task] if name in disturbances]
    return [
        Case(task, name, robots[(k + seed) % len(robots)], worlds[(k // len(robots) + seed) % len(worlds)], seed)
        for seed in range(seeds)
        for k, (task, name) in enumerate(kinds)
    ]


def run(case: Case, log: Path | None = None) -> dict[str, Any]:
    """Run and judge a case."""
    result = {**asdict(case), "contacts": [], "renewals": 0, "struck": None, "duration": 0.0}
    try:
        verdict = _run(case, log)
    except Exception:
        verdict = {"verdict": "unexplained", "reason": traceback.format_exc()}
    return {**result, **verdict}


def _run(case: Case, log: Path | None) -> dict[str, Any]:
    world = prepared(case.robot, case.world, near=case.task in HOLDING)
    stands = {"{object}": world.default_object, "{surface}": world.default_surface}
    parameters = {name: stands.get(value, value) for name, value in PARAMETERS[case.task].items()}
    with simulate(case.robot, world, case.seed) as session:
        record = Record(session.robot, session.world.objects, CONTROL_STEP, session.plant.truth())
        evidence = Evidence()
        session.events.subscribe(record)
        session.events.subscribe(evidence)
        if case.task in HOLDING:
            outcome = session.run(load("pickup")(object=parameters["object"]), TIMEOUT)
            if not outcome.success:
                return {"verdict": "not disturbed", "reason": f"before it, {outcome}"}
        behavior = load(case.task)(**parameters)
        disturber = Disturber(session, record, behavior, case.disturbance, case.seed)
        session.events.subscribe(disturber)
        outcome = session.run(behavior, TIMEOUT)
    if disturber.error:
        return {"verdict": "unexplained", "reason": disturber.error}
    if log is not None:
        evidence.write(log / f"{case.task}-{case.disturbance}-{case.robot}-{case.world}-{case.seed}.txt")
    facts = {"struck": disturber.struck, "duration": outcome.duration, "renewals": evidence.replans}
    if disturber.struck is None:
        return {"verdict": "not disturbed", "reason": str(outcome), **facts}
    judged = dict(behavior.parameters) | ({"relation": "on"} if case.task == "position" else {})
    verdict, reason, contacts = evidence.judge(record, case.task, judged, outcome, disturber)
    return {"verdict": verdict, "reason": reason, "contacts": contacts, **facts}


def main() -> None:
    """Run all cases and report."""
    known = sorted({name for names in DISTURBANCES.values() for name in names})
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=9, help="runs of each kind of disturbance of each task")
    parser.add_argument("--robots", nargs="+", default=ROBOTS)
    parser.add_argument("--worlds", nargs="+", default=WORLDS)
    parser.add_argument("--tasks", nargs="+", default=list(PHASES), choices=list(PHASES))
    parser.add_argument("--disturbances", nargs="+", default=known, choices=known)
    parser.add_argument("--only-seed", type=int, help="run the cases of one seed, to look at them again")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, help="where to write every run")
    parser.add_argument("--resume", action="store_true", help="leave out the runs that are in that file already")
    parser.add_argument("--log", type=Path, help="directory for the events of every run")
    options = parsed(parser)
    todo = [
        case
        for case in cases(options.seeds, options.robots, options.worlds, known)
        if case.task in options.tasks
        and case.disturbance in options.disturbances
        and options.only_seed in (None, case.seed)
    ]
    if options.log:
        options.log.mkdir(parents=True, exist_ok=True)
    runs: list[dict[str, Any]] = []
    if options.resume and options.json and options.json.exists():
        runs = json.loads(options.json.read_text())["runs"]
    done_before = [tuple(item[name] for name in CASE) for item in runs]
    todo = [case for case in todo if astuple(case) not in done_before]
    with multiprocessing.get_context("spawn").Pool(options.processes, maxtasksperchild=20) as pool:
        done = pool.imap(partial(run, log=options.log), todo)
        for result in track(done, "disturbances", len(todo)):
            runs.append(result)
            if options.json:
                options.json.write_text(json.dumps({"runs": plain(runs)}, indent=1))
    report(runs)
    sheet.write(options.page, __doc__)


def report(runs: list[dict[str, Any]]) -> None:
    """Print the table of verdicts by task and disturbance, and every run that is unexplained."""
    console = Console(width=120)
    for columns in (("task", "disturbance"), ("disturbance",), ("task",), ("robot",), ("world",)):
        table = Table(*columns, *VERDICTS, "planned anew", "contacts made by it")
        for key in dict.fromkeys(tuple(str(item[name]) for name in columns) for item in runs):
            _row(table, key, [item for item in runs if tuple(str(item[name]) for name in columns) == key])
        _row(table, ("all", *("",) * (len(columns) - 1)), runs)
        console.print(table)
        console.bars(table, *VERDICTS[:3], by=len(columns))
    for item in runs:
        if item["verdict"] in VERDICTS[2:]:
            name = f"{item['task']} {item['disturbance']} {item['robot']} {item['world']} seed {item['seed']}"
            console.print(f"{item['verdict']}: {name}: {item['reason']}")


def _row(table: Table, key: tuple[str, ...], runs: list[dict[str, Any]]) -> None:
    count = Counter(item["verdict"] for item in runs)
    anew, touched = sum(item["renewals"] > 0 for item in runs), sum(bool(item["contacts"]) for item in runs)
    table.add_row(*key, *(str(count[verdict]) for verdict in VERDICTS), str(anew), str(touched))


if __name__ == "__main__":
    main()
