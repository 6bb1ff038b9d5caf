"""What the geometric conditions measure: boxes, reference points and tops of objects."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from taskmatrix.core.base.errors import NotFoundError, ParameterError, not_found
from taskmatrix.core.behavior.condition import Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.behavior.inversion import Bounds, Upright
from taskmatrix.core.world.geometry import Box, bounding_box, mesh_vertices
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.core.world.perception import Percept

from .tolerances import ROUNDING

CENTRE = "centre"  # the reference point that every object has: the centre of its bounding box
LEVEL = 0.005  # [m] what is no further below the highest point of an object belongs to its top
CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])  # of a unit cube
NARROW = 0.04  # [m] what is narrower, the rim of a drawer, is no place to stand
ROUND = {"sphere", "capsule"}  # shapes on which nothing stands
INSET = 0.001  # [m]
TIGHT = 0.002  # [m] by which the box of what is as large as a top may be larger: a label, the corners of a circle
HEADROOM = 0.03  # [m] above a bottom, at least
RIM = 24  # corners of the polygon that stands for a circle


def missing(context: Context, *ids: str) -> Verdict | None:
    """A verdict that says which of some objects is not known, or None."""
    for id in ids:
        if id not in context.perception:
            return Verdict(False, not_found("object", id, context.perception.percepts))
    return None


def number(name: str, value: object) -> float:
    """An argument that is a number from 0; raises ParameterError."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not float(value) >= 0:
        raise ParameterError(f"{name} has to be a number from 0, not {value!r}")
    return float(value)


def extent(percept: Percept, frame: str | None) -> Box:
    """Lower and upper corner (3,) [m] of an object's box in the world, both its reference point if one is named.

    Raises:
        NotFoundError: The object has no such frame.
    """
    if frame is None:
        return percept.box
    X_OF = _frame(percept.model, frame)
    point = percept.centre if X_OF is None else percept.X_WO[:3, :3] @ X_OF[:3, 3] + percept.X_WO[:3, 3]
    return point, point


def upright_extent(upright: Upright, frame: str | None) -> Box:
    """As :func:`extent`, (m, 3) [m] each and from the origin, of an object that is to be placed."""
    if frame is None:
        return upright.lower, upright.upper
    X_OF = _frame(upright.model, frame)
    point = (upright.lower + upright.upper) / 2 if X_OF is None else upright.R @ X_OF[:3, 3]
    return point, point


def outline(percept: Percept) -> Array:
    """(k, 2) [m] Convex polygon, counterclockwise, around the projection of an object to the ground."""
    points = np.vstack([np.empty((0, 3)), *(_points(shape, percept.X_WO) for shape in percept.model.shapes)])
    polygon = _hull(points[:, :2])
    return rectangle(percept.box) if polygon is None else polygon


def tops(percept: Percept) -> list[Array]:
    """(k, 2) [m] each: as :func:`outline`, around each solid shape's level top that is as high as the object."""
    lowest = percept.box[1][2] - LEVEL
    found = []
    for shape in percept.model.shapes:
        level = shape.collides and shape.kind not in ROUND
        points = _points(shape, percept.X_WO) if level else np.empty((0, 3))
        polygon = _hull(points[points[:, 2] >= lowest, :2])
        if polygon is not None:
            found.append(polygon)
    return found


def bottoms(percept: Percept, at: str | None = None) -> list[tuple[Array, float]]:
    """Polygon (k, 2) [m] and height [m] of each place in an object where something may stand, lower than its top.

    Raises:
        NotFoundError: It has no such frame; with one, places are those at its height.
    """
    frame = None if at is None else extent(percept, at)[0]
    solid = [_points(shape, percept.X_WO) for shape in percept.model.shapes if shape.collides]
    highest = max((float(points[:, 2].max()) for points in solid), default=0.0)
    found = []
    for points in solid:
        height = float(points[:, 2].max())
        polygon = _hull(points[points[:, 2] >= height - LEVEL, :2])
        if polygon is None or height >= highest - LEVEL or float(np.ptp(polygon, axis=0).min()) < NARROW:
            continue
        if frame is not None and abs(float(frame[2]) - height) > HEADROOM:
            continue
        above = [other for other in solid if float(other[:, 2].min()) >= height - LEVEL]
        covers = [other for other in above if _is_over(other, polygon.mean(axis=0))]
        if min((float(other[:, 2].min()) - height for other in covers), default=np.inf) >= HEADROOM:
            found.append((polygon, height))
    return found


def base(upright: Upright) -> Array:
    """(m, k, 2) [m] Corners of what an object stands on, 1 mm inside its edge, from the origin, in the world's axes."""
    solid = [_points(shape, upright.X_SO) for shape in upright.model.shapes if shape.collides]
    points = np.vstack(solid) if solid else np.empty((0, 3))
    lowest = points[:, 2].min(initial=np.inf)
    polygon = _hull(points[points[:, 2] <= lowest + LEVEL, :2])
    if polygon is None:
        return upright.corners()
    out = polygon - polygon.mean(axis=0)
    far = np.maximum(np.linalg.norm(out, axis=1, keepdims=True), INSET)
    return upright.at_yaws(polygon - out * (INSET / far))


