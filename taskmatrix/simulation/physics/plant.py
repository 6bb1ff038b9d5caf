"""A plant with physics: motors turn joints, what is loose falls, and what is held is held by friction."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.robot.hand_state import HandState
from taskmatrix.core.robot.impedance import Impedance
from taskmatrix.core.robot.plant import JointState
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.robots import Robot

from ..scenes.world import World
from ..simulated_plant import SimulatedPlant
from .bodies import ObjectBodies, RobotBody, Stepper
from .control import ComputedTorque
from .grip import Grip
from .mass import simulated_model
from .presets import Physics, physics
from .press import needed
from .reference import Reference
from .wheels import Wheels

SWIFT = 1.5  # of a joint's acceleration limit: a command that wants more is come to later
FASTER = 1.01  # than its limit: a joint that its motor brakes; less is rounding, and it would be held at its limit


class PhysicsPlant(SimulatedPlant):
    """Commands become torques of motors; implements :class:`taskmatrix.core.robot.plant.WholePlant`.

    A robot on legs stands by a constraint: its base is carried where it is told to go, and cannot fall. One with a
    differential drive rolls on its wheels, by friction, and may slip. Subclasses bring an engine.

    Args:
        robot: The robot.
        world: The objects and where they start.
        q: (n,) Where the robot starts.
        settings: Name of a preset, or settings.
        dt: [s] The control step.

    Raises:
        MissingDependencyError: The engine is not installed.
        NotFoundError: There is no such preset.
        RobotError: A differential drive that does not stand on two wheels.
    """

    def __init__(
        self, robot: Robot, world: World, q: Array, settings: str | Physics = "default", dt: float = 1 / 120
    ) -> None:
        super().__init__(robot, world)
        self._physics = physics(settings)
        model = simulated_model(robot)
        self._wheels = Wheels(robot, model) if robot.rolls else None
        self._step_time = dt / self._physics.substeps
        self._engine, self._body, self._objects = self._build(model, q, world.objects)
        self._rolling = [0, 1, 2, *self._wheels.indices] if self._wheels else []
        self._control = ComputedTorque(robot, model, self._step_time)
        self._reference = Reference(q, robot.velocity, SWIFT * robot.acceleration)
        still = np.zeros(robot.n)
        self._state = JointState(np.array(q, dtype=float), still, still, torque=still)
        self._torques = np.zeros(robot.n)
        self._grips: dict[str, tuple[str, Grip]] = {}
        self._grasped: dict[str, Array] = {}  # X_HO (4, 4) when fingers felt the object first
        self._pushed = np.zeros(3)
        self._feeling: dict[str, HandState] | None = None  # what hands feel now, once somebody has asked
        self._forces: list[tuple[str, Array, float]] = []
        self._pushes: list[tuple[str, Array, float]] = []
        for id, X_WO in self._poses.items():
            self._objects.put(id, X_WO)

    @abstractmethod
    def _build(
        self, model: pin.Model, q: Array, objects: Mapping[str, ObjectModel]
    ) -> tuple[Stepper, RobotBody, ObjectBodies]:
        """An engine with the robot at q (n,), with the masses of a model, and with objects that are not there yet."""

    @property
    def _tyres(self) -> dict[str, float]:
        """[m] The radius of each wheel that it stands on, by joint."""
        return dict.fromkeys(self._wheels.joints, self._wheels.radius) if self._wheels else {}

    def apply(self, command: Command, dt: float) -> None:
        """Move on by one control step of ``dt`` [s], with the joints following the command as their motors can."""
        before, self._time, self._feeling = self._time, self._time + dt, None
        self._follow_scripts(before, dt)
        steps = self._physics.substeps
        for grip in self._holding():
            opening, command = grip.opening, grip.look(command, self._state.q)
            if grip.opening and not opening:
                self._reference.restart(grip.joints, self._state.q[grip.joints])
        self._control.carry(self._loads())
        wanted = self._reference.towards(command, dt, steps)
        soft = None if command.impedance is None else np.flatnonzero(command.impedance.driven)
        if soft is not None:
            for values, told in zip(wanted, (command.q, command.v, np.zeros_like(command.q)), strict=True):
                values[:, soft] = told[soft]
        v, given = self._state.v, np.zeros(len(self._torques))
        for k in range(steps):
            self._step((wanted[0][k], wanted[1][k], wanted[2][k]), dt / steps, command.impedance)
            given += self._torques / steps
        q, after = self._body.active()
        self._state = JointState(q, after, (after - v) / dt, torque=given)
        if soft is not None:
            self._reference.restart(soft, q[soft], after[soft], dt / steps)
        for id in self._poses:
            if self._models[id].movable or self._models[id].joint is not None:
                super()._place(id, *self._objects.state(id))
        self._take_in()
        for hand, id in self.held().items():
            self._grasped.setdefault(hand, inverse(self._hand_pose(hand, q)) @ self._poses[id])

    def sense(self) -> JointState:
        """The joints as they are."""
        return self._state

    def feel(self) -> Mapping[str, HandState]:
        """What the hands feel: contacts of the links that touch, the forces there, and slip of what is held."""
        if self._feeling is None:
            self._feeling = {hand: self._felt(hand) for hand in self._robot.hands}
        return self._feeling

    @property
    def torques(self) -> Array:
        """(n,) [N, N m] That the motors gave in the last step of the physics; of fingers that press, their weight."""
        return self._torques

    @property
    def torque_parts(self) -> Mapping[str, Array]:
        """(n,) [N, N m] What these were made of: ``acceleration`` that was wanted, ``feedback`` and ``weight``."""
        return self._control.parts

    def held(self) -> dict[str, str]:
        """The object in each hand that holds one: that is affixed, or that its fingers feel between them."""
        return {hand: id for hand, (id, grip) in self._grips.items() if grip.holds}

    def attach(self, hand: str, object: str) -> None:
        """Begin to hold an object; another hand that held it lets go, and the hand of what it held.

        Fingers press until they feel it, and hold it from then on. A hand without fingers affixes it as both are.
        """
        self._check_hold(hand, object)
        self._stop(object)
        self._feeling = None
        force = 0.0
        if self._models[object].joint is None:
            load = self._objects.load(object)
            lever = float(np.linalg.norm(load.lever - self._hand_pose(hand, self._state.q)[:3, 3]))
            force = needed(load.mass, lever, self._physics.grip_friction)
        self._grips[hand] = (object, Grip(self._body, self._robot, hand, object, self._physics, force))

    def impedance_joints(self) -> Collection[str]:
        """All but the base and the wheels; of a hand that grips something, what presses its fingers decides."""
        return [name for k, name in enumerate(self._robot.joints) if k > 2 and k not in self._rolling]

    def detach(self, hand: str) -> None:
        """Let go of what a hand holds; its fingers follow commands again."""
        self._grasped.pop(hand, None)
        self._feeling = None
        if hand in self._grips:
            grip = self._grips.pop(hand)[1]
            grip.release()
            self._reference.restart(grip.joints, self._state.q[grip.joints])

    def remove(self, object: str) -> None:
        """Take an object and its parts out of the world, out of a hand that holds it; nothing if it is absent."""
        super().remove(object)
        for id, model in self._models.items():
            if model.joint is not None and model.joint.parent == object:
                self.remove(id)
        self._feeling = None
        self._objects.hide(object)

    def push(self, offset: Array) -> None:
        """Displace the base by (3,) [m, m, rad] in the world's axes; it stays off by that from its commands.

        What is held goes along.
        """
        by = np.asarray(offset, dtype=float)
        held = {id: inverse(self._hand_pose(hand, self._state.q)) @ self._poses[id] for hand, id in self.held().items()}
        self._pushed, self._feeling = self._pushed + by, None
        self._body.shift(by)
        q = self._state.q.copy()
        q[:3] += by
        self._state = replace(self._state, q=q)
        for hand, id in self.held().items():
            self._place(id, self._hand_pose(hand, q) @ held[id], self._velocities[id])

    def push_object(self, object: str, force: Array, duration: float) -> None:
        """Push an object at its centre of mass with a force (3,) [N] in the world for ``duration`` [s]."""
        self._check_present(object)
        _check_duration(duration)
        self._forces.append((object, np.asarray(force, dtype=float), self._time + duration))

    def push_link(self, link: str, force: Array, duration: float) -> None:
        """Push a link of the robot where its frame is, with a force (3,) [N] in the world, for ``duration`` [s].

        Raises:
            NotFoundError: The robot has no such link.
            ParameterError: The duration is not above 0.
        """
        links = [frame.name for frame in self._robot.model.frames if frame.type == pin.BODY]
        if link not in links:
            raise NotFoundError("link", link, links, f"robot '{self._robot.name}'")
        _check_duration(duration)
        self._pushes.append((link, np.asarray(force, dtype=float), self._time + duration))

    def grease(self, object: str) -> None:
        """Make an object slippery from now on: nothing that touches it rubs on it."""
        self._check_present(object)
        self._objects.grease(object)

    def weaken(self, share: float) -> None:
        """Let the motors give no more than a share of their largest torques from now on: 1 for all of it."""
        if not 0.0 <= share <= 1.0:
            raise ParameterError(f"the share of their torques that motors give is from 0 to 1, not {share!r}")
        self._control.strength = share

    def jam(self, joint: str) -> None:
        """Let a joint stick where it is."""
        if joint not in self._robot.joints:
            raise NotFoundError("joint", joint, self._robot.joints, f"robot '{self._robot.name}'")
        self._body.jam(joint)

    def truth(self) -> Mapping[str, object]:
        """Joint positions ``q``, velocities ``v``, ``poses`` of the objects by id and what is ``held`` by hand.

        What is absent has no pose.
        """
        return self._truth(self._state.q, self._state.v)

    def save(self) -> object:
        """All of its state, which later commands do not change."""
        return self._saved(self._lasting()), self._engine.save(), self._body.save()

    def restore(self, state: object) -> None:
        """Go on from a state of this plant."""
        ours, world, joints = cast("tuple[dict[str, Any], Mapping[str, Any], tuple[set[int], set[int]]]", state)
        self._take_back(ours, self._lasting())
        self._engine.restore(world)
        self._body.restore(joints)

    def close(self) -> None:
        """Give the engine's memory back; the plant cannot be used any more."""
        self._engine.close()

    def _lasting(self) -> tuple[object, ...]:
        return self._engine, self._body, self._objects

    def _felt(self, hand: str) -> HandState:
        """What a hand feels."""
        X_WH = self._hand_pose(hand, self._state.q)
        contacts = self._body.contacts(self._body.links_that_touch(hand))
        grip = self._grips[hand][1] if hand in self._grips else None
        force, torque = grip.wrench() if grip else (np.zeros(3), np.zeros(3))
        for contact in contacts:
            force, torque = force + contact.force, torque + np.cross(contact.point - X_WH[:3, 3], contact.force)
        touched = {contact.link for contact in contacts}
        links = {name: self._body.link_of(name) for name in self._robot.hands[hand].touch}
        affixed = grip is not None and grip.affixed
        touches = {name: link in touched or affixed for name, link in links.items()}
        return HandState(X_WH[:3, :3].T @ force, X_WH[:3, :3].T @ torque, touches, self._slip(hand, X_WH))

    def _slip(self, hand: str, X_WH: Array) -> float:
        """[m] How far what a hand holds has moved in it; infinite where it has left."""
        if hand not in self._grasped:
            return 0.0
        id = self._grips[hand][0]
        if id not in self.held().values() or id not in self._poses:
            return np.inf
        return float(np.linalg.norm((inverse(X_WH) @ self._poses[id] - self._grasped[hand])[:3, 3]))

    def _claimed(self) -> Mapping[str, str]:
        return {hand: id for hand, (id, _) in self._grips.items()}

    def _felt_by_joints(self, q: Array) -> Array:
        """(n,) [N, N m] What the forces that push links at q (n,) are to the joints."""
        robot, total = self._robot, np.zeros(self._robot.n)
        pin.computeJointJacobians(robot.model, robot.data, robot.expand(q))
        for link, force, _ in self._pushes:
            frame = robot.model.getBodyId(link)
            pin.updateFramePlacement(robot.model, robot.data, frame)
            J = pin.getFrameJacobian(robot.model, robot.data, frame, pin.LOCAL_WORLD_ALIGNED)
            total += robot.S.T @ J[:3].T @ force
        return total

    def _loads(self) -> dict[int, pin.Inertia]:
        """What hands hold and carry, by the joint that carries it, in the frame of that."""
        loads: dict[int, pin.Inertia] = {}
        for hand, id in self.held().items():
            if self._models[id].joint is not None:
                continue
            found, model = self._robot.hands[hand], self._robot.model
            frame = model.frames[model.getFrameId(found.frame)]
            X_JW = frame.placement.homogeneous @ found.X_LH @ inverse(self._hand_pose(hand, self._state.q))
            load = self._objects.load(id).se3Action(pin.SE3(X_JW))
            loads[frame.parentJoint] = loads[frame.parentJoint] + load if frame.parentJoint in loads else load
        return loads

    def _holding(self) -> list[Grip]:
        return [grip for _, grip in self._grips.values()]

    def _place(self, id: str, X_WO: Array, velocity: Array) -> None:
        super()._place(id, X_WO, velocity)
        self._objects.put(id, X_WO, velocity)

    def _brake(self, speed: Array, passive: Sequence[int]) -> None:
        """Have motors brake what turns with speeds (n,) that they do not reach: what is pushed, or let go of."""
        fastest = self._robot.velocity
        fast = np.abs(speed) > FASTER * fastest
        fast[list(passive)] = False
        joints = np.flatnonzero(fast)
        self._body.brake(joints, (np.sign(speed) * fastest)[joints], self._control.limits[joints])

    def _step(self, wanted: tuple[Array, Array, Array], dt: float, impedance: Impedance | None) -> None:
        """One step of the physics of ``dt`` [s]."""
        q, v = self._body.read()
        active, speed = self._body.leaders(q), self._body.leaders(v)
        position = wanted[0].copy()
        position[:3] += self._pushed
        closing = [grip for grip in self._holding() if len(grip.joints) and not grip.opening]
        passive = [*self._rolling, *(int(k) for grip in closing for k in grip.joints)]
        self._brake(speed, [0, 1, 2, *passive])
        tau = self._control.torques(q, v, (position, *wanted[1:]), passive, impedance)
        if self._wheels is not None:
            tau[self._wheels.indices] = self._wheels.torques(active, speed, wanted, dt)
        for grip in closing:
            weight, inertia = self._control.parts["weight"], self._control.inertia
            tau[grip.joints] = grip.drive(active, speed, weight, inertia, self._control.limits, dt)
        self._torques, now = tau, self._time - dt
        self._pushes = [pending for pending in self._pushes if pending[2] > now]
        self._body.drive(tau + self._felt_by_joints(active) if self._pushes else tau)
        self._forces = [pending for pending in self._forces if pending[2] > now and pending[0] in self._poses]
        for id, force, _ in self._forces:
            self._objects.push(id, force)
        self._engine.step(dt)
        for grip in self._holding():
            grip.feel(self._body.active()[0], dt)


def _check_duration(duration: float) -> None:
    if not duration > 0.0:
        raise ParameterError(f"a push takes longer than 0 s, not {duration!r}")
