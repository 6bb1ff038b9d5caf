from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.simulation.physics.control import ComputedTorque
from taskmatrix.simulation.physics.mass import simulated_model

from .scenes import robot

DT = 1 / 240


def rows(found: Robot, model: pin.Model) -> list[int]:
    """Full coordinates of the active joints."""
    return [model.joints[model.getJointId(name)].idx_v for name in found.joints]


def at_rest(found: Robot) -> tuple[Array, Array]:
    q = found.posture(found.stance)
    return q, np.zeros(len(found.S))


def acceleration(found: Robot, model: pin.Model, q: Array, v: Array, tau: Array) -> Array:
    """(n,) What torques do to a robot whose other joints follow exactly."""
    M = pin.crba(model, model.createData(), found.expand(q))
    M = np.triu(M) + np.triu(M, 1).T
    h = pin.nonLinearEffects(model, model.createData(), found.expand(q), v)
    solved: Array = np.linalg.solve(found.S.T @ M @ found.S, tau - found.S.T @ h)
    return solved


@pytest.mark.parametrize("name", ["bandit", "talos", "pr2"])
def test_the_torques_cause_the_accelerations(name: str) -> None:
    """On the reference they make exactly what is wanted, gravity and joints that follow counted in."""
    found, random = robot(name), np.random.default_rng(1)
    model = simulated_model(found)
    control = ComputedTorque(found, model, DT)
    q, v = at_rest(found)
    wanted = random.uniform(-0.2, 0.2, found.n)
    tau = control.torques(found.expand(q), v, (q, np.zeros(found.n), wanted))
    np.testing.assert_allclose(acceleration(found, model, q, v, tau), wanted, atol=1e-6)
    np.testing.assert_allclose(sum(control.parts.values()), tau, atol=1e-9)


def test_what_is_carried_counts() -> None:
    """Its weight, and what it takes to move it."""
    found = robot("mannequin")
    model = simulated_model(found)
    control = ComputedTorque(found, model, DT)
    q, v = at_rest(found)
    frame = model.frames[model.getFrameId(found.hands["left"].frame)]
    load = pin.Inertia(0.7, np.array([0.1, 0.2, 0.7]), 0.01 * np.eye(3))
    loaded = model.copy()
    loaded.inertias[frame.parentJoint] += load
    wanted = np.random.default_rng(1).uniform(-0.2, 0.2, found.n)
    for carried, carrying in (({frame.parentJoint: load}, loaded), ({}, model)):
        control.carry(carried)
        tau = control.torques(found.expand(q), v, (q, np.zeros(found.n), wanted))
        np.testing.assert_allclose(acceleration(found, carrying, q, v, tau), wanted, atol=1e-6)


def test_a_joint_that_its_torque_limits_is_not_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    """When it begins to move, slowly, the others stay where they are."""
    found = robot("mannequin")
    model = simulated_model(found)
    model.gravity.linear = np.zeros(3)
    (shoulder, *others), (q, v) = found.indices("left_arm"), at_rest(found)
    M = found.S.T @ pin.crba(model, model.createData(), found.expand(q)) @ found.S
    effort = found.effort.copy()
    effort[shoulder] = 2.0 * M[shoulder, shoulder]
    monkeypatch.setattr(found, "effort", effort)
    control = ComputedTorque(found, model, DT)
    monkeypatch.undo()
    wanted = np.zeros(found.n)
    wanted[shoulder] = 10.0
    for _ in range(2):
        tau = control.torques(found.expand(q), v, (q, np.zeros(found.n), wanted))
        moved = acceleration(found, model, q, v, tau)
        assert 0.1 < moved[shoulder] < 9.0
        np.testing.assert_allclose(moved[others], 0.0, atol=1e-6)


def test_errors_are_taken_out() -> None:
    """A joint that is behind is driven ahead, one that is too fast is slowed."""
    found = robot("mannequin")
    model = simulated_model(found)
    control = ComputedTorque(found, model, DT)
    q, v = at_rest(found)
    arm = found.indices("left_arm")[0]
    wanted = q.copy()
    wanted[arm] += 1e-4
    tau = control.torques(found.expand(q), v, (wanted, np.zeros(found.n), np.zeros(found.n)))
    assert acceleration(found, model, q, v, tau)[arm] > 0.1
    v[rows(found, model)[arm]] = 0.01
    tau = control.torques(found.expand(q), v, (q, np.zeros(found.n), np.zeros(found.n)))
    assert acceleration(found, model, q, v, tau)[arm] < -0.1


