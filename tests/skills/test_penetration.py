"""What a hand holds may be pressed a little into what it stands on, and into the hand."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.base.errors import WorldError
from taskmatrix.core.base.failure import Failure
from taskmatrix.core.base.tables import read_table
from taskmatrix.core.robot.plans import AllowedContact, Contact
from taskmatrix.core.world.geometry import bounding_box, inverse
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.scenes.object_loader import read_object
from taskmatrix.skills.collision.bodies import Body
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.queries import ConfigurationQuery, Snapshot

from .grasping.setting import OBJECTS
from .setting import at, box, robot_of

ROBOT = "mannequin"
HAND = "right"


def stance() -> Array:
    """With the arms bent, so that they can lift."""
    return robot_of(ROBOT).posture("ready")


def held(model: ObjectModel, aside: float = 0.3, robot: str = ROBOT) -> Body:
    """An object beside the right hand, upright and held by it."""
    X_WH = hand_pose(robot_of(robot), HAND, robot_of(robot).posture("ready"))
    X_WO = at(*X_WH[:3, 3] + (0.0, -aside, 0.0))
    return Body(model, X_WO, HAND, inverse(X_WH) @ X_WO)


def below(body: Body, depth: float) -> Body:
    """A slab that the underside of an object is ``depth`` [m] in."""
    lower, upper = bounding_box(body.model.shapes, body.X_WO)
    middle = (lower + upper) / 2
    return Body(box("slab", (0.2, 0.2, 0.04)), at(middle[0], middle[1], lower[2] + depth - 0.02))


def cup() -> Body:
    return held(box("cup", (0.06, 0.06, 0.1)))


@pytest.mark.parametrize(("depth", "lets"), [(0.0005, True), (0.0015, True), (0.004, False)])
def test_what_is_held_may_be_a_little_in_what_it_stands_on(depth: float, lets: bool) -> None:
    """While it may touch that; no deeper than 3 mm."""
    checker, body = CollisionChecker(robot_of(ROBOT)), cup()
    checker.set_bodies([body, below(body, depth)])
    assert not checker.is_free(stance())
    found = checker.penetrations(stance())
    assert found == ([AllowedContact(HAND, "slab")] if lets else [])
    assert not checker.is_free(stance())
    checker.set_allowed_contacts([AllowedContact(HAND, "slab")])
    assert checker.is_free(stance()) is lets
    checker.set_allowed_contacts([])
    assert not checker.is_free(stance())


@pytest.mark.parametrize(("gap", "lets"), [(0.001, True), (0.002, False)])
def test_what_is_about_to_press_is_let_beforehand(gap: float, lets: bool) -> None:
    """A hand that opens may push it the last millimetre down."""
    checker, body = CollisionChecker(robot_of(ROBOT)), cup()
    checker.set_bodies([body, below(body, -gap)])
    assert checker.penetrations(stance()) == []
    assert checker.penetrations(stance(), 0.0015) == ([AllowedContact(HAND, "slab")] if lets else [])


@pytest.mark.parametrize(("depth", "lets"), [(0.001, True), (0.008, False)])
def test_links_of_a_hand_that_holds_may_as_well(depth: float, lets: bool) -> None:
    """Fingers that close sink a little towards a table; those of an empty hand have no business in it."""
    checker, body = CollisionChecker(robot_of("talos")), held(box("cup", (0.02, 0.02, 0.02)), 0.0, "talos")
    q = robot_of("talos").posture("ready")
    X_WH = hand_pose(robot_of("talos"), HAND, q)

    def contact(height: float, *others: Body) -> Contact | None:
        checker.set_bodies([Body(box("slab", (0.3, 0.3, 0.04)), at(X_WH[0, 3], X_WH[1, 3], height)), *others])
        return checker.contact(q)

    top = next(z for z in np.arange(0.3, 1.5, 0.0005) if contact(z) is not None)
    empty = contact(top + depth)
    assert empty is not None
    assert set(empty.pair) & set(robot_of("talos").hands[HAND].touch)
    contact(top + depth, body)
    assert checker.penetrations(q) == [AllowedContact(HAND, "slab")]  # of a finger less deep, if not of all
    assert not checker.is_free(q)
    checker.set_allowed_contacts([AllowedContact(HAND, "slab")])
    assert checker.is_free(q) is lets
    contact(top + depth)
    assert checker.penetrations(q) == []


def test_a_mesh_may_as_well() -> None:
    """Its depth is measured as that of other shapes is."""
    model = read_object(read_table(OBJECTS / "hand_vacuum.toml", WorldError), "vacuum").model
    body, checker = held(model, 0.5), CollisionChecker(robot_of(ROBOT))
    for depth, lets in ((0.001, True), (0.006, False)):
        checker.set_bodies([body, below(body, depth)])
        allowed_contacts = checker.penetrations(stance())
        checker.set_allowed_contacts(allowed_contacts)
        assert checker.is_free(stance()) is lets


def test_what_no_hand_holds_and_other_pairs_get_nothing() -> None:
    """A thing in a thing is none of the robot's business; an arm in a slab stays a collision."""
    checker, body = CollisionChecker(robot_of(ROBOT)), cup()
    elbow = hand_pose(robot_of(ROBOT), HAND, stance())[:3, 3]
    checker.set_bodies([body, Body(box("slab", (0.2, 0.2, 0.04)), at(*elbow))])
    assert checker.penetrations(stance()) == []
    assert not checker.is_free(stance())


