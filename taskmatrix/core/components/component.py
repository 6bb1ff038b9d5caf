"""Components: iterative pieces of behavior that are active because something active steps them (BICA IV)."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, ClassVar, NoReturn

import numpy as np

from ..base.errors import ComponentError, ParameterError, not_found
from ..base.failure import Failure, FailureKind
from ..base.hooks import wrong
from ..base.names import in_lower_case
from ..base.parameter import Parameterised, given_by_name
from ..behavior.context import Context
from ..behavior.requirement import HasChain, Requirement
from ..robot.plans import Indices, TaskObjective
from ..world.objects import Array
from .cycle import Cycle
from .modulation import Modulation
from .part import Part, checked_frequency

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


HOOKS = ("needs", "requirements", "inform", "work", "act", "started", "stopped", "recovers", "set_parameters")


class Component(Parameterised, hooks=HOOKS):
    """A piece of behavior that runs iteratively, at a frequency of its own, while something active steps it.

    A step has three parts, each a hook: :meth:`inform` steps the parts from which the component gets information,
    :meth:`work` does what it is there for and modulates its parts, :meth:`act` steps the parts that it modulates.
    ``work`` runs when it is due; the other two in every cycle, in which the component counts as active all the same. A
    component that nobody stepped is inactive, costs nothing, and starts anew when it is stepped again.

    Who steps a component twice in one cycle, or from two parents, runs it once. What raises becomes the
    :attr:`failure` of the component and, unless the part is optional, of its parents.

    Class keywords:
        frequency: [Hz] At which :meth:`work` runs; every cycle unless given.
        afar: It stands for a component of another process.

    Args:
        name: Name in events and displays; the class's name in lower case unless given.
        **parameters: Values of the declared parameters.

    Raises:
        ParameterError: A parameter is unknown, of the wrong type, out of range or not given by name; a frequency is
            not a number above 0.

    Attributes:
        name: The only one in its tree.
        path: Its name in events.
        modulations: The present values, by name.
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
    name: str
    path: str
    modulations: dict[str, Any]
    made: dict[str, Component]
    optional: set[Component]
    __rate: ClassVar[float | None] = None
    __afar: ClassVar[bool] = False

    def __init_subclass__(cls, frequency: float | None = None, afar: bool = False, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if frequency is not None:
            cls.__rate = checked_frequency(frequency, cls.__name__)
        cls.__afar = afar or cls.__afar
        found = {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
        cls.parts = {name: value for name, value in found.items() if isinstance(value, Part)}
        cls.modulated = {name: value for name, value in found.items() if isinstance(value, Modulation)}
        for part in cls.parts.values():
            part.check()
        for name, modulation in cls.modulated.items():
            if modulation.required:
                raise ParameterError(f"modulation '{name}' of {cls.__name__} needs a default, for when nobody sets it")
            modulation.check_default(cls.__name__)

    def __init__(self, *positional: NoReturn, name: str | None = None, **parameters: Any) -> None:
        given_by_name(type(self), positional)
        super().__init__()
        called = name or in_lower_case(type(self).__name__, "-")
        modulations = {key: each.default for key, each in self.modulated.items()}
        vars(self).update(name=called, path=called, modulations=modulations, made={}, optional=set())
        self.__turn = _Turn(self.__rate, sys.maxsize if self.__afar else 0)
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
        return self.__turn.frequency

    @frequency.setter
    def frequency(self, value: float | None) -> None:
        turn = self.__turn
        turn.frequency = None if value is None else checked_frequency(value, self.path)
        turn.period = 0.0 if turn.frequency is None else 1.0 / turn.frequency
        if turn.tree is not None:
            turn.due = min(turn.due, turn.tree.time + turn.period)

    @property
    def context(self) -> Context:
        """The robot and its world; there once the component is in a tree that runs."""
        if self.__turn.context is None:
            raise ComponentError(
                f"component '{self.name}' is in no tree that runs: ActivationTree({type(self).__name__}())"
            )
        return self.__turn.context

    @property
    def failure(self) -> Failure | None:
        """Why it cannot go on; it is not run again until it is stepped anew, or restarted."""
        return self.__turn.failure

    @property
    def achieved(self) -> bool:
        """Whether what it is there for is achieved."""
        return self.__turn.achieved

    @property
    def began(self) -> float:
        """[s] When it became active, on the clock of the run."""
        return self.__turn.began

    @property
    def stepped(self) -> int:
        """The last cycle in which it was active."""
        return self.__turn.stepped

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
        if self.__turn.tree is not None:
            self.__turn.tree.changed = True

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
        turn = self.__turn
        tree = turn.tree
        if tree is None:
            raise ComponentError(f"component '{self.name}' is in no tree that runs; step it where it is a Part")
        above, number = tree.current, tree.number
        tree.entries.append((self, above, tree.depth))
        if turn.held and above is not None:
            turn.steppers[above] = number
        if turn.stepped != number:
            fresh, turn.stepped, turn.rank = turn.stepped != number - 1, number, len(tree.entries)
            tree.current = self
            tree.depth += 1
            turn.has_turn = True
            if tree.watch is not None:
                tree.watch.enter()
            try:
                if fresh or (turn.failure is not None and self.recovers()):
                    self.__start(tree)
                elif turn.held:
                    self.__forget(number)
                if turn.failure is None:
                    self.inform()
                    late = tree.time - turn.due
                    if late >= -SLACK:
                        self.__work(turn, tree, late)
                    self.act()
            except Exception as error:
                self.__fail(error)
            finally:
                turn.has_turn = False
                tree.current = above
                tree.depth -= 1
                if tree.watch is not None:
                    tree.watch.leave(self, tree.now)
        elif turn.has_turn:
            raise ComponentError(f"'{self.name}' is stepped from within its own step: {tree.way()} > {self.name}")
        if turn.failure is not None and (above is None or self not in above.optional):
            raise PartFailed(turn.failure)

    # the lifecycle, for trees

    def bind(self, tree: Cycle[Component], context: Context, path: str) -> None:
        """Put into a tree that is going to run, with ``path`` as the name in events."""
        vars(self)["path"] = path
        self.__turn.tree, self.__turn.context, self.__turn.stepped = tree, context, NEVER
        for name in tuple(self.__turn.overridden):
            self.end_override(name)
        for name in tuple(self.__turn.held):
            self.__default(name)

    def take(self, part: Part[Any], component: Component) -> None:
        """Have a component as a part."""
        vars(self)[part.attribute] = self.made[part.attribute] = component
        if part.optional:
            self.optional.add(component)

    def stop(self) -> None:
        """Become inactive: give the chains back, whatever :meth:`stopped` does."""
        self.__turn.stepped = NEVER
        try:
            self.stopped()
        except Exception as error:
            self.__tell(Failure.raised(error, self.path))
        finally:
            self.__leave()

    def __start(self, tree: Cycle[Component]) -> None:
        turn = self.__turn
        turn.failure, turn.achieved, turn.began, turn.due = None, False, tree.now, tree.time
        tree.changed = True
        self.__turn.contested.clear()
        self.__forget(tree.number)
        if self.needs:
            busy = self.context.arbiter.claim(self.path, self.needs)
            if busy is not None:
                raise PartFailed(self.fail(FailureKind.CHAIN_BUSY, "cannot start", busy))
        self.started()

    def __work(self, turn: _Turn, tree: Cycle[Component], late: float) -> None:
        """Work, and be due again a period later: not twice at once, where it is late by more than that."""
        turn.due = turn.due + turn.period if late < turn.period else tree.time + turn.period
        if tree.watch is not None:
            tree.watch.worked(self, tree.now, (late if turn.period else 0.0) + tree.late)
        result = self.work()
        if isinstance(result, Failure):
            raise PartFailed(result)
        if not (result is None or isinstance(result, (bool, np.bool_))):
            raise wrong(self, "work", result, "True, False, None or a Failure")
        if bool(result) is not turn.achieved:
            turn.achieved, tree.changed = bool(result), True

    def __fail(self, error: Exception) -> None:
        """Keep why it cannot go on; the chains are free."""
        cause = error.failure if isinstance(error, PartFailed) else Failure.raised(error, self.path)
        own = cause.where == self.path
        self.__turn.failure = failure = cause if own else self.fail(cause.root.kind, "cannot go on", cause)
        self.__leave()
        self.__tell(failure)

    def __leave(self) -> None:
        self.changed()
        self.context.arbiter.release(self.path)

    def __tell(self, failure: Failure) -> None:
        self.context.events.emit("failure", self.path, failure=failure)

    # modulations

    def modulate(self, modulation: str, value: object) -> None:
        """Set a modulation, for whoever has the turn; assigning to the attribute does that, and checks the value.

        Of the active components that modulate one, the one that was stepped first in the cycle is obeyed; those of
        other processes come after all that are here.

        Raises:
            ComponentError: The component modulates itself.
        """
        tree = self.__turn.tree
        by = None if tree is None else tree.current
        if modulation in self.__turn.overridden:
            self.__contest(modulation, None, by)
            return
        if by is self:
            raise ComponentError(f"'{self.name}' modulates itself ('{modulation}'); its parents do that")
        holder = self.__turn.held.get(modulation)
        if tree is not None and holder is not None and holder is not by and self.__holds(holder, tree.number):
            later = holder.stepped != tree.number or (by is not None and holder.__turn.rank > by.__turn.rank)
            before = by is not None and not by.__afar and later
            self.__contest(modulation, *((by, holder) if before else (holder, by)))
            if not before:
                return
        self.__turn.held[modulation] = by
        if by is not None:
            self.__turn.steppers.pop(by, None)
        self.modulations[modulation] = value

    def override(self, modulation: str, value: object) -> None:
        """Set a modulation from outside of the tree, whatever parents ask, until :meth:`end_override` or the next run.

        Raises:
            ParameterError: There is no such modulation, or the value is of another type or out of range.
        """
        checked = self.__declared(modulation).validate(value)
        self.__turn.held.pop(modulation, None)
        self.__turn.overridden.add(modulation)
        self.modulations[modulation] = checked
        self.changed()

    def end_override(self, modulation: str) -> None:
        """Leave a modulation to the parents again; it is at its default until one sets it.

        Raises:
            ParameterError: There is no such modulation.
        """
        default = self.__declared(modulation).default
        if modulation in self.__turn.overridden:
            self.__turn.overridden.remove(modulation)
            self.modulations[modulation] = default
            self.changed()

    def __declared(self, modulation: str) -> Modulation[Any]:
        if modulation not in self.modulated:
            raise ParameterError(not_found("modulation", modulation, self.modulated, type(self).__name__))
        return self.modulated[modulation]

    @property
    def modulations_held(self) -> dict[str, Any]:
        """The modulations that somebody has set, by name."""
        return {name: self.modulations[name] for name in self.__turn.held}

    def withdraw(self, modulation: str, by: Component) -> None:
        """Put a modulation to its default, if ``by`` has set it."""
        if self.__turn.held.get(modulation) is by:
            self.__default(modulation)

    def withdraw_all(self, by: Component) -> None:
        """Put all modulations to their defaults that ``by`` has set."""
        for modulation in tuple(self.__turn.held):
            self.withdraw(modulation, by)

    def __contest(self, modulation: str, obeyed: Component | None, refused: Component | None) -> None:
        names = [each.name if each is not None else "outside" for each in (obeyed, refused)]
        if (modulation, *names) not in self.__turn.contested:
            self.__turn.contested.add((modulation, *names))
            self.context.events.emit("contest", self.path, modulation=modulation, obeyed=names[0], refused=names[1])

    def __forget(self, number: int) -> None:
        """Put modulations to their defaults that nobody holds any more."""
        for name, by in tuple(self.__turn.held.items()):
            if by is not None and not self.__holds(by, number):
                self.__default(name)

    def __holds(self, by: Component, number: int) -> bool:
        """Whether who set a modulation is active, and has not left off stepping this component since."""
        return by.stepped >= number - 1 and self.__turn.steppers.get(by, number) >= number - 1

    def __default(self, name: str) -> None:
        del self.__turn.held[name]
        self.modulations[name] = self.modulated[name].default


class _Turn:
    """What a component keeps of its turns."""

    __slots__ = (
        *("tree", "context", "frequency", "period", "due", "rank", "has_turn", "failure", "achieved", "began"),
        *("stepped", "held", "steppers", "contested", "overridden"),
    )

    def __init__(self, frequency: float | None, rank: int) -> None:
        self.tree: Cycle[Component] | None = None
        self.context: Context | None = None
        self.frequency, self.period = frequency, 1.0 / frequency if frequency else 0.0
        self.due = self.began = 0.0
        self.rank = rank
        self.has_turn = self.achieved = False
        self.failure: Failure | None = None
        self.stepped = NEVER
        self.held: dict[str, Component | None] = {}  # modulations that were set, and by whom
        self.steppers: dict[Component, int] = {}  # of those that set one, who stepped it since, and in which cycle
        self.contested: set[tuple[str, ...]] = set()
        self.overridden: set[str] = set()  # modulations that were set from outside, and stay
