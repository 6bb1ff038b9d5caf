"""Parts that are in another process, and are used as if they were here (BICA VI.D)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Generic, TypeVar

from ..base.errors import ComponentError, ParameterError
from ..base.names import in_lower_case, spelled
from ..base.parameter import Parameter
from ..components.component import Component
from ..components.interface import NOT_SERVED, methods_of
from ..components.part import Part
from .remote_component import standing_for

C = TypeVar("C", bound=Component)
ADDRESS = re.compile(r"[\w.-]+(/[\w.-]+)?")


class Remote(Part[C], Generic[C]):
    """A component that runs in another process, or on another machine, as a part.

    Its public attributes are read, its modulations set and its methods called as those of any part. There are two ways
    of doing that. The fast one never waits: attributes are those of the last state that arrived, whose age
    :func:`~taskmatrix.core.remote.remote_component.age` tells, and what is set is sent and forgotten. The reliable one
    waits for the answer of the other process, at most ``timeout``, and fails the caller where none comes. Methods are
    called reliably, and all else is fast, unless ``reliable`` says otherwise.

    Where nothing is heard for ``lost_after`` it fails with ``lost_remote``, and starts anew when the other is back.
    Its failure, and that of the component it stands for, are those of any part: ``optional`` contains them.

    Args:
        component: The class of the component.
        at: Where it is: the name under which its tree is served, for the root, or ``player-2/head`` for another
            component of it; or a parameter of the one that declares it.
        reliable: True or False for everything; or the names of the attributes, modulations and methods that are.
        frequency: [Hz] At which its state is asked for, and what modulates it is sent.
        timeout: [s] To wait for an answer.
        lost_after: [s] Without a word, after which it is lost.
        optional: Whether its failure leaves the one that declares it running.
        name: Its name; that of the attribute unless given.

    Raises:
        ComponentError: What is remote is no class of components, or has no such names; an address is none.
        ParameterError: A time or a frequency is not above 0.

    Example:
        >>> from taskmatrix.core import ActivationTree, Component, Remote
        >>> from taskmatrix.testing import Bench, FakeNetwork
        >>> class Player(Component):
        ...     distance = 1.0  # [m] to the ball
        ...     def pass_to(self, who: str) -> str:
        ...         return f"passed to {who}"
        >>> class Captain(Component):
        ...     mate = Remote(Player, at="player-2")
        ...     def inform(self):
        ...         self.mate.step()
        >>> network = FakeNetwork()
        >>> here, there = Bench(transport=network.process()), Bench(transport=network.process())
        >>> captain, player = Captain(), ActivationTree(Player(), at="player-2")
        >>> network.run((here, ActivationTree(captain)), (there, player), cycles=10)
        >>> captain.mate.distance
        1.0
        >>> captain.mate.pass_to("player-1")
        'passed to player-1'
    """

    @spelled
    def __init__(
        self,
        component: type[C],
        /,
        *,
        at: str | Parameter[str],
        reliable: bool | Iterable[str] | None = None,
        frequency: float = 25.0,
        timeout: float = 0.2,
        lost_after: float = 0.5,
        optional: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__(component, name=name, optional=optional, frequency=frequency, at=at)
        for what, value in (("timeout", timeout), ("lost_after", lost_after)):
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
                raise ParameterError(f"{what} is a number of seconds above 0, not {value!r}\n  {self.line}")
        methods = methods_of(component)
        if reliable is None or isinstance(reliable, bool):
            names = None if reliable else frozenset(methods if reliable is None else ())
        else:
            names = frozenset([reliable] if isinstance(reliable, str) else reliable)
            for each in sorted(names):
                if each.startswith("_") or each in NOT_SERVED:
                    raise ComponentError(f"'{each}' of {component.__name__} is nothing that is served\n  {self.line}")
        self.reliable = names
        self.timeout, self.lost_after = float(timeout), float(lost_after)

    @property
    def called(self) -> str:
        """The name of the component."""
        return self.name or in_lower_case(self.attribute, "-").replace("_", "-")

    def check(self) -> None:
        """Raise ComponentError where an address is none."""
        at = self.parameters["at"]
        if not isinstance(at, Parameter):
            self._address(at)

    def is_same(self, other: Part[Any]) -> bool:
        """Whether another part of that name is the same component, used in the same way."""
        ours = (self.reliable, self.timeout, self.lost_after)
        return (
            super().is_same(other)
            and isinstance(other, Remote)
            and ours
            == (
                other.reliable,
                other.timeout,
                other.lost_after,
            )
        )

    def make(self, instead: Mapping[type[Component], type[Component]], parameters: Mapping[str, Any]) -> Component:
        """What stands for the component here."""
        kind: type[Component] = self.component
        made = standing_for(kind)(
            self.called, self._address(parameters["at"]), self.reliable, self.timeout, self.lost_after
        )
        made.frequency = self.frequency
        return made

    def _address(self, at: object) -> str:
        if not isinstance(at, str) or not ADDRESS.fullmatch(at):
            example = "'player-2' or 'player-2/head'"
            raise ComponentError(f"a remote component is at a name such as {example}, not {at!r}\n  {self.line}")
        return at
