"""Contacts that others bring about."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.judges import Judgement, Step, judge_of
from taskmatrix.simulation.judges.judge import beyond_limits

from .setting import record_of, start_step, world
from .test_initial_contacts import FREE, at


def judged(beside: Sequence[float], forward: Sequence[float]) -> Judgement:
    """What the judge of find says of the contacts of a run, from where the stool and the base are at each step."""
    steps = []
    for by, x in zip(beside, forward, strict=True):
        q: Array = start_step().q.copy()
        q[0] += x
        steps.append(Step(q, at(by), {}))
    record = record_of(steps)
    record.still = set(world().objects) - {"stool"}
    return judge_of("find").conduct(record, {"type": "can"})


def test_who_walks_into_the_robot_is_excused() -> None:
    """The robot stands."""
    assert judged((FREE, -0.002, -0.010), (0.0, 0.0, 0.0)).success


@pytest.mark.parametrize(
    ("beside", "forward"),
    [
        ((0.001, 0.001, 0.001), (0.0, 0.003, 0.004)),  # it stands, and the robot comes
        ((FREE, 0.001, -0.001), (0.0, 0.002, 0.005)),  # both come
    ],
)
def test_a_robot_that_goes_into_contact_is_not(beside: Sequence[float], forward: Sequence[float]) -> None:
    """Whatever the other can do."""
    assert judged(beside, forward).check == "contact"


@pytest.mark.parametrize(("beside", "excused"), [((FREE, -0.002, -0.002), True), ((FREE, FREE, FREE), False)])
def test_a_joint_that_somebody_pushes_may_be_fast(beside: Sequence[float], excused: bool) -> None:
    """It is not the robot that turns it."""
    steps = []
    for k, by in enumerate(beside):
        q: Array = start_step().q.copy()
        q[5] += 0.1 * (k == 2)
        steps.append(Step(q, at(by), {}))
    record = record_of(steps)
    assert "of its velocity limit at step 1" in beyond_limits(record)
    record.still = set(world().objects) - {"stool"}
    assert (beyond_limits(record) == "") is excused
