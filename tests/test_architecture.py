"""The rooms of the house: who may know whom, and what every module keeps to."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import taskmatrix

PACKAGE = Path(taskmatrix.__file__).parent
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))
KNOWS: dict[str, set[str]] = {
    "core": set(),
    "robots": {"core"},
    "conditions": {"core"},
    "behaviors": {"conditions", "core"},
    "soccer": {"behaviors", "conditions", "core"},
    "skills": {"robots", "core"},
    "perception": {"robots", "core"},
    "simulation": {"robots", "core"},
    "testing": {"core"},
    "transports": {"core"},
    "studio": {"behaviors", "conditions", "core", "perception", "robots", "simulation", "skills"},
    "": {"core", "studio"},  # taskmatrix/__init__.py, the face
}
LONGEST = 500


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def name_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def imported(path: Path) -> Iterator[str]:
    """Full names of all that a module imports, wherever in it."""
    package = ("taskmatrix", *path.relative_to(PACKAGE).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            start = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{start}.{alias.name}" for alias in node.names)


def test_every_room_has_its_place() -> None:
    """A new folder of modules says here whom it may know."""
    assert {room_of(path) for path in MODULES} == set(KNOWS)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_one_way(path: Path) -> None:
    """Each room knows its own modules and the rooms below it; nobody knows the studio but the face."""
    room = room_of(path)
    for name in imported(path):
        if name.split(".")[0] == "taskmatrix":
            target = name.split(".")[1] if "." in name else ""
            assert target in KNOWS[room] | {room}, f"{name_of(path)} imports {name}"


def test_nothing_is_imported_through_the_links() -> None:
    """The links at the top of the repository are for readers."""
    for path in MODULES:
        for name in imported(path):
            assert name.split(".")[0] not in ("skills", "behaviors", "robots", "conditions"), name_of(path)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_module_is_long(path: Path) -> None:
    """What does not fit into 500 lines is more than one thing."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", [path for path in MODULES if name_of(path) != "core/clock.py"], ids=name_of)
def test_only_the_clock_knows_the_time(path: Path) -> None:
    """Time is an argument: nobody else reads the wall clock or sleeps."""
    forbidden = {"time", "sleep"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "time":
            assert node.attr not in forbidden, f"{name_of(path)}:{node.lineno}"
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            assert not forbidden & {alias.name for alias in node.names}, f"{name_of(path)}:{node.lineno}"


@pytest.mark.parametrize("path", [path for path in MODULES if path.name == "__init__.py"], ids=name_of)
def test_all_is_true(path: Path) -> None:
    """A room hands on exactly what it names; the linter keeps the names in order."""
    relative = path.parent.relative_to(PACKAGE.parent)
    module = importlib.import_module(".".join(relative.parts))
    named = list(getattr(module, "__all__", []))
    assert len(named) == len(set(named))
    for name in named:
        assert hasattr(module, name)
    handed_on = [
        alias.asname or alias.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module not in ("__future__", "importlib", "typing")
        for alias in node.names
    ]
    assert sorted(handed_on) == sorted(named)


def test_the_face_defines_nothing() -> None:
    """``taskmatrix/__init__.py`` only hands names on, some when they are first asked for."""
    body = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8")).body
    hands_on = (ast.ImportFrom, ast.Expr, ast.Assign, ast.If)
    defined = {
        node.name if isinstance(node, ast.FunctionDef) else node for node in body if not isinstance(node, hands_on)
    }
    assert defined == {"__getattr__", "__dir__"}
