"""The story of a program: what came of each run of a session, and what they left behind."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from py_trees.behaviour import Behaviour

from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.core.world.perception import Percept
from taskmatrix.core.world.symmetry import apart, symmetry_of
from taskmatrix.robots import Robot
from taskmatrix.skills.collision.bodies import Body
from taskmatrix.skills.collision.collision import CollisionChecker

KEPT = 1000  # runs that are told one by one, the last ones; a program may go on for days
MOVED = 0.01  # [m] further from where it was first seen an object is told to have been moved


@dataclass(frozen=True)
class RunReport:
    """One run of a program."""

    behavior: str
    """Name of the behavior, with the parameters that were given."""
    outcome: Outcome
    """How it ended, and what it recovered from."""


@dataclass(frozen=True)
class SessionReport:
    """What came of a program; in words with ``print(report)``."""

    runs: tuple[RunReport, ...]
    """The last runs, in order."""
    count: int
    """Of all runs."""
    successes: int
    """Of all runs, those that say that they succeeded."""
    held: Mapping[str, str] = field(default_factory=dict)
    """What hands hold in the end, by hand."""
    touching: tuple[str, str] | None = None
    """What the robot touches in the end, the deepest contact: a link, and another or an object that no hand holds."""
    moved: Mapping[str, float] = field(default_factory=dict)
    """[m] How far objects are from where they were first seen, by id; those that no hand holds."""
    lost: tuple[str, ...] = ()
    """Ids of objects that were seen once and are not known any more."""
    owned: Mapping[str, str] = field(default_factory=dict)
    """Chains that still have an owner, with its path."""
    perceived: float = 0.0
    """[s] When objects were last perceived, on the clock of the runs."""
    perception_fault: str = ""
    """Why nothing could be perceived last, so that objects are told as they were before; empty where they could."""

    @property
    def left_behind(self) -> tuple[str, ...]:
        """What the program left behind, each thing in words."""
        return (
            *(f"the {hand} hand holds '{id}'" for hand, id in self.held.items()),
            *([f"{self.touching[0]} touches {self.touching[1]}"] if self.touching else ()),
            *(f"'{id}' is {distance:.2f} m from where it was" for id, distance in self.moved.items()),
            *(f"'{id}' is gone" for id in self.lost),
            *(f"'{owner}' still owns {chain}" for chain, owner in self.owned.items()),
        )

    def __str__(self) -> str:
        first = self.count - len(self.runs) + 1
        lines = [f"{self.count} runs, {self.successes} successful"]
        lines += [f"{first + number}. {told.behavior}: {told.outcome}" for number, told in enumerate(self.runs)]
        if self.perception_fault:
            lines.append(
                f"objects are as they were perceived at {self.perceived:.2f} s; since then: {self.perception_fault}"
            )
        return "\n".join([*lines, f"left behind: {'; '.join(self.left_behind) or 'nothing'}"])


class SessionReporter:
    """Keeps what came of the runs of a session.

    Args:
        robot: The robot.
        context: What behaviors reach.
    """

    def __init__(self, robot: Robot, context: Context) -> None:
        self._robot, self._context = robot, context
        self._runs: deque[RunReport] = deque(maxlen=KEPT)
        self._count = self._successes = 0
        self._first: dict[str, Percept] = {}

    def look(self) -> None:
        """Note where objects are that were not seen before."""
        for id, percept in self._context.perception.percepts.items():
            self._first.setdefault(id, percept)

    def note(self, behavior: Behaviour, outcome: Outcome) -> None:
        """Note a run that has ended."""
        self.look()
        self._runs.append(RunReport(_words(behavior), outcome))
        self._count += 1
        self._successes += outcome.success

    def report(self, perception_fault: str = "") -> SessionReport:
        """What came of all runs until now.

        Args:
            perception_fault: Why nothing can be perceived now, if so.
        """
        context, skills = self._context, self._context.skills
        percepts = context.perception.percepts
        held = {hand: id for hand in skills.hands if (id := skills.held(hand)) is not None}
        left = {id: seen for id, seen in percepts.items() if seen.held_by is None}
        away = {
            id: apart(symmetry_of(seen.model.shapes), self._first[id].X_WO, seen.X_WO)[0] for id, seen in left.items()
        }
        owners = {chain: context.arbiter.owner(chain) for chain in skills.chains}
        return SessionReport(
            tuple(self._runs),
            self._count,
            self._successes,
            held,
            self._touching(left),
            {id: distance for id, distance in away.items() if distance > MOVED},
            tuple(id for id in self._first if id not in percepts),
            {chain: owner for chain, owner in owners.items() if owner is not None},
            context.perception.time(),
            perception_fault,
        )

    def _touching(self, left: Mapping[str, Percept]) -> tuple[str, str] | None:
        """What the robot touches, whatever it may; not counting what hands hold."""
        checker = CollisionChecker(self._robot)
        checker.set_bodies([Body(seen.model, seen.X_WO) for seen in left.values()])
        contact = checker.contact(self._context.skills.position())
        return None if contact is None else contact.pair


def _words(behavior: Behaviour) -> str:
    """A behavior and those of its parameters that are not as they are by default."""
    if not isinstance(behavior, TaskBehavior):
        return str(behavior.name)
    given = [
        f"{name}={value}"
        for name, value in behavior.parameters.items()
        if behavior.declared[name].required or value != behavior.declared[name].default
    ]
    return f"{behavior.name} ({', '.join(given)})" if given else str(behavior.name)
