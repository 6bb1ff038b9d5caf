"""Worlds from scenes in MJCF, MuJoCo's format."""

from __future__ import annotations

import hashlib
import logging
import math
import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from taskmatrix.core.base.cache import folder_of, prune
from taskmatrix.core.base.errors import RobotError, WorldError
from taskmatrix.core.base.files import MOST_OBJECTS
from taskmatrix.core.world.geometry import Box, bounding_box, inverse
from taskmatrix.core.world.object_joint import JointKind, ObjectJoint
from taskmatrix.core.world.objects import GRASPABLE, Array, ObjectModel, Shape
from taskmatrix.robots.mjcf.compiled import WORLD, Mjcf

from .world import GAP, Placement, World, place

KEPT = 2000  # surfaces in the cache
RESTS = 0.02  # [m] between an object and what it stands on, at most
FLOOR = "floor"
HANDLES = ("handle", "knob")  # in the names of geoms or bodies
LEVEL = 0.999  # [-] cosine to the vertical of the floor's normal, at least
MARGIN = 3.0  # [m] of ground around everything
ROOM = 0.5  # [m] around a robot where it starts, and between the places that are tried
AROUND, TURNED = 0.3, 0.2  # [m] and [rad] around there, where robots start
LOW = 0.02  # [m] over what is no higher, a robot stands


def read_mjcf_world(path: Path) -> World:
    """Read a scene.

    What hangs on a free joint is an object that robots may carry, with the mass that MuJoCo gives it. All else stands,
    each body on the world one obstacle, each geom of the world another; what moves on one by a slide or a hinge with
    limits is a part of it, which opens. Sites are task frames. A level plane is the floor; what has actuators is a
    robot, and left out. The default object is the first that can be carried, and robots start beside it where there is
    room.

    Raises:
        MissingDependencyError: MuJoCo is not installed.
        WorldError: MuJoCo refuses the file, or there is nothing in it.
    """
    try:
        mjcf = Mjcf(path)
    except RobotError as error:
        raise WorldError(str(error)) from error
    scene = _Scene(mjcf)
    objects = {model.id: model for model, _ in scene.things}
    if not objects:
        raise WorldError(f"{path}: the scene has nothing that a robot could touch")
    if len(objects) > MOST_OBJECTS:
        raise WorldError(f"{path}: {len(objects)} bodies and geoms of the world; {MOST_OBJECTS} are allowed")
    placements = dict(_placed(scene.things))
    poses = place(objects, placements)
    default = next((id for id, model in objects.items() if model.movable), next(iter(objects)))
    boxes = {id: bounding_box(model.shapes, poses[id]) for id, model in objects.items()}
    lower = np.min([box[0][:2] for box in boxes.values()], axis=0) - MARGIN
    upper = np.max([box[1][:2] for box in boxes.values()], axis=0) + MARGIN
    bounds = (float(lower[0]), float(lower[1]), float(upper[0]), float(upper[1]))
    x, y, yaw = _start(boxes, default, bounds)
    on = placements[default].on
    return World(
        name=path.stem,
        description=f"the scene {path.name}",
        source=str(path.resolve()),
        objects=objects,
        poses=poses,
        default_object=default,
        start=((x - AROUND, y - AROUND, yaw - TURNED), (x + AROUND, y + AROUND, yaw + TURNED)),
        bounds=bounds,
        furniture_scale=1.0,
        placements=placements,
        default_surface=on or FLOOR,
    )


