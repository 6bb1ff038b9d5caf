"""Drake: SNOPT on pose constraints, and its scene graph's collision checker."""

from __future__ import annotations

import numpy as np
from problems.rows import Array, ChainRow, SceneRow

from .base import Attempt, Collision, Solve, UnsuitedError, restarting

DISTRIBUTION = "drake"


def ik(row: ChainRow) -> Solve:
    """A program a target, solved by SNOPT from each start."""
    from pydrake.math import RotationMatrix
    from pydrake.multibody.inverse_kinematics import InverseKinematics
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.solvers import SnoptSolver, SolverOptions

    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(row.body.urdf)
    plant.WeldFrames(plant.world_frame(), plant.GetBodyByName(row.body.root).body_frame())
    plant.Finalize()
    index = np.array([plant.GetJointByName(name).position_start() for name in row.body.joints])
    tip, solver, options = plant.GetFrameByName(row.body.tips[0]), SnoptSolver(), SolverOptions()
    options.SetOption(SnoptSolver.id(), "Major feasibility tolerance", 1e-9)  # the angle enters as a cosine

    def aim(target: Array) -> Attempt:
        problem = InverseKinematics(plant)
        world, point = plant.world_frame(), target[:3, 3]
        problem.AddPositionConstraint(tip, np.zeros(3), world, point - 5e-5, point + 5e-5)
        problem.AddOrientationConstraint(world, RotationMatrix(target[:3, :3]), tip, RotationMatrix(), 5e-4)

        def attempt(start: Array, deadline: float) -> Array | None:
            q = np.empty(plant.num_positions())
            q[index] = start
            result = solver.Solve(problem.prog(), q, options)
            if not result.is_success():
                return None
            found: Array = np.clip(result.GetSolution(problem.q())[index], row.body.lower, row.body.upper)
            return found

        return attempt

    return restarting(row, aim)


def collision(row: SceneRow) -> Collision:
    """Convex hulls only, and no voxels."""
    if not row.hull:
        raise UnsuitedError("collides the convex hull of every mesh")
    if len(row.voxels):
        raise UnsuitedError("has no octree, and 5,000 boxes of the world take minutes to set up")
    return _Drake(row)


class _Drake(Collision):
    def __init__(self, row: SceneRow) -> None:
        from pydrake.geometry import Box
        from pydrake.math import RigidTransform
        from pydrake.multibody.plant import CoulombFriction
        from pydrake.planning import RobotDiagramBuilder, SceneGraphCollisionChecker

        body = row.body
        builder = RobotDiagramBuilder(time_step=0.0)
        (robot,) = builder.parser().AddModels(body.urdf)
        plant = builder.plant()
        plant.WeldFrames(plant.world_frame(), plant.GetBodyByName(body.root).body_frame())
        for box in row.boxes:
            place, friction = RigidTransform(box.pose), CoulombFriction(1, 1)
            plant.RegisterCollisionGeometry(plant.world_body(), place, Box(*box.size), box.name, friction)
        diagram = builder.Build()
        self._checker = SceneGraphCollisionChecker(model=diagram, robot_model_instances=[robot], edge_step_size=0.05)
        plant = self._checker.plant()
        tested = {frozenset(pair) for pair in body.pairs}
        index = {link: plant.GetBodyByName(link).index() for link in body.links}
        for i, a in enumerate(body.links):
            for b in body.links[i + 1 :]:
                left_out = frozenset((a, b)) not in tested
                if left_out or self._checker.IsCollisionFilteredBetween(index[a], index[b]):
                    self._filter(index[a], index[b], left_out)
            if a in body.mounted:
                self._filter(index[a], plant.world_body().index(), True)
        self._order = np.array([plant.GetJointByName(name).position_start() for name in body.joints])

    def _filter(self, a: object, b: object, left_out: bool) -> None:
        try:
            self._checker.SetCollisionFilteredBetween(a, b, left_out)
        except RuntimeError:  # Drake never tests links that are welded together
            return

    def hits(self, q: Array) -> bool:
        ordered = np.empty(len(q))
        ordered[self._order] = q
        return not self._checker.CheckConfigCollisionFree(ordered)
