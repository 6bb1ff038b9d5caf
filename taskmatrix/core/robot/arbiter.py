"""The one place that decides whose command reaches a joint."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

import numpy as np

from ..base.errors import ChainError, NotFoundError, TaskMatrixError
from ..base.events import EventStream
from ..base.failure import FailedError, Failure, FailureKind
from ..world.objects import Array
from .impedance import Impedance
from .plans import VIEW, Indices, TaskObjective
from .policy import Exclusive, JointCommand, Policy
from .skillset import SkillSet


@dataclass(frozen=True, eq=False)
class Command:
    """What all behaviors together ask for in one control step."""

    q: Array
    """(n,) [m, rad] Positions of all active joints."""
    v: Array
    """(n,) [m/s, rad/s] Velocities."""
    a: Array
    """(n,) [m/s^2, rad/s^2] Accelerations."""
    owners: tuple[tuple[str, Indices], ...] = ()
    """Who commands which joints, in the order in which the chains were granted."""
    blocked: Mapping[str, Failure] = field(default_factory=dict)
    """By owner: why its part, or some of its joints, do not go out."""
    loose: frozenset[str] = frozenset()
    """Owners to whom only the view matters: each of their joints may be held while the others go on."""
    impedance: Impedance | None = None
    """(n,) How hard joints are driven to where they are commanded; as the plant does it by itself unless given."""

    def holding(self, joints: Indices, q: Array, owner: str, failure: Failure) -> Command:
        """The same command with an owner's joints held at ``q`` (n,) at rest, by the plant's own control."""
        positions, velocities, accelerations = self.q.copy(), self.v.copy(), self.a.copy()
        positions[joints] = q[joints]
        velocities[joints] = accelerations[joints] = 0.0
        blocked = {**self.blocked, owner: failure}
        impedance = None if self.impedance is None else self.impedance.without(joints)
        return replace(self, q=positions, v=velocities, a=accelerations, blocked=blocked, impedance=impedance)


class Filter(Protocol):
    """A stage between the arbiter and the motion controller: limits, the collision guard, a reflex.

    It may also have the methods of :class:`RestartingFilter` and :class:`CommittingFilter`.
    """

    def __call__(self, command: Command, q: Array) -> Command:
        """Return what may go out, given the positions (n,) that were commanded last; called in every control step."""
        ...


@runtime_checkable
class BindingFilter(Protocol):
    """What makes the filter of a session, which knows its robot; it may be given to any number of them."""

    def bind(self, skills: SkillSet, dt: float, events: EventStream) -> Filter:
        """The filter of one session.

        Args:
            skills: Of the session: where the joints are, what is near.
            dt: [s] Control step.
            events: Where it may tell what it does.
        """
        ...


@runtime_checkable
class RestartingFilter(Protocol):
    """A filter that remembers how the joints moved."""

    def restart(self) -> None:
        """Forget that: they are at rest, somewhere else perhaps."""
        ...


@runtime_checkable
class CommittingFilter(Protocol):
    """A filter that takes the robot back to where a transaction began."""

    def commit(self) -> None:
        """Begin another one: what was commanded before is done."""
        ...


class Arbiter:
    """Grants chains and merges the owners' commands, by a policy.

    Args:
        chains: Joint indices of each chain.
        q: (n,) Positions to hold until something is commanded.
        events: Where grants are told.
        filters: Applied in order to the merged command.
        policy: Who may have a chain beside whom, and what comes of it; one owner at a time unless given.
        impedance_joints: Joints that the plant drives as hard as it is told; none unless given.
    """

    def __init__(
        self,
        chains: Mapping[str, Sequence[int]],
        q: Array,
        events: EventStream,
        filters: Sequence[Filter] = (),
        policy: Policy | None = None,
        impedance_joints: Collection[int] = (),
    ) -> None:
        self._chains = {name: np.array(indices, dtype=np.intp) for name, indices in chains.items()}
        self._joints = {name: frozenset(indices.tolist()) for name, indices in self._chains.items()}
        self._last = self._before = np.array(q, dtype=float)
        self._events = events
        self._filters = list(filters)
        self._policy = policy or Exclusive()
        self._grants: dict[str, list[str]] = {}  # chains of each owner, in the order in which they got the first
        self._pending: dict[str, JointCommand] = {}
        self._blocked: dict[str, Failure] = {}
        self._impedance_joints = frozenset(impedance_joints)
        self._sensed = self._last
        self._driven = np.zeros(len(self._last), dtype=bool)
        self.fault: Failure | None = None
        """What a filter did wrong; until this is None again, the joints brake and nobody's command goes out."""
        self.yielding: list[Callable[[str], bool]] = []
        """Those who can have an owner give its chains back to who claims them, and say whether they did."""

    def bind(self, skills: SkillSet, dt: float) -> None:
        """Have policy and filters know the robot, by its skills, and the control step [s], before anything moves.

        Raises:
            TaskMatrixError: The policy makes none for this session, or a filter none.
        """
        bound: object = self._policy.bind(skills, dt)
        if not isinstance(bound, Policy):
            raise TaskMatrixError(
                f"bind() of {type(self._policy).__name__} returned {bound!r}; it has to return the policy of one "
                "session: write to bound = super().bind(skills, dt) what it needs, and return that"
            )
        self._policy = bound
        self._filters = [
            stage.bind(skills, dt, self._events) if isinstance(stage, BindingFilter) else stage
            for stage in self._filters
        ]

    def commit(self) -> None:
        """Begin a transaction: what goes wrong from now on leads back to here, where a filter takes the robot back."""
        for stage in self._filters:
            if isinstance(stage, CommittingFilter):
                stage.commit()

    def restart(self, q: Array) -> None:
        """Go on from where the joints are, q (n,), at rest; after a plant was away, say."""
        self._last = self._before = self._sensed = np.array(q, dtype=float)
        self._driven[:] = False
        for stage in self._filters:
            if isinstance(stage, RestartingFilter):
                stage.restart()

    def sense(self, q: Array) -> None:
        """Take where the joints are, q (n,): one that was a spring is held there when it is none any more."""
        self._sensed = q

    @property
    def shares(self) -> bool:
        """Whether several may have a chain at once."""
        return self._policy.shares

    def owner(self, chain: str) -> str | None:
        """Who owns the chain, or has owned it longest; None if it is free."""
        return next(iter(self._owners(chain)), None)

    def claim(self, owner: str, chains: Sequence[str]) -> Failure | None:
        """Grant all of ``chains`` to ``owner``; or none, where they are not shared, and say who has them."""
        for chain in () if self.shares else chains:
            holder = self.owner(chain)
            while holder not in (None, owner) and any(give(str(holder)) for give in self.yielding):
                holder = self.owner(chain)
            if holder is not None and holder != owner:
                facts = {"chain": chain, "held_by": holder}
                return Failure(FailureKind.CHAIN_BUSY, "arbiter", f"chain '{chain}' is taken by '{holder}'", facts)
        others = {chain: [each for each in self._owners(chain) if each != owner] for chain in chains}
        if chains:
            mine = self._grants.setdefault(owner, [])
            mine += [chain for chain in dict.fromkeys(chains) if chain not in mine]
            shared = {chain: holders for chain, holders in others.items() if holders}
            told = {"shared": shared} if shared else {}
            self._events.emit("grant", owner, chains=list(chains), **told)
        return None

    def release(self, owner: str, chains: Sequence[str] | None = None) -> None:
        """Take chains back; all of the owner's if none are named.

        Their joints hold where they are: what the owner commanded for them in this step does not go out.
        """
        mine = self._grants.get(owner, [])
        given = [chain for chain in mine if chains is None or chain in chains]
        self._grants[owner] = [chain for chain in mine if chain not in given]
        if owner in self._pending:
            command = self._pending[owner]
            self._pending[owner] = _kept(command, np.isin(command.joints, self._owned(owner)).tolist())
        if not self._grants[owner]:
            del self._grants[owner]
            self._pending.pop(owner, None)
            self._blocked.pop(owner, None)
        if given:
            self._events.emit("release", owner, chains=given)

    def granted(self, owner: str) -> tuple[str, ...]:
        """Chains of an owner."""
        return tuple(self._grants.get(owner, ()))

    def shared(self, owner: str) -> Indices:
        """(k,) The joints of an owner that somebody else has as well."""
        others = [self._owned(other) for other in self._grants if other != owner]
        return np.intersect1d(self._owned(owner), np.concatenate(others)) if others else np.empty(0, dtype=np.intp)

    def command(
        self,
        owner: str,
        joints: Indices,
        q: Array,
        v: Array,
        a: Array,
        objective: TaskObjective | None = None,
        impedance: Impedance | None = None,
    ) -> None:
        """Take a command for this control step; a later one for the same joints replaces it.

        Args:
            owner: Who commands.
            joints: (k,) Which joints.
            q: (k,) [m, rad] Positions.
            v: (k,) [m/s, rad/s] Velocities.
            a: (k,) [m/s^2, rad/s^2] Accelerations.
            objective: What of it matters where chains are shared; every joint unless it is given.
            impedance: (k,) How hard they are driven there; as the plant does it by itself unless given.

        Raises:
            ChainError: The owner does not own one of the joints, the command is not one finite number a joint, or the
                plant does not drive one of them as hard as it is told.
        """
        joints = np.array(joints, dtype=np.intp)
        named, owned = joints.tolist(), set(self._owned(owner).tolist())  # sets: NumPy's cost a tenth of a step
        if not owned.issuperset(named):
            missing = [index for index in named if index not in owned]
            raise ChainError(f"'{owner}' commands joints {missing} that it does not own; it owns {self.granted(owner)}")
        q, v, a = (np.array(values, dtype=float) for values in (q, v, a))
        for name, values in (("position", q), ("velocity", v), ("acceleration", a)):
            if values.shape != joints.shape:
                raise ChainError(f"'{owner}' commands {joints.size} joints with a {name} of shape {values.shape}")
            if not np.isfinite(values).all():
                raise ChainError(f"'{owner}' commands a {name} that is not a finite number: {values.tolist()}")
        if impedance is not None:
            self._check_impedance(owner, joints, impedance)
        command = JointCommand(owner, joints, q, v, a, () if objective is None else (objective,), impedance)
        before = self._pending.get(owner)
        keep = [] if before is None else [joint not in named for joint in before.joints.tolist()]
        if before is not None and any(keep):
            before = _kept(before, keep)
            joints, q, v, a = (
                np.concatenate([getattr(before, name), getattr(command, name)]) for name in ("joints", "q", "v", "a")
            )
            objectives = (*before.objectives, *command.objectives) if before.objectives and command.objectives else ()
            both = _joined(before, command)
            command = JointCommand(owner, joints, q, v, a, objectives, both)
        self._pending[owner] = command

    def blocked(self, owner: str) -> Failure | None:
        """Why the owner's last command did not go out; None if it did."""
        return self._blocked.get(owner)

    def resolve(self) -> Command:
        """Merge what was commanded in this step, filter it, and start the next step."""
        given = [] if self.fault else self._grants
        commands = [self._pending[owner] for owner in given if owner in self._pending]
        impedance = self._policy.combine_impedance(commands, len(self._last))
        self._hand_over(impedance)
        q, v, a = self._policy.combine(commands, self._last, self._before)
        loose = frozenset(each.owner for each in commands if {goal.frame for goal in each.objectives} == {VIEW})
        command = Command(q, v, a, self._policy.owners(commands), loose=loose, impedance=impedance)
        for stage in self._filters:
            try:
                command = stage(command, self._last)
            except FailedError as error:
                self.fault = error.failure
                blocked = dict.fromkeys((owner for owner, _ in command.owners), error.failure)
                command = Command(self._last, np.zeros_like(q), np.zeros_like(q), blocked=blocked)
                break
        for owner, failure in command.blocked.items():
            if owner not in self._blocked:
                self._events.emit("blocked", owner, failure=failure)
        self._blocked = dict(command.blocked)
        self._pending.clear()
        self._before, self._last = self._last, command.q
        return command

    def moving(self, owner: str) -> bool:
        """Whether a joint of an owner was still moving in the last step: what was cut off brakes first."""
        joints = self._owned(owner)
        return not np.array_equal(self._last[joints], self._before[joints])

    @property
    def last(self) -> Array:
        """(n,) Positions that went out last."""
        return self._last.copy()

    def _hand_over(self, impedance: Impedance | None) -> None:
        """Have joints that are no springs any more go on from where they are."""
        driven = np.zeros(len(self._last), dtype=bool) if impedance is None else impedance.driven
        left = self._driven & ~driven
        if left.any():
            self._last, self._before = (np.where(left, self._sensed, q) for q in (self._last, self._before))
        self._driven = driven

    def _check_impedance(self, owner: str, joints: Indices, impedance: Impedance) -> None:
        """Raise for an impedance that does not fit the joints, or the plant."""
        for name in ("torque", "stiffness", "damping"):
            shape = np.shape(getattr(impedance, name))
            if shape != joints.shape:
                raise ChainError(f"'{owner}' commands {joints.size} joints with a {name} of shape {shape}")
        problem = impedance.problem()
        if problem:
            raise ChainError(f"'{owner}' commands {problem}")
        stiff = [joint for joint in joints[impedance.asked].tolist() if joint not in self._impedance_joints]
        if stiff:
            raise ChainError(f"'{owner}' says how hard to drive joints {stiff}, which this plant does by itself")

    def _owned(self, owner: str) -> Indices:
        """Joints of an owner."""
        mine = [self._chains[chain] for chain in self.granted(owner)]
        return np.concatenate(mine) if mine else np.empty(0, dtype=np.intp)

    def _owners(self, chain: str) -> list[str]:
        """Who has a joint of a chain, in the order in which they got their first."""
        if chain not in self._chains:
            raise NotFoundError("chain", chain, self._chains)
        joints = self._joints[chain]
        return [
            owner
            for owner, chains in self._grants.items()
            if not all(joints.isdisjoint(self._joints[name]) for name in chains)
        ]


def _kept(command: JointCommand, keep: list[bool]) -> JointCommand:
    """A command for some of its joints."""
    return JointCommand(
        command.owner,
        command.joints[keep],
        command.q[keep],
        command.v[keep],
        command.a[keep],
        command.objectives,
        None if command.impedance is None else command.impedance.of(keep),
    )


def _joined(first: JointCommand, second: JointCommand) -> Impedance | None:
    """The impedances of two commands of one owner, one after the other."""
    if first.impedance is None and second.impedance is None:
        return None
    parts = [each.impedance or Impedance.none(len(each.joints)) for each in (first, second)]
    return parts[0].followed_by(parts[1])
