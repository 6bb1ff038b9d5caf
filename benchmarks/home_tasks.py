"""Tasks of a home: drawers, cupboards, tables to wipe, set and clear, things to pour, fetch and put away; judged.

    python benchmarks/home_tasks.py --seeds 3
    python benchmarks/home_tasks.py --robots pr2,g1 --tasks wipe,set-table --sim mujoco --json home.json

Each trial begins at a random place of a world and runs one to three behaviors; every step of each is judged from
ground truth: contacts, what is held, limits, what falls, and what it is for. A robot that says itself that it is not
able is counted apart.
"""

from __future__ import annotations

import json
import multiprocessing
from collections import Counter
from itertools import product
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer
from console import Console
from options import Json, Names, chosen, main
from rich.progress import track
from rich.table import Table

import taskmatrix as tm
from taskmatrix.behaviors import (
    Bring,
    Close,
    Fetch,
    Open,
    PickAndPlace,
    Pickup,
    Pour,
    Push,
    Putdown,
    Reach,
    Regrasp,
    Stack,
    Store,
    TakeOut,
    Transfer,
    Unload,
    Vacuum,
    Wipe,
)
from taskmatrix.core import TaskBehavior
from taskmatrix.simulation.judges import EXACT, PHYSICAL, Record, judge_of

ROBOTS = ("asimo", "bandit", "g1", "icub", "mannequin", "nao", "pr2", "romeo", "talos", "tiago")
TOP, DOOR, LEAF = "unit_top_drawer", "cupboard_door", "doorway_leaf"
TIMEOUT = 300.0  # [s] of a behavior


def tasks() -> dict[str, tuple[str, list[TaskBehavior]]]:
    """World and behaviors of each task, made anew: a behavior runs in one session."""
    return {
        "open-drawer": ("kitchen", [Open(object=TOP)]),
        "open-half": ("kitchen", [Open(object=TOP, share=0.5)]),
        "close-drawer": ("kitchen", [Open(object=TOP), Close(object=TOP)]),
        "open-cupboard": ("cafe", [Open(object=DOOR)]),
        "close-cupboard": ("cafe", [Open(object=DOOR), Close(object=DOOR)]),
        "store-in-drawer": ("kitchen", [Store(object="soda_can", into=TOP)]),
        "store-in-base-cupboard": ("kitchen", [Store(object="soda_can", into="cupboard", door=DOOR)]),
        "store-in-wall-cupboard": ("cafe", [Store(object="bottle_1", into="cupboard", door=DOOR)]),
        "store-on-upper-shelf": ("cafe", [Store(object="bottle_1", into="cupboard", at="shelf", door=DOOR)]),
        "take-out-of-drawer": ("kitchen", [TakeOut(object="sponge", door=TOP)]),
        "drawer-to-table": ("kitchen", [TakeOut(object="sponge", door=TOP, onto="table"), Putdown(on="table")]),
        "take-out-of-base-cupboard": ("kitchen", [TakeOut(object="mug", door=DOOR)]),
        "take-out-of-wall-cupboard": ("cafe", [TakeOut(object="bottle_4", door=DOOR)]),
        "onto-worktop": ("kitchen", [PickAndPlace(object="soda_can", on="unit")]),
        "keep-upright": ("cafe", [PickAndPlace(object="bottle_2", on="table", keep="upright")]),
        "cupboard-to-table": ("cafe", [TakeOut(object="bottle_4", door=DOOR, onto="table"), Putdown(on="table")]),
        "open-room-door": ("two_rooms", [Open(object=LEAF, share=0.9, duration=1.0)]),
        "through-door": ("two_rooms", [Open(object=LEAF, share=0.9), Reach(object="soda_can")]),
        "close-behind": ("two_rooms", [Open(object=LEAF, share=0.9), Pickup(object="soda_can"), Close(object=LEAF)]),
        "there-and-back": (
            "two_rooms",
            [
                Open(object=LEAF, share=0.9),
                Pickup(object="soda_can"),
                Close(object=LEAF),
                Open(object=LEAF, share=0.9),
                Putdown(object="soda_can", on="desk"),
            ],
        ),
        "unload-wall-cupboard": ("cafe", [Unload(source="cupboard", door=DOOR, on="table")]),
        "unload-drawer": ("kitchen", [Unload(source=TOP, on="table")]),
        "stack": ("two_rooms", [Open(object=LEAF, share=0.9), Stack(type="can", on="table")]),
        "stack-elsewhere": ("two_rooms", [Open(object=LEAF, share=0.9), Stack(type="can", on="desk")]),
        "lay-can": ("cafe", [PickAndPlace(object="soda_can", on="table", up="x")]),
        "lay-bottle": ("cafe", [PickAndPlace(object="bottle_1", on="table", up="y")]),
        "turn-can-over": ("cafe", [PickAndPlace(object="soda_can", on="table", up="-z")]),
        "push-can": ("cafe", [Push(object="soda_can", y=-0.2)]),
        "push-brush": ("cafe", [Push(object="brush", x=0.15)]),
        "wipe": ("cafe", [Wipe(object="brush", on="table")]),
        "wipe-wide": ("cafe", [Wipe(object="brush", on="table", length=0.3, width=0.2)]),
        "wipe-counter": ("cafe", [Wipe(object="brush", on="counter", width=0.0), Putdown(object="brush", on="table")]),
        "set-table": ("cafe", [Bring(type="bottle", source="counter", on="table")]),
        "clear-table": ("cafe", [Bring(type="can", source="table", on="counter")]),
        "pour": ("cafe", [Pickup(object="bottle_1"), Pour(into="soda_can", angle=1.9), Putdown(on="counter")]),
        "tidy-towel": ("apartment", [PickAndPlace(object="towel", on="dryer")]),
        "detergent": ("apartment", [PickAndPlace(object="detergent", on="washing_machine")]),
        "fetch-broom": ("apartment", [Fetch(object="broom")]),
        "vacuum": ("sparse", [Vacuum(object="vacuum", on="table")]),
        "other-hand": ("sparse", [Pickup(object="broom"), Transfer(object="broom")]),
        "other-grasp": ("sparse", [Pickup(object="soda_can"), Regrasp(object="soda_can", on="table")]),
    }


