"""MuJoCo, loaded when it is needed, and what moves a model of it on."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

import numpy as np

from taskmatrix.core.world.objects import Array
from taskmatrix.robots.mjcf.compiled import import_mujoco

from .turning import Turning

PURPOSE = 'sim="mujoco"'
CHANGED = (
    *("geom_contype", "geom_conaffinity", "body_contype", "body_conaffinity", "geom_friction", "geom_priority"),
    *("actuator_gainprm", "actuator_biasprm", "actuator_forcerange", "eq_obj2id", "eq_data"),
)
"""What of a model is changed while it runs."""
WITHIN = 2  # steps of MuJoCo in one of the physics: they are cheap beside what computes the torques


class Engine:
    """A compiled model and its state.

    Attributes:
        mujoco: The module.
        model: The ``MjModel``.
        data: The ``MjData``.
    """

    def __init__(self, model: Any) -> None:
        self.mujoco = import_mujoco(PURPOSE)
        self.model, self.data = model, self.mujoco.MjData(model)
        self._turning = Turning(self.mujoco, self.model, self.data)
        self.resting: dict[int, tuple[int, int]] = {}
        """First positions and velocities, by body, of bodies that wait where they are instead of falling."""
        self.watched: dict[int, tuple[float, float, bool]] = {}
        """[N] and [N m] with which a weld holds at most, and whether it is friction, by its number."""

    def step(self, dt: float) -> None:
        """One step of the physics of ``dt`` [s], in several of MuJoCo."""
        self.model.opt.timestep = dt / WITHIN
        kept = {address: self.data.qpos[address : address + 7].copy() for address, _ in self.resting.values()}
        held = {int(self.model.eq_obj2id[number]) for number in self.watched}
        for _ in range(WITHIN):
            self.mujoco.mj_step1(self.model, self.data)
            self._turning.add(held)
            self.mujoco.mj_step2(self.model, self.data)
        for address, speeds in self.resting.values():
            self.data.qpos[address : address + 7] = kept[address]
            self.data.qvel[speeds : speeds + 6] = 0.0
        self.data.xfrc_applied[:] = 0.0
        for number, (force, torque, rubs) in self.watched.items():
            pulls, body = self.equality_force(number), int(self.model.eq_obj2id[number])
            slides = rubs and not self.model.geom_friction[self.geoms(body)].any()
            if slides or np.linalg.norm(pulls[:3]) > force or np.linalg.norm(pulls[3:]) > torque:
                self.data.eq_active[number] = False

    def body(self, name: str) -> int:
        """The number of a body."""
        return int(self.mujoco.mj_name2id(self.model, self.mujoco.mjtObj.mjOBJ_BODY, name))

    def geoms(self, body: int) -> slice:
        """The numbers of a body's geoms."""
        first = int(self.model.body_geomadr[body])
        return slice(first, first + int(self.model.body_geomnum[body])) if first >= 0 else slice(0, 0)

    def touch(self, body: int, kind: int, touches: int) -> None:
        """Have a body be something, and touch something, in bits; the body's own are what its geoms have together."""
        geoms, model = self.geoms(body), self.model
        model.geom_contype[geoms], model.geom_conaffinity[geoms] = kind, touches
        model.body_contype[body], model.body_conaffinity[body] = kind, touches

    def contact_force(self, number: int) -> Array:
        """(2, 3) [N] In the world: the pressure of a contact, and all of its force, on the second of its geoms."""
        wrench = np.zeros(6)
        self.mujoco.mj_contactForce(self.model, self.data, number, wrench)
        axes = self.data.contact.frame[number].reshape(3, 3)
        return np.array([wrench[0] * axes[0], wrench[:3] @ axes])

    def equality_force(self, number: int) -> Array:
        """(6,) [N, N m] In the world, of a weld on its first body; zeros while it does not hold."""
        kind = self.data.efc_type == self.mujoco.mjtConstraint.mjCNSTR_EQUALITY
        rows = np.flatnonzero(kind & (self.data.efc_id == number))
        return self.data.efc_force[rows] if len(rows) == 6 else np.zeros(6)

    def save(self) -> Mapping[str, Any]:
        """All that steps and those who command bodies change."""
        return {
            "data": copy(self.data),
            "model": {name: getattr(self.model, name).copy() for name in CHANGED},
            "resting": dict(self.resting),
            "watched": dict(self.watched),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go on from there."""
        for name, values in saved["model"].items():
            getattr(self.model, name)[:] = values
        self.mujoco.mj_copyData(self.data, self.model, saved["data"])
        self.resting, self.watched = dict(saved["resting"]), dict(saved["watched"])

    def close(self) -> None:
        """Give the memory back, once; nothing else can be called any more."""
        for name in ("_turning", "model", "data"):
            vars(self).pop(name, None)
