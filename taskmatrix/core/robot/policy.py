"""Policies of the arbiter: who may have a chain beside whom, and what comes of several commands for one joint."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from ..base.errors import ParameterError
from ..world.objects import Array
from .impedance import Impedance
from .plans import Indices, TaskObjective
from .skillset import SkillSet


@dataclass(frozen=True, eq=False)
class JointCommand:
    """What one owner commands in a control step."""

    owner: str
    """Its path."""
    joints: Indices
    """(k,) The joints that it commands."""
    q: Array
    """(k,) [m, rad] Where they are to be."""
    v: Array
    """(k,) [m/s, rad/s]"""
    a: Array
    """(k,) [m/s^2, rad/s^2]"""
    objectives: tuple[TaskObjective, ...] = ()
    """What of it matters; every joint if empty."""
    impedance: Impedance | None = None
    """(k,) How hard they are driven there; as the plant does it by itself unless given."""


class Policy(ABC):
    """How the arbiter combines commands; an instance may be given to any number of sessions, and each makes its own.

    Args:
        order: Names of behaviors or components, those that come first before those that come later; all others come
            after them, in the order in which they were granted their chains.

    Raises:
        ParameterError: The names are no strings, or one stands there twice.
    """

    name: ClassVar[str]
    """What it is called on the command line."""
    shares: ClassVar[bool] = True
    """Whether several may have a chain at once."""

    def __init__(self, order: Sequence[str] = ()) -> None:
        if isinstance(order, str) or not all(isinstance(name, str) for name in order):
            raise ParameterError(f"the order of a policy is a sequence of names, not {order!r}")
        if len(set(order)) < len(order):
            raise ParameterError(f"the order of a policy names each behavior once, not {', '.join(order)}")
        self.order = tuple(order)

    def bind(self, skills: SkillSet, dt: float) -> Self:
        """The policy of one session, a copy, before anything is combined; the instance stays as it was given.

        Args:
            skills: Of the session: what there is to know of its robot. Who needs that overrides this, and writes it to
                the copy: ``bound = super().bind(skills, dt)``.
            dt: [s] The control step.
        """
        return copy.copy(self)

    @abstractmethod
    def combine(self, commands: Sequence[JointCommand], last: Array, before: Array) -> tuple[Array, Array, Array]:
        """What goes on to the filters.

        Args:
            commands: Of all who command something, in the order in which they were granted their chains.
            last: (n,) [m, rad] What went out last.
            before: (n,) [m, rad] What went out before that.

        Returns:
            Positions, velocities and accelerations of all joints, (n,) each; those that nobody commands stay at
            ``last``, at rest.
        """

    def combine_impedance(self, commands: Sequence[JointCommand], joints: int) -> Impedance | None:
        """How hard each joint is driven: as the first that commands it wants it.

        Args:
            commands: As in :meth:`combine`.
            joints: How many the robot has.

        Returns:
            Of all joints; None where nobody asks for any.
        """
        if all(command.impedance is None for command in commands):
            return None
        whole = Impedance.none(joints)
        for command in reversed(self.ranked(commands)):
            whole = whole.replaced(command.joints, command.impedance or Impedance.none(len(command.joints)))
        return whole

    def owners(self, commands: Sequence[JointCommand]) -> tuple[tuple[str, Indices], ...]:
        """Who answers for which joints (k,), those that come first first; a joint's is the first that commands it."""
        if not self.shares:
            return tuple((command.owner, command.joints) for command in commands)
        found: list[tuple[str, Indices]] = []
        for command in self.ranked(commands):
            others = [joints for _, joints in found]
            own = command.joints[~np.isin(command.joints, np.concatenate(others))] if others else command.joints
            found.append((command.owner, own))
        return tuple(found)

    def ranked(self, commands: Sequence[JointCommand]) -> list[JointCommand]:
        """The commands in the order of their owners' ranks."""
        return sorted(commands, key=lambda command: self._rank(command.owner))

    def _rank(self, owner: str) -> int:
        name = owner.rsplit("/", 1)[-1].split("#", maxsplit=1)[0]
        return self.order.index(name) if name in self.order else len(self.order)


def overlaid(commands: Sequence[JointCommand], last: Array) -> tuple[Array, Array, Array]:
    """Positions, velocities and accelerations (n,) of all joints, where later commands replace earlier ones."""
    q, v, a = last.copy(), np.zeros(len(last)), np.zeros(len(last))
    for command in commands:
        q[command.joints], v[command.joints], a[command.joints] = command.q, command.v, command.a
    return q, v, a


class Exclusive(Policy):
    """A chain has one owner at a time; who wants what is taken is told ``chain_busy`` (thesis 3.5)."""

    name = "exclusive"
    shares = False

    def combine(self, commands: Sequence[JointCommand], last: Array, before: Array) -> tuple[Array, Array, Array]:
        """Send each command to its joints; no joint has two."""
        return overlaid(commands, last)


class Subsumption(Policy):
    """Who comes first replaces, joint by joint, what the others command; when it says nothing they go on (Domo 2.4)."""

    name = "subsumption"

    def combine(self, commands: Sequence[JointCommand], last: Array, before: Array) -> tuple[Array, Array, Array]:
        """Let the command that ranks first replace the others, joint by joint."""
        return overlaid(self.ranked(commands)[::-1], last)


class Sum(Policy):
    """The steps that all command for a joint add up, and so do springs, dampers and torques (Domo 5.3)."""

    name = "sum"

    def combine(self, commands: Sequence[JointCommand], last: Array, before: Array) -> tuple[Array, Array, Array]:
        """Add up the steps by which the commands would move each joint.

        Springs on one joint pull it to where they are in balance: the mean of where they would have it, by their
        stiffness, at the mean of their speeds, by their damping.
        """
        q, v, a = last.copy(), np.zeros(len(last)), np.zeros(len(last))
        stiffness, damping, springs = (np.zeros(len(last)) for _ in range(3))
        for command in commands:
            share = command.impedance or Impedance.none(len(command.joints))
            stiffness[command.joints] += np.nan_to_num(share.stiffness)
            damping[command.joints] += np.nan_to_num(share.damping)
            springs[command.joints] += share.driven
        for command in commands:
            joints, share = command.joints, command.impedance or Impedance.none(len(command.joints))
            weights = [
                np.where(share.driven, _shares(values, total[joints], springs[joints]), 1.0)
                for values, total in ((share.stiffness, stiffness), (share.damping, damping))
            ]
            q[joints] += weights[0] * (command.q - last[joints])
            v[joints] += weights[1] * command.v
            a[joints] += command.a
        return q, v, a

    def combine_impedance(self, commands: Sequence[JointCommand], joints: int) -> Impedance | None:
        """Add up the springs, the dampers and the torques of each joint."""
        total: Impedance | None = None
        for command in commands:
            if command.impedance is not None:
                total = total or Impedance.none(joints)
                total = total.replaced(command.joints, total.of(command.joints).plus(command.impedance))
        return total


def _shares(values: Array, total: Array, count: Array) -> Array:
    """(k,) The part of each of its joint's total; where that is 0, the same for all of so many."""
    shares: Array = np.divide(np.nan_to_num(values), total, out=1.0 / np.maximum(count, 1.0), where=total > 0.0)
    return shares
