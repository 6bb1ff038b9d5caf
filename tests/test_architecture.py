"""The rooms of the house: who may know whom, and what every module keeps to."""

from __future__ import annotations

import ast
import importlib
from functools import cache
from pathlib import Path

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
    assert knowing == ["core/clock.py"]


def test_all_is_true() -> None:
    """A room hands on exactly what it names; the linter keeps the names in order."""
    wrong = []
    for path in MODULES:
        if path.name == "__init__.py":
            module = importlib.import_module(".".join(path.parent.relative_to(PACKAGE.parent).parts))
            named = sorted(getattr(module, "__all__", []))
            handed_on = sorted(
                alias.asname or alias.name
                for node in tree_of(path).body
                if isinstance(node, ast.ImportFrom) and node.module != "__future__"
                for alias in node.names
            )
            if named != handed_on or not all(hasattr(module, name) for name in named):
                wrong.append(name_of(path))
    assert wrong == []


def test_the_face_defines_nothing() -> None:
    """``taskmatrix/__init__.py`` only hands names on."""
    body = tree_of(PACKAGE / "__init__.py").body
    assert all(isinstance(node, ast.ImportFrom | ast.Expr | ast.Assign) for node in body)
