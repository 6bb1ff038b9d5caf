"""How late control steps come in real time, by the clock on the wall, beside a process that keeps a core busy.

    python benchmarks/real_time.py --robots g1,pr2 --rates 100,500 --seconds 60 --json real_time.json

A robot is connected whose joints go where they are told; it waves, with planning in a process of its own. A step is
late by how much it starts after it was due; the load is the share of the time in which steps are computed.
"""

from __future__ import annotations

import json
import multiprocessing
from typing import Annotated, Any

import typer
from console import Console
from options import Json, Names, chosen, main
from rich.table import Table
from sessions import Bare

from taskmatrix import connect
from taskmatrix.behaviors import PeriodicCanned
from taskmatrix.robots import load_robot, robot_descriptions

ROBOTS, RATES = ("g1", "pr2"), ("100", "500")
KNOWN_RATES = ("20", "50", "100", "200", "500", "1000")


def busy() -> None:
    """Keep a core busy."""
    while True:
        pass


def waved(robot: str, rate: float, seconds: float) -> dict[str, Any]:
    """How late the steps of one run were."""
    body = load_robot(robot)
    motion = next(iter(body.motions))
    with connect(body, Bare(body.posture("rest")), control_step=1.0 / rate) as session:
        outcome = session.run(PeriodicCanned(motion=motion, duration=seconds), seconds + 30.0)
    late = vars(outcome.lateness)
    told = "" if outcome.failure is None else outcome.failure.explain()
    figures = {"steps": outcome.steps, "overruns": outcome.overruns, "load": outcome.load, **late, "failure": told}
    return {"robot": robot, "rate": rate, **figures}


def measure(
    robots: Names = None,
    rates: Names = None,
    seconds: Annotated[float, typer.Option(help="Of each run.", min=1.0)] = 30.0,
    json_file: Json = None,
) -> None:
    """Measure and report."""
    console, runs = Console(width=140), list[dict[str, Any]]()
    table = Table("robot", "rate [1/s]", "steps", "median [ms]", "99 % [ms]", "worst [ms]", "late by half a step")
    table.add_column("load [%]")
    table.title = "how late control steps are, beside a busy core"
    other = multiprocessing.get_context("spawn").Process(target=busy, daemon=True)
    other.start()
    try:
        for robot in chosen("robot", robots or ROBOTS, robot_descriptions()):
            for rate in chosen("rate", rates or RATES, KNOWN_RATES):
                runs.append(waved(robot, float(rate), seconds))
                run = runs[-1]
                times = [f"{1e3 * run[name]:.2f}" for name in ("median", "p99", "worst")]
                table.add_row(robot, rate, str(run["steps"]), *times, str(run["overruns"]), f"{100 * run['load']:.0f}")
                console.print(f"{robot}, {rate} Hz: {run['failure'] or times}", style="dim")
    finally:
        other.kill()
    console.print(table)
    if json_file:
        json_file.write_text(json.dumps({"runs": runs}, indent=1) + "\n")


if __name__ == "__main__":
    main(measure)
