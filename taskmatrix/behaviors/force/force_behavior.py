"""What behaviors have in common that drive a limb by torques."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.requirement import HasHand, Requirement, TakesImpedance
from taskmatrix.core.robot.impedance import Impedance
from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.robot.springs import Spring, SpringTorques, no_torques, pull

HOOKS = ("limb", "springs", "torques", "duration", "gravity_compensation", "joint_damping")


class ForceBehavior(TaskBehavior, hooks=HOOKS):
    """Drive the joints of a chain by torques, as long as it is told; base of all behaviors that do.

    With the policy ``sum`` several of them may have one chain, and their torques, springs and dampers add up; one of
    them compensates gravity then, and the others do not. With ``subsumption`` the first replaces the others. They need
    a plant that drives the chain as hard as it is told, and are refused on any other before anything moves. Subclasses
    say which :meth:`limb` they drive, and by which :meth:`springs` or other :meth:`torques`.
    """

    duration = Parameter(float, default=10.0, minimum=0.0, doc="[s] how long")
    gravity_compensation = Parameter(bool, default=True, doc="whether it holds the limb's weight, besides its forces")
    joint_damping = Parameter(float, default=3.0, minimum=0.0, doc="[1/s] at which the joints come to rest by it")

    def limb(self) -> str:
        """Name of the chain that it drives; asked when a run begins."""
        raise NotImplementedError

    def springs(self) -> Iterable[Spring]:
        """Springs that act on the limb, in each control step; none unless overridden."""
        return ()

    def torques(self, joints: Indices) -> SpringTorques:
        """Torques of the joints (k,) of the limb, in each control step; those of the springs unless overridden."""
        total = no_torques(joints)
        for spring in self.springs():
            total = total.plus(pull(spring, self.context.skills, joints, self.context.dt).torques)
        return total

    def requirements(self) -> Iterable[Requirement]:
        """Require a chain that is driven as hard as it is told."""
        return [TakesImpedance(self.limb())]

    def required_chains(self) -> Sequence[str]:
        """Require the limb."""
        return [self.limb()]

    def step(self) -> Failure | bool:
        """Drive the joints for another control step."""
        self.drive(self.torques(self.context.skills.joints(self.limb())))
        return self.elapsed + self.context.dt / 2 >= self.duration

    def drive(self, torques: SpringTorques) -> None:
        """Command the limb's joints to be driven by these torques, with what damps them and holds their weight."""
        skills = self.context.skills
        joints = skills.joints(self.limb())
        weight = skills.weight()[joints] if self.gravity_compensation else 0.0
        own = self.joint_damping * skills.mass_matrix().diagonal()[joints]
        impedance = Impedance(torques.torque + weight, np.zeros(len(joints)), torques.damping + own)
        self.command(joints, skills.position()[joints], impedance=impedance)


class HandForceBehavior(ForceBehavior):
    """Drive an arm by what is done to its hand."""

    hand = Parameter(str, doc="name of the hand")

    def requirements(self) -> Iterable[Requirement]:
        """Require the hand, and an arm that is driven as hard as it is told."""
        yield HasHand(self.hand)
        yield TakesImpedance(self.limb())

    def limb(self) -> str:
        """The arm of the hand."""
        return self.context.skills.chains_of_hand(self.hand)[0]
