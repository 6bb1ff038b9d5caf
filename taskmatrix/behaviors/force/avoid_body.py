"""Keep a limb away from the rest of the body."""

from __future__ import annotations

from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.robot.springs import BoundedSpring, SpringTorques, push_apart

from .force_behavior import ForceBehavior


class AvoidBody(ForceBehavior):
    """Push the parts of a limb away from the rest of the body by springs, where they come near it (Domo 5.3).

    Between each part of the limb, from the third joint on, and the part of the body that is nearest to it there is a
    spring that pushes with ``force`` at contact, and with nothing from ``range`` on: the limb moves as if it were not
    there, but for where it would bump into the body.
    """

    chain = Parameter(str, doc="name of the chain")
    force = Parameter(float, default=40.0, minimum=0.0, doc="[N] with which each part is pushed at contact")
    range = Parameter(float, default=0.1, minimum=0.001, doc="[m] how near it comes without being pushed")
    damping = Parameter(float, default=20.0, minimum=0.0, doc="[N s/m] of the springs")

    nearest = Output(float, doc="[m] how near it came to the body; the range where it never was nearer")

    def limb(self) -> str:
        """The chain."""
        return self.chain

    def plan(self) -> None:
        """Begin with a spring of these parameters."""
        self._law, self._nearest = BoundedSpring(self.force, self.range, self.damping), self.range

    def torques(self, joints: Indices) -> SpringTorques:
        """Those of the springs."""
        skills = self.context.skills
        distances, gradients = skills.body_distances(self.chain, self.range)
        self._nearest = min([self._nearest, *distances.tolist()])
        return push_apart(self._law, distances, gradients, skills.velocity(), joints, self.context.dt)

    def achieved(self) -> bool:
        """Tell how near it came."""
        self.publish(nearest=self._nearest)
        return True
