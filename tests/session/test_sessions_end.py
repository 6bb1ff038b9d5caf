"""What a session leaves behind in its process when it is closed: nothing."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

from taskmatrix import connect, simulate
from taskmatrix.behaviors import Postural
from taskmatrix.robots import Robot, load_robot
from taskmatrix.session.session import Session

from .test_connect import Lagging

Opens = Callable[[Robot], Session]
PLANTS: dict[str, Opens] = {
    "kinematic": simulate,
    "bullet": lambda robot: simulate(robot, sim="bullet"),
    "mujoco": lambda robot: simulate(robot, sim="mujoco"),
    "connected": lambda robot: connect(robot, Lagging(robot.posture("rest")), real_time=False),
}


def one(opens: Opens, path: Path) -> list[weakref.ref[object]]:
    """Open, record, run and close; what must not stay."""
    with opens(load_robot("nao")) as session:
        recorder = session.record(path)
        assert session.run(Postural(posture="ready", duration=0.5)).success
        return [weakref.ref(each) for each in (session, session.plant, session.context, session.skills, recorder)]


@pytest.mark.parametrize("plant", PLANTS)
def test_nothing_is_left_of_sessions_that_are_closed(plant: str, tmp_path: Path) -> None:
    """No session, plant or recorder is reachable any more, and no thread runs."""
    one(PLANTS[plant], tmp_path / "first.mcap")  # what is loaded once is loaded
    threads = threading.active_count()
    left = [each for number in range(3) for each in one(PLANTS[plant], tmp_path / f"{number}.mcap")]
    gc.collect()
    assert [each() for each in left if each() is not None] == []
    assert threading.active_count() == threads
