"""The robot's body in PyBullet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

import numpy as np
import pinocchio as pin

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from .description import LIFT, write_urdf
from .engine import Engine
from .overlaps import overlaps
from .presets import Physics

GEAR_FORCE = 1000.0  # [N m] or [N] that keeps a joint with the one that it follows
GEAR_ERP = 0.5  # of what it is off, in each step
STRONG = 1e4  # [N m] or [N] what nothing turns
TYRE = (5e5, 5e3)
"""[N/m], [N s/m] Of a wheel: two rigid ones would not share the load, since no force tells how."""


class Body:
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
        self._engine, self._robot, self._model = engine, robot, model
        self.id = engine.load(
            lambda folder: write_urdf(robot, model, folder, wheels),
            useFixedBase=True,
            flags=engine.bullet.URDF_USE_INERTIA_FROM_FILE | engine.bullet.URDF_USE_SELF_COLLISION,
        )
        count = engine("getNumJoints", self.id)
        self.links: dict[str, int] = {engine("getJointInfo", self.id, k)[1].decode(): k for k in range(count)}
        """By the name of the joint that moves it."""
        self._order = [self.links[name] for name in model.names[1:]]
        ids = [model.getJointId(name) for name in robot.joints]
        self._of_active = np.array([model.joints[joint].idx_q for joint in ids])
        self._driven = [self.links[name] for name in robot.joints]
        for link in range(-1, count):
            engine.set(self.id, link, linearDamping=0.0, angularDamping=0.0, jointDamping=0.0)
            engine.set(self.id, link, lateralFriction=physics.friction, maxJointVelocity=1000.0)
            engine.set(self.id, link, restitution=1.0)  # what a thing keeps is said by the thing: they are multiplied
        for link in self.links_that_touch():
            engine.set(self.id, link, lateralFriction=physics.grip_friction, frictionAnchor=1)
        for link in (self.links[name] for name in wheels):
            engine.set(self.id, link, lateralFriction=1.0 / physics.friction)  # 1 on the floor
            engine("changeDynamics", self.id, link, contactStiffness=TYRE[0], contactDamping=TYRE[1])  # only together
        motors = [*self._order, *([self.links[LIFT]] if wheels else [])]
        off = [0.0] * len(motors)
        engine("setJointMotorControlArray", self.id, motors, engine.bullet.VELOCITY_CONTROL, forces=off)
        self._place(q)
        self._filter_contacts(bool(wheels))
        self._place(q)
        self._couple()
        self._jammed: set[int] = set()
        self._braked: set[int] = set()

    def read(self) -> tuple[Array, Array]:
        """Positions and velocities of all joints, (n_full,) each."""
        states = self._engine("getJointStates", self.id, self._order)
        return np.array([s[0] for s in states]), np.array([s[1] for s in states])

    def leaders(self, full: Array) -> Array:
        """(n,) What is of the active joints in values (n_full,) of all."""
        active: Array = full[self._of_active]
        return active

    def active(self) -> tuple[Array, Array]:
        """Positions and velocities of the active joints, (n,) each."""
        q, v = self.read()
        return self.leaders(q), self.leaders(v)

    def drive(self, torques: Array) -> None:
        """Apply torques (n,) [N, N m] to the active joints during the next step; gears take the others along."""
        control = self._engine.bullet.TORQUE_CONTROL
        self._engine("setJointMotorControlArray", self.id, self._driven, control, forces=torques.tolist())

    def squeeze(self, joints: Indices, speeds: Array, torques: Array) -> None:
        """Have joints turn with speeds (k,) during the next step, as far as torques (k,) of this size do it."""
        links = [self._driven[k] for k in joints]
        free = [k for k, link in enumerate(links) if link not in self._jammed]
        links, velocity = [links[k] for k in free], self._engine.bullet.VELOCITY_CONTROL
        values = {"targetVelocities": speeds[free].tolist(), "forces": np.minimum(torques[free], STRONG).tolist()}
        self._engine("setJointMotorControlArray", self.id, links, velocity, **values)

    def brake(self, joints: Indices, speeds: Array, torques: Array) -> None:
        """Slow joints down to speeds (k,) during the next step, as far as torques (k,) of this size do it.

        Those that were slowed down before, and are not among them, run freely again.
        """
        freed = np.array(sorted(self._braked - set(joints.tolist())), dtype=np.intp)
        if len(freed):
            self.squeeze(freed, np.zeros(len(freed)), np.zeros(len(freed)))
        if len(joints):
            self.squeeze(joints, speeds, torques)
        self._braked = set(joints.tolist())

    def jam(self, joint: str) -> None:
        """Let a joint stick where it is."""
        bullet, link = self._engine.bullet, self.links[joint]
        self._jammed.add(link)
        self._engine("setJointMotorControl2", self.id, link, bullet.VELOCITY_CONTROL, targetVelocity=0, force=STRONG)

    def shift(self, offset: Array) -> None:
        """Move the base at once by (3,) [m, m, rad]; the joints' velocities stay."""
        for joint, by in zip(self._order[:3], offset, strict=True):
            position, velocity = self._engine("getJointState", self.id, joint)[:2]
            self._engine("resetJointState", self.id, joint, position + by, velocity)

    def links_that_touch(self, hand: str | None = None) -> list[int]:
        """The links of a hand, or of all hands, that may touch what they hold."""
        hands = self._robot.hands.values() if hand is None else [self._robot.hands[hand]]
        return sorted({self.link_of(name) for found in hands for name in found.touch})

    def link_of(self, name: str) -> int:
        """The link that a link of the URDF is part of."""
        frame = self._model.frames[self._model.getFrameId(name, pin.FrameType.BODY)]
        return self.links[self._model.names[frame.parentJoint]]

    def pushes(self, hand: str) -> list[tuple[int, Array, Array]]:
        """Link, point (3,) [m] and force (3,) [N] on the link, in the world, of each contact of a hand with a body."""
        links = self.links_that_touch(hand)
        points = self._engine("getContactPoints", self.id)
        return [
            (p[3], np.array(p[5]), p[9] * np.array(p[7]) + p[10] * np.array(p[11]) + p[12] * np.array(p[13]))
            for p in points
            if p[3] in links and p[2] != self.id and p[9] > 0.0
        ]

    def ignore(self, other: int, links: Iterable[int], ignored: bool = True) -> None:
        """Let links pass through another body, or stop doing so."""
        for link in links:
            self._engine("setCollisionFilterPair", self.id, other, link, -1, int(not ignored))

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

    def _filter_contacts(self, rolls: bool) -> None:
        """Leave out pairs of links that are not to touch.

        These are reviewed pairs, what touches as it stands or only as pieces, links of one hand, and links two joints
        apart, whose joints end before they meet; and a robot that does not roll has its feet in the floor.
        """
        engine, model = self._engine, self._model
        checked: set[tuple[int, int]] = set()
        bodies = self._robot.collision.geometryObjects
        for pair in self._robot.collision.collisionPairs:
            first, second = sorted(bodies[k].parentJoint for k in (pair.first, pair.second))
            checked.add((self.links[model.names[first]], self.links[model.names[second]]))
        engine("performCollisionDetection")
        touching = {(c[3], c[4]) for c in engine("getContactPoints", self.id, self.id) if c[8] <= 0.0}
        for pair in overlaps(engine, self._robot, self.id, self.links):
            first, second = sorted(pair)
            touching.add((first, second))
        touching |= {pair for hand in self._robot.hands for pair in combinations(self.links_that_touch(hand), 2)}
        for joint in range(2, model.njoints):
            over = model.parents[model.parents[joint]]
            if over:
                touching.add((self.links[model.names[over]], self.links[model.names[joint]]))
        links = sorted({-1, *self.links.values()})
        for k, first in enumerate(links):
            for second in links[k + 1 :]:
                pair = (first, second)
                if not {pair, pair[::-1]} & checked or {pair, pair[::-1]} & touching:
                    engine("setCollisionFilterPair", self.id, self.id, first, second, 0)
        if not rolls:
            for name in self._robot.floor_links:
                self.ignore(engine.floor, [self.link_of(name)])
