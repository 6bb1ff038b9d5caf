"""What judges let pass where bodies are in contact, and nowhere else."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from taskmatrix.core.base.events import Event
from taskmatrix.core.world.geometry import pose
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.judges import EXACT, PHYSICAL, Record, Step, Tolerance
from taskmatrix.simulation.judges.judge import beyond_limits
from taskmatrix.simulation.judges.measures.handling import mishandled
from taskmatrix.simulation.judges.measures.intended_contacts import IntendedContacts

from .setting import goal, holding, record_of, start_step, world


def lenient(record: Record) -> Record:
    record.tolerance = PHYSICAL
    return record


def test_physical_is_nowhere_stricter() -> None:
    """And somewhere less strict in everything."""
    for field in fields(Tolerance):
        assert getattr(PHYSICAL, field.name) > getattr(EXACT, field.name)


def test_exact_is_what_a_record_has_unless_told() -> None:
    """So that no run is judged mildly by accident."""
    assert record_of([start_step()]).tolerance is EXACT


@pytest.mark.parametrize(("sunk", "mild"), [(0.002, True), (0.006, False)])
def test_what_rests_sinks_in_a_little(sunk: float, mild: bool) -> None:
    """Two millimetres below the top of a table, but not six."""
    held = holding()
    there = pose((0.0, 0.0, -0.001 - sunk)) @ world().poses["vacuum"]
    end = {**held.poses, "vacuum": there}
    record = record_of([held, Step(held.q, end, {"right": "vacuum"}), Step(held.q, end, {})])
    assert goal("putdown", record, object="vacuum", on="table") != ""
    assert (goal("putdown", lenient(record), object="vacuum", on="table") == "") is mild


@pytest.mark.parametrize(("slip", "mild"), [(0.004, True), (0.015, False)])
def test_what_is_held_slips_a_little(slip: float, mild: bool) -> None:
    """Some millimetres, once the fingers have drawn it in."""
    held = holding()
    slid = Step(held.q, {**held.poses, "vacuum": pose((0.0, 0.0, slip)) @ held.poses["vacuum"]}, held.held)
    record = record_of([Step(held.q, held.poses, {}), held, slid])
    assert mishandled(record, ["vacuum"], []) != ""
    assert mishandled(lenient(record), ["vacuum"], []) == ""
    drawn_in = round(PHYSICAL.sinking / record.dt)
    record = lenient(record_of([Step(held.q, held.poses, {}), held, *[held] * drawn_in, slid]))
    assert (mishandled(record, ["vacuum"], []) == "") is mild


def test_what_is_handled_may_be_nudged_further_than_the_rest() -> None:
    """Fingers push what they close on; nothing else is pushed."""
    start = start_step()
    for id, nudged in (("soda_can", True), ("vacuum", False)):
        moved = {**start.poses, id: pose((0.0, 0.01, 0.0)) @ start.poses[id]}
        record = lenient(record_of([start]))
        record.still = world().objects
        record(Event(0.0, 0, "step", "plant", {"q": start.q, "poses": moved, "held": {}}))
        assert (mishandled(record, ["soda_can"], []) == "") is nudged


def test_slow_drift_is_motion_too() -> None:
    """A millimetre in each step adds up to more than may be."""
    start = start_step()
    record = lenient(record_of([start]))
    record.still = world().objects
    for k in range(1, 6):
        moved = {**start.poses, "soda_can": pose((0.0, 0.0011 * k, 0.0)) @ start.poses["soda_can"]}
        record(Event(0.0, k, "step", "plant", {"q": start.q, "poses": moved, "held": {}}))
    assert mishandled(record, [], []) == "'soda_can' moved at step 2, while no hand held it"


def test_what_stands_touches_what_it_stands_on() -> None:
    """While no hand holds it, or near where one took it; not deep, and not with a hand or anything else."""
    q = start_step().q
    X_WH = hand_pose(record_of([start_step()]).robot, "right", q)
    near, far = (pose(np.asarray(X_WH)[:3, 3] + (0.0, 0.0, up)) for up in (0.005, 0.5))
    steps = [start_step(), *(Step(q, {**world().poses, "vacuum": X}, {"right": "vacuum"}) for X in (near, far))]
    steps[0] = replace(steps[0], poses={**world().poses, "vacuum": near})
    record = record_of(steps)
    assert not IntendedContacts(record, ["vacuum"])(0, "soda_can", "table", 0.0)
    touching = IntendedContacts(lenient(record), ["vacuum"])
    assert touching(0, "soda_can", "table", 0.002)
    assert touching(0, "broom", "floor", 0.0)
    assert not touching(0, "soda_can", "table", 0.004)
    assert touching(1, "vacuum", "table", 0.001)
    assert not touching(2, "vacuum", "table", 0.001)
    assert not touching(0, record.robot.hands["right"].frame, "table", 0.0)


def test_joints_overshoot_a_little() -> None:
    """Half a degree beyond a limit, and a tenth beyond a velocity limit."""
    start = start_step()
    joint = 5
    for over, mild in ((0.005, True), (0.02, False)):
        q = start.q.copy()
        q[joint] = record_of([start]).robot.upper[joint] + over
        record = record_of([Step(q, start.poses, {}), Step(q, start.poses, {})])
        assert "outside its limits" in beyond_limits(record)
        assert (beyond_limits(lenient(record)) == "") is mild
