"""A can is put away: a drawer or a cupboard is opened, the can fetched, put in, and all closed again; judged.

    python benchmarks/storing.py --seeds 5
    python benchmarks/storing.py --robots pr2,g1 --places drawer --sim mujoco --json storing.json

Each trial begins somewhere in the kitchen. Every step of the truth is judged: contacts, what is held, limits, and
that the can stands inside in the end.
"""

from __future__ import annotations

import json
import multiprocessing
from collections import Counter
from itertools import product
from typing import Annotated, Any

import numpy as np
import typer
from console import Console
from options import Json, Names, chosen, main
from rich.progress import track
from rich.table import Table

import taskmatrix as tm
from taskmatrix.behaviors import Store
from taskmatrix.simulation.judges import EXACT, PHYSICAL, Record, judge_of

ROBOTS = ("asimo", "bandit", "g1", "icub", "mannequin", "nao", "pr2", "romeo", "talos")
PLACES = {"drawer": ("unit_top_drawer", "unit_top_drawer"), "cupboard": ("cupboard", "cupboard_door")}


def run(case: tuple[str, str, int, str]) -> dict[str, Any]:
    """Put the can away once."""
    robot, place, seed, sim = case
    into, door = PLACES[place]
    store = Store(object="soda_can", into=into, door=door)
    with tm.simulate(robot, world="kitchen", seed=seed, sim=sim) as session:
        objects, tolerance = session.world.objects, EXACT if sim == "kinematic" else PHYSICAL
        record = Record(session.robot, objects, session.context.dt, session.plant.truth(), set(objects), tolerance)
        session.events.subscribe(record)
        outcome = session.run(store, timeout=300.0)
        judged = judge_of("store")(record, dict(store.parameters))
    failure = outcome.failure
    state = failure.cause.where.rpartition("/")[2] if failure is not None and failure.cause is not None else ""
    told = {"robot": robot, "place": place, "seed": seed, "success": judged.success, "said": outcome.success}
    return {**told, "reason": judged.reason, "state": state, "duration": outcome.duration}


def command(
    robots: Names = None,
    places: Names = None,
    seeds: Annotated[int, typer.Option(help="Trials of each robot and place.", min=1)] = 5,
    sim: Annotated[str, typer.Option(help="kinematic, mujoco or bullet.")] = "kinematic",
    processes: Annotated[int, typer.Option(min=1)] = 2,
    json_file: Json = None,
) -> None:
    """Run what the command line asks for."""
    cases = list(product(chosen("robot", robots, ROBOTS), chosen("place", places, PLACES), range(seeds), (sim,)))
    console, trials = Console(width=150), []
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for trial in track(pool.imap_unordered(run, cases), "storing", len(cases), console=console):
            trials.append(trial)
    report(trials, console)
    if json_file:
        json_file.write_text(json.dumps(trials, indent=1))


def report(trials: list[dict[str, Any]], console: Console) -> None:
    """Print successes, where the others failed, and what was said wrongly."""
    table = Table("robot", "place", "stored", "median [s]", "failed in", "said it, and was not so")
    for robot, place in sorted({(trial["robot"], trial["place"]) for trial in trials}):
        mine = [trial for trial in trials if (trial["robot"], trial["place"]) == (robot, place)]
        times = [trial["duration"] for trial in mine if trial["success"]] or [np.nan]
        states = Counter(trial["state"] or "judge" for trial in mine if not trial["success"])
        wrong = [trial["reason"] for trial in mine if trial["said"] and not trial["success"]]
        failed = ", ".join(f"{state} {count}" for state, count in states.items())
        stored = f"{sum(trial['success'] for trial in mine)}/{len(mine)}"
        table.add_row(robot, place, stored, f"{np.median(times):.1f}", failed, wrong[0][:80] if wrong else "")
    console.print(table)


if __name__ == "__main__":
    main(command)
