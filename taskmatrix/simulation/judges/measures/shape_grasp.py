"""Whether a hand could hold an object of which nobody has said how, seen from its shape alone.

A finger is felt for along the line on which it closes, with balls and exact distances. How skills find grasps does not
matter here: nothing is shared with them.
"""

from __future__ import annotations

from typing import Any

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.geometry.solids import solid
from taskmatrix.robots import Hand, Robot
from taskmatrix.robots.hand_pose import hand_pose

from ..ground_truth import Step

TYPE = "graspable"  # word of the taxonomy of what may be held however it can be
BALL = 0.0005  # [m] radius of what feels for the surface
MEETS = 2e-5  # [m] from the surface that counts as on it
CONE = float(np.arctan(0.5) + np.deg2rad(2.0))  # [rad] of friction, and what a hand may be turned
OFF_CENTRE = 0.005  # [m] of the middle between the fingers from the middle of what is between them
ROUNDS = 3  # of finding the width where the pads meet that are this wide apart
AFFIXED = 0.010  # [m] between a hand without fingers and what it holds


def graspable_by_shape(model: ObjectModel) -> bool:
    """Whether an object has no table of grasps, and may be held all the same."""
    return not model.grasps and model.is_a(TYPE)


def measured(robot: Robot, step: Step, hand: str, model: ObjectModel, facts: dict[str, object]) -> tuple[float, str]:
    """The width [m] on which a hand would close where it is, and why it would hold nothing; empty if it would.

    Fingers hold if each meets the object on its way from wide open to the middle, within the cone of friction of 0.5,
    and their middle is within 5 mm of the object's; a hand without fingers if it is within 10 mm of it.

    Args:
        robot: The robot.
        step: Where it and the object are.
        hand: Name of the hand.
        model: The object.
        facts: Takes up what is measured.
    """
    facts.update(hand=hand, grasp="by shape")
    found = robot.hands[hand]
    X_HO = inverse(hand_pose(robot, hand, step.q)) @ step.poses[model.id]
    pieces = [(solid(shape), _place(X_HO @ shape.X_OS)) for shape in model.shapes if shape.collides]
    if found.fingers is None:
        gap = _gap(robot, step, hand, pieces)
        facts.update(gap=gap)
        return 0.0, "" if gap <= AFFIXED else f"the {hand} hand is {gap * 1000:.1f} mm from '{model.id}'"
    reasons = []
    for guess in (found.aperture, *(row.width for row in reversed(found.table) if row.middle.any())):
        width, middle, reason = _closed(found, pieces, guess)
        if not reason:
            facts.update(width=width, off_centre=middle)
            off = f"the {hand} hand is {abs(middle) * 1000:.1f} mm off the middle of '{model.id}'"
            return width, off if abs(middle) > OFF_CENTRE else ""
        reasons.append(f"a finger of the {hand} hand {reason} '{model.id}'")
    return 0.0, reasons[0]


def _closed(hand: Hand, pieces: list[tuple[Any, coal.Transform3s]], width: float) -> tuple[float, float, str]:
    """On which width [m] fingers close that are ``width`` [m] apart, how far off the middle [m], and why they do not.

    What curls meets further out than it opens: so one has to know about how wide the object is there.
    """
    middle = 0.0
    for _ in range(ROUNDS if any(row.middle.any() for row in hand.table) else 1):
        X_PH = hand.around(np.eye(4), width)
        ends = []
        for side in (1.0, -1.0):
            end, reason = _felt([(g, _place(X_PH) * X) for g, X in pieces], side, hand.aperture / 2)
            if reason:
                return 0.0, 0.0, reason
            ends.append(end)
        width, middle = ends[0] - ends[1], (ends[0] + ends[1]) / 2
    return width, middle, ""


def _felt(pieces: list[tuple[Any, coal.Transform3s]], side: float, reach: float) -> tuple[float, str]:
    """Where on the hand's y axis [m] a finger that comes from one side meets the object, and why it does not hold."""
    ball, inwards, at = coal.Sphere(BALL), np.array([0.0, -side, 0.0]), reach
    while at > -reach:
        centre = -at * inwards
        gap, point = min(
            (_nearest(geometry, place, ball, _place(_at(centre))) for geometry, place in pieces),
            key=lambda some: some[0],
        )
        if gap < MEETS:
            into = point - centre
            if at == reach:
                return 0.0, "is inside"
            angle = np.arccos(np.clip(into @ inwards / np.linalg.norm(into), -1.0, 1.0))
            if angle > CONE:
                return 0.0, f"would slip, {np.rad2deg(angle):.0f} deg from square, off"
            return side * (at - BALL), ""
        at -= gap
    return 0.0, "would not meet"


def _gap(robot: Robot, step: Step, hand: str, pieces: list[tuple[Any, coal.Transform3s]]) -> float:
    """[m] From the links of a hand that may touch to the pieces of an object in its grasp frame."""
    data = robot.data
    X_HW = inverse(hand_pose(robot, hand, step.q))
    return min(
        _nearest(body.geometry, _place(X_HW @ (data.oMi[body.parentJoint] * body.placement).homogeneous), *piece)[0]
        for body in robot.collision.geometryObjects
        if robot.model.frames[body.parentFrame].name in robot.hands[hand].touch
        for piece in pieces
    )


def _nearest(first: Any, at: coal.Transform3s, second: Any, there: coal.Transform3s) -> tuple[float, Array]:
    """[m] Distance of two bodies, and the point (3,) of the first that is nearest to the second."""
    result = coal.DistanceResult()
    return float(coal.distance(first, at, second, there, coal.DistanceRequest(), result)), np.array(
        result.getNearestPoint1()
    )


def _place(X: Array) -> coal.Transform3s:
    return coal.Transform3s(X[:3, :3], X[:3, 3])


def _at(p: Array) -> Array:
    return np.asarray(pin.SE3(np.eye(3), p).homogeneous)
