"""Breakpoints: what in the event stream has a run stand still."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from py_trees.behaviour import Behaviour

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.message import MessageKind
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.trees.activation_tree import ActivationTree

BEGINS = ("planning-started", "task-failed-to-start")
FAILS = ("task-failed", "task-failed-to-start")


class Breakpoint(NamedTuple):
    """What kind of event has a run stand still, and whose."""

    on: str
    """``state``: it starts; ``message``; ``condition``: its answer changes; ``failure``."""
    what: str
    """Path or last name of a state or component; a message, perhaps after a path; a condition in words; the kind of a
    failure, or nothing for any."""

    def __str__(self) -> str:
        return f"breakpoint: {self.on} {self.what}".rstrip()


class Breakpoints:
    """Those that are set.

    Attributes:
        points: In the order in which they were set.
    """

    def __init__(self) -> None:
        self.points: list[Breakpoint] = []
        self._active: dict[str, set[str]] = {}

    def put(self, point: Breakpoint, enabled: bool) -> None:
        """Set one, or take it away."""
        if point in self.points:
            self.points.remove(point)
        if enabled:
            self.points.append(point)

    def hit(self, event: Event) -> Breakpoint | None:
        """The first that an event hits."""
        if event.kind == "step" or not self.points:
            return None
        began = self._began(event) if event.kind == "tree" else set()
        return next((point for point in self.points if _hits(point, event, began)), None)

    def _began(self, event: Event) -> set[str]:
        """Components that are active and were not in the cycle before."""
        nodes = event.data.get("nodes")
        now = {str(node.name) for node in nodes} if isinstance(nodes, tuple) else set()
        before, self._active[event.source] = self._active.get(event.source, set()), now
        return now - before


def check_states(states: Iterable[str], tasks: Iterable[Behaviour]) -> None:
    """Raise NotFoundError, with the nearest, for a state that none of some behaviors has, before they run.

    What components an activation tree has is not known by then: where there is one, nothing is checked.
    """
    tasks = list(tasks)
    if not any(isinstance(each, ActivationTree) for task in tasks for each in task.iterate()):
        names = [path for task in tasks for path in _paths(task)]
        for state in states:
            check(Breakpoint("state", state), names)


def _paths(task: Behaviour, above: str = "") -> Iterator[str]:
    """Paths that the behaviors in one have while it runs."""
    if isinstance(task, TaskBehavior):
        yield above + task.name
        above += f"{task.name}/"
    for child in task.children:
        yield from _paths(child, above)


def check(point: Breakpoint, names: Collection[str]) -> None:
    """Raise NotFoundError, with the nearest, for a place that is not there.

    Args:
        point: What was asked for.
        names: Paths of the behaviors and components of what runs; empty where nothing does.
    """
    path, _, last = point.what.rpartition(" ") if point.on == "message" else (point.what, "", "")
    if point.on == "failure" and point.what and point.what not in list(FailureKind):
        raise NotFoundError("kind of failure", point.what[:60], [kind.value for kind in FailureKind])
    if point.on == "message" and last not in list(MessageKind):
        raise NotFoundError("message", last[:60], [kind.value for kind in MessageKind])
    if point.on in ("state", "message") and path and names and not any(_is(path, name) for name in names):
        raise NotFoundError("state or component", path[:60], names)


def _hits(point: Breakpoint, event: Event, began: set[str]) -> bool:
    message = event.data.get("message") if event.kind == "message" else None
    if point.on == "state":
        return point.what in began or (message in BEGINS and _is(point.what, event.source))
    if point.on == "message":
        path, _, name = point.what.rpartition(" ")
        return message is not None and message == name and (not path or _is(path, event.source))
    if point.on == "condition":
        return event.kind == "condition" and event.data.get("condition") == point.what
    failure = event.data.get("failure")
    told = event.kind == "failure" or message in FAILS
    return told and (not point.what or (isinstance(failure, Failure) and failure.root.kind.value == point.what))


def _is(name: str, path: str) -> bool:
    return path == name or path.endswith(f"/{name}")
