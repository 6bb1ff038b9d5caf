"""Everything that a behavior needs to run, built of fakes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from taskmatrix.core.base.clock import SimulatedClock
from taskmatrix.core.base.events import EventStream
from taskmatrix.core.base.transport import Transport
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.behavior.executive import Executive, Outcome
from taskmatrix.core.robot.arbiter import Arbiter, BindingFilter, Command, Filter
from taskmatrix.core.robot.filter_monitor import FilterMonitor
from taskmatrix.core.robot.filters import CollisionGuard, LimitFilter
from taskmatrix.core.robot.plans import Contact
from taskmatrix.core.robot.policy import Policy
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import Percept, PerceptualModel

from .event_log import EventLog
from .fake_plant import FakePlant
from .fake_robot import FakeRobot
from .fake_skills import FakeSkills
from .scripted_perception import Change, ScriptedPerception


class Bench:
    """A fake robot in a fake world, for unit tests of behaviors, machines and trees.

    Time is simulated: a run of minutes takes milliseconds, and the same test gives the same result everywhere. The
    arbiter, its filters, the executive and the events are the real ones.

    Args:
        objects: What there is; :func:`taskmatrix.testing.box_percept` makes one.
        script: What changes: see :class:`taskmatrix.testing.ScriptedPerception`.
        seed: Of the run.
        dt: [s] Control step.
        policy: What the arbiter does where several want one chain; one owner at a time unless given.
        filters: Of your own on the one way out, as for ``simulate``.
        transport: Leads to other processes; see :class:`taskmatrix.testing.FakeNetwork`.
        skills: The skill set, of which a subclass may do some of it otherwise.

    Attributes:
        skills: The :class:`FakeSkills`; script plans and contacts here.
        plant: The :class:`FakePlant`; its ``commands`` are what went out.
        context: What the behaviors reach.
        executive: What steps them.
        events: Everything that happened, with questions that a test asks: see :class:`EventLog`.

    Example:
        >>> import numpy as np
        >>> from taskmatrix.core import TaskBehavior
        >>> class Nod(TaskBehavior):
        ...     def required_chains(self):
        ...         return ["head"]
        ...     def step(self):
        ...         self.command(self.context.skills.joints("head"), np.array([0.0, -0.2]))
        ...         return self.context.skills.position()[4] <= -0.2
        >>> bench = Bench()
        >>> print(bench.run(Nod()))
        success after 0.20 s
        >>> bench.messages("nod")[-2:]
        ['task-successful', 'task-complete']
    """

    def __init__(
        self,
        objects: Iterable[Percept] = (),
        script: Sequence[Change] = (),
        *,
        seed: int = 0,
        dt: float = 0.01,
        policy: Policy | None = None,
        filters: Sequence[Filter | BindingFilter] = (),
        transport: Transport | None = None,
        skills: type[FakeSkills] = FakeSkills,
    ) -> None:
        robot, clock, perception = FakeRobot(), SimulatedClock(), PerceptualModel()
        stream = EventStream(clock)
        self.events = EventLog()
        stream.subscribe(self.events)
        self.plant = FakePlant(robot, objects)
        limits = LimitFilter(robot.lower, robot.upper, robot.velocity, dt)
        guard = CollisionGuard(self._contacts)
        own = [FilterMonitor(each) for each in filters]
        arbiter = Arbiter(robot.chains, robot.stance, stream, [limits, *own, guard], policy)
        self.skills = skills(robot, perception, self.plant, arbiter, clock)
        arbiter.bind(self.skills, dt)
        self.context = Context(self.skills, perception, arbiter, clock, stream, seed, dt, transport)
        perceive = ScriptedPerception(self.plant, perception, clock, script)
        perceive()
        self.executive = Executive(self.context, self.plant, perceive, self.skills.sense, self._drive)

    def run(self, root: Behaviour, timeout: float = 30.0) -> Outcome:
        """Run a behavior, a machine or any py_trees tree until it ends, at most ``timeout`` [s] of simulated time."""
        return self.executive.run(root, timeout)

    def ticks(self, root: Behaviour, count: int) -> list[Status]:
        """Set up and tick a tree, and tell its status after each of ``count`` control steps."""
        self.executive.prepare(root)
        statuses = []
        for _ in range(count):
            self.executive.step(root)
            self.context.clock.sleep_until(self.context.clock.now() + self.context.dt)
            statuses.append(root.status)
        return statuses

    def messages(self, source: str | None = None) -> list[str]:
        """What a behavior said, in order; without a name, what all said, each after its sender."""
        return self.events.messages(source)

    def violation(self, complete: bool = True) -> str | None:
        """What breaks the grammar of the messages first, or None."""
        return self.events.violation(complete)

    def _contacts(self, q: Array) -> list[Contact]:
        contact = self.skills.contact(q)
        return [] if contact is None else [contact]

    def _drive(self, command: Command) -> None:
        self.plant.apply(command, self.context.dt)
