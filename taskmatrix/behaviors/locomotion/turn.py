"""Turn on the spot to a heading drawn by lot (thesis 4.3.6, figure 4.12)."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Contact, Indices, Job

from .base_motion import BaseMotion

ATTEMPTS = 20  # headings drawn until one is free of collisions, and the way to it
STEP = 0.05  # [rad] between two looks at the way
LEAST = 0.2  # [rad] between the headings that can be turned to; nearer ones are no turn
SHORTER = 0.9  # of the way on which something was in it


class Turn(BaseMotion):
    """Turn the base to a random heading, on a planned way without collisions."""

    def plan(self) -> Job | Failure | None:
        """Draw headings until one can be turned to, and plan to it."""
        skills = self.context.skills
        yaw = skills.joints("base")[2:]
        here, (lower, upper) = float(skills.position()[yaw][0]), (limit[yaw][0] for limit in skills.limits()[:2])
        least, most = -np.pi, np.pi
        free: float | None = None
        for _ in range(ATTEMPTS):
            heading = here + float(self.random.uniform(least, most))
            heading += 2 * np.pi * (int(heading < lower) - int(heading > upper))
            blocked = self._blocked(yaw, here, heading - here)
            if blocked is None:
                return self.plan_to({int(yaw[0]): heading})
            contact, far = blocked
            if free is None and skills.collision(yaw, np.array([heading])) is None:
                free = heading
            if far < 0.0:
                least = max(least, SHORTER * far)
            else:
                most = min(most, SHORTER * far)
            if most - least < LEAST:
                break
        if free is not None:  # a plan may first leave what a hand is at
            return self.plan_to({int(yaw[0]): free})
        message = "there is no heading that it can turn to"
        return self.fail(FailureKind.COLLISION, message, pair=contact.pair)

    def _blocked(self, yaw: Indices, here: float, angle: float) -> tuple[Contact, float] | None:
        """What is in the way of turning the base's joint (1,) by an angle [rad], and by which; None if nothing is."""
        for turned in np.linspace(0.0, angle, 2 + int(abs(angle) / STEP))[1:]:
            contact = self.context.skills.imminent_contact(yaw, np.array([here + turned]))
            if contact is not None:
                return contact, float(turned)
        return None
