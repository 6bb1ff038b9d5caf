from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.robot.plans import VIEW, AllowedContact, HandGoal
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.skills.kinematics.kinematics import in_limits
from taskmatrix.skills.kinematics.load import BORNE
from taskmatrix.skills.kinematics.view import gaze_error
from taskmatrix.skills.planning.goals import LOADED, Arrival, GoalSampler
from taskmatrix.skills.planning.problem import Problem, Tally
from taskmatrix.skills.planning.straight_motion import STEP
from taskmatrix.skills.tolerances import IN_VIEW

from .setting import at, kinematics_of, problem_of, reach_query, robot_of, seeds_of, targets_of

ROBOTS = ("mannequin", "asimo")


def sampler_of(name: str, object: str = "soda_can") -> tuple[GoalSampler, Problem, list[HandGoal]]:
    query = reach_query(name, object)
    problem = problem_of(name, query)
    return GoalSampler(problem, targets_of(name), query.chains, query.opening), problem, list(query.goals)


def found(name: str) -> tuple[GoalSampler, Problem, list[Arrival]]:
    """What descents from 64 seeds come to."""
    sampler, problem, goals = sampler_of(name)
    goals = sampler.fitting(goals)
    goals = [goals[k % len(goals)] for k in range(64)]
    seeds = seeds_of(name, problem).draw(goals)
    return sampler, problem, sampler.arrivals(goals, seeds)


@pytest.mark.parametrize("name", ROBOTS)
def test_an_arrival_is_at_its_goal_free_and_within_the_limits(name: str) -> None:
    """The hand may touch the object there; whether the robot sees it is told."""
    sampler, problem, arrivals = found(name)
    assert len(arrivals) > 3
    for arrival in arrivals:
        goal, q = arrival.goal, arrival.q
        distance, angle = pose_error(goal.X_WH, kinematics_of(name).pose(goal.hand, q))
        assert distance < 1e-4
        assert angle < 1e-3
        assert in_limits(robot_of(name), q, sampler.joints(goal.hand))
        facing = sampler.facing(goal, q[None])
        assert facing is not None
        problem.checker.set_allowed_contacts([AllowedContact(goal.hand, "soda_can")])
        assert problem.checker.is_free(q)
        assert problem.checker.is_free(facing[0][0])
        problem.checker.set_allowed_contacts([])
        off = gaze_error(kinematics_of(name).pose(VIEW, facing[0][0]), targets_of(name)["soda_can"])
        assert arrival.faces == (off < IN_VIEW)
    assert problem.tally.attempts == 64
    assert problem.tally.reached >= len(arrivals)


@pytest.mark.parametrize("name", ROBOTS)
def test_a_candidate_can_be_come_to_straight(name: str) -> None:
    """From a configuration that touches nothing, along the approach, to the arrival; in the arrivals' order."""
    sampler, problem, arrivals = found(name)
    candidates = sampler.candidates(arrivals)
    assert candidates
    order = [next(k for k, arrival in enumerate(arrivals) if arrival.q is item.q) for item in candidates]
    assert order == sorted(order)
    for candidate in candidates:
        goal = candidate.goal
        np.testing.assert_array_equal(candidate.approach[-1], candidate.q)
        assert problem.checker.is_free(candidate.approach[0])
        depths = []
        for q in candidate.approach:
            X = np.linalg.inv(goal.X_WH) @ kinematics_of(name).pose(goal.hand, q)
            np.testing.assert_allclose(X[:2, 3], 0.0, atol=2e-4)
            depths.append(X[2, 3])
        np.testing.assert_allclose(depths, np.linspace(-goal.approach_distance, 0.0, len(depths)), atol=2e-4)


