"""What an object is: shapes, type, task frames and grasps; shared by the world, the skills and the behaviors."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..base.errors import WorldError
from .object_joint import ObjectJoint

Array = NDArray[np.float64]
GRASPABLE = "graspable"
"""Word of the taxonomy of what may be grasped without saying how: grasps of it are found."""
ShapeKind = Literal["box", "cylinder", "sphere", "capsule", "mesh", "points"]


@dataclass(frozen=True, eq=False)
class Shape:
    """One rigid piece of an object.

    The shape's frame is at its centre; a cylinder's or capsule's axis is z.
    """

    kind: ShapeKind
    """What the size means: see ``size``."""
    size: tuple[float, ...]
    """[m] box: full extents (x, y, z); cylinder, capsule: (radius, length without caps); sphere: (radius,);
    mesh: scale factors (x, y, z); points: (resolution,), the side of the cubes that stand for them."""
    X_OS: Array
    """(4, 4) Pose of the shape in the object's frame."""
    color: tuple[float, float, float, float] = (0.7, 0.7, 0.7, 1.0)
    """Red, green, blue and opacity in 0..1."""
    mesh: Path | None = None
    """File of a mesh (OBJ or STL)."""
    collides: bool = True
    """False for what is only seen (a label, a decoration)."""
    points: Array | None = None
    """(k, 3) [m] Points of a cloud in the shape's frame, as a depth camera sees them."""
    handle: bool = False
    """Whether the object is to be held by it."""

    @cached_property
    def content(self) -> str:
        """A hash of the mesh's file as it is when it is first asked for; the shape stays that. Empty without a mesh.

        Raises:
            WorldError: There is no such file.
        """
        if self.mesh is None:
            return ""
        if not self.mesh.is_file():
            raise WorldError(f"no such mesh: {self.mesh}")
        with self.mesh.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, eq=False)
class Grasp:
    """One way to hold an object: where a hand's grasp frame has to be.

    The grasp frame of every hand: origin in the middle of what the hand closes on, z out of the palm
    (the direction of approach), y the direction in which the fingers close, x = y cross z.
    """

    name: str
    """Unique within the object, e.g. ``side/3`` for the fourth of a spun family."""
    X_OH: Array
    """(4, 4) Pose of the hand's grasp frame in the object's frame."""
    width: float
    """[m] Extent of the object between the fingers, along the hand's y."""

    @property
    def entry(self) -> str:
        """Name of the grasp that it is a turn of, about the hand's z; its own if it is none."""
        return table_entry(self.name)


def table_entry(name: str) -> str:
    """Name of the grasp of a table that a grasp of some name is a turn of: ``side/3`` of ``side/3/rolled/1``."""
    return re.split("/(?:sloped|rolled)/", name)[0]


@dataclass(frozen=True, eq=False)
class ObjectModel:
    """What is known of an object whatever its state."""

    id: str
    """Symbolic identifier, unique in the world."""
    type: str
    """Taxonomy from the general to the special, separated by slashes: ``obstacle/toy/ball``."""
    shapes: tuple[Shape, ...]
    """The rigid pieces."""
    grasps: tuple[Grasp, ...] = ()
    """Ways to hold it; empty for what cannot be grasped."""
    frames: Mapping[str, Array] = field(default_factory=dict)
    """Task frames by name, (4, 4) each in the object's frame: ``tip`` of a vacuum."""
    movable: bool = False
    """Whether a robot may carry it."""
    description: str = ""
    """One line for people."""
    mass: float | None = None
    """[kg] None where nobody knows."""
    rolling: float | None = None
    """[-] With which share of gravity it slows down while it rolls on a level floor; None where nobody knows."""
    restitution: float = 0.0
    """[-] Of the speed with which it meets a robot, with which it leaves."""
    joint: ObjectJoint | None = None
    """How it moves on what carries it, if it is a part of that."""
    hands: int = 1
    """How many hands it takes to carry it, 1 or 2."""

    def is_a(self, type: str) -> bool:
        """Whether ``type`` is one of the words of this object's taxonomy."""
        return type in self.type.split("/")