class _Scene:
    """What there is in a scene.

    Attributes:
        things: Objects, and where they are: (4, 4).
    """

    def __init__(self, mjcf: Mjcf) -> None:
        self._mjcf = mjcf
        self._folder = folder_of("mjcf")
        self.things: list[tuple[ObjectModel, Array]] = []
        self._ids = set[str]()
        self._parts: list[tuple[int, str, Array]] = []  # bodies that move, on what, and where in that
        for geom in mjcf.of_body("geom", WORLD):
            self._add_of_world(geom)
        driven = self._driven()
        for body in mjcf.children(WORLD):
            if driven.isdisjoint(mjcf.below(body)) and not mjcf.model.body_mocapid[body] >= 0:
                self._add(body)
        prune(self._folder, KEPT)
        self._drop_to_floor()

    def _add_of_world(self, geom: int) -> None:
        if self._mjcf.geom_kind(geom) != "plane":
            name = self._mjcf.name("geom", geom) or f"geom_{geom}"
            X_WG = self._mjcf.pose("geom", geom)
            self._keep(name, self._shapes([geom], inverse(X_WG)), X_WG)

    def _add(self, body: int) -> None:
        """Add a body on the world with all that it carries: what moves on it by one joint as parts of their own."""
        mjcf = self._mjcf
        own = [mjcf.joint_kind(joint) for joint in mjcf.joints(body)]
        free = "free" in own or (own.count("slide") == 3 and (own.count("hinge") == 3 or "ball" in own))
        mass = float(mjcf.model.body_subtreemass[body]) if free else None
        self._add_group(body, mjcf.body_name(body), np.eye(4), mjcf.pose("body", body), not free, mass=mass)

    def _add_group(
        self,
        root: int,
        name: str,
        X: Array,
        X_WO: Array,
        with_parts: bool,
        joint: ObjectJoint | None = None,
        mass: float | None = None,
    ) -> None:
        """Add a body at ``X`` (4, 4) in its object's frame, with what is fixed to it; parts of parts stay."""
        mjcf, poses, stay = self._mjcf, {root: X}, list[int]()
        for body in mjcf.below(root):
            if body == root:
                continue
            parent = int(mjcf.model.body_parentid[body])
            if parent in poses:
                poses[body] = poses[parent] @ mjcf.pose("body", body)
                joints = mjcf.joints(body)
                if with_parts and len(joints) == 1 and self._leads(joints[0]):
                    self._parts.append((body, name, poses.pop(body)))
                else:
                    stay += joints
        if mass is None and joint is None:
            stay += mjcf.joints(root)
        if stay:
            named = ", ".join(mjcf.joint_names[each] for each in stay)
            logging.getLogger("taskmatrix").warning("%s: joints of '%s' stay: %s", mjcf.path.name, name, named)
        shapes = [
            shape
            for body, X_OB in poses.items()
            for shape in self._shapes(
                mjcf.of_body("geom", body), X_OB, body != root and _is_handle(mjcf.body_name(body))
            )
        ]
        frames = {
            mjcf.name("site", site): X_OB @ mjcf.pose("site", site)
            for body, X_OB in poses.items()
            for site in mjcf.of_body("site", body)
            if mjcf.name("site", site)
        }
        self._keep(name, shapes, X_WO, frames, mass, joint)
        waiting, self._parts = self._parts, []
        for body, parent_name, X_OB in waiting:
            if parent_name in self._ids:
                made, X_part = self._joint(mjcf.joints(body)[0], parent_name, X_OB)
                self._add_group(body, mjcf.body_name(body), X_part, X_WO @ made.at(made.within(0.0)), False, made)

    def _leads(self, joint: int) -> bool:
        """Whether a joint can be that of a part."""
        return self._mjcf.joint_kind(joint) in {"slide", "hinge"} and bool(self._mjcf.model.jnt_limited[joint])

    def _joint(self, number: int, parent: str, X: Array) -> tuple[ObjectJoint, Array]:
        """The joint of a part whose body is at ``X`` (4, 4), and the body's pose in the part's frame.

        Closed is the end of its range at which, or nearer to which, it is at first.
        """
        model = self._mjcf.model
        axis, anchor = model.jnt_axis[number].copy(), np.eye(4)
        anchor[:3, 3] = model.jnt_pos[number]
        first = float(model.qpos0[model.jnt_qposadr[number]])
        lower, upper = (float(end) - first for end in model.jnt_range[number])
        if abs(upper) < abs(lower):
            axis, lower, upper = -axis, -upper, -lower
        kind: JointKind = "slide" if self._mjcf.joint_kind(number) == "slide" else "hinge"
        friction = float(model.dof_frictionloss[model.jnt_dofadr[number]])
        damping = float(model.dof_damping[model.jnt_dofadr[number]])
        mass = float(model.body_subtreemass[int(model.jnt_bodyid[number])])
        made = ObjectJoint(parent, kind, X @ anchor, axis, lower, upper, friction, damping, mass)
        return made, inverse(anchor)

    def _keep(
        self,
        name: str,
        shapes: Iterable[Shape],
        X_WO: Array,
        frames: dict[str, Array] | None = None,
        mass: float | None = None,
        joint: ObjectJoint | None = None,
    ) -> None:
        """Add an object; what has a mass can be carried."""
        shapes = tuple(shapes)
        if not any(shape.collides for shape in shapes):
            return
        while name in self._ids:
            name += "_"
        self._ids.add(name)
        kind = "obstacle" if mass is None and joint is None else GRASPABLE
        model = ObjectModel(name, f"{kind}/{name}", shapes, (), frames or {}, mass is not None, "", mass, joint=joint)
        self.things.append((model, X_WO))

    def _shapes(self, geoms: Iterable[int], X: Array, handle: bool = False) -> Iterator[Shape]:
        """The geoms of a body at ``X`` (4, 4) in the object's frame, which may be its handle."""
        mjcf = self._mjcf
        for geom in geoms:
            kind, size, collides = mjcf.geom_kind(geom), mjcf.model.geom_size[geom], mjcf.collides(geom)
            if not (collides or mjcf.drawn(geom)):
                continue
            placed: dict[str, Any] = {
                "X_OS": X @ mjcf.pose("geom", geom),
                "color": mjcf.color(geom) if mjcf.drawn(geom) else (0.7, 0.7, 0.7, 1.0),
                "collides": collides,
                "handle": handle or _is_handle(mjcf.name("geom", geom) or ""),
            }
            if kind == "box":
                yield Shape("box", tuple((2.0 * size).tolist()), **placed)
            elif kind == "sphere":
                yield Shape("sphere", (float(size[0]),), **placed)
            elif kind == "cylinder":
                yield Shape("cylinder", (float(size[0]), 2.0 * float(size[1])), **placed)
            elif kind == "capsule":
                yield Shape("capsule", (float(size[0]), 2.0 * float(size[1])), **placed)
            elif kind in {"mesh", "ellipsoid"}:
                yield Shape("mesh", (1.0, 1.0, 1.0), mesh=self._surface(geom), **placed)
            else:
                raise WorldError(f"{mjcf.path}: the geom {self._named(geom)} is of the kind {kind}, which is not read")

    def _named(self, geom: int) -> str:
        return f"'{self._mjcf.name('geom', geom)}'" if self._mjcf.name("geom", geom) else f"number {geom}"

    def _surface(self, geom: int) -> Path:
        """The file of a surface, in the cache, named by what is in it."""
        data = bytes(self._mjcf.surface(geom).export(file_type="stl"))  # type: ignore[arg-type]
        file = self._folder / f"{hashlib.sha256(data).hexdigest()}.stl"
        if not file.is_file():
            with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as made:
                made.write(data)
            os.replace(made.name, file)
        return file

    def _driven(self) -> set[int]:
        """Bodies whose joints have actuators."""
        model, joints = self._mjcf.model, set[int]()
        for actuator in range(model.nu):
            if int(model.actuator_trntype[actuator]) <= 1:
                joints.add(int(model.jnt_bodyid[int(model.actuator_trnid[actuator][0])]))
        return joints

    def _drop_to_floor(self) -> None:
        """Have the highest level plane at zero."""
        heights = []
        for geom in range(self._mjcf.model.ngeom):
            if self._mjcf.geom_kind(geom) == "plane":
                X = self._mjcf.pose("geom", geom)
                body = int(self._mjcf.model.geom_bodyid[geom])
                X = X if body == WORLD else self._mjcf.pose("body", body) @ X
                if X[2, 2] < LEVEL:
                    logging.getLogger("taskmatrix").warning(
                        "%s: the plane %s is not level, and left out", self._mjcf.path.name, self._named(geom)
                    )
                else:
                    heights.append(float(X[2, 3]))
        if heights:
            for _, X_WO in self.things:
                X_WO[2, 3] -= max(heights)


