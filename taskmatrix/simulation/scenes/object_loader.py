"""Objects from TOML: in a file of their own or inside a world's file."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np

from taskmatrix.core.base.errors import WorldError
from taskmatrix.core.base.files import FURTHEST, MOST_DATA, MOST_POINTS, check_size
from taskmatrix.core.base.tables import Table
from taskmatrix.core.world.geometry import check_cloud, mesh_geometry, pose
from taskmatrix.core.world.object_joint import JointKind, ObjectJoint
from taskmatrix.core.world.objects import Array, ObjectModel, Shape, ShapeKind

from .grasp_loader import read_grasps
from .suction import Suction, read_suction

_KEYS = (
    "type",
    "description",
    "movable",
    "furniture",
    "equipment",
    "mass",
    "rolling",
    "hands",
    "restitution",
    "shape",
    "frame",
    "grasp",
    "suction",
    "part",
)
_PART = ("name", "type", "description", "joint", "shape", "frame", "grasp")
_JOINT = ("kind", "position", "rpy", "axis", "range", "friction", "damping", "mass")
_SIZES = {"box": 3, "cylinder": 2, "capsule": 2, "sphere": 1, "mesh": 3, "points": 1}


@dataclass(frozen=True, eq=False)
class LoadedObject:
    """An object as its file describes it."""

    model: ObjectModel
    """At the size of the file, or scaled by :meth:`scaled`."""
    furniture: bool
    """Whether it stands there in the size of its user."""
    equipment: bool = False
    """Whether it can be moved and comes in the size of its user all the same: a ball for its players."""
    suction: Suction | None = None
    """What it takes in while it is held, if it does."""
    parts: tuple[ObjectModel, ...] = ()
    """What moves on it, by joints: drawers and doors."""

    def scaled(self, factor: float, across: float | None = None) -> LoadedObject:
        """The same object in another size. Only furniture and equipment are; only parts of furniture have grasps.

        What has a mass is taken for a shell as thick as it was: its mass goes with the square of the size.

        Args:
            factor: On its height.
            across: On what is level of it; ``factor`` unless given. A shape that is round, or that is turned out of the
                axes of the object, takes the nearest that it can.
        """
        factors = np.array([across or factor, across or factor, factor])
        mass = None if self.model.mass is None else self.model.mass * factor**2
        model = replace(_scaled_model(self.model, factors), mass=mass)
        return replace(self, model=model, parts=tuple(_scaled_model(part, factors) for part in self.parts))


def read_object(table: Table, id: str, *place: str) -> LoadedObject:
    """Read an object.

    Args:
        table: A whole object file, or a table of a world file.
        id: The object's id in the world.
        *place: Keys of the table that are about the place, and read elsewhere.

    Raises:
        WorldError: A key is missing, unknown, or has a value that is not allowed.
    """
    table.only(*_KEYS, *place)
    taxonomy = table.get("type", str)
    description = table.get("description", str, "")
    movable = table.get("movable", bool, False)
    furniture = table.get("furniture", bool, False)
    mass = table.positive("mass") if "mass" in table.data or movable else None
    equipment = table.get("equipment", bool, False)
    rolling = table.positive("rolling") if "rolling" in table.data else None
    restitution = table.get("restitution", float, 0.0)
    if not 0.0 <= restitution <= 1.0:
        raise table.error("restitution", f"must be from 0 to 1, got {restitution}")
    hands = table.get("hands", int, 1)
    if hands not in (1, 2) or (hands == 2 and not movable):
        raise table.error("hands", f"what can be moved takes 1 or 2, got {hands}")
    shapes = tuple(_shape(entry) for entry in table.tables("shape"))
    if not shapes:
        raise table.error("shape", "missing; an object needs at least one [[shape]]")
    named = table.table("frame")
    frames = {name: read_pose(named.table(name).only("position", "rpy")) for name in named.data}
    grasps = read_grasps(table)
    if grasps and not movable:
        raise table.error("grasp", "an object that cannot be moved has no grasps; set movable = true or remove them")
    if movable and furniture:
        raise table.error("furniture", "an object that can be moved keeps its real size; furniture cannot be movable")
    if equipment and (grasps or not movable):
        problem = "has to be movable and without grasps: those are for one size"
        raise table.error("equipment", f"what comes in the size of its user {problem}")
    suction = read_suction(table.table("suction"), frames) if "suction" in table.data else None
    if suction and not movable:
        raise table.error("suction", "works while it is held; what cannot be moved cannot be held")
    if "part" in table.data and movable:
        raise table.error("part", "what can be moved has no parts that move on it")
    model = ObjectModel(
        id, taxonomy, shapes, grasps, frames, movable, description, mass, rolling, restitution, hands=hands
    )
    return LoadedObject(model, furniture, equipment, suction, tuple(_part(part, id) for part in table.tables("part")))


def _part(table: Table, parent: str) -> ObjectModel:
    """A part, named after its object: ``cabinet_drawer``."""
    table.only(*_PART)
    shapes = tuple(_shape(entry) for entry in table.tables("shape"))
    if not shapes:
        raise table.error("shape", "missing; a part needs at least one [[part.shape]]")
    named = table.table("frame")
    frames = {name: read_pose(named.table(name).only("position", "rpy")) for name in named.data}
    id, joint = f"{parent}_{table.get('name', str)}", _joint(table.table("joint").only(*_JOINT), parent)
    kind, description = table.get("type", str), table.get("description", str, "")
    return ObjectModel(id, kind, shapes, read_grasps(table), frames, description=description, joint=joint)


def _joint(table: Table, parent: str) -> ObjectJoint:
    kind = table.choice("kind", ("slide", "hinge"), "kind of joint")
    axis = np.array(table.numbers("axis", 3))
    if not np.linalg.norm(axis) > 1e-9:
        raise table.error("axis", "must be a direction, not a vector of length 0")
    lower, upper = table.numbers("range", 2)
    if not lower < upper:
        raise table.error("range", f"must go from a smaller position, closed, to a larger, open, got {[lower, upper]}")
    if kind == "hinge" and upper - lower >= 360.0:
        raise table.error("range", f"a hinge turns by less than 360 degrees, got {[lower, upper]}")
    if kind == "hinge":
        lower, upper = math.radians(lower), math.radians(upper)
    resists = {name: table.get(name, float, 0.0) for name in ("friction", "damping")}
    for name, value in resists.items():
        if value < 0.0:
            raise table.error(name, f"must not be negative, got {value}")
    mass = table.positive("mass") if "mass" in table.data else None
    axis /= np.linalg.norm(axis)
    return ObjectJoint(parent, cast(JointKind, kind), read_pose(table), axis, lower, upper, **resists, mass=mass)


def read_pose(table: Table) -> Array:
    """(4, 4) Pose from ``position`` [m] and ``rpy`` [degrees, about the fixed axes x, then y, then z]."""
    rpy = np.radians(table.numbers("rpy", 3, (0.0, 0.0, 0.0)))
    return pose(table.numbers("position", 3, (0.0, 0.0, 0.0), FURTHEST), rpy.tolist())


def _shape(entry: Table) -> Shape:
    file_key = [key for key in ("mesh", "points") if entry.data.get("kind") == key]
    entry.only("kind", "size", "position", "rpy", "color", "collides", "handle", *file_key)
    kind = entry.choice("kind", _SIZES, "kind of shape")
    file = entry.file(kind) if file_key else None
    size = entry.numbers("size", _SIZES[kind], (1.0, 1.0, 1.0) if kind == "mesh" else None, FURTHEST)
    if min(size) <= 0.0:
        raise entry.error("size", f"must be above zero, got {list(size)}")
    color = entry.numbers("color", (3, 4), (0.7, 0.7, 0.7))
    if not all(0.0 <= value <= 1.0 for value in color):
        raise entry.error("color", f"must have values from 0 to 1, not {list(color)}")
    r, g, b, a = (*color, 1.0)[:4]
    collides = entry.get("collides", bool, True)
    points = _points(entry, file) if file is not None and kind == "points" else None
    mesh = file if kind == "mesh" else None
    handle = entry.get("handle", bool, False)
    shape = Shape(cast(ShapeKind, kind), size, read_pose(entry), (r, g, b, a), mesh, collides, points, handle)
    if kind == "mesh":
        try:
            mesh_geometry(shape)
        except WorldError as error:
            raise entry.error("mesh", str(error)) from error
    return shape


def _points(entry: Table, file: Path) -> Array:
    """(k, 3) [m] Points from an array of NumPy's, or from text with three numbers a line."""
    try:
        check_size(file, MOST_DATA, WorldError)
        # as a map of the file, whose header may promise more than there is
        read = np.load(file, mmap_mode="r") if file.suffix == ".npy" else np.loadtxt(file, ndmin=2, comments=None)
        if read.ndim == 2 and len(read) > MOST_POINTS:
            raise entry.error("points", f"{file.name} has {len(read)} points; {MOST_POINTS} are allowed")
        points = np.array(read, dtype=float)
    except (ValueError, TypeError, EOFError, OverflowError, OSError):
        raise entry.error("points", f"{file.name} is not an array of numbers") from None
    if points.ndim != 2 or points.shape[1] != 3 or not len(points) or not np.isfinite(points).all():
        raise entry.error("points", f"{file.name} must have finite points (k, 3), not an array of shape {points.shape}")
    check_cloud(points, entry.numbers("size", 1)[0], lambda problem: entry.error("points", f"{file.name}: {problem}"))
    return points


