"""Arms in the scenes of motion planning benchmarks, by the call that a user makes, on the robots as they are shipped.

    taskmatrix adopt .../panda_description/urdf/panda.urdf
    python benchmarks/arms.py --robots robots/panda/robot.toml --seeds 100 --json arms.json

Tables with things on them, a cage, a bookshelf, and from under a table to above it, each drawn anew for each seed
around where the arm reaches. Ends are where inverse kinematics puts the hand at two places of the scene, free of
contact, and a straight line between them is not. Each is given to ``Planner.solve``; what it returns is judged by coal
on the exact shapes each 0.2 degrees. Times are of the processor, and of the problems that are solved; "again" is the
same call once more, in a world that the planner knows by then.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Annotated, Any

import numpy as np
import pinocchio as pin
import typer
from console import Console
from options import Json, main
from rich.table import Table

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.robot.plans import Plan
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.kernel.ik.ik import solve
from taskmatrix.robots import Robot, load_robot
from taskmatrix.skills.collision.bodies import Body
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.kinematics.kinematics import chain_to
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.queries import ConfigurationQuery, Snapshot

Box = tuple[Array, Array]
"""Centre and size [m]."""
STEP = np.radians(0.2)
TRIES = 200
"""Of a scene and two ends in it, for one seed."""
BESIDE = 0.2  # of the arm's length, from the middle of two shoulders to where a hand is to be
SCENES = ("tables", "cage", "bookshelf", "under and over")


def scene(kind: str, random: np.random.Generator) -> tuple[list[Box], list[Box]]:
    """Boxes, and where the hand is to be: relative to the shoulder, with the arm's length as 1."""

    def box(x: float, y: float, z: float, *size: float) -> Box:
        return np.array([x, y, z]), np.array(size)

    x, z = random.uniform(0.5, 0.7), random.uniform(-0.35, -0.2)
    if kind == SCENES[-1]:
        z += 0.25
    if kind == "tables":
        things = [
            box(
                x + random.uniform(-0.2, 0.2),
                random.uniform(-0.5, 0.5),
                z + height / 2,
                *random.uniform(0.05, 0.15, 2),
                height,
            )
            for height in random.uniform(0.1, 0.4, 7)
        ]
        return [box(x, 0.0, z - 0.02, 0.7, 1.4, 0.04), *things], [
            box(x, side, z + 0.2, 0.4, 0.4, 0.25) for side in (-0.4, 0.4)
        ]
    if kind == "cage":
        bars = [box(x + dx, dy, z + 0.35, 0.04, 0.04, 0.7) for dx in (-0.25, 0.0, 0.25) for dy in (-0.3, 0.3)]
        rails = [box(x, dy, z + height, 0.54, 0.04, 0.04) for dy in (-0.3, 0.3) for height in (0.0, 0.35, 0.7)]
        return [*bars, *rails, box(x, 0.0, z - 0.02, 0.54, 0.64, 0.04)], [
            box(x, 0.0, z + 0.25, 0.3, 0.35, 0.3),
            box(x - 0.1, random.choice([-0.6, 0.6]), z + 0.3, 0.3, 0.2, 0.4),
        ]
    if kind == "bookshelf":
        shelves = [box(x + 0.15, 0.0, z + height, 0.3, 1.0, 0.03) for height in (-0.1, 0.25, 0.6, 0.95)]
        sides = [box(x + 0.15, y, z + 0.42, 0.3, 0.03, 1.05) for y in (-0.5, 0.0, 0.5)]
        slots = [box(x + 0.08, y, z + height, 0.1, 0.3, 0.15) for y in (-0.25, 0.25) for height in (0.08, 0.43)]
        one, other = random.choice(len(slots), 2, replace=False)
        return [*shelves, *sides, box(x + 0.31, 0.0, z + 0.42, 0.03, 1.0, 1.05)], [slots[one], slots[other]]
    legs = [box(x + dx, dy, z - 0.3, 0.05, 0.05, 0.6) for dx in (-0.2, 0.25) for dy in (-0.4, 0.4)]
    return [box(x + 0.05, 0.0, z, 0.5, 0.9, 0.04), *legs], [
        box(x - 0.1, 0.0, z - 0.2, 0.3, 0.5, 0.2),
        box(x, 0.0, z + 0.2, 0.4, 0.7, 0.2),
    ]


