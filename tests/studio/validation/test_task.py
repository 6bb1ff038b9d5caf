from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from taskmatrix.core.base.errors import NotFoundError, TaskMatrixError
from taskmatrix.core.robot.capability import ViewCapability
from taskmatrix.robots import load_robot
from taskmatrix.session.catalogue import behaviors, load
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.studio.validation import Task, task
from taskmatrix.studio.validation.task import lacks

ELSEWHERE = {
    "explore",  # takes a map, as next-best-view does; benchmarks/mapping.py runs them
    "next-best-view",
    "open",  # takes a world with drawers; benchmarks/opening.py runs it, and the next two
    "close",
    "move-part",
    "put-into",  # likewise; benchmarks/home_tasks.py runs it, and those that follow
    "store",
    "take-out",
    "rub",
    "wipe",
    "bring",
    "push",
    "shove",
    "unload",
    "stack",
    "tilt",  # tests/behaviors/test_pour.py runs these two
    "pour",
    "comply",  # takes a plant that drives joints with a stiffness; tests/behaviors/test_comply.py runs it
    "avoid-body",  # likewise, and so are those that follow; tests/behaviors/test_force.py runs them
    "cartesian-impedance",
    "posture-spring",
    "guide",  # tests/behaviors/test_press.py runs these two
    "press",
    "demonstrate",  # tests/behaviors/test_imitate.py runs these two
    "imitate",
    "offer",  # tests/behaviors/test_hand_over.py runs these two
    "hand-over",
    "virtual-spring",
    "follow-commands",  # takes somebody who commands; benchmarks/reflexes.py runs it
}


def test_every_behavior_is_validated(parts: frozenset[str]) -> None:
    """Whoever adds a behavior says how the matrix runs it, with parameters that it has."""
    known = task.tasks()
    assert set(behaviors()) - parts - ELSEWHERE <= set(known)
    for behavior in set(behaviors()) & set(known):
        assert set(known[behavior].parameters) <= set(load(behavior).declared), behavior


def test_placeholders_stand_for_what_the_world_says() -> None:
    """Objects, surfaces and the second robot; all else is as it is."""
    values = task.filled(
        {"object": "{object}", "on": "{surface}", "target": "{second_robot}", "n": 3}, load_world("sparse")
    )
    assert values == {"object": "vacuum", "on": "table", "target": "second_robot", "n": 3}


def test_third_parties_enter_their_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    """By entry points; what is no task is refused, and an unknown behavior has the nearest name."""

    class Point:
        name, value = "dance", "dancing:task"

        def __init__(self, made: object) -> None:
            self.load = lambda: made

    monkeypatch.setattr(task, "entry_points", lambda group: [Point(Task("dance"))])
    assert task.task_of("dance").behavior == "dance"
    with pytest.raises(NotFoundError, match="did you mean 'dance'"):
        task.task_of("dancer")
    monkeypatch.setattr(task, "entry_points", lambda group: [Point("dance")])
    with pytest.raises(TaskMatrixError, match="gives no validation task"):
        task.tasks()


def test_what_a_robot_lacks_for_a_task() -> None:
    """Arms are counted by hands, a head has to see."""
    own = load_robot("mannequin")
    assert not any(lacks(own, chain) for chain in ("", "arm", "head"))
    blind = replace(own, view=None, hands={})
    assert [lacks(blind, chain) for chain in ("", "arm", "head")] == [False, True, True]


def test_a_head_that_only_pans_is_none_for_a_task() -> None:
    """Such as Baxter's, which looks ten degrees down wherever it turns, and its camera with it."""
    pans, nods = ViewCapability(True, 1.0, 1.0, -0.17, 0.17), ViewCapability(True, 1.0, 1.0, 0.0, 0.5)
    robots: list[Any] = [SimpleNamespace(hands={}, capabilities=SimpleNamespace(view=view)) for view in (pans, nods)]
    assert [lacks(robot, "head") for robot in robots] == [True, False]
