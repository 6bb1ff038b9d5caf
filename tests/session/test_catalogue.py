from __future__ import annotations

import os
import re
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from taskmatrix.behaviors import Pickup
from taskmatrix.core import ActivationTree
from taskmatrix.core.base.errors import NotFoundError, TaskMatrixError
from taskmatrix.session import catalogue
from taskmatrix.soccer import Player

BROKEN = {"absent": "no_such_module:Thing", "strange": "math:pi"}
OTHERS = {**BROKEN, "gather": "taskmatrix.behaviors:Pickup", "reach": "no_such_module:Reach"}


@pytest.fixture(autouse=True)
def _plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(group: str) -> list[EntryPoint]:
        return [EntryPoint(name, value, group) for name, value in OTHERS.items()]

    monkeypatch.setattr(catalogue, "entry_points", entry_points)


def test_broken_plugins_do_not_disturb_other_behaviors() -> None:
    """Own behaviors and whole plug-ins load; own names cannot be taken."""
    assert catalogue.load("gather") is Pickup
    assert catalogue.load("reach").__module__.startswith("taskmatrix.")
    assert set(OTHERS) < set(catalogue.behaviors())
    with pytest.raises(NotFoundError, match="did you mean 'gather'"):
        catalogue.load("gathr")


@pytest.mark.parametrize(("name", "why"), [("absent", "ModuleNotFoundError"), ("strange", "is no TaskBehavior")])
def test_a_broken_plugin_is_one_clear_error_when_asked_for(name: str, why: str) -> None:
    """With its name, where it comes from, and why; in a list it is the description."""
    with pytest.raises(TaskMatrixError, match=f"'{name}' of the entry point '{BROKEN[name]}' .*{why}"):
        catalogue.load(name)
    description, parameters = catalogue.describe(name)
    assert why in description
    assert not parameters


def test_a_class_is_found_by_name_and_by_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in a module of the working folder."""
    assert catalogue.find_class("pickup") is Pickup
    assert catalogue.find_class("taskmatrix.behaviors:Pickup") is Pickup
    (tmp_path / "own_tasks_of_the_folder.py").write_text(
        "from taskmatrix.behaviors import Reach\nclass Own(Reach): pass\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    assert catalogue.find_class("own_tasks_of_the_folder:Own").__name__ == "Own"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("taskmatrix.behaviors:Pikup", "no behavior 'Pikup' in module 'taskmatrix.behaviors'; did you mean 'Pickup'"),
        ("no_such_module:Thing", "module 'no_such_module' cannot be loaded: ModuleNotFoundError"),
        ("pathlib:Path", "'pathlib:Path' is neither a TaskBehavior nor a Component"),
    ],
)
def test_a_class_that_is_not_there_is_one_clear_error(name: str, why: str) -> None:
    """With what there is."""
    with pytest.raises(TaskMatrixError, match=re.escape(why)):
        catalogue.find_class(name)


def test_a_file_is_loaded_again_as_it_is_also_a_moment_after_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Python keeps of it, compiled, looks as new as it: the same second, and as many bytes."""
    file = tmp_path / "quickly_changed_task.py"
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    for number in (3, 4):
        file.write_text(
            f"from taskmatrix.behaviors import Reach\nclass Own(Reach):\n    number = {number}\n", encoding="utf-8"
        )
        os.utime(file, (1_700_000_000, 1_700_000_000))
        find = catalogue.find_class if number == 3 else catalogue.find_again
        assert vars(find("quickly_changed_task:Own"))["number"] == number
    monkeypatch.delitem(sys.modules, "quickly_changed_task")


def test_a_component_is_run_as_a_tree_with_its_parameters() -> None:
    """``taskmatrix run my_program:Player`` plays it, whether or not it has a tree of its own."""
    found = catalogue.find_class("taskmatrix.soccer:Player")
    assert issubclass(found, ActivationTree)
    tree = found(net="blue_goal")
    root = next(iter(tree.assembled().values()))
    assert isinstance(root, Player)
    assert root.parameters == {"ball": "ball", "net": "blue_goal"}
