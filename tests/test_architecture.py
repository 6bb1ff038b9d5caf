"""The rooms of the house: who may know whom, and what every module keeps to."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections import Counter
from collections.abc import Collection
from functools import cache, partial
from pathlib import Path

import pytest

import taskmatrix

PACKAGE = Path(taskmatrix.__file__).parent
MODULES = sorted(path for path in PACKAGE.rglob("*.py"))
KNOWS: dict[str, set[str]] = {
    "core": set(),
    "geometry": {"core"},
    "kernel": {"core", "geometry"},
    "robots": {"core", "geometry"},
    "conditions": {"core"},
    "behaviors": {"conditions", "core"},
    "soccer": {"behaviors", "conditions", "core"},
    "ros2": {"core"},
    "skills": {"core", "geometry", "kernel", "robots"},
    "perception": {"core", "kernel", "robots"},
    "simulation": {"core", "geometry", "kernel", "robots"},
    "testing": {"core"},
    "transports": {"core"},
    "session": {"behaviors", "core", "perception", "robots", "simulation", "skills", "soccer"},
    "studio": {"behaviors", "conditions", "core", "kernel", "perception", "robots", "session", "simulation", "skills"},
    "": {"core", "session", "studio"},  # taskmatrix/__init__.py, the face, and __main__.py
}
CORE = ("base", "world", "robot", "behavior", "machines", "components", "remote", "trees")
"""The walls inside the core: each knows itself and those before it."""
LONGEST = 500
MOST = 21
"""Modules of one folder."""


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def name_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def module_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Full names of all that a module imports, wherever in it."""
    package, names = ("taskmatrix", *path.relative_to(PACKAGE).parts[:-1]), []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            start = ".".join([*base, *([node.module] if node.module else [])])
            names += [f"{start}.{alias.name}" for alias in node.names]
    return tuple(names)


def test_every_room_has_its_place() -> None:
    """A new folder of modules says here whom it may know."""
    assert {room_of(path) for path in MODULES} == set(KNOWS)


def test_imports_go_one_way() -> None:
    """Each room knows its own modules and the rooms below it; nobody knows the studio but the face."""
    wrong = []
    for path in MODULES:
        room = room_of(path)
        for name in imported(path):
            package, _, rest = name.partition(".")
            if package == "taskmatrix" and rest.partition(".")[0] not in KNOWS[room] | {room}:
                wrong.append(f"{name_of(path)} imports {name}")
    assert wrong == []


def test_the_core_has_walls_inside() -> None:
    """What everything is made with knows nothing of what is made with it."""
    wrong = []
    for path in MODULES:
        room, *folder = path.relative_to(PACKAGE).parts[:-1] or [""]
        if room == "core" and folder:
            known = CORE[: CORE.index(folder[0]) + 1]
            targets = [name.split(".") for name in imported(path) if name.startswith("taskmatrix.core.")]
            wrong += [f"{name_of(path)} imports {'.'.join(each)}" for each in targets if each[2] not in known]
    assert wrong == []


def test_no_import_goes_round_in_a_circle() -> None:
    """Not even one inside of a function, or for types only."""
    modules = {module_of(path): path for path in MODULES}
    needs = {
        name: {found for found in map(partial(_module, modules), imported(path)) if found not in (None, name)}
        for name, path in modules.items()
    }
    before = None
    while before != len(needs):  # whoever needs nobody that is left is in no circle; nor is whom nobody needs
        before = len(needs)
        needed = set().union(*needs.values())
        needs = {
            name: others & needs.keys() for name, others in needs.items() if others & needs.keys() and name in needed
        }
    assert sorted(needs) == []


def _module(modules: Collection[str], name: str) -> str | None:
    """The module that an imported name is, or is in."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name or None


def test_no_folder_is_a_hall() -> None:
    """A stranger sees at once what belongs together."""
    folders = Counter(str(path.parent.relative_to(PACKAGE)) for path in MODULES if path.name != "__init__.py")
    assert {folder: modules for folder, modules in folders.items() if modules > MOST} == {}


def test_nothing_is_imported_through_the_links() -> None:
    """The links at the top of the repository are for readers."""
    links = {"skills", "behaviors", "robots", "conditions"}
    wrong = [name_of(path) for path in MODULES if links & {name.split(".")[0] for name in imported(path)}]
    assert wrong == []


def test_no_module_is_long() -> None:
    """What does not fit into 500 lines is more than one thing."""
    lengths = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}


def test_only_the_clock_knows_the_time() -> None:
    """Time is an argument: nobody else reads the wall clock or sleeps."""
    forbidden, knowing = {"time.time", "time.sleep"}, []
    for path in MODULES:
        if forbidden & set(imported(path)):
            knowing.append(name_of(path))
        elif "time" in imported(path):
            nodes = ast.walk(tree_of(path))
            if forbidden & {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)}:
                knowing.append(name_of(path))
    assert knowing == ["core/base/clock.py"]


def test_all_is_true() -> None:
    """A room hands on exactly what it names; the linter keeps the names in order."""
    wrong = []
    for path in MODULES:
        if path.name == "__init__.py":
            module = importlib.import_module(".".join(path.parent.relative_to(PACKAGE.parent).parts))
            named = sorted(getattr(module, "__all__", []))
            handed_on = sorted(
                alias.asname or alias.name
                for node in ast.walk(tree_of(path))
                if isinstance(node, ast.ImportFrom) and node.module not in ("__future__", "typing")
                if not str(node.module).endswith("base.lazy")
                for alias in node.names
            )
            if named != handed_on or not all(hasattr(module, name) for name in named):
                wrong.append(name_of(path))
    assert wrong == []


def test_the_face_defines_nothing() -> None:
    """``taskmatrix/__init__.py`` only hands names on, when they are first asked for."""
    hands_on = (ast.ImportFrom, ast.Expr, ast.Assign, ast.If)
    body = [node for node in tree_of(PACKAGE / "__init__.py").body if not isinstance(node, hands_on)]
    assert body == []


LIGHT = """
import sys
import {name}
loaded = sorted({{"pinocchio", "coal", "numba", "ompl", "pybullet"}} & sys.modules.keys())
sys.exit(", ".join(loaded) or 0)
"""


@pytest.mark.parametrize("name", ["taskmatrix", "taskmatrix.core", "taskmatrix.behaviors", "taskmatrix.testing"])
def test_what_defines_behaviors_loads_no_planner(name: str) -> None:
    """A task program is read, and shown what is wrong with it, in a moment."""
    command = [sys.executable, "-c", LIGHT.format(name=name)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
