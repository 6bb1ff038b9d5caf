from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.simulation.bullet.body import Body
from taskmatrix.simulation.bullet.engine import Engine
from taskmatrix.simulation.physics.mass import simulated_model
from taskmatrix.simulation.physics.presets import Physics

from ..physics.scenes import robot

pytestmark = pytest.mark.pictures
DT = 1 / 240


def standing(engine: Engine, name: str) -> Body:
    found = robot(name)
    engine("setGravity", 0.0, 0.0, 0.0)
    return Body(engine, found, simulated_model(found), found.posture(found.stance), Physics(), {})


def test_it_starts_where_it_is_told(engine: Engine) -> None:
    """At rest, with the joints that follow where their leaders have them."""
    body, found = standing(engine, "asimo"), robot("asimo")
    q, v = body.read()
    np.testing.assert_allclose(q, found.expand(found.posture(found.stance)))
    np.testing.assert_array_equal(v, 0.0)
    np.testing.assert_allclose(body.active()[0], found.posture(found.stance))


@pytest.mark.parametrize("name", ["mannequin", "talos"])
def test_at_rest_it_does_not_touch_itself(engine: Engine, name: str) -> None:
    """Nor the floor, on which its constraint carries it: without gravity nothing moves in a second."""
    body = standing(engine, name)
    before = body.read()[0]
    for _ in range(240):
        engine.step(DT)
    np.testing.assert_allclose(body.read()[0], before, atol=1e-6)


def test_torques_turn_joints(engine: Engine) -> None:
    """The one that they are for, as its inertia has it; without any it goes on as it was."""
    body, found = standing(engine, "mannequin"), robot("mannequin")
    arm = found.indices("right_arm")[0]
    torques = np.zeros(found.n)
    torques[arm] = 1.0
    body.drive(torques)
    engine.step(DT)
    first = body.active()[1][arm]
    assert first > 0.01
    body.drive(np.zeros(found.n))
    engine.step(DT)
    assert body.active()[1][arm] == pytest.approx(first, rel=0.05)


def test_a_brake_slows_a_joint_down_until_it_is_let_go(engine: Engine) -> None:
    """As far as its torque does it in a step; a joint that is braked no more turns freely."""
    body, found = standing(engine, "asimo"), robot("asimo")
    joint = np.array([found.joints.index("left_elbow")], dtype=np.intp)
    push = np.zeros(found.n)
    push[joint] = 2.0

    def turned(steps: int, brake: float | None) -> float:
        for _ in range(steps):
            braked = joint if brake is not None else joint[:0]
            body.brake(braked, np.full(len(braked), 0.2), np.full(len(braked), brake or 0.0))
            body.drive(push)
            engine.step(DT)
        return float(body.active()[1][joint[0]])

    fast = turned(20, None)
    assert fast > 1.0
    assert turned(1, 1e3) == pytest.approx(0.2, abs=1e-3)
    assert turned(5, None) > 0.25
    before = turned(10, None)
    assert 0.2 < turned(1, 3.0) < before


def test_a_jammed_joint_stays(engine: Engine) -> None:
    """Under a torque that turns it otherwise."""
    body, found = standing(engine, "mannequin"), robot("mannequin")
    arm = found.indices("right_arm")[0]
    before = body.active()[0][arm]
    body.jam(found.joints[arm])
    torques = np.zeros(found.n)
    torques[arm] = 5.0
    for _ in range(60):
        body.drive(torques)
        engine.step(DT)
    assert body.active()[0][arm] == pytest.approx(before, abs=1e-3)


def test_a_shift_moves_the_base_and_nothing_else(engine: Engine) -> None:
    """By what it is told, at once."""
    body = standing(engine, "mannequin")
    before = body.active()[0]
    body.shift(np.array([0.1, -0.2, 0.3]))
    moved = body.active()[0] - before
    np.testing.assert_allclose(moved[:3], [0.1, -0.2, 0.3], atol=1e-9)
    np.testing.assert_allclose(moved[3:], 0.0, atol=1e-9)


def test_links_that_touch_are_those_of_the_hands(engine: Engine) -> None:
    """A hand's own, or those of all; a link of the URDF that is fixed to another is part of that."""
    body, found = standing(engine, "asimo"), robot("asimo")
    left, right = (set(body.links_that_touch(hand)) for hand in ("left", "right"))
    assert left
    assert not left & right
    assert left | right == set(body.links_that_touch())
    for name in found.hands["left"].touch:
        assert body.link_of(name) in left
