"""What the matrix runs: for each behavior how it is prepared and with which parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import entry_points
from typing import Any

from taskmatrix.core.base.errors import NotFoundError, TaskMatrixError
from taskmatrix.robots import Robot
from taskmatrix.simulation.scenes.world import World

ENTRY_POINTS = "taskmatrix.validation"
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Task:
    """How the matrix runs a behavior.

    A value ``{object}`` stands for the world's default object, ``{surface}`` for its default surface, and
    ``{second_robot}`` for the robot that walks past.
    """

    behavior: str
    """Its name on the command line; also that of its judge."""
    parameters: Values = field(default_factory=dict)
    """Of the behavior."""
    prelude: tuple[tuple[str, Values], ...] = ()
    """Behaviors that are run before it, with their parameters; they are not judged, but may not touch anything."""
    timeout: float = 120.0
    """[s] Longest time of each run, on its own clock."""
    second_robot: str | None = None
    """Robot that walks past, if the behavior needs one."""
    chain: str = ""
    """``arm`` or ``head``, if the behavior needs no more than that: a robot that has it has to be able."""

    @property
    def objects(self) -> set[str]:
        """Ids of the objects that it names, other than those that stand for a world's."""
        given = [self.parameters, *(values for _, values in self.prelude)]
        named = {str(values[name]) for values in given for name in OBJECTS if name in values}
        return {id for id in named if not id.startswith("{")}


OBJECTS = ("object", "on", "into", "above", "target")  # parameters that are ids of objects
_FETCHED = (("pickup", {"object": "{object}"}),)
_VACUUM = {"object": "{object}", "on": "{surface}"}

TASKS = (
    Task("reach", {"object": "{object}"}, chain="arm"),
    Task("grasp", {"object": "{object}"}, (("reach", {"object": "{object}"}),)),
    Task("release", {"object": "{object}"}, _FETCHED),
    Task("lift", {"object": "{object}"}, _FETCHED),
    Task("move", {"object": "{object}", "y": 0.05, "z": 0.1, "roll": 0.2}, _FETCHED),
    Task("position", {"object": "{object}", "above": "confetti_1", "frame": "tip"}, _FETCHED),
    Task("regrasp", {"object": "{object}", "on": "{surface}"}, _FETCHED, 180.0),
    Task("transfer", {"object": "broom"}, (("pickup", {"object": "broom"}),), 180.0),
    Task("clear", {}, (("reach", {"object": "{object}"}),)),
    Task("fixate", {"target": "{object}"}, chain="head"),
    Task("postural", {"posture": "ready"}, chain="arm"),
    Task("periodic-canned", {"motion": "wave", "duration": 4.0}, chain="arm"),
    Task("aperiodic-canned", {"motion": "nod"}, chain="head"),
    Task("scan", {"duration": 10.0}),
    Task("random-walk", {"duration": 15.0}),
    Task("find", {"type": "debris"}),
    Task("pickup", {"object": "{object}"}),
    Task("search", {"object": "{object}"}),
    Task("fetch", {"object": "{object}"}),
    Task("putdown", _VACUUM, _FETCHED, 180.0),
    Task("pick-and-place", _VACUUM, (), 240.0),
    Task("greet", {"target": "{second_robot}"}, second_robot="asimo"),
    Task("vacuum", _VACUUM, (), 600.0),
)


def tasks() -> dict[str, Task]:
    """The tasks of the library, and those that third parties name in entry points ``taskmatrix.validation``.

    Raises:
        TaskMatrixError: An entry point gives no task.
    """
    found = {task.behavior: task for task in TASKS}
    for point in entry_points(group=ENTRY_POINTS):
        task = point.load()
        if not isinstance(task, Task):
            raise TaskMatrixError(f"the entry point '{point.value}' gives no validation task: {task!r}")
        found.setdefault(task.behavior, task)
    return found


def task_of(behavior: str) -> Task:
    """The task of a behavior; after a colon, with another object: ``pickup:soda_can``.

    Raises:
        NotFoundError: Nobody says how to validate it.
    """
    name, _, object = behavior.partition(":")
    known = {task.behavior: task for task in TASKS}
    if name not in known:
        known = tasks()
    if name not in known:
        raise NotFoundError("validation task of", name, known)
    task = known[name]
    if not object:
        return task
    prelude = tuple((before, _about(values, object)) for before, values in task.prelude)
    return replace(task, parameters=_about(task.parameters, object), prelude=prelude)


def _about(values: Values, object: str) -> Values:
    """Parameters in which the default object is another."""
    return {name: object if value == "{object}" else value for name, value in values.items()}


def lacks(robot: Robot, chain: str) -> bool:
    """Whether a robot has not the ``arm`` or ``head`` that a task needs; nothing is needed if that is empty.

    A head is one that turns the view up and down: with one that only pans, it cannot be turned to a thing.
    """
    view = robot.capabilities.view
    head = view is not None and view.turns and min(view.up, view.down) >= 0.0
    return not {"arm": bool(robot.hands), "head": head}.get(chain, True)


def filled(values: Values, world: World) -> dict[str, Any]:
    """Parameters with what they stand for in a world."""
    stands = {
        "{object}": world.default_object,
        "{surface}": world.default_surface,
        "{second_robot}": "second_robot",
    }
    return {name: stands.get(value, value) if isinstance(value, str) else value for name, value in values.items()}
