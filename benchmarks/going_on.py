"""One short program on all robots, judged step by step: what a behavior leaves behind, the next can start from.

    python benchmarks/going_on.py --seeds 20 --json going_on.json

Fetch a can, put it back, look round to the broom, take a posture, fetch the can again. Prints how many programs went
through on each robot, and why the others did not; that a robot without a head cannot look round is no failure, and one
whose hands are too small for the can is left out.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from itertools import product
from pathlib import Path
from typing import Any

import sheet
from console import Console
from options import parsed
from rich.progress import track
from rich.table import Table

from taskmatrix.robots import robot_descriptions
from taskmatrix.studio.validation.programs import Program, Step, run_program

STEPS = (
    Step("pickup", (("object", "soda_can"),)),
    Step("putdown", (("object", "soda_can"), ("on", "table"))),
    Step("fixate", (("target", "broom"),)),
    Step("postural", (("posture", "ready"),)),
    Step("pickup", (("object", "soda_can"),)),
)


def run(case: tuple[str, int, str]) -> dict[str, Any]:
    """Run and judge one program."""
    robot, seed, sim = case
    steps = run_program(Program(robot, "sparse", seed, sim, items=STEPS)).steps
    wrong = [told for told in steps if told.verdict != "success" and told.kind != "not_able"]
    return {
        "robot": robot,
        "seed": seed,
        "left out": any(told.kind == "not_able" and told.step.startswith("pickup") for told in steps),
        "success": not wrong,
        "not able": [told.step for told in steps if told.kind == "not_able"],
        "reasons": [f"{told.step}: {told.verdict}: {told.reason}" for told in wrong],
        "duration": sum(told.duration for told in steps),
    }


def main() -> None:
    """Run all programs and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20, help="programs of each robot")
    parser.add_argument("--robots", nargs="+", default=sorted(robot_descriptions()))
    parser.add_argument("--sim", default="kinematic", help="kinematic, or bullet: with physics")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, help="where to write every program")
    options = parsed(parser)
    cases = list(product(options.robots, range(options.seeds), [options.sim]))
    with multiprocessing.get_context("spawn").Pool(options.processes, maxtasksperchild=20) as pool:
        runs = list(track(pool.imap(run, cases), "programs", len(cases)))
    report(runs, options.robots)
    if options.json:
        options.json.write_text(json.dumps({"runs": runs}, indent=1))
    sheet.write(options.page, __doc__)


def report(runs: list[dict[str, Any]], robots: list[str]) -> None:
    """Print how many programs of each robot went through, and what kept the others."""
    console = Console(width=120)
    table = Table("robot", "programs that went through", "steps not able")
    left_out = sorted({item["robot"] for item in runs if item["left out"]})
    runs = [item for item in runs if not item["left out"]]
    for robot in robots:
        mine = [item for item in runs if item["robot"] == robot]
        unable = sum(len(item["not able"]) for item in mine)
        table.add_row(robot, f"{sum(item['success'] for item in mine)}/{len(mine)}", str(unable))
    console.print(table)
    went = sum(item["success"] for item in runs)
    console.print(f"all: {went}/{len(runs)}; left out: {', '.join(left_out) or 'none'}")
    for item in runs:
        for reason in item["reasons"]:
            console.print(f"{item['robot']} seed {item['seed']}: {reason}", markup=False)


if __name__ == "__main__":
    main()
