"""Contacts without a sensor: what the momentum does that the motors do not explain."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.robot.plant import JointState
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.skills.control.momentum_observer import BANDWIDTH, MomentumObserver
from taskmatrix.skills.kinematics.load import Load

from .setting import robot_of

DT = 1 / 120
CENTRE = 0.02, 0.0, 0.08  # [m] of what is held, from the middle of the grasp


def fall(robot: Robot, observer: MomentumObserver, contact: Array, steps: int, model: pin.Model | None = None) -> Array:
    """(steps, n) What is observed while motors give torques that change and a contact turns joints of a model."""
    model, data = model or robot.model, robot.model.createData()
    q, v, seen = robot.posture(robot.stance), np.zeros(robot.n), []
    for k in range(steps):
        tau, applied = np.zeros(robot.n), np.zeros(robot.n)
        for part in range(10):
            weight = pin.computeGeneralizedGravity(model, data, robot.expand(q))
            tau = weight + 0.3 * np.sin(k / 5.0) - 0.5 * v
            a = np.array(pin.aba(model, data, robot.expand(q), v, tau + contact))
            v = v + a * DT / 10
            q = q + v * DT / 10
            applied += tau / 10
            assert part < 10
        seen.append(observer.observe(JointState(q, v, a, torque=applied), DT).copy())
    return np.array(seen)


def test_a_contact_is_observed_while_the_robot_moves() -> None:
    """As a filter of first order follows it, on each joint what it is; nothing where nothing touches."""
    robot = robot_of("mannequin")
    contact = np.zeros(robot.n)
    arm = robot.indices("right_arm")
    contact[list(arm)] = np.linspace(0.5, -0.5, len(arm))
    seen = fall(robot, MomentumObserver(robot), contact, 40)
    time = DT * np.arange(40)
    expected = contact * (1.0 - np.exp(-BANDWIDTH * time))[:, None]
    np.testing.assert_allclose(seen, expected, atol=0.08)
    np.testing.assert_allclose(seen[-1], contact, atol=0.02)
    assert np.abs(fall(robot, MomentumObserver(robot), 0.0 * contact, 40)).max() < 0.02


def test_what_a_hand_holds_is_no_contact_when_it_is_known() -> None:
    """And looks like one when it is not."""
    robot = robot_of("mannequin")
    hand, arm = robot.hands["right"], list(robot.indices("right_arm"))
    loaded = robot.model.copy()
    frame = loaded.frames[loaded.getFrameId(hand.frame)]
    grasp = (frame.placement * pin.SE3(hand.X_LH)).act(np.array(CENTRE))
    loaded.inertias[frame.parentJoint] = loaded.inertias[frame.parentJoint] + pin.Inertia(0.5, grasp, np.zeros((3, 3)))
    for known, least, most in ((False, 0.3, 5.0), (True, 0.0, 0.02)):
        observer = MomentumObserver(robot)
        observer.carry({"right": Load("right", "thing", 0.5, np.array(CENTRE))} if known else {})
        seen = fall(robot, observer, np.zeros(robot.n), 40, loaded) if known else None
        if seen is None:  # the motors hold what they know, and the hand sinks
            q, v, data = robot.posture(robot.stance), np.zeros(robot.n), loaded.createData()
            tau = np.array(pin.computeGeneralizedGravity(loaded, data, robot.expand(q)))
            seen = np.array([observer.observe(JointState(q, v, v, torque=tau), DT).copy() for _ in range(60)])
        assert least <= np.abs(seen[-1][arm]).max() <= most


def test_without_sensed_torques_nothing_is_observed() -> None:
    """And after a pause it begins anew."""
    robot = robot_of("mannequin")
    observer, still = MomentumObserver(robot), np.zeros(robot.n)
    q = robot.posture(robot.stance)
    assert not observer.observe(JointState(q, still, still), DT).any()
    for dt in (DT, DT, DT):
        observer.observe(JointState(q, still, still, torque=still + 1.0), dt)
    assert observer.torque.any()
    assert not observer.observe(JointState(q, still, still, torque=still + 1.0), 10.0).any()


@pytest.mark.parametrize("name", ["talos"])
def test_of_a_robot_with_joints_that_follow_others(name: str) -> None:
    """Standing still under its weight, nothing touches it."""
    robot = robot_of(name)
    observer, still = MomentumObserver(robot), np.zeros(robot.n)
    q = robot.posture(robot.stance)
    full = pin.computeGeneralizedGravity(robot.model, robot.model.createData(), robot.expand(q))
    for _ in range(5):
        observer.observe(JointState(q, still, still, torque=robot.S.T @ full), DT)
    assert np.abs(observer.torque).max() < 1e-9
