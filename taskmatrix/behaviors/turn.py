"""Turn on the spot to a heading drawn by lot (thesis 4.3.6, figure 4.12)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.core.behavior import TaskBehavior
from taskmatrix.core.failure import Failure, FailureKind
from taskmatrix.core.geometry import wrap
from taskmatrix.core.parameter import Parameter
from taskmatrix.core.plans import Contact, Job, Plan

from .tracking import arrived

ATTEMPTS = 20  # headings drawn until one is free of collisions


class Turn(TaskBehavior):
    """Turn the base to a random heading, on a planned way without collisions."""

    needs = ("base",)

    duration = Parameter(float, default=1.0, minimum=0.0, doc="[s] shortest time of the movement, without planning")
    until = Parameter(float, default=None, doc="[s] on the clock: a turn that would not be over by then is not begun")

    def required_chains(self) -> Sequence[str]:
        """The base."""
        return ["base"]

    def plan(self) -> Job | Failure | None:
        """Draw headings until one is free, and plan to it."""
        skills = self.context.skills
        yaw = skills.joints("base")[2:]
        here, (lower, upper) = float(skills.position()[yaw][0]), (limit[yaw][0] for limit in skills.limits()[:2])
        contact: Contact | None = None
        for _ in range(ATTEMPTS):
            heading = wrap(float(self.random.uniform(-np.pi, np.pi)), here)
            if heading > upper:
                heading -= 2 * np.pi
            elif heading < lower:
                heading += 2 * np.pi
            contact = skills.collision(yaw, np.array([heading]))
            if contact is None:
                seed = int(self.random.integers(2**31))
                return skills.plan_to_configuration({int(yaw[0]): heading}, self.duration, seed, self.planning_time)
        message = f"none of {ATTEMPTS} headings is free of collisions"
        return self.fail(FailureKind.COLLISION, message, pair=contact.pair if contact else None)

    def planned(self, plan: Plan) -> None:
        """Follow it, if there is time."""
        end = self.context.clock.now() + plan.trajectory.duration
        self._plan = plan if self.until is None or end <= self.until else None

    def step(self) -> Failure | bool:
        """Turn, or wait for the time where there is too little of it left."""
        if self._plan is None:
            return self.until is None or self.context.clock.now() >= self.until
        return self.follow(self._plan)

    def achieved(self) -> Failure | bool:
        """Whether the base heads where its turn ends, if it has turned."""
        return self._plan is None or arrived(self.context, self.path, self._plan.trajectory, self.elapsed)
