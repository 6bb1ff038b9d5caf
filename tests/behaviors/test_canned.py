"""What periodic and aperiodic motions have in common, on every robot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix import ParameterError, Session, simulate
from taskmatrix.behaviors import AperiodicCanned, PeriodicCanned, Postural
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.robot.joint_motion import Motion
from taskmatrix.core.robot.plans import Contact
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench

from .truth import Truth

ROBOTS = ["asimo", "mannequin", "bandit", "talos", "nao", "g1", "icub", "pr2", "romeo"]


def behavior(motion: str, converge: str) -> TaskBehavior:
    if motion == "wave":
        return PeriodicCanned(motion="wave", duration=5.0, converge=converge)
    return AperiodicCanned(motion=motion, converge=converge)


@pytest.mark.parametrize(
    ("robot", "motion", "converge"),
    [
        *((robot, "wave", "planned") for robot in ROBOTS),
        *(("mannequin", motion, converge) for motion in ("wave", "nod") for converge in ("dmp", "none")),
        *((robot, "nod", "planned") for robot in ("asimo", "talos")),
    ],
)
def test_every_robot_plays_its_motions_within_its_limits_and_touches_nothing(
    robot: str, motion: str, converge: str
) -> None:
    """From its stance; without convergence, from the posture that is the motion's beginning."""
    with simulate(robot, seed=1) as session:
        if (motion, converge) == ("wave", "none"):
            assert session.run(Postural(posture="wave_ready_right", mirror=False)).success
        truth = Truth(session)
        outcome = session.run(behavior(motion, converge))
        assert outcome.success, outcome
        truth.assert_limits_held()
        truth.assert_no_contact()
        given = session.skills.motion(motion)
        reached = np.min(np.max(np.abs(_samples(given) - truth.q[-1][given.indices]), axis=1))
        assert reached < 0.01  # it ends on the motion


def _samples(motion: Motion) -> Array:
    return np.asarray(motion.sample(np.linspace(0.0, motion.duration, 400))[0])


@pytest.mark.parametrize(("robot", "converge"), [("mannequin", "planned"), ("icub", "planned"), ("nao", "dmp")])
def test_with_the_limb_taken_the_other_one_plays(robot: str, converge: str) -> None:
    """The mirror image, within the limits."""
    with simulate(robot, seed=1) as session:
        session.context.arbiter.claim("somebody", ["right_arm"])
        truth = Truth(session)
        assert session.run(PeriodicCanned(motion="wave", duration=4.0, converge=converge)).success
        truth.assert_limits_held()
        truth.assert_no_contact()
        image = session.skills.motion("wave").mirrored(session.skills.mirrored)
        assert image is not None
        np.testing.assert_array_equal(np.ptp(truth.q[:, session.skills.joints("right_arm")], axis=0), 0.0)
        off = np.min(np.max(np.abs(_samples(image) - truth.q[-1][image.indices]), axis=1))
        assert off < 0.02  # as near as a movement primitive comes in four seconds from where the arm hangs


def test_both_limbs_free_the_nearer_one_plays() -> None:
    """The left arm waves if it is up already."""
    with simulate("mannequin", seed=1) as session:
        assert session.run(Postural(posture="wave_ready_left", mirror=False)).success
        assert session.run(PeriodicCanned(motion="wave", duration=2.0, converge="none")).success


@pytest.mark.parametrize("mirrored", [True, False])
def test_the_side_can_be_given(mirrored: bool) -> None:
    """By who knows which arm is up."""
    with simulate("mannequin", seed=1) as session:
        truth = Truth(session)
        assert session.run(PeriodicCanned(motion="wave", duration=2.0, mirrored=mirrored)).success
        arm = session.skills.joints("left_arm" if mirrored else "right_arm")
        assert np.max(np.ptp(truth.q[:, arm], axis=0)) > 1.0
        failure = session.run(AperiodicCanned(motion="nod", mirrored=True)).failure
        assert failure is not None
        assert failure.kind is FailureKind.NOT_ABLE


def test_without_convergence_it_has_to_be_at_the_beginning() -> None:
    """As in the source; the failure says how far it is."""
    bench = Bench()
    failure = bench.run(PeriodicCanned(motion="wave", duration=2.0, converge="none")).failure
    assert failure is not None
    assert failure.kind is FailureKind.PRECONDITION
    assert failure.facts["furthest"] == pytest.approx(0.2)
    assert bench.plant.commands[-1].owners == ()


