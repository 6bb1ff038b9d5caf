"""Behaviors that drive a limb by forces, in physics, and what their judges say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import taskmatrix as tm
from taskmatrix import simulate
from taskmatrix.behaviors import AvoidBody, CartesianImpedance, Comply, Postural, PostureSpring, VirtualSpring
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.judges import judge_of

from ..worlds import sparse
from .judged import Run

pytestmark = pytest.mark.pictures


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    made = Run("nao", sparse("nao", "table"), sim="mujoco", policy="sum")
    made.prepare(Postural(posture="ready"))
    yield made
    made.session.close()


def hand(run: Run) -> Array:
    p: Array = run.session.skills.forward_kinematics("right")[:3, 3]
    return p


def test_a_hand_is_pulled_to_a_plane_and_along_it_stays_free(run: Run) -> None:
    """By a spring without a plan; judged."""
    height = float(hand(run)[2]) - 0.03
    spring = VirtualSpring(hand="right", feature="plane", z=height, stiffness=200.0, duration=1.5)
    facts = run.judged(spring)
    assert spring.length == pytest.approx(0.0, abs=0.002)
    assert facts["length"] == pytest.approx(spring.length, abs=0.002)
    assert hand(run)[2] == pytest.approx(height, abs=0.003)


def test_an_impedance_takes_the_hand_along_and_is_judged(run: Run) -> None:
    """A short arm does not keep all six directions: it tells how far it is off."""
    before = hand(run)
    spring = CartesianImpedance(hand="right", z=0.03, rotational_stiffness=0.0, stiffness=500.0, duration=1.5)
    run.judged(spring)
    assert spring.distance is not None
    assert spring.distance < 0.005
    assert hand(run)[2] - before[2] == pytest.approx(0.03, abs=0.005)


def test_a_posture_draws_the_arm_back(run: Run) -> None:
    """Each joint by its spring."""
    spring = PostureSpring(chain="right_arm", posture="ready", stiffness=8.0, duration=1.5)
    run.judged(spring)
    assert spring.off == pytest.approx(0.0, abs=0.02)


@pytest.mark.parametrize("avoiding", [False, True])
def test_a_hand_that_is_pulled_into_the_body_is_kept_away_by_body_avoidance(run: Run, avoiding: bool) -> None:
    """Added to the spring that pulls it: they push with 40 N against its 15 N. Without, the guard has to stop it."""
    run.prepare(Postural(posture="ready"))
    pulls = VirtualSpring(hand="right", reference="base", z=float(hand(run)[2]), force=15.0, duration=2.0)
    parts = [Comply(chain="right_arm", duration=2.0), pulls]
    pulls.gravity_compensation = False
    avoid = AvoidBody(chain="right_arm", force=40.0, range=0.06, gravity_compensation=False, duration=2.0)
    run.events.clear()
    outcome = run.session.run(tm.parallel("both", *parts, *([avoid] if avoiding else [])))
    assert outcome.success, outcome
    blocked = [event for event in run.events if event.kind == "blocked"]
    assert bool(blocked) is not avoiding
    if avoiding:
        assert avoid.nearest is not None
        assert 0.005 < avoid.nearest < 0.06


@pytest.mark.parametrize(
    ("behavior", "message"),
    [
        (VirtualSpring(hand="right", feature="line", direction_z=0.0), "direction of a Line has a direction"),
        (VirtualSpring(hand="right", law="bounded", range=0.0), "range of a BoundedSpring is a finite number above 0"),
        (VirtualSpring(hand="right", reference="toe"), "no frame 'toe'"),
        (VirtualSpring(hand="right", frame="elbwo"), "no frame 'elbwo'"),
        (PostureSpring(chain="right_arm", posture="redy"), "did you mean 'ready'"),
    ],
)
def test_what_cannot_be_is_told_before_anything_moves(run: Run, behavior: VirtualSpring, message: str) -> None:
    """As a failure of the parameters."""
    before = run.session.plant.sense().q.copy()
    failure = run.session.run(behavior).failure
    assert failure is not None
    assert failure.kind is FailureKind.PARAMETER
    assert message in failure.message
    np.testing.assert_allclose(run.session.plant.sense().q, before, atol=5e-3)


def test_what_no_law_is_called_is_refused_when_it_is_made() -> None:
    """With the nearest."""
    with pytest.raises(tm.ParameterError, match="did you mean 'gaussian'"):
        VirtualSpring(hand="right", law="gausian")
    with pytest.raises(tm.ParameterError, match="smallest allowed is 0"):
        VirtualSpring(hand="right", stiffness=-1.0)


@pytest.mark.parametrize(
    "behavior", [VirtualSpring(hand="left"), AvoidBody(chain="left_arm"), CartesianImpedance(hand="left")]
)
def test_a_plant_that_follows_positions_is_refused(behavior: VirtualSpring) -> None:
    """Before anything moves."""
    with simulate("nao", seed=1) as session:
        failure = session.run(behavior).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ABLE


def test_the_judges_see_what_did_not_happen() -> None:
    """A posture of both arms, said to be other things."""
    made = Run("nao")
    made.prepare(Postural(posture="ready"))
    for name, parameters, reason in (
        ("virtual-spring", {"hand": "left", "duration": None}, "which is none of left_arm"),
        ("avoid-body", {"chain": "tail"}, "the robot has no chain 'tail'"),
        ("cartesian-impedance", {"hand": "third"}, "the robot has no hand 'third'"),
    ):
        assert reason in judge_of(name)(made.record, parameters).reason
