"""Activation trees: a component and all that it steps, mounted as a task behavior (BICA IV)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from ..base.errors import ComponentError, ParameterError
from ..base.failure import Failure, FailureKind
from ..base.watchdog import watchdog
from ..behavior.behavior import TaskBehavior
from ..behavior.requirement import Requirement
from ..components.assembly import assemble
from ..components.component import NEVER, Component, PartFailed
from ..components.cycle import Cycle, Node
from ..components.stopwatch import Load, Stopwatch
from ..remote.service import Service
from .schedule import Schedule

NAME = re.compile(r"[\w.-]+")
WATCHDOG, WATCHDOG_REAL = 60.0, 2.0  # [s] with a component, in simulated and in real time


class ActivationTree(TaskBehavior, hooks=("root",)):
    """A component at the top and what it steps, as a behavior: to run, to mount in py_trees, or as a machine's state.

    A cycle is a control step. The tree succeeds when what its root is there for is achieved, and fails with its root.
    A component that claims a chain gets it from one of the same tree that has it and has not been stepped in the cycle.
    An event ``tree`` tells the nodes of every cycle in which they are others than in the one before.

    Args:
        root: The component at the top. A subclass may override :meth:`root` instead, and declare parameters for it.
        instead: What takes the place of components wherever those are parts: subclasses of theirs.
        watchdog: [s] On the machine's clock after which a component that does not come back is cut off; 2 in real time
            and 60 in simulated time unless given. It counts as failed, with ``timeout``.
        stopwatch: A clock [s] with which components are measured; that of the run where it is a real one.
        costs: What components cost in an earlier run, its :attr:`loads`. Before it starts, an event ``schedule`` tells
            whether the frequencies can be kept then.
        at: The name under which other processes reach its components, as
            :class:`~taskmatrix.core.remote.remote.Remote` parts; nobody else does unless given. The session needs a
            transport then.
        name: Name in messages and displays; that of the root unless given.
        **parameters: Those that a subclass declares.

    Raises:
        ComponentError: The root is no component; :func:`~taskmatrix.core.components.assembly.assemble` does not put it
            together.
    """

    planning_time = 0.0

    def __init__(
        self,
        root: Component | None = None,
        *positional: NoReturn,
        instead: Mapping[type[Component], type[Component]] | None = None,
        watchdog: float | None = None,
        stopwatch: Callable[[], float] | None = None,
        costs: Mapping[str, Load] | None = None,
        at: str | None = None,
        name: str | None = None,
        **parameters: Any,
    ) -> None:
        if root is None and type(self).root is ActivationTree.root:
            raise ComponentError("an activation tree needs a root: ActivationTree(Player()), or a subclass with root()")
        if root is not None and not isinstance(root, Component):
            raise ComponentError(f"the root of an activation tree is an instance of a component, not {root!r}")
        super().__init__(*positional, name=name or (root.name if root is not None else None), **parameters)
        if watchdog is not None and not watchdog > 0:
            raise ParameterError(f"the watchdog of components is a number of seconds above 0, not {watchdog!r}")
        self.__given, self.__instead = root, dict(instead or {})
        self.__watchdog, self.__stopwatch, self.__costs = watchdog, stopwatch, dict(costs or {})
        if at is not None and not NAME.fullmatch(str(at)):
            raise ComponentError(f"a tree is served at a name of letters, digits, '_', '-' and '.', not {at!r}")
        self.__at = at
        self.__service: Service | None = None
        self.__cycle: Cycle[Component] = Cycle()
        self.__loads: Mapping[str, Load] = {}
        self.__components: dict[str, Component] = assemble(root, self.__instead) if root is not None else {}

    def root(self) -> Component:
        """The component at the top, made for a run; for subclasses that declare parameters."""
        if self.__given is None:
            raise ComponentError("an activation tree needs a root")
        return self.__given

    @property
    def components(self) -> dict[str, Component]:
        """All of the tree by their names, active or not."""
        return self.__components

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Who was active in the last cycle: the activation tree as data, the root first."""
        return self.__cycle.nodes()

    @property
    def loads(self) -> Mapping[str, Load]:
        """What the components cost in this run, or the last, by their names; empty where nothing measures it."""
        return self.__loads

    def schedule(self, dt: float) -> Schedule:
        """Whether the frequencies of the components can be kept with control steps of ``dt`` [s].

        With what they cost in the last run; in that of ``costs`` before the first.
        """
        return Schedule.of(self.components, dt, self.__loads or self.__costs)

    def assembled(self) -> dict[str, Component]:
        """The root and its parts, put together as for a run, by their names."""
        return assemble(self.root(), self.__instead)

    def requirements(self) -> Iterable[Requirement]:
        """What the root and its parts take of a robot, but for optional parts."""
        seen: set[Component] = set()
        ahead = [next(iter(self.assembled().values()))]
        while ahead:
            component = ahead.pop()
            if component not in seen:
                seen.add(component)
                yield from component.requirements()
                ahead += reversed([each for each in component.made.values() if each not in component.optional])

    def plan(self) -> Failure | None:
        """Put the components together, and serve them; there is nothing to plan."""
        self.__cycle = Cycle()
        clock, costs = self.context.clock, self.__loads or self.__costs
        measuring = self.__stopwatch or (None if clock.simulated else clock.now)
        if measuring is not None:
            self.__cycle.watch = Stopwatch(measuring)
            self.__loads = self.__cycle.watch.loads
        self.__components = self.assembled()
        root = next(iter(self.components.values()))
        self.context.arbiter.yielding.append(self.__give)
        for component in self.components.values():
            path = self.path if component is root else f"{self.path}/{component.name}"
            component.bind(self.__cycle, self.context, path)
        schedule = Schedule.of(self.components, self.context.dt, costs)
        if costs or schedule.problems:
            self.context.events.emit("schedule", self.path, problems=schedule.problems, demands=schedule.demands)
        return None if self.__at is None else self.__serve(self.__at)

    def step(self) -> Failure | bool:
        """Run one cycle of all active components."""
        cycle, failure = self.__cycle, None
        before = cycle.begin(self.context.clock, self.context.dt)
        root = next(iter(self.components.values()))
        longest = self.__watchdog or (WATCHDOG if self.context.clock.simulated else WATCHDOG_REAL)
        if self.__service is not None:
            with watchdog(longest):
                self.__service.receive()
        try:
            with watchdog(longest):
                root.step()
        except PartFailed as error:
            failure = error.failure
        others = cycle.entries != before
        for component, _, _ in before if others else ():
            if component.stepped not in (cycle.number, NEVER):
                component.stop()
        if cycle.changed or others:
            cycle.changed = False
            self.context.events.emit("tree", self.path, nodes=cycle.nodes())
        if self.__service is not None:
            self.__service.publish()
        return failure or root.achieved

    def finish(self) -> None:
        """Stop whatever is active, and tell what it cost."""
        if self.__give in self.context.arbiter.yielding:
            self.context.arbiter.yielding.remove(self.__give)
        if self.__service is not None:
            self.__service.close()
            self.__service = None
        for component in self.components.values():
            if component.stepped != NEVER:
                component.stop()
        paths = self.context.paths
        paths.difference_update([path for path in paths if path.startswith(f"{self.path}/")])
        if self.__cycle.watch is not None:
            self.context.events.emit("load", self.path, components=dict(self.__loads))

    def __give(self, owner: str) -> bool:
        """Have a component that owns chains stop now, where nobody has stepped it yet in this cycle."""
        for component in reversed(self.components.values()):
            if owner == component.path or owner.startswith(f"{component.path}/"):
                if component.stepped != self.__cycle.number - 1:
                    return False
                component.stop()
                return True
        return False

    def __serve(self, at: str) -> Failure | None:
        """Let other processes reach the components."""
        transport = self.context.transport
        if transport is None:
            raise ComponentError(
                f"the tree is to be served at '{at}', and nothing leads to other processes: "
                "simulate(..., transport=Zenoh())"
            )
        if Service.taken(at, transport):
            message = f"another process serves '{at}' already; end that one, or give this one another name"
            return self.fail(FailureKind.PRECONDITION, message, at=at)
        self.__service = Service(at, transport, self.components, self.__cycle, self.context, self.path)
        return None