def test_what_presses_no_more_is_let_nothing_any_more() -> None:
    """It may not come back."""
    checker, body = CollisionChecker(robot_of(ROBOT)), cup()
    checker.set_bodies([body, below(body, 0.001)])
    checker.penetrations(stance())
    checker.set_allowed_contacts([AllowedContact(HAND, "slab")])
    away = stance()
    away[1] += 0.5
    assert checker.penetrations(away) == []
    assert checker.is_free(away)
    assert not checker.is_free(stance())


@pytest.mark.parametrize(("depth", "pressed"), [(0.001, True), (0.005, False)])
def test_plans_begin_with_what_stands_in_something(depth: float, pressed: bool) -> None:
    """They lift it off first, and keep away from there on; what is deeper than that is contact to come out of."""
    robot, body = robot_of(ROBOT), cup()
    slab = below(body, depth)
    snapshot = Snapshot(
        stance(),
        {"cup": (body.model, body.X_WO), "slab": (slab.model, slab.X_WO)},
        {HAND: ("cup", np.asarray(body.X_HO))},
    )
    arm = robot.indices(robot.hands[HAND].arm)
    goal = {arm[0]: float(np.clip(stance()[arm[0]] + 0.4, robot.lower[arm[0]], robot.upper[arm[0]]))}
    found = Planner(robot).solve(snapshot, ConfigurationQuery(goal, 2.0, 0))
    assert not isinstance(found, Failure)
    assert found.retreat_end > 0.0
    assert (not found.initial_contacts) == pressed


@pytest.mark.parametrize(("depth", "near"), [(0.0005, 0.0), (0.0015, 0.0), (-0.001, 0.0015)])
def test_what_is_beside_it_it_does_not_press_on(depth: float, near: float) -> None:
    """A wall that it is in is contact to come out of."""
    checker, body = CollisionChecker(robot_of(ROBOT)), cup()
    lower, upper = bounding_box(body.model.shapes, body.X_WO)
    x, y, z = (lower + upper) / 2
    wall = Body(box("wall", (0.04, 0.04, 0.04)), at(x + 0.05 - depth, y, z))
    checker.set_bodies([body, wall])
    assert checker.penetrations(stance(), near) == []


def test_what_presses_deeper_than_a_millimetre_is_told() -> None:
    """So that the guard does not let it get deeper."""
    checker, body = CollisionChecker(robot_of(ROBOT)), cup()
    for depth, told in ((0.0005, False), (0.002, True)):
        checker.set_bodies([body, below(body, depth)])
        checker.set_allowed_contacts(checker.penetrations(stance()))
        assert checker.all_contacts(stance()) == []
        assert [contact.pair for contact in checker.pressing(stance())] == ([("cup", "slab")] if told else [])
    checker.set_bodies([body])
    assert checker.pressing(stance()) == []
