from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Contact, Plan
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.skills.collision.bodies import bodies_of
from taskmatrix.skills.collision.clearing import SLACK, leads_out
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.queries import ClearQuery, ConfigurationQuery, Snapshot

from .setting import ROBOTS, at, box, kinematics_of, robot_of

HAND = "left"
World = dict[str, tuple[ObjectModel, Array]]


def stance(name: str) -> Array:
    return robot_of(name).posture(robot_of(name).stance)


def in_the_hand(name: str, q: Array, deep: float) -> World:
    """A small box that somebody has pushed against the hand from outside, a few millimetres into it."""
    checker = CollisionChecker(robot_of(name))
    p = kinematics_of(name).pose(HAND, q)[:3, 3]
    outwards = np.array([0.0, 1.0, 0.0])
    for off in np.arange(0.3, 0.0, -0.001):
        world = {"block": (box("block", (0.06, 0.06, 0.06)), at(*(p + off * outwards)))}
        checker.set_bodies(bodies_of(world, {}))
        contact = checker.contact(q)
        if contact is not None and contact.distance < -deep:
            return world
    raise AssertionError("the block never touches the hand")


def clear(name: str, world: World, q: Array, chains: tuple[str, ...] | None = None) -> Plan | Failure:
    robot = robot_of(name)
    return Planner(robot).solve(Snapshot(q, world), ClearQuery(chains or tuple(robot.chains), 1.0, 0))


def along(name: str, plan: Plan, world: World, q: Array) -> list[list[Contact]]:
    """All contacts at instants of a plan, by a checker of its own."""
    checker = CollisionChecker(robot_of(name))
    checker.set_bodies(bodies_of(world, {}))
    found = []
    for time in np.linspace(0.0, plan.trajectory.duration, 60):
        now = q.copy()
        now[plan.trajectory.indices] = plan.trajectory.sample(float(time))[0]
        found.append(checker.all_contacts(now))
    return found


@pytest.mark.parametrize("name", ["mannequin", "nao"])
@pytest.mark.parametrize("deep", [0.001, 0.008])
def test_contact_gets_less_all_the_way_out_and_no_other_arises(name: str, deep: float) -> None:
    """A block against the hand: the pairs at the start come apart, no pair that was apart touches, the end is free."""
    q = stance(name)
    world = in_the_hand(name, q, deep)
    plan = clear(name, world, q)
    assert isinstance(plan, Plan), plan
    contacts = along(name, plan, world, q)
    first = {contact.pair for contact in contacts[0]}
    assert first == {contact.pair for contact in plan.initial_contacts}
    depth = {contact.pair: contact.distance for contact in contacts[0]}
    for now in contacts:
        for contact in now:
            assert contact.pair in first
            assert contact.distance > depth[contact.pair] - SLACK
            depth[contact.pair] = max(depth[contact.pair], contact.distance)
    assert contacts[-1] == []


@pytest.mark.parametrize("name", ROBOTS)
def test_the_way_out_is_short(name: str) -> None:
    """Out of 8 mm no joint moves by more than a sixth of a turn, and the base by less than 10 cm."""
    q = stance(name)
    plan = clear(name, in_the_hand(name, q, 0.008), q)
    assert isinstance(plan, Plan)
    moved = np.abs(plan.trajectory.sample(plan.trajectory.duration)[0] - q[plan.trajectory.indices])
    base = np.isin(plan.trajectory.indices, [0, 1])
    assert moved[~base].max() < np.pi / 3
    assert moved[base].max(initial=0.0) < 0.1


@pytest.mark.parametrize("name", ROBOTS)
def test_whatever_is_planned_begins_with_the_way_out(name: str) -> None:
    """A posture of the other arm's, say: the arm that is in contact is moved where the plan may move it."""
    robot, q = robot_of(name), stance(name)
    world = in_the_hand(name, q, 0.004)
    arm = robot.indices(robot.hands[HAND].arm)
    goal = {index: float(q[index]) for index in (*range(3), *arm)} | {0: float(q[0]) - 0.4}
    plan = Planner(robot).solve(Snapshot(q, world), ConfigurationQuery(goal, 1.0, 0))
    assert isinstance(plan, Plan), plan
    assert plan.initial_contacts
    assert plan.retreat_end > 0.0


def test_contact_that_a_plan_does_not_change_does_not_matter_for_it() -> None:
    """With a block at the left hand the right arm goes where it likes."""
    robot, q = robot_of("mannequin"), stance("mannequin")
    elbow = robot.joints.index("right_elbow")
    plan = Planner(robot).solve(
        Snapshot(q, in_the_hand("mannequin", q, 0.004)), ConfigurationQuery({elbow: float(q[elbow]) + 0.3}, 1.0, 0)
    )
    assert isinstance(plan, Plan), plan
    assert plan.initial_contacts == ()
    assert plan.trajectory.indices.tolist() == [elbow]


def test_the_same_question_has_the_same_answer() -> None:
    """Also where the way out is drawn by lot."""
    q = stance("talos")
    world = in_the_hand("talos", q, 0.008)
    one, two = clear("talos", world, q), clear("talos", world, q)
    assert isinstance(one, Plan)
    assert isinstance(two, Plan)
    times = np.linspace(0.0, one.trajectory.duration, 20)
    np.testing.assert_array_equal(one.trajectory.sample(times)[0], two.trajectory.sample(times)[0])


def test_where_there_is_no_way_out_the_failure_names_what_holds_it() -> None:
    """A robot in the middle of a block of concrete."""
    q = stance("mannequin")
    failure = clear("mannequin", {"concrete": (box("concrete", (4.0, 4.0, 2.0)), at(0.0, 0.0, 1.1))}, q)
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.COLLISION
    assert "concrete" in str(failure.facts["pair"])
    assert "no way out" in failure.message


def test_nothing_moves_where_nothing_touches() -> None:
    """It takes no time."""
    plan = clear("mannequin", {}, stance("mannequin"))
    assert isinstance(plan, Plan)
    assert plan.trajectory.duration == 0.0
    assert plan.initial_contacts == ()


class _Deep:
    """Tells how deep a pair is at a configuration: its first joint."""

    def distances(self, pairs: list[int], q: Array) -> Array:
        return np.full(len(pairs), q[0])


@pytest.mark.parametrize(("before", "leads"), [(-np.inf, True), (np.array([-0.004]), True), (-0.0036, False)])
def test_a_contact_may_get_deeper_again_by_so_much_in_all(before: Array | float, leads: bool) -> None:
    """Not by so much in each stretch of a way out of which one begins where the last one ends."""
    Q = np.linspace([-0.004], [-0.0043], 5)
    assert leads_out(_Deep(), Q, [0], SLACK, before) is leads  # type: ignore[arg-type]
