"""How near to a ball a robot goes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.conditions.visible import HALF_ANGLE
from taskmatrix.core.world.geometry import angle_between
from taskmatrix.soccer.stand_off import ROOM, SHARE, stand_off
from taskmatrix.testing import Bench
from taskmatrix.testing.skills.collision import EXTENT


@pytest.mark.parametrize("lowest", [0.2, 0.5, 1.0])
def test_ball_is_seen_below_the_middle_of_the_image(lowest: float) -> None:
    """With the eyes as low as they go, 0.1 m ahead of the axis."""
    skills = Bench().skills
    skills.view_position = lambda q=None: np.array([0.1, 0.0, 1.5])  # type: ignore[method-assign]
    below = math.atan2(1.5, stand_off(skills, lowest) - 0.1) - lowest
    assert below == pytest.approx(SHARE * HALF_ANGLE)
    assert 0.5 * HALF_ANGLE < below < 0.9 * HALF_ANGLE


def test_nothing_of_the_robot_touches_a_ball_that_it_could_see_at_its_feet() -> None:
    """Eyes that look straight down let it go no nearer than it is wide."""
    assert stand_off(Bench().skills, math.pi / 2) == pytest.approx(ROOM * EXTENT[0])
    assert ROOM > 1.0


def test_real_robot_sees_a_ball_at_that_distance() -> None:
    """And not at half of it, where its head does not come down to; at its feet it would touch it."""
    with simulate("nao", "soccer", start=(-1.0, 0.0, 0.0)) as session:
        skills, view = session.skills, session.skills.capabilities.view
        assert view is not None
        distance, off = stand_off(skills, view.down), []
        for share in (1.0, 0.5):
            ball = np.array([-1.0 + share * distance, 0.0, 0.0])
            q = skills.inverse_kinematics_of_view(ball, ["head"])
            off.append(angle_between(skills.view(q)[:, 0], ball - skills.view_position(q)))
        ball = session.world.poses["ball"][:2, 3]
        bases = [np.array([*ball, 0.0]) - (share * distance, 0.0, 0.0) for share in (1.0, 0.1)]
        touched = [skills.collision(skills.joints("base"), base) is not None for base in bases]
    assert off[0] < HALF_ANGLE < off[1]
    assert touched == [False, True]
