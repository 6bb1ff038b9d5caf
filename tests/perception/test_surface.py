"""Points on the outside of objects."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.perception.surface import surface_of

SHAPES = [
    Shape("box", (0.1, 0.2, 0.3), pose((0.1, 0, 0), (0.3, 0.2, 0.1))),
    Shape("cylinder", (0.05, 0.2), pose((0, 0.1, 0), (0.5, 0, 0))),
    Shape("sphere", (0.1,), pose((0, 0, 0.1))),
    Shape("capsule", (0.05, 0.2), pose(rpy=(0, 1.0, 0))),
]
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def distance(shape: Shape, points: Array) -> Array:
    local = np.abs((points - shape.X_OS[:3, 3]) @ shape.X_OS[:3, :3])
    if shape.kind == "box":
        off: Array = (local - np.array(shape.size) / 2).max(axis=1)
    elif shape.kind == "cylinder":
        off = np.maximum(np.hypot(local[:, 0], local[:, 1]) - shape.size[0], local[:, 2] - shape.size[1] / 2)
    else:
        half = shape.size[1] / 2 if shape.kind == "capsule" else 0.0
        local[:, 2] = np.maximum(local[:, 2] - half, 0.0)
        off = np.linalg.norm(local, axis=1) - shape.size[0]
    return off


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_points_are_on_the_shape_and_normals_point_outwards(shape: Shape) -> None:
    """To rounding."""
    surface = surface_of([shape])
    assert distance(shape, surface.points) == pytest.approx(0.0, abs=1e-9)
    assert (distance(shape, surface.points + 1e-3 * surface.normals) > 5e-4).all()
    assert np.linalg.norm(surface.normals, axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_points_are_everywhere(shape: Shape) -> None:
    """No place of the surface is further from one than neighbours are from each other."""
    surface = surface_of([shape])
    random = np.random.default_rng(0).uniform(-0.4, 0.4, (200_000, 3))
    near = random[np.abs(distance(shape, random)) < 1e-3]
    assert surface.tree.query(near)[0].max() < 1.5 * surface.spacing
    assert 800 < len(surface.points) < 6000


def test_what_is_inside_of_another_shape_is_left_out() -> None:
    """Nobody sees it."""
    inner, outer = Shape("sphere", (0.05,), pose()), Shape("box", (0.2, 0.2, 0.2), pose())
    assert np.abs(surface_of([inner, outer]).points).max(axis=1) == pytest.approx(0.1)


def test_what_is_not_seen_is_left_out() -> None:
    """A shape without colour is only for collisions."""
    ghost = Shape("sphere", (0.5,), pose(), (1.0, 1.0, 1.0, 0.0))
    assert surface_of([ghost, SHAPES[2]]).radius == pytest.approx(0.1, rel=0.02)


def test_points_of_a_mesh_are_on_its_triangles(tmp_path: Path) -> None:
    """Spread by area, with the triangles' normals."""
    file = tmp_path / "tetrahedron.obj"
    file.write_text(TETRAHEDRON)
    surface = surface_of([Shape("mesh", (0.1, 0.1, 0.1), pose(), mesh=file)])
    slanted = surface.normals.min(axis=1) > 0.5
    assert surface.points[slanted].sum(axis=1) == pytest.approx(0.1, abs=1e-9)
    assert slanted.mean() == pytest.approx(np.sqrt(3) / (3 + np.sqrt(3)), abs=0.03)
    assert surface.points[~slanted].min(axis=1) == pytest.approx(0.0, abs=1e-9)


def test_points_of_a_cloud_are_the_faces_of_its_cubes() -> None:
    """But for those between two cubes."""
    cloud = np.array([[0.005, 0.005, 0.005], [0.015, 0.005, 0.005]])
    surface = surface_of([Shape("points", (0.01,), pose(), points=cloud)])
    assert len(surface.points) == 10
