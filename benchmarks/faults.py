"""Faults in physics: a camera that fails, joints that stick, weak motors, late steps, objects that are pushed or slip.

    python benchmarks/faults.py --seeds 4 --json faults.json

A robot fetches a soda can off the table of the sparse world, with physics: it picks it up and lifts it by 10 cm.
Meanwhile one thing goes wrong, at a random instant. A run is

    success         by ground truth the can is between the fingers, and hangs at least 9 cm above where it stood
    right failure   it fails, and its kind is one that the fault explains
    wrong           a success that is none, another kind of failure, a hang, or a joint faster than its limit

Where a camera fails the robot starts near the table, knows the furniture and nothing else, and looks around first.
Prints a table and every run that is wrong; the JSON holds all.
"""

from __future__ import annotations

import json
import multiprocessing
import traceback
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any

import numpy as np
import typer
from console import Console
from injector import Injector
from options import Json, Names, chosen, main
from rich.table import Table

from taskmatrix.behaviors import Pickup, Position, Scan
from taskmatrix.core.base.failure import FailureKind as K
from taskmatrix.core.base.failure import plain
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.core.world.objects import Array
from taskmatrix.session.perception_pipeline import CameraPipeline
from taskmatrix.session.session import Session, simulate
from taskmatrix.simulation.judges.tolerance import PHYSICAL
from taskmatrix.simulation.sensors import Faults

OBJECT = "soda_can"
LIFT, ENOUGH = 0.10, 0.09  # [m]
START = (1.1, 0.0, 0.0)
FAST = 1.0 + PHYSICAL.fast  # of the velocity limit, as for the judges: what contact adds for an instant
TIMEOUT = 120.0  # [s] of a behavior; one that is cut off there hangs
UNREACHED = frozenset({K.IK_EXHAUSTED, K.PLANNER_EXHAUSTED, K.COLLISION, K.NO_GRASP})
UNSEEN = frozenset({K.UNKNOWN_OBJECT, K.LOST_OBJECT})


@dataclass(frozen=True)
class Fault:
    """One kind of fault."""

    right: frozenset[K] = frozenset()
    """Kinds of failure that it explains."""
    camera: Faults | None = None
    """What goes wrong with a camera; none is used unless given."""


FAULTS: Mapping[str, Fault] = {
    "none": Fault(),
    "images dropped": Fault(UNSEEN, Faults(dropped=0.3)),
    "images frozen": Fault(UNSEEN, Faults(frozen=0.3)),
    "images noisy": Fault(UNSEEN | {K.INCONDITION}, Faults(noise=0.005, dropouts=0.1)),
    "joint sticks in reach": Fault(frozenset({K.TRACKING, K.COLLISION})),
    "joint sticks in pickup": Fault(frozenset({K.TRACKING, K.COLLISION, K.LOST_OBJECT, K.INCONDITION})),
    "motors half as strong": Fault(frozenset({K.TRACKING, K.LOST_OBJECT})),
    "late steps": Fault(frozenset({K.TRACKING, K.LOST_OBJECT, K.INCONDITION})),
    "pushed off the table": Fault(UNREACHED | {K.LOST_OBJECT}),
    "slippery in the hand": Fault(frozenset({K.LOST_OBJECT})),
}
"""What goes wrong: 30 % of the images never arrive, or come once more; 5 mm of noise, and a tenth of the pixels lost;
an arm's joint; one of arm or fingers; half of the torques; 1 to 10 control steps missed, once a second."""


def run(case: tuple[str, str, int]) -> dict[str, Any]:
    """Run and judge one case: robot, fault and seed."""
    robot, fault, seed = case
    result = {"robot": robot, "fault": fault, "seed": seed, "struck": "", "kind": None, "duration": 0.0, "speed": 0.0}
    try:
        return {**result, **_run(robot, fault, seed)}
    except Exception:
        return {**result, "verdict": "wrong", "reason": traceback.format_exc()}


