"""The robot's body in MuJoCo."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
import pinocchio as pin

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from ..physics.bodies import Bond, Contact, RobotBody
from ..physics.grip import PAD
from ..physics.self_contacts import Pair
from .engine import Engine
from .scene import BOND

STRONG = 1e5  # [N m] or [N] what nothing turns
STIFFEST = 1e6  # [N m s/rad] or [N s/m] of what holds a joint
BRAKING = 4.0  # times as hard as it takes to halve what is too fast in a step
SLOW = 1e-9  # [rad/s] or [m/s]


class Body(RobotBody):
    """Joints that are read, and that take torques.

    Args:
        engine: Where it is.
        robot: The robot.
        model: Its model, with masses to simulate.
        q: (n,) Where it starts.
        objects: Ids of the objects that it may touch.
    """

    def __init__(self, engine: Engine, robot: Robot, model: pin.Model, q: Array, objects: Iterable[str]) -> None:
        super().__init__(robot, model)
        self._engine = engine
        mj, compiled = engine.mujoco, engine.model
        joints = [mj.mj_name2id(compiled, mj.mjtObj.mjOBJ_JOINT, name) for name in model.names[1:]]
        self._q, self._v = compiled.jnt_qposadr[joints], compiled.jnt_dofadr[joints]
        self._driven = self._v[self._of_active]
        self._joints = {engine.body(name): joint for joint, name in enumerate(model.names) if joint}
        self._objects = {engine.body(f"object:{id}"): id for id in objects}
        self._numbers = {id: body for body, id in self._objects.items()}
        self._inertia: Array = robot.S.T**2 @ compiled.dof_M0[self._v]  # about, of the active joints
        self.squeeze(np.arange(robot.n), np.zeros(robot.n), np.zeros(robot.n))
        self._place(robot.expand(q))

    def read(self) -> tuple[Array, Array]:
        """Positions and velocities of all joints, (n_full,) each."""
        return self._engine.data.qpos[self._q], self._engine.data.qvel[self._v]

    def drive(self, torques: Array) -> None:
        """Apply torques (n,) [N, N m] to the active joints during the next step; others follow them."""
        self._engine.data.qfrc_applied[self._driven] = torques

    def squeeze(self, joints: Indices, speeds: Array, torques: Array) -> None:
        """Have joints turn with speeds (k,) from now on, as far as torques (k,) of this size do it.

        Each is pressed in proportion to the speed that it lacks, so that it gets all of its torque now. What changes
        with the speed is integrated implicitly: it takes less as it comes to its speed, and does not shake there.
        """
        lacks = np.abs(speeds - self._engine.data.qvel[self._driven[joints]])
        self._servo(joints, speeds, torques, np.minimum(torques / np.maximum(lacks, SLOW), STIFFEST))

    def brake(self, joints: Indices, speeds: Array, torques: Array) -> None:
        """Slow joints down to speeds (k,) during the next step, as far as torques (k,) of this size do it.

        With no more than that takes: gears would not stand all of the torque.
        """
        super().brake(joints, speeds, torques)
        self._servo(joints, speeds, torques, BRAKING * self._inertia[joints] / self._engine.model.opt.timestep)

    def jam(self, joint: str) -> None:
        """Let a joint stick where it is."""
        number = self._robot.joints.index(joint)
        self._servo(np.array([number]), np.zeros(1), np.full(1, STRONG), np.full(1, STIFFEST))
        self._jammed.add(number)

    def shift(self, offset: Array) -> None:
        """Move the base at once by (3,) [m, m, rad]; the joints' velocities stay."""
        self._engine.data.qpos[self._q[:3]] += offset

    def contacts(self, links: Collection[int]) -> list[Contact]:
        """Where links press on something that is not the robot."""
        engine, data = self._engine, self._engine.data
        found: list[Contact] = []
        bodies = engine.model.geom_bodyid[data.contact.geom] if data.ncon else ()
        for k, (first, second) in enumerate(bodies):
            ours = [self._joints.get(int(body)) for body in (first, second)]
            if (ours[0] is None) == (ours[1] is None):
                continue
            side = int(ours[0] is None)
            link = ours[side]
            if link is not None and link in links:
                pressure, force = (2 * side - 1) * engine.contact_force(k)
                if pressure.any():
                    other = int((second, first)[side])
                    point = data.contact.pos[k].copy()
                    found.append(Contact(link, self._objects.get(other), point, pressure, force))
        return found

    def ignore(self, object: str, links: Iterable[int], ignored: bool = True) -> None:
        """Let links pass through an object, or stop doing so."""
        model, thing = self._engine.model, self._numbers[object]
        bits = 0
        for link in links:
            bits |= int(model.body_contype[self._engine.body(self._model.names[link])])
        touches = int(model.body_conaffinity[thing])
        self._engine.touch(thing, int(model.body_contype[thing]), touches & ~bits if ignored else touches | bits)

    def affix(self, link: int, object: str, most: float) -> Bond:
        """Keep an object where it is on a link, until more than ``most`` [N] pull at it."""
        return Weld(self._engine, self._model.names[link], self._numbers[object], most, most)

    def stick(self, link: int, object: str, most: float) -> Bond:
        """Keep an object between pads as it is, until it is pulled with half of their friction, or turned with all.

        MuJoCo's friction has no memory: what it alone holds creeps a little. What it holds at points counts as much as
        what it holds by patches.
        """
        thing = self._numbers[object]
        felt = [contact.point for contact in self.contacts(self.links_that_touch()) if contact.object == object]
        part = bool(self._engine.model.body_parentid[thing])  # whose origin may be far from its handle
        at = np.mean(felt, axis=0) if part and felt else None
        return Weld(self._engine, self._model.names[link], thing, most / PAD / 2.0, 2.0 * most, rubs=True, at=at)

    def renew(self, object: str, links: Iterable[int]) -> None:
        """Do nothing: contacts are those of now."""

    def depths(self, full: Array) -> dict[Pair, float]:
        """By how much [m] links overlap at positions of all joints (n_full,); the robot is left there."""
        engine, data = self._engine, self._engine.data
        self._place(full)
        engine.mujoco.mj_fwdPosition(engine.model, data)
        depths: dict[Pair, float] = {}
        bodies = engine.model.geom_bodyid[data.contact.geom] if data.ncon else ()
        for k, (first, second) in enumerate(bodies):
            pair = [self._joints.get(int(body)) for body in (first, second)]
            if pair[0] is not None and pair[1] is not None and data.contact.dist[k] <= 0.0:
                key = frozenset((pair[0], pair[1]))
                depths[key] = max(depths.get(key, 0.0), -float(data.contact.dist[k]))
        return depths

    def _servo(self, joints: Indices, speeds: Array, torques: Array, gains: Array) -> None:
        """Drive joints towards speeds (k,) with gains (k,) [N m s/rad, N s/m], within torques (k,); not jammed ones."""
        free = [k for k, joint in enumerate(joints.tolist()) if joint not in self._jammed]
        joints, model = joints[free], self._engine.model
        self._engine.data.ctrl[joints] = speeds[free]
        model.actuator_gainprm[joints, 0], model.actuator_biasprm[joints, 2] = gains[free], -gains[free]
        most = np.minimum(torques[free], STRONG) * (1.0 + 1e-9)  # what is cut off is not integrated implicitly
        model.actuator_forcerange[joints] = np.column_stack([-most, most])

    def _place(self, full: Array | Sequence[float]) -> None:
        """Put all joints at positions (n_full,), at rest."""
        self._engine.data.qpos[self._q], self._engine.data.qvel[self._v] = full, 0.0


