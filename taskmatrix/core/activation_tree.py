"""Activation trees: a component and all that it steps, mounted as a task behavior (BICA IV)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from .assembly import assemble
from .behavior import TaskBehavior
from .component import NEVER, Component, PartFailed
from .cycle import Cycle, Node
from .errors import ComponentError, ParameterError
from .failure import Failure
from .patience import patience
from .requirement import Requirement
from .stopwatch import Load, Stopwatch

PATIENCE, PATIENCE_REAL = 60.0, 2.0  # [s] with a component, in simulated and in real time


class ActivationTree(TaskBehavior):
    """A component at the top and what it steps, as a behavior: to run, to mount in py_trees, or as a machine's state.

    A cycle is a control step. The tree succeeds when what its root is there for is achieved, and fails with its root.
    An event ``tree`` tells the nodes of every cycle in which they are others than in the one before.

    Args:
        root: The component at the top. A subclass may override :meth:`root` instead, and declare parameters for it.
        instead: What takes the place of components wherever those are parts: subclasses of theirs.
        patience: [s] On the machine's clock after which a component that does not come back is cut off; 2 in real time
            and 60 in simulated time unless given. It counts as failed, with ``timeout``.
        stopwatch: A clock [s] with which components are measured; that of the run where it is a real one.
        name: Name in messages and displays; that of the root unless given.
        **parameters: Those that a subclass declares.

    Raises:
        ComponentError: The root is no component; :func:`~taskmatrix.core.assembly.assemble` does not put it together.

    Attributes:
        components: All of the tree by their names, active or not.
    """

    planning_time = 0.0

    def __init__(
        self,
        root: Component | None = None,
        *positional: NoReturn,
        instead: Mapping[type[Component], type[Component]] | None = None,
        patience: float | None = None,
        stopwatch: Callable[[], float] | None = None,
        name: str | None = None,
        **parameters: Any,
    ) -> None:
        if root is None and type(self).root is ActivationTree.root:
            raise ComponentError("an activation tree needs a root: ActivationTree(Player()), or a subclass with root()")
        if root is not None and not isinstance(root, Component):
            raise ComponentError(f"the root of an activation tree is an instance of a component, not {root!r}")
        super().__init__(*positional, name=name or (root.name if root is not None else None), **parameters)
        if patience is not None and not patience > 0:
            raise ParameterError(f"the patience with components is a number of seconds above 0, not {patience!r}")
        self._given, self._instead = root, dict(instead or {})
        self._patience, self._stopwatch = patience, stopwatch
        self._cycle = Cycle()
        self._loads: Mapping[str, Load] = {}
        self.components: dict[str, Component] = assemble(root, self._instead) if root is not None else {}

    def root(self) -> Component:
        """The component at the top, made for a run; for subclasses that declare parameters."""
        if self._given is None:
            raise ComponentError("an activation tree needs a root")
        return self._given

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Who was active in the last cycle: the activation tree as data, the root first."""
        return self._cycle.nodes()

    @property
    def loads(self) -> Mapping[str, Load]:
        """What the components cost in this run, or the last, by their names; empty where nothing measures it."""
        return self._loads

    def requirements(self) -> Iterable[Requirement]:
        """What the root and its parts take of a robot, but for optional parts."""
        root = self.root()
        assemble(root, self._instead)
        seen: set[Component] = set()
        ahead = [root]
        while ahead:
            component = ahead.pop()
            if component not in seen:
                seen.add(component)
                yield from component.requirements()
                ahead += reversed([each for each in component.made.values() if each not in component.optional])

    def plan(self) -> None:
        """Put the components together; there is nothing to plan."""
        self._cycle = Cycle()
        root, clock = self.root(), self.context.clock
        measuring = self._stopwatch or (None if clock.simulated else clock.now)
        if measuring is not None:
            self._cycle.watch = Stopwatch(measuring)
            self._loads = self._cycle.watch.loads
        self.components = assemble(root, self._instead)
        for component in self.components.values():
            path = self.path if component is root else f"{self.path}/{component.name}"
            component.bind(self._cycle, self.context, path)

    def step(self) -> Failure | bool:
        """Run one cycle."""
        cycle, failure = self._cycle, None
        before = cycle.begin(self.context.clock.now())
        root = next(iter(self.components.values()))
        try:
            with patience(self._patience or (PATIENCE if self.context.clock.simulated else PATIENCE_REAL)):
                root.step()
        except PartFailed as error:
            failure = error.failure
        for component, _, _ in before:
            if component.stepped not in (cycle.number, NEVER):
                component.stop()
        if cycle.changed or cycle.entries != before:
            cycle.changed = False
            self.context.events.emit("tree", self.path, nodes=cycle.nodes())
        return failure or root.achieved

    def finish(self) -> None:
        """Stop whatever is active, and tell what it cost."""
        for component in self.components.values():
            if component.stepped != NEVER:
                component.stop()
        paths = self.context.paths
        paths.difference_update([path for path in paths if path.startswith(f"{self.path}/")])
        if self._cycle.watch is not None:
            self.context.events.emit("load", self.path, components=dict(self._loads))
