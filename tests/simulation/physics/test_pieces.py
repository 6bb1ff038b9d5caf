from __future__ import annotations

from pathlib import Path

import coal
import numpy as np
import pytest
import scipy
import trimesh

from taskmatrix.core.base.errors import MissingDependencyError
from taskmatrix.core.world.geometry import vertices_and_faces
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import load_robot
from taskmatrix.simulation.physics import pieces as module
from taskmatrix.simulation.physics.pieces import MOST, hull, mesh_pieces, pieces


def mesh(body: trimesh.Trimesh) -> coal.BVHModelOBBRSS:
    """A mesh as coal has it."""
    made = coal.BVHModelOBBRSS()
    made.beginModel(len(body.faces), len(body.vertices))
    for corners in body.triangles:
        made.addTriangle(*(np.array(corner) for corner in corners))
    made.endModel()
    return made


def bracket(thick: float = 0.1) -> coal.BVHModelOBBRSS:
    """Two bars at a right angle, 0.4 m and 0.3 m long: its hull is nearly twice as large."""
    outline = [(0.0, 0.0), (0.4, 0.0), (0.4, 0.1), (0.1, 0.1), (0.1, 0.4), (0.0, 0.4)]
    corners = np.array([[x, y, z] for z in (0.0, thick) for x, y in outline])
    faces = [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 5, 4], [6, 7, 8], [6, 8, 9], [6, 9, 10], [6, 10, 11]]
    for k in range(6):
        after = (k + 1) % 6
        faces += [[k, after, after + 6], [k, after + 6, k + 6]]
    return mesh(trimesh.Trimesh(corners, faces, process=False))


def volume(corners: Array) -> float:
    return float(scipy.spatial.ConvexHull(corners).volume)


@pytest.mark.parametrize(
    ("geometry", "kind", "size"),
    [
        (coal.Box(0.1, 0.2, 0.3), "box", (0.1, 0.2, 0.3)),
        (coal.Sphere(0.2), "sphere", (0.2,)),
        (coal.Cylinder(0.1, 0.4), "cylinder", (0.1, 0.4)),
        (coal.Capsule(0.1, 0.4), "capsule", (0.1, 0.4)),
    ],
)
def test_primitives_stay_what_they_are(geometry: coal.CollisionGeometry, kind: str, size: tuple[float, ...]) -> None:
    """With full extents, as a URDF has them."""
    (piece,) = pieces(geometry)
    assert piece.kind == kind
    assert piece.size == pytest.approx(size)


def test_what_fills_its_hull_is_its_hull(own_cache: Path) -> None:
    """Without being decomposed; nothing is kept."""
    (piece,) = mesh_pieces(mesh(trimesh.creation.box((0.1, 0.2, 0.3))))
    assert volume(piece.corners) == pytest.approx(0.006)
    assert not list(own_cache.rglob("*.npz"))


def test_a_hull_has_no_more_corners_than_can_be_stepped() -> None:
    """Those that remain are of the body, and hold nearly all of it, long or round."""
    for stretch in (1.0, 8.0):
        points = trimesh.creation.icosphere(4, 0.1).vertices * [1.0, 1.0, stretch]
        piece = hull(points)
        assert len(piece.corners) <= MOST
        assert {tuple(corner) for corner in piece.corners} <= {tuple(point) for point in points}
        assert volume(piece.corners) > 0.94 * volume(points)


@pytest.mark.slow
@pytest.mark.pictures
def test_what_is_bent_becomes_pieces_that_fill_it(own_cache: Path) -> None:
    """Together they are about as large as the mesh, whose hull is much larger, and none leaves it."""
    found = mesh_pieces(bracket())
    assert len(found) > 1
    true = 0.1 * (0.4 * 0.1 + 0.3 * 0.1)
    assert sum(volume(piece.corners) for piece in found) == pytest.approx(true, rel=0.08)
    corners = np.concatenate([piece.corners for piece in found])
    inner = (corners[:, 0] > 0.11) & (corners[:, 1] > 0.11)
    assert not inner.any()


def test_a_thin_shell_is_not_its_hull() -> None:
    """iCub's face is open behind, and large voxels leak there: its hull would keep a shoulder 6 cm away."""
    (head,) = (body for body in load_robot("icub").collision.geometryObjects if body.name == "head_0")
    found = pieces(head.geometry)
    assert len(found) > 10
    whole = hull(np.asarray(head.geometry.vertices()))
    assert sum(volume(piece.corners) for piece in found) < 0.5 * volume(whole.corners)


@pytest.fixture
def decomposed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A number for each time that a mesh was decomposed, which gives two bars."""
    times: list[int] = []

    def fake(vertices: Array, triangles: Array) -> list[Array]:
        times.append(len(triangles))
        box = np.array([[x, y, z] for x in (0.0, 0.1) for y in (0.0, 0.1) for z in (0.0, 0.1)])
        return [box * [4.0, 1.0, 1.0], box * [1.0, 3.0, 1.0] + [0.0, 0.1, 0.0]]

    monkeypatch.setattr(module, "_decomposed", fake)
    return times


def test_pieces_are_kept(own_cache: Path, decomposed: list[int]) -> None:
    """The second time nothing is decomposed, and they are the same; another mesh is another file."""
    first = mesh_pieces(bracket())
    for piece, kept in zip(first, mesh_pieces(bracket()), strict=True):
        np.testing.assert_array_equal(piece.corners, kept.corners)
    assert len(decomposed) == len(list(own_cache.rglob("*.npz"))) == 1
    mesh_pieces(bracket(0.2))
    assert len(decomposed) == 2


@pytest.mark.parametrize("damage", ["cut", "empty"])
def test_a_damaged_file_is_written_anew(own_cache: Path, decomposed: list[int], damage: str) -> None:
    """As after a process that was ended while it wrote."""
    first = mesh_pieces(bracket())
    (file,) = own_cache.rglob("*.npz")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] if damage == "cut" else b"")
    for _ in range(2):
        for piece, anew in zip(first, mesh_pieces(bracket()), strict=True):
            np.testing.assert_array_equal(piece.corners, anew.corners)
    assert len(decomposed) == 2


def test_without_pybullet_another_divides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Into pieces that together are as large as the mesh, and no larger than a little."""

    def missing(what: str) -> None:
        raise MissingDependencyError(what)

    monkeypatch.setattr(module, "import_bullet", missing)
    found = module._decomposed(*vertices_and_faces(bracket()))
    assert len(found) > 1
    assert sum(volume(corners) for corners in found) == pytest.approx(0.007, rel=0.2)