def test_what_is_found_does_not_depend_on_what_else_is_asked() -> None:
    """Half of the seeds come to what they come to among all."""
    sampler, problem, goals = sampler_of("mannequin")
    goals = (sampler.fitting(goals) * 2)[:32]
    seeds = seeds_of("mannequin", problem).draw(goals)
    together = sampler.arrivals(goals, seeds)
    apart = sampler.arrivals(goals[:16], seeds[:16]) + sampler.arrivals(goals[16:], seeds[16:])
    assert [arrival.goal for arrival in together] == [arrival.goal for arrival in apart]
    np.testing.assert_array_equal([arrival.q for arrival in together], [arrival.q for arrival in apart])


def test_goals_in_the_furniture_do_not_fit() -> None:
    """A hand in the floor does not; which pair is in the way is counted."""
    sampler, problem, goals = sampler_of("mannequin")
    sunk = [replace(goal, X_WH=at(0.0, 0.0, -0.75) @ goal.X_WH) for goal in goals]
    fitting = sampler.fitting(goals)
    assert fitting
    before = problem.tally.blocked.total()
    assert sampler.fitting([*sunk, *goals]) == fitting
    assert problem.tally.blocked.total() >= before + len(sunk)
    assert "floor" in {name for pair in problem.tally.blocked for name in pair}


def test_without_a_goal_there_is_nothing() -> None:
    """No arrival, no candidate, no work."""
    sampler, problem, _ = sampler_of("mannequin")
    assert sampler.fitting([]) == []
    assert sampler.arrivals([], np.empty((0, robot_of("mannequin").n))) == []
    assert sampler.candidates([]) == []
    assert problem.tally.attempts == 0


def test_a_goal_without_an_object_has_nothing_to_face_or_lift() -> None:
    """So it counts as faced and lifted; nothing may be touched there."""
    sampler, problem, goals = sampler_of("mannequin")
    above = [HandGoal(goal.hand, at(0.0, 0.0, 0.4) @ goal.X_WH, "above") for goal in goals]
    arrivals = sampler.arrivals(above, np.tile(problem.start, (len(above), 1)))
    assert arrivals
    assert all(arrival.faces for arrival in arrivals)
    candidates = sampler.candidates(arrivals)
    assert all(candidate.easy for candidate in candidates)
    assert all(len(candidate.approach) == 1 for candidate in candidates)


def test_a_last_stretch_that_the_arm_cannot_go_whole_will_do_where_it_begins_free() -> None:
    """Asked to come from 1.8 m above, it comes from as high as the arm lets it; that is not easy."""
    sampler, problem, arrivals = found("mannequin")
    down = np.array([0.0, 0.0, -1.0])
    far = [replace(arrival, goal=replace(arrival.goal, approach_distance=1.8, direction=down)) for arrival in arrivals]
    candidates = sampler.candidates(far)
    assert candidates
    for candidate in candidates:
        approach = candidate.approach
        assert not candidate.whole
        assert not candidate.easy
        assert 1 < len(approach) < 1 + 1.8 / STEP
        assert problem.checker.is_free(approach[0])
        came = kinematics_of("mannequin").pose(candidate.goal.hand, approach[0])[:3, 3] - candidate.goal.p_WH
        np.testing.assert_allclose(came, [0.0, 0.0, STEP * (len(approach) - 1)], atol=1e-3)


def test_where_the_motors_cannot_hold_it_is_no_goal() -> None:
    """A can of lead can be reached like any other, and is not held like one."""
    sampler, problem, arrivals = found("mannequin")
    light = sampler.candidates(arrivals)
    assert any(item.easy for item in light)
    assert all(0.0 < item.load <= LOADED for item in light)
    objects = dict(problem.snapshot.objects)
    objects["soda_can"] = replace(objects["soda_can"][0], mass=20.0), objects["soda_can"][1]
    leaden = replace(problem, snapshot=replace(problem.snapshot, objects=objects), tally=Tally())
    heavy = GoalSampler(leaden, targets_of("mannequin"), ("base",), {}).candidates(arrivals)
    assert len(heavy) < len(light)
    assert all(LOADED < item.load <= BORNE and not item.easy for item in heavy)
    assert "times its torque to hold 'soda_can' (20 kg)" in leaden.tally.too_heavy
