from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Pickup
from taskmatrix.core.events import Event
from taskmatrix.core.geometry import pose
from taskmatrix.core.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.judge import Judgement, PickupJudge
from taskmatrix.simulation.world import World
from taskmatrix.studio.session import CONTROL_STEP

Recorded = tuple[Robot, World, Array, list[Event]]


@pytest.fixture(scope="module")
def recorded() -> Recorded:
    """One good pickup."""
    with simulate("mannequin", seed=1) as session:
        events: list[Event] = []
        session.events.subscribe(events.append)
        start = session.plant.sense().q
        assert session.run(Pickup(object="vacuum")).success
        return session.robot, session.world, start, events


def judged(recorded: Recorded, change: Any = None, target: str = "vacuum") -> Judgement:
    """The judgement of the recorded run, with each step's number and data changed by a function."""
    robot, world, start, events = recorded
    judge = PickupJudge(robot, world.objects, target, CONTROL_STEP)
    for event in events:
        data: Mapping[str, object] = event.data
        if event.kind == "step" and change is not None:
            data = {**data, **(change(event.step, data) or {})}
        judge(Event(event.time, event.step, event.kind, event.source, data))
    return judge.judge(start)


def test_a_good_run_is_a_success(recorded: Recorded) -> None:
    """With the facts measured."""
    judgement = judged(recorded)
    assert judgement.success, judgement.reason
    assert float(str(judgement.facts["distance"])) < 0.005
    assert judgement.facts["gaze_possible"]


def test_an_object_that_is_not_held_is_a_failure(recorded: Recorded) -> None:
    """Whatever the behavior says."""
    assert judged(recorded, lambda step, data: {"held": {}}).reason == "no hand holds 'vacuum' at the end"
    assert "soda_can" in judged(recorded, target="soda_can").reason


def test_a_hand_beside_the_grasp_is_a_failure(recorded: Recorded) -> None:
    """Six millimetres are too many."""

    def shift(step: int, data: Mapping[str, Any]) -> dict[str, Any]:
        return {"poses": {**data["poses"], "vacuum": data["poses"]["vacuum"] @ pose((0.006, 0.006, 0.0))}}

    assert "nearest grasp" in judged(recorded, shift).reason


def test_an_unwanted_contact_at_one_step_is_a_failure(recorded: Recorded) -> None:
    """A stool that stands in the robot for a single step is found, with the step."""

    def stool(step: int, data: Mapping[str, Any]) -> dict[str, Any] | None:
        if step != 200:
            return None
        return {"poses": {**data["poses"], "stool": pose((*data["q"][:2], 0.4))}}

    reason = judged(recorded, stool).reason
    assert "touches stool at step 200" in reason


def test_touching_the_target_far_from_the_grasp_is_a_failure(recorded: Recorded) -> None:
    """The hand may touch the object within the last 30 mm only."""

    def early(step: int, data: Mapping[str, Any]) -> dict[str, Any] | None:
        robot = recorded[0]
        if step != 150:
            return None
        from taskmatrix.robots.hand_pose import hand_pose  # noqa: PLC0415

        X_WH = hand_pose(robot, "right", data["q"]) @ pose((0.0, 0.0, -0.02))
        X_WH[:3, :3] = np.eye(3)
        return {"poses": {**data["poses"], "vacuum": X_WH}}

    assert "touches vacuum at step 150" in judged(recorded, early).reason


def test_what_is_held_may_not_touch_other_objects(recorded: Recorded) -> None:
    """The vacuum pushed two millimetres into the table after it was grasped."""

    def lowered(step: int, data: Mapping[str, Any]) -> dict[str, Any] | None:
        if not data["held"]:
            return None
        return {"poses": {**data["poses"], "vacuum": pose((0.0, 0.0, -0.002)) @ data["poses"]["vacuum"]}}

    assert "table touches vacuum" in judged(recorded, lowered).reason


def test_a_joint_beyond_its_limit_or_too_fast_is_a_failure(recorded: Recorded) -> None:
    """Both are found, with joint and step."""
    robot = recorded[0]
    joint = robot.indices("head")[0]

    def outside(step: int, data: Mapping[str, Any]) -> dict[str, Any]:
        q = data["q"].copy()
        q[joint] = robot.upper[joint] + 0.01
        return {"q": q}

    assert f"joint {robot.joints[joint]} is 0.0100 outside its limits" in judged(recorded, outside).reason

    def jump(step: int, data: Mapping[str, Any]) -> dict[str, Any] | None:
        if step != 100:
            return None
        q = data["q"].copy()
        q[joint] += 0.1
        return {"q": q}

    assert f"joint {robot.joints[joint]} moves at" in judged(recorded, jump).reason


def test_a_view_that_could_face_the_object_and_does_not_is_a_failure(recorded: Recorded) -> None:
    """The judge computes itself whether the neck could."""
    robot = recorded[0]
    head = list(robot.indices("head"))

    def frozen(step: int, data: Mapping[str, Any]) -> dict[str, Any]:
        q = data["q"].copy()
        q[head] = recorded[2][head]
        return {"q": q}

    assert "although the neck could face it" in judged(recorded, frozen).reason


def test_what_is_gone_touches_nothing_and_is_missed_by_nobody(recorded: Recorded) -> None:
    """A hand that passes where a can was before it was taken away is not at fault; before, it is."""
    X_WH = hand_pose(recorded[0], "right", recorded[2])
    assert not judged(recorded, lambda step, data: {"poses": {**data["poses"], "soda_can": X_WH}}).success

    def without(step: int, data: Mapping[str, Any]) -> Mapping[str, object]:
        return {"poses": {id: X for id, X in data["poses"].items() if id != "soda_can"}}

    assert judged(recorded, without).success
