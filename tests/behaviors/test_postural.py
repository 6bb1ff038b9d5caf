from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from taskmatrix import Machine, Output, Parameter, State, on, simulate, start
from taskmatrix.behaviors import PeriodicCanned, Pickup, Postural
from taskmatrix.behaviors.common.replanning import REPLANS
from taskmatrix.behaviors.common.tolerances import SETTLING_TIME
from taskmatrix.conditions import InPosture
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Contact, Job
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench, FakeSkills

from .judged import Run
from .truth import Truth

SIDES = ("left", "right")
NO_WAY = Failure(FailureKind.PLANNER_EXHAUSTED, "planner", "no way was found", {"searches": 3})
ROBOTS = ["asimo", "mannequin", "bandit", "talos", "nao", "g1", "icub", "pr2", "romeo"]


@pytest.mark.parametrize("robot", ROBOTS)
def test_the_posture_is_taken(robot: str) -> None:
    """Every robot gets ready to reach, by its own data; a posture of both arms has no other side."""
    with simulate(robot, seed=1) as session:
        truth = Truth(session)
        postural = Postural(posture="ready")
        outcome = session.run(postural)
        assert outcome.success, outcome
        assert InPosture("ready").evaluate(session.context)
        assert postural.mirrored is False
        truth.assert_limits_held()


@pytest.mark.parametrize("robot", ["mannequin", "icub"])
def test_with_the_limb_taken_the_posture_is_mirrored(robot: str) -> None:
    """A wave with the right arm becomes one with the left when the right is taken."""
    with simulate(robot, seed=1) as session:
        right = session.skills.posture("wave_ready_right")
        left = session.skills.mirrored(right)
        assert left is not None
        session.context.arbiter.claim("somebody", ["right_arm"])
        postural = Postural(posture="wave_ready_right")
        outcome = session.run(postural)
        assert outcome.success, outcome
        assert postural.mirrored is True
        q = session.plant.sense().q
        assert all(abs(q[joint] - position) < 1e-3 for joint, position in left.items())


def bench() -> Bench:
    """Whose posture ``raised`` is one of the right arm."""
    made = Bench()
    made.skills.postures["raised"] = {12: 0.3, 13: -0.4, 14: 1.3}
    return made


def sides(count: int, **parameters: Any) -> list[bool | None]:
    """Which side was chosen in runs with different seeds."""
    chosen = []
    for seed in range(count):
        made = Bench(seed=seed)
        made.skills.postures["raised"] = {12: 0.3, 13: -0.4, 14: 1.3}
        postural = Postural(posture="raised", **parameters)
        assert made.run(postural).success
        chosen.append(postural.mirrored)
    return chosen


def test_with_both_limbs_free_the_side_is_drawn_by_lot() -> None:
    """Both come, and the same seed gives the same side."""
    drawn = sides(30)
    assert 5 < sum(map(bool, drawn)) < 25
    assert drawn == sides(30)


def test_without_mirroring_the_posture_is_taken_as_named() -> None:
    """Whatever the lot; and where the limb is taken, it does not start."""
    assert not any(sides(10, mirror=False))
    made = bench()
    made.context.arbiter.claim("somebody", ["right_arm"])
    failure = made.run(Postural(posture="raised", mirror=False)).failure
    assert failure is not None
    assert failure.kind is FailureKind.CHAIN_BUSY


def test_a_limb_that_is_in_the_posture_leaves_it_to_the_other() -> None:
    """Not by lot (thesis 4.3.7); with both there, nothing moves."""
    made = bench()
    first = Postural(posture="raised", mirror=False)
    assert made.run(first).success
    for _ in range(2):
        second = Postural(posture="raised")
        assert made.run(second).success
    assert np.allclose(made.plant.sense().q[[5, 6, 7]], [0.3, 0.4, 1.3])
    assert np.allclose(made.plant.sense().q[[12, 13, 14]], [0.3, -0.4, 1.3])


def blocked(calls: int) -> Bench:
    """Something touches the right arm as soon as it has moved, for so many checks."""
    made, left = bench(), [calls]
    start = made.skills.position()[[12, 13, 14]]

    def contact(q: Array) -> Contact | None:
        moved = np.linalg.norm(q[[12, 13, 14]] - start) > 0.05
        left[0] -= int(moved)
        return Contact("elbow", "lamp", -0.001) if moved and left[0] >= 0 else None

    made.skills.contact = contact
    return made


def test_a_joint_that_does_not_get_there_is_named_with_how_far_it_is() -> None:
    """After a time in which motors would have settled."""
    made = bench()
    made.plant.jammed = {13}
    before = made.plant.sense().q[13]
    outcome = made.run(Postural(posture="raised", mirror=False))
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.TRACKING
    assert outcome.failure.facts == {"joint": "right_arm_1", "off": pytest.approx(abs(-0.4 - before))}
    assert outcome.failure.message.endswith("from posture 'raised'")
    assert outcome.duration == pytest.approx(0.5 + 2.0 + SETTLING_TIME, abs=0.05)


def test_a_joint_that_is_late_is_waited_for() -> None:
    """It was stuck only for a while."""
    made = bench()
    made.plant.jammed = {13}

    def free(event: Event) -> None:
        if event.kind == "step" and event.step == 350:
            made.plant.jammed.clear()

    made.context.events.subscribe(free)
    outcome = made.run(Postural(posture="raised", mirror=False))
    assert outcome.success, outcome
    assert outcome.duration == pytest.approx(3.52, abs=0.02)


