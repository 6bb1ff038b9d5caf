"""A reflex of contacts that nobody planned: the limb stops, or goes limp, and who moved it learns what was touched."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..base.errors import ParameterError, not_found
from ..base.events import EventStream
from ..base.failure import Failure, FailureKind
from ..world.objects import Array
from .arbiter import Command
from .impedance import Impedance

REACTIONS = ("stop", "limp")


@dataclass(frozen=True)
class ContactReaction:
    """What a limb does that touches something unplanned.

    Raises:
        ParameterError: There is no such reaction, or a number is out of range.
    """

    kind: str = "stop"
    """``stop``: it is held where it is then; ``limp``: it floats, with its weight held."""
    duration: float = 1.0
    """[s] For how long, above 0."""
    sensitivity: float = 0.06
    """The torque of a contact that counts, as a share of what the motor of the joint gives at most; above 0, to 1."""
    damping: float = 1.0
    """[N m s/rad] Of the joints of a limp limb, from 0."""

    def __post_init__(self) -> None:
        if self.kind not in REACTIONS:
            raise ParameterError(not_found("reaction", str(self.kind), REACTIONS))
        if not 0.0 < self.sensitivity <= 1.0:
            raise ParameterError(f"sensitivity of a reaction is a share above 0, to 1, not {self.sensitivity!r}")
        if not self.duration > 0.0 or not self.damping >= 0.0:
            message = f"above 0 s and its damping from 0, not {self.duration!r} and {self.damping!r}"
            raise ParameterError(f"the duration of a reaction is {message}")


@dataclass(frozen=True, eq=False)
class SensedContact:
    """A contact, as the torques of the joints tell of it."""

    chain: str
    """Which limb was touched."""
    link: str
    """The link that was touched, as far as torques tell: the last whose joint was turned."""
    force: Array
    """(3,) [N] In the world, with which it was pushed at the origin of the link; as far as it is known when it counts,
    which of what begins is too little."""
    share: float
    """By how many times what counts, at the joint that felt it most."""

    @property
    def words(self) -> str:
        """What happened, a clause."""
        size = float(np.linalg.norm(self.force))
        x, y, z = (self.force / max(size, 1e-9)).tolist()
        return f"something pushed {self.link} of {self.chain} with {size:.0f} N along ({x:.1f}, {y:.1f}, {z:.1f})"


Detector = Callable[[Collection[str]], SensedContact | None]


class ContactReflex:
    """A filter on the one way out; it does nothing until it is :meth:`armed <arm>`.

    A contact is told once, by an event ``contact`` with its chain, link and force; who commands the limb is held, and
    learns it as a failure of kind ``collision``. Limbs that are driven by forces are for touching, and are left alone.

    Args:
        chains: Joints of each chain.
        dt: [s] Control step.
        events: Where contacts are told.
    """

    def __init__(self, chains: Mapping[str, Sequence[int]], dt: float, events: EventStream) -> None:
        self._chains = {name: np.array(joints, dtype=np.intp) for name, joints in chains.items()}
        self._dt, self._events = dt, events
        self._reaction, self._left, self._failure = ContactReaction(), 0.0, Failure(FailureKind.COLLISION, "", "")
        self._detect: Detector = lambda ignored: None
        self._sensed: Callable[[], tuple[Array, Array]] = lambda: (np.empty(0), np.empty(0))
        self._chain, self._held = "", np.empty(0)

    def arm(self, reaction: ContactReaction, detect: Detector, sensed: Callable[[], tuple[Array, Array]]) -> None:
        """React from now on.

        Args:
            reaction: How.
            detect: Says what is touched now, but for chains that it is told to leave out.
            sensed: (n,) each: where the joints are, and what holds their weight.
        """
        self._reaction, self._detect, self._sensed, self._left = reaction, detect, sensed, 0.0

    def restart(self) -> None:
        """End the reaction."""
        self._left = 0.0

    def __call__(self, command: Command, q: Array) -> Command:
        """Return the command, with a limb held or limp that touches something."""
        if self._left <= 0.0:
            driven = None if command.impedance is None else command.impedance.driven
            ignored = [name for name, joints in self._chains.items() if driven is not None and driven[joints].any()]
            contact = self._detect(ignored)
            if contact is None:
                return command
            facts = {"chain": contact.chain, "link": contact.link, "force": contact.force, "share": contact.share}
            self._events.emit("contact", "reflex", **facts)
            self._failure = Failure(FailureKind.COLLISION, "reflex", contact.words, facts)
            self._chain, self._left, self._held = contact.chain, self._reaction.duration, self._sensed()[0].copy()
        self._left -= self._dt
        joints, (now, weight) = self._chains[self._chain], self._sensed()
        for owner, commanded in command.owners:
            if np.isin(commanded, joints).any():
                command = command.holding(commanded, q, owner, self._failure)
        at = (self._held if self._reaction.kind == "stop" else now)[joints]
        positions, v, a = command.q.copy(), command.v.copy(), command.a.copy()
        positions[joints], v[joints], a[joints] = at, 0.0, 0.0
        impedance = command.impedance
        if self._reaction.kind == "limp":
            still = np.zeros(len(joints))
            soft = Impedance(weight[joints], still, still + self._reaction.damping)
            impedance = (impedance or Impedance.none(len(q))).replaced(joints, soft)
        return replace(command, q=positions, v=v, a=a, impedance=impedance)
