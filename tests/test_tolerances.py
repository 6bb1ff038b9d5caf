"""Tolerances of different rooms that have to agree, although no room may know the other's."""

from __future__ import annotations

import numpy as np

from taskmatrix.behaviors.along import shove
from taskmatrix.behaviors.common import tolerances as behaving
from taskmatrix.behaviors.locomotion import drive, random_walk, turn
from taskmatrix.behaviors.looking import scan
from taskmatrix.behaviors.manipulation import plan_execution, subject
from taskmatrix.behaviors.motions import canned
from taskmatrix.conditions import tolerances as holding
from taskmatrix.simulation.judges import EXACT, PHYSICAL
from taskmatrix.simulation.judges.along import push
from taskmatrix.simulation.judges.behaviors import driving, lift, putdown
from taskmatrix.simulation.judges.behaviors import random_walk as judged_walk
from taskmatrix.simulation.judges.behaviors import scan as judged_scan
from taskmatrix.simulation.judges.measures.gaze import FACING
from taskmatrix.simulation.judges.measures.intended_contacts import AFTER, BEFORE
from taskmatrix.simulation.scenes.world import GAP
from taskmatrix.skills import tolerances as knowing


def grow(*tolerances: tuple[float, float]) -> bool:
    """Whether each [m], [rad] is larger than the one before, in both."""
    return bool((np.diff(np.array(tolerances), axis=0) > 0.0).all())


def test_a_hand_that_has_arrived_can_grasp_and_is_judged_to_be_there() -> None:
    """Path, arm, goal, what bears on it, condition, judge: each within the next; what is waited for is far outside."""
    judged = (EXACT.grasp, EXACT.grasp_angle)
    assert grow(behaving.ARM_REACHES, behaving.HAND_ARRIVED, behaving.HAND_HELD_OFF, holding.AT_GRASP, judged)
    assert grow(judged, (PHYSICAL.grasp, PHYSICAL.grasp_angle))
    assert grow(behaving.HAND_HELD_OFF, behaving.AT_PLACE, judged)
    assert grow(plan_execution.STANDS, behaving.HAND_ARRIVED, behaving.HAND_BEHIND)


def test_what_perception_cannot_tell_is_the_same_for_planning_and_following() -> None:
    """A plan that was taken for an object is not given up for the same noise; less than noise is no news."""
    assert behaving.PERCEPTION_NOISE == knowing.PERCEPTION_NOISE
    assert grow(behaving.PERCEPTION_NOISE, subject.NUDGED)
    assert knowing.UNCHANGED < behaving.WORLD_CHANGED < behaving.PERCEPTION_NOISE[0]


def test_the_hand_touches_an_object_only_where_everybody_expects_it() -> None:
    """Before a grasp; permissions last a little longer, for tracking, and so does the judge's after it."""
    assert behaving.APPROACH == holding.APPROACH == BEFORE
    assert BEFORE < knowing.CONTACT_RANGE == AFTER


def test_what_a_plan_keeps_away_from_the_guard_lets_pass() -> None:
    """The guard stops nearer than the planner plans, and a finished motion may cut the corners of what was planned.

    What a turn finds free at each look, the planner then finds free in between: nothing gets nearer than it accepts.
    """
    assert 0.0 < knowing.GUARD_DISTANCE < knowing.MARGIN
    assert 0.0 < knowing.FINE_MARGIN < knowing.MARGIN
    assert 0.0 < knowing.FINE_SELF_MARGIN < knowing.SELF_MARGIN
    assert 0.0 < knowing.PENETRATION <= PHYSICAL.penetration
    assert behaving.BETWEEN_LOOKS / 2 <= knowing.GUARD_DISTANCE - knowing.FINE_MARGIN


def test_what_stands_somewhere_neither_collides_nor_hovers() -> None:
    """Things are put down as far above a support as worlds have them, within what counts as resting."""
    assert holding.GAP == GAP
    assert holding.ROUNDING < GAP < holding.TOUCHING
    assert holding.TOUCHING == EXACT.rest < PHYSICAL.rest


def test_what_a_behavior_faces_is_seen_and_judged_to_be_faced() -> None:
    """Behavior, planner, judge."""
    assert behaving.FACED < knowing.IN_VIEW < FACING
    assert behaving.FACED < behaving.LOOKED_AT < FACING


def test_a_posture_is_the_same_for_all() -> None:
    """Behavior, condition and judge; what lags can be told from what has arrived."""
    assert behaving.IN_POSTURE == holding.IN_POSTURE == EXACT.posture
    assert behaving.JOINT_LAGS < behaving.JOINT_ARRIVED <= PHYSICAL.posture
    assert EXACT.fingers == holding.FINGERS
    assert PHYSICAL.motion >= canned.ASTRAY


def test_what_a_behavior_calls_done_its_judge_does_not_call_too_little() -> None:
    """Lifting, moving to another place, driving, walking at random, scanning."""
    assert behaving.LIFT_SLIP <= lift.SLIPPED
    assert behaving.DISPLACED >= putdown.ELSEWHERE
    assert drive.LEAST >= driving.LEAST
    assert behaving.BESIDE < driving.BESIDE
    assert behaving.ASKEW < driving.HEADING
    assert turn.LEAST - behaving.BASE_ARRIVED > driving.LEAST_TURN
    assert turn.LEAST >= random_walk.LEAST
    assert random_walk.PACE >= judged_walk.PACE
    assert random_walk.LEAST >= judged_walk.TURN
    np.testing.assert_array_equal(random_walk.STRIDE, judged_walk.STRIDE)
    assert scan.SHARE >= judged_scan.SHARE


def test_a_push_that_says_it_is_there_is_judged_to_be() -> None:
    """As far off as it may be, along its way and aside, and as far from upright."""
    assert (shove.OFF, shove.SIDEWAYS, shove.TILTED) == (push.OFF, push.SHARE, push.TILTED)
