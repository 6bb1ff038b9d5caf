"""Give way to who pushes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.requirement import Requirement, TakesImpedance
from taskmatrix.core.robot.impedance import Impedance


class Comply(TaskBehavior):
    """Let the joints of a chain be pushed: springs and dampers about where they are, with their weight taken off them.

    Without a stiffness the chain floats: it stays where it is pushed to, as Domo's arms do under zero force with
    gravity compensation (Edsinger 2007, 4.2). What the hand holds is carried. In the end the chain is held where it is.
    It takes a plant that drives the chain as hard as it is told; on any other it is refused before anything moves.
    """

    chain = Parameter(str, doc="name of the chain")
    duration = Parameter(float, default=10.0, minimum=0.0, doc="[s] how long")
    gravity_compensation = Parameter(bool, default=True, doc="whether it holds the chain's weight")
    stiffness = Parameter(float, default=0.0, minimum=0.0, doc="[N m/rad, N/m] of each joint")
    damping = Parameter(float, default=1.0, minimum=0.0, doc="[N m s/rad, N s/m] of each joint")

    pushed = Output(float, doc="[rad, m] how far a joint was from where it began, at most")

    def requirements(self) -> Sequence[Requirement]:
        """Require a chain that is driven as hard as it is told."""
        return [TakesImpedance(self.chain)]

    def required_chains(self) -> Sequence[str]:
        """Require the chain."""
        return [self.chain]

    def plan(self) -> None:
        """Begin where the joints are."""
        self._joints = self.context.skills.joints(self.chain)
        self._start = self.context.skills.position()[self._joints]
        self._time, self._pushed = 0.0, 0.0

    def step(self) -> bool:
        """Drive the joints for another control step."""
        skills, joints = self.context.skills, self._joints
        q = skills.position()[joints]
        self._pushed = max(self._pushed, float(np.abs(q - self._start).max()))
        each = np.ones(len(joints))
        weight = skills.weight()[joints] if self.gravity_compensation else 0.0 * each
        impedance = Impedance(weight, self.stiffness * each, self.damping * each)
        self.command(joints, self._start if self.stiffness else q, impedance=impedance)
        self._time += self.context.dt
        return self._time >= self.duration

    def achieved(self) -> bool:
        """Tell how far it was pushed."""
        self.publish(pushed=self._pushed)
        return True
