"""Klamp't: its solver of inverse kinematics, its PQP collision checker, its planners."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from problems.rows import Array, Body, Box, ChainRow, PlanningRow, Problem, SceneRow

from .base import RANGE, STEP, Attempt, Collision, Plan, Planner, Solve, box_mesh, now, restarting, shortcut

DISTRIBUTION = "klampt"


def ik(row: ChainRow) -> Solve:
    """Its Newton iterations, 50 a try."""
    from klampt import IKObjective, IKSolver, WorldModel

    world = WorldModel()
    robot = world.loadRobot(row.body.urdf)
    index = {robot.link(i).getName(): i for i in range(robot.numLinks())}
    moved, tip = [index[link] for link in row.body.children], index[row.body.tips[0]]

    def aim(target: Array, keep: Any = world) -> Attempt:  # the robot lives as long as its world
        objective = IKObjective()
        objective.setFixedTransform(tip, target[:3, :3].T.ravel().tolist(), target[:3, 3].tolist())
        solver = IKSolver(robot)
        solver.add(objective)
        solver.setActiveDofs(moved)
        solver.setMaxIters(50)
        solver.setTolerance(5e-5)
        full = [0.0] * robot.numLinks()

        def attempt(q: Array, deadline: float) -> Array | None:
            for i, position in zip(moved, q.tolist(), strict=True):
                full[i] = position
            robot.setConfig(full)
            if not solver.solve():
                return None
            found = robot.getConfig()
            reached: Array = np.clip([found[i] for i in moved], row.body.lower, row.body.upper)
            return reached

        return attempt

    return restarting(row, aim)


def collision(row: SceneRow) -> Collision:
    """Boxes are triangles, voxels points with a margin of half a cell."""
    return _Klampt(row)


class _Klampt(Collision):
    def __init__(self, row: SceneRow) -> None:
        self._hits, self._keep = _checker(row.body, row.boxes, row.voxels, row.resolution)

    def hits(self, q: Array) -> bool:
        return self._hits(q.tolist())


def planning(row: PlanningRow, problem: Problem, seed: int) -> Planner:
    """Its bidirectional RRT; the shortcutting is ours, with its collision checks."""
    import random

    from klampt.plan import motionplanning
    from klampt.plan.cspace import CSpace, MotionPlan

    motionplanning.set_random_seed(seed + 1)
    random.seed(seed + 1)
    hits, world = _checker(row.body, problem.boxes, np.zeros((0, 3)), 0.0)

    class Space(CSpace):  # type: ignore[misc]
        """Asks Klamp't's own checker."""

        def __init__(self) -> None:
            super().__init__()
            self.bound = list(zip(row.body.lower.tolist(), row.body.upper.tolist(), strict=True))
            self.eps = STEP

        def feasible(self, q: list[float]) -> bool:
            """Whether a configuration is free."""
            return not hits(q)

    space = Space()

    def plan(limit: float, keep: Any = world) -> Plan:
        MotionPlan.setOptions(type="rrt", bidirectional=1, perturbationRadius=RANGE, shortcut=0, restart=0)
        planner = MotionPlan(space, "rrt", bidirectional=1, perturbationRadius=RANGE)
        planner.setEndpoints(problem.start.tolist(), problem.goal.tolist())
        began, corners = now(), None
        while not corners and now() - began < limit:
            planner.planMore(50)
            corners = planner.getPath()
        seconds = now() - began
        planner.close()
        if not corners:
            return Plan(seconds)
        path, began = np.array(corners), now()
        cut = shortcut(path, lambda q: not hits(q.tolist()))
        return Plan(seconds, path, cut, now() - began)

    return plan


def _checker(
    body: Body, boxes: tuple[Box, ...], voxels: Array, resolution: float
) -> tuple[Callable[[list[float]], bool], Any]:
    """Whether a configuration collides, and the world that must live as long."""
    from klampt import Geometry3D, PointCloud, TriangleMesh, WorldModel

    world = WorldModel()
    robot = world.loadRobot(body.urdf)
    vertices, triangles = box_mesh(boxes)
    mesh = TriangleMesh()
    mesh.setVertices(vertices)
    mesh.setIndices(triangles)
    obstacles = [Geometry3D(mesh)]
    if len(voxels):
        cloud = PointCloud()
        cloud.setPoints(voxels)
        obstacles.append(Geometry3D(cloud))
        obstacles[-1].setCollisionMargin(0.5 * resolution)
    index = {robot.link(i).getName(): i for i in range(robot.numLinks())}
    tested = {frozenset((index[a], index[b])) for a, b in body.pairs if a in index and b in index}
    for i in range(robot.numLinks()):
        for k in range(i):
            robot.enableSelfCollision(i, k, frozenset((i, k)) in tested)
    moved = [index[link] for link in body.children]
    shapes = [robot.link(index[x]).geometry() for x in body.links if x not in body.mounted and x in index]
    full = [0.0] * robot.numLinks()

    def hits(q: list[float]) -> bool:
        for i, position in zip(moved, q, strict=True):
            full[i] = position
        robot.setConfig(full)
        return robot.selfCollides() or any(s.collides(obstacle) for obstacle in obstacles for s in shapes)

    return hits, world
