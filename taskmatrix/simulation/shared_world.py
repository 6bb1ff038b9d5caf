"""A world without physics that several robots are in: each has a plant of its own and sees the others as they move."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import coal
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.base.cache import folder_of, remembered
from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.world.geometry import vertices_and_faces
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.core.world.perception import Percept
from taskmatrix.robots import Robot
from taskmatrix.robots.robot_model import primitive

from .kinematic import KinematicPlant
from .scenes.world import World

UNSEEN = (0.0, 0.0, 0.0, 0.0)


class SharedWorld:
    """The objects of a world, which several robots see, move and carry, and the robots.

    To the others a robot is one object for each of its links that moves, ``ann/left_forearm`` of the robot ``ann``, of
    the type ``robot``, with the link's own collision bodies. The link that looks is a ``robot/humanoid``: whom others
    greet.

    Args:
        world: As it is at the start.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.plants: dict[str, SharedPlant] = {}
        """Of the robots that are in it, by name."""

    def enter(self, name: str, robot: Robot, q: Array) -> None:
        """Add a robot at ``q`` (n,)."""
        self.plants[name] = SharedPlant(self, name, robot, q)

    def others(self, name: str) -> tuple[SharedPlant, ...]:
        """The plants of all robots but one."""
        return tuple(plant for other, plant in self.plants.items() if other != name)

    def seen_by(self, name: str) -> World:
        """The world with the links of all robots but one in it, where they are now."""
        seen = {id: link for plant in self.others(name) for id, link in plant.links.items()}
        models, poses = ({id: link.model for id, link in seen.items()}, {id: link.X_WO for id, link in seen.items()})
        objects = {**self.world.objects, **models}
        return replace(self.world, objects=objects, poses={**self.world.poses, **poses})


class SharedPlant(KinematicPlant):
    """The plant of one robot in a world that it shares with others.

    Args:
        shared: The world.
        name: By which the others know the robot.
        robot: The robot.
        q: (n,) Where it starts.

    Attributes:
        links: What the others see of it, by id.
    """

    def __init__(self, shared: SharedWorld, name: str, robot: Robot, q: Array) -> None:
        super().__init__(robot, shared.world, q)
        self._shared, self._name = shared, name
        first = next(iter(shared.plants.values()), None)
        if first is not None:
            self._poses, self._velocities, self._scripts = first._poses, first._velocities, first._scripts
        found = list(_links(name, robot))
        self._joints = [joint for joint, _ in found]
        self._X_WL = self._placed()
        self._carried: dict[str, tuple[Percept, Percept]] = {}  # by others: as it is observed, and as it is told
        self.links = {model.id: Percept(model, X_WL) for (_, model), X_WL in zip(found, self._X_WL, strict=True)}

    def apply(self, command: Command, dt: float) -> None:
        """Move the joints to their commanded positions, and for the others the links with them."""
        super().apply(command, dt)
        self._move_links(dt)

    def observe(self) -> tuple[Percept, ...]:
        """Every object that is there, and the others' links.

        What others move is taken to stay where it is in this control step: who moves later looks again.
        """
        others = self._shared.others(self._name)
        moved = {id for other in others for id in other.carried()}
        before, self._carried = self._carried, {}
        seen = list[Percept]()
        for percept in super().observe():
            id = percept.model.id
            if id in moved:
                known = before.get(id)
                if known is None or known[0] is not percept:
                    known = percept, replace(percept, coming=percept.X_WO)
                self._carried[id] = known
            seen.append(self._carried[id][1] if id in moved else percept)
        return (*seen, *(link for other in others for link in other.links.values()))

    def carried(self) -> tuple[str, ...]:
        """What its hands hold, and what stands on that."""
        return (*self.held().values(), *self._travelling)

    def attach(self, hand: str, object: str) -> None:
        """Fix an object to a hand; another robot that held it lets go."""
        super().attach(hand, object)
        for other in self._shared.others(self._name):
            other.let_go(object)

    def let_go(self, object: str) -> None:
        """Let go of an object."""
        super()._let_go(object)

    def push(self, offset: Array) -> None:
        """Displace the base at once; see :meth:`KinematicPlant.push`."""
        super().push(offset)
        self._move_links()

    def save(self) -> object:
        """Raise TaskMatrixError: what is shared cannot be had for one alone."""
        raise TaskMatrixError("a world that several robots share saves no state")

    def _placed(self) -> Array:
        """(k, 4, 4) Where its links are."""
        data = self._robot.data
        pin.forwardKinematics(self._robot.model, data, self._robot.expand(self._state.q))
        return np.array([data.oMi[joint].homogeneous for joint in self._joints])

    def _move_links(self, dt: float = np.inf) -> None:
        """Have the links where the joints are, where they came within ``dt`` [s]."""
        before, self._X_WL = self._X_WL, self._placed()
        moved = (before != self._X_WL).any(axis=(1, 2)).tolist()
        for (id, link), X_WL, moves in zip(self.links.items(), self._X_WL, moved, strict=True):
            if moves:
                turn = pin.log3(X_WL[:3, :3] @ link.X_WO[:3, :3].T)
                velocity = np.concatenate([X_WL[:3, 3] - link.X_WO[:3, 3], turn]) / dt
                self.links[id] = Percept(link.model, X_WL, velocity, coming=X_WL)
            elif link.velocity.any():
                self.links[id] = Percept(link.model, link.X_WO, coming=link.X_WO)

    def _let_go(self, object: str) -> None:
        for plant in self._shared.plants.values():
            plant.let_go(object)

    def _follow_scripts(self, before: float, dt: float) -> None:
        if next(iter(self._shared.plants.values())) is self:  # once a control step for all
            super()._follow_scripts(before, dt)

    def _truth(self, q: Array, v: Array) -> Mapping[str, object]:
        seen = {id: link.X_WO for other in self._shared.others(self._name) for id, link in other.links.items()}
        return {**super()._truth(q, v), "poses": {**self._poses, **seen}}