def run(case: tuple[str, str, int, str]) -> dict[str, Any]:
    """Do one task once."""
    robot, task, seed, sim = case
    world, behaviors = tasks()[task]
    told: dict[str, Any] = {"robot": robot, "task": task, "seed": seed, "said": True, "success": True, "duration": 0.0}
    began = perf_counter()
    with tm.simulate(robot, world=world, seed=seed, sim=sim) as session:
        objects, tolerance = session.world.objects, EXACT if sim == "kinematic" else PHYSICAL
        for behavior in behaviors:
            record = Record(session.robot, objects, session.context.dt, session.plant.truth(), (), tolerance)
            unsubscribe = session.events.subscribe(record)
            outcome = session.run(behavior, timeout=TIMEOUT)
            unsubscribe()
            judged = judge_of(behavior.name)(record, dict(behavior.parameters))
            told["duration"] += outcome.duration
            if not (outcome.success and judged.success):
                kind = outcome.failure.root.kind.value if outcome.failure else ""
                told |= {"said": outcome.success, "success": False, "reason": judged.reason, "kind": kind}
                told["step"] = behavior.name
                break
    return told | {"seconds": perf_counter() - began}


def command(
    robots: Names = None,
    tasks_asked: Annotated[
        list[str] | None, typer.Option("--tasks", metavar="NAMES", help="Separated by commas; all unless given.")
    ] = None,
    seeds: Annotated[int, typer.Option(help="Trials of each robot and task.", min=1)] = 3,
    first: Annotated[int, typer.Option(help="Seed of the first.", min=0)] = 0,
    sim: Annotated[str, typer.Option(help="kinematic, mujoco or bullet.")] = "kinematic",
    processes: Annotated[int, typer.Option(min=1)] = 2,
    json_file: Json = None,
) -> None:
    """Run what the command line asks for."""
    names = chosen("task", tasks_asked, tasks())
    cases = list(product(chosen("robot", robots, ROBOTS), names, range(first, first + seeds), (sim,)))
    console, trials = Console(width=150), []
    with multiprocessing.get_context("spawn").Pool(processes, maxtasksperchild=40) as pool:
        for trial in track(pool.imap_unordered(run, cases), "home tasks", len(cases), console=console):
            trials.append(trial)
    report(trials, console)
    if json_file:
        json_file.write_text(json.dumps(trials, indent=1))


def report(trials: list[dict[str, Any]], console: Console) -> None:
    """Print successes of each task and robot, in all, and why the others failed."""
    robots = sorted({trial["robot"] for trial in trials})
    table = Table("task", *robots, "median [s]")
    for task in dict.fromkeys(name for name in tasks() if any(trial["task"] == name for trial in trials)):
        mine = [trial for trial in trials if trial["task"] == task]
        cells = [_cell([trial for trial in mine if trial["robot"] == robot]) for robot in robots]
        times = [trial["duration"] for trial in mine if trial["success"]] or [np.nan]
        table.add_row(task, *cells, f"{np.median(times):.1f}")
    table.add_row("in all", *(_cell([trial for trial in trials if trial["robot"] == robot]) for robot in robots), "")
    console.print(table)
    reasons = Counter(
        f"{trial['task']}: {trial['robot']}: {trial['kind'] or 'false success'}: {trial['reason'][-200:]}"
        for trial in trials
        if not trial["success"] and trial.get("kind") != "not_able"
    )
    for reason, count in sorted(reasons.items()):
        console.print(f"{count} x {reason}", soft_wrap=True)


def _cell(trials: list[dict[str, Any]]) -> str:
    """Successes of those that were able, and whether none was."""
    able = [trial for trial in trials if trial.get("kind") != "not_able"]
    return f"{sum(trial['success'] for trial in able)}/{len(able)}" if able else "not able"


if __name__ == "__main__":
    main(command)
