"""Whether a margin is kept from everything that may not be touched: what reflexes supervise."""

from __future__ import annotations

from collections.abc import Iterable

from taskmatrix.core.robot.plans import AllowedContact, Contact
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import Space
from taskmatrix.robots import Robot

from ..tolerances import SELF_MARGIN
from .bodies import Body
from .collision import CollisionChecker

FAR = 1e5  # [m] where no object is


class Clearance:
    """Checks one margin.

    Between parts of the robot at most 4 mm are asked for, and nothing between those that are as near in its stance.

    Args:
        robot: Whose body.
        margin: [m] To objects.
    """

    def __init__(self, robot: Robot, margin: float) -> None:
        self._checker = CollisionChecker(robot, margin, min(margin, SELF_MARGIN))
        self._alone = robot.posture(robot.stance)
        self._alone[0] += FAR
        self._checker.relax([self._alone])

    def take(self, bodies: Iterable[Body], space: Space | None, allowed: Iterable[AllowedContact]) -> None:
        """Know the objects, the map and what may be touched as they are now."""
        checker = self._checker
        others = [checker.set_bodies(bodies), checker.set_space(space)]
        checker.set_allowed_contacts(allowed)
        if any(others):
            checker.relax([self._alone])

    def is_kept(self, Q: Array) -> bool:
        """Whether it is at all of joint positions Q (m, n)."""
        return self._checker.first_not_free(Q) is None

    def near(self, q: Array) -> list[Contact]:
        """The pairs that are nearer at joint positions q (n,); of two with several shapes the nearest."""
        checker = self._checker
        pairs = checker.touching(q)
        found: dict[tuple[str, str], float] = {}
        for pair, distance in zip(pairs, checker.distances(pairs, q).tolist(), strict=True):
            names = checker.names(pair)
            found[names] = min(distance, found.get(names, distance))
        return [Contact(*names, distance) for names, distance in found.items()]
