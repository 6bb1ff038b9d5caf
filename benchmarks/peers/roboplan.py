"""roboplan: a compiled library on Pinocchio and coal."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from problems.rows import SAMPLES, Array, Body, Box, ChainRow, PlanningRow, Problem, SceneRow

from .base import ANGLE, POSITION, RANGE, STEP, Collision, Plan, Planner, Solve, now

DISTRIBUTION = "roboplan"


def ik(row: ChainRow, step: float = 0.25, damping: float = 0.001) -> Solve:
    """Its solver with its own restarts."""
    from roboplan import core
    from roboplan.simple_ik import SimpleIk, SimpleIkOptions

    scene = core.Scene("scene", core.loadUrdfSceneDescription(row.body.urdf))
    scene.addGroup("group", list(row.body.joints))
    solver = SimpleIk(
        scene,
        SimpleIkOptions(
            group_name="group",
            max_iters=100,
            max_time=0.05,
            max_restarts=100000,
            step_size=step,
            damping=damping,
            max_linear_error_norm=POSITION,
            max_angular_error_norm=ANGLE,
            check_collisions=False,
        ),
    )
    solver.setRngSeed(1)
    start = core.JointConfiguration(list(row.body.joints), row.start)
    names = list(scene.getJointGroupInfo("group").joint_names)
    order = [names.index(name) for name in row.body.joints]

    def solve(target: Array, deadline: float, random: np.random.Generator) -> Array | None:
        found = core.JointConfiguration()
        goal = core.CartesianConfiguration(row.body.root, row.body.tips[0], np.asfortranarray(target))
        return np.asarray(found.positions)[order] if solver.solveIk(goal, start, found) else None

    return solve


def tuned_ik(row: ChainRow) -> Solve:
    """With whole steps and less damping than it comes with."""
    return ik(row, step=1.0, damping=1e-4)


def collision(row: SceneRow) -> Collision:
    """Its scene with its own test of edges; it takes convex hulls as triangles."""
    return _RoboPlan(row)


class _RoboPlan(Collision):
    def __init__(self, row: SceneRow) -> None:
        from roboplan import core

        self._core, self._scene = core, _scene(row.body, row.boxes, row.voxels, row.resolution)
        names = self._scene.getJointNames()
        self._order = np.array([names.index(name) for name in row.body.joints])

    def hits(self, q: Array) -> bool:
        return bool(self._scene.hasCollisions(self._all(q)))

    def edge_hits(self, a: Array, b: Array) -> bool:
        step = float(np.linalg.norm(b - a)) / (SAMPLES - 1)
        return bool(self._core.hasCollisionsAlongPath(self._scene, self._all(a), self._all(b), step, False))

    def _all(self, q: Array) -> Array:
        ordered = np.empty(len(q))
        ordered[self._order] = q
        return ordered


def planning(row: PlanningRow, problem: Problem, seed: int) -> Planner:
    """Its RRTConnect and its shortcutting."""
    from roboplan import core
    from roboplan.rrt import RRT, RRTOptions

    scene = _scene(row.body, problem.boxes, np.zeros((0, 3)), 0.0)
    scene.addGroup("moved", list(row.body.joints))
    names = list(scene.getJointGroupInfo("moved").joint_names)
    there = [row.body.joints.index(name) for name in names]
    back = [names.index(name) for name in row.body.joints]

    def plan(limit: float) -> Plan:
        planner = RRT(
            scene,
            RRTOptions(
                group_name="moved",
                max_nodes=1000000,
                max_connection_distance=RANGE,
                collision_check_step_size=STEP,
                max_planning_time=float(limit),
                rrt_connect=True,
            ),
        )
        planner.setRngSeed(seed + 1)
        ends = [core.JointConfiguration(names, q[there]) for q in (problem.start, problem.goal)]
        began = now()
        try:
            path = planner.plan(*ends)
        except RuntimeError:
            return Plan(now() - began)
        seconds, began = now() - began, now()
        options = core.PathShortcuttingOptions(group_name="moved", max_step_size=STEP, max_iters=200, seed=1)
        cut = core.PathShortcutter(scene, options).shortcut(path)
        cutting = now() - began
        return Plan(seconds, np.array(path.positions)[:, back], np.array(cut.positions)[:, back], cutting)

    return plan


def _scene(body: Body, boxes: Iterable[Box], voxels: Array, resolution: float) -> Any:
    from roboplan import core

    scene = core.Scene("scene", core.loadUrdfSceneDescription(body.urdf))
    scene.importSrdf(Path(body.srdf).read_text())
    world, grey = [], np.ones(4)
    for box in boxes:
        scene.addBoxGeometry(box.name, "universe", core.Box(*box.size), np.asfortranarray(box.pose), grey)
        world.append(box.name)
    if len(voxels):
        import coal

        cells = [np.asarray(cell, float) for cell in coal.makeOctree(voxels, resolution).toBoxes()]
        scene.addOcTreeGeometry(
            "voxels", "universe", core.OcTree(cells, resolution), np.asfortranarray(np.eye(4)), grey
        )
        world.append("voxels")
    for k, name in enumerate(world):  # it would test the world against itself and against what stands on it
        for other in (*world[:k], *(link for link in body.links if link in body.mounted)):
            scene.setCollisions(other, name, False)
    return scene
