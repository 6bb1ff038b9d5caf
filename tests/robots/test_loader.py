"""Finding robots by name, path and entry point."""

from __future__ import annotations

import importlib.metadata
import multiprocessing
import pickle
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from taskmatrix.core.base.errors import NotFoundError, ParameterError, RobotError
from taskmatrix.robots import Robot, load_robot, robot_descriptions, robot_names
from taskmatrix.robots.loading import loader
from taskmatrix.robots.loading.adapter import build_robot

NAMES = (
    *("alex", "asimo", "bandit", "baxter", "centauro", "g1", "human", "icub"),
    *("mannequin", "nao", "pr2", "romeo", "talos", "tiago", "tiago_pro"),
)


@pytest.fixture(autouse=True)
def robots_are_read_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here reading is what is tested."""
    monkeypatch.setattr(loader, "build_robot", build_robot)


def test_the_robots_are_there() -> None:
    """The library comes with fifteen robots, in alphabetical order."""
    assert robot_names() == NAMES


def test_each_robot_has_one_line_of_description() -> None:
    """Descriptions are one line, and exist for every robot."""
    found = robot_descriptions()
    assert tuple(found) == NAMES
    assert all(text.strip() and "\n" not in text for text in found.values())


def test_descriptions_build_no_robot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Listing robots reads their adapters only: it works where their URDFs are not installed."""
    monkeypatch.setattr(loader, "build_robot", None)
    assert robot_descriptions()["talos"]


def test_an_unknown_name_offers_the_nearest() -> None:
    """A misspelt name lists what there is."""
    with pytest.raises(NotFoundError, match=r"no robot 'manequin'; did you mean 'mannequin'\? There are: alex, asimo"):
        load_robot("manequin")


def test_what_is_neither_a_name_nor_a_path_is_refused() -> None:
    """Settings of a run in place of a robot, say."""
    with pytest.raises(ParameterError, match="a robot is a name or a path, not dict"):
        load_robot({"robot": "mannequin"})  # type: ignore[arg-type]


def test_a_path_that_does_not_exist_is_named() -> None:
    """A path is not mistaken for a name."""
    with pytest.raises(RobotError, match=r"nowhere.robot\.toml: the adapter file does not exist"):
        load_robot("nowhere/robot.toml")


def test_a_robot_loads_from_its_file_and_from_its_folder(tiny: Callable[..., Path]) -> None:
    """The folder means the robot.toml in it; the robot is called like the folder."""
    path = tiny()
    for given in (path, str(path), path.parent):
        robot = load_robot(given)
        assert robot.source == str(path)
        assert robot.name == path.parent.name


def test_each_load_is_a_robot_of_its_own() -> None:
    """Changing one robot's limits leaves the next one as it was."""
    first = load_robot("mannequin")
    first.upper[:] = 0.0
    assert load_robot("mannequin").upper.max() > 0.0


def test_other_packages_add_robots_by_entry_points(tiny: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point gives a path, or a function that returns one; anything else is an error."""
    path = tiny()
    entries = {"path": path, "function": lambda: str(path), "wrong": 3}

    def entry_points(group: str) -> list[SimpleNamespace]:
        assert group == "taskmatrix.robots"
        return [SimpleNamespace(name=name, load=lambda value=value: value) for name, value in entries.items()]

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    assert {"path", "function", "asimo"} <= set(robot_names())
    assert load_robot("path").source == load_robot("function").source == str(path)
    with pytest.raises(RobotError, match=r"entry point 'wrong' .* must give a path, it gives 3"):
        load_robot("wrong")


def hand_height(robot: Robot) -> float:
    """Runs in the other process."""
    return float(robot.shoulder_height + robot.visual_placements(robot.posture("ready"))[:, 2, 3].sum())


def test_a_fresh_process_has_the_same_robot() -> None:
    """A robot that is sent to a spawned process is loaded there, and is the same to the last bit."""
    robot = load_robot("mannequin")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(hand_height, (robot,)) == hand_height(robot)


def test_a_pickled_robot_is_small() -> None:
    """What travels is the path, not the model."""
    data = pickle.dumps(load_robot("mannequin"))
    assert len(data) < 1000
    np.testing.assert_array_equal(pickle.loads(data).S, load_robot("mannequin").S)
