"""What all judges check, on a real pickup that is tampered with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.world.geometry import pose
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.session.session import CONTROL_STEP
from taskmatrix.simulation.judges import Record, judge_of

from .setting import judged, pickup, record_of, start_step


def test_a_good_run_is_a_success() -> None:
    """With the facts measured."""
    judgement = judged()
    assert judgement.success, judgement.reason
    assert float(str(judgement.facts["distance"])) < 0.005
    assert judgement.facts["gaze_possible"]


def test_an_unwanted_contact_at_one_step_is_a_failure() -> None:
    """A stool that stands in the robot for a single step is found, with the step."""

    def stool(step: int, data: Mapping[str, Any]) -> dict[str, Any] | None:
        if step != 200:
            return None
        return {"poses": {**data["poses"], "stool": pose((*data["q"][:2], 0.4))}}

    judgement = judged(stool)
    assert "touches stool at step 200" in judgement.reason
    assert judgement.check == "contact"


def test_touching_the_target_far_from_the_grasp_is_a_failure() -> None:
    """The hand may touch the object within the last 30 mm only."""

    def early(step: int, data: Mapping[str, Any]) -> dict[str, Any] | None:
        if step != 150:
            return None
        X_WH = hand_pose(pickup()[0], "left", data["q"]) @ pose((0.0, 0.0, -0.02))
        X_WH[:3, :3] = np.eye(3)
        return {"poses": {**data["poses"], "vacuum": X_WH}}

    assert "touches vacuum at step 150" in judged(early).reason


def test_what_is_held_may_not_touch_other_objects() -> None:
    """The vacuum pushed two millimetres into the table after it was grasped."""

    def lowered(step: int, data: Mapping[str, Any]) -> dict[str, Any] | None:
        if not data["held"]:
            return None
        return {"poses": {**data["poses"], "vacuum": pose((0.0, 0.0, -0.002)) @ data["poses"]["vacuum"]}}

    assert "table touches vacuum" in judged(lowered).reason


def test_a_joint_beyond_its_limit_or_too_fast_is_a_failure() -> None:
    """Both are found, with joint and step."""
    robot = pickup()[0]
    joint = robot.indices("left_leg")[0]

    def outside(step: int, data: Mapping[str, Any]) -> dict[str, Any] | None:
        q = data["q"].copy()
        q[joint] = robot.upper[joint] + 0.01
        return {"q": q} if step == 120 else None

    reason = judged(outside).reason
    assert reason == f"joint {robot.joints[joint]} is 0.0100 outside its limits at step 120"

    def jump(step: int, data: Mapping[str, Any]) -> dict[str, Any] | None:
        q = data["q"].copy()
        q[joint] += 0.1
        return {"q": q} if step == 100 else None

    judgement = judged(jump)
    assert f"joint {robot.joints[joint]} moves at" in judgement.reason
    assert judgement.reason.endswith("at step 100")
    assert judgement.check == "limits"


def test_contacts_of_what_prepared_the_run_count_too() -> None:
    """Only the last run's goal is judged, but all runs have to be clean."""
    own, scene, before, events = pickup()

    def judge(spoil: bool) -> str:
        record = Record(own, scene.objects, CONTROL_STEP, before)
        for event in events:
            data: dict[str, Any] = dict(event.data)
            if spoil and event.kind == "step" and event.step == 50:
                data["poses"] = {**data["poses"], "stool": pose((*data["q"][:2], 0.4))}
            record(Event(event.time, event.step, event.kind, event.source, data))
        end = record.end
        record(Event(9.0, 999, "run", "again", {}))
        record(Event(9.0, 999, "step", "plant", {"q": end.q, "poses": end.poses, "held": end.held}))
        record(Event(9.0, 999, "outcome", "again", {"success": True, "failure": None}))
        return judge_of("grasp")(record, {"object": "vacuum"}).reason

    assert judge(spoil=False) == ""
    assert judge(spoil=True).endswith("touches stool at step 50")


def test_a_failure_is_told_in_its_own_words() -> None:
    """And a run without an end is no success."""
    step = start_step()
    failure = Failure(FailureKind.COLLISION, "reach", "the way is blocked")
    judgement = judge_of("reach")(record_of([step, step], success=False, failure=failure), {"object": "vacuum"})
    assert (judgement.check, judgement.reason) == ("claim", "reach: the way is blocked.")
    record = record_of([step, step])
    record.claimed = None
    assert judge_of("reach")(record, {"object": "vacuum"}).reason == "the run did not end"
