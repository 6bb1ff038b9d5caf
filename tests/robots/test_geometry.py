"""Collision bodies: convex meshes as solids, how low they reach, and checks that miss nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import coal
import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.geometry.solids import (
    add_pairs,
    checking_data,
    convex_hull,
    highest_point,
    is_convex,
    lowest_point,
    make_convex_solid,
)
from taskmatrix.robots import load_robot

BOX = [(x, y, z) for x in (-1.0, 1.0) for y in (-0.5, 0.5) for z in (-0.2, 0.2)]
FACES = [
    *((1, 2, 4), (1, 4, 3), (5, 7, 8), (5, 8, 6)),
    *((1, 5, 6), (1, 6, 2), (3, 4, 8), (3, 8, 7)),
    *((1, 3, 7), (1, 7, 5), (2, 6, 8), (2, 8, 4)),
]


def mesh(folder: Path, points: list[tuple[float, float, float]], faces: list[tuple[int, int, int]]) -> Any:
    """A mesh of coal from points and faces, by way of a file."""
    path = folder / "mesh.obj"
    path.write_text(
        "".join(f"v {x} {y} {z}\n" for x, y, z in points) + "".join(f"f {a} {b} {c}\n" for a, b, c in faces)
    )
    return coal.MeshLoader(coal.NODE_TYPE.BV_OBBRSS).load(str(path), np.ones(3))


def test_a_box_is_convex_and_a_dented_one_is_not(tmp_path: Path) -> None:
    """Moving one corner inwards past the others' plane makes a mesh that is not convex."""
    assert is_convex(mesh(tmp_path, BOX, FACES))
    assert not is_convex(mesh(tmp_path, [(0.0, 0.0, 0.0), *BOX[1:]], FACES))


def test_the_side_of_the_faces_does_not_matter(tmp_path: Path) -> None:
    """A mirrored mesh has its faces the wrong way round, and is convex all the same."""
    assert is_convex(mesh(tmp_path, BOX, [(a, c, b) for a, b, c in FACES]))


def test_a_flat_mesh_is_not_a_solid(tmp_path: Path) -> None:
    """A sheet has no inside."""
    assert not is_convex(mesh(tmp_path, [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(1, 2, 3), (1, 3, 4)]))


def test_a_convex_mesh_becomes_a_solid_with_the_same_surface(tmp_path: Path) -> None:
    """What is inside is found, and distances from outside are those of the mesh."""
    shell = mesh(tmp_path, BOX, FACES)
    model = pin.GeometryModel()
    model.addGeometryObject(pin.GeometryObject("shell", 0, pin.SE3.Identity(), shell))
    make_convex_solid(model)
    solid = model.geometryObjects[0].geometry
    assert isinstance(solid, coal.Convex)
    inside, still = coal.Sphere(0.05), coal.Transform3s.Identity()
    request = coal.CollisionRequest()
    assert not coal.collide(shell, still, inside, still, request, coal.CollisionResult())
    assert coal.collide(solid, still, inside, still, request, coal.CollisionResult())
    rng = np.random.default_rng(0)
    for p in rng.uniform(-3.0, 3.0, (20, 3)):
        if np.any(np.abs(p) > [1.1, 0.6, 0.3]):
            there = coal.Transform3s(np.eye(3), p)
            gaps = [
                coal.distance(s, still, inside, there, coal.DistanceRequest(), coal.DistanceResult())
                for s in (shell, solid)
            ]
            assert gaps[0] == pytest.approx(gaps[1], abs=1e-6)


@pytest.mark.parametrize(
    "shape",
    [coal.Box(0.2, 0.3, 0.5), coal.Sphere(0.2), coal.Capsule(0.1, 0.4), coal.Cylinder(0.1, 0.4), "mesh", "convex"],
)
def test_lowest_and_highest_point_are_those_of_a_plane_that_touches(shape: Any, tmp_path: Path) -> None:
    """A floor a hair above the lowest point touches the shape, a hair below it does not; likewise the ceiling."""
    if isinstance(shape, str):
        kind, shape = shape, mesh(tmp_path, BOX, FACES)
        if kind == "convex":
            shape.buildConvexHull(True, "Qt")
            shape = shape.convex
    for seed in range(5):
        pin.seed(seed)
        X = pin.SE3.Random()
        here = coal.Transform3s(X.rotation, X.translation)
        for z, side in ((lowest_point(shape, X), -1), (highest_point(shape, X), 1)):
            for hair, touches in ((-1e-4, True), (1e-4, False)):
                slab = coal.Transform3s(np.eye(3), np.array([*X.translation[:2], z + side * (hair + 0.5)]))
                hit = coal.collide(
                    shape, here, coal.Box(20.0, 20.0, 1.0), slab, coal.CollisionRequest(), coal.CollisionResult()
                )
                assert bool(hit) == touches


def test_a_shape_without_a_bottom_is_refused() -> None:
    """A half space cannot stand on the floor."""
    with pytest.raises(TypeError, match="Halfspace cannot stand on the floor"):
        lowest_point(coal.Halfspace(np.array([0.0, 0, 1]), 0.0), pin.SE3.Identity())


def test_pairs_are_all_of_different_moving_bodies_less_the_excluded() -> None:
    """Two bodies of one joint are never paired, every other pair is, but for the pairs of links that are named."""
    robot = load_robot("mannequin")
    geometry = pin.GeometryModel(robot.collision)
    geometry.removeAllCollisionPairs()
    add_pairs(robot.model, geometry, set())
    joints = [body.parentJoint for body in geometry.geometryObjects]
    expected = sum(a != b for i, a in enumerate(joints) for b in joints[i + 1 :])
    assert len(geometry.collisionPairs) == expected
    geometry.removeAllCollisionPairs()
    add_pairs(robot.model, geometry, {frozenset(("chest", "waist"))})
    assert len(geometry.collisionPairs) == expected - 1


def test_checks_miss_no_deep_contact() -> None:
    """The ankle ball is 14 mm inside the shin at every angle: 1000 checks all find it (untuned, 5 in 2000 miss it)."""
    robot = load_robot("mannequin")
    geometry = pin.GeometryModel(robot.collision)
    pair = pin.CollisionPair(geometry.getGeometryId("left_shin_1"), geometry.getGeometryId("left_ankle_ball_0"))
    geometry.removeAllCollisionPairs()
    geometry.addCollisionPair(pair)
    data, geometry_data = robot.model.createData(), checking_data(geometry)
    rng = np.random.default_rng(0)
    for _ in range(1000):
        q = robot.expand(rng.uniform(robot.lower, robot.upper))
        pin.updateGeometryPlacements(robot.model, data, geometry, geometry_data, q)
        assert pin.computeCollision(geometry, geometry_data, 0)


def test_a_hull_with_hundreds_of_corners_around_one_point() -> None:
    """A plate of many sides, which is cut into triangles: coal keeps no more than 255 neighbours of a corner."""
    angles = np.linspace(0.0, 2.0 * np.pi, 400, endpoint=False)
    rim = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(400)])
    plate = coal.BVHModelOBBRSS()
    plate.beginModel(400, 800)
    plate.addVertices(np.vstack([rim, rim + np.array([0.0, 0.0, 0.1])]))
    plate.addTriangles(np.array([[k, (k + 1) % 400, 400 + k] for k in range(400)]))
    plate.endModel()
    hull = convex_hull(plate)
    corners = np.array([hull.point(k) for k in range(hull.num_points)])
    np.testing.assert_allclose(corners.max(axis=0), [1.0, 1.0, 0.1], atol=1e-6)
