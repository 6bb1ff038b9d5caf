"""Grasps that are found: how many, how long it takes, and how often a pickup succeeds with them.

    python benchmarks/grasps.py --seeds 5 --json grasps.json

First every hand and thing of `worktop.toml`, none of which has a table of grasps: what is found, how long that takes,
and how long reading it again does. Then pickups, judged from ground truth: of those things, and of the soda can of the
world `sparse` without its table, beside the same can with it.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import sheet
from console import Console
from options import parsed
from rich.progress import track
from rich.table import Table

from taskmatrix.behaviors import Pickup
from taskmatrix.core.base.cache import VARIABLE
from taskmatrix.core.base.failure import plain
from taskmatrix.robots import Robot, load_robot
from taskmatrix.session.session import CONTROL_STEP, simulate
from taskmatrix.simulation.judges import Record, judge_of
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.skills.grasping.store import GraspStore

ROBOTS = ("asimo", "mannequin", "bandit", "talos")
WORKTOP = Path(__file__).parent / "worktop.toml"
TABLE, FOUND = "can with its table", "can without"


@lru_cache(maxsize=len(ROBOTS))
def robot_of(name: str) -> Robot:
    """Robots are read once."""
    return load_robot(name)


def find(robot: str) -> list[dict[str, Any]]:
    """How many grasps each hand has of each thing, and the processor's time [s] to find and to read them."""
    own, rows = robot_of(robot), []
    things = [model for model in load_world(WORKTOP).objects.values() if model.movable]
    GraspStore(own).grasps(next(iter(own.hands)), things[0])  # reads the robot
    for hand in own.hands:
        for model in things:
            seconds = []
            for _ in range(2):
                store, began = GraspStore(own), process_time()
                grasps = store.grasps(hand, model)
                seconds.append(process_time() - began)
            row = {"robot": robot, "hand": hand, "object": model.id, "found": len(grasps)}
            rows.append({**row, "finding": seconds[0], "reading": seconds[1]})
    return rows


def world_of(robot: Robot, kind: str) -> tuple[World, str]:
    """The world of a kind of pickup, and what is picked up."""
    if kind not in (TABLE, FOUND):
        return load_world(WORKTOP, shoulder_height=robot.shoulder_height), kind
    world = load_world("sparse", shoulder_height=robot.shoulder_height)
    if kind == TABLE:
        return world, "soda_can"
    bare = replace(world.objects["soda_can"], grasps=())
    return replace(world, objects={**world.objects, "soda_can": bare}), "soda_can"


def pickup(robot: str, kind: str, seed: int) -> dict[str, Any]:
    """Run and judge one pickup."""
    own = robot_of(robot)
    world, object = world_of(own, kind)
    began = perf_counter()
    with simulate(own, world, seed) as session:
        truth, still = session.plant.truth(), set(world.objects) - set(world.scripts)
        record = Record(own, session.world.objects, CONTROL_STEP, truth, still)
        session.events.subscribe(record)
        session.run(Pickup(object=object))
    judgement = judge_of("pickup")(record, {"object": object})
    run = {"robot": robot, "kind": kind, "seed": seed, "success": judgement.success, "reason": judgement.reason}
    return {**run, "wall": perf_counter() - began, "duration": (len(record.steps) - 1) * CONTROL_STEP}


def main() -> None:
    """Find, pick up, and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5, help="pickups of each robot and thing")
    parser.add_argument("--robots", nargs="+", default=ROBOTS)
    parser.add_argument("--json", type=Path, help="where to write every figure")
    options = parsed(parser)
    with tempfile.TemporaryDirectory() as folder:  # nothing has been found before
        os.environ[VARIABLE] = folder
        found = [row for robot in options.robots for row in find(robot)]
    objects = list(dict.fromkeys(row["object"] for row in found))
    cases = [(r, k, s) for r in options.robots for k in (*objects, TABLE, FOUND) for s in range(options.seeds)]
    runs = [pickup(*case) for case in track(cases, "pickup")]
    report(found, runs, options.robots, objects)
    if options.json:
        options.json.write_text(json.dumps({"found": found, "runs": plain(runs)}, indent=1))
    sheet.write(options.page, __doc__)


def report(found: list[dict[str, Any]], runs: list[dict[str, Any]], robots: list[str], objects: list[str]) -> None:
    """Print what was found, the successes, and the reasons of the failures."""
    console = Console(width=140)
    table = Table(
        "robot", *objects, "finding [s]", "at most", "reading [ms]", title="grasps of the left and right hand"
    )
    for robot in robots:
        mine = [row for row in found if row["robot"] == robot]
        counts = ["/".join(str(row["found"]) for row in mine if row["object"] == object) for object in objects]
        finding, reading = ([row[name] for row in mine] for name in ("finding", "reading"))
        mean = sum(finding) / len(finding)
        table.add_row(robot, *counts, f"{mean:.2f}", f"{max(finding):.2f}", f"{1000 * max(reading):.1f}")
    console.print(table)
    console.bars(table, "finding [s]", "reading [ms]")
    kinds = (*objects, TABLE, FOUND)
    table = Table("robot", *kinds, title="pickups that succeed")
    for robot in (*robots, "all"):
        of = [run for run in runs if robot in (run["robot"], "all")]
        table.add_row(robot, *(_share([run["success"] for run in of if run["kind"] == kind]) for kind in kinds))
    console.print(table)
    console.bars(table, *kinds)
    for run in runs:
        if not run["success"]:
            console.print(f"{run['robot']}, {run['kind']}, seed {run['seed']}: {run['reason']}")


def _share(successes: list[bool]) -> str:
    return f"{sum(successes)}/{len(successes)}"


if __name__ == "__main__":
    main()
