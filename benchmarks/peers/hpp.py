"""HPP, the Humanoid Path Planner: compiled, on Pinocchio and coal.

The modules of its wheels (9.0.2) do not find their libraries: where it is installed, ``LD_LIBRARY_PATH`` has to name
the folder ``cmeel.prefix/lib`` of its site-packages, for its interpreter alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from problems.rows import Array, Box, PlanningRow, Problem

from .base import Plan, Planner, now

DISTRIBUTION = "hpp-python"


def planning(row: PlanningRow, problem: Problem, seed: int) -> Planner:
    """Its BiRRT with its own test of paths, and its random shortcuts."""
    import pinocchio as pin
    from pyhpp import core
    from pyhpp.pinocchio import Device, urdf

    robot = Device(row.body.root)
    urdf.loadModel(robot, 0, "", "anchor", row.body.urdf, row.body.srdf, pin.SE3.Identity())
    with tempfile.TemporaryDirectory() as folder:
        world, none = Path(folder) / "world.urdf", Path(folder) / "world.srdf"
        world.write_text(_world(problem.boxes))
        none.write_text('<robot name="world"/>')
        urdf.loadModel(robot, 0, "world", "anchor", str(world), str(none), pin.SE3.Identity())
    names = list(robot.model().names)[1:]
    order = [row.body.joints.index(name) for name in names]
    back = [names.index(name) for name in row.body.joints]

    def plan(limit: float) -> Plan:
        core_problem = core.Problem(robot)
        core_problem.initConfig(problem.start[order])
        core_problem.addGoalConfig(problem.goal[order])
        planner = core.BiRRTPlanner(core_problem)
        planner.maxIterations(1_000_000)
        planner.timeOut(float(limit))
        began = now()
        try:
            path = planner.solve()
        except RuntimeError:
            return Plan(now() - began)
        seconds, began = now() - began, now()
        cut = core.RandomShortcut(core_problem).optimize(path)
        return Plan(seconds, _corners(path)[:, back], _corners(cut)[:, back], now() - began)

    return plan


def _corners(path: Any) -> Array:
    """(k, n) Where the straight pieces of a path begin and end."""
    pieces = [path.pathAtRank(k) for k in range(path.numberPaths())]
    return np.array([pieces[0].initial(), *(piece.end() for piece in pieces)])


def _world(boxes: Iterable[Box]) -> str:
    """Boxes as one link."""
    import pinocchio as pin

    shapes = []
    for box in boxes:
        x, y, z = box.pose[:3, 3]
        roll, pitch, yaw = pin.rpy.matrixToRpy(box.pose[:3, :3])
        size = " ".join(map(str, box.size))
        shapes.append(
            f'<collision><origin xyz="{x} {y} {z}" rpy="{roll} {pitch} {yaw}"/>'
            f'<geometry><box size="{size}"/></geometry></collision>'
        )
    return f'<robot name="world"><link name="world_base">{"".join(shapes)}</link></robot>'
