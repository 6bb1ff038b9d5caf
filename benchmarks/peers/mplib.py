"""MPlib: Pinocchio, FCL and OMPL behind one planner."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from problems.rows import Array, Body, Box, ChainRow, PlanningRow, Problem, SceneRow

from .base import POSITION, RANGE, Attempt, Collision, Plan, Planner, Solve, now, restarting

DISTRIBUTION = "mplib"


def ik(row: ChainRow, step: float = 0.1, iterations: int = 1000, damping: float = 1e-12) -> Solve:
    """Its closed loop; angles are taken into the limits by whole turns."""
    from mplib.pymp.kinematics.pinocchio import PinocchioModel

    model = PinocchioModel(row.body.urdf)
    names = list(model.get_joint_names())
    order = [names.index(name) for name in row.body.joints]
    tip = list(model.get_link_names()).index(row.body.tips[0])
    lower, upper, turns = row.body.lower, row.body.upper, ~np.array(row.body.prismatic)

    def aim(target: Array) -> Attempt:
        goal = _pose(target)

        def attempt(start: Array, deadline: float) -> Array | None:
            q = np.zeros(len(names))
            q[order] = start
            full, success, _ = model.compute_IK_CLIK(tip, goal, q, [], POSITION, iterations, step, damping)
            found = np.asarray(full)[order]
            wrapped = (found + np.pi) % (2 * np.pi) - np.pi
            wrapped += 2 * np.pi * ((wrapped < lower).astype(int) - (wrapped > upper))
            found = np.where(turns, wrapped, found)
            return found if success and np.all(found >= lower) and np.all(found <= upper) else None

        return attempt

    return restarting(row, aim)


def tuned_ik(row: ChainRow) -> Solve:
    """With longer steps, fewer iterations and more damping than it comes with."""
    return ik(row, step=0.7, iterations=60, damping=1e-6)


def collision(row: SceneRow) -> Collision:
    """Its planning world; voxels are its point cloud."""
    return _MPlib(row)


class _MPlib(Collision):
    def __init__(self, row: SceneRow) -> None:
        self._planner = _planner(row.body, row.boxes, row.hull)
        if len(row.voxels):
            self._planner.update_point_cloud(row.voxels, row.resolution)
        _mask(self._planner, row.body, self._planner.planning_world.get_object_names())
        self._world, self._robot = self._planner.planning_world, self._planner.robot

    def hits(self, q: Array) -> bool:
        self._robot.set_qpos(q, True)
        return bool(self._world.is_state_colliding())


def planning(row: PlanningRow, problem: Problem, seed: int) -> Planner:
    """Its RRTConnect; it simplifies only inside a run, so that runs a second time."""
    import mplib

    mplib.set_global_seed(seed + 1)
    planner = _planner(row.body, problem.boxes, True)
    _mask(planner, row.body, [box.name for box in problem.boxes])

    def run(limit: float, simplify: bool) -> Array | None:
        status, path = planner.planner.plan(
            problem.start, [problem.goal], time=float(limit), range=RANGE, simplify=simplify
        )
        return np.array(path) if str(status).startswith("Exact") else None

    def plan(limit: float) -> Plan:
        began = now()
        path = run(limit, False)
        seconds = now() - began
        if path is None:
            return Plan(seconds)
        began = now()
        cut = run(limit, True)
        return Plan(seconds, path, path if cut is None else cut, now() - began)

    return plan


def _planner(body: Body, boxes: Iterable[Box], hull: bool) -> Any:
    import mplib
    from mplib.collision_detection import fcl

    objects = [
        fcl.FCLObject(box.name, _pose(box.pose), [fcl.CollisionObject(fcl.Box(np.array(box.size)))], [mplib.Pose()])
        for box in boxes
    ]
    return mplib.Planner(
        _with_relative_meshes(Path(body.urdf)),
        body.tips[0],
        srdf=body.srdf,
        use_convex=hull,
        user_joint_names=list(body.joints),
        objects=objects,
    )


def _with_relative_meshes(urdf: Path) -> Path:
    """The same file as MPlib wants it, which puts the file's folder before every mesh's name."""
    copy = urdf.with_suffix(".relative.urdf")
    copy.write_text(urdf.read_text().replace(f'filename="{urdf.parent}/', 'filename="'))
    return copy


def _mask(planner: Any, body: Body, objects: Iterable[str]) -> None:
    """Leave out what stands on the world against the world."""
    for name in objects:
        for link in body.links:
            if link in body.mounted:
                planner.acm.set_entry(link, name, True)


def _pose(X: Array) -> Any:
    import mplib
    from scipy.spatial.transform import Rotation

    return mplib.Pose(X[:3, 3], Rotation.from_matrix(X[:3, :3]).as_quat()[[3, 0, 1, 2]])
