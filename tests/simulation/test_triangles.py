from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import WorldError
from taskmatrix.core.world.objects import Shape
from taskmatrix.simulation.triangles import MOST_TRIANGLES, Triangles, triangles

EYE = np.eye(4)


def volume(mesh: Triangles) -> float:
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (Shape("box", (0.2, 0.3, 0.4), EYE), 0.024),
        (Shape("cylinder", (0.1, 0.5), EYE), np.pi * 0.01 * 0.5),
        (Shape("sphere", (0.3,), EYE), 4 / 3 * np.pi * 0.027),
        (Shape("capsule", (0.1, 0.4), EYE), np.pi * 0.01 * 0.4 + 4 / 3 * np.pi * 0.001),
    ],
)
def test_surface_encloses_the_volume_of_the_shape(shape: Shape, expected: float) -> None:
    """Faces are closed, face outwards and are close to the exact surface."""
    assert volume(triangles(shape)) == pytest.approx(expected, rel=0.03)


def test_normals_are_smooth_on_round_surfaces_and_sharp_at_edges() -> None:
    """A sphere's normals are radial; a box has six."""
    ball = triangles(Shape("sphere", (1.0,), EYE))
    radial = ball.vertices / np.linalg.norm(ball.vertices, axis=1)[:, None]
    assert float(np.einsum("ij,ij->i", ball.normals, radial).min()) > 0.98
    box = triangles(Shape("box", (1.0, 2.0, 3.0), EYE))
    assert len(np.unique(np.round(box.normals, 6) + 0.0, axis=0)) == 6


def test_mirrored_mesh_still_faces_outwards(tmp_path: Path) -> None:
    """A negative scale turns the faces around with the vertices."""
    file = tmp_path / "tent.obj"
    file.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    for size in ((1.0, 1.0, 1.0), (1.0, -1.0, 1.0), (2.0, 1.0, 1.0)):
        mesh = triangles(Shape("mesh", size, EYE, mesh=file))
        assert volume(mesh) == pytest.approx(abs(np.prod(size)) / 6, rel=1e-6)


def test_large_mesh_is_simplified_and_keeps_its_form(tmp_path: Path) -> None:
    """A sphere of many triangles gets few enough, and stays the same sphere to a percent."""
    rings, sides = 80, 90
    polar, around = np.meshgrid(np.linspace(0, np.pi, rings), np.arange(sides) * 2 * np.pi / sides, indexing="ij")
    points = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], axis=-1)
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points.reshape(-1, 3)]
    for i in range(rings - 1):
        for j in range(sides):
            a, b = i * sides + j + 1, i * sides + (j + 1) % sides + 1
            lines += [f"f {a} {a + sides} {b}", f"f {b} {a + sides} {b + sides}"]
    file = tmp_path / "ball.obj"
    file.write_text("\n".join(lines))
    mesh = triangles(Shape("mesh", (1.0, 1.0, 1.0), EYE, mesh=file))
    assert 500 < len(mesh.faces) <= MOST_TRIANGLES
    assert volume(mesh) == pytest.approx(4 / 3 * np.pi, rel=0.02)


def test_points_are_drawn_as_boxes() -> None:
    """Of the volume of their cubes; many of them as fewer and larger ones."""
    points = np.array([[0.05, 0.05, 0.05], [0.15, 0.05, 0.05], [0.55, 0.55, 0.55]])
    assert volume(triangles(Shape("points", (0.1,), EYE, points=points))) == pytest.approx(0.003, rel=1e-6)
    many = np.random.default_rng(0).uniform(-1, 1, (3000, 3))
    mesh = triangles(Shape("points", (0.02,), EYE, points=many))
    assert len(mesh.faces) <= MOST_TRIANGLES
    assert float(np.ptp(mesh.vertices, axis=0).min()) > 1.8


def test_a_binary_stl_is_read_as_collision_checks_read_it(tmp_path: Path) -> None:
    """The same triangles, only quicker; one that is cut off is none."""
    corners = np.array([[[0, 0, 0], [0, 1, 0], [1, 0, 0]], [[0, 0, 0], [1, 0, 0], [0, 0, 1]]], dtype="<f4")
    rows = np.zeros(2, dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    rows["corners"] = corners
    file, other = tmp_path / "fold.STL", tmp_path / "fold.obj"
    file.write_bytes(bytes(80) + np.uint32(2).tobytes() + rows.tobytes())
    other.write_text("v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\n")
    read, known = (triangles(Shape("mesh", (1.0, 2.0, 1.0), EYE, mesh=path)) for path in (file, other))
    np.testing.assert_array_equal(read.vertices, known.vertices)
    np.testing.assert_array_equal(read.faces, known.faces)
    (tmp_path / "cut.stl").write_bytes(file.read_bytes()[:-10])
    with pytest.raises(WorldError):
        triangles(Shape("mesh", (1.0, 1.0, 1.0), EYE, mesh=tmp_path / "cut.stl"))
