"""What MuJoCo's contacts leave out: that the surfaces that touch turn, and are carried along."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from taskmatrix.core.world.objects import Array


class Turning:
    """Adds to the contacts of what hands hold the part of its acceleration that MuJoCo leaves out.

    For a velocity ``J v`` that is to die away, MuJoCo asks for ``J a = -b J v`` ("Computation", section "Constraint
    model"). The acceleration of ``J v`` is ``J a + J' v``, so that ``J' v / b`` is left of it for ever: a can slides at
    10 mm/s out of a hand that goes 1 m/s on a bend of 0.4 m, however hard that presses. Here ``J' v`` is taken off what
    is asked for; less ``b J' v h / 2``, because the velocity that takes a body along a chord of its circle in a step of
    ``h`` is that of the middle of the step.

    Args:
        mujoco: The module.
        model: The ``MjModel``.
        data: The ``MjData``.
    """

    def __init__(self, mujoco: Any, model: Any, data: Any) -> None:
        self._mujoco, self._model, self._data = mujoco, model, data
        self._rates = np.zeros((3, model.nv)), np.zeros((3, model.nv))  # of the Jacobians of a point

    def add(self, held: Collection[int]) -> None:
        """Mend the references of the contacts of bodies, by number, before forces are computed."""
        if not held or not self._data.ncon:
            return
        bodies = self._model.geom_bodyid[self._data.contact.geom]
        for number in np.flatnonzero(np.isin(bodies, list(held)).any(axis=1)).tolist():
            self._mend(number, *bodies[number].tolist())

    def _mend(self, number: int, first: int, second: int) -> None:
        contact = self._data.contact[number]
        if contact.efc_address < 0:
            return
        bias = self._bias(second, contact.pos) - self._bias(first, contact.pos)
        along = (bias.reshape(2, 3) @ contact.frame.reshape(3, 3).T).ravel()[: contact.dim]
        rows = slice(contact.efc_address, contact.efc_address + contact.dim)
        self._data.efc_aref[rows] -= self._part(contact.solref, contact.solimp) * along

    def _part(self, solref: Array, solimp: Array) -> float:
        """``1 - b h / 2`` of a constraint with these parameters."""
        step = self._model.opt.timestep
        damping = 2.0 / max(solref[0], 2.0 * step) if solref[0] > 0.0 else -solref[1]
        return float(1.0 - damping / solimp[1] * step / 2.0)

    def _bias(self, body: int, point: Array) -> Array:
        """(6,) [m/s^2, rad/s^2] How a point of a body would accelerate if no joint did."""
        if not body:
            return np.zeros(6)
        self._mujoco.mj_jacDot(self._model, self._data, *self._rates, point, body)
        return np.concatenate([rate @ self._data.qvel for rate in self._rates])
