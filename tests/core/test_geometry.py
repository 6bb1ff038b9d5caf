"""Poses and boxes."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix.core.base.errors import ParameterError, WorldError
from taskmatrix.core.world import geometry
from taskmatrix.core.world.geometry import (
    angle_between,
    bounding_box,
    box_distance,
    cubes,
    inverse,
    mesh_geometry,
    planar,
    pose,
    pose_error,
    wrap,
)
from taskmatrix.core.world.objects import Array, Shape, ShapeKind
from taskmatrix.simulation.triangles import triangles

RANDOM = np.random.default_rng(5)
POSES = [pose(RANDOM.uniform(-2, 2, 3), RANDOM.uniform(-np.pi, np.pi, 3).tolist()) for _ in range(4)]


@pytest.mark.parametrize("X", POSES)
@pytest.mark.parametrize("Y", POSES)
def test_poses_are_a_group(X: Array, Y: Array) -> None:
    """Closed, associative, with identity and inverse."""
    XY = X @ Y
    assert_allclose(XY[:3, :3] @ XY[:3, :3].T, np.eye(3), atol=1e-12)
    assert np.linalg.det(XY[:3, :3]) == pytest.approx(1.0)
    assert_allclose((X @ Y) @ POSES[0], X @ (Y @ POSES[0]), atol=1e-12)
    assert_allclose(pose() @ X, X, atol=1e-15)
    assert_allclose(inverse(X) @ X, np.eye(4), atol=1e-12)
    assert_allclose(inverse(XY), inverse(Y) @ inverse(X), atol=1e-12)


def test_roll_pitch_yaw_turn_about_fixed_axes() -> None:
    """As in URDF: first about x, then about the fixed y, then about the fixed z."""
    roll, pitch, yaw = 0.3, -0.7, 1.1
    expected = pose(rpy=(0, 0, yaw)) @ pose(rpy=(0, pitch, 0)) @ pose(rpy=(roll, 0, 0))
    assert_allclose(pose(rpy=(roll, pitch, yaw)), expected, atol=1e-12)
    assert_allclose(planar(1.0, 2.0, np.pi / 2) @ [1, 0, 0, 1], [1, 3, 0, 1], atol=1e-12)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 1.0, np.pi - 1e-6, np.pi])
def test_pose_error_measures_small_and_large_angles(angle: float) -> None:
    """Distance and angle are right from nothing to half a turn, about any axis, from either side."""
    for X in POSES:
        Y = X @ pose((0.3, 0.0, 0.4), (0.0, 0.0, angle))
        assert pose_error(X, Y) == pytest.approx((0.5, angle), abs=1e-12)
        assert pose_error(Y, X) == pytest.approx((0.5, angle), abs=1e-12)


@pytest.mark.parametrize("near", [0.0, 3.0, -20.0])
def test_wrap_finds_the_nearest_turn(near: float) -> None:
    """The same angle, at most half a turn from where it should be near."""
    for angle in RANDOM.uniform(-30, 30, 20):
        wrapped = wrap(angle, near)
        assert abs(wrapped - near) <= np.pi + 1e-12
        assert np.exp(1j * wrapped) == pytest.approx(np.exp(1j * angle))


def _surface(kind: str, size: tuple[float, ...]) -> Array:
    """(k, 3) Many points of a shape that include its outermost ones."""
    directions = RANDOM.normal(size=(200_000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    if kind == "sphere":
        return directions * size[0]
    if kind == "capsule":
        caps: Array = directions * size[0] + np.sign(directions[:, 2:]) * [0, 0, size[1] / 2]
        return caps
    if kind == "cylinder":
        rim = directions[:, :2] / np.linalg.norm(directions[:, :2], axis=1)[:, None] * size[0]
        return np.column_stack([rim, np.sign(directions[:, 2]) * size[1] / 2])
    corners: Array = np.sign(directions) * np.array(size) / 2
    return corners


@pytest.mark.parametrize(
    ("kind", "size"),
    [("box", (0.2, 0.5, 1.0)), ("sphere", (0.3,)), ("capsule", (0.1, 0.6)), ("cylinder", (0.3, 0.4))],
)
@pytest.mark.parametrize("X_WO", POSES)
def test_the_bounding_box_holds_the_shape_and_no_more(kind: ShapeKind, size: tuple[float, ...], X_WO: Array) -> None:
    """It is the box of points sampled on the shape, as near as the sampling goes."""
    shape = Shape(kind, size, POSES[1])
    X_WS = X_WO @ shape.X_OS
    points = _surface(kind, size) @ X_WS[:3, :3].T + X_WS[:3, 3]
    lower, upper = bounding_box([shape], X_WO)
    assert (lower <= points.min(axis=0) + 1e-9).all()
    assert (upper >= points.max(axis=0) - 1e-9).all()
    assert_allclose(lower, points.min(axis=0), atol=2e-3)
    assert_allclose(upper, points.max(axis=0), atol=2e-3)


@pytest.mark.parametrize("collides", [True, False])
def test_the_bounding_box_of_a_mesh_is_that_of_its_scaled_vertices(tmp_path: Path, collides: bool) -> None:
    """A tetrahedron from a file, twice as long. Triangles that are only seen, and may be many, are not kept for it."""
    mesh = tmp_path / "tetrahedron.obj"
    mesh.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    shape = Shape("mesh", (2.0, 1.0, 1.0), pose((0, 0, 1)), mesh=mesh, collides=collides)
    lower, upper = bounding_box([shape], pose((10, 0, 0)))
    assert_allclose([lower, upper], [[10, 0, 1], [12, 1, 2]], atol=1e-6)
    assert (shape in geometry._meshes) is collides


def test_the_box_of_several_shapes_spans_them_and_that_of_none_is_a_point() -> None:
    """A place without a body is where its frame is."""
    shapes = [Shape("sphere", (0.1,), pose((-1, 0, 0))), Shape("sphere", (0.2,), pose((1, 0, 0)))]
    assert_allclose(bounding_box(shapes, pose((0, 0, 1))), [[-1.1, -0.2, 0.8], [1.2, 0.2, 1.2]])
    assert_allclose(bounding_box([], pose((1, 2, 3))), [[1, 2, 3], [1, 2, 3]])


@pytest.mark.parametrize(
    ("offset", "distance"),
    [((0.5, 0, 0), 0.0), ((1, 0, 0), 0.0), ((4, 0, 0), 3.0), ((-4, 5, 0), 5.0), ((2, 3, 3), 3.0)],
)
def test_box_distance(offset: tuple[float, float, float], distance: float) -> None:
    """Unit boxes that overlap, touch, and stand apart along one, two and three axes."""
    first = (np.zeros(3), np.ones(3))
    second = (np.array(offset, dtype=float), np.array(offset, dtype=float) + 1)
    assert box_distance(first, second) == pytest.approx(distance)
    assert box_distance(second, first) == pytest.approx(distance)


@pytest.mark.parametrize("kind", ["box", "cylinder", "capsule", "sphere"])
def test_bounding_boxes_of_many_poses_are_those_of_each(kind: ShapeKind) -> None:
    """One call for a stack of poses."""
    random = np.random.default_rng(0)
    size = {"box": (0.1, 0.2, 0.3), "sphere": (0.1,)}.get(kind, (0.1, 0.4))
    shapes = [Shape(kind, size, pose((0.1, 0, 0), (0.3, 0.2, 0.1))), Shape("box", (0.1, 0.1, 0.1), pose())]
    poses = np.array([pose(random.normal(size=3), random.normal(size=3).tolist()) for _ in range(5)])
    lower, upper = bounding_box(shapes, poses)
    for index, X_WO in enumerate(poses):
        assert_allclose((lower[index], upper[index]), bounding_box(shapes, X_WO))


@pytest.mark.parametrize(
    ("second", "angle"),
    [
        ((2.0, 0.0, 0.0), 0.0),
        ((0.0, 0.5, 0.0), np.pi / 2),
        ((-1.0, 1.0, 0.0), 3 * np.pi / 4),
        ((-3.0, 0.0, 0.0), np.pi),
    ],
)
def test_angle_between_vectors_of_any_length(second: tuple[float, float, float], angle: float) -> None:
    """From 0 to half a turn; exact also where an arc cosine would not be."""
    assert angle_between(np.array([1.0, 0.0, 0.0]), np.array(second)) == pytest.approx(angle)
    assert angle_between(np.array([1.0, 0.0, 0.0]), np.array([1.0, 1e-9, 0.0])) == pytest.approx(1e-9)


def cloud(points: Array, side: float = 0.1) -> Shape:
    return Shape("points", (side,), pose((0, 0, 1)), points=points)


def test_the_bounding_box_of_points_is_that_of_their_cubes() -> None:
    """A point stands for the cube of the grid that it is in, and two in one cube for one."""
    shape = cloud(np.array([[0.01, 0.02, 0.03], [0.05, 0.05, 0.05], [0.31, 0.0, -0.01]]))
    assert_allclose(cubes(shape), [[0.05, 0.05, 0.05], [0.35, 0.05, -0.05]])
    assert_allclose(bounding_box([shape], pose((10, 0, 0))), [[10, 0, 0.9], [10.4, 0.1, 1.1]], atol=1e-12)


@pytest.mark.parametrize(
    "points", [None, np.zeros((0, 3)), np.zeros((4, 2)), np.zeros(3), np.array([[0.0, np.nan, 0.0]])]
)
def test_points_that_are_none_are_refused(points: Array) -> None:
    """With their shape."""
    with pytest.raises(ParameterError, match=r"points must be an array \(k, 3\) of finite numbers"):
        cubes(cloud(points))
    with pytest.raises(ParameterError, match="resolution of points must be above zero"):
        cubes(cloud(np.zeros((1, 3)), 0.0))


@pytest.mark.parametrize(
    "text", ["", "# nothing in it\n", "v 0 0 0\nv 1 0 0\n", "v 0 0 0\nf 1 2 3\n", "v 0 0 0\n" * 3 + "f 1 2 3\n"]
)
def test_a_mesh_with_nothing_in_it_is_refused(tmp_path: Path, text: str) -> None:
    """No triangles, none with an area, or corners that are not there; the file is named."""
    mesh = tmp_path / "empty.obj"
    mesh.write_text(text)
    with pytest.raises(WorldError, match=r"empty\.obj: a mesh needs triangles"):
        mesh_geometry(Shape("mesh", (1.0, 1.0, 1.0), np.eye(4), mesh=mesh))
    with pytest.raises(WorldError, match=r"no such mesh: .*gone\.obj"):
        mesh_geometry(Shape("mesh", (1.0, 1.0, 1.0), np.eye(4), mesh=tmp_path / "gone.obj"))


TRIANGLE = "v 0 0 0\nv {} 0 0\nv 0 1 0\nf 1 2 3\n"


def extents(shape: Shape) -> list[float]:
    """[m] How far triangles, box and drawing of a mesh reach along x."""
    box = bounding_box((shape,), np.eye(4))
    drawn = triangles(shape).vertices
    return [float(np.asarray(mesh_geometry(shape).vertices())[:, 0].max()), float(box[1][0]), float(drawn[:, 0].max())]


def test_a_mesh_stays_what_its_file_was_and_a_new_one_is_what_the_file_is(tmp_path: Path) -> None:
    """Triangles, box and drawing, all from the same file; also where the file seems as old as the one before."""
    file = tmp_path / "a.obj"
    file.write_text(TRIANGLE.format(1))
    times = file.stat().st_mtime_ns, file.stat().st_mtime_ns
    first = Shape("mesh", (1.0, 1.0, 1.0), np.eye(4), mesh=file)
    assert extents(first) == [1.0, 1.0, 1.0]
    file.write_text(TRIANGLE.format(2))
    os.utime(file, ns=times)
    assert extents(Shape("mesh", (1.0, 1.0, 1.0), np.eye(4), mesh=file)) == [2.0, 2.0, 2.0]
    assert extents(first) == [1.0, 1.0, 1.0]


def test_a_mesh_whose_file_was_overwritten_before_it_was_read_as_a_whole_is_refused(tmp_path: Path) -> None:
    """Rather than being another one here than there."""
    file = tmp_path / "a.obj"
    file.write_text(TRIANGLE.format(1))
    shape = Shape("mesh", (1.0, 1.0, 1.0), np.eye(4), mesh=file)
    assert shape.content
    file.write_text(TRIANGLE.format(2))
    for read in (mesh_geometry, triangles, extents):
        with pytest.raises(WorldError, match=r"a\.obj was overwritten .* load .* again"):
            read(shape)
