from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from taskmatrix.core.robot.plans import AllowedContact, Indices
from taskmatrix.core.world.geometry import inverse, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.skills.collision.bodies import Body, bodies_of
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.planning.queries import Snapshot
from taskmatrix.skills.planning.retreat import BACK, LIFT, _first_blocked, allowed_at_start, retreat_path
from taskmatrix.skills.planning.straight_motion import STEP
from taskmatrix.skills.tolerances import MARGIN, SELF_MARGIN

from .setting import ROBOTS, at, box, kinematics_of, limb, robot_of

HAND = "left"
UNDER = 0.001  # [m] between a cup and the board that it stands on


def checker_of(name: str) -> CollisionChecker:
    return CollisionChecker(robot_of(name), MARGIN, SELF_MARGIN)


def stance(name: str) -> Array:
    return robot_of(name).posture(robot_of(name).stance)


def moving(name: str) -> Indices:
    return np.union1d(limb(robot_of(name), HAND), [0, 1, 2]).astype(np.intp)


def holding(name: str, shelf: float | None = None, below: float = UNDER) -> Snapshot:
    """The hand in the stance, holding a cup over a small board, with a shelf so far above the cup if given."""
    q = stance(name)
    X_WH = kinematics_of(name).pose(HAND, q)
    place = X_WH[:3, 3] + 0.05 * X_WH[:3, 2] + [0.0, 0.0, -0.1]
    cup, board = at(*place), at(*place - [0.0, 0.0, 0.05 + below + 0.01])
    objects = {
        "cup": (box("cup", (0.05, 0.05, 0.1)), cup),
        "board": (box("board", (0.1, 0.1, 0.02)), board),
    }
    if shelf is not None:
        out = 0.02 * place[:2] / np.linalg.norm(place[:2])  # away from the arm
        objects["shelf"] = (
            box("shelf", (0.02, 0.02, 0.02)),
            at(place[0] + out[0], place[1] + out[1], place[2] + 0.05 + shelf + 0.01),
        )
    return Snapshot(q, objects, {HAND: ("cup", inverse(X_WH) @ cup)})


def left(name: str, snapshot: Snapshot) -> tuple[Array, CollisionChecker]:
    """(m, n) The retreat from a snapshot, and what it was checked with."""
    checker = checker_of(name)
    checker.set_bodies(bodies_of(snapshot.objects, snapshot.held))
    retreat_contacts = allowed_at_start(checker, snapshot)
    return retreat_path(kinematics_of(name), checker, snapshot.q, retreat_contacts, moving(name)), checker


@pytest.mark.parametrize("name", ROBOTS)
def test_a_held_object_is_lifted_straight_off_what_it_stands_on(name: str) -> None:
    """By 8 cm, without turning, in steps so small that nothing is jumped over."""
    snapshot = holding(name)
    stretch, _ = left(name, snapshot)
    np.testing.assert_array_equal(stretch[0], snapshot.q)
    poses = [kinematics_of(name).pose(HAND, q) for q in stretch]
    up = np.array([X[:3, 3] - poses[0][:3, 3] for X in poses])
    assert up[-1, 2] == pytest.approx(LIFT, abs=STEP)
    np.testing.assert_allclose(np.diff(up[:, 2]), STEP, atol=5e-4)
    np.testing.assert_allclose(up[:, :2], 0.0, atol=1e-3)
    assert all(pose_error(poses[0], X)[1] < 0.01 for X in poses)


@pytest.mark.parametrize("name", ROBOTS)
def test_an_empty_hand_backs_off_along_its_own_axis(name: str) -> None:
    """Against the direction in which it approached, as far as the arm goes and 6 cm at most."""
    snapshot = Snapshot(stance(name), {}, allowed_contacts=(AllowedContact(HAND, "cup"),))
    stretch, _ = left(name, snapshot)
    X_WH = kinematics_of(name).pose(HAND, snapshot.q)
    back = np.array([(inverse(X_WH) @ kinematics_of(name).pose(HAND, q))[:3, 3] for q in stretch])
    assert BACK - 1.5 * STEP < -back[-1, 2] < BACK + 1e-3
    np.testing.assert_allclose(back[:, :2], 0.0, atol=1e-3)


def test_with_nothing_to_leave_it_is_the_start_alone() -> None:
    """No permission in force, nothing held near anything."""
    snapshot = holding("mannequin", below=0.05)
    stretch, _ = left("mannequin", snapshot)
    np.testing.assert_array_equal(stretch, [snapshot.q])


def test_it_stops_before_what_is_in_the_way() -> None:
    """A shelf 4 cm above: lifted less, and with the margin kept."""
    snapshot = holding("mannequin", shelf=0.04)
    stretch, checker = left("mannequin", snapshot)
    lifted = (
        kinematics_of("mannequin").pose(HAND, stretch[-1])[2, 3]
        - kinematics_of("mannequin").pose(HAND, stretch[0])[2, 3]
    )
    assert 0.01 < lifted < 0.04 - MARGIN + 1e-3
    checker.set_allowed_contacts([AllowedContact(HAND, "board")])
    assert all(checker.is_free(q) for q in stretch)


def test_afterwards_nothing_is_permitted_any_more() -> None:
    """No contact is allowed any more: at the start the cup is too near the board again, at the end not."""
    snapshot = holding("mannequin")
    stretch, checker = left("mannequin", snapshot)
    contact = checker.contact(stretch[0])
    assert contact is not None
    assert set(contact.pair) == {"cup", "board"}
    assert checker.is_free(stretch[-1])


