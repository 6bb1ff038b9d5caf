from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.world.geometry import inverse, pose, pose_error
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.physics import PhysicsPlant
from taskmatrix.simulation.physics.grip import _opposed
from taskmatrix.simulation.scenes.world import GAP, World

from ..conftest import MakePlant
from .scenes import ball, box, hold, move, poses, robot, world_of

pytestmark = pytest.mark.pictures
RADIUS = 0.028  # [m]


def wide(found: Robot) -> Array:
    """(n,) The stance with open hands."""
    q = found.posture(found.stance)
    for hand in found.hands.values():
        for joint, position in hand.open.items():
            q[found.joints.index(joint)] = position
    return q


def between_the_fingers(found: Robot, q: Array, mass: float = 0.1) -> World:
    """A ball where the left hand closes, on a thin post."""
    X = np.eye(4)
    X[:3, 3] = hand_pose(found, "left", q)[:3, 3]
    post = X[2, 3] - RADIUS - GAP
    return world_of(
        {
            "ball": (ball("ball", RADIUS, mass), X),
            "post": (box("post", (0.02, 0.02, post), movable=False), pose((X[0, 3], X[1, 3], post / 2))),
        }
    )


@pytest.mark.parametrize("name", ["asimo", "bandit"])
def test_fingers_hold_by_friction(plant: MakePlant, name: str) -> None:
    """Closing until they feel the ball takes a while; then the post is not needed, and the hand feels the weight."""
    found = robot(name)
    q = wide(found)
    made = plant(found, between_the_fingers(found, q), q)
    hold(made, q, 0.1)
    assert not any(made.feel()["left"].contact.values())
    made.attach("left", "ball")
    assert made.held() == {}
    hold(made, q, 1.5)
    assert made.held() == {"left": "ball"}
    made.remove("post")
    before = poses(made)["ball"]
    hold(made, q, 1.0)
    assert made.held() == {"left": "ball"}
    felt = made.feel()["left"]
    assert sum(felt.contact.values()) >= 2
    X_WH = hand_pose(found, "left", made.sense().q)
    assert (X_WH[:3, :3] @ felt.force)[2] == pytest.approx(-0.1 * 9.81, rel=0.3)
    assert felt.slip < 0.003
    assert np.linalg.norm((poses(made)["ball"] - before)[:3, 3]) < 0.003


def test_a_run_goes_on_from_a_state_bit_for_bit(plant: MakePlant) -> None:
    """Also after what it held was let go of, pushed and made slippery, and a joint has stuck."""
    found = robot("asimo")
    q = wide(found)
    made = plant(found, between_the_fingers(found, q), q)
    made.attach("left", "ball")
    hold(made, q, 1.5)
    made.remove("post")
    saved = made.save()
    felt, there = made.feel()["left"], made.truth()
    hold(made, q, 0.2)
    first = made.truth()
    made.grease("ball")
    made.push_object("ball", np.array([20.0, 0.0, 0.0]), 0.1)
    made.jam(found.joints[-1])
    made.detach("left")
    hold(made, q, 0.2)
    assert made.held() == {}
    for _ in range(2):
        made.restore(saved)
        assert made.held() == {"left": "ball"}
        np.testing.assert_array_equal(made.feel()["left"].contact, felt.contact)
        np.testing.assert_array_equal(poses(made)["ball"], there["poses"]["ball"])  # type: ignore[index]
        hold(made, q, 0.2)
        for name in ("q", "v"):
            np.testing.assert_array_equal(made.truth()[name], first[name])
        np.testing.assert_array_equal(poses(made)["ball"], first["poses"]["ball"])  # type: ignore[index]
        assert made.truth()["held"] == first["held"]


@pytest.mark.slow
def test_a_joint_of_a_finger_moves_the_links_beyond_it(plant: MakePlant) -> None:
    """And none of other fingers: where none of its links touches, a joint curls on while the force grows."""
    found = robot("g1")
    q = wide(found)
    made = plant(found, between_the_fingers(found, q), q)
    made.attach("left", "ball")
    grip = made._grips["left"][1]
    moved = dict(zip([found.joints[k] for k in grip.joints], grip._moved, strict=True))
    index, tip, thumb = (moved[f"left_hand_{name}_joint"] for name in ("index_0", "index_1", "thumb_0"))
    assert tip
    assert tip < index
    assert thumb
    assert thumb.isdisjoint(index)


