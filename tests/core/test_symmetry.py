"""Rotations that leave an object as it is."""

from __future__ import annotations

import numpy as np
import pytest
import scipy

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.core.world.symmetry import apart, speeds, symmetry_of

BALL = Shape("sphere", (0.03,), pose())
CAN = Shape("cylinder", (0.03, 0.1), pose())
BOX = Shape("box", (0.1, 0.1, 0.1), pose())


def moved(shape: Shape, xyz: tuple[float, float, float], rpy: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Shape:
    return Shape(shape.kind, shape.size, pose(xyz, rpy))


@pytest.mark.parametrize(
    ("shapes", "kind", "axis"),
    [
        ([], "none", None),
        ([BOX], "none", None),
        ([BALL], "sphere", None),
        ([BALL, Shape("sphere", (0.02,), pose())], "sphere", None),
        ([CAN], "axis", (0, 0, 1)),
        ([moved(CAN, (0.1, 0.2, 0.3), (np.pi / 2, 0, 0))], "axis", (0, 1, 0)),
        ([CAN, moved(CAN, (0, 0, 0.1), (np.pi, 0, 0)), moved(BALL, (0, 0, -0.1))], "axis", (0, 0, 1)),
        ([BALL, moved(BALL, (0.1, 0, 0))], "axis", (1, 0, 0)),
        ([CAN, moved(CAN, (0.01, 0, 0))], "none", None),
        ([CAN, moved(CAN, (0, 0, 0), (0.1, 0, 0))], "none", None),
        ([CAN, moved(BALL, (0.01, 0, 0))], "none", None),
        ([BALL, moved(BALL, (0.1, 0, 0)), moved(BALL, (0, 0.1, 0))], "none", None),
        ([CAN, BOX], "none", None),
    ],
)
def test_kind_and_axis(shapes: list[Shape], kind: str, axis: tuple[float, float, float] | None) -> None:
    """Round shapes on one line have that axis, balls on one spot any; whatever has an edge has none."""
    found = symmetry_of(shapes)
    assert found.kind == kind
    if axis is not None:
        assert np.linalg.norm(np.cross(found.axis, axis)) < 1e-9


def test_labels_do_not_count() -> None:
    """What is only seen changes nothing."""
    seam = Shape("box", (0.05, 0.001, 0.001), pose(), collides=False)
    assert symmetry_of([BALL, seam]).kind == "sphere"


@pytest.mark.parametrize("shape", [moved(BALL, (0.1, 0.2, 0.3)), moved(CAN, (0.1, 0.2, 0.3), (0.4, 0.5, 0.6)), BOX])
def test_rotations_leave_the_shape(shape: Shape) -> None:
    """Centre and axis stay where they are."""
    turns = symmetry_of([shape]).rotations(20, np.random.default_rng(0))
    centre, along = at(shape, 0.0), at(shape, 0.1)
    for X in turns:
        assert np.allclose(X @ centre, centre)
        assert shape.kind == "sphere" or np.allclose(X @ along, along)
        assert np.isclose(np.linalg.det(X[:3, :3]), 1.0)


def test_a_ball_is_turned_every_way() -> None:
    """The rotations of a ball take an axis everywhere."""
    z = symmetry_of([BALL]).rotations(200, np.random.default_rng(0))[:, :3, 2]
    assert (z.min(axis=0) < -0.9).all()
    assert (z.max(axis=0) > 0.9).all()


def at(shape: Shape, z: float) -> Array:
    point: Array = shape.X_OS @ np.array([0.0, 0.0, z, 1.0])
    return point


@pytest.mark.parametrize("shape", [moved(BALL, (0.1, 0.2, 0.3)), moved(CAN, (0.1, 0.2, 0.3), (0.4, 0.5, 0.6)), BOX])
def test_turns_that_leave_the_shape_take_it_nowhere(shape: Shape) -> None:
    """Others are seen, and so is the way of the centre."""
    symmetry, X_WO = symmetry_of([shape]), pose((1.0, 2.0, 3.0), (0.1, 0.2, 0.3))
    for X in symmetry.rotations(20, np.random.default_rng(0)):
        assert apart(symmetry, X_WO, X_WO @ X) == pytest.approx((0.0, 0.0), abs=1e-6)
    assert apart(symmetry, X_WO, pose((0.0, 0.0, 0.01)) @ X_WO) == pytest.approx((0.01, 0.0), abs=1e-6)
    if symmetry.kind != "sphere":
        assert apart(symmetry, X_WO, X_WO @ pose(rpy=(0.0, 0.2, 0.0)))[1] > 0.1


@pytest.mark.parametrize("shape", [moved(BALL, (0.1, 0.2, 0.3)), moved(CAN, (0.1, 0.2, 0.3), (0.4, 0.5, 0.6)), BOX])
def test_speeds_are_those_of_what_can_be_seen(shape: Shape) -> None:
    """A turn that leaves the shape has none, about whatever its origin is; against finite differences."""
    symmetry, X_WO, dt = symmetry_of([shape]), pose((1.0, 2.0, 3.0), (0.1, 0.2, 0.3)), 1e-6
    rng = np.random.default_rng(1)
    for _ in range(10):
        velocity = rng.normal(size=6)
        turned = pose()
        turned[:3, :3] = scipy.spatial.transform.Rotation.from_rotvec(velocity[3:] * dt).as_matrix() @ X_WO[:3, :3]
        turned[:3, 3] = X_WO[:3, 3] + velocity[:3] * dt
        centres = [X[:3, :3] @ symmetry.centre + X[:3, 3] for X in (X_WO, turned)]
        going, turning = speeds(symmetry, X_WO, velocity)
        assert going == pytest.approx(np.linalg.norm(centres[1] - centres[0]) / dt, rel=1e-3)
        assert turning == pytest.approx(apart(symmetry, X_WO, turned)[1] / dt, rel=1e-2, abs=1e-3)
