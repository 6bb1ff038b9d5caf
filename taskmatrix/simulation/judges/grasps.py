"""How near a hand is to one of an object's grasps."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.geometry import inverse, pose_error
from taskmatrix.core.objects import Array
from taskmatrix.robots.hand_pose import hand_pose

from .record import Record, Step

DISTANCE = 0.005  # [m]
ANGLE = float(np.deg2rad(2.0))  # [rad]


def hand_in_object(record: Record, step: Step, hand: str, id: str) -> Array:
    """X_OH (4, 4) of a hand's grasp frame in an object's frame."""
    X_OH: Array = inverse(step.poses[id]) @ hand_pose(record.robot, hand, step.q)
    return X_OH


def nearest_grasp(record: Record, step: Step, hand: str, id: str) -> tuple[str, float, float]:
    """Name of the grasp nearest to a hand that opens wide enough, its distance [m] and angle [rad].

    The name is empty and the distance infinite if there is none.
    """
    aperture = record.robot.hands[hand].aperture
    X_WH = hand_pose(record.robot, hand, step.q)
    best = ("", np.inf, np.inf)
    for grasp in record.objects[id].grasps:
        if grasp.width <= aperture:
            distance, angle = pose_error(step.poses[id] @ grasp.X_OH, X_WH)
            if distance + 0.3 * angle < best[1] + 0.3 * best[2]:
                best = (grasp.name, float(distance), float(angle))
    return best


def off_grasp(record: Record, step: Step, hand: str, id: str, facts: dict[str, object]) -> str:
    """Why a hand is at no grasp of an object, within 5 mm and 2 degrees; empty if it is. Notes what it measures."""
    name, distance, angle = nearest_grasp(record, step, hand, id)
    if not name:
        aperture = record.robot.hands[hand].aperture
        return f"'{id}' has no grasp for a hand that opens {aperture * 1000:.0f} mm"
    facts.update(hand=hand, grasp=name, distance=distance, angle=angle)
    if distance > DISTANCE or angle > ANGLE:
        return f"the hand is {distance * 1000:.1f} mm and {np.rad2deg(angle):.1f} deg from the nearest grasp"
    return ""
