"""Who modulates components of a tree from another process."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from ..base.errors import TaskMatrixError
from ..components.component import NEVER, Component
from ..components.cycle import Cycle
from ..components.interface import Interface


class RemoteModulator(Component, afar=True, overrides=("stepped",)):
    """Stands in a tree for a component of another process, as a parent of what that modulates.

    It counts as active as long as it is heard of, and modulates after all that are here.

    Args:
        name: What is told of it in events.

    Attributes:
        heard: [s] When it was last heard of.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        self.heard = 0.0
        self._attended = NEVER
        self._sets: set[tuple[Component, str]] = set()

    def attend(self, cycle: Cycle[Component]) -> None:
        """Be active in a cycle."""
        self._attended = cycle.number

    @property
    def stepped(self) -> int:
        """The last cycle in which it was active."""
        return self._attended

    def modulates(self, component: Component, values: Mapping[str, Any]) -> list[str]:
        """Set modulations of a component, and withdraw those that it set before and does not name any more.

        Returns:
            What is wrong with those that were not set.
        """
        wrong = []
        interface = Interface(component)
        for other, name in sorted(self._sets, key=itemgetter(1)):
            if other is component and name not in values:
                component.withdraw(name, self)
                self._sets.discard((component, name))
        for name, value in values.items():
            try:
                interface.set(name, value)
            except TaskMatrixError as error:
                wrong.append(str(error))
            else:
                self._sets.add((component, name))
        return wrong
