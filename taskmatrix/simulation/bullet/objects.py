"""Objects in PyBullet."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import scipy

from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array, ObjectModel

from ..physics.inertia import object_inertia, rolling_lever, shape_pieces
from ..physics.parts import Parts
from ..physics.presets import Physics
from ..scenes.world import GAP
from .description import add_joint, add_link, collision_element, for_engine
from .engine import ABSENT, FAST, LOOSE, Engine

ROLLING = 1e-3  # [m] a ball on a table comes to rest
FIXED = pin.Inertia(1.0, np.zeros(3), np.eye(3))  # does not matter: what is fixed does not move
DEEP = -100.0  # [m] below the ground what is absent waits


class BulletObjects:
    """The objects of a world: what is movable falls, parts move on what carries them, the rest stands.

    What is movable has a skin of :data:`GAP` all round: it comes to rest as far above what it stands on as the world
    puts it there, where a check for collisions finds that it does not touch.

    Args:
        engine: Where they are.
        models: By id.
        physics: The settings.
    """

    def __init__(self, engine: Engine, models: Mapping[str, ObjectModel], physics: Physics) -> None:
        self._engine = engine
        self._parts = Parts(models)
        self._bodies: dict[str, tuple[int, int]] = {}
        for model in models.values():
            if model.joint is None:
                self._bodies.update(self._load(model, models))
        engine.numbers.update(self._bodies)
        engine.ids.update({body: id for id, body in self._bodies.items()})
        self._X_OC = {id: self._com(*body) for id, body in self._bodies.items()}
        self._loose = {id: model.movable or model.joint is not None for id, model in models.items()}
        self._last: dict[str, tuple[Any, Array, Array]] = {}
        for id, body in self._bodies.items():
            self.hide(id)
            engine.set(*body, lateralFriction=1.0, linearDamping=0.0, angularDamping=0.0, rollingFriction=ROLLING)
            lever = rolling_lever(models[id])
            if lever is not None:  # PyBullet multiplies it with the friction of what it rolls on
                engine.set(*body, rollingFriction=lever / physics.friction)
            if models[id].restitution:
                engine.set(*body, restitution=models[id].restitution)
            if not models[id].movable:
                engine.set(*body, lateralFriction=physics.friction, rollingFriction=0.0)
        for id, joint in self._parts.joints.items():
            engine.set(*self._bodies[id], jointDamping=joint.damping)
            carrier, part = self._bodies[id]
            engine.turn(carrier, [part], [0.0], [joint.friction])
        engine.set(engine.floor, lateralFriction=physics.friction)

    def put(self, id: str, X_WO: Array, velocity: Array | None = None) -> None:
        """Put an object somewhere, at rest unless a velocity (6,) is given."""
        if self._engine.bits(*self._bodies[id]) == ABSENT:
            self._touch(id, LOOSE if self._loose[id] else FAST)
        body, link = self._bodies[id]
        if id in self._parts.joints:
            X_WP = self.state(self._parts.joints[id].parent)[0]
            self._engine("resetJointState", body, link, *self._parts.position(id, X_WP, X_WO, velocity))
        else:
            self._engine.put(body, X_WO @ self._X_OC[id], velocity)

    def hide(self, id: str) -> None:
        """Take an object out of the world: it touches nothing, not even the ground, which would throw it out."""
        self._touch(id, ABSENT)
        body, link = self._bodies[id]
        if link < 0:
            X = np.eye(4)
            X[2, 3] = DEEP - 5.0 * body
            self._engine.put(body, X)

    def load(self, id: str) -> pin.Inertia:
        """Its mass and moments of inertia in the world's frame."""
        body = self._bodies[id]
        mass, _, moments, *_ = self._engine("getDynamicsInfo", *body)
        centre, turn = self._engine.centre(*body)
        R = scipy.spatial.transform.Rotation.from_quat(turn).as_matrix()
        return pin.Inertia(mass, np.array(centre), R @ np.diag(moments) @ R.T)

    def state(self, id: str) -> tuple[Array, Array]:
        """X_WO (4, 4) and velocity (6,) [m/s, rad/s]; the same arrays as before while nothing has changed."""
        body, link = self._bodies[id]
        if id in self._parts.joints:
            X_WP, joint = self.state(self._parts.joints[id].parent)[0], self._engine("getJointState", body, link)
            return self._parts.state(id, X_WP, *joint[:2])
        now = (self._engine("getBasePositionAndOrientation", body), self._engine("getBaseVelocity", body))
        last = self._last.get(id)
        if last is None or last[0] != now:
            X = np.eye(4)
            X[:3, :3] = scipy.spatial.transform.Rotation.from_quat(now[0][1]).as_matrix()
            X[:3, 3] = now[0][0]
            X_OC = self._X_OC[id]
            X_WO = X @ inverse(X_OC)
            last = (now, X_WO, np.concatenate(now[1]))
            self._last[id] = last
        return last[1], last[2]

    def push(self, id: str, force: Array) -> None:
        """Push at the centre of mass with a force (3,) [N] in the world during the next step."""
        body, world = self._bodies[id], self._engine.bullet.WORLD_FRAME
        self._engine("applyExternalForce", *body, force.tolist(), self._engine.centre(*body)[0], world)

    def grease(self, id: str) -> None:
        """Have an object touch without friction."""
        self._engine.set(*self._bodies[id], lateralFriction=0.0)

    def _touch(self, id: str, bits: tuple[int, int]) -> None:
        """Have an object be something, and touch something."""
        self._engine.mask(*self._bodies[id], bits)

    def _com(self, body: int, link: int) -> Array:
        """X_OC: PyBullet places bodies by their centre of mass and principal axes."""
        info = self._engine("getDynamicsInfo", body, link)
        X = np.eye(4)
        X[:3, :3] = scipy.spatial.transform.Rotation.from_quat(info[4]).as_matrix()
        X[:3, 3] = info[3]
        return X

    def _load(self, model: ObjectModel, models: Mapping[str, ObjectModel]) -> dict[str, tuple[int, int]]:
        """PyBullet's numbers of an object and of all its parts, which do not touch each other."""
        engine, flags = self._engine, self._engine.bullet.URDF_USE_INERTIA_FROM_FILE
        body = engine.load(lambda folder: _write(model, models, folder), useFixedBase=not model.movable, flags=flags)
        joints = [engine("getJointInfo", body, link)[1].decode() for link in range(engine("getNumJoints", body))]
        return {model.id: (body, -1)} | {id: (body, link) for link, id in enumerate(joints)}