def holding(plant: MakePlant) -> tuple[PhysicsPlant, Array]:
    """A hand that holds the ball, with nothing below it; and how it was told to be."""
    found = robot("asimo")
    q = wide(found)
    made = plant(found, between_the_fingers(found, q), q)
    made.attach("left", "ball")
    hold(made, q, 1.5)
    assert made.held() == {"left": "ball"}
    made.remove("post")
    return made, q


def test_what_is_let_go_falls(plant: MakePlant) -> None:
    """When the fingers open; the hand holds nothing at once."""
    made, q = holding(plant)
    made.detach("left")
    assert made.held() == {}
    closed = made.sense().q
    move(made, closed, q, 0.5)
    hold(made, q, 0.5)
    assert poses(made)["ball"][2, 3] == pytest.approx(RADIUS + GAP, abs=0.01)


def test_fingers_that_open_press_less_and_less_first(plant: MakePlant) -> None:
    """For a tenth of a second they hold what they held: all at once, they would be thrown open."""
    made, q = holding(plant)
    closed, (_, grip) = made.sense().q, made._grips["left"]
    hold(made, closed, 0.05)
    told = closed + 0.2 * (q - closed)
    hold(made, told, 0.05)
    assert not grip.opening
    assert made.held() == {"left": "ball"}
    hold(made, told, 0.1)
    assert grip.opening


def test_fingers_that_meet_nothing_hold_nothing(plant: MakePlant) -> None:
    """They close on air, and slip tells of nothing either."""
    found = robot("asimo")
    q = wide(found)
    world = between_the_fingers(found, q)
    made = plant(found, world, q)
    made.set_pose("ball", world.poses["ball"] @ pose((1.0, 0.0, 0.0)))
    made.remove("post")
    made.attach("left", "ball")
    hold(made, q, 1.0)
    assert made.held() == {}
    assert made.feel()["left"].slip == 0.0


def test_what_is_pulled_out_has_slipped(plant: MakePlant) -> None:
    """Stronger than friction holds: no hand has it any more, and the slip is infinite until the hand is told."""
    made, q = holding(plant)
    made.push_object("ball", np.array([0.0, 0.0, -200.0]), 0.3)
    hold(made, q, 0.6)
    assert made.held() == {}
    assert made.feel()["left"].slip == np.inf
    closed = made.sense().q
    hold(made, closed, 0.1)
    move(made, closed, q, 0.3)  # fingers that open do not hold it again
    assert made.held() == {}
    made.detach("left")
    assert made.feel()["left"].slip == 0.0


def test_a_long_load_hangs_still(plant: MakePlant) -> None:
    """A broom, say: it swung when motors did not count with it, and crept round between the pads."""
    found = robot("bandit")
    q = wide(found)
    for joint, position in found.postures["ready"].items():
        q[found.joints.index(joint)] = position
    X = pose(hand_pose(found, "left", q)[:3, 3])
    X[2, 3] -= 0.3
    shapes = (Shape("cylinder", (0.012, 1.0), pose()), Shape("box", (0.3, 0.05, 0.08), pose((0.0, 0.0, -0.5))))
    broom = ObjectModel("broom", "object", shapes, movable=True, mass=0.7)
    post = X[2, 3] - 0.54 - GAP
    step = (box("step", (0.3, 0.3, post), movable=False), pose((X[0, 3], X[1, 3], post / 2)))
    made = plant(found, world_of({"broom": (broom, X), "step": step}), q)
    made.attach("left", "broom")
    hold(made, q, 1.5)
    made.remove("step")
    assert made.held() == {"left": "broom"}
    hold(made, q, 1.0)
    before = inverse(hand_pose(found, "left", made.sense().q)) @ poses(made)["broom"]
    hold(made, q, 4.0)
    moved, turned = pose_error(before, inverse(hand_pose(found, "left", made.sense().q)) @ poses(made)["broom"])
    assert moved < 0.001
    assert turned < np.deg2rad(0.3)
    assert np.abs(made.sense().v).max() < 0.05


