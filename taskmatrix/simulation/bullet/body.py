"""The robot's body in PyBullet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np
import pinocchio as pin

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from ..physics.bodies import Bond, Contact, RobotBody
from ..physics.joints import LIFT
from ..physics.presets import Physics
from ..physics.self_contacts import Pair, ignored_pairs
from .bond import BulletBond
from .description import write_urdf
from .engine import FAST, LOOSE, Engine

GEAR_FORCE = 1000.0  # [N m] or [N] that keeps a joint with the one that it follows
GEAR_ERP = 0.5  # of what it is off, in each step
STRONG = 1e4  # [N m] or [N] what nothing turns
TYRE = (5e5, 5e3)
"""[N/m], [N s/m] Of a wheel: two rigid ones would not share the load, since no force tells how."""


class Body(RobotBody):
    """Joints that are read, and that take torques.

    Args:
        engine: Where it is.
        robot: The robot.
        model: Its model, with masses to simulate.
        q: (n,) Where it starts.
        physics: The settings.
        wheels: Radius [m] by joint of the wheels on which it stands; without any it stands by a constraint.
    """

    def __init__(
        self, engine: Engine, robot: Robot, model: pin.Model, q: Array, physics: Physics, wheels: Mapping[str, float]
    ) -> None:
        super().__init__(robot, model)
        self._engine = engine
        self.id = engine.load(
            lambda folder: write_urdf(robot, model, folder, wheels),
            useFixedBase=True,
            flags=engine.bullet.URDF_USE_INERTIA_FROM_FILE | engine.bullet.URDF_USE_SELF_COLLISION,
        )
        count = engine("getNumJoints", self.id)
        self.links: dict[str, int] = {engine("getJointInfo", self.id, k)[1].decode(): k for k in range(count)}
        """By the name of the joint that moves it."""
        self._order = [self.links[name] for name in model.names[1:]]
        self._numbers = {model.getJointId(name): k for name, k in self.links.items() if model.existJointName(name)}
        self._joints = {k: joint for joint, k in self._numbers.items()}
        self._driven = [self.links[name] for name in robot.joints]
        for link in range(-1, count):
            engine.mask(self.id, link, FAST if link < 0 else LOOSE)  # as they are in PyBullet anyway
            engine.set(self.id, link, linearDamping=0.0, angularDamping=0.0, jointDamping=0.0)
            engine.set(self.id, link, lateralFriction=physics.friction, maxJointVelocity=1000.0)
            engine.set(self.id, link, restitution=1.0)  # what a thing keeps is said by the thing: they are multiplied
        for link in self.links_that_touch():
            engine.set(self.id, self._numbers[link], lateralFriction=physics.grip_friction, frictionAnchor=1)
        for link in (self.links[name] for name in wheels):
            engine.set(self.id, link, lateralFriction=1.0 / physics.friction)  # 1 on the floor
            engine("changeDynamics", self.id, link, contactStiffness=TYRE[0], contactDamping=TYRE[1])  # only together
        motors = [*self._order, *([self.links[LIFT]] if wheels else [])]
        off = [0.0] * len(motors)
        engine.turn(self.id, motors, off, off)
        self._filter_contacts(q, bool(wheels))
        self._place(q)
        self._couple()

    def read(self) -> tuple[Array, Array]:
        """Positions and velocities of all joints, (n_full,) each."""
        states = self._engine("getJointStates", self.id, self._order)
        return np.array([s[0] for s in states]), np.array([s[1] for s in states])

    def drive(self, torques: Array) -> None:
        """Apply torques (n,) [N, N m] to the active joints during the next step; gears take the others along."""
        control = self._engine.bullet.TORQUE_CONTROL
        self._engine("setJointMotorControlArray", self.id, self._driven, control, forces=torques.tolist())

    def squeeze(self, joints: Indices, speeds: Array, torques: Array) -> None:
        """Have joints turn with speeds (k,) during the next step, as far as torques (k,) of this size do it."""
        links = [self._driven[k] for k in joints]
        free = [k for k, link in enumerate(links) if link not in self._jammed]
        forces = np.minimum(torques[free], STRONG)
        self._engine.turn(self.id, [links[k] for k in free], speeds[free].tolist(), forces.tolist())

    def jam(self, joint: str) -> None:
        """Let a joint stick where it is."""
        link = self.links[joint]
        self._jammed.add(link)
        self._engine.turn(self.id, [link], [0.0], [STRONG])

    def shift(self, offset: Array) -> None:
        """Move the base at once by (3,) [m, m, rad]; the joints' velocities stay."""
        for joint, by in zip(self._order[:3], offset, strict=True):
            position, velocity = self._engine("getJointState", self.id, joint)[:2]
            self._engine("resetJointState", self.id, joint, position + by, velocity)

    def contacts(self, links: Collection[int]) -> list[Contact]:
        """Where links press on something that is not the robot."""
        return [
            Contact(
                self._joints[p[3]],
                self._engine.ids.get((p[2], p[4])),
                np.array(p[5]),
                p[9] * np.array(p[7]),
                p[9] * np.array(p[7]) + p[10] * np.array(p[11]) + p[12] * np.array(p[13]),
            )
            for p in self._engine("getContactPoints", self.id)
            if p[2] != self.id and p[9] > 0.0 and self._joints.get(p[3]) in links
        ]

    def ignore(self, object: str, links: Iterable[int], ignored: bool = True) -> None:
        """Let links pass through an object, or stop doing so."""
        self._filter(*self._engine.numbers[object], links, ignored)

    def affix(self, link: int, object: str, most: float) -> Bond:
        """Keep an object where it is on a link, with no more than ``most`` [N] and [N m]."""
        return BulletBond(self._engine, (self.id, self._numbers[link]), self._engine.numbers[object], most)

    def stick(self, link: int, object: str, most: float) -> Bond:
        """Keep an object between pads from turning, with the friction of patches, ``most`` [N m] of coefficient 1."""
        share = self._engine("getDynamicsInfo", *self._engine.numbers[object])[1]
        return self.affix(link, object, share * most)

    def renew(self, object: str, links: Iterable[int]) -> None:
        """Make contacts anew.

        While friction holds, PyBullet keeps a contact whose friction has an anchor, and its normal as it was in the
        world: on a robot that turns, or when fingers curl, pads would press aside more and more, and lose the object.
        """
        self.ignore(object, links)
        self.ignore(object, links, ignored=False)

    def depths(self, full: Array) -> dict[Pair, float]:
        """By how much [m] links overlap at positions of all joints (n_full,); the robot is left there."""
        for joint, position in zip(self._order, full, strict=True):
            self._engine("resetJointState", self.id, joint, position, 0.0)
        self._engine("performCollisionDetection")
        depths: dict[Pair, float] = {}
        for contact in self._engine("getContactPoints", self.id, self.id):
            pair = frozenset(self._joints[link] for link in contact[3:5])
            if contact[8] <= 0.0:
                depths[pair] = max(depths.get(pair, 0.0), -contact[8])
        return depths

    def _filter(self, other: int, part: int, links: Iterable[int], ignored: bool = True) -> None:
        for link in links:
            self._engine.filter((self.id, self._numbers[link]), (other, part), not ignored)

    def _place(self, q: Array) -> None:
        """Put all joints at the configuration q (n,), at rest."""
        for joint, position in zip(self._order, self._robot.expand(q), strict=True):
            self._engine("resetJointState", self.id, joint, position, 0.0)

    def _couple(self) -> None:
        """Have joints that follow another do so by gears."""
        engine, S = self._engine, self._robot.S
        for row, joint in enumerate(self._order):
            if row in self._of_active:
                continue
            (leader,) = np.flatnonzero(S[row])
            ends = (self.id, joint, self.id, self._driven[leader], engine.bullet.JOINT_GEAR)
            gear = engine("createConstraint", *ends, (0, 0, 1), (0, 0, 0), (0, 0, 0))
            offset = float(self._robot.c[row])
            named = {"gearRatio": -float(S[row, leader]), "relativePositionTarget": offset}
            engine("changeConstraint", gear, maxForce=GEAR_FORCE, erp=GEAR_ERP, **named)

    def _filter_contacts(self, q: Array, rolls: bool) -> None:
        """Leave out pairs of links that are not to touch; a robot that does not roll has its feet in the floor."""
        for pair in ignored_pairs(self._robot, q, self.depths):
            first, second = (self._numbers[joint] for joint in sorted(pair))
            self._engine.filter((self.id, first), (self.id, second), False)
        if not rolls:
            self._filter(self._engine.floor, -1, [self.link_of(name) for name in self._robot.floor_links])