def _scaled_model(model: ObjectModel, factors: Array) -> ObjectModel:
    """A model whose size is multiplied by factors (3,) along its axes."""
    shapes = tuple(
        replace(
            shape,
            size=_sizes(shape, factors),
            X_OS=_scaled(shape.X_OS, factors),
            points=None if shape.points is None else _own(shape, factors) * shape.points,
        )
        for shape in model.shapes
    )
    frames = {name: _scaled(X_OF, factors) for name, X_OF in model.frames.items()}
    narrower = float(factors.min())
    grasps = tuple(
        replace(grasp, X_OH=_scaled(grasp.X_OH, factors), width=narrower * grasp.width) for grasp in model.grasps
    )
    joint = model.joint
    if joint is not None:
        along = float(np.linalg.norm(factors * joint.axis)) if joint.kind == "slide" else 1.0
        ends = along * joint.lower, along * joint.upper
        mass = None if joint.mass is None else joint.mass * float(factors.prod()) ** (2 / 3)
        joint = replace(joint, X_PJ=_scaled(joint.X_PJ, factors), lower=ends[0], upper=ends[1], mass=mass)
    return replace(model, shapes=shapes, frames=frames, grasps=grasps, joint=joint)


def _scaled(X: Array, factors: Array) -> Array:
    scaled = X.copy()
    scaled[:3, 3] *= factors
    return scaled


def _own(shape: Shape, factors: Array) -> Array:
    """(3,) Factors along the axes of a shape."""
    if np.ptp(factors) == 0.0:
        return factors
    along: Array = np.linalg.norm(factors[:, None] * shape.X_OS[:3, :3], axis=0)
    return along


def _sizes(shape: Shape, factors: Array) -> tuple[float, ...]:
    """The size of a shape whose object is scaled: a radius by the smallest of the factors across it."""
    own = _own(shape, factors)
    factors_of = {1: (own.min(),), 2: (own[:2].min(), own[2]), 3: tuple(own)}[len(shape.size)]
    return tuple(float(f * s) for f, s in zip(factors_of, shape.size, strict=True))
