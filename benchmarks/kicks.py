"""Kicks in physics: where the ball goes, beside where it was said to go.

    python benchmarks/kicks.py --robots nao,talos --kicks 20 --json kicks.json

A robot kicks in each of its six ways. The ball lies off its place by up to 1 cm along either axis, at Nao's size, and
by as much more as the robot is larger; it rolls until it rests. Kicks count that their judge accepts, from ground
truth. Prints for each way how many do, and by how much direction, speed and distance are not those that the plan
tells, and why kicks failed; the JSON holds all.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache
from itertools import product
from typing import Annotated, Any

import numpy as np
import typer
from console import Console
from options import Json, Names, chosen, main
from rich.progress import track
from rich.table import Table

from taskmatrix.behaviors import Timer
from taskmatrix.core.base.failure import Failure, plain
from taskmatrix.core.robot.skills.kicking import DIRECTIONS
from taskmatrix.core.world.geometry import pose, wrap
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot, load_robot
from taskmatrix.session.session import PHYSICS_STEP, Session, simulate
from taskmatrix.simulation.judges import PHYSICAL, Record, judge_of
from taskmatrix.soccer import Kick

ROBOTS = ("nao", "g1", "talos", "icub", "romeo", "asimo", "mannequin")
FEET = ("left", "right")
BALL = "ball"
START = (0.0, -1.5, math.pi / 2)  # no goal is in the way of any kick
OFF = 0.01  # [m] by which the ball lies beside its place, at the size of the first robot
SETTLING = 0.1  # [s] before the kick
ROLLING = 0.3  # [s] after which the ball that was struck slides no more
RESTS = 0.01  # [m/s] what is slower is at rest
PATIENCE = 20.0  # [s]


@lru_cache(maxsize=len(ROBOTS))
def robot_of(name: str) -> Robot:
    """Robots are read once."""
    return load_robot(name)


def run(robot: str, foot: str, direction: str, seed: int) -> dict[str, Any]:
    """Kick once, and judge it."""
    case = {"robot": robot, "foot": foot, "direction": direction, "seed": seed}
    own = robot_of(robot)
    with simulate(own, "soccer", seed=seed, start=START, sim="bullet") as session:
        plan = session.skills.kick(foot, direction, BALL)
        if isinstance(plan, Failure):
            return {**case, "success": False, "reason": str(plan)}
        told = {"heading": plan.heading, "speed": plan.speed, "distance": plan.distance, "strike": plan.strike}
        off = np.random.default_rng(seed).uniform(-OFF, OFF, 2) * own.shoulder_height / robot_of("nao").shoulder_height
        _put(session, plan.ball + off)
        session.run(Timer(duration=SETTLING))
        record = Record(own, session.world.objects, PHYSICS_STEP, session.plant.truth(), tolerance=PHYSICAL)
        session.events.subscribe(record)
        kick = Kick(object=BALL, foot=foot, direction=direction, tolerance=1.0)
        session.run(kick)
        judgement = judge_of("kick")(record, dict(kick.parameters))
        kicked = len(record.steps)
        for _ in range(int(PATIENCE)):
            places = np.array([step.poses[BALL][:2, 3] for step in record.steps])
            if np.linalg.norm(places[-1] - places[-10]) < 9 * PHYSICS_STEP * RESTS and len(places) > kicked:
                break
            session.run(Timer(duration=1.0))
        size = float(record.objects[BALL].shapes[0].size[0])
    return {
        **case,
        "success": judgement.success,
        "reason": judgement.reason,
        "off": off.tolist(),
        "told": told,
        **_way(places, size),
    }


def _way(places: Array, radius: float) -> dict[str, float]:
    """Direction in the base's frame [rad], speed as it rolls [m/s] and distance [m] of a ball's way (m, 2)."""
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=1) / PHYSICS_STEP
    left = np.flatnonzero(np.linalg.norm(places - places[0], axis=1) > radius)
    rolls = int(left[0]) + round(ROLLING / PHYSICS_STEP) if len(left) else 0
    x, y = (places[-1] - places[0]).tolist()
    speed = float(speeds[rolls]) if 0 < rolls < len(speeds) else 0.0
    return {"heading": wrap(math.atan2(y, x) - START[2], 0.0), "speed": speed, "distance": math.hypot(x, y)}


def _put(session: Session, place: Array) -> None:
    """Put the ball somewhere (2,) in the frame of the base."""
    X_WB = pose((START[0], START[1], 0.0), (0.0, 0.0, START[2]))
    x, y = (X_WB[:2, :2] @ place + X_WB[:2, 3]).tolist()
    session.plant.set_pose(BALL, pose((x, y, float(session.world.poses[BALL][2, 3]))))


def command(
    robots: Names = None,
    kicks: Annotated[int, typer.Option(min=1, help="Of each of the six ways.")] = 20,
    json_path: Json = None,
) -> None:
    """Kick, and report; Ctrl-C ends it early and reports what there is."""
    names = chosen("robot", robots, ROBOTS)
    cases = list(product(range(kicks), names, DIRECTIONS, FEET))
    runs = []
    try:
        for seed, robot, direction, foot in track(cases, "kicking"):
            runs.append(run(robot, foot, direction, seed))
    except KeyboardInterrupt:
        Console().print("cut off; what there is:", style="yellow")
    report(runs)
    if json_path is not None:
        json_path.write_text(json.dumps(plain(runs), indent=1))


def report(runs: list[dict[str, Any]]) -> None:
    """Print a row for each way of each robot, and the reasons of what failed."""
    console = Console(width=140)
    heads = ("kicked", "aside [deg]", "spread", "at most", "told [m/s]", "speed", "told [m]", "distance", "least")
    table = Table(
        "robot", "kick", *heads, title="kicks: aside of the direction that was told, to the outside of the foot"
    )
    for robot, direction, foot in dict.fromkeys((r["robot"], r["direction"], r["foot"]) for r in runs):
        of = [r for r in runs if (r["robot"], r["direction"], r["foot"]) == (robot, direction, foot)]
        table.add_row(robot, f"{foot} {direction}", f"{sum(r['success'] for r in of)}/{len(of)}", *_figures(of))
    console.print(table)
    console.bars(table, "kicked", "aside [deg]", "spread", "at most", by=2)
    for found in runs:
        if not found["success"]:
            name = f"{found['robot']}, {found['foot']} {found['direction']}, seed {found['seed']}"
            console.print(f"{name}: {found['reason']}")


def _figures(runs: list[dict[str, Any]]) -> list[str]:
    """Of one way to kick: means, spread and extremes."""
    done = [r for r in runs if "told" in r]
    if not done:
        return ["-"] * 8
    outward = 1.0 if done[0]["foot"] == "left" else -1.0
    aside = np.rad2deg([outward * wrap(r["heading"] - r["told"]["heading"], 0.0) for r in done])
    figures = [f"{aside.mean():+.1f}", f"{aside.std():.1f}", f"{np.abs(aside).max():.1f}"]
    for name, form in (("speed", ".2f"), ("distance", ".1f")):
        figures += [
            format(np.mean([r["told"][name] for r in done]), form),
            format(np.mean([r[name] for r in done]), form),
        ]
    return [*figures, f"{min(r['distance'] for r in done):.1f}"]


if __name__ == "__main__":
    main(command)
