"""No behavior and no condition knows a robot: moving a program to another one adds data, and edits nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

import taskmatrix
from taskmatrix.core import MissingDependencyError
from taskmatrix.robots import load_robot
from taskmatrix.robots.loading.urdf import UPRIGHT

PACKAGE = Path(taskmatrix.__file__).parent
ROBOTS = sorted(path.parent for path in PACKAGE.glob("robots/*/robot.toml"))
PROGRAMS = sorted(path for room in ("behaviors", "conditions", "soccer") for path in (PACKAGE / room).rglob("*.py"))
ROLES = {
    "base",
    "torso",
    "head",
}  # chains that every adapter maps to its own joints; some robots have links of that name
COMPONENTS = {"soccer": {"body"}, "force": {"body"}}  # a component in one paper, in another what an arm avoids


def words_of(source: str) -> Iterator[tuple[str, int]]:
    """Every name, attribute and word of a text in a program, in small letters, with its line."""
    for node in ast.walk(ast.parse(source)):
        texts: list[str | None] = []
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts = [node.value]
        elif isinstance(node, ast.Name):
            texts = [node.id]
        elif isinstance(node, ast.Attribute):
            texts = [node.attr]
        elif isinstance(node, ast.arg | ast.keyword):
            texts = [node.arg]
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            texts = [node.name]
        for text in texts:
            for word in re.findall(r"\w+", (text or "").lower()):
                yield word, getattr(node, "lineno", 0)


@cache
def names_of(folder: Path) -> frozenset[str]:
    """Name of a robot and of all its links and joints, in small letters."""
    urdfs = list(folder.glob("*.urdf"))
    names = {folder.name}
    if urdfs:
        for urdf in urdfs:
            root = ElementTree.parse(urdf).getroot()
            names |= {str(element.get("name")) for kind in ("link", "joint") for element in root.iter(kind)}
    else:
        model = load_robot(folder).model
        names |= {*model.names, *(frame.name for frame in model.frames)} - {UPRIGHT}  # a link of the library's own
    return frozenset(name.lower() for name in names) - ROLES


@cache
def _words_of(path: Path) -> tuple[tuple[str, int], ...]:
    return tuple(words_of(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("folder", ROBOTS, ids=lambda folder: folder.name)
def test_no_program_names_a_robot_a_link_or_a_joint(folder: Path) -> None:
    """Not in a string, a name or an attribute of any behavior or condition."""
    try:
        names = names_of(folder)
    except MissingDependencyError as error:
        pytest.skip(str(error))
    assert len(names) > 40
    found = [
        f"{path.parent.name}/{path.name}:{line} says '{word}'"
        for path in PROGRAMS
        for word, line in _words_of(path)
        if word in names - COMPONENTS.get(path.parent.name, set())
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        'chain = "left_elbow"',
        "self.left_elbow = 1",
        "left_elbow = 1",
        "move(left_elbow=1)",
        "f'the {side} of left_elbow'",
        'def left_elbow(): "x"',
        '"""Bends the left_elbow."""',
    ],
)
def test_the_search_finds_a_name_wherever_it_stands(line: str) -> None:
    """A test that cannot fail would prove nothing."""
    assert "left_elbow" in {word for word, _ in words_of(line)}


def test_there_are_programs_and_robots() -> None:
    """The search has something to look for and somewhere to look."""
    assert {path.name for path in ROBOTS} >= {"asimo", "bandit", "mannequin", "nao", "talos"}
    assert {path.stem for path in PROGRAMS} >= {"reach", "grasp", "fixate", "pickup", "graspable", "grasping"}
