from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.base.errors import WorldError
from taskmatrix.robots import load_robot
from taskmatrix.session.start import drawn_start
from taskmatrix.simulation.scenes.world_loader import load_world


def test_a_start_region_is_cut_at_the_limits_of_the_base_and_refused_beyond_them() -> None:
    """Where nothing of it is within them, the error names both."""
    robot, world = load_robot("bandit"), load_world("sparse")
    edge = float(robot.upper[0])
    across = replace(world, start=((edge - 0.5, -1.0, 0.0), (edge + 100.0, 1.0, 0.0)))
    place = drawn_start(robot, across, np.random.default_rng(0))[0]
    assert edge - 0.5 <= place <= edge
    beyond = replace(world, start=((edge + 1.0, -1.0, 0.0), (edge + 2.0, 1.0, 0.0)))
    with pytest.raises(WorldError, match=r"start region of world 'sparse'.*outside the limits of the base.*'bandit'"):
        drawn_start(robot, beyond, np.random.default_rng(0))
