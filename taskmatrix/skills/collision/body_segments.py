"""How near the parts of a limb are to the rest of the body."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from .collision import CollisionChecker
from .pairing import moved_by

SHOULDER = 2  # joints: what no more of a chain's joints move is beside what carries it, wherever the limb is


class BodySegments:
    """Which links move with which joints of a chain.

    Args:
        robot: Whose.
    """

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        moved, frames = moved_by(robot) @ (robot.S != 0.0), robot.model.frames
        self._moved = {frame.name: moved[frame.parentJoint] for frame in frames if frame.type == pin.FrameType.BODY}
        self._segments: dict[str, dict[str, int]] = {}

    def distances(self, checker: CollisionChecker, chain: str, q: Array, within: float) -> tuple[Array, Array]:
        """(m,) [m] Of each segment of a chain the distance to the rest of the body, and (m, n) how joints change it.

        Args:
            checker: Of the robot.
            chain: Its name. What moves with the same of its joints is one segment; the first two are left out.
            q: (n,) Where the joints are.
            within: [m] Segments that are not nearer are left out.

        Raises:
            NotFoundError: There is no such chain.
        """
        segments, pairs, owners = self._of(chain), list[int](), list[int]()
        for pair in checker.touching(q, within):
            first, second = (segments.get(name) for name in checker.names(pair))
            if first is not None and second is not None and min(first, second) == 0 < SHOULDER < max(first, second):
                pairs.append(pair)
                owners.append(max(first, second))
        if not pairs:
            return np.empty(0), np.empty((0, len(q)))
        distances, gradients = checker.proximity(pairs, q)
        nearest = [k for k in np.argsort(distances, kind="stable").tolist() if distances[k] < within]
        first_of = {owners[k]: k for k in reversed(nearest)}
        chosen = [first_of[segment] for segment in sorted(first_of)]
        return distances[chosen], gradients[chosen]

    def _of(self, chain: str) -> dict[str, int]:
        """How many of a chain's joints move each link."""
        if chain not in self._robot.chains:
            raise NotFoundError("chain", chain, self._robot.chains, f"robot '{self._robot.name}'")
        if chain not in self._segments:
            joints = list(self._robot.indices(chain))
            self._segments[chain] = {link: int(moved[joints].sum()) for link, moved in self._moved.items()}
        return self._segments[chain]