class Arm:
    """An arm of a robot, or both, and its problems.

    Args:
        robot: The robot.
        hands: By which the ends are drawn.
    """

    def __init__(self, robot: Robot, hands: tuple[str, ...]) -> None:
        self.robot, self.hands = robot, hands
        self.q = robot.posture(robot.stance)
        self.exact, self.planner = CollisionChecker(robot), Planner(robot)
        self.joints = robot.indices(*(robot.hands[hand].arm for hand in hands))
        self._chains = [
            chain_to(robot, robot.hands[hand].frame, robot.indices(robot.hands[hand].arm)) for hand in hands
        ]
        data = robot.model.createData()
        full = robot.S @ self.q + robot.c
        pin.framesForwardKinematics(robot.model, data, full)
        self.shoulders, self.lengths = [], []
        for hand in hands:
            first = robot.indices(robot.hands[hand].arm)[0]
            joint = next(j for j in range(1, robot.model.njoints) if robot.S[robot.model.joints[j].idx_v, first] != 0)
            self.shoulders.append(np.array(data.oMi[joint].translation))
            joints = list(range(joint, chain_parent(robot, robot.hands[hand].frame) + 1))
            self.lengths.append(
                sum(float(np.linalg.norm(robot.model.jointPlacements[j].translation)) for j in joints[1:]) + 0.1
            )

    def problem(self, kind: str, seed: int) -> tuple[dict[str, tuple[ObjectModel, Array]], Array, Array] | None:
        """Objects by id, and both ends (n,)."""
        random = np.random.default_rng([SCENES.index(kind), seed])
        for _ in range(TRIES):
            boxes, places = scene(kind, random)
            objects, middle, length = {}, np.mean(self.shoulders, axis=0), min(self.lengths)
            for number, (centre, size) in enumerate(boxes):
                X = np.eye(4)
                X[:3, 3] = middle + length * centre
                model = ObjectModel(f"{kind} {number}", "thing", (Shape("box", tuple(length * size), np.eye(4)),))
                objects[model.id] = model, X
            self.exact.set_bodies([Body(*item) for item in objects.values()])
            ends = [self._end(place, middle, length, random) for place in places]
            if ends[0] is not None and ends[1] is not None and not self.exact.edge_is_free(ends[0], ends[1]):
                return objects, ends[0], ends[1]
        return None

    def _end(self, place: Box, middle: Array, length: float, random: np.random.Generator) -> Array | None:
        q = self.q.copy()
        for hand, chain in zip(self.hands, self._chains, strict=True):
            centre = place[0].copy()
            if len(self.hands) > 1:
                centre[1] = max(abs(centre[1]), BESIDE) * (1 if "left" in hand else -1)
            target = middle + length * (centre + random.uniform(-0.5, 0.5, 3) * place[1])
            found = solve(chain, target, q, seed=random)
            if not found.reached:
                return None
            q = np.asarray(found.q)
        return q if self.exact.is_free(q) else None

    def judged(self, plan: Plan, start: Array) -> bool:
        """Whether a motion is free of contact at samples, by coal."""
        trajectory = plan.trajectory
        times = np.linspace(0.0, trajectory.duration, 200)
        q = np.tile(start, (len(times), 1))
        q[:, trajectory.indices] = [trajectory.sample(t)[0] for t in times]
        for one, other in pairwise(q):
            for share in np.linspace(0.0, 1.0, max(2, int(np.ceil(np.abs(other - one).max() / STEP)))):
                if self.exact.contact(one + share * (other - one)) is not None:
                    return False
        return True


def chain_parent(robot: Robot, frame: str) -> int:
    """The joint that a frame hangs on."""
    return int(robot.model.frames[robot.model.getFrameId(frame)].parentJoint)


def figures(arm: Arm, kind: str, seeds: int) -> dict[str, Any]:
    """Of one kind of scene."""
    times, again, reasons, valid, drawn = [], [], Counter[str](), 0, 0
    for seed in range(seeds):
        problem = arm.problem(kind, seed)
        if problem is None:
            continue
        objects, start, goal = problem
        query = ConfigurationQuery({int(i): float(goal[i]) for i in arm.joints}, 1.0, seed)
        drawn += 1
        began = process_time()
        found = arm.planner.solve(Snapshot(start, objects), query)
        took = 1e3 * (process_time() - began)
        if isinstance(found, Failure):
            reasons[f"{found.kind.value}: {found.message}"] += 1
        else:
            times.append(took)
            began = process_time()
            arm.planner.solve(Snapshot(start, objects), query)
            again.append(1e3 * (process_time() - began))
            arm.exact.set_bodies([Body(*item) for item in objects.values()])
            valid += arm.judged(found, start)
    solved = len(times)
    return {
        "problems": drawn,
        "solved": solved,
        "valid": valid,
        "median_ms": float(np.median(times)) if times else None,
        "mean_ms": float(np.mean(times)) if times else None,
        "p95_ms": float(np.quantile(times, 0.95)) if times else None,
        "again_ms": float(np.median(again)) if again else None,
        "not solved": dict(reasons.most_common(3)),
    }


def arms(
    robots: Annotated[list[Path], typer.Option(help="Their robot.toml.")],
    scenes: Annotated[str, typer.Option(help="Separated by commas.")] = ",".join(SCENES),
    seeds: Annotated[int, typer.Option(min=1)] = 100,
    both: Annotated[bool, typer.Option(help="All hands at once.")] = False,
    json_file: Json = None,
) -> None:
    """Plan for arms in the scenes of motion planning benchmarks."""
    table, everything = Table("robot", "scene", "problems", "solved", "valid", "median ms", "mean", "95 %", "again"), []
    console = Console()
    for path in robots:
        robot = load_robot(str(path))
        hands = tuple(sorted(robot.hands)) if both else (next(iter(sorted(robot.hands))),)
        arm = Arm(robot, hands)
        for kind in scenes.split(","):
            found = figures(arm, kind, seeds)
            everything.append({"robot": robot.name, "scene": kind, **found})
            told = [found[key] for key in ("median_ms", "mean_ms", "p95_ms", "again_ms")]
            counts = (str(found[key]) for key in ("problems", "solved", "valid"))
            table.add_row(robot.name, kind, *counts, *("-" if value is None else f"{value:.2f}" for value in told))
            for reason, count in found["not solved"].items():
                console.print(f"{robot.name} {kind}: {count} times {reason}", style="dim")
    console.print(table)
    if json_file is not None:
        json_file.write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    main(arms)
