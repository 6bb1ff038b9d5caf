"""What the skill set expects of objects that move by themselves: where they are when a command is executed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from taskmatrix import Session, simulate
from taskmatrix.behaviors.manipulation import subject
from taskmatrix.core.world.geometry import bounding_box, moved_on, pose, pose_error
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.core.world.perception import Percept
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.skills import tolerances

from .setting import at, box

FAST = 0.5  # [m/s]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with simulate("mannequin", "sparse", seed=1) as made:
        yield made


def beside(session: Session, gap: float, velocity: Array) -> Percept:
    """A wall so far [m] to the left of all of the robot that is higher than its floor."""
    q = session.skills.position()
    model = ObjectModel("wall", "obstacle", box("wall", (4.0, 0.2, 4.0)).shapes)

    def touches(y: float) -> bool:
        session.context.perception.update([Percept(model, at(q[0], q[1] + y, 2.1))], 0.0)
        session.skills.look()
        return bool(session.skills.contacts())

    free, taken = 2.0, 0.0
    while free - taken > 1e-5:
        middle = (free + taken) / 2
        free, taken = (free, middle) if touches(middle) else (middle, taken)
    return Percept(model, at(q[0], q[1] + free + gap, 2.1), velocity)


@pytest.mark.parametrize(("speed", "touches"), [(-FAST, True), (0.0, False), (FAST, False), (-0.1, False)], ids=str)
def test_a_command_is_checked_against_where_what_moves_will_be(session: Session, speed: float, touches: bool) -> None:
    """Three millimetres beside the robot: at half a metre per second it is there before the next control step."""
    percept = beside(session, 0.003, np.array([0.0, speed, 0.0, 0.0, 0.0, 0.0]))
    session.context.perception.update([percept], 0.0)
    session.skills.look()
    assert bool(session.skills.command_contacts(session.skills.position())) is touches


def test_what_is_held_may_be_pressed_on_what_rests_only(session: Session) -> None:
    """Nobody puts it on somebody who walks past."""
    skills, perception = session.skills, session.context.perception
    X = hand_pose(session.robot, "right", skills.position())
    cup = Percept(box("cup", (0.06, 0.06, 0.1)), at(*X[:3, 3] + (0.0, -0.3, 0.0)), held_by="right")
    lower, _ = bounding_box(cup.model.shapes, cup.X_WO)
    slab, X_WO = box("slab", (0.2, 0.2, 0.04)), at(*(float(along) for along in (*cup.X_WO[:2, 3], lower[2] - 0.0195)))
    for speed, pressed in ((0.0, True), (-0.05, False)):
        perception.update([cup, Percept(slab, X_WO, np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0]))], 0.0)
        skills.look()
        assert (("cup", "slab") not in [contact.pair for contact in skills.contacts()]) is pressed


def test_what_presses_and_is_let_counts_where_it_would_be_deeper(session: Session) -> None:
    """Turned by 0.3 rad about some joint, the arm would take the cup into the slab; where it is, it does not."""
    skills, perception = session.skills, session.context.perception
    X = hand_pose(session.robot, "right", skills.position())
    cup = Percept(box("cup", (0.06, 0.06, 0.1)), at(*X[:3, 3] + (0.0, -0.3, 0.0)), held_by="right")
    lower, _ = bounding_box(cup.model.shapes, cup.X_WO)
    slab, under = box("slab", (0.2, 0.2, 0.04)), (*cup.X_WO[:2, 3], lower[2] - 0.0195)
    perception.update([cup, Percept(slab, at(*(float(along) for along in under)))], 0.0)
    skills.look()
    base = skills.joints("base")
    assert skills.collision(base, skills.position()[base]) is None
    arm = skills.joints("right_arm")
    q = skills.position()
    falls = [np.where(np.arange(len(arm)) == k, by, 0.0) for k in range(len(arm)) for by in (-0.3, 0.3)]
    found = [skills.collision(arm, q[arm] + fall) for fall in falls]
    assert ("cup", "slab") in [contact.pair for contact in found if contact is not None]


def test_a_pose_moves_on_at_a_constant_velocity() -> None:
    """A quarter turn about the vertical in a second, and a metre ahead."""
    there = moved_on(pose((1.0, 0.0, 0.0), (0.0, 0.0, 0.3)), np.array([0.0, 2.0, 0.0, 0.0, 0.0, np.pi]), 0.5)
    assert pose_error(there, pose((1.0, 1.0, 0.0), (0.0, 0.0, 0.3 + np.pi / 2))) == pytest.approx((0.0, 0.0), abs=1e-9)
    X = pose((1.0, 0.0, 0.0))
    assert moved_on(X, np.zeros(6), 0.5) is X


def test_the_same_is_at_rest_for_all() -> None:
    """What reach waits for, and what something may be put on."""
    assert subject.AT_REST == tolerances.AT_REST
