"""Filters on the one way out: nothing leaves that breaks a limit or would touch what it must not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..base.failure import Failure, FailureKind
from ..world.objects import Array
from .arbiter import Command
from .plans import Contact

BRAKING = "braking"  # who commands joints that nobody commands any more
SLACK = 0.0005  # [m] by which a contact may get deeper again on the way out: bodies are not flat


class Brake:
    """Brings joints to rest that nobody commands any more, within their acceleration limits.

    What was cut off - by a failure, by whoever stopped it - would stop dead else. Its command counts as the last
    that was granted: where it would touch something, it is what holds. A joint that was driven as hard as it was told
    begins at rest.

    Args:
        acceleration: (n,) [m/s^2, rad/s^2] Acceleration limits.
        dt: [s] Control step.
        holonomic: Whether the base, the first three joints, can move in any direction; if not, it rolls on along its
            heading.
    """

    def __init__(self, acceleration: Array, dt: float, holonomic: bool = True) -> None:
        self._change, self._holonomic = acceleration * dt**2, holonomic
        self._before: Array | None = None
        self._driven: NDArray[np.bool_] | None = None

    def restart(self) -> None:
        """Take the joints to be at rest."""
        self._before = self._driven = None

    def __call__(self, command: Command, q: Array) -> Command:
        """Return the command with steps of its own for joints that move and are not commanded."""
        step = q - (q if self._before is None else self._before)
        self._before = q
        coasting = step != 0.0
        if self._driven is not None:
            coasting[self._driven] = False
        self._driven = None if command.impedance is None else command.impedance.driven
        for _, commanded in command.owners:
            coasting[commanded] = False
        joints = np.flatnonzero(coasting)
        if not len(joints):
            return command
        left = self.coast(step)
        positions = command.q.copy()
        positions[joints] += left[joints]
        return replace(command, q=positions, owners=(*command.owners, (BRAKING, joints)))

    def coast(self, step: Array) -> Array:
        """(n,) [m, rad] The step after a step (n,), of joints that brake."""
        left: Array = np.sign(step) * np.maximum(np.abs(step) - self._change, 0.0)
        if not self._holonomic and step[:2].any():
            left[:2] = self._rolled_on(step[:3], left[2])
        return left

    def rest(self, step: Array, parts: int) -> Array:
        """(parts, n) [m, rad] How far joints have come that brake after a step (n,), the last where they rest.

        Of a base that rolls, as if it could move in any direction.
        """
        far, change = np.abs(step), self._change
        longest = np.floor(far / change)
        steps = np.minimum(np.linspace(0.0, longest.max(), parts)[:, None], longest)
        way: Array = np.sign(step) * (steps * far - change * steps * (steps + 1.0) / 2.0)
        return way

    def _rolled_on(self, step: Array, turn: float) -> Array:
        """(2,) [m] The next step of a base that rolls, after a step (3,) and as it turns on by ``turn`` [rad]."""
        far = float(np.hypot(step[0], step[1]))
        angle, share = (step[2] + turn) / 2, max(0.0, 1.0 - self._change[0] / far)
        c, s = np.cos(angle), np.sin(angle)
        onward: Array = share * np.array([c * step[0] - s * step[1], s * step[0] + c * step[1]])
        return onward


class LimitFilter:
    """Clips positions to the joint limits, steps to the velocity limits, and torques to what the motors give.

    Args:
        lower: (n,) [m, rad] Lower limits.
        upper: (n,) Upper limits.
        velocity: (n,) [m/s, rad/s] Velocity limits.
        dt: [s] Control step.
        effort: (n,) [N m, N] Torque limits; any torque unless given.
    """

    def __init__(self, lower: Array, upper: Array, velocity: Array, dt: float, effort: Array | None = None) -> None:
        self._lower, self._upper, self._effort = lower, upper, effort
        self._velocity, self._dt = velocity, dt

    def __call__(self, command: Command, q: Array) -> Command:
        """Return the clipped command."""
        largest = self._velocity * self._dt
        wanted = np.clip(command.q, self._lower, self._upper)
        positions = q + np.clip(wanted - q, -largest, largest)
        v, impedance = np.clip(command.v, -self._velocity, self._velocity), command.impedance
        if impedance is not None and self._effort is not None:
            impedance = replace(impedance, torque=np.clip(impedance.torque, -self._effort, self._effort))
        return replace(command, q=positions, v=v, impedance=impedance)


class CollisionGuard:
    """Holds an owner when the merged command would touch something: the one whose chains were granted last.

    An owner that has no part in the contact goes on: of those whose hold would avoid it, the latest holds. Where it
    takes more than one, all hold. Of an owner to whom only the view matters, one joint holds where that is enough. What
    is in contact already, for whatever reason, may move where no contact gets deeper than it was at its least, but for
    half a millimetre: out of it, that is.

    Args:
        contacts: Returns every contact of a whole configuration (n,), a pair of bodies once.
    """

    def __init__(self, contacts: Callable[[Array], Sequence[Contact]]) -> None:
        self._contacts = contacts
        self._least: dict[tuple[str, str, bool], float] = {}  # [m] distance of contacts when they were least deep

    def __call__(self, command: Command, q: Array) -> Command:
        """Return the command, with an owner or all of them held where it would touch something."""
        if not command.owners or np.array_equal(command.q, q):
            return command
        ahead = self._contacts(command.q)
        if not ahead:
            self._least.clear()
            return command
        now = {contact.key: contact.distance for contact in self._contacts(q)}
        self._least = {key: max(distance, self._least.get(key, distance)) for key, distance in now.items()}
        bounds = {key: min(distance, self._least[key] - SLACK) for key, distance in now.items()}
        contact = deeper(ahead, bounds)
        if contact is None:
            return command
        facts = {"pair": contact.pair, "distance": contact.distance, "at": "next step"}
        message = f"the next step would bring {contact.first} and {contact.second} into contact"
        failure = Failure(FailureKind.COLLISION, "guard", message, facts)
        everyone = command
        for owner, joints in reversed(command.owners):
            moving = joints[command.q[joints] != q[joints]].reshape(-1, 1)
            for part in (*(moving if owner in command.loose else ()), joints):
                held = command.holding(part, q, owner, failure)
                if deeper(self._contacts(held.q), bounds) is None:
                    return held
            everyone = everyone.holding(joints, q, owner, failure)
        return everyone


def deeper(contacts: Sequence[Contact], bounds: Mapping[tuple[str, str, bool], float]) -> Contact | None:
    """The deepest contact of those that are new, or deeper than they may be.

    Args:
        contacts: Of a whole configuration.
        bounds: [m] By key: the distance below which a contact counts.
    """
    found = [contact for contact in contacts if contact.distance < bounds.get(contact.key, np.inf)]
    return min(found, key=lambda contact: contact.distance, default=None)
