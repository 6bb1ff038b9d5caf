from __future__ import annotations

from pathlib import Path

import coal
import numpy as np
import pinocchio as pin
import pytest
import scipy.spatial

from taskmatrix.kernel.collision.dynamic_scene import Piece
from taskmatrix.kernel.collision.grids import UNIT, Tables
from taskmatrix.kernel.collision.kernel import Kernel
from taskmatrix.kernel.collision.solid import Solid
from taskmatrix.kernel.collision.tables import CLOSE, tables

from .trees import Referee, add, mesh_of, solid


@pytest.fixture
def shoulder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[pin.Model, pin.GeometryModel, Tables]:
    """An arm of two joints that is always close to the chest, a far thing, and what was measured of them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    model, geometry = pin.Model(), pin.GeometryModel()
    for number, joint in enumerate((pin.JointModelRX(), pin.JointModelRY())):
        limits = np.array([0.4])
        model.addJoint(number, joint, pin.SE3.Identity(), f"joint_{number}", limits, limits, -limits, limits)
    add(geometry, "chest", 0, pin.SE3.Identity(), coal.Box(0.2, 0.2, 0.2))
    add(geometry, "arm", 2, pin.SE3(np.eye(3), np.array([0.0, 0.0, 0.17])), coal.Capsule(0.03, 0.08))
    add(geometry, "far", 0, pin.SE3(np.eye(3), np.array([0.0, 0.0, 2.0])), coal.Box(0.1, 0.1, 0.1))
    geometry.addCollisionPair(pin.CollisionPair(0, 1))
    geometry.addCollisionPair(pin.CollisionPair(1, 2))
    return model, geometry, tables(model, geometry)


def test_only_what_is_always_close_has_a_table(shoulder: tuple[pin.Model, pin.GeometryModel, Tables]) -> None:
    """The arm and the chest."""
    assert shoulder[2].pairs.tolist() == [[0, 1]] or shoulder[2].pairs.tolist() == [[1, 0]]


def test_tables_tell_no_more_than_coal(shoulder: tuple[pin.Model, pin.GeometryModel, Tables]) -> None:
    """At any position, on the limits too; and not much less."""
    model, geometry, found = shoulder
    referee, random = Referee(model, geometry), np.random.default_rng(0)
    i, j, rows, columns, first = found.grids[0].tolist()
    low_i, per_i, low_j, per_j = found.cells[0]
    for q in [*random.uniform(-0.4, 0.4, (200, 2)), np.full(2, 0.4), np.full(2, -0.4)]:
        x, y = int((q[i - 1] - low_i) * per_i), int((q[j - 1] - low_j) * per_j)
        assert 0 <= x < rows
        assert 0 <= y < columns
        told, distance = UNIT * found.clear[first + x * columns + y], min(CLOSE, referee.distances(q)[0])
        assert told <= max(distance, 0.0) + 1e-6
        assert told >= distance - 0.012


def test_contacts_are_in_doubt_with_tables_too(shoulder: tuple[pin.Model, pin.GeometryModel, Tables]) -> None:
    """And what is clear is not, at a margin and beyond the limits as well."""
    model, geometry, found = shoulder
    kernel, referee, random = Kernel(model, geometry, tables=found), Referee(model, geometry), np.random.default_rng(1)
    for margin in (0.0, 0.02, 0.2):
        kernel.set_margins(np.array([margin, 0.0]))
        for q in random.uniform(-0.6, 0.6, (60, 2)):
            doubtful, distance = 0 in kernel.doubtful(q), referee.distances(q)[0]
            assert doubtful or distance > margin - 1e-6
            assert not doubtful or distance < margin + 2e-4


def test_tables_hold_whatever_the_numbers_of_the_pairs(
    shoulder: tuple[pin.Model, pin.GeometryModel, Tables],
) -> None:
    """Bodies are added and pairs are set anew: the pair that has a table still has it, and no other."""
    model, geometry, found = shoulder
    kernel, referee, random = Kernel(model, geometry, tables=found), Referee(model, geometry), np.random.default_rng(2)
    ball = kernel.add([Piece(Solid.of(coal.Sphere(0.1)), 0, pin.SE3(np.eye(3), np.array([0.0, 0.0, 3.0])))])
    kernel.pair_up(np.array([[1, ball], [1, 2], [1, 0]]))
    assert kernel.scene.tabled.tolist() == [-1, -1, 0]
    for q in random.uniform(-0.6, 0.6, (60, 2)):
        distance = referee.distances(q)[0]
        assert (2 in kernel.doubtful(q)) == (distance < 1e-4) or abs(distance) < 2e-4
    kernel.pair_up(np.array([[0, 1]]))
    assert kernel.scene.tabled.tolist() == [0]


def test_tables_are_measured_once(
    shoulder: tuple[pin.Model, pin.GeometryModel, Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time they are read."""
    model, geometry, found = shoulder
    monkeypatch.delattr(Kernel, "separations")
    again = tables(model, geometry)
    assert (again.clear == found.clear).all()
    assert (again.grids == found.grids).all()


def test_bodies_with_the_same_hulls_have_tables_of_their_own(
    shoulder: tuple[pin.Model, pin.GeometryModel, Tables],
) -> None:
    """A box and one without a lid, both of eight points: what is measured of one does not hold for the other."""
    model, geometry, _ = shoulder
    points = 0.1 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    triangles = scipy.spatial.ConvexHull(points).simplices
    lid = (points[triangles][:, :, 2] > 0.0).all(axis=1)
    found = []
    for chest in (solid(mesh_of(points, triangles)), mesh_of(points, triangles), mesh_of(points, triangles[~lid])):
        geometry.geometryObjects[0].geometry = chest
        found.append(tables(model, geometry))
        kernel, referee, random = (
            Kernel(model, geometry, tables=found[-1]),
            Referee(model, geometry),
            np.random.default_rng(3),
        )
        for q in random.uniform(-0.4, 0.4, (200, 2)):
            assert 0 in kernel.doubtful(q) or referee.distances(q)[0] > 0.0
    assert found[0].clear.astype(int).sum() < found[2].clear.astype(int).sum()


def test_one_joint_or_none_close(shoulder: tuple[pin.Model, pin.GeometryModel, Tables]) -> None:
    """A table may have one joint; a model without close pairs has no tables."""
    model, geometry, _ = shoulder
    geometry.removeAllCollisionPairs()
    assert len(tables(model, geometry).pairs) == 0
    add(geometry, "upper", 1, pin.SE3(np.eye(3), np.array([0.0, 0.0, 0.17])), coal.Sphere(0.04))
    geometry.addCollisionPair(pin.CollisionPair(0, geometry.ngeoms - 1))
    found = tables(model, geometry)
    assert found.grids[0, 1] == 0
    assert found.grids[0, 3] == 1
    kernel, referee = Kernel(model, geometry, tables=found), Referee(model, geometry)
    for angle in np.linspace(-0.4, 0.4, 9):
        q = np.array([angle, 0.0])
        assert (0 in kernel.doubtful(q)) == (referee.distances(q)[0] < 0)
