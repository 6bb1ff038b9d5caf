from __future__ import annotations

import numpy as np

from taskmatrix import simulate
from taskmatrix.behaviors import Clear, Fixate, Postural
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Contact, Plan
from taskmatrix.core.world.geometry import pose
from taskmatrix.testing import Bench
from taskmatrix.testing.line_trajectory import LineTrajectory


def stuck(deep: float = 0.02) -> tuple[Bench, int]:
    """The left arm in a stool, by as much as its first joint is above where it is clear; and that joint."""
    bench = Bench()
    joint = int(bench.skills.joints("left_arm")[0])
    clear = float(bench.skills.position()[joint]) - deep
    bench.skills.contact = lambda q: (
        Contact("left_elbow", "stool", float(clear - q[joint])) if q[joint] > clear else None
    )
    return bench, joint


def way(bench: Bench, joint: int, distance: float) -> Plan:
    begin = bench.skills.position()[[joint]]
    contact = bench.skills.contact(bench.skills.position())
    assert contact is not None
    line = LineTrajectory(np.array([joint]), begin, begin - distance, 0.5)
    return Plan(line, None, 0.5, stretched=False, work={}, retreat_end=0.5, initial_contacts=(contact,))


def test_it_comes_out_of_contact_and_tells_of_what() -> None:
    """The guard lets it out; the event of the plan names the pairs."""
    bench, joint = stuck()
    bench.skills.clearings.append(way(bench, joint, 0.03))
    outcome = bench.run(Clear())
    assert outcome.success, outcome
    assert bench.skills.contacts() == ()
    (plan,) = [event for event in bench.events if event.kind == "plan"]
    assert plan.data["initial_contacts"] == [("left_elbow", "stool")]


def test_what_still_touches_at_the_end_is_no_success() -> None:
    """Somebody pushes the stool after it, say: the pair is named."""
    bench, joint = stuck()
    bench.skills.clearings.append(way(bench, joint, 0.01))
    failure = bench.run(Clear()).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION
    assert failure.facts["pair"] == ("left_elbow", "stool")


def test_without_a_way_out_it_says_what_the_planner_found() -> None:
    """And does not move."""
    bench, _ = stuck()
    bench.skills.clearings.append(Failure(FailureKind.COLLISION, "planner", "there is no way out: elbow and stool"))
    before = bench.skills.position()
    failure = bench.run(Clear()).failure
    assert failure is not None
    assert "no way out" in failure.explain()
    np.testing.assert_array_equal(bench.skills.position(), before)


def test_it_takes_only_chains_that_nobody_has() -> None:
    """Who moves the head goes on."""
    bench = Bench()
    bench.context.arbiter.claim("somebody", ["head"])
    assert bench.run(Clear()).success
    (grant,) = [event for event in bench.events if event.kind == "grant" and event.source == "clear"]
    chains = list(grant.data["chains"])  # type: ignore[call-overload]
    assert "head" not in chains
    assert {"base", "left_arm", "right_arm"} <= set(chains)


def test_a_robot_to_whose_hand_something_is_put_goes_on_with_what_it_is_told() -> None:
    """It comes out of the contact by itself, whatever it does next, and nothing gets deeper on the way."""
    with simulate("mannequin", seed=1) as session:
        X_WH = session.skills.forward_kinematics("left")
        session.plant.set_pose("tennis_ball", pose(X_WH[:3, 3] + [0.0, 0.03, 0.0]))
        depths: list[float] = []
        session.events.subscribe(
            lambda event: (
                depths.append(-min((c.distance for c in session.skills.contacts()), default=0.0))
                if event.kind == "step"
                else None
            )
        )
        for behavior in (Clear(), Fixate(target="soda_can"), Postural(posture="ready")):
            outcome = session.run(behavior)
            assert outcome.success, outcome
        assert depths[0] > 0.002
        assert depths[-1] == 0.0
        assert np.diff(np.maximum.accumulate(depths[::-1])).min() >= 0.0
