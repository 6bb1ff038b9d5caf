from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.geometry import inverse, pose
from taskmatrix.simulation.judges import Record, Step
from taskmatrix.simulation.judges.measures.boxes import box
from taskmatrix.simulation.judges.measures.holding import tilt

from .setting import goal, holding, record_of, world


def held_over(height: float, aside: float = 0.0) -> Record:
    """The vacuum's tip ``height`` [m] over the middle of the soda can's top, ``aside`` [m] beside its edge."""
    lower, upper = box(world().objects["soda_can"], world().poses["soda_can"])
    X_WF = pose((upper[0] + aside, (lower[1] + upper[1]) / 2, upper[2] + height))
    vacuum = X_WF @ inverse(world().objects["vacuum"].frames["tip"])
    held = holding()
    return record_of([held, Step(held.q, {**held.poses, "vacuum": vacuum}, {"right": "vacuum"})])


def asked(record: Record, **more: object) -> str:
    return goal("position", record, object="vacuum", above="soda_can", frame="tip", **more)


@pytest.mark.parametrize(("height", "aside", "holds"), [
    (0.01, -0.01, True), (0.049, 0.015, True), (0.06, -0.01, False), (-0.01, -0.01, False), (0.01, 0.03, False),
])  # fmt: skip
def test_above_is_a_band_over_the_target(height: float, aside: float, holds: bool) -> None:
    """0 to 5 cm over its top, and 2 cm beyond its edge at most."""
    assert (asked(held_over(height, aside)) == "") is holds


def test_the_same_hand_has_to_hold_it() -> None:
    """A hand that lost the object, or another hand, has not positioned it."""
    record = held_over(0.01, -0.01)
    end = record.end
    record.steps[-1] = Step(end.q, end.poses, {})
    assert asked(record) == "no hand holds 'vacuum' at the end"
    record.steps[-1] = Step(end.q, end.poses, {"left": "vacuum"})
    assert asked(record) == "'vacuum' is in the left hand and was in the right"


def test_on_is_judged_by_boxes_and_a_place_by_the_origin() -> None:
    """Without a goal there is nothing to judge."""
    far = holding()
    record = record_of([far, far])
    on_table = Step(far.q, world().poses, {"right": "vacuum"})
    assert goal("position", record_of([far, on_table]), object="vacuum", on="table") == ""
    assert goal("position", record, object="vacuum", on="table") == "'vacuum' is not on 'table'"
    record = record_of([far, on_table])
    x, y, z = record.end.poses["vacuum"][:3, 3]
    assert goal("position", record, object="vacuum", x=x, y=y, z=z) == ""
    assert "from the place" in goal("position", record, object="vacuum", x=x, y=y, z=z + 0.006)
    assert "can be judged" in goal("position", record, object="vacuum")


def test_a_yaw_that_is_given_counts_with_every_goal() -> None:
    """Within two degrees, all the way round."""
    held = holding()
    record = record_of([held, Step(held.q, world().poses, {"right": "vacuum"})])
    yaw = float(np.arctan2(record.end.poses["vacuum"][1, 0], record.end.poses["vacuum"][0, 0]))
    assert goal("position", record, object="vacuum", on="table", yaw=yaw + 2 * np.pi) == ""
    assert "from the yaw" in goal("position", record, object="vacuum", on="table", yaw=yaw + 0.5)


@pytest.mark.parametrize(("id", "fine"), [("tennis_ball", True), ("soda_can", False)])
def test_a_ball_is_upright_however_it_is_turned(id: str, fine: bool) -> None:
    """At a place and on a support; a can that lies is not, nor is a ball at a yaw that it was to have."""
    held = holding(id=id)
    X_WO = world().poses[id] @ pose((0.0, 0.0, 0.0), (0.0, 1.2, 0.0))
    x, y, z = X_WO[:3, 3]
    record = record_of([held, Step(held.q, {**held.poses, id: X_WO}, held.held)])
    assert (goal("position", record, object=id, x=x, y=y, z=z) == "") is fine
    assert goal("position", record, object=id, x=x, y=y, z=z, yaw=0.0) != ""
    assert (tilt(world().objects[id], X_WO) == 0.0) is fine
