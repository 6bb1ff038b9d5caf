"""Motions of planned behaviors on which a hand yields to who pushes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.requirement import Requirement, TakesImpedance
from taskmatrix.core.robot.impedance import Impedance
from taskmatrix.core.robot.plans import Indices, TaskObjective
from taskmatrix.core.world.objects import Array

from .hand_impedance import HandImpedance

LEVER = 0.25  # [m] at which a hand that is turned is as stiff as one that is moved


class CompliantMotion(TaskBehavior, overrides=("command",)):
    """Base of behaviors that take hands along plans, and may do so as springs would.

    Without a ``stiffness`` the plant's own control drives the joints. With one, each hand is drawn by a spring of six
    directions to where the plan has it, whoever pushes it feels that spring, and what the hand leaves free of its arm
    follows the plan's posture; gravity, also that of what is held, and the plan's accelerations are fed forward.
    In the end the arm stays where it is. It takes a plant that drives arms as hard as they are told.
    """

    stiffness = Parameter(
        float, default=None, minimum=1.0, doc="[N/m] of springs that draw hands along; as hard as can be unless given"
    )

    def compliant_hands(self) -> Sequence[str]:
        """Names of the hands that the motion takes along; asked in each control step."""
        raise NotImplementedError

    def yields_by(self) -> float | None:
        """[N/m] Stiffness of the springs, or None where nothing yields; the parameter unless overridden."""
        return None if self.stiffness is None else float(self.stiffness)

    def held(self, hand: str, impedance: HandImpedance) -> HandImpedance:
        """How a hand is held that an impedance draws along the plan: so, unless overridden."""
        return impedance

    def requirements(self) -> Iterable[Requirement]:
        """An arm that is driven as hard as it is told, where it is to yield."""
        return [*super().requirements(), *([] if self.yields_by() is None else [TakesImpedance()])]

    def command(
        self,
        joints: Indices,
        q: Array,
        v: Array | None = None,
        a: Array | None = None,
        objective: TaskObjective | None = None,
        impedance: Impedance | None = None,
    ) -> None:
        """Send positions (k,) to joints, with what draws arms there."""
        stiffness = self.yields_by()
        if impedance is None and stiffness is not None:
            n = len(self.context.skills.position())
            whole = [np.zeros(n) if rates is None else _spread(rates, joints, n) for rates in (v, a)]
            still = np.setdiff1d(self._arms(), joints)  # an arm yields too where a plan moves the base only
            joints, q = np.concatenate([joints, still]), np.concatenate([q, self.context.arbiter.last[still]])
            v, a = (rates[joints] for rates in whole)
            impedance = self._springs(stiffness * np.repeat([1.0, LEVER**2], 3), joints, q, *whole)
        super().command(joints, q, v, a, objective, impedance)

    def _arms(self) -> Indices:
        """(k,) Joints of the arms of the hands that this run has."""
        skills, granted = self.context.skills, self.context.arbiter.granted(self.path)
        arms = [skills.chains_of_hand(hand)[0] for hand in self.compliant_hands()]
        return skills.joints(*(arm for arm in arms if arm in granted))

    def _springs(self, stiffness: Array, joints: Indices, q: Array, v: Array, a: Array) -> Impedance:
        """What drives the joints of arms among these (k,) to q (k,), while all go on with v and a (n,)."""
        skills = self.context.skills
        whole, weight, M = Impedance.none(len(joints)), skills.weight(), skills.mass_matrix()
        for hand in self.compliant_hands():
            arm = np.intersect1d(skills.joints(skills.chains_of_hand(hand)[0]), joints)
            if not len(arm):
                continue
            among = np.array([int(np.flatnonzero(joints == joint)[0]) for joint in arm])
            posture = skills.position()
            posture[arm] = q[among]
            X_WG = skills.forward_kinematics(hand, posture)
            impedance = self.held(hand, HandImpedance(X_WG, stiffness, posture=posture[arm], rates=v[arm]))
            drawn = impedance.torques(skills, hand, arm, self.context.dt)
            known = (drawn.damping - drawn.extra) * v[arm]  # all dampers are about v, and what was drawn is about 0
            ahead = weight[arm] + M[arm] @ a - known
            own = Impedance(drawn.torque + ahead, np.zeros(len(arm)), drawn.damping)
            whole = whole.replaced(among, own)
        return whole


def _spread(rates: Array, joints: Indices, n: int) -> Array:
    """(n,) Rates (k,) of joints, and 0 of the others."""
    spread = np.zeros(n)
    spread[joints] = rates
    return spread
