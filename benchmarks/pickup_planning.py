"""How long the planning of a pickup takes, and with what.

    python benchmarks/pickup_planning.py --robots talos,asimo --seeds 8 --json pickup_planning.json

Each pickup is run once in the sparse world and the queries that it makes are noted; then each is answered anew with
other seeds. Times are of the processor, with everything compiled and loaded; the last columns are the milliseconds that
a stage takes at the median.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import process_time
from typing import Annotated, Any

import numpy as np
import typer
from console import Console
from options import Json, Names, chosen, main
from rich.table import Table

from taskmatrix.behaviors.manipulation.pickup import Pickup
from taskmatrix.core.base.failure import Failure
from taskmatrix.core.robot.plans import Job
from taskmatrix.robots import Robot, load_robot
from taskmatrix.session.session import simulate
from taskmatrix.skills.planning import problem as problems
from taskmatrix.skills.planning.goals import GoalSampler
from taskmatrix.skills.planning.planner_backend import PlannerBackend
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.problem import Problem
from taskmatrix.skills.planning.queries import PoseQuery, Query, Snapshot
from taskmatrix.skills.planning.reaching import Reaching
from taskmatrix.skills.planning.seeds import SeedSampler

ROBOTS = ("asimo", "bandit", "mannequin", "talos")
OBJECTS = ("vacuum", "soda_can", "tennis_ball", "broom")
STAGES = ("goals", "connection", "shortcut", "times", "final check", "tree", "rest")


@dataclass
class Recorder:
    """A host that notes what it is asked."""

    host: PlannerBackend
    """Answers."""
    asked: list[tuple[Snapshot, Query]] = field(default_factory=list)
    """What was asked so far."""

    def submit(self, snapshot: Snapshot, query: Query, planning_time: float) -> Job:
        """Note and pass on."""
        self.asked.append((snapshot, query))
        return self.host.submit(snapshot, query, planning_time)

    def close(self) -> None:
        """Nothing runs here."""
        self.host.close()


@dataclass
class Watch:
    """Tells what the time of a query goes to; a stage within another stops the other's watch."""

    spent: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    """[s] By stage."""
    _stack: list[str] = field(default_factory=lambda: ["rest"])
    _last: float = 0.0

    def start(self) -> None:
        """Begin a query."""
        self.spent.clear()
        self._last = process_time()

    def turn(self) -> None:
        """Give the time since the last turn to the stage that is under way."""
        now = process_time()
        self.spent[self._stack[-1]] += now - self._last
        self._last = now

    def on(self, owner: Any, name: str, stage: str) -> None:
        """Watch a function."""
        function = getattr(owner, name)

        def watched(*args: Any, **kwargs: Any) -> Any:
            self.turn()
            self._stack.append(stage)
            try:
                return function(*args, **kwargs)
            finally:
                self.turn()
                self._stack.pop()

        setattr(owner, name, watched)


def queries_of(robot: Robot, object: str, seed: int) -> list[tuple[Snapshot, PoseQuery]]:
    """What a pickup asks to be planned."""
    with simulate(robot, "sparse", seed) as session:
        skills: Any = session.skills
        recorder = Recorder(skills._backend)
        skills._backend = recorder
        session.run(Pickup(object=object))
    return [(snapshot, query) for snapshot, query in recorder.asked if isinstance(query, PoseQuery)]


def timed(planner: Planner, watch: Watch, snapshot: Snapshot, query: PoseQuery) -> dict[str, Any]:
    """One answer: its time [ms], that of its stages, and whether it is a plan."""
    watch.start()
    found = planner.solve(snapshot, query)
    watch.turn()
    spent = {stage: 1e3 * watch.spent[stage] for stage in STAGES}
    failure = found.explain() if isinstance(found, Failure) else ""
    length = 0.0 if isinstance(found, Failure) else found.trajectory.duration
    return {"ms": sum(spent.values()), "stages": spent, "failure": failure, "duration": length}


def planning(
    robots: Names = None,
    objects: Names = None,
    runs: Annotated[int, typer.Option(help="Pickups of each object that are run and noted.", min=1)] = 1,
    seeds: Annotated[int, typer.Option(help="Answers to each query.", min=1)] = 8,
    json_file: Json = None,
) -> None:
    """How long the planning of a pickup takes, and with what."""
    watch = Watch()
    told: list[dict[str, Any]] = []
    asked = [
        (name, object, load_robot(name), seed)
        for name in chosen("robot", robots, ROBOTS)
        for object in chosen("object", objects, OBJECTS)
        for seed in range(runs)
    ]
    noted = [(name, object, robot, queries_of(robot, object, seed)) for name, object, robot, seed in asked]
    patch(watch.on)
    planners: dict[str, Planner] = {}
    for name, object, robot, queries in noted:
        planner = planners.setdefault(name, Planner(robot))
        for snapshot, query in queries:
            timed(planner, watch, snapshot, query)
            for seed in range(seeds):
                answer = timed(planner, watch, snapshot, replace(query, seed=seed))
                told.append({"robot": name, "object": object, "seed": seed, **answer})
    report(told)
    if json_file is not None:
        json_file.write_text(json.dumps(told, indent=1))


def patch(on: Callable[[Any, str, str], None]) -> None:
    """Watch the stages."""
    for owner, name, stage in (
        (GoalSampler, "fitting", "goals"),
        (GoalSampler, "arrivals", "goals"),
        (GoalSampler, "candidates", "goals"),
        (SeedSampler, "draw", "goals"),
        (Reaching, "rdt_ik", "tree"),
        (Problem, "connect", "connection"),
        (Problem, "shortened", "shortcut"),
        (problems, "time_parameterise", "times"),
        (Problem, "_first_contact", "final check"),
    ):
        with suppress(AttributeError):
            on(owner, name, stage)


def report(told: list[dict[str, Any]]) -> None:
    """Print a line for each robot and object, one for each robot, and the failures."""
    table = Table("", "queries", "solved %", "median ms", "90 % ms", "plan s", *STAGES)
    for name in dict.fromkeys(item["robot"] for item in told):
        mine = [item for item in told if item["robot"] == name]
        for object in dict.fromkeys(item["object"] for item in mine):
            table.add_row(f"{name} {object}", *_figures([item for item in mine if item["object"] == object]))
        table.add_row(f"{name} all", *_figures(mine), end_section=True)
    table.add_row("all", *_figures(told))
    console = Console(width=150)
    console.print(table)
    console.bars(table, "solved %", "median ms", "90 % ms", "plan s")
    for item in told:
        if item["failure"]:
            console.print(f"{item['robot']} {item['object']} seed {item['seed']}: {item['failure']}")


def _figures(items: list[dict[str, Any]]) -> list[str]:
    times = [item["ms"] for item in items]
    stages = [np.median([item["stages"][stage] for item in items]) for stage in STAGES]
    plans = [item["duration"] for item in items if not item["failure"]]
    return [
        str(len(items)),
        f"{100.0 * len(plans) / len(items):.0f}",
        f"{np.median(times):.1f}",
        f"{np.quantile(times, 0.9):.1f}",
        f"{np.mean(plans):.2f}" if plans else "",
        *(f"{value:.1f}" for value in stages),
    ]


if __name__ == "__main__":
    main(planning)