def _links(name: str, robot: Robot) -> Iterator[tuple[int, ObjectModel]]:
    """What others see of a robot: the joint that moves each link, and what that is in the joint's frame."""
    shapes, names = defaultdict[int, list[Shape]](list), dict[int, str]()
    seen = zip(
        robot.visual_model.geometryObjects, (replace(look, collides=False) for look in robot.visuals), strict=True
    )
    for body, shape in (*seen, *zip(robot.collision.geometryObjects, _solids(robot), strict=True)):
        shapes[body.parentJoint].append(replace(shape, X_OS=body.placement.homogeneous))
        names.setdefault(body.parentJoint, robot.model.frames[body.parentFrame].name)
    looks = None if robot.view is None else robot.model.frames[robot.model.getFrameId(robot.view.frame)].parentJoint
    for joint, own in sorted(shapes.items()):
        id = f"{name}/{names[joint]}"
        type, what = ("robot/humanoid", "head of") if joint == looks else ("robot", "part of")
        yield joint, ObjectModel(id, type, tuple(own), description=f"{what} {name}: {robot.description}")


@remembered
def _solids(robot: Robot) -> Sequence[Shape]:
    """Its collision bodies, each in its own frame; they are not drawn."""
    return tuple(_solid(body.geometry) for body in robot.collision.geometryObjects)


def _solid(geometry: Any) -> Shape:
    if isinstance(geometry, (coal.BVHModelBase, coal.ConvexBase)):
        return Shape("mesh", (1.0, 1.0, 1.0), np.eye(4), UNSEEN, _file(*_triangles(geometry)))
    return primitive(geometry, UNSEEN)


def _triangles(geometry: Any) -> tuple[Array, NDArray[np.int64]]:
    """(v, 3) [m] Corners and (k, 3) triangles of a mesh, or of a convex body."""
    if isinstance(geometry, coal.BVHModelBase):
        return vertices_and_faces(geometry)
    faces = [geometry.polygons(k) for k in range(geometry.num_polygons)]
    return np.asarray(geometry.points()), np.array([[face[0], face[1], face[2]] for face in faces], dtype=np.int64)


def _file(vertices: Array, faces: NDArray[np.int64]) -> Path:
    """An OBJ file with these triangles, kept in the cache."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (faces + 1).tolist()]
    text = "\n".join([*lines, ""])
    path = folder_of("links") / f"{sha256(text.encode()).hexdigest()}.obj"
    if not path.is_file():
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(text)
        part.replace(path)
    return path
