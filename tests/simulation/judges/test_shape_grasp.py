"""Whether a hand holds something without a table is judged from its shape: every part of the verdict can fail."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.world.geometry import inverse, pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.judges.ground_truth import Record, Step
from taskmatrix.simulation.judges.measures.grasps import nearest_grasp, not_grasped, off_grasp
from taskmatrix.simulation.judges.measures.shape_grasp import graspable_by_shape, measured

from .setting import robot

BOX = ObjectModel("box", "graspable/box", (Shape("box", (0.20, 0.04, 0.20), np.eye(4)),), movable=True)


def step(model: ObjectModel, X_OH: Array, name: str = "asimo", width: float | None = None) -> Step:
    """A robot whose left hand is at a pose in an object's frame, open or closed to a width [m]."""
    own = robot(name)
    q, hand = own.posture("stand"), own.hands["left"]
    for joint, position in (hand.open if width is None else hand.closing(width)).items():
        q[own.joints.index(joint)] = position
    return Step(q, {model.id: hand_pose(own, "left", q) @ inverse(X_OH)}, {"left": model.id})


def reason(model: ObjectModel, X_OH: Array, name: str = "asimo") -> str:
    return measured(robot(name), step(model, X_OH, name), "left", model, {})[1]


def record(model: ObjectModel, at: Step) -> Record:
    return Record(robot("asimo"), {model.id: model}, 0.01, {"q": at.q, "poses": at.poses, "held": at.held})


def test_what_has_a_table_or_is_not_graspable_is_judged_otherwise() -> None:
    assert graspable_by_shape(BOX)
    assert not graspable_by_shape(replace(BOX, type="obstacle/box"))


def test_fingers_on_both_sides_measure_the_width() -> None:
    facts: dict[str, object] = {}
    width, why = measured(robot("asimo"), step(BOX, np.eye(4)), "left", BOX, facts)
    assert why == ""
    assert width == pytest.approx(0.04, abs=1e-4)
    assert facts["off_centre"] == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize(
    ("X_OH", "words"),
    [
        (pose((0, 0.006, 0)), "6.0 mm off the middle"),
        (pose((0, 0, 0.11)), "would not meet"),
        (pose(rpy=(np.pi / 2, 0, 0)), "is inside"),
        (pose(rpy=(0, 0, np.radians(35))), "would slip, 35 deg"),
    ],
)
def test_why_it_would_hold_nothing(X_OH: Array, words: str) -> None:
    """Beside the middle, over the edge, across the long side, and slanting."""
    assert words in reason(BOX, X_OH)


def test_a_palm_holds_what_it_is_near() -> None:
    """The mannequin's is 34 mm behind its grasp frame: half a box of 40 mm and a gap."""
    turned = pose(rpy=(np.pi / 2, 0, 0))  # z of the hand along -y of the box
    for gap, held in ((0.002, True), (0.009, True), (0.011, False)):
        X_OH = turned.copy()
        X_OH[:3, 3] = -(0.02 + gap - 0.034) * turned[:3, 2]
        assert (reason(BOX, X_OH, "mannequin") == "") == held


def test_the_fingers_have_to_be_closed_to_what_is_measured() -> None:
    closed, open_ = step(BOX, np.eye(4), width=0.04), step(BOX, np.eye(4))
    assert not_grasped(record(BOX, closed), closed, "left", "box", {}) == ""
    assert "from where it closes on 'box'" in not_grasped(record(BOX, open_), open_, "left", "box", {})
    assert off_grasp(record(BOX, open_), open_, "left", "box", {}) == ""


def test_the_nearest_grasp_is_by_shape_or_none() -> None:
    here, off = step(BOX, np.eye(4)), step(BOX, pose((0, 0, 0.2)))
    assert nearest_grasp(record(BOX, here), here, "left", "box") == ("by shape", 0.0, 0.0)
    assert nearest_grasp(record(BOX, off), off, "left", "box") == ("", np.inf, np.inf)
