from __future__ import annotations

import coal
import numpy as np
import pytest

from taskmatrix.core.world.geometry import bounding_box
from taskmatrix.core.world.objects import Array, Grasp, ObjectModel, Shape
from taskmatrix.simulation.scenes.world_loader import load_world

WORLD, HOME = load_world("sparse"), load_world("apartment")
OBJECTS = {**HOME.objects, **WORLD.objects}
HELD = ("vacuum", "soda_can", "tennis_ball", "broom", "detergent", "towel")


def solid(shape: Shape) -> coal.CollisionGeometry:
    if shape.kind == "mesh":
        mesh = coal.MeshLoader().load(str(shape.mesh), np.array(shape.size))
        mesh.buildConvexHull(True, "Qt")
        return mesh.convex
    if shape.kind == "box":
        return coal.Box(*shape.size)
    if shape.kind == "sphere":
        return coal.Sphere(*shape.size)
    return (coal.Capsule if shape.kind == "capsule" else coal.Cylinder)(*shape.size)


def distance(model: ObjectModel, probe: coal.CollisionGeometry, X_OP: Array) -> float:
    """[m] From a probe to the solid shapes of an object; 0 or less in contact."""
    place = coal.Transform3s(X_OP[:3, :3], X_OP[:3, 3])
    return min(
        float(
            coal.distance(
                solid(shape),
                coal.Transform3s(shape.X_OS[:3, :3], shape.X_OS[:3, 3]),
                probe,
                place,
                coal.DistanceRequest(),
                coal.DistanceResult(),
            )
        )
        for shape in model.shapes
        if shape.collides
    )


def moved(grasp: Grasp, y: float, z: float = 0.0) -> Array:
    X_HP = np.eye(4)
    X_HP[1:3, 3] = y, z
    return grasp.X_OH @ X_HP


@pytest.mark.parametrize("name", HELD)
def test_hand_closes_on_the_width_that_is_declared(name: str) -> None:
    """Between the fingers is the object; half its width to either side along y it ends, to 3 mm."""
    model = OBJECTS[name]
    probe = coal.Sphere(0.001)
    for grasp in model.grasps:
        assert distance(model, probe, grasp.X_OH) <= 0
        reach = 0.5 * grasp.width
        for side in (-1, 1):
            assert distance(model, probe, moved(grasp, side * (reach + 0.004))) > 0, grasp.name
            # a slanted hand meets an upright cylinder a little off its middle, so allow for 3 mm
            assert distance(model, probe, moved(grasp, side * (reach - 0.003))) <= 0, grasp.name


@pytest.mark.parametrize("name", HELD)
def test_there_is_room_for_fingers_on_both_sides(name: str) -> None:
    """Balls of 2 cm fit beside the object where the pads of an open hand are, and on the way there."""
    model = OBJECTS[name]
    finger = coal.Sphere(0.01)
    for grasp in model.grasps:
        for side in (-1, 1):
            for back in (0.0, -0.04, -0.08):
                y = side * (0.5 * grasp.width + 0.012)
                assert distance(model, finger, moved(grasp, y, back)) > 0, f"{grasp.name} at {back}"


def test_vacuum_handle_leaves_five_centimetres_below_it() -> None:
    """A ball of 5 cm, and of 6.5, passes between the bar and the shell."""
    model = WORLD.objects["vacuum"]
    bar = model.grasps[0].X_OH[:3, 3]
    under = np.eye(4)
    under[:3, 3] = bar - [0, 0, 0.014 + 0.035]
    assert distance(model, coal.Sphere(0.0325), under) > 0


def test_vacuum_tip_is_at_the_nose() -> None:
    """The tip frame lies at the foremost end, near the ground it is to clean."""
    model = WORLD.objects["vacuum"]
    lower, upper = bounding_box(model.shapes, np.eye(4))
    tip = model.frames["tip"][:3, 3]
    assert upper[0] - tip[0] < 0.003
    assert tip[2] - lower[2] < 0.02
    assert upper[0] - lower[0] == pytest.approx(0.38, abs=0.01)


def test_vacuum_stands_stably() -> None:
    """Its underside is flat under the middle: the lowest vertices surround the origin."""
    model = WORLD.objects["vacuum"]
    lower, _ = bounding_box(model.shapes[:2], np.eye(4))
    assert abs(lower[2]) < 0.001


def test_broom_stands_in_its_stand_without_touching() -> None:
    """The solid shapes of broom and stand keep a millimetre apart."""
    X = np.linalg.inv(WORLD.poses["broom_stand"]) @ WORLD.poses["broom"]
    gap = min(
        distance(WORLD.objects["broom_stand"], solid(shape), X @ shape.X_OS) for shape in WORLD.objects["broom"].shapes
    )
    assert 0.0005 < gap < 0.01


def test_broom_offers_grasps_for_every_stature() -> None:
    """Heights from 0.25 to 1.0 m along the stick, no two of them farther apart than 8 cm."""
    heights = sorted({round(float(grasp.X_OH[2, 3]), 3) for grasp in WORLD.objects["broom"].grasps})
    assert heights[0] == 0.25
    assert heights[-1] == 1.0
    assert max(np.diff(heights)) < 0.08


def test_things_at_rest_do_not_touch() -> None:
    """Nothing that stands on something collides with it, so a check finds no contact before anybody moves."""
    for name, support in (("vacuum", "table"), ("soda_can", "table"), ("tennis_ball", "stool")):
        X = np.linalg.inv(WORLD.poses[support]) @ WORLD.poses[name]
        for shape in WORLD.objects[name].shapes:
            assert distance(WORLD.objects[support], solid(shape), X @ shape.X_OS) > 0
