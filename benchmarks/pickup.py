"""Pickup of four objects on four robots, judged from ground truth.

    python benchmarks/pickup.py --seeds 10 --json pickup.json

Prints the table of success rates and every failure with its reason; the JSON holds every run.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import defaultdict
from itertools import product
from pathlib import Path
from typing import Any

import sheet
from console import Console
from options import parsed
from rich.progress import track
from rich.table import Table

from taskmatrix.core.base.failure import plain
from taskmatrix.robots import load_robot
from taskmatrix.studio.validation import Case, Result, Task, run_case
from taskmatrix.studio.validation.case import SUCCESS

ROBOTS = ("asimo", "mannequin", "bandit", "talos")
OBJECTS = ("vacuum", "soda_can", "tennis_ball", "broom")


def run(case: tuple[str, str, int]) -> dict[str, Any]:
    """Run and judge one pickup."""
    robot, object, seed = case
    result: Result = run_case(Case("pickup", robot, "sparse", seed), task=Task("pickup", {"object": object}))
    return {
        "robot": robot,
        "object": object,
        "seed": seed,
        "success": result.verdict == SUCCESS,
        "reason": result.reason,
        "claimed": result.claimed,
        "duration": result.duration,
        "wall": result.wall,
        "judging": result.judging,
        **{key: value for key, value in result.facts.items() if key != "contact"},
    }


def main() -> None:
    """Run all cases and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10, help="runs of each robot and object")
    parser.add_argument("--robots", nargs="+", default=ROBOTS)
    parser.add_argument("--objects", nargs="+", default=OBJECTS)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, help="where to write every run")
    options = parsed(parser)
    cases = list(product(options.robots, options.objects, range(options.seeds)))
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        runs = list(track(pool.imap_unordered(run, cases), "pickup", len(cases)))
    runs.sort(key=lambda item: cases.index((item["robot"], item["object"], item["seed"])))
    report(runs, options.robots, options.objects)
    if options.json:
        options.json.write_text(json.dumps({"runs": plain(runs)}, indent=1))
    sheet.write(options.page, __doc__)


def report(runs: list[dict[str, Any]], robots: list[str], objects: list[str]) -> None:
    """Print the table of successes, the gaze, and the reasons of the failures."""
    console = Console(width=120)
    table = Table("robot", *objects, "all", "faced where possible", "faced of all runs", "pairs left out")
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for item in runs:
        groups[item["robot"], item["object"]].append(item)
    for robot in robots:
        mine = [item for item in runs if item["robot"] == robot]
        held = [item for item in mine if item.get("gaze_possible") is not None]
        possible = [item for item in held if item["gaze_possible"]]
        faced = [item for item in possible if item["gaze"] <= 0.0524]
        table.add_row(
            robot,
            *(_share([item["success"] for item in groups[robot, object]]) for object in objects),
            _share([item["success"] for item in mine]),
            f"{len(faced)}/{len(possible)}",
            f"{len(faced)}/{len(mine)}",
            str(len(load_robot(robot).excluded_pairs)),
        )
    console.print(table)
    console.bars(table, *objects, "all")
    console.print(f"all: {_share([item['success'] for item in runs])}")
    for item in runs:
        if not item["success"]:
            console.print(f"{item['robot']} {item['object']} seed {item['seed']}: {item['reason']}")


def _share(successes: list[bool]) -> str:
    return f"{sum(successes)}/{len(successes)}"


if __name__ == "__main__":
    main()
