"""A robot and objects as a model of MuJoCo, written from Pinocchio's model, which is the truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.robots import Robot
from taskmatrix.robots.capabilities import GRAVITY
from taskmatrix.robots.mjcf.compiled import import_mujoco

from ..physics.grip import PAD
from ..physics.inertia import object_inertia, principal_axes, rolling_lever, shape_pieces
from ..physics.joints import LIFT, joint_axis, joint_of, little, stops
from ..physics.pieces import Piece, pieces, resized
from ..physics.presets import Physics
from ..physics.self_contacts import Pair
from ..physics.wheels import wheel_width
from ..scenes.world import GAP
from .engine import PURPOSE, WITHIN

BOND = "bond:"
"""Before the name of a hand's link: the weld between it and what it holds."""
LOOSE, FAST, LINK, FIRST_HAND = 1, 2, 4, 8
"""What a geom is, in bits: of something movable, of something that stands, of a link, and of hands from the last on."""
ALL = 2**31 - 1
Z = np.array([0.0, 0.0, 1.0])
STIFF = 5.0  # steps of MuJoCo in which contacts and limits come right: two are the least that is stable
NARROW = 1e-6  # [rad] or [m] between the ends of a joint that does not move: MuJoCo takes no less
PATCH = 0.002  # [m] of the patch with which anything else does
ROLLING = 1e-3  # [m] what is not told how it rolls comes to rest
IMPRATIO = 100.0  # friction is this much harder than what presses: things do not creep out of a hand
HARD, RIGID = (0.95, 0.99), (0.9999, 0.9999)
"""Shares of a constraint's force that it brings up at once, of contacts and of gears: less is softer."""


def compile_scene(
    robot: Robot,
    model: pin.Model,
    physics: Physics,
    wheels: Mapping[str, float],
    objects: Mapping[str, ObjectModel],
    ignored: Iterable[Pair],
    dt: float,
) -> Any:
    """The ``MjModel`` of a robot and objects.

    A joint of Pinocchio's model becomes a joint and a body of the same name; bodies of objects are ``object:ID``.

    Args:
        robot: The robot.
        model: Its model, with masses to simulate.
        physics: The settings.
        wheels: Radius [m] by joint of the wheels on which it rests, free to move up and down; they roll as ellipsoids
            as wide as they are, which touch the floor at one point.
        objects: By id.
        ignored: Pairs of links that do not see each other, by their joints' numbers.
        dt: [s] The step of the physics.
    """
    mujoco = import_mujoco(PURPOSE)
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.gravity = [0.0, 0.0, -GRAVITY]
    spec.option.timestep = dt / WITHIN
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = IMPRATIO
    spec.option.iterations = physics.iterations
    writer = _Writer(mujoco, spec, STIFF * dt / WITHIN)
    floor = writer.geom(spec.worldbody, Piece("plane", (), np.empty((0, 3))), pin.SE3.Identity())
    floor.contype, floor.conaffinity = FAST, ALL ^ FAST
    floor.friction = [physics.friction, 0.0, 0.0]
    _add_robot(writer, robot, model, physics, wheels)
    for first, second in map(sorted, ignored):
        spec.add_exclude(bodyname1=model.names[first], bodyname2=model.names[second])
    for id, each in objects.items():
        _add_object(writer, id, each, physics)
    for part, other in _built_together(objects):
        spec.add_exclude(bodyname1=f"object:{part}", bodyname2=f"object:{other}")
    compiled = spec.compile()
    for id, each in objects.items():
        if each.joint is not None:  # a specification takes it in other shapes from version to version
            compiled.dof_damping[compiled.joint(f"object:{id}").dofadr] = each.joint.damping
    return compiled


