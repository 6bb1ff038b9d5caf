"""Drawers and doors, opened and closed again: which robots can, from where they start, judged from ground truth.

    python benchmarks/opening.py --seeds 10
    python benchmarks/opening.py --robots pr2 --parts cupboard_door --json opening.json

Each trial begins somewhere in the kitchen, opens a part all the way, and closes it. A robot that says itself that it is
not able, because no grasp of the part is within its reach, is counted apart.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import sheet
from console import Console
from options import parsed
from rich.progress import track
from rich.table import Table

import taskmatrix as tm
from taskmatrix.behaviors import Close, Open
from taskmatrix.simulation.judges.ground_truth import Record
from taskmatrix.simulation.judges.table import judge_of
from taskmatrix.simulation.judges.tolerance import EXACT, PHYSICAL

ROBOTS = ("asimo", "bandit", "g1", "icub", "mannequin", "nao", "pr2", "romeo", "talos")
PARTS = ("unit_top_drawer", "unit_middle_drawer", "cupboard_door")


def run(case: tuple[str, str, int, str]) -> dict[str, Any]:
    """Open and close one part."""
    robot, part, seed, sim = case
    result: dict[str, Any] = {"robot": robot, "part": part, "seed": seed}
    with tm.simulate(robot, world="kitchen", seed=seed, sim=sim) as session:
        for name, behavior, share in (("open", Open(object=part), 1.0), ("close", Close(object=part), 0.0)):
            objects, tolerance = session.world.objects, EXACT if sim == "kinematic" else PHYSICAL
            dt, truth = session.context.dt, session.plant.truth()
            record = Record(session.robot, objects, dt, truth, set(objects), tolerance)
            unsubscribe = session.events.subscribe(record)
            began = perf_counter()
            outcome = session.run(behavior)
            judged = judge_of(name)(record, {"object": part, "share": share})
            unsubscribe()
            result[name] = {
                "success": judged.success,
                "reason": judged.reason,
                "kind": outcome.failure.kind.value if outcome.failure else "",
                "duration": outcome.duration,
                "seconds": perf_counter() - began,
            }
            if not judged.success:
                break
    return result


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10, help="trials of each robot and part")
    parser.add_argument("--robots", nargs="+", default=ROBOTS)
    parser.add_argument("--parts", nargs="+", default=PARTS)
    parser.add_argument("--sim", default="kinematic", choices=("kinematic", "mujoco", "bullet"))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, help="where to write every trial")
    options = parsed(parser)
    cases = list(product(options.robots, options.parts, range(options.seeds), (options.sim,)))
    console, trials = Console(width=140), []
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for trial in track(pool.imap_unordered(run, cases), "opening", len(cases), console=console):
            trials.append(trial)
    report(trials, console)
    if options.json:
        options.json.write_text(json.dumps(trials, indent=1))
    sheet.write(options.page, __doc__)


def report(trials: list[dict[str, Any]], console: Console) -> None:
    """Print successes, and the first reason of each kind of failure."""
    table = Table("robot", "part", "opened", "closed", "median [s]", "95th [s]", "first failure")
    for robot, part in dict.fromkeys((trial["robot"], trial["part"]) for trial in trials):
        mine = [trial for trial in trials if (trial["robot"], trial["part"]) == (robot, part)]
        opened = [trial["open"] for trial in mine if trial["open"]["success"]]
        closed = [trial["close"] for trial in mine if trial.get("close", {}).get("success")]
        times = [each["duration"] for each in opened] or [np.nan]
        reasons = [each["reason"] for t in mine for each in (t["open"], t.get("close")) if each and each["reason"]]
        counts = (f"{len(opened)}/{len(mine)}", f"{len(closed)}/{len(opened)}")
        figures = (f"{np.median(times):.1f}", f"{np.quantile(times, 0.95):.1f}")
        table.add_row(robot, part, *counts, *figures, reasons[0][:160] if reasons else "")
    console.print(table)


if __name__ == "__main__":
    main()