class Weld:
    """An object that stays where it is on a link, as both are when it begins.

    Args:
        engine: Where both are.
        link: Name of the link's body.
        thing: Number of the object's body.
        force: [N] A stronger pull ends it.
        torque: [N m] Likewise.
        rubs: Whether it is friction, which ends where the object has none.
        at: (3,) [m] Where it holds, in the world; the object's origin unless given.
    """

    def __init__(
        self,
        engine: Engine,
        link: str,
        thing: int,
        force: float,
        torque: float,
        rubs: bool = False,
        at: Array | None = None,
    ) -> None:
        mj, compiled, data = engine.mujoco, engine.model, engine.data
        self._engine, self._thing = engine, thing
        self._body = engine.body(link)
        self._number = int(mj.mj_name2id(compiled, mj.mjtObj.mjOBJ_EQUALITY, f"{BOND}{link}"))
        mj.mj_kinematics(compiled, data)
        self._X = self._on_link()
        turn = pin.Quaternion(self._X.rotation)
        compiled.eq_obj2id[self._number] = thing
        held = np.zeros(3) if at is None else data.xmat[thing].reshape(3, 3).T @ (at - data.xpos[thing])
        on_link = self._X.act(held)
        compiled.eq_data[self._number, :11] = [*held, *on_link, turn.w, turn.x, turn.y, turn.z, 1]
        data.eq_active[self._number] = True
        engine.watched[self._number] = force, torque, rubs

    @property
    def wrench(self) -> tuple[Array, Array]:
        """Force (3,) [N] and torque (3,) [N m] in the world with which it acts on the link."""
        force = self._engine.equality_force(self._number)
        return force[:3], force[3:]

    def turned(self) -> float:
        """[rad] By how much the object has turned on the link since it began; infinite when it has been torn off."""
        if not self._engine.data.eq_active[self._number]:
            return np.inf
        return float(np.linalg.norm(pin.log3(self._X.rotation.T @ self._on_link().rotation)))

    def end(self) -> None:
        """Let the object go its own way."""
        self._engine.data.eq_active[self._number] = False
        self._engine.watched.pop(self._number, None)

    def _on_link(self) -> pin.SE3:
        data = self._engine.data
        X = [pin.SE3(data.xmat[body].reshape(3, 3), data.xpos[body]) for body in (self._body, self._thing)]
        return X[0].actInv(X[1])
