"""Grasps from object files: one entry may stand for a family."""

from __future__ import annotations

import math

import numpy as np
import scipy

from taskmatrix.core.base.files import MOST_GRASPS
from taskmatrix.core.base.tables import Table
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, Grasp


def read_grasps(object: Table) -> tuple[Grasp, ...]:
    """Read the ``[[grasp]]`` entries of an object.

    An entry gives the origin (``position``), z axis (``approach``) and y axis (``close``) of the hand's grasp frame in
    the object's frame and the object's ``width`` along y. ``slide`` replaces it by copies moved along an axis of the
    object, ``spin`` by copies turned about one, named ``name/0``, ``name/1``, ..., and ``name/0/0`` with both;
    ``flip`` adds to each its copy turned by half a turn about the hand's z, named ``.../flipped``.

    Raises:
        WorldError: An entry is inconsistent, or two grasps have the same name.
    """
    grasps: dict[str, Grasp] = {}
    for entry in object.tables("grasp"):
        for grasp in _family(entry, MOST_GRASPS - len(grasps)):
            if grasp.name in grasps:
                raise entry.error("name", f"there are two grasps '{grasp.name}'; names must be unique in the object")
            grasps[grasp.name] = grasp
    return tuple(grasps.values())


def _family(entry: Table, most: int) -> list[Grasp]:
    entry.only("name", "width", "position", "approach", "close", "slide", "spin", "flip")
    name = entry.get("name", str)
    width = entry.positive("width")
    X_OH = _grasp_frame(entry)
    members = [(name, X_OH)]
    for key, copies in (("slide", _slide), ("spin", _spin)):
        if key in entry.data:
            count = entry.table(key).get("count", int)
            if count * len(members) > most:
                raise entry.table(key).error("count", f"{count} is too many; an object may have {MOST_GRASPS} grasps")
            moved = copies(entry.table(key))
            members = [(f"{label}/{i}", X_OO @ X) for label, X in members for i, X_OO in enumerate(moved)]
    if entry.get("flip", bool, False):
        half_turn = np.diag([-1.0, -1.0, 1.0, 1.0])
        members = [m for label, X in members for m in ((label, X), (f"{label}/flipped", X @ half_turn))]
    return [Grasp(label, X, width) for label, X in members]


def _grasp_frame(entry: Table) -> Array:
    z = _direction(entry, "approach")
    close = _direction(entry, "close")
    if abs(z @ close) > 0.01:
        raise entry.error("close", "must be at right angles to approach: the fingers close across the palm")
    y = close - (z @ close) * z
    y = y / float(np.linalg.norm(y))
    X_OH = np.eye(4)
    X_OH[:3, :3] = np.column_stack([np.cross(y, z), y, z])
    X_OH[:3, 3] = entry.numbers("position", 3, (0.0, 0.0, 0.0))
    return X_OH


def _slide(slide: Table) -> list[Array]:
    """Displacements of an object along one of its axes: (4, 4) each, the first none, the last by the whole length."""
    slide.only("axis", "length", "count")
    axis, length, count = _direction(slide, "axis"), slide.positive("length"), slide.get("count", int)
    if count < 2:
        raise slide.error("count", f"must be 2 or more, got {count}")
    return [pose(axis * distance) for distance in np.linspace(0.0, length, count)]


def _spin(spin: Table) -> list[Array]:
    """Rotations of an object about one of its axes: (4, 4) each."""
    spin.only("axis", "through", "count", "range")
    axis = _direction(spin, "axis")
    through = np.array(spin.numbers("through", 3, (0.0, 0.0, 0.0)))
    count = spin.get("count", int)
    if count < 1:
        raise spin.error("count", f"must be 1 or more, got {count}")
    if "range" in spin.data:
        first, last = (math.radians(angle) for angle in spin.numbers("range", 2))
        angles = np.linspace(first, last, count).tolist()
    else:
        angles = [i * 2 * math.pi / count for i in range(count)]
    turns = []
    for angle in angles:
        X = np.eye(4)
        X[:3, :3] = scipy.spatial.transform.Rotation.from_rotvec(axis * angle).as_matrix()
        X[:3, 3] = through - X[:3, :3] @ through
        turns.append(X)
    return turns


def _direction(table: Table, key: str) -> Array:
    vector = np.array(table.numbers(key, 3))
    length = float(np.linalg.norm(vector))
    if length < 1e-9:
        raise table.error(key, "must be a direction, not a vector of length 0")
    return np.asarray(vector / length, dtype=np.float64)