def test_what_would_collide_does_not_begin() -> None:
    """The motion is checked beforehand, and the pair is told."""
    bench = Bench()
    bench.skills.contact = lambda q: Contact("hand", "lamp", -0.01) if q[14] > 1.25 else None
    failure = bench.run(PeriodicCanned(motion="wave", duration=3.0)).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION
    assert failure.facts["pair"] == ("hand", "lamp")
    assert all(not command.owners for command in bench.plant.commands)


def test_what_gets_in_the_way_stops_it() -> None:
    """The guard blocks, and the cause names the pair."""
    bench = Bench()

    def late(q: Array) -> Contact | None:
        return Contact("hand", "child", -0.01) if bench.context.clock.now() > 2.5 and q[14] > 1.2 else None

    bench.skills.contact = late
    failure = bench.run(PeriodicCanned(motion="wave", duration=9.0)).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION
    assert failure.root.facts["pair"] == ("hand", "child")


@pytest.mark.parametrize(
    ("played", "joint", "name"),
    [
        (PeriodicCanned(motion="wave", duration=6.0), 14, "right_arm_2"),
        (AperiodicCanned(motion="nod"), 4, "head_1"),
    ],
)
def test_a_joint_that_does_not_follow_ends_the_motion(played: TaskBehavior, joint: int, name: str) -> None:
    """It is named."""
    bench = Bench()
    bench.plant.jammed = {joint}
    failure = bench.run(played).failure
    assert failure is not None
    assert failure.kind is FailureKind.TRACKING
    assert failure.facts["joint"] == name


def test_a_motion_that_is_over_before_that_is_seen_has_to_end_where_it_should() -> None:
    """A joint sticks in the last moment."""
    bench = Bench()

    def stick(event: Event) -> None:
        if event.kind == "step" and bench.plant.sense().q[4] < -0.08 and bench.plant.sense().v[4] > 0.0:
            bench.plant.jammed = {4}

    bench.context.events.subscribe(stick)
    failure = bench.run(AperiodicCanned(motion="nod")).failure
    assert failure is not None
    assert failure.kind is FailureKind.TRACKING


def test_an_unknown_motion_is_named_with_the_nearest() -> None:
    """And what the robot knows."""
    failure = Bench().run(PeriodicCanned(motion="wve", duration=2.0)).failure
    assert failure is not None
    assert failure.kind is FailureKind.PARAMETER
    assert "did you mean 'wave'?" in failure.message


def test_a_motion_of_the_other_kind_is_refused() -> None:
    """A nod has no period, a wave no end."""
    for wrong in (PeriodicCanned(motion="nod", duration=2.0), AperiodicCanned(motion="wave")):
        failure = Bench().run(wrong).failure
        assert failure is not None
        assert failure.kind is FailureKind.PARAMETER


def test_an_unknown_way_to_converge_is_refused_at_once() -> None:
    """With those there are."""
    with pytest.raises(ParameterError, match="did you mean 'planned'"):
        PeriodicCanned(motion="wave", duration=2.0, converge="plan")


def test_the_limb_taken_and_no_other_free_it_says_who_has_it() -> None:
    """Both arms are taken."""
    bench = Bench()
    bench.context.arbiter.claim("somebody", ["left_arm", "right_arm"])
    failure = bench.run(PeriodicCanned(motion="wave", duration=2.0)).failure
    assert failure is not None
    assert failure.kind is FailureKind.CHAIN_BUSY


def test_the_same_seed_is_the_same_run() -> None:
    """Bit for bit."""

    def run() -> Array:
        with simulate("mannequin", seed=5) as session:
            truth = Truth(session)
            session.run(PeriodicCanned(motion="wave", duration=2.0))
            return truth.q

    np.testing.assert_array_equal(run(), run())


@pytest.mark.usefixtures("usual_control_step")
def test_picked_up_in_full_motion_it_goes_on_without_a_jump() -> None:
    """A primitive starts with the speed that the joints have."""
    with simulate("mannequin", seed=1) as session:
        truth = Truth(session)
        session.run(PeriodicCanned(motion="wave", duration=20.0), timeout=4.1)
        _nudge(session)
        assert session.run(PeriodicCanned(motion="wave", duration=3.0, converge="dmp")).success
        v = np.diff(truth.q[-280:], axis=0) / 0.01
        assert np.max(np.abs(np.diff(v, axis=0)) / 0.01 / session.robot.acceleration) <= 1.0


def _nudge(session: Session) -> None:
    """Give the joint that waves a speed, as if it had been pushed."""
    state = session.plant.sense()
    v = state.v.copy()
    v[session.skills.motion("wave").indices] += 0.05
    session.plant._state = replace(state, v=v)