def rectangle(box: Box) -> Array:
    """(4, 2) [m] Projection of a box to the ground, counterclockwise."""
    (x, y), (far_x, far_y) = box[0][:2], box[1][:2]
    return np.array([[x, y], [far_x, y], [far_x, far_y], [x, far_y]])


def inside(polygon: Array, points: Array) -> NDArray[np.bool_]:
    """(...) Whether points (..., 2) are in a convex polygon (k, 2), counterclockwise, or on its edge."""
    edges = np.roll(polygon, -1, axis=0) - polygon
    normals = (
        np.column_stack([-edges[:, 1], edges[:, 0]]) / np.maximum(np.linalg.norm(edges, axis=1), ROUNDING)[:, None]
    )
    depth = points @ normals.T - np.sum(normals * polygon, axis=1)
    result: NDArray[np.bool_] = (depth >= -ROUNDING).all(axis=-1)
    return result


def apart(first: Array, second: Array) -> float:
    """[m] How far two convex polygons, (k, 2) and counterclockwise, are apart at least; negative if they overlap."""
    gaps = []
    for one, other in ((first, second), (second, first)):
        edges = np.roll(one, -1, axis=0) - one
        normals = np.column_stack([edges[:, 1], -edges[:, 0]])
        normals /= np.maximum(np.linalg.norm(normals, axis=1), ROUNDING)[:, None]
        gaps.append(((normals @ other.T).min(axis=1) - np.sum(normals * one, axis=1)).max())
    return float(max(gaps))


def standing(upper: Box, lower: Box) -> tuple[float, bool]:
    """[m] from the top of one box to the underside of another, and whether the other's centre projects into the one."""
    centre = (upper[0] + upper[1])[:2] / 2
    return float(upper[0][2] - lower[1][2]), bool(np.all((lower[0][:2] <= centre) & (centre <= lower[1][:2])))


def along(polygons: list[Array]) -> tuple[float, ...]:
    """[rad] The yaws of a box along the edges of polygons, either way."""
    edges = np.vstack([np.roll(polygon, -1, axis=0) - polygon for polygon in polygons])
    quarters = np.unique(np.round(np.arctan2(edges[:, 1], edges[:, 0]) % (np.pi / 2), 9))
    return tuple(float(yaw) + turn for yaw in quarters for turn in (-np.pi, -np.pi / 2, 0.0, np.pi / 2))


def bounded(points: Array) -> Bounds:
    """Where an object's box is, seen from above, within the box of points (k, 2)."""

    def bounds(upright: Upright) -> tuple[Array, Array]:
        lower = np.array([*points.min(axis=0), -np.inf]) - upright.lower
        upper = np.array([*points.max(axis=0), np.inf]) - upright.upper
        tight = (upper < lower) & (lower - upper <= TIGHT)  # as large as the top
        lower[tight] = upper[tight] = (lower[tight] + upper[tight]) / 2
        return lower, upper

    return bounds


def level_with(polygon: Array, height: float) -> Bounds:
    """Where the underside of an object is at a height, and the middle of its box over a polygon (k, 2)."""

    def bounds(upright: Upright) -> tuple[Array, Array]:
        middle = (upright.lower + upright.upper) / 2
        middle[:, 2] = upright.lower[:, 2]
        return np.array([*polygon.min(axis=0), height]) - middle, np.array([*polygon.max(axis=0), height]) - middle

    return bounds


def _frame(model: ObjectModel, frame: str) -> Array | None:
    """X_OF (4, 4), or None for the centre."""
    if frame in model.frames:
        return model.frames[frame]
    if frame == CENTRE:
        return None
    raise NotFoundError("frame", frame, [*model.frames, CENTRE], f"object '{model.id}'")


def _hull(points: Array) -> Array | None:
    """(k, 2) The convex polygon around points (m, 2), counterclockwise; None where it has no area."""
    try:
        hull: Array = points[scipy.spatial.ConvexHull(points).vertices]
    except (scipy.spatial.QhullError, ValueError):
        return None
    return hull


def _is_over(points: Array, place: Array) -> bool:
    polygon = _hull(points[:, :2])
    return polygon is not None and bool(inside(polygon, place))


def _points(shape: Shape, X_WO: Array) -> Array:
    """(k, 3) [m] Points whose hull is about a shape; of what is round in every direction, its bounding box."""
    if shape.kind in {"mesh", "points"}:
        points = mesh_vertices(shape)
    elif shape.kind == "box":
        points = CORNERS * shape.size
    elif shape.kind == "cylinder":
        angles = np.arange(RIM) * 2 * np.pi / RIM
        radius, length = shape.size
        rim = np.column_stack([radius * np.cos(angles), radius * np.sin(angles), np.full(RIM, length / 2)])
        points = np.vstack([rim, rim * [1, 1, -1]])
    else:
        lower, upper = bounding_box([shape], X_WO)
        return (lower + upper) / 2 + CORNERS * (upper - lower)
    X_WS = X_WO @ shape.X_OS
    placed: Array = points @ X_WS[:3, :3].T + X_WS[:3, 3]
    return placed
