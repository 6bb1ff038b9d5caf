from __future__ import annotations

from pathlib import Path

import coal
import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.geometry.solids import solid
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.skills.grasping.floating_hand import FloatingHand, bodies_of_hand

from .setting import ROBOTS, SIMPLE, fingered, robot, shape, shipped, thing


def gap(own: Robot, hand: str, q: Array, X_OH: Array, model: ObjectModel) -> float:
    """[m] Between a hand's bodies and an object's shapes, from Pinocchio and coal alone."""
    data = own.data
    X_HW = inverse(hand_pose(own, hand, q))
    found = []
    for body in bodies_of_hand(own, hand):
        X_OB = pin.SE3(X_OH @ X_HW) * data.oMi[body.parentJoint] * body.placement
        for part in model.shapes:
            if part.collides:
                X = (coal.Transform3s(X_OB.rotation, X_OB.translation), pin.SE3(part.X_OS))
                there = coal.Transform3s(X[1].rotation, X[1].translation)
                request, result = coal.CollisionRequest(), coal.CollisionResult()
                touching = coal.collide(body.geometry, X[0], solid(part), there, request, result)
                near = coal.distance(
                    body.geometry, X[0], solid(part), there, coal.DistanceRequest(), coal.DistanceResult()
                )
                found.append(0.0 if touching else float(near))
    return min(found)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("object", ["cylinder", "mug"])
def test_a_hand_fits_where_coal_says_that_nothing_touches(name: str, object: str) -> None:
    """At random poses about the object."""
    own, model = robot(name), SIMPLE[object] if object in SIMPLE else shipped(object)
    air, random = FloatingHand(own, "left", model), np.random.default_rng(0)
    X = np.array([pin.SE3.Random().homogeneous for _ in range(60)])
    X[:, :3, :3] = [np.linalg.qr(random.normal(size=(3, 3)))[0] for _ in X]
    X[:, :3, 2] *= np.sign(np.linalg.det(X[:, :3, :3]))[:, None]
    X[:, :3, 3] = random.uniform(-0.15, 0.15, (len(X), 3))
    fits = air.fits(X)
    assert 0 < fits.sum() < len(X)
    for pose, fit in zip(X, fits, strict=True):
        distance = gap(own, "left", air.posture(None), pose, model)
        assert fit == (distance > 0) or distance < 1e-5


def test_the_mannequins_palm_is_34_mm_behind_its_grasp_frame() -> None:
    """As its adapter says."""
    assert FloatingHand(robot("mannequin"), "left", SIMPLE["box"]).palm() == pytest.approx(0.034, abs=1e-4)


def test_approaching_is_fitting_all_along_the_way(tmp_path: Path) -> None:
    """A hand that comes from above onto a ball under a roof fits there and on half of the way."""
    own = fingered(tmp_path, 1)
    roof = thing(shape("sphere", 0.02), shape("box", 0.3, 0.3, 0.01, xyz=(0, 0, 0.30)))
    air, X = FloatingHand(own, "only", roof), np.eye(4)[None].copy()
    X[0, :3, :3] = np.diag([1.0, -1.0, -1.0])  # z down
    assert air.fits(X).all()
    assert air.approaches(X, 0.05).all()
    assert not air.approaches(X, 0.30).any()


def test_on_the_floor_a_hand_has_to_be_above_it(tmp_path: Path) -> None:
    """The fingers of the test hand end 27 mm beyond the middle of their pads, and 2 mm more are kept free."""
    air, X = FloatingHand(fingered(tmp_path, 1), "only", thing(shape("box", 0.03, 0.03, 0.10))), np.eye(4)
    X[:3, :3] = np.diag([1.0, -1.0, -1.0])
    heights = np.array([0.026, 0.028, 0.031])
    poses = np.repeat(X[None], 3, axis=0)
    poses[:, 2, 3] = -0.05 + heights
    assert air.fits(poses, standing=True).tolist() == [False, False, True]


@pytest.mark.parametrize("fingers", [1, 4])
def test_each_finger_that_closes_is_a_contact(tmp_path: Path, fingers: int) -> None:
    """A bar of 30 mm along the hand's x: the thumb on one side, all fingers on the other, each on its face."""
    own, bar = fingered(tmp_path, fingers), thing(shape("box", 0.12, 0.03, 0.03))
    points, normals = FloatingHand(own, "only", bar).contacts(np.eye(4), 0.03)
    assert len(points) == 1 + fingers
    assert np.abs(points[:, 1]) == pytest.approx(0.015, abs=1e-6)
    assert normals == pytest.approx(np.c_[0 * points[:, 0], -np.sign(points[:, 1]), 0 * points[:, 2]], abs=1e-6)
    assert sorted(np.sign(points[:, 1]).tolist()) == sorted([1.0] + [-1.0] * fingers)
