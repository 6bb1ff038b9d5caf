"""What runs now, read from the event stream: states, components, who owns which chains, how far a motion is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

from taskmatrix.core.base.events import Event
from taskmatrix.core.components.cycle import Node

_PHASES = {"planning-started": "planning", "controlloop-started": "control loop"}
_GOALS = {"goal-achieved": True, "goal-failed": False}


@dataclass(frozen=True)
class Running:
    """A behavior that runs."""

    phase: str
    """``planning`` or ``control loop``."""
    since: float
    """[s] When that began."""
    motion: float | None = None
    """[s] That the motion takes which it has planned last."""
    goal: bool | None = None
    """Of a recurrent task: whether its goal is achieved."""


class Row(NamedTuple):
    """A line of what runs."""

    name: str
    depth: int
    """How many are above it."""
    state: str
    """Phase of a behavior, state of a component."""
    since: float
    """[s]"""
    motion: float | None
    """[s] As of :class:`Running`."""
    goal: bool | None
    """As of :class:`Running`."""
    chains: tuple[str, ...]
    """That it owns."""
    hidden: int = 0
    """Lines further in that are left out."""


class Shown(NamedTuple):
    """A component that is active."""

    node: Node
    """What its tree says of it."""
    since: float
    """[s] When its state became what it is."""


class Activity:
    """Keeps what runs now.

    One thread tells it events, another may ask: what it keeps is replaced as a whole and never changed.

    Attributes:
        time: [s] Of the last event.
        work: What the planner has done so far; empty where it does nothing.
    """

    def __init__(self) -> None:
        self.time = 0.0
        self.work: Mapping[str, object] = {}
        self._running: dict[str, Running] = {}
        self._nodes: dict[str, tuple[Shown, ...]] = {}
        self._chains: dict[str, tuple[str, ...]] = {}

    def __call__(self, event: Event) -> None:
        """Take note of an event."""
        self.time = event.time
        note = _NOTES.get(event.kind)
        if note is not None:
            note(self, event)

    def rows(self) -> list[Row]:
        """What runs, each below what it runs in; the oldest first."""
        running = self._running.copy()
        listing = _Listing(running, self._nodes.copy(), self._chains.copy())
        for path in running:
            if _above(path, running) is None:
                listing.place(path, 0)
        return listing.rows

    def _message(self, event: Event) -> None:
        kind, path = str(event.data["message"]), event.source
        now = self._running.get(path)
        if kind in _PHASES:
            kept = now or Running("", 0.0)
            self._running[path] = replace(kept, phase=_PHASES[kind], since=event.time)
            if kind == "controlloop-started":
                self.work = {}
        elif kind == "task-complete":
            self._running.pop(path, None)
            self._nodes.pop(path, None)
            self.work = {}
        elif now is not None and _GOALS.get(kind, now.goal) is not now.goal:
            self._running[path] = replace(now, goal=_GOALS[kind])

    def _plan(self, event: Event) -> None:
        if event.source in self._running:
            motion = cast(float, event.data["duration"])
            self._running[event.source] = replace(self._running[event.source], motion=motion)

    def _grant(self, event: Event) -> None:
        """Chains are granted, or given back."""
        chains = tuple(cast(Sequence[str], event.data["chains"]))
        kept = tuple(chain for chain in self._chains.get(event.source, ()) if chain not in chains)
        kept += chains if event.kind == "grant" else ()
        self._chains[event.source] = kept
        if not kept:
            del self._chains[event.source]

    def _planning(self, event: Event) -> None:
        self.work = event.data

    def _tree(self, event: Event) -> None:
        before = {shown.node.name: shown for shown in self._nodes.get(event.source, ())}
        nodes = cast("tuple[Node, ...]", event.data["nodes"])
        self._nodes[event.source] = tuple(_shown(node, before.get(node.name), event.time) for node in nodes)

    def _run(self, _: Event) -> None:
        self._running, self._nodes, self._chains, self.work = {}, {}, {}, {}


_NOTES = {
    "message": Activity._message,
    "plan": Activity._plan,
    "planning": Activity._planning,
    "grant": Activity._grant,
    "release": Activity._grant,
    "tree": Activity._tree,
    "run": Activity._run,
}


def folded(rows: Sequence[Row], lines: int) -> list[Row]:
    """The rows that fit into some lines: the ones deepest inside are left out first, and counted where they are."""
    deepest = max((row.depth for row in rows), default=0)
    while len([row for row in rows if row.depth <= deepest]) > lines and deepest > 0:
        deepest -= 1
    kept: list[Row] = []
    for row in rows:
        if row.depth <= deepest:
            kept.append(row)
        else:
            kept[-1] = kept[-1]._replace(hidden=kept[-1].hidden + 1)
    if len(kept) > lines:
        rest = kept[lines - 1 :]
        more = len(rest) + sum(row.hidden for row in rest)
        kept[lines - 1 :] = [Row("", 0, f"and {more} more", 0.0, None, None, ())]
    return kept


def _shown(node: Node, before: Shown | None, time: float) -> Shown:
    """A component, after what it was before, if it was active all the time."""
    if before is None or before.node.since != node.since:
        return Shown(node, node.since)
    return Shown(node, before.since if before.node.state == node.state else time)


def _above(path: str, running: Mapping[str, Running]) -> str | None:
    """The path of what a behavior runs in; None where that is nothing."""
    while "/" in path:
        path = path.rpartition("/")[0]
        if path in running:
            return path
    return None


class _Listing:
    """Makes rows of what runs."""

    def __init__(
        self,
        running: Mapping[str, Running],
        nodes: Mapping[str, tuple[Shown, ...]],
        chains: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._running, self._nodes, self._chains = running, nodes, chains
        self._inner: dict[str | None, list[str]] = {}
        for path in running:
            self._inner.setdefault(_above(path, running), []).append(path)
        self.rows: list[Row] = []

    def place(self, path: str, depth: int) -> None:
        """Add a behavior, its components, and what runs in it."""
        now = self._running[path]
        components = self._nodes.get(path, ())
        state, since = now.phase, now.since
        if components and components[0].node.state != "active":
            state, since = components[0].node.state, components[0].since
        name, chains = path.rpartition("/")[2], self._chains.get(path, ())
        self.rows.append(Row(name, depth, state, since, now.motion, now.goal, chains))
        placed = set()
        for node, since in components[1:]:
            at = f"{path}/{node.name}"
            placed.add(at)
            if at in self._running:
                self.place(at, depth + node.depth)
            else:
                chains = self._chains.get(at, ())
                self.rows.append(Row(node.name, depth + node.depth, node.state, since, None, None, chains))
        for at in self._inner.get(path, ()):
            if at not in placed:
                self.place(at, depth + 1)
