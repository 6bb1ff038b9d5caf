"""Task behaviors, machines and py_trees trees as components."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from ..base.errors import ComponentError
from ..base.failure import Failure
from ..base.names import in_lower_case
from ..base.parameter import find
from ..behavior.behavior import TaskBehavior
from ..behavior.context import Context
from ..behavior.py_trees_adapter import failure_of, prepare, stop
from ..components.component import Component, PartFailed
from ..components.cycle import Cycle
from ..components.part import Part


class BehaviorComponent(Component, overrides=("bind", "state")):
    """A behavior that runs while its component is stepped, and is forced to quit when nobody steps it any more.

    It is achieved when the behavior has succeeded, and fails with it; stepped on it stays so. Stepped anew, or
    restarted, the behavior begins again.

    Attributes:
        behavior: What runs.
    """

    def __init__(self, behavior: Behaviour, name: str) -> None:
        super().__init__(name=name)
        self.behavior = behavior

    @property
    def state(self) -> str:
        """``running``, ``achieved`` or ``failed``."""
        return "running" if super().state == "active" else super().state

    def give(self, **parameters: Any) -> None:
        """Set parameters of the behavior, for when it begins next.

        Raises:
            ComponentError: It is a py_trees tree, and has none.
            ParameterError: A parameter is unknown, of the wrong type or out of range.
        """
        if not isinstance(self.behavior, TaskBehavior):
            raise ComponentError(f"'{self.name}' runs a py_trees tree, which has no parameters")
        self.behavior.set_parameters(**parameters)

    def bind(self, tree: Cycle[Component], context: Context, path: str) -> None:
        """Put into a tree that is going to run, with the behavior."""
        super().bind(tree, context, path)
        if isinstance(self.behavior, TaskBehavior):
            self.behavior.bind(context, path)
        else:
            prepare(self.behavior, context)

    def started(self) -> None:
        """Begin from the beginning."""
        self.behavior.status = Status.INVALID

    def work(self) -> Failure | bool:
        """Run one control step of the behavior, until it has ended."""
        if not self.achieved:
            self.behavior.tick_once()
        if self.behavior.status is Status.FAILURE:
            raise PartFailed(failure_of(self.behavior))
        return self.behavior.status is Status.SUCCESS

    def stopped(self) -> None:
        """Force the behavior to quit where it still runs."""
        stop(self.behavior)


class BehaviorPart(Part[BehaviorComponent]):
    """A behavior as a part: a task behavior, a machine, an activation tree, or what makes a py_trees tree.

    Args:
        behavior: Its class, or a function that makes a py_trees tree.
        name: Its name; that of the class or function in lower case unless given.
        optional: Whether its failure leaves the one that declares it running.
        **parameters: Its parameters: values, or parameters of the one that declares it.
    """

    def __init__(
        self,
        behavior: Callable[..., Behaviour],
        /,
        *,
        name: str | None = None,
        optional: bool = False,
        **parameters: Any,
    ) -> None:
        super().__init__(BehaviorComponent, name=name, optional=optional, **parameters)
        if not callable(behavior):
            raise ComponentError(f"BehaviorPart(...) takes the class of a behavior, not {behavior!r}\n  {self.line}")
        self.behavior = behavior

    @property
    def called(self) -> str:
        """The name of the component."""
        return self.name or in_lower_case(self.behavior.__name__, "-").replace("_", "-")

    def check(self) -> None:
        """Raise ParameterError where the behavior has no such parameters."""
        if isinstance(self.behavior, type) and issubclass(self.behavior, TaskBehavior):
            for name in self.parameters:
                find(self.behavior.declared, name, self.behavior.__name__, ("name", "optional"))

    def is_same(self, other: Part[Any]) -> bool:
        """Whether another part of that name runs the same behavior."""
        return isinstance(other, BehaviorPart) and other.behavior is self.behavior

    def make(self, instead: Mapping[type[Component], type[Component]], parameters: Mapping[str, Any]) -> Component:
        """The component with its behavior."""
        made = self.behavior(**parameters)
        if not isinstance(made, Behaviour):
            raise ComponentError(f"'{self.called}' makes {made!r}, which py_trees cannot tick\n  {self.line}")
        return BehaviorComponent(made, self.called)
