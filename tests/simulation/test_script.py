from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from taskmatrix.core.base.errors import WorldError
from taskmatrix.core.base.tables import Table
from taskmatrix.core.world.geometry import pose
from taskmatrix.simulation.scenes.object_motion import FigureEight, Roll, Walk
from taskmatrix.simulation.scenes.script import Script, read_script


def read(grow: float = 1.0, **data: Any) -> tuple[Script | None, float]:
    table = Table(Path("x.toml"), "object['a']", data, WorldError)
    return read_script(table, np.array([1.0, 2.0]), grow, 0.1)


def test_nothing_said_is_no_script() -> None:
    """An object that always stands where it is has none."""
    assert read() == (None, 0.0)


def test_presence_is_from_appearing_until_disappearing() -> None:
    """There at the first instant, gone at the last."""
    script, _ = read(appears=3.0, disappears=9.0)
    assert script is not None
    assert [script.present(time) for time in (0.0, 2.99, 3.0, 8.99, 9.0)] == [False, False, True, True, False]
    assert math.isinf(Script().disappears)


def test_motion_begins_when_it_appears() -> None:
    """The path's time counts from then."""
    script = Script(FigureEight((1.0, 0.5), 8.0), appears=3.0)
    X = pose((1, 2, 0.1))
    np.testing.assert_allclose(script.pose(3.0, X, np.eye(3)), X)
    np.testing.assert_allclose(script.pose(5.0, X, np.eye(3))[:3, 3], [1.5, 2.0, 0.1])
    assert script.travelled(2.0) == 0.0
    assert script.travelled(5.0) > 0.5


def test_motion_is_in_the_axes_of_the_support() -> None:
    """On a table that is turned, what goes along x goes along the table's x."""
    R = pose(rpy=(0, 0, np.pi / 2))[:3, :3]
    X = pose((1, 2, 0.7), (0, 0, np.pi / 2))
    X_moved = Script(FigureEight((1.0, 0.5), 8.0)).pose(2.0, X, R)
    np.testing.assert_allclose(X_moved[:3, 3], [1.0, 2.5, 0.7], atol=1e-12)


def test_waypoints_are_positions_and_grow_with_the_support() -> None:
    """They are given as the position is; the displacement is from that."""
    script, heading = read(2.0, motion={"kind": "walk", "waypoints": [[0.5, 2.0]], "speed": 1.0})
    assert script is not None
    assert isinstance(script.motion, Walk)
    np.testing.assert_allclose(script.motion.route.points, [[0.0, 0.0], [0.0, 2.0]])
    assert heading == pytest.approx(np.pi / 2)
    script, heading = read(motion={"kind": "roll", "waypoints": [[0, 2]], "speed": 1.0, "repeat": True})
    assert script is not None
    assert isinstance(script.motion, Roll)
    assert (script.motion.radius, script.motion.route.repeat, heading) == (0.1, True, 0.0)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"appears": -1.0}, "appears: must not be negative"),
        ({"appears": 3.0, "disappears": 2.0}, "disappears: must be after it appears"),
        ({"motion": {"kind": "rol"}}, r"motion\.kind: .*did you mean 'roll'"),
        ({"motion": {"kind": "roll", "speed": 1.0}}, "waypoints: missing"),
        ({"motion": {"kind": "roll", "waypoints": [], "speed": 1.0}}, "waypoints: one or more"),
        ({"motion": {"kind": "roll", "waypoints": [[1, "a"]], "speed": 1.0}}, r"waypoints\[0\]: expected \[x, y\]"),
        ({"motion": {"kind": "roll", "waypoints": [[3, 4], [3, 4]], "speed": 1.0}}, r"waypoints\[1\]: is where"),
        ({"motion": {"kind": "walk", "waypoints": [[3, 4]], "speed": 0.0}}, "speed: must be above zero"),
        ({"motion": {"kind": "figure_eight", "size": [1, 0], "period": 5}}, "size: must be above zero"),
        ({"motion": {"kind": "figure_eight", "size": [1, 1], "speed": 5}}, "speed: no key 'speed'"),
    ],
)
def test_mistakes_are_named(data: dict[str, Any], message: str) -> None:
    """Each with its key and what is allowed."""
    with pytest.raises(WorldError, match=message):
        read(**data)
