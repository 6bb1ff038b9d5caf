"""The one place that decides whose command reaches a joint."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from .errors import ChainError, NotFoundError
from .events import EventStream
from .failure import Failure, FailureKind
from .objects import Array
from .skillset import Indices


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
    """By owner: why its part does not go out."""

    def holding(self, joints: Indices, q: Array, owner: str, failure: Failure) -> Command:
        """The same command with an owner's joints held at ``q`` (n,) at rest."""
        positions, velocities, accelerations = self.q.copy(), self.v.copy(), self.a.copy()
        positions[joints] = q[joints]
        velocities[joints] = accelerations[joints] = 0.0
        return Command(positions, velocities, accelerations, self.owners, {**self.blocked, owner: failure})


class Filter(Protocol):
    """A stage between the arbiter and the motion controller: limits, collision guard, later reflexes."""

    def __call__(self, command: Command, q: Array) -> Command:
        """Return what may go out, given the positions (n,) that were commanded last."""
        ...


class Arbiter:
    """Grants chains exclusively and merges the owners' commands.

    Args:
        chains: Joint indices of each chain.
        q: (n,) Positions to hold until something is commanded.
        events: Where grants are told.
        filters: Applied in order to the merged command.
    """

    def __init__(
        self, chains: Mapping[str, Sequence[int]], q: Array, events: EventStream, filters: Sequence[Filter] = ()
    ) -> None:
        self._chains = {name: np.array(indices, dtype=np.intp) for name, indices in chains.items()}
        self._last = self._before = np.array(q, dtype=float)
        self._events = events
        self._filters = list(filters)
        self._grants: dict[str, str] = {}
        self._order: list[str] = []
        self._pending: dict[str, tuple[Indices, Array, Array, Array]] = {}
        self._blocked: dict[str, Failure] = {}
        self.yielding: list[Callable[[str], bool]] = []
        """Those who can have an owner give its chains back to who claims them, and say whether they did."""

    def owner(self, chain: str) -> str | None:
        """Who owns the chain; None if it is free."""
        if chain not in self._chains:
            raise NotFoundError("chain", chain, self._chains)
        joints = set(self._chains[chain].tolist())
        for name, owner in self._grants.items():
            if joints & set(self._chains[name].tolist()):
                return owner
        return None

    def claim(self, owner: str, chains: Sequence[str]) -> Failure | None:
        """Grant all of ``chains`` to ``owner``, or none and say who has them."""
        for chain in chains:
            holder = self.owner(chain)
            while holder not in (None, owner) and any(give(str(holder)) for give in self.yielding):
                holder = self.owner(chain)
            if holder is not None and holder != owner:
                facts = {"chain": chain, "held_by": holder}
                return Failure(FailureKind.CHAIN_BUSY, "arbiter", f"chain '{chain}' is taken by '{holder}'", facts)
        for chain in chains:
            self._grants[chain] = owner
        if chains:
            if owner not in self._order:
                self._order.append(owner)
            self._events.emit("grant", owner, chains=list(chains))
        return None

    def release(self, owner: str, chains: Sequence[str] | None = None) -> None:
        """Take chains back; all of the owner's if none are named.

        Their joints hold where they are: what the owner commanded for them in this step does not go out.
        """
        mine = [chain for chain, holder in self._grants.items() if holder == owner]
        given = [chain for chain in mine if chains is None or chain in chains]
        for chain in given:
            del self._grants[chain]
        if owner in self._pending:
            keep = np.isin(self._pending[owner][0], self._owned(owner))
            joints, q, v, a = self._pending[owner]
            self._pending[owner] = (joints[keep], q[keep], v[keep], a[keep])
        if len(given) == len(mine):
            if owner in self._order:
                self._order.remove(owner)
            self._pending.pop(owner, None)
            self._blocked.pop(owner, None)
        if given:
            self._events.emit("release", owner, chains=given)

    def granted(self, owner: str) -> tuple[str, ...]:
        """Chains of an owner."""
        return tuple(chain for chain, holder in self._grants.items() if holder == owner)

    def command(self, owner: str, joints: Indices, q: Array, v: Array, a: Array) -> None:
        """Take a command for this control step; a later one for the same joints replaces it.

        Raises:
            ChainError: The owner does not own one of the joints, or the command is not one finite number a joint.
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
        if owner in self._pending:
            before = self._pending[owner]
            keep = [index not in named for index in before[0].tolist()]
            joints, q, v, a = (
                np.concatenate([old[keep], new]) for old, new in zip(before, (joints, q, v, a), strict=True)
            )
        self._pending[owner] = (joints, q, v, a)

    def blocked(self, owner: str) -> Failure | None:
        """Why the owner's last command did not go out; None if it did."""
        return self._blocked.get(owner)

    def resolve(self) -> Command:
        """Merge what was commanded in this step, filter it, and start the next step."""
        n = len(self._last)
        q, v, a = self._last.copy(), np.zeros(n), np.zeros(n)
        owners = []
        for owner in self._order:
            if owner in self._pending:
                joints, positions, velocities, accelerations = self._pending[owner]
                q[joints], v[joints], a[joints] = positions, velocities, accelerations
                owners.append((owner, joints))
        command = Command(q, v, a, tuple(owners))
        for stage in self._filters:
            command = stage(command, self._last)
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

    def _owned(self, owner: str) -> Indices:
        """Joints of an owner."""
        mine = [self._chains[chain] for chain in self.granted(owner)]
        return np.concatenate(mine) if mine else np.empty(0, dtype=np.intp)