def test_what_is_greased_slips_out(plant: MakePlant) -> None:
    """By its weight."""
    made, q = holding(plant)
    made.grease("ball")
    hold(made, q, 1.0)
    assert made.held() == {}
    with pytest.raises(NotFoundError, match="did you mean 'ball'"):
        made.grease("bal")


def test_fingers_out_of_which_it_is_torn_do_not_snap_shut(plant: MakePlant) -> None:
    """They press by motors that are no faster than they may be."""
    found = robot("asimo")
    q = wide(found)
    made = plant(found, between_the_fingers(found, q), q)
    made.attach("left", "ball")
    hold(made, q, 1.5)
    made.remove("post")
    made.push_object("ball", 100.0 * hand_pose(found, "left", made.sense().q)[:3, 2], 0.05)
    fingers, fastest = found.indices("left_hand"), 0.0
    for _ in range(60):
        hold(made, q, 1 / 120)
        fastest = max(fastest, float((np.abs(made.sense().v) / found.velocity)[fingers].max()))
    assert made.held() == {}
    assert 0.1 < fastest < 1.05


def test_a_finger_that_sticks_does_not_close(plant: MakePlant) -> None:
    """Also where the hand is told to hold something."""
    found = robot("asimo")
    q = wide(found)
    made = plant(found, between_the_fingers(found, q), q)
    (stuck,) = found.indices("left_hand")
    made.jam(found.joints[stuck])
    made.attach("left", "ball")
    hold(made, q, 0.5)
    assert made.sense().q[stuck] == pytest.approx(q[stuck], abs=0.01)
    assert made.held() == {}


def affixed() -> tuple[Robot, Array, World]:
    """A robot without fingers and a box before its hand."""
    found = robot("icub")
    q = found.posture(found.stance)
    X = hand_pose(found, "left", q)
    return found, q, world_of({"box": (box("box", (0.06, 0.06, 0.06), 0.2), X)})


def test_a_hand_without_fingers_affixes(plant: MakePlant) -> None:
    """At once, as both are; what it holds goes along and weighs on the hand, and falls when it is let go."""
    found, q, world = affixed()
    made = plant(found, world, q)
    made.attach("left", "box")
    assert made.held() == {"left": "box"}
    hold(made, q, 0.3)
    felt = made.feel()["left"]
    assert all(felt.contact.values())
    X_WH = hand_pose(found, "left", made.sense().q)
    assert np.linalg.norm(X_WH[:3, :3] @ felt.force) == pytest.approx(0.2 * 9.81, rel=0.1)
    target = q.copy()
    target[:3] = 0.2, 0.0, 0.3
    target[found.indices("left_arm")[3]] += 0.2
    move(made, q, target, 1.0)
    X_HO = np.linalg.inv(hand_pose(found, "left", made.sense().q)) @ poses(made)["box"]
    np.testing.assert_allclose(X_HO[:3, 3], 0.0, atol=0.003)
    made.detach("left")
    hold(made, target, 0.6)
    assert poses(made)["box"][2, 3] < 0.1


def test_another_hand_takes_it_over(plant: MakePlant) -> None:
    """And what a hand held before stays behind."""
    found, q, world = affixed()
    made = plant(found, world, q)
    made.attach("left", "box")
    made.attach("right", "box")
    assert made.held() == {"right": "box"}
    made.remove("box")
    assert made.held() == {}


@pytest.mark.parametrize(("angle", "held"), [(180.0, True), (101.0, True), (80.0, False), (0.0, False)], ids=str)
def test_rubber_pads_hold_between_them_at_more_than_a_right_angle(angle: float, held: bool) -> None:
    """G1's thumb and fingers press on a bar from slantwise below, 101 degrees apart."""
    way = np.deg2rad(angle)
    thumb, finger = np.array([10.0, 0.0, 0.0]), 5.0 * np.array([np.cos(way), np.sin(way), 0.0])
    assert _opposed([(1, thumb), (2, finger)]) is held
    assert not _opposed([(1, thumb), (1, finger)])