def _run(robot: str, name: str, seed: int) -> dict[str, Any]:
    fault = FAULTS[name]
    sight: Any = "omniscient" if fault.camera is None else CameraPipeline(faults=fault.camera)
    start = None if fault.camera is None else START
    with simulate(robot, seed=seed, start=start, sim="bullet", perception=sight) as session:
        fastest = [0.0]
        session.events.subscribe(lambda event: _clock(session, fastest) if event.kind == "step" else None)
        stood = _pose(session)
        if fault.camera is not None:
            session.run(Scan(periods=1, period=12.0, sweeps=3, down=1.0))
        injector = Injector(session, name, OBJECT, seed)
        session.events.subscribe(injector)
        outcome = _fetch(session, stood)
        held = OBJECT in session.plant.held().values()
        risen = float((_pose(session) - stood)[2, 3])
        time = session.context.clock.now()
    if injector.error:
        return {"verdict": "wrong", "reason": injector.error}
    kind = outcome.failure.root.kind if outcome.failure else None
    figures = {"struck": injector.struck, "kind": kind, "duration": time, "speed": fastest[0], "reason": str(outcome)}
    wrong = []
    if fastest[0] > FAST:
        wrong.append(f"a joint moved at {fastest[0]:.2f} of its limit")
    if outcome.success and not (held and risen >= ENOUGH):
        wrong.append(f"a success that is none: {'held' if held else 'not held'}, {100 * risen:.1f} cm up")
    if kind is not None and kind not in fault.right:
        wrong.append("the failure is not of a kind that the fault explains")
    verdict = "wrong" if wrong else "success" if outcome.success else "right failure"
    return {**figures, "verdict": verdict, "reason": "; ".join([*wrong, str(outcome)])}


def _fetch(session: Session, stood: Array) -> Outcome:
    """Pick the can up, and lift it off where it stood."""
    outcome = session.run(Pickup(object=OBJECT), TIMEOUT)
    if not outcome.success:
        return outcome
    x, y, z = stood[:3, 3].tolist()
    return session.run(Position(object=OBJECT, x=x, y=y, z=z + LIFT), TIMEOUT)


def _pose(session: Session) -> Array:
    """(4, 4) Of the can, where it is."""
    X_WO: Array = session.plant.truth()["poses"][OBJECT]  # type: ignore[index]
    return X_WO


def _clock(session: Session, fastest: list[float]) -> None:
    """Keep the largest speed of a joint, as a share of its limit."""
    fastest[0] = max(fastest[0], float((np.abs(session.plant.sense().v) / session.robot.velocity).max()))


def measure(
    robots: Names = None,
    faults: Names = None,
    seeds: Annotated[int, typer.Option(help="Runs of each robot and fault.", min=1)] = 4,
    first: Annotated[int, typer.Option(help="The first seed.", min=0)] = 0,
    processes: Annotated[int, typer.Option(help="How many run at once.", min=1)] = 2,
    json_file: Json = None,
) -> None:
    """Run all and report."""
    known = ("talos", "g1", "bandit", "pr2")
    names = chosen("robot", robots or known[:3], known)
    cases = list(product(names, chosen("fault", faults, FAULTS), range(first, first + seeds)))
    console, runs = Console(width=160), []
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for item in pool.imap(run, cases):
            runs.append(item)
            told = f"{item['robot']}, {item['fault']}, seed {item['seed']}: {item['verdict']}; {item['struck']}"
            console.print(told, style="dim")
            if item["verdict"] == "wrong":
                console.print(item["reason"], style="red")
    report(runs, console)
    if json_file is not None:
        json_file.write_text(json.dumps(plain({"runs": runs}), indent=1))


def report(runs: list[dict[str, Any]], console: Console) -> None:
    """Print a row for each robot and fault."""
    table = Table("fault", "robot", "success", "right failure", "wrong", "failed as", "longest [s]", "fastest joint")
    groups = dict.fromkeys((item["fault"], item["robot"]) for item in runs)
    for fault, robot in sorted(groups, key=lambda group: list(FAULTS).index(group[0])):
        mine = [item for item in runs if (item["fault"], item["robot"]) == (fault, robot)]
        verdicts = Counter(item["verdict"] for item in mine)
        kinds = Counter(item["kind"].value for item in mine if item["kind"] is not None)
        failed = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
        longest, speed = max(item["duration"] for item in mine), max(item["speed"] for item in mine)
        counts = [str(verdicts[verdict]) for verdict in ("success", "right failure", "wrong")]
        table.add_row(fault, robot, *counts, failed, f"{longest:.0f}", f"{speed:.2f}")
    console.print(table)
    console.bars(table, "success", "right failure", "wrong", "fastest joint", by=2)


if __name__ == "__main__":
    main(measure)