def _write(model: ObjectModel, models: Mapping[str, ObjectModel], folder: Path) -> Path:
    """Write an object and its parts as a URDF, whose joints are called as the parts are."""
    root = ET.Element("robot", name="object")
    _add(root, model, models, folder)
    path = folder / "object.urdf"
    ET.indent(root)  # PyBullet reads by lines, and no long ones
    ET.ElementTree(root).write(path)
    return path


def _add(root: ET.Element, model: ObjectModel, models: Mapping[str, ObjectModel], folder: Path) -> None:
    """Add an object as a link, and what moves on it."""
    solid = [shape for shape in model.shapes if shape.collides]
    elements = []
    for index, shape in enumerate(solid):
        for count, piece in enumerate(shape_pieces(shape)):
            sized = for_engine(piece, GAP if model.movable else 0.0)
            file = folder / f"{len(root)}_{index}_{count}.obj"
            elements.append(collision_element(sized, pin.SE3(shape.X_OS), file))
    moves = model.movable or model.joint is not None
    add_link(root, model.id, object_inertia(model) if moves else FIXED, elements)
    for id, part in models.items():
        joint = part.joint
        if joint is not None and joint.parent == model.id:
            slides, ends = joint.kind == "slide", (joint.lower, joint.upper)
            add_joint(root, id, model.id, id, pin.SE3(joint.X_PJ), joint.axis, slides, ends)
            _add(root, part, models, folder)