def test_motors_give_what_they_can_and_no_more() -> None:
    """The URDF's effort, or a share of it; what springs carry comes on top."""
    found = robot("talos")
    model = simulated_model(found)
    control = ComputedTorque(found, model, DT)
    q, v = at_rest(found)
    effort = np.asarray(model.effortLimit)[rows(found, model)]
    far = q + 1.0
    arms = list(found.indices("left_arm", "right_arm"))
    for strength in (1.0, 0.5):
        control.strength = strength
        tau = control.torques(found.expand(q), v, (far, np.zeros(found.n), np.full(found.n, 1e4)))
        assert (np.abs(tau[arms]) <= strength * effort[arms] + 1e-9).all()
        assert np.abs(tau[arms] / effort[arms]).max() == pytest.approx(strength)


def test_springs_carry_what_the_motors_need_not() -> None:
    """PR2's arms: with no strength at all they stay where they are; TALOS's fall."""
    for name, stays in (("pr2", True), ("talos", False)):
        found = robot(name)
        model = simulated_model(found)
        control = ComputedTorque(found, model, DT)
        control.strength = 0.0
        q, v = at_rest(found)
        zero = np.zeros(found.n)
        tau = control.torques(found.expand(q), v, (q, zero, zero))
        heavy = np.abs(control.parts["weight"]) > 2.0
        heavy[:3] = False
        assert heavy.any()
        assert (tau[heavy] == pytest.approx(control.parts["weight"][heavy])) == stays


def test_a_joint_is_never_driven_faster_than_its_limit() -> None:
    """However far off it is, the next step ends below it."""
    found = robot("mannequin")
    model = simulated_model(found)
    control = ComputedTorque(found, model, DT)
    control.strength = 1e9
    q, v = at_rest(found)
    tau = control.torques(found.expand(q), v, (q + 2.0, np.full(found.n, 9.0), np.zeros(found.n)))
    speed = acceleration(found, model, q, v, tau) * DT
    assert (speed <= found.velocity + 1e-6).all()


def test_the_integral_waits_at_a_limit_and_is_bounded() -> None:
    """After seconds against a wall a joint does not rush off; moved by something else, it starts anew."""
    found = robot("mannequin")
    model = simulated_model(found)
    q, v = at_rest(found)
    zero, arm = np.zeros(found.n), found.indices("left_arm")[0]
    fresh = ComputedTorque(found, model, DT).torques(found.expand(q), v, (q, zero, zero))
    control = ComputedTorque(found, model, DT)
    far = q.copy()
    far[arm] += 1.5
    for _ in range(480):
        control.torques(found.expand(q), v, (far, zero, zero))
    tau = control.torques(found.expand(q), v, (q, zero, zero))
    np.testing.assert_allclose(tau, fresh, atol=1e-9)
    near = q.copy()
    near[arm] += 1e-3
    for _ in range(10):
        control.torques(found.expand(q), v, (near, zero, zero))
    assert abs(control.torques(found.expand(q), v, (q, zero, zero)) - fresh)[arm] > 1e-3
    control.torques(found.expand(q), v, (near, zero, zero), [arm])
    np.testing.assert_allclose(control.torques(found.expand(q), v, (q, zero, zero)), fresh, atol=1e-9)


def test_joints_that_stick_do_not_drive_each_other() -> None:
    """One that sticks is pushed by what itself should do, not by what it would take if the other moved as well."""
    found = robot("talos")
    q, v = at_rest(found)
    shoulder, wrist = found.indices("left_arm")[0], found.indices("left_arm")[-1]
    zero, tau = np.zeros(found.n), []
    for error in (0.1, 0.0):
        control, wanted = ComputedTorque(found, simulated_model(found), DT), q.copy()
        wanted[[shoulder, wrist]] += error, 0.02
        for _ in range(2):  # nothing has moved by the second
            pushed = control.torques(found.expand(q), v, (wanted, zero, zero))
        tau.append(pushed)
    assert abs(tau[0][shoulder] - tau[1][shoulder]) > 1.0
    assert tau[0][wrist] == pytest.approx(tau[1][wrist], abs=0.1)


def test_what_is_passive_takes_no_torque() -> None:
    """As the base of a robot on wheels; nor does its error."""
    found = robot("bandit")
    control = ComputedTorque(found, simulated_model(found), DT)
    q, v = at_rest(found)
    tau = control.torques(found.expand(q), v, (q + 0.1, np.zeros(found.n), np.zeros(found.n)), [0, 1, 2])
    np.testing.assert_array_equal(tau[:3], 0.0)
    assert np.abs(tau[3:]).max() > 0.0


def test_the_others_do_not_brake_what_is_passive() -> None:
    """A base that rolls faster than it is told to asks nothing of the arms."""
    found = robot("bandit")
    q, v = at_rest(found)
    wanted, tau = (q, np.zeros(found.n), np.zeros(found.n)), []
    for speed in (0.0, 5.0):
        v[0] = speed
        control = ComputedTorque(found, simulated_model(found), DT)
        tau.append(control.torques(found.expand(q), v, wanted, [0, 1, 2]))
    np.testing.assert_allclose(tau[0], tau[1], atol=1e-6)
