from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.physics.wheels import Wheels, wheel_width

from .scenes import robot

BANDIT = robot("bandit")
DT = 1 / 240


def still() -> tuple[Array, Array, Array]:
    return BANDIT.posture("stand"), np.zeros(BANDIT.n), np.zeros(BANDIT.n)


def test_they_are_found_by_the_links_that_touch_the_floor() -> None:
    """The left one first, with the radius at which they stand."""
    wheels = Wheels(BANDIT, BANDIT.model)
    assert [BANDIT.joints[k] for k in wheels.indices] == ["left_wheel", "right_wheel"]
    assert 0.05 < wheels.radius < 0.3


def test_a_wheel_is_as_wide_as_its_body() -> None:
    """What has no body has no width."""
    model = BANDIT.model
    assert wheel_width(BANDIT, model, model.getJointId("left_wheel")) == pytest.approx(0.05, abs=1e-6)
    bare = BANDIT.collision.copy()
    for name in [each.name for each in bare.geometryObjects if each.name.startswith("left_wheel")]:
        bare.removeGeometryObject(name)
    assert wheel_width(replace(BANDIT, collision=bare), model, model.getJointId("left_wheel")) == 0.0


@pytest.mark.parametrize("links", [("torso", "head"), ("left_wheel",), ("left_wheel", "left_wheel", "right_wheel")])
def test_what_stands_otherwise_has_no_wheels(links: tuple[str, ...]) -> None:
    """The error names the file, the key and the links."""
    with pytest.raises(RobotError, match=r"robot.toml: \[base\] floor: .* on the links of two wheels, not on \["):
        Wheels(replace(BANDIT, floor_links=links), BANDIT.model)


def test_at_rest_they_take_no_torque() -> None:
    """Where they stood first is where they stay."""
    wheels = Wheels(BANDIT, BANDIT.model)
    q, v, a = still()
    np.testing.assert_array_equal(wheels.torques(q, v, (q, v, a), DT), 0.0)
    turned = q.copy()
    turned[wheels.indices] += 0.1
    assert (wheels.torques(turned, v, (q, v, a), DT) < 0.0).all()


@pytest.mark.parametrize("yaw", [0.0, 1.0, -2.5])
def test_ahead_both_turn_alike_and_on_the_spot_against_each_other(yaw: float) -> None:
    """Whatever the heading; the left wheel goes back in a turn to the left."""
    q, v, a = still()
    q[2] = yaw
    a[:2] = 0.5 * np.cos(yaw), 0.5 * np.sin(yaw)
    left, right = Wheels(BANDIT, BANDIT.model).torques(q, v, (q, v, a), DT)
    assert left == pytest.approx(right)
    assert left > 0.0
    a[:3] = 0.0, 0.0, 0.5
    left, right = Wheels(BANDIT, BANDIT.model).torques(q, v, (q, v, a), DT)
    assert left == pytest.approx(-right)
    assert right > 0.0


def test_sideways_they_do_not_roll() -> None:
    """A base on two wheels does not go there."""
    q, v, a = still()
    a[1] = v[1] = 0.5
    np.testing.assert_allclose(Wheels(BANDIT, BANDIT.model).torques(q, np.zeros(BANDIT.n), (q, v, a), DT), 0.0)


def test_their_motors_have_limits() -> None:
    """Those of the URDF."""
    wheels = Wheels(BANDIT, BANDIT.model)
    q, v, a = still()
    a[0] = 1e4
    effort = BANDIT.model.effortLimit[[BANDIT.model.joints[BANDIT.model.getJointId(n)].idx_v for n in wheels.joints]]
    np.testing.assert_allclose(wheels.torques(q, v, (q, v, a), DT), effort)
