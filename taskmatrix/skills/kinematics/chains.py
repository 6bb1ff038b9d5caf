"""Chains of a robot for the kernel's inverse kinematics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.ik.chain import Chain
from taskmatrix.robots import Robot


def chain_to(
    robot: Robot, frame: str, joints: Sequence[int] | Indices, *, X_FT: Array | None = None, base_cost: float = 2.0
) -> Chain:
    """The chain from the world to a frame of a robot.

    Args:
        robot: The robot; its limits hold.
        frame: Name of a frame of its model, a link for example.
        joints: Active coordinates that may move; those that do not move the frame are left out.
        X_FT: (4, 4) A tool in the frame, to be controlled instead of it.
        base_cost: A metre or radian of the base weighs as much as this many radians of another joint.

    Raises:
        NotFoundError: There is no such frame.
        ParameterError: As for :meth:`~taskmatrix.kernel.ik.chain.Chain.from_model`.
    """
    costs = np.where(np.arange(robot.n) < 3, base_cost, 1.0)
    limits = robot.lower, robot.upper
    return Chain.from_model(robot.model, frame, joints, S=robot.S, c=robot.c, limits=limits, costs=costs, X_FT=X_FT)
