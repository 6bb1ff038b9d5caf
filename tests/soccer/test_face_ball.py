"""The head follows the ball."""

from __future__ import annotations

import numpy as np

from taskmatrix.core import ActivationTree
from taskmatrix.core.world.geometry import angle_between
from taskmatrix.soccer import FaceBall, Perception

from .field import field, moved


def test_rolling_ball_stays_in_the_middle_of_the_image() -> None:
    """Within a degree, at a speed of 1 m/s past a robot at 2.5 m."""
    path = [(2.5, -1.2 + 0.01 * k) for k in range(240)]
    made = field(path[0], [moved(1.5 + 0.01 * k, *place) for k, place in enumerate(path)])
    tree = ActivationTree(FaceBall())
    made.executive.prepare(tree)
    errors = []
    for tick in range(380):
        made.executive.step(tree)
        made.context.clock.sleep_until(made.context.clock.now() + 0.01)
        if tick == 0:
            knows = tree.components["perception"]
            assert isinstance(knows, Perception)
            knows.suppose_ball(np.array(path[0]), within=1.5)
        skills = made.skills
        ray = made.context.perception.pose("ball")[:3, 3] - skills.view_position()
        errors.append(angle_between(skills.view()[:, 0], ray))
    assert np.degrees(max(errors[160:])) < 2.0
