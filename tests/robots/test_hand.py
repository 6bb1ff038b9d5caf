"""Hands: the table of widths, and room for the objects of the worlds."""

from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.robots import Hand, Robot

CAN = coal.Cylinder(0.033, 0.12)
X_ALONG = np.array([[0.0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]])  # a cylinder's axis along the hand's x


WITHOUT_PADS = ("g1", "romeo")  # their fingers curl round what they hold


def depth(robot: Robot, hand: Hand, fingers: dict[str, float], shape: coal.ShapeBase, X_HS: np.ndarray) -> float:
    """[m] How deep a shape at ``X_HS`` is in the hand's links; negative: the gap."""
    q = robot.posture(robot.stance)
    for joint, position in fingers.items():
        q[robot.joints.index(joint)] = position
    data = robot.model.createData()
    pin.framesForwardKinematics(robot.model, data, robot.expand(q))
    X = data.oMf[robot.model.getFrameId(hand.frame)].homogeneous @ hand.X_LH @ X_HS
    gaps = []
    for body in robot.collision.geometryObjects:
        if robot.model.frames[body.parentFrame].name in hand.touch:
            Y = data.oMi[body.parentJoint] * body.placement
            poses = coal.Transform3s(Y.rotation, Y.translation), coal.Transform3s(X[:3, :3], X[:3, 3])
            gaps.append(
                coal.distance(body.geometry, poses[0], shape, poses[1], coal.DistanceRequest(), coal.DistanceResult())
            )
    return -float(min(gaps))


def shifted(z: float) -> np.ndarray:
    """(4, 4) A cylinder across the palm, ``z`` [m] in front of the grasp frame."""
    X = X_ALONG.copy()
    X[2, 3] = z
    return X


def hands(robot: Robot) -> list[Hand]:
    """A robot's hands."""
    assert set(robot.hands) == {"left", "right"}
    return list(robot.hands.values())


def padded(robot: Robot) -> list[Hand]:
    """Its hands with two pads that face each other."""
    return [hand for hand in hands(robot) if hand.fingers and robot.name not in WITHOUT_PADS]


def test_an_open_hand_takes_a_can_without_touching_it(robot: Robot) -> None:
    """On the last 30 mm of the approach, and at the grasp, the open hand is free of a 66 mm cylinder."""
    for hand in hands(robot):
        for z in np.linspace(0.03, 0.0, 7):
            assert depth(robot, hand, dict(hand.open), CAN, shifted(z)) < 0.0


def test_closing_on_a_can_holds_it_between_the_pads(robot: Robot) -> None:
    """Closed to 66 mm, the pads are within 1.5 mm of the can's surface; 10 mm closer, they are in it."""
    for hand in hands(robot):
        if hand.fingers:
            can = shifted(hand.between(0.066)[2])
            assert abs(depth(robot, hand, hand.closing(0.066), CAN, can)) < 0.0015
            assert depth(robot, hand, hand.closing(0.056), CAN, can) > 0.003


def test_the_palm_is_behind_what_it_holds(robot: Robot) -> None:
    """A can pushed 45 mm towards the palm meets it."""
    for hand in hands(robot):
        assert depth(robot, hand, dict(hand.open), CAN, shifted(-0.045)) > 0.0


@pytest.mark.parametrize("width", [0.01, 0.025, 0.03, 0.05, 0.066, 0.075])
def test_the_table_is_true(robot: Robot, width: float) -> None:
    """A bar 2 mm narrower than the width of `closing` fits between the pads, one 3 mm wider does not."""
    for hand in padded(robot):
        fingers = hand.closing(width)
        assert depth(robot, hand, fingers, coal.Box(0.02, width - 0.002, 0.02), np.eye(4)) < 0.0
        assert depth(robot, hand, fingers, coal.Box(0.02, width + 0.003, 0.02), np.eye(4)) > 0.0


def test_apertures_admit_the_objects_of_the_worlds(robot: Robot) -> None:
    """Cans and balls (66 and 67 mm) fit with room to spare."""
    for hand in hands(robot):
        assert hand.aperture >= 0.075
        assert depth(robot, hand, dict(hand.open), coal.Sphere(0.0335), np.eye(4)) < 0.0


def test_closing_is_monotonous_and_stays_in_range(robot: Robot) -> None:
    """Wider means more open; beyond the aperture and below zero the ends are held."""
    for hand in hands(robot):
        if not hand.fingers:
            assert hand.closing(0.05) == {}
            continue
        for joint in hand.open:
            positions = [hand.closing(w)[joint] for w in np.linspace(0.0, hand.aperture, 20)]
            steps = np.diff(positions) * np.sign(hand.open[joint] - hand.closed[joint])
            assert np.all(steps >= 0.0)
        assert hand.closing(-1.0) == hand.closing(0.0)
        assert hand.closing(1.0) == hand.closing(hand.aperture)


def test_pads_close_along_y_from_both_sides(robot: Robot) -> None:
    """From open to closed the fingertips on the two sides move by equal and opposite amounts along the hand's y."""
    for hand in padded(robot):
        model, ends = robot.model, []
        for posture in (hand.open, hand.closed):
            q = robot.posture(robot.stance)
            for joint, position in posture.items():
                q[robot.joints.index(joint)] = position
            data = model.createData()
            pin.framesForwardKinematics(model, data, robot.expand(q))
            X_HW = np.linalg.inv(data.oMf[model.getFrameId(hand.frame)].homogeneous @ hand.X_LH)
            tips = [name for name in hand.touch if "tip" in name]
            ends.append({name: (X_HW @ data.oMf[model.getFrameId(name)].homogeneous)[:3, 3] for name in tips})
        moved = {name: ends[1][name] - ends[0][name] for name in ends[0]}
        positive = [m[1] for name, m in moved.items() if ends[0][name][1] > 0]
        negative = [m[1] for name, m in moved.items() if ends[0][name][1] < 0]
        assert max(positive) < -0.03
        np.testing.assert_allclose(negative, -np.mean(positive), atol=1e-6)
        assert all(abs(m[0]) < 1e-6 for m in moved.values())


def test_the_two_hands_mirror_each_other(robot: Robot) -> None:
    """In `ready`, the grasp frames are mirror images in the plane y = 0, up to the sign of x and y."""
    model, data = robot.model, robot.model.createData()
    pin.framesForwardKinematics(model, data, robot.expand(robot.posture("ready")))
    left, right = (
        data.oMf[model.getFrameId(h.frame)].homogeneous @ h.X_LH for h in (robot.hands["left"], robot.hands["right"])
    )
    mirror = np.diag([1.0, -1.0, 1.0])
    np.testing.assert_allclose(mirror @ left[:3, 3], right[:3, 3], atol=2e-3)
    np.testing.assert_allclose(mirror @ left[:3, 2], right[:3, 2], atol=1e-3)
    assert abs(right[:3, 1] @ mirror @ left[:3, 1]) > 0.999
