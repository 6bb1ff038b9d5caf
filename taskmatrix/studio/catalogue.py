"""Names on the command line: behaviors of the library and of third parties' entry points."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib.metadata import entry_points

import taskmatrix.behaviors
from taskmatrix.core.behavior import TaskBehavior
from taskmatrix.core.errors import NotFoundError, ParameterError
from taskmatrix.core.parameter import find

ENTRY_POINTS = "taskmatrix.behaviors"
SUBJECTS = ("object", "target")  # parameters that the world's default object fills when they are not given


def behaviors() -> Mapping[str, type[TaskBehavior]]:
    """Behavior classes by their names on the command line."""
    own = {_kebab(name): getattr(taskmatrix.behaviors, name) for name in taskmatrix.behaviors.__all__}
    found = {name: item for name, item in own.items() if inspect.isclass(item) and issubclass(item, TaskBehavior)}
    for point in entry_points(group=ENTRY_POINTS):
        found.setdefault(point.name, point.load())
    return dict(sorted(found.items()))


def describe(behavior: type[TaskBehavior]) -> str:
    """The first line of a behavior's docstring."""
    return (inspect.getdoc(behavior) or "").split("\n", 1)[0]


def make(name: str, assignments: list[str], default_object: str) -> TaskBehavior:
    """Make a behavior from its name and ``name=value`` texts.

    Args:
        name: As in :func:`behaviors`.
        assignments: Parameters, validated against those that the behavior declares.
        default_object: For a parameter ``object`` or ``target`` that is not given.

    Raises:
        NotFoundError: There is no such behavior.
        ParameterError: A parameter is unknown, of the wrong type, or missing.
    """
    known = behaviors()
    if name not in known:
        raise NotFoundError("behavior", name, known)
    behavior = known[name]
    values = {}
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if not equals:
            raise ParameterError(f"--param takes name=value, not '{assignment}'")
        values[key] = find(dict(behavior.declared), key, name).parse(text)
    for subject in SUBJECTS:
        if subject in behavior.declared and behavior.declared[subject].required:
            values.setdefault(subject, default_object)
    missing = [key for key, parameter in behavior.declared.items() if parameter.required and key not in values]
    if missing:
        raise ParameterError(
            f"behavior '{name}' needs --param {missing[0]}=VALUE ({behavior.declared[missing[0]].doc})"
        )
    return behavior(**values)


def _kebab(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")
