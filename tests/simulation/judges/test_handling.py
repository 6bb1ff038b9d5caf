"""How hands take, hold and let go, in records made by hand and in a real pickup that is tampered with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from taskmatrix.core.base.events import Event
from taskmatrix.core.world.geometry import pose
from taskmatrix.session.session import CONTROL_STEP
from taskmatrix.simulation.judges import Record, Step, judge_of
from taskmatrix.simulation.judges.measures.handling import mishandled

from .setting import holding, judged, pickup, record_of, start_step, truth, world


def test_a_hand_takes_things_at_a_grasp_only() -> None:
    """Driving past and lifting by thought is no pick-and-place."""
    start = start_step()
    steps = [start]
    for k in range(31):
        q = start.q.copy()
        q[1] += 0.001 * k
        moved = {**start.poses, "vacuum": pose((0.0, 0.001 * k, 0.0)) @ start.poses["vacuum"]}
        steps.append(Step(q, moved, {"right": "vacuum"}))
    steps.append(Step(steps[-1].q, steps[-1].poses, {}))
    judgement = judge_of("pick-and-place")(record_of(steps), {"object": "vacuum", "on": "table"})
    assert judgement.check == "handling"
    assert judgement.reason.startswith("the right hand takes 'vacuum' where it cannot grasp it: ")
    assert judgement.reason.endswith(" at step 0")


def test_other_things_that_fly_after_a_hand_are_found() -> None:
    """In a good pickup a ball follows the other hand."""
    used = next(event.data["held"] for event in reversed(pickup()[3]) if event.kind == "step")
    other = "right" if "left" in cast(Mapping[str, str], used) else "left"

    def ball(step: int, data: Mapping[str, Any]) -> dict[str, Any]:
        X = pose((0.0, 0.0, min(2.0, 0.01 * step))) @ data["poses"]["tennis_ball"]
        return {"poses": {**data["poses"], "tennis_ball": X}, "held": {**data["held"], other: "tennis_ball"}}

    assert judged().success
    judgement = judged(ball)
    assert (judgement.success, judgement.check) == (False, "handling")
    assert "takes 'tennis_ball', which the task does not name" in judgement.reason


def test_in_the_judged_run_only_what_the_task_names_is_taken_and_let_go() -> None:
    """What prepared it may take anything; what was held may be put down where the behavior says so."""
    held = holding()
    free = Step(held.q, held.poses, {})
    taken, let_go = record_of([free, held]), record_of([held, free])
    assert mishandled(taken, ["vacuum"], ["vacuum"]) == ""
    assert "takes 'vacuum', which the task does not name" in mishandled(taken, [], [])
    assert "lets go 'vacuum', which the task does not name" in mishandled(let_go, [], [])
    assert mishandled(let_go, [], ["vacuum"]) == ""
    before = record_of([free, held])
    before(Event(1.0, 1, "run", "again", {}))
    assert mishandled(before, [], []) == ""


def test_what_is_held_does_not_slide_in_the_hand() -> None:
    """Two millimetres are too many, whether it is let go or not."""
    held = holding()
    free = Step(held.q, held.poses, {})
    slid = Step(held.q, {**held.poses, "vacuum": pose((0.0, 0.0, 0.002)) @ held.poses["vacuum"]}, held.held)
    for steps in ([free, held, slid], [free, held, slid, Step(slid.q, slid.poses, {})]):
        assert "moved by 2.0 mm" in mishandled(record_of(steps), ["vacuum"], ["vacuum"])
    assert mishandled(record_of([free, held, held]), ["vacuum"], []) == ""


def test_what_nobody_holds_stays_where_it_is() -> None:
    """If it is known to move with hands only; also while it was away."""
    start = start_step()
    moved = {**start.poses, "soda_can": pose((0.0, 0.0, 0.001)) @ start.poses["soda_can"]}
    away = {id: X for id, X in start.poses.items() if id != "soda_can"}
    for steps in ([start, Step(start.q, moved, {})], [start, Step(start.q, away, {}), Step(start.q, moved, {})]):
        record = Record(record_of([start]).robot, world().objects, CONTROL_STEP, truth(start), world().objects)
        for k, step in enumerate(steps[1:]):
            record(Event(k * CONTROL_STEP, k, "step", "plant", truth(step)))
        assert mishandled(record, [], []) == f"'soda_can' moved at step {len(steps) - 2}, while no hand held it"
        record.still = ()
        assert mishandled(record, [], []) == ""


def test_what_stands_on_what_a_hand_moves_may_move_with_it() -> None:
    """As if fixed to it; what moves otherwise moves alone."""
    held = holding()
    by, q = pose((0.05, 0.0, 0.0)), held.q.copy()
    q[0] += 0.05
    for offset, reason in ((0.0, ""), (0.001, "'soda_can' moved at step 1, while no hand held it")):
        poses = {**held.poses, "vacuum": by @ held.poses["vacuum"]}
        poses["soda_can"] = by @ pose((0.0, offset, 0.0)) @ held.poses["soda_can"]
        record = Record(record_of([held]).robot, world().objects, CONTROL_STEP, truth(held), world().objects)
        for k, step in enumerate((held, Step(q, poses, held.held))):
            record(Event(k * CONTROL_STEP, k, "step", "plant", truth(step)))
        assert mishandled(record, ["vacuum"], []) == reason


def test_a_real_pickup_is_handled_well() -> None:
    """Nothing moves by itself, and the hand is at a grasp when it takes the vacuum."""
    own, scene, before, events = pickup()
    record = Record(own, scene.objects, CONTROL_STEP, before, set(scene.objects) - set(scene.scripts))
    for event in events:
        record(event)
    assert mishandled(record, ["vacuum"], []) == ""
    assert np.isfinite(float(str(judge_of("pickup")(record, {"object": "vacuum"}).facts["acceleration"])))


def test_what_moved_when_the_record_began_may_go_on_until_it_rests() -> None:
    """A can that the run before let fall is no fault of this run; one that moves again after it lay still is."""
    start = start_step()

    def reason(*heights: float) -> str:
        record = Record(record_of([start]).robot, world().objects, CONTROL_STEP, truth(start), world().objects)
        record.moving = ["soda_can"]
        for k, height in enumerate(heights):
            poses = {**start.poses, "soda_can": pose((0.0, 0.0, height)) @ start.poses["soda_can"]}
            record(Event(k * CONTROL_STEP, k, "step", "plant", truth(Step(start.q, poses, {}))))
        return mishandled(record, [], [])

    assert reason(-0.01, -0.03, -0.03) == ""
    assert reason(-0.01, -0.03, -0.03, -0.06) == "'soda_can' moved at step 3, while no hand held it"