def test_where_something_comes_into_the_way_it_plans_anew() -> None:
    """From where it stopped, with the same limb."""
    made, postural = blocked(2), Postural(posture="raised", mirror=False)  # it asks once before
    assert made.run(postural).success
    assert sum(event.kind == "replan" for event in made.events) == 1
    assert np.allclose(made.plant.sense().q[[12, 13, 14]], [0.3, -0.4, 1.3])
    assert sum("mirrored" in event.data for event in made.events) == 1


def test_where_it_stays_in_the_way_the_pair_is_told() -> None:
    """After a few plans."""
    failure = blocked(10**6).run(Postural(posture="raised", mirror=False)).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION
    assert failure.message == f"the way is blocked, also after planning anew {REPLANS} times"
    assert failure.root.facts["pair"] == ("elbow", "lamp")


def test_a_machine_waves_with_the_arm_that_went_up() -> None:
    """The side is an output of the one and a parameter of the other."""

    class Hello(Machine):
        """Raise an arm and wave it."""

        posture = Parameter(str, default="wave_ready_right")
        ready = State(Postural, posture=posture)
        wave = State(PeriodicCanned, motion="wave", duration=2.0, converge="none", mirrored=ready.mirrored, final=True)
        transitions = (start(ready), on(ready.task_successful, start=wave))

    moved = set()
    for seed in range(6):
        with simulate("mannequin", seed=seed) as session:
            truth = Truth(session)
            assert session.run(Hello()).success
            ranges = {side: np.ptp(truth.q[:, session.skills.joints(f"{side}_arm")], axis=0).max() for side in SIDES}
            (up,) = [side for side in SIDES if ranges[side] > 0]
            moved.add(up)
    assert moved == set(SIDES)
    assert isinstance(Postural.mirrored, Output)


def test_with_both_limbs_taken_it_says_who_has_them() -> None:
    """Nothing is moved."""
    with simulate("mannequin", seed=1) as session:
        session.context.arbiter.claim("somebody", ["right_arm", "left_arm"])
        failure = session.run(Postural(posture="wave_ready_right")).failure
        assert failure is not None
        assert failure.kind is FailureKind.CHAIN_BUSY
        assert "somebody" in failure.explain()


def test_an_unknown_posture_is_named_with_the_nearest() -> None:
    """The robot's postures are listed; a wrong name says nothing of what the robot is able to do."""
    with simulate("mannequin", seed=1) as session:
        failure = session.run(Postural(posture="redy")).failure
        assert failure is not None
        assert failure.kind is FailureKind.PARAMETER
        assert "did you mean 'ready'?" in failure.message


def test_a_hand_that_holds_something_stays_around_it() -> None:
    """All of the posture is taken but its fingers, and condition and judge ask for no more."""
    run = Run("pr2")
    session = run.session
    run.prepare(Pickup(object="tennis_ball"))
    (hand,) = (hand for hand in session.skills.hands if session.skills.held(hand))
    fingers = list(session.skills.hand_posture(hand, None))
    around = session.skills.position()[fingers]
    run.judged(Postural(posture="stand"))
    assert session.skills.held(hand) == "tennis_ball"
    assert np.abs(session.skills.position()[fingers] - around).max() < 1e-3
    assert InPosture("stand").evaluate(session.context)


class Asked(FakeSkills):
    """Notes which chains make room in what is planned."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.asked: list[tuple[str, ...]] = []

    def plan_to_configuration(
        self, goal: Mapping[int, float], duration: float, seed: int, planning_time: float, relaxed: Sequence[str] = ()
    ) -> Job | Failure:
        self.asked.append(tuple(relaxed))
        return super().plan_to_configuration(goal, duration, seed, planning_time, relaxed)


@pytest.mark.parametrize(
    ("failures", "taken", "asked", "success"),
    [
        (1, (), [(), ("base", "head")], True),
        (2, (), [(), ("base", "head")], False),
        (1, ("head",), [(), ("base",)], True),
        (1, ("base", "head"), [()], False),
    ],
)
def test_base_and_head_make_room_where_there_is_no_way_without(
    failures: int, taken: Sequence[str], asked: list[tuple[str, ...]], success: bool
) -> None:
    """If nobody has it; where there is still no way the posture fails with the planner's reason."""
    bench = Bench(skills=Asked)
    skills = bench.skills
    assert isinstance(skills, Asked)
    skills.postures["ready"] = {5: 0.3}
    bench.context.arbiter.claim("somebody", taken)
    skills.plans.extend([NO_WAY] * failures)
    outcome = bench.run(Postural(posture="ready", mirror=False))
    assert outcome.success is success
    assert skills.asked == asked
    if not success:
        assert outcome.failure is not None
        assert outcome.failure.root == NO_WAY


def test_the_robot_steps_back_from_a_table_where_its_hands_do_not_get_down_beside_it() -> None:
    """The hands are free above and below the top; nothing but the base gets them past its edge."""
    run = Run("bandit", start=(2.825, 0.456, -2.09))
    run.prepare(Postural(posture="wave_ready_right", mirror=False))
    run.judged(Postural(posture="rest", mirror=False))