@pytest.mark.parametrize("name", ROBOTS)
def test_from_what_the_other_hand_holds_a_hand_goes_with_its_arm_alone(name: str) -> None:
    """Trunk and base would move both hands, and with them what is to be left."""
    q, taker = stance(name), "right"
    poses = {hand: kinematics_of(name).pose(hand, q) for hand in (HAND, taker)}
    stick = np.eye(4)
    stick[:3, 3] = poses[HAND][:3, 3] + 0.05 * poses[HAND][:3, 2]
    touch = AllowedContact(HAND, "stick")
    objects = {"stick": (box("stick", (0.02, 0.02, 0.02)), stick)}
    snapshot = Snapshot(q, objects, {taker: ("stick", inverse(poses[taker]) @ stick)}, (touch,))
    checker = checker_of(name)
    checker.set_bodies(bodies_of(snapshot.objects, snapshot.held))
    trunk = np.array([0, 1, 2])
    stretch = retreat_path(kinematics_of(name), checker, q, [touch], moving(name))
    assert pose_error(poses[HAND], kinematics_of(name).pose(HAND, stretch[-1]))[0] == pytest.approx(BACK, abs=STEP)
    np.testing.assert_array_equal(stretch[:, trunk], np.tile(q[trunk], (len(stretch), 1)))
    assert len(retreat_path(kinematics_of(name), checker, q, [touch], trunk)) == 1


def test_only_joints_that_may_move_do() -> None:
    """With the arm alone, the base and everything else stay."""
    snapshot, checker = holding("mannequin"), checker_of("mannequin")
    checker.set_bodies(bodies_of(snapshot.objects, snapshot.held))
    arm = np.array(robot_of("mannequin").indices("left_arm"), dtype=np.intp)
    stretch = retreat_path(kinematics_of("mannequin"), checker, snapshot.q, [AllowedContact(HAND, "board")], arm)
    still = np.setdiff1d(np.arange(len(snapshot.q)), arm)
    np.testing.assert_array_equal(stretch[:, still], np.tile(snapshot.q[still], (len(stretch), 1)))


def test_permissions_are_of_empty_hands_and_of_what_is_held_near_something() -> None:
    """What the hand that holds was permitted to touch before does not count."""
    snapshot = holding("mannequin")
    checker = checker_of("mannequin")
    checker.set_bodies(bodies_of(snapshot.objects, snapshot.held))
    asked = Snapshot(
        snapshot.q, snapshot.objects, snapshot.held, (AllowedContact("right", "cup"), AllowedContact(HAND, "elsewhere"))
    )
    assert allowed_at_start(checker, asked) == [AllowedContact("right", "cup"), AllowedContact(HAND, "board")]


def test_what_is_held_is_near_within_the_margin_only() -> None:
    """A millimetre inside it, and a millimetre outside."""
    for below, near in ((MARGIN - 0.001, ["board"]), (MARGIN + 0.001, [])):
        snapshot, checker = holding("mannequin", below=below), checker_of("mannequin")
        checker.set_bodies(bodies_of(snapshot.objects, snapshot.held))
        assert [touch.object for touch in checker.near_held(snapshot.q)] == near


def test_what_is_held_may_be_near_an_object_by_permission_but_not_in_it() -> None:
    """And the hand that holds it, and the other objects, keep their margins."""
    snapshot, checker = holding("mannequin"), checker_of("mannequin")
    bodies = bodies_of(snapshot.objects, snapshot.held)
    checker.set_bodies(bodies)
    assert not checker.is_free(snapshot.q)
    checker.set_allowed_contacts([AllowedContact(HAND, "board")])
    assert checker.is_free(snapshot.q)
    board = snapshot.objects["board"]
    inside = Body(board[0], board[1] @ at(0.0, 0.0, 0.002))
    checker.set_bodies([bodies[0], inside])
    contact = checker.contact(snapshot.q)
    assert contact is not None
    assert set(contact.pair) == {"cup", "board"}
    shelf = Body(box("shelf", (0.02, 0.02, 0.02)), snapshot.objects["cup"][1] @ at(0.0, 0.03 + MARGIN / 2, 0.0))
    checker.set_bodies([*bodies, shelf])
    contact = checker.contact(snapshot.q)
    assert contact is not None
    assert set(contact.pair) == {"cup", "shelf"}


def test_a_hand_gets_no_deeper_into_what_it_is_at_while_the_other_backs_off() -> None:
    """The base takes both back, towards a post that the left hand, which may touch it, is 3 mm before."""
    q = robot_of("mannequin").posture("wave_ready_right")
    X_WH = kinematics_of("mannequin").pose(HAND, q)
    checker, contacts = checker_of("mannequin"), [AllowedContact(HAND, "post"), AllowedContact("right", "thing")]
    checker.set_bodies([Body(box("post", (0.02, 0.02, 0.02)), at(*X_WH[:3, 3] + [-0.05, 0.05, 0.0]))])
    assert 0.002 < checker.distances(checker.pairs_of(contacts[0]).tolist(), q).min() < 0.004
    Q = q - np.outer(np.arange(5), np.eye(len(q))[0] * STEP)
    blocked = partial(_first_blocked, kinematics_of("mannequin"), checker, contacts)
    assert blocked("right", X_WH[:3, 3], Q) == 0
    assert blocked(HAND, X_WH[:3, 3], Q) is None
