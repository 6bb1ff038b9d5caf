"""What MuJoCo's constraints leave out: that the surfaces they hold together turn and are carried along."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from taskmatrix.core.world.objects import Array


class Turning:
    """Adds to constraints on what hands hold the part of its acceleration that MuJoCo leaves out.

    For a velocity ``J v`` that is to die away, MuJoCo asks for ``J a = -b J v`` ("Computation", section "Constraint
    model"). The acceleration of ``J v`` is ``J a + J' v``, so that ``J' v / b`` is left of it for ever: a can slides at
    10 mm/s out of a hand that goes 1 m/s on a bend of 0.4 m, however hard that presses. Here it is ``-b J v - J' v``.

    Args:
        mujoco: The module.
        model: The ``MjModel``.
        data: The ``MjData``.
    """

    def __init__(self, mujoco: Any, model: Any, data: Any) -> None:
        self._mujoco, self._model, self._data = mujoco, model, data
        self._rates = np.zeros((3, model.nv)), np.zeros((3, model.nv))  # of the Jacobians of a point

    def add(self, welds: Iterable[int]) -> None:
        """Mend the references of the contacts of what welds hold, and of these; before forces are computed."""
        model, data = self._model, self._data
        for weld in welds:
            thing = int(model.eq_obj2id[weld])
            self._mend_weld(weld, int(model.eq_obj1id[weld]), thing)
            bodies = model.geom_bodyid[data.contact.geom].reshape(-1, 2)
            for number in np.flatnonzero((bodies == thing).any(axis=1)).tolist():
                self._mend_contact(number, *bodies[number].tolist())

    def _mend_contact(self, number: int, first: int, second: int) -> None:
        contact = self._data.contact[number]
        if contact.efc_address < 0:
            return
        bias = self._bias(second, contact.pos) - self._bias(first, contact.pos)
        along = (bias.reshape(2, 3) @ contact.frame.reshape(3, 3).T).ravel()
        self._data.efc_aref[contact.efc_address : contact.efc_address + contact.dim] -= along[: contact.dim]

    def _mend_weld(self, number: int, link: int, thing: int) -> None:
        data, points = self._data, self._model.eq_data[number, :6].reshape(2, 3)
        kind = data.efc_type == self._mujoco.mjtConstraint.mjCNSTR_EQUALITY
        rows = np.flatnonzero(kind & (data.efc_id == number))[:3]
        if len(rows):
            at = [
                data.xpos[body] + data.xmat[body].reshape(3, 3) @ point
                for body, point in zip((thing, link), points, strict=True)
            ]
            data.efc_aref[rows] -= (self._bias(link, at[1]) - self._bias(thing, at[0]))[:3]

    def _bias(self, body: int, point: Array) -> Array:
        """(6,) [m/s^2, rad/s^2] How a point of a body would accelerate if no joint did."""
        if not body:
            return np.zeros(6)
        self._mujoco.mj_jacDot(self._model, self._data, *self._rates, point, body)
        return np.concatenate([rate @ self._data.qvel for rate in self._rates])
