"""Pickups by friction alone: an object is lifted by 10 cm and held for 5 s while it is pushed with 2 N.

    python benchmarks/friction.py --seeds 20 --json friction.json
    python benchmarks/friction.py --seeds 20 --sim mujoco --hold 60

A trial succeeds if, by ground truth, the object is between the fingers all the while, hangs at least 9 cm above where
it stood at the end, and no joint was faster than its limit. Prints the table of successes and slips, and every failure
with its reason; the JSON holds every run.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import sheet
from console import Console
from options import parsed
from rich.progress import track
from rich.table import Table

from taskmatrix.behaviors import Pickup, Position, Timer
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.session.session import Session, simulate
from taskmatrix.simulation.physics import PhysicsPlant

ROBOTS = ("bandit", "talos", "g1", "pr2", "romeo", "icub")
LIFT = 0.10  # [m]
ENOUGH = 0.09  # [m]
PUSH, HOLD = 2.0, 5.0  # [N], [s]
FAST = 1.05  # of the velocity limit: what contact adds for an instant


def run(case: tuple[str, str, int, str, str, float]) -> dict[str, Any]:
    """Run and judge one trial."""
    robot, object, seed, *_ = case
    result = {"robot": robot, "object": object, "seed": seed, "success": False, "slip": None, "reason": ""}
    try:
        return {**result, **_run(*case)}
    except Exception as error:
        return {**result, "reason": f"{type(error).__name__}: {error}"}


def _run(robot: str, object: str, seed: int, physics: str, sim: str, seconds: float) -> dict[str, Any]:
    with simulate(robot, "sparse", seed, sim=sim, physics=physics) as session:
        fastest: list[float] = []
        session.events.subscribe(
            lambda event: fastest.append(_speed(session)) if event.kind == "step" else None,
        )
        start = _pose(session, object)
        outcome = session.run(Pickup(object=object))
        if outcome.success:
            x, y, z = start[:3, 3].tolist()
            outcome = session.run(Position(object=object, x=x, y=y, z=z + LIFT))
        if not outcome.success:
            return {"reason": str(outcome)}
        hand = next(iter(session.plant.held()))
        X_HO = _in_hand(session, hand, object)
        assert isinstance(session.plant, PhysicsPlant)
        direction = np.random.default_rng(seed).normal(size=3)
        session.plant.push_object(object, PUSH * direction / np.linalg.norm(direction), seconds)
        session.run(Timer(duration=seconds))
        slip = float(np.linalg.norm((_in_hand(session, hand, object) - X_HO)[:3, 3]))
        height = float((_pose(session, object) - start)[2, 3])
        reasons = []
        if session.plant.held().get(hand) != object:
            reasons.append("it left the hand")
        if height < ENOUGH:
            reasons.append(f"it hangs {100 * height:.1f} cm above where it stood")
        if max(fastest) > FAST:
            reasons.append(f"a joint moved at {max(fastest):.2f} of its velocity limit")
        return {"success": not reasons, "reason": "; ".join(reasons), "slip": slip, "height": height}


def _pose(session: Session, object: str) -> Array:
    X_WO: Array = session.plant.truth()["poses"][object]  # type: ignore[index]
    return X_WO


def _in_hand(session: Session, hand: str, object: str) -> Array:
    """(4, 4) Pose of the object in the hand."""
    return inverse(hand_pose(session.robot, hand, session.plant.sense().q)) @ _pose(session, object)


def _speed(session: Session) -> float:
    """The fastest joint, as a share of its limit."""
    return float((np.abs(session.plant.sense().v) / session.robot.velocity).max())


def main() -> None:
    """Run all trials and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20, help="trials of each robot")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--robots", nargs="+", default=ROBOTS)
    parser.add_argument("--objects", nargs="+", default=["soda_can"])
    parser.add_argument("--physics", default="default", help="preset: fast, default or robust")
    parser.add_argument("--sim", default="bullet", choices=("bullet", "mujoco"))
    parser.add_argument("--hold", type=float, default=HOLD, help="seconds for which it is held and pushed")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", type=Path, help="where to write every run")
    options = parsed(parser)
    seeds = range(options.first, options.first + options.seeds)
    cases = [
        (*case, options.physics, options.sim, options.hold) for case in product(options.robots, options.objects, seeds)
    ]
    console, runs = Console(width=140), []
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for item in track(pool.imap_unordered(run, cases), "friction", len(cases), console=console):
            runs.append(item)
            if not item["success"]:
                console.print(f"{item['robot']} {item['object']} seed {item['seed']}: {item['reason']}")
    report(runs, console)
    if options.json:
        options.json.write_text(json.dumps({"runs": runs}, indent=1))
    sheet.write(options.page, __doc__)


def report(runs: list[dict[str, Any]], console: Console) -> None:
    """Print the table of successes and slips."""
    table = Table("robot", "object", "held", "slip, median [mm]", "slip, most [mm]")
    for robot, object in dict.fromkeys((item["robot"], item["object"]) for item in runs):
        mine = [item for item in runs if (item["robot"], item["object"]) == (robot, object)]
        slips = [1000 * item["slip"] for item in mine if item["slip"] is not None] or [np.nan]
        held = f"{sum(item['success'] for item in mine)}/{len(mine)}"
        table.add_row(robot, object, held, f"{np.median(slips):.1f}", f"{np.max(slips):.1f}")
    console.print(table)
    console.bars(table, "held", "slip, median [mm]", "slip, most [mm]", by=2)


if __name__ == "__main__":
    main()
