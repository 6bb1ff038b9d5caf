from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.core.world.objects import Shape
from taskmatrix.skills.grasping.surface import Surface

from .setting import SIMPLE, at, shape, shipped, thing


@pytest.mark.parametrize("name", [*SIMPLE, "mug", "toy_ring", "l_bracket", "door_wedge", "hand_vacuum"])
def test_points_lie_on_the_outside_and_normals_point_out(name: str) -> None:
    """A little along its normal a point is outside of all shapes, a little back inside of one."""
    surface = Surface.of(SIMPLE[name] if name in SIMPLE else shipped(name))
    points, normals = surface.sample(200, np.random.default_rng(1))
    assert len(points) > 100
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1.0)
    assert not surface.inside(points + 1e-4 * normals).any()
    assert surface.inside(points - 1e-4 * normals).all()


def test_where_shapes_overlap_no_point_is_drawn() -> None:
    """A stick through a ball: its middle is inside the ball."""
    surface = Surface.of(thing(shape("sphere", 0.05), shape("cylinder", 0.01, 0.3)))
    points, _ = surface.sample(500, np.random.default_rng(0))
    radii = np.linalg.norm(points, axis=1)
    assert radii.min() > 0.049
    assert (radii > 0.06).any()


def test_a_line_leaves_where_the_last_of_overlapping_shapes_ends() -> None:
    """Two boxes side by side by 10 mm in each other are one of 90 mm."""
    boxes = thing(shape("box", 0.05, 0.04, 0.04), shape("box", 0.05, 0.04, 0.04, xyz=(0.04, 0, 0)))
    lengths, triangles = Surface.of(boxes).exits(at(-0.0249, 0.003, 0.001)[None], at(1, 0, 0)[None])
    assert lengths == pytest.approx([0.0899])
    assert Surface.of(boxes).normals[triangles] == pytest.approx(np.array([[1.0, 0.0, 0.0]]))


def test_the_inside_of_a_mug_is_outside() -> None:
    """Its middle is air, and through its wall it is four millimetres."""
    surface = Surface.of(shipped("mug"))
    assert surface.inside(np.array([[0.0, 0.0, 0.05], [0.0, 0.038, 0.05], [0.0, 0.0, 0.003]])).tolist() == [0, 1, 1]
    lengths, _ = surface.exits(at(0.0013, 0.0398, 0.05)[None], at(0, -1, 0)[None])
    assert lengths == pytest.approx([0.0038], abs=3e-4)


def test_the_centre_of_an_l_is_between_its_legs() -> None:
    """Of both legs' volumes: 48 and 57.6 cubic centimetres."""
    model = shipped("l_bracket")
    volumes = [np.prod(part.size) for part in model.shapes]
    centre = sum(v * part.X_OS[:3, 3] for v, part in zip(volumes, model.shapes, strict=True)) / sum(volumes)
    assert Surface.of(model).centre == pytest.approx(centre)


def test_a_cloud_of_points_is_a_pile_of_cubes() -> None:
    points = np.array([[x, y, z] for x in (0.005, 0.015) for y in (0.005,) for z in (0.005, 0.015, 0.025)])
    surface = Surface.of(thing(Shape("points", (0.01,), np.eye(4), points=points)))
    low, high = surface.corners.reshape(-1, 3).min(axis=0), surface.corners.reshape(-1, 3).max(axis=0)
    assert low == pytest.approx([0, 0, 0])
    assert high == pytest.approx([0.02, 0.01, 0.03])


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.01, 0.2))
def test_through_the_middle_of_a_ball_it_is_twice_its_radius(seed: int, radius: float) -> None:
    """In any direction, and beside the middle by the law of Pythagoras, as well as a polyhedron can."""
    random = np.random.default_rng(seed)
    direction, beside = np.linalg.qr(random.normal(size=(3, 2)))[0].T
    off = random.uniform(0, 0.8) * radius
    half = np.sqrt(radius**2 - off**2)
    surface = Surface.of(thing(shape("sphere", radius)))
    start = off * beside - 2 * radius * direction
    first = surface.first(start[None], direction[None])
    assert first == pytest.approx([2 * radius - half], abs=0.03 * radius)
    length, _ = surface.exits((start + (first[0] + 1e-5) * direction)[None], direction[None])
    assert length == pytest.approx([2 * half], abs=0.06 * radius)


def test_of_a_mesh_that_encloses_nothing_the_hull_is_taken(tmp_path: Path) -> None:
    """A box without its lid."""
    mesh = trimesh.creation.box((0.04, 0.06, 0.08))
    mesh.update_faces(mesh.face_normals[:, 2] < 0.9)
    mesh.export(tmp_path / "open.obj")
    surface = Surface.of(thing(Shape("mesh", (1.0, 1.0, 1.0), np.eye(4), mesh=tmp_path / "open.obj")))
    assert surface.inside(np.array([[0.0, 0.0, 0.039], [0.0, 0.0, 0.041]])).tolist() == [True, False]


def test_a_mesh_that_is_inside_out_is_turned(tmp_path: Path) -> None:
    mesh = trimesh.creation.icosphere(2, 0.05)
    mesh.invert()
    mesh.export(tmp_path / "ball.obj")
    surface = Surface.of(thing(Shape("mesh", (1.0, 1.0, 1.0), np.eye(4), mesh=tmp_path / "ball.obj")))
    assert ((surface.normals * surface.corners.mean(axis=1)).sum(axis=1) > 0).all()
