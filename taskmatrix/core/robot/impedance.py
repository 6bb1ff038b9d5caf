"""How hard joints are driven to where they are commanded, where a plant's own control is not to do it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..world.objects import Array
from .plans import Indices


@dataclass(frozen=True, eq=False)
class Impedance:
    """Springs, dampers and torques of joints; in each array NaN is what nobody asks for.

    A joint with a stiffness or a damping is a spring and a damper about its command, and nothing else drives it:
    ``tau = torque + stiffness (q_d - q) + damping (v_d - v)``. What is NaN then counts as 0. The torque is the whole of
    it: what holds the joint against gravity is part of it (see
    :meth:`~taskmatrix.core.robot.skills.control.ControlSkills.weight`), and a plant that makes up for gravity by itself
    subtracts that. Where only a torque is given, it adds to what the plant's own control does.
    """

    torque: Array
    """(k,) [N m, N] Fed forward."""
    stiffness: Array
    """(k,) [N m/rad, N/m] From 0."""
    damping: Array
    """(k,) [N m s/rad, N s/m] From 0."""

    @staticmethod
    def none(joints: int) -> Impedance:
        """Nothing asked of so many joints."""
        return Impedance(*(np.full(joints, np.nan) for _ in range(3)))

    @property
    def driven(self) -> NDArray[np.bool_]:
        """(k,) Joints that are springs and dampers."""
        springs: NDArray[np.bool_] = ~(np.isnan(self.stiffness) & np.isnan(self.damping))
        return springs

    @property
    def asked(self) -> NDArray[np.bool_]:
        """(k,) Joints of which anything is asked."""
        anything: NDArray[np.bool_] = self.driven | ~np.isnan(self.torque)
        return anything

    def of(self, joints: Indices | NDArray[np.bool_] | Sequence[bool]) -> Impedance:
        """That of some of its joints."""
        return Impedance(self.torque[joints], self.stiffness[joints], self.damping[joints])

    def followed_by(self, other: Impedance) -> Impedance:
        """That of these joints, then of others."""
        return Impedance(*(np.concatenate(both) for both in zip(self._values, other._values, strict=True)))

    def replaced(self, joints: Indices, other: Impedance) -> Impedance:
        """The same but for some joints, whose values are those of another (j,)."""
        values = [mine.copy() for mine in self._values]
        for mine, new in zip(values, other._values, strict=True):
            mine[joints] = new
        return Impedance(*values)

    def without(self, joints: Indices) -> Impedance:
        """The same with nothing asked of some joints."""
        return self.replaced(joints, Impedance.none(len(joints)))

    def plus(self, other: Impedance) -> Impedance:
        """The sum with that of the same joints; what only one of the two asks for is as that one wants it."""
        sums = [
            np.where(np.isnan(mine), theirs, mine + np.nan_to_num(theirs))
            for mine, theirs in zip(self._values, other._values, strict=True)
        ]
        return Impedance(*sums)

    def problem(self) -> str:
        """What is wrong with it, a clause; empty if nothing is."""
        for name, values in (("stiffness", self.stiffness), ("damping", self.damping)):
            if (values < 0.0).any():
                return f"a {name} below 0: {values.tolist()}"
        for name, values in (("torque", self.torque), ("stiffness", self.stiffness), ("damping", self.damping)):
            if np.isinf(values).any():
                return f"a {name} that is not finite: {values.tolist()}"
        return ""

    @property
    def _values(self) -> tuple[Array, Array, Array]:
        return self.torque, self.stiffness, self.damping