class _Writer:
    """Writes bodies with pieces into a specification."""

    def __init__(self, mujoco: Any, spec: Any, softness: float) -> None:
        self.mujoco, self.spec, self.softness = mujoco, spec, softness
        self._meshes = 0

    def place(self, body: Any, X: pin.SE3) -> None:
        """Put a body somewhere on its parent."""
        body.pos, body.quat = X.translation, _quaternion(X.rotation)

    def inertia(self, body: Any, inertia: pin.Inertia) -> None:
        """Give a body a mass and moments, in its own frame."""
        body.explicitinertial, body.mass, body.ipos = True, inertia.mass, inertia.lever
        moments, axes = principal_axes(inertia)
        body.inertia, body.iquat = moments, _quaternion(axes)

    def geom(self, body: Any, piece: Piece, X: pin.SE3) -> Any:
        """Add a convex piece to a body."""
        kinds, geom = self.mujoco.mjtGeom, body.add_geom()
        geom.pos, geom.quat = X.translation, _quaternion(X.rotation)
        geom.solref, geom.solimp[:2] = [self.softness, 1.0], HARD
        if piece.kind == "hull":
            mesh = self.spec.add_mesh(name=f"hull_{self._meshes}", uservert=piece.corners.ravel())
            mesh.inertia = self.mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX
            geom.type, geom.meshname = kinds.mjGEOM_MESH, mesh.name
            self._meshes += 1
            return geom
        geom.type = getattr(kinds, f"mjGEOM_{piece.kind.upper()}")
        halved = piece.kind == "box"
        size = [v / 2 if halved or k else v for k, v in enumerate(piece.size)]
        geom.size = [*size, *[0.0] * (3 - len(size))] if piece.kind != "plane" else [0.0, 0.0, 1.0]
        return geom


def _add_robot(writer: _Writer, robot: Robot, model: pin.Model, physics: Physics, wheels: Mapping[str, float]) -> None:
    mujoco, spec = writer.mujoco, writer.spec
    bodies: dict[int, Any] = {0: spec.worldbody}
    for joint in range(1, model.njoints):
        name, parent = model.names[joint], bodies[model.parents[joint]]
        if wheels and joint == 1:
            parent = parent.add_body(name=LIFT)
            writer.inertia(parent, little())
            parent.add_joint(name=LIFT, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0.0, 0.0, 1.0])
        body = bodies[joint] = parent.add_body(name=name)
        writer.place(body, model.jointPlacements[joint])
        writer.inertia(body, model.inertias[joint] if joint > 2 else little())
        slides, axis = joint_axis(model, joint)
        made = body.add_joint(name=name, axis=axis)
        made.type = mujoco.mjtJoint.mjJNT_SLIDE if slides else mujoco.mjtJoint.mjJNT_HINGE
        ends = stops(robot, name)
        made.limited = ends is not None
        if ends is not None:
            low, high = ends
            made.range = low, max(high, low + NARROW)
            made.solref_limit, made.solimp_limit[:2] = [writer.softness, 1.0], HARD  # however light what presses on it
    hands = _hand_bits(robot, model)
    for solid in robot.collision.geometryObjects:
        name = model.names[solid.parentJoint]
        if name not in wheels:
            for piece in pieces(solid.geometry):
                _of_link(writer.geom(bodies[solid.parentJoint], piece, solid.placement), hands, name, physics)
    for name, radius in wheels.items():
        joint = model.getJointId(name)
        half, turn = wheel_width(robot, model, joint) / 2, pin.Quaternion.FromTwoVectors(Z, joint_axis(model, joint)[1])
        tyre = writer.geom(bodies[joint], Piece("sphere", (radius,), np.empty((0, 3))), pin.SE3(turn, np.zeros(3)))
        tyre.type, tyre.size = mujoco.mjtGeom.mjGEOM_ELLIPSOID, [radius, radius, half or radius]
        _of_link(tyre, hands, name, physics)
        tyre.friction = [1.0, 0.0, 0.0]
    if not wheels:
        for link in robot.floor_links:
            spec.add_exclude(bodyname1="world", bodyname2=model.names[joint_of(model, link)])
    _couple(writer, robot, model)
    for name in robot.joints:
        servo = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        servo.set_to_velocity(kv=0.0)
        servo.forcelimited, servo.forcerange = True, [-1.0, 1.0]
    for hand in robot.hands.values():
        link = model.names[joint_of(model, hand.frame)]
        weld = spec.add_equality(name=f"{BOND}{link}", type=mujoco.mjtEq.mjEQ_WELD, active=False)
        weld.objtype = mujoco.mjtObj.mjOBJ_BODY
        weld.name1, weld.name2 = link, model.names[1]  # something, until it is told what
        weld.solref = [writer.softness, 1.0]


def _hand_bits(robot: Robot, model: pin.Model) -> dict[str, int]:
    """Which bit tells the hand of a link, by the link's joint."""
    bits: dict[str, int] = {}
    for k, hand in enumerate(robot.hands.values()):
        for link in hand.touch:
            bits[model.names[joint_of(model, link)]] = FIRST_HAND << k
    return bits