def _is_handle(name: str) -> bool:
    """Whether something is called a handle."""
    return any(word in name.lower() for word in HANDLES)


def _placed(things: Iterable[tuple[ObjectModel, Array]]) -> Iterator[tuple[str, Placement]]:
    """Where each stands: what can be carried, on what is right below it."""
    things = sorted(things, key=lambda thing: thing[0].movable)
    boxes = [(model.id, *bounding_box(model.shapes, X_WO), X_WO) for model, X_WO in things if not model.movable]
    for model, X_WO in things:
        lower, _ = bounding_box(model.shapes, X_WO)
        placement = Placement(None, X_WO[:3, 3].copy(), X_WO[:3, :3].copy(), (0.0, 0.0, 0.0))
        placement.position[2] = lower[2] - GAP
        if model.joint is not None:
            yield model.id, replace(placement, on=model.joint.parent, opening=model.joint.within(0.0))
            continue
        if not model.movable:
            yield model.id, placement
            continue
        x, y = X_WO[:2, 3]
        below = [
            (high[2], id, (low + high) / 2, X_WS)
            for id, low, high, X_WS in boxes
            if abs(lower[2] - high[2]) < RESTS and low[0] < x < high[0] and low[1] < y < high[1]
        ]
        if below:
            _, id, middle, X_WS = max(below, key=lambda found: found[0])
            if X_WS[2, 2] > LEVEL:
                position = X_WS[:3, :3].T @ (X_WO[:3, 3] - middle)
                position[2] = 0.0
                placement = Placement(id, position, X_WS[:3, :3].T @ X_WO[:3, :3], (0.0, 0.0, 0.0))
        elif lower[2] < RESTS:
            placement.position[2] = 0.0
        yield model.id, placement


def _start(boxes: dict[str, Box], about: str, bounds: tuple[float, float, float, float]) -> tuple[float, float, float]:
    """X [m], y [m] and yaw [rad] of the free place that is nearest to an object, and looks at it."""
    target = boxes[about][0][:2] / 2 + boxes[about][1][:2] / 2
    around = [(low[:2] - ROOM, high[:2] + ROOM) for low, high in boxes.values() if high[2] > LOW]
    x, y = np.meshgrid(np.arange(bounds[0], bounds[2], ROOM / 5), np.arange(bounds[1], bounds[3], ROOM / 5))
    places = np.stack([x.ravel(), y.ravel()], axis=1)
    free = np.ones(len(places), dtype=bool)
    for low, high in around:
        free &= ((places < low) | (places > high)).any(axis=1)
    places = places[free] if free.any() else places
    far = np.linalg.norm(places - target, axis=1)
    nearest = places[int(far.argmin())]
    to = target - nearest
    return float(nearest[0]), float(nearest[1]), math.atan2(float(to[1]), float(to[0]))
