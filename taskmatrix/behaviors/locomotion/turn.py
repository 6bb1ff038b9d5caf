"""Turn on the spot to a heading drawn by lot (thesis 4.3.6, figure 4.12)."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.robot.plans import Contact, Indices, Job

from ..common.tolerances import BESIDE, BETWEEN_LOOKS
from .base_motion import BaseMotion

ATTEMPTS = 20  # headings drawn until one is free of collisions, and the way to it
LEAST = 0.2  # [rad] by which it turns; less is no turn
SHORTER = 0.9  # of the way on which something was in it
SPACING = 0.1  # [m] between the places ahead that are looked at


class Turn(BaseMotion):
    """Turn the base to a random heading, on a planned way without collisions.

    By 0.2 rad or more; fails where there is less room than that to either side, and where the base leaves its place.
    What it is in contact with, or a hand is at, it leaves first; its place is where it is clear of that.
    """

    ahead = Parameter(
        float, default=0.0, minimum=0.0, doc="[m] to be free ahead of it then, if there is such a heading"
    )

    def plan(self) -> Job | Failure | None:
        """Draw headings until one can be turned to, and plan to it."""
        skills = self.context.skills
        yaw = skills.joints("base")[2:]
        self._stood, self._gone = skills.position()[:2], 0.0
        here, (lower, upper) = float(skills.position()[yaw][0]), (limit[yaw][0] for limit in skills.limits()[:2])
        least, most = max(-np.pi, float(lower) - here), min(np.pi, float(upper) - here)
        free: float | None = None  # heading without contact, although something is on the way to it
        second: float | None = None  # heading that can be turned to, with something ahead
        contact: Contact | None = None
        for _ in range(ATTEMPTS):
            angle = self._drawn(least, most)
            if angle is None:
                break
            heading = here + angle
            blocked = self._blocked(yaw, here, angle)
            if blocked is None and self._is_open(heading):
                return self.plan_to({int(yaw[0]): heading})
            if blocked is None:
                second = heading if second is None else second
                continue
            contact, far = blocked
            if free is None and skills.collision(yaw, np.array([heading])) is None:
                free = heading
            if far < 0.0:
                least = max(least, SHORTER * far)
            else:
                most = min(most, SHORTER * far)
        chosen = free if second is None else second
        if chosen is not None:  # a plan may first leave what a hand is at
            return self.plan_to({int(yaw[0]): chosen})
        message = "there is no heading that it can turn to"
        facts: dict[str, object] = {"pair": contact.pair} if contact is not None else {}
        return replace(self.fail(FailureKind.COLLISION, message), facts=facts)

    def step(self) -> Failure | bool:
        """Turn on, and note how far the base is from its place."""
        here = self.context.skills.position()[:2]
        if self._plan is not None and self.elapsed <= self._plan.retreat_end:
            self._stood = here
        self._gone = max(self._gone, float(np.linalg.norm(here - self._stood)))
        return super().step()

    def achieved(self) -> Failure | bool:
        """Whether the base has turned, on the spot."""
        if self._gone > BESIDE:
            message = f"the base left its place by {self._gone * 100:.1f} cm"
            return self.fail(FailureKind.NOT_ACHIEVED, message, gone=self._gone)
        return super().achieved()

    def _drawn(self, least: float, most: float) -> float | None:
        """[rad] An angle from a range, to either side of 0, that is a turn; None if there is none."""
        right, left = max(0.0, -least - LEAST), max(0.0, most - LEAST)
        if right + left == 0.0:
            return None
        drawn = float(self.random.uniform(-right, left))
        return drawn - LEAST if drawn < 0.0 else drawn + LEAST

    def _is_open(self, heading: float) -> bool:
        """Whether the way ahead is free as far as asked for, from a heading [rad]."""
        skills = self.context.skills
        base, way = skills.joints("base"), np.array([np.cos(heading), np.sin(heading)])
        ways = np.arange(SPACING, self.ahead + SPACING / 2, SPACING)
        return all(skills.collision(base, np.array([*(self._stood + far * way), heading])) is None for far in ways)

    def _blocked(self, yaw: Indices, here: float, angle: float) -> tuple[Contact, float] | None:
        """What is in the way of turning the base's joint (1,) by an angle [rad], and by which; None if nothing is."""
        looks = ceil(abs(angle) * self.context.skills.extent()[0] / BETWEEN_LOOKS)
        for turned in np.linspace(0.0, angle, 1 + max(looks, 1))[1:]:
            contact = self.context.skills.imminent_contact(yaw, np.array([here + turned]))
            if contact is not None:
                return contact, float(turned)
        return None