def _of_link(geom: Any, hands: Mapping[str, int], joint: str, physics: Physics) -> None:
    """Have a geom touch as a link does: other links, and what touches links."""
    geom.contype, geom.conaffinity = hands.get(joint, LINK), ALL ^ (LOOSE | FAST)
    if joint in hands:
        pad = PAD * physics.grip_friction
        geom.friction, geom.condim = [physics.grip_friction, pad, pad], 6
    else:
        geom.friction, geom.condim = [physics.friction, 0.0, 0.0], 3


def _couple(writer: _Writer, robot: Robot, model: pin.Model) -> None:
    """Have joints that follow another do so."""
    mujoco, leaders = writer.mujoco, set(robot.joints)
    for row, name in enumerate(model.names[1:]):
        if name not in leaders:
            (leader,) = np.flatnonzero(robot.S[row])
            ratio, offset = float(robot.S[row, leader]), float(robot.c[row])
            tie = writer.spec.add_equality(type=mujoco.mjtEq.mjEQ_JOINT, name1=name, name2=robot.joints[leader])
            tie.objtype = mujoco.mjtObj.mjOBJ_JOINT
            tie.data[:5] = [offset, ratio, 0.0, 0.0, 0.0]
            tie.solref, tie.solimp[:2] = [writer.softness, 1.0], RIGID


def _add_object(writer: _Writer, id: str, model: ObjectModel, physics: Physics) -> None:
    """Add an object that touches nothing yet: movable ones are free, parts move on theirs, others stand where put."""
    joint, name = model.joint, f"object:{id}"
    body = (writer.spec.worldbody if joint is None else writer.spec.body(f"object:{joint.parent}")).add_body(name=name)
    if joint is not None:
        writer.place(body, pin.SE3(joint.X_PJ))
        writer.inertia(body, object_inertia(model))
        kinds = {"slide": writer.mujoco.mjtJoint.mjJNT_SLIDE, "hinge": writer.mujoco.mjtJoint.mjJNT_HINGE}
        made = body.add_joint(name=name, type=kinds[joint.kind], axis=joint.axis)
        made.limited, made.range = True, (joint.lower, joint.upper)
        made.frictionloss = joint.friction
        made.solref_limit = made.solref_friction = [writer.softness, 1.0]
        made.solimp_limit[:2] = made.solimp_friction[:2] = RIGID  # what rests does not creep
    elif model.movable:
        body.add_freejoint()
        writer.inertia(body, object_inertia(model))
    else:
        body.mocap = True
    lever = rolling_lever(model)
    rolls = lever is not None or any(shape.kind == "sphere" for shape in model.shapes)
    for shape in model.shapes:
        for piece in shape_pieces(shape) if shape.collides else ():
            sized = resized(piece, GAP) if model.movable else piece
            geom = writer.geom(body, sized, pin.SE3(shape.X_OS))
            geom.contype = geom.conaffinity = 0
            geom.friction = [physics.friction, PATCH if model.movable else 0.0, ROLLING if lever is None else lever]
            geom.condim = 6 if rolls else 4 if model.movable else 3
            if model.restitution:
                geom.solref, geom.priority = _bouncing(model.restitution, writer.softness), 1


def _built_together(objects: Mapping[str, ObjectModel]) -> Iterator[tuple[str, str]]:
    """A part and what carries it, and two parts of the same: they have no gaps that contacts would need."""
    carriers = {id: each.joint.parent for id, each in objects.items() if each.joint is not None}
    yield from carriers.items()
    yield from (pair for pair in combinations(carriers, 2) if carriers[pair[0]] == carriers[pair[1]])


def _bouncing(restitution: float, softness: float) -> list[float]:
    """Stiffness and damping, by unit of mass and negative as MuJoCo wants them, of what keeps a share of its speed."""
    loss = -np.log(restitution) / np.pi
    ratio = loss / np.sqrt(1.0 + loss**2)  # of the damping to the critical one
    return [-1.0 / softness**2, -2.0 * ratio / softness]


def _quaternion(rotation: Array) -> Array:
    """(4,) Scalar first."""
    x, y, z, w = pin.Quaternion(np.asarray(rotation)).coeffs()
    return np.array([w, x, y, z])
