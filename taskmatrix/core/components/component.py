"""Components: iterative pieces of behavior that are active because something active steps them (BICA IV)."""

from __future__ import annotations

import math
import traceback
from collections.abc import Iterable
from typing import Any, ClassVar, NoReturn

import numpy as np

from ..base.errors import ComponentError, ParameterError
from ..base.failure import Failure, FailureKind
from ..base.names import in_lower_case
from ..base.parameter import Parameterised
from ..base.watchdog import BlockedError
from ..behavior.context import Context
from ..behavior.requirement import HasChain, Requirement
from ..robot.plans import Indices, TaskObjective
from ..world.objects import Array
from .cycle import Cycle
from .modulation import Modulation
from .part import Part

SLACK = 1e-9  # [s] by which a cycle may come before its time and count as on time
NEVER = -2  # the cycle in which a component was active that never was


class PartFailed(Exception):  # noqa: N818 - no error of anybody's, but how a failure gets from a part to its parents
    """A part failed; a parent that does not catch this fails for it.

    Attributes:
        failure: Why.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.explain())
        self.failure = failure


class Component(Parameterised):
    """A piece of behavior that runs iteratively, at a frequency of its own, while something active steps it.

    A step has three parts, each a hook: :meth:`inform` steps the parts from which the component gets information,
    :meth:`work` does what it is there for and modulates its parts, :meth:`act` steps the parts that it modulates.
    ``work`` runs when it is due; the other two in every cycle, in which the component counts as active all the same. A
    component that nobody stepped is inactive, costs nothing, and starts anew when it is stepped again.

    Who steps a component twice in one cycle, or from two parents, runs it once. What raises becomes the
    :attr:`failure` of the component and, unless the part is optional, of its parents.

    Class keywords:
        frequency: [Hz] At which :meth:`work` runs; every cycle unless given.

    Args:
        name: Name in events and displays; the class's name in lower case unless given.
        **parameters: Values of the declared parameters.

    Raises:
        ParameterError: A parameter is unknown, of the wrong type, out of range or not given by name; a frequency is
            not a number above 0.

    Attributes:
        failure: Why it cannot go on; it is not run again until it is stepped anew, or restarted.
        achieved: Whether what it is there for is achieved.
        began: [s] When it became active, on the clock of the run.
        stepped: The last cycle in which it was active.
        made: The components that are its parts, by their attributes, once it is in a tree.
        optional: Those whose failure leaves it running.

    Example:
        >>> from taskmatrix.core import ActivationTree, Component, Modulation, Part
        >>> from taskmatrix.testing import Bench
        >>> class Head(Component):
        ...     pan = Modulation(float, default=0.0)
        >>> class Gaze(Component, frequency=25.0):
        ...     head = Part(Head)
        ...     def work(self):
        ...         self.head.pan = 0.3
        ...     def act(self):
        ...         self.head.step()
        >>> tree = ActivationTree(Gaze())
        >>> Bench().ticks(tree, 1)
        [<Status.RUNNING: 'RUNNING'>]
        >>> [(node.name, node.depth, node.modulations) for node in tree.nodes]
        [('gaze', 0, {}), ('head', 1, {'pan': 0.3})]
    """

    needs: ClassVar[tuple[str, ...]] = ()  # chains that it owns while it is active
    parts: ClassVar[dict[str, Part[Any]]] = {}
    modulated: ClassVar[dict[str, Modulation[Any]]] = {}
    _afar: ClassVar[bool] = False  # it stands for one of another process
    _rate: ClassVar[float | None] = None

    def __init_subclass__(cls, frequency: float | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if frequency is not None:
            cls._rate = _checked(frequency, cls.__name__)
        found = {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
        cls.parts = {name: value for name, value in found.items() if isinstance(value, Part)}
        cls.modulated = {name: value for name, value in found.items() if isinstance(value, Modulation)}
        for name in (*cls.parts, *cls.modulated, *cls.declared):
            if name in _ATTRIBUTES:
                raise ComponentError(f"{cls.__name__} declares '{name}', a name that components already use")
        if "step" in vars(cls):
            raise ComponentError(f"{cls.__name__} overrides step(); override inform(), work() and act()")
        for part in cls.parts.values():
            part.check()
        for name, modulation in cls.modulated.items():
            if modulation.required:
                raise ParameterError(f"modulation '{name}' of {cls.__name__} needs a default, for when nobody sets it")
            modulation.check_default(cls.__name__)

    def __init__(self, *positional: NoReturn, name: str | None = None, **parameters: Any) -> None:
        if positional:  # no type checker lets it pass
            raise ParameterError(f"parameters are given by name: {type(self).__name__}(name=value)")
        self.name = name or in_lower_case(type(self).__name__, "-")
        self.path = self.name
        self.parameters = {key: each.default for key, each in self.declared.items() if not each.required}
        self.modulations: dict[str, Any] = {key: each.default for key, each in self.modulated.items()}
        self.failure: Failure | None = None
        self.achieved = False
        self.began = 0.0
        self.stepped = NEVER
        self.made: dict[str, Component] = {}
        self.optional: set[Component] = set()
        self._tree: Cycle[Component] | None = None
        self._context: Context | None = None
        self._frequency = self._rate
        self._period = 1.0 / self._rate if self._rate else 0.0
        self._due = 0.0
        self._rank = 0
        self._has_turn = False
        self._held: dict[str, Component | None] = {}  # modulations that were set, and by whom
        self._steppers: dict[Component, int] = {}  # of those that set one, who stepped it since, and in which cycle
        self._contested: set[tuple[str, ...]] = set()
        self.set_parameters(**parameters)

    # what subclasses override

    def requirements(self) -> Iterable[Requirement]:
        """What it takes of a robot; the chains in ``needs`` unless overridden."""
        return [HasChain(chain) for chain in self.needs]

    def inform(self) -> None:
        """Step the parts from which information is needed; in every cycle."""

    def work(self) -> Failure | bool | None:
        """Do what the component is there for, and modulate its parts; when it is due.

        Returns:
            True when what it is there for is achieved, a failure when that cannot be; else nothing, or False.
        """
        return None

    def act(self) -> None:
        """Step the parts that are modulated; in every cycle."""

    def started(self) -> None:
        """Called when the component becomes active."""

    def stopped(self) -> None:
        """Called when nobody steps it any more."""

    def recovers(self) -> bool:
        """Whether it starts anew after a failure although it was stepped all the time; asked in every cycle."""
        return False

    # what subclasses and parents use

    @property
    def frequency(self) -> float | None:
        """[Hz] At which :meth:`work` runs; None: in every cycle. It may be set at any time."""
        return self._frequency

    @frequency.setter
    def frequency(self, value: float | None) -> None:
        self._frequency = None if value is None else _checked(value, self.path)
        self._period = 0.0 if self._frequency is None else 1.0 / self._frequency

    @property
    def context(self) -> Context:
        """The robot and its world; there once the component is in a tree that runs."""
        if self._context is None:
            raise ComponentError(
                f"component '{self.name}' is in no tree that runs: ActivationTree({type(self).__name__}())"
            )
        return self._context

    @property
    def elapsed(self) -> float:
        """[s] Since the component became active."""
        return self.context.clock.now() - self.began

    @property
    def state(self) -> str:
        """In a word: ``active``, ``achieved`` or ``failed``."""
        return "failed" if self.failure else "achieved" if self.achieved else "active"

    def command(
        self,
        joints: Indices,
        q: Array,
        v: Array | None = None,
        a: Array | None = None,
        objective: TaskObjective | None = None,
    ) -> None:
        """Send positions (k,) and optionally velocities and accelerations to joints of chains that it owns.

        Where chains are shared, ``objective`` says what of it matters; every joint unless it is given.
        """
        self.context.skills.command(self.path, joints, q, v, a, objective)

    def fail(self, kind: FailureKind, message: str, /, cause: Failure | None = None, **facts: object) -> Failure:
        """Make a failure of this component, for :meth:`work` to return."""
        return Failure(kind, self.path, message, facts, cause)

    def changed(self) -> None:
        """Say that the state is another one, so that the tree tells it."""
        if self._tree is not None:
            self._tree.changed = True

    def restart(self) -> None:
        """Start anew in the next step, as if it had been inactive: the way out of a failure."""
        if self.stepped != NEVER:
            self.stop()

    def step(self) -> None:
        """Run this component in this cycle; what its parents call, in their first or third part.

        Raises:
            PartFailed: It has failed, and is no optional part of the parent that called.
            ComponentError: It is in no tree that runs, or is stepped from within its own step.
        """
        tree = self._tree
        if tree is None:
            raise ComponentError(f"component '{self.name}' is in no tree that runs; step it where it is a Part")
        above, number = tree.current, tree.number
        tree.entries.append((self, above, tree.depth))
        if self._held and above is not None:
            self._steppers[above] = number
        if self.stepped != number:
            fresh, self.stepped, self._rank = self.stepped != number - 1, number, len(tree.entries)
            tree.current = self
            tree.depth += 1
            self._has_turn = True
            if tree.watch is not None:
                tree.watch.enter()
            try:
                if fresh or (self.failure is not None and self.recovers()):
                    self._start(tree)
                elif self._held:
                    self._forget(number)
                if self.failure is None:
                    self.inform()
                    late = tree.time - self._due
                    if late >= -SLACK:
                        self._work(tree, late)
                    self.act()
            except Exception as error:
                self._fail(error)
            finally:
                self._has_turn = False
                tree.current = above
                tree.depth -= 1
                if tree.watch is not None:
                    tree.watch.leave(self, tree.now)
        elif self._has_turn:
            raise ComponentError(f"'{self.name}' is stepped from within its own step: {tree.way()} > {self.name}")
        if self.failure is not None and (above is None or self not in above.optional):
            raise PartFailed(self.failure)

    # the lifecycle, for trees

    def bind(self, tree: Cycle[Component], context: Context, path: str) -> None:
        """Put into a tree that is going to run, with ``path`` as the name in events."""
        self._tree, self._context, self.path = tree, context, path
        self.stepped = NEVER
        for name in tuple(self._held):
            self._default(name)

    def take(self, part: Part[Any], component: Component) -> None:
        """Have a component as a part."""
        vars(self)[part.attribute] = self.made[part.attribute] = component
        if part.optional:
            self.optional.add(component)

    def stop(self) -> None:
        """Become inactive: give the chains back, whatever :meth:`stopped` does."""
        self.stepped = NEVER
        try:
            self.stopped()
        except Exception as error:
            self._tell(self._exception(error))
        finally:
            self._leave()

    def _start(self, tree: Cycle[Component]) -> None:
        self.failure, self.achieved, self.began, self._due = None, False, tree.now, tree.time
        tree.changed = True
        self._contested.clear()
        self._forget(tree.number)
        if self.needs:
            busy = self.context.arbiter.claim(self.path, self.needs)
            if busy is not None:
                raise PartFailed(self.fail(FailureKind.CHAIN_BUSY, "cannot start", busy))
        self.started()

    def _work(self, tree: Cycle[Component], late: float) -> None:
        """Work, and be due again a period later: not twice at once, where it is late by more than that."""
        self._due = self._due + self._period if late < self._period else tree.time + self._period
        if tree.watch is not None:
            tree.watch.worked(self, tree.now, (late if self._period else 0.0) + tree.late)
        result = self.work()
        if isinstance(result, Failure):
            raise PartFailed(result)
        if not (result is None or isinstance(result, (bool, np.bool_))):
            raise TypeError(f"work() returned {result!r}; it has to return True, False, None or a Failure")
        if bool(result) is not self.achieved:
            self.achieved, tree.changed = bool(result), True

    def _fail(self, error: Exception) -> None:
        """Keep why it cannot go on; the chains are free."""
        cause = error.failure if isinstance(error, PartFailed) else self._exception(error)
        own = cause.where == self.path
        self.failure = cause if own else self.fail(cause.root.kind, "cannot go on", cause)
        self._leave()
        self._tell(self.failure)

    def _leave(self) -> None:
        self.changed()
        self.context.arbiter.release(self.path)

    def _exception(self, error: Exception) -> Failure:
        if isinstance(error, BlockedError):
            return self.fail(FailureKind.TIMEOUT, str(error))
        message = f"{type(error).__name__}: {error}"
        return Failure(FailureKind.EXCEPTION, self.path, message, trace=traceback.format_exc())

    def _tell(self, failure: Failure) -> None:
        self.context.events.emit("failure", self.path, failure=failure)

    # modulations

    def modulate(self, modulation: str, value: object) -> None:
        """Set a modulation, for whoever has the turn; assigning to the attribute does that, and checks the value.

        Of the active components that modulate one, the one that was stepped first in the cycle is obeyed; those of
        other processes come after all that are here.

        Raises:
            ComponentError: The component modulates itself.
        """
        tree = self._tree
        by = None if tree is None else tree.current
        if by is self:
            raise ComponentError(f"'{self.name}' modulates itself ('{modulation}'); its parents do that")
        holder = self._held.get(modulation)
        if tree is not None and holder is not None and holder is not by and self._holds(holder, tree.number):
            later = holder.stepped != tree.number or (by is not None and holder._rank > by._rank)
            before = by is not None and not by._afar and later
            self._contest(modulation, *((by, holder) if before else (holder, by)))
            if not before:
                return
        self._held[modulation] = by
        if by is not None:
            self._steppers.pop(by, None)
        self.modulations[modulation] = value

    def withdraw(self, modulation: str, by: Component) -> None:
        """Put a modulation to its default, if ``by`` has set it."""
        if self._held.get(modulation) is by:
            self._default(modulation)

    def withdraw_all(self, by: Component) -> None:
        """Put all modulations to their defaults that ``by`` has set."""
        for modulation in tuple(self._held):
            self.withdraw(modulation, by)

    def _contest(self, modulation: str, obeyed: Component | None, refused: Component | None) -> None:
        names = [each.name if each is not None else "outside" for each in (obeyed, refused)]
        if (modulation, *names) not in self._contested:
            self._contested.add((modulation, *names))
            self.context.events.emit("contest", self.path, modulation=modulation, obeyed=names[0], refused=names[1])

    def _forget(self, number: int) -> None:
        """Put modulations to their defaults that nobody holds any more."""
        for name, by in tuple(self._held.items()):
            if by is not None and not self._holds(by, number):
                self._default(name)

    def _holds(self, by: Component, number: int) -> bool:
        """Whether who set a modulation is active, and has not left off stepping this component since."""
        return by.stepped >= number - 1 and self._steppers.get(by, number) >= number - 1

    def _default(self, name: str) -> None:
        del self._held[name]
        self.modulations[name] = self.modulated[name].default


def _checked(frequency: object, who: str) -> float:
    if isinstance(frequency, bool) or not isinstance(frequency, (int, float, np.number)):
        raise ParameterError(f"the frequency of {who} has to be a number of Hz, not {frequency!r}")
    if not (math.isfinite(frequency) and frequency > 0):
        raise ParameterError(f"the frequency of {who} has to be above 0 Hz and finite, not {frequency!r}")
    return float(frequency)


_ATTRIBUTES = frozenset(vars(Component())) | (frozenset(dir(Component)) - frozenset(dir(object)))
