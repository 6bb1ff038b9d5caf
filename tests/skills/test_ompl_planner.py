from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.skills.planning import ompl_planner
from taskmatrix.skills.planning.settings import PlannerSettings

from ..kernel.room import GOAL, START, is_free, planner, room


@pytest.mark.parametrize("name", ompl_planner.NAMES)
def test_every_planner_of_ompl_finds_the_door(name: str) -> None:
    """By its name, with lines that are free."""
    model, geometry = room()
    path = ompl_planner.solve(planner(model, geometry)[0], name, START, GOAL, 1, 6000)
    assert path is not None
    np.testing.assert_allclose(path[[0, -1]], [START, GOAL])
    assert is_free(model, geometry, path)


def test_the_work_is_bounded() -> None:
    """Without a door it gives up."""
    space = planner(*room(door=False))[0]
    assert ompl_planner.solve(space, "RRTConnect", START, GOAL, 1, 500) is None
    assert 500 <= space.checks <= 700


def test_the_same_seed_gives_the_same_path() -> None:
    """Whatever was planned in between."""
    paths = [ompl_planner.solve(planner(*room())[0], "RRTConnect", START, GOAL, seed, 5000) for seed in (7, 8, 7)]
    assert paths[0] is not None
    assert paths[2] is not None
    np.testing.assert_array_equal(paths[0], paths[2])


def test_settings_name_what_there_is() -> None:
    """And the nearest to what there is not."""
    assert PlannerSettings(planner="RRTstar").planner == "RRTstar"
    with pytest.raises(NotFoundError, match="RRTConnect"):
        PlannerSettings(planner="RRTConect")
    with pytest.raises(ParameterError, match="'checks' must not be negative"):
        PlannerSettings(checks=-1)


def test_an_interpreter_that_planned_ends_in_silence() -> None:
    """Nothing is left behind that the bindings would complain of."""
    code = (
        "from taskmatrix.skills.planning import ompl_planner\n"
        "from tests.kernel.room import GOAL, START, planner, room\n"
        "ompl_planner.solve(planner(*room())[0], 'RRTConnect', START, GOAL, 1, 2000)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout + ended.stderr == ""
