"""Components with modes: iterative finite state machines (BICA V)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ..base.errors import ComponentError
from ..base.failure import Failure
from ..base.source import mistake
from ..behavior.condition import Verdict
from .component import SLACK, Component
from .mode import Mode, Switch
from .part import Part


class ModalComponent(Component, hooks=()):
    """A component that is in one of several modes, each with code of its own and transitions to others.

    When it is due it takes the first transition of its mode, in the order of the class body, whose method says so, at
    most one a step, and then runs the code of the mode that it is in. It steps the parts that its mode names, and an
    event ``transition`` tells every change and what triggered it. What a mode no longer modulates goes back to its
    defaults. Stepped anew, it begins in its first mode.

    Raises:
        ComponentError: When the class is made: there is no mode, a mode cannot be reached or steps what is no part.

    Example:
        >>> from taskmatrix.core import ActivationTree, ModalComponent, Mode
        >>> from taskmatrix.testing import Bench
        >>> class Blink(ModalComponent, frequency=10.0):
        ...     dark, light = Mode(), Mode(achieved=True)
        ...     dark.to(light, after=0.5)
        >>> bench = Bench()
        >>> print(bench.run(ActivationTree(Blink())))
        success after 0.50 s
        >>> [dict(event.data) for event in bench.events if event.kind == "transition"]
        [{'trigger': 'after 0.5 s', 'start': ['light'], 'stop': ['dark']}]
    """

    modes: ClassVar[dict[str, Mode]] = {}
    __switches: ClassVar[dict[Mode, tuple[Switch, ...]]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        found = {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
        cls.modes = {name: value for name, value in found.items() if isinstance(value, Mode)}
        cls.__switches = {mode: tuple(mode.switches) for mode in cls.modes.values()}
        for hook in ("inform", "work", "act"):
            if hook in vars(cls):
                raise ComponentError(f"{cls.__name__} overrides {hook}(); its modes say what is stepped and run")
        cls.__check()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not self.modes:
            raise ComponentError(f"{type(self).__name__} has no mode; write one in its body: search = Mode(...)")
        self.__mode = next(iter(self.modes.values()))
        self.__entered = 0.0

    @property
    def state(self) -> str:
        """The name of its mode; or ``failed``."""
        return "failed" if self.failure else self.__mode.name

    @property
    def mode_elapsed(self) -> float:
        """[s] Since it has been in its mode."""
        return self.context.clock.now() - self.__entered

    def started(self) -> None:
        """Begin in the first mode; who overrides this calls it."""
        self.__mode = next(iter(self.modes.values()))
        self.__entered = self.context.clock.now()

    def inform(self) -> None:
        """Step the parts from which the mode gets information."""
        self.__step(self.__mode.inform)

    def work(self) -> Failure | bool:
        """Take a transition if there is one to take, then run the code of the mode."""
        before = self.__mode
        for switch in self.__switches[before]:
            if self.mode_elapsed >= switch.after - SLACK and self.__takes(switch):
                self.__step([part for part in self.__mode.inform if part not in before.inform])
                break
        result = self.__mode.run(self) if self.__mode.run is not None else None
        return result if isinstance(result, Failure) else self.__mode.achieved

    def act(self) -> None:
        """Step the parts that the mode modulates."""
        self.__step(self.__mode.act)

    def __step(self, parts: Sequence[Part[Any]]) -> None:
        for part in parts:
            self.made[part.attribute].step()

    def __takes(self, switch: Switch) -> bool:
        """Whether a transition is taken; then it is."""
        said = switch.asks(self) if switch.asks is not None else True
        if not said:
            return False
        why = said.why if isinstance(said, Verdict) else said if isinstance(said, str) else ""
        facts = {"why": why} if why else {}
        start, stop = [switch.target.name], [self.__mode.name]
        self.context.events.emit("transition", self.path, trigger=switch.description, start=start, stop=stop, **facts)
        for part in self.__mode.act:
            if part not in switch.target.act:
                self.made[part.attribute].withdraw_all(self)
        self.__mode, self.__entered = switch.target, self.context.clock.now()
        self.changed()
        return True

    @classmethod
    def __check(cls) -> None:
        """Check modes: each is reached, leads to those of the same component and steps its parts."""
        modes = list(cls.modes.values())
        for mode in modes:
            for part in (*mode.inform, *mode.act):
                if part not in cls.parts.values():
                    what = f"mode '{mode.name}' of {cls.__name__} steps {part!r}, which is no Part in its body"
                    raise mistake(what, mode.line, error=ComponentError)
            for switch in cls.__switches[mode]:
                if switch.target not in modes:
                    what = f"a transition from '{mode.name}' of {cls.__name__} leads to a mode of another component"
                    raise mistake(what, switch.line, error=ComponentError)
        reached = modes[:1]
        for mode in reached:
            reached += [switch.target for switch in cls.__switches[mode] if switch.target not in reached]
        for mode in modes:
            if mode not in reached:
                what = f"mode '{mode.name}' of {cls.__name__} is never reached: no transition leads to it"
                raise mistake(what, mode.line, error=ComponentError)
