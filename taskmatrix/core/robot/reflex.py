"""Anybody may command the robot: who would bring it too near to something is stopped, and it goes back (MoBeE 2.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum

import numpy as np

from ..base.errors import ParameterError
from ..base.events import EventStream
from ..base.failure import Failure, FailureKind
from ..world.objects import Array
from .arbiter import Command
from .filters import SLACK, Brake
from .plans import Contact
from .pose_history import PoseHistory
from .skillset import SkillSet

REFLEX = "reflex"  # who commands while the robot goes back
REMEMBERED = 20.0  # [s] of motion
LOOKS = 5  # at the way on which joints brake
PATIENCE = 2.0  # [s] for which it waits where it cannot go back
SPARED = 1 / 3  # [-] of the margin, to which it may come near to something on its way back
THERE = 0.01  # [rad, m] off the safe pose, at most, when commands go out again
SETTLING = 1.0  # [s] for which the real joints may lag behind
NEARLY = 1e-6  # poses from the safe one that count as none
FULL = 1.0  # poses a step: as quickly as it came

Near = Mapping[tuple[str, str], float]


class _Phase(Enum):
    WATCHING = "watching"
    BRAKING = "braking"
    RETURNING = "returning"
    SETTLING = "settling"


class Reflex:
    """A filter that supervises the robot, and takes it back when it comes too near to something.

    In every control step it looks where the joints are, where the command leads, and where they come to rest if they
    brake after that. If any of these would bring something nearer than the margin that may not touch, and nearer than
    it is, the command does not go out: the joints brake, and go back along their history, as quickly as they came, to
    the last safe pose. So they do when something comes too near by itself. Who commands is told a failure of kind
    ``collision`` meanwhile. An event ``reflex`` tells a ``veto``, with the pair, and then whether the robot is ``back``
    or ``stuck``: on a way back on which it could not go for 2 s.

    A pose is safe where the robot rests, and where a transaction begins: where who commands calls ``commit`` of the
    arbiter, because what was commanded before is done. Of these it is the last that keeps the margin now.

    Args:
        margin: [m] From objects; between parts of the robot it is at most 4 mm. Planned motions come as near as 3 mm.

    Raises:
        ParameterError: The margin is not above 0.
    """

    def __init__(self, margin: float = 0.01) -> None:
        if isinstance(margin, bool) or not isinstance(margin, (int, float)) or not 0.0 < margin < np.inf:
            raise ParameterError(f"the margin of a reflex is a number of metres above 0, not {margin!r}")
        self.margin = float(margin)

    def bind(self, skills: SkillSet, dt: float, events: EventStream) -> Supervision:
        """The reflex of one session."""
        return Supervision(self.margin, skills, dt, events)


class Supervision:
    """The filter that a :class:`Reflex` is in one session.

    Args:
        margin: [m] As above.
        skills: Of the session.
        dt: [s] Control step.
        events: Where it tells what it does.
    """

    def __init__(self, margin: float, skills: SkillSet, dt: float, events: EventStream) -> None:
        self._margin, self._skills, self._dt, self._events = margin, skills, dt, events
        self._acceleration = skills.limits()[3]
        self._brake = Brake(self._acceleration, dt, skills.holonomic)
        self._history = PoseHistory(round(REMEMBERED / dt))
        self._failure = Failure(FailureKind.COLLISION, REFLEX, "")
        self._offset: Array = np.zeros(0)  # (n,) by which the base is off from where it was told to be
        self._speed: Array = np.zeros(0)  # (n,) [rad, m] the step with which the joints brake
        self._place = self._place_before = self._rate = self._waited = 0.0
        self._goal = 0
        self._sent: Array | None = None
        self.restart()

    def restart(self) -> None:
        """Forget where the robot was."""
        self._history.clear()
        self._phase, self._begins = _Phase.WATCHING, True
        self._before: Array | None = None
        self._least: dict[tuple[str, str], float] = {}
        self._close: Near = {}

    def commit(self) -> None:
        """Begin a transaction: what goes wrong from now on leads back to here, if the margin is kept."""
        self._begins = True

    def __call__(self, command: Command, q: Array) -> Command:
        """Return the command, or what takes the robot back."""
        driven = None if command.impedance is None else command.impedance.driven
        sensed = self._skills.position()
        here = q if driven is None else np.where(driven, sensed, q)
        step = np.zeros(len(q)) if self._before is None else here - self._before
        self._before = here
        self._offset = np.zeros(len(q))
        self._offset[:3] = sensed[:3] - q[:3]
        if self._phase is _Phase.WATCHING:
            self._history.record(here)
            contact = self._danger(command.q, here, sensed)
            if contact is None:
                return command
            self._speed = step
            if not self._veto(contact):
                return self._held(command, here)
        return self._held(command, self._next(here, sensed))

    def _danger(self, wanted: Array, here: Array, sensed: Array) -> Contact | None:
        """What comes too near if a command goes out; None if nothing does, and then the pose may be a safe one."""
        step = wanted - here
        moves = bool(step.any())
        onward = wanted + self._brake.rest(step, LOOKS) + self._offset if moves else (here + self._offset)[None]
        if self._skills.keeps_clear(np.concatenate([sensed[None], onward]), self._margin):
            self._least, self._close = {}, {}
            if self._begins or not moves:
                self._history.mark()
                self._begins = False
            return None
        now = self._near(sensed)
        self._least = {pair: max(distance, self._least.get(pair, distance)) for pair, distance in now.items()}
        ahead = [self._skills.near_contacts(q, self._margin) for q in (onward[[0, -1]] if moves else ())]
        closer = [each for found in ahead for each in found if each.distance < self._bound(each, now)]
        if not closer:
            staying = {each.pair for found in ahead[:1] for each in found if each.distance <= now.get(each.pair, 1.0)}
            come = [Contact(*pair, distance) for pair, distance in now.items() if not moves or pair in staying]
            closer = [each for each in come if each.distance < self._bound(each, self._close)]
        self._close = now
        return min(closer, key=lambda each: each.distance, default=None)

    def _bound(self, contact: Contact, known: Near) -> float:
        """[m] Nearer than this a pair may not come: not at all if it was not near, and no deeper into a contact."""
        now = known.get(contact.pair)
        if now is None:
            return np.inf
        return now if now <= 0.0 else min(now, self._least[contact.pair] - SLACK)

    def _near(self, q: Array) -> Near:
        return {each.pair: each.distance for each in self._skills.near_contacts(q, self._margin)}

    def _veto(self, contact: Contact) -> bool:
        """Begin to go back; whether there is anywhere to go."""
        message = f"{contact.first} and {contact.second} would come within {1e3 * self._margin:g} mm of each other"
        facts = {"pair": contact.pair, "distance": contact.distance, "at": "next step"}
        self._failure = Failure(FailureKind.COLLISION, REFLEX, message, facts)
        if not self._speed.any() and self._safe_place() >= len(self._history) - 1:
            return False
        self._events.emit("reflex", REFLEX, did="veto", pair=contact.pair, distance=contact.distance)
        self._phase, self._sent, self._waited = _Phase.BRAKING, None, 0.0
        return True

    def _next(self, here: Array, sensed: Array) -> Array:
        """(n,) Where the joints go in this step on the way back."""
        if self._phase is _Phase.BRAKING:
            self._history.record(here)
            self._speed = self._brake.coast(self._speed)
            onward = here + self._speed
            if self._speed.any() and not self._gets_deeper(onward, here):
                return onward
            self._place, self._rate = float(len(self._history) - 1), 0.0
            self._goal = self._safe_place()
            self._phase = _Phase.RETURNING
        if self._phase is _Phase.RETURNING:
            if self._sent is not None and not np.array_equal(self._sent, here):  # it was held on the way out
                self._place, self._rate = self._place_before, 0.0
            if self._place > self._goal:
                return self._one_back(here)
            self._phase, self._waited = _Phase.SETTLING, 0.0
        self._waited += self._dt
        off = np.abs(sensed - self._offset - here).max()
        if off < THERE or self._waited > SETTLING:
            self._end("back", here)
        return here

    def _safe_place(self) -> int:
        """Number of the last safe pose that keeps the margin now; of the last at all where none does."""
        marked = list(self._history.marked())
        for place, q in marked:
            if self._skills.keeps_clear((q + self._offset)[None], self._margin):
                return place
        return marked[0][0] if marked else 0

    def _one_back(self, here: Array) -> Array:
        """(n,) The pose before, or the same where something is in the way."""
        history = self._history
        hardest = self._acceleration * self._dt**2
        way = np.abs(history.at(self._place) - history.at(max(self._place - 1.0, 0.0)))
        first = np.abs(history.at(self._goal + 1.0) - history.at(self._goal))
        change = float((hardest / np.maximum(way, 1e-12)).min())
        spare = max(1.0 - self._rate**2, 0.1)  # what the path itself does not take of the limits
        self._rate = min(self._rate + spare * change, FULL)
        if (first > hardest * 1.001).any():  # it was moving there
            self._rate = min(self._rate, np.sqrt(change**2 + 2.0 * change * (self._place - self._goal)) - change)
        place = self._place - self._rate
        if place < self._goal + NEARLY:
            place = float(self._goal)
        wanted = history.at(place)
        if self._gets_worse(wanted, here):
            self._rate, self._sent = 0.0, None
            self._waited += self._dt
            if self._waited > PATIENCE:
                self._end("stuck", here)
            return here
        self._place_before, self._place, self._sent, self._waited = self._place, place, wanted, 0.0
        return wanted

    def _gets_worse(self, wanted: Array, here: Array) -> bool:
        """Whether something would be nearer there than here, and too near on the way back."""
        if self._skills.keeps_clear((wanted + self._offset)[None], self._margin):
            return False
        now, there = self._near(here + self._offset), self._near(wanted + self._offset)
        nearest = min(SPARED * self._margin, *now.values()) if now else SPARED * self._margin
        return _is_deeper(there, now) or min(there.values(), default=np.inf) < nearest

    def _gets_deeper(self, wanted: Array, here: Array) -> bool:
        """Whether something that it is in would be deeper there than here: then it stops at once."""
        there = self._near(wanted + self._offset)
        return min(there.values(), default=np.inf) < 0.0 and _is_deeper(there, self._near(here + self._offset))

    def _end(self, did: str, here: Array) -> None:
        """Let commands out again."""
        if did == "stuck":
            self._history.clear()
            self._history.record(here)
        else:
            self._history.go_back_to(self._goal)
        self._phase = _Phase.WATCHING
        self._close = self._near(here + self._offset)
        self._least = dict(self._close)
        self._events.emit("reflex", REFLEX, did=did, q=here.copy(), pair=self._failure.facts["pair"])

    def _held(self, command: Command, q: Array) -> Command:
        """A command to be at q (n,) instead, with those told who commanded."""
        blocked = {**command.blocked, **{owner: self._failure for owner, _ in command.owners}}
        v = np.zeros(len(q)) if self._before is None else (q - self._before) / self._dt
        owners = ((REFLEX, np.arange(len(q))),)
        return replace(command, q=q, v=v, a=np.zeros(len(q)), owners=owners, blocked=blocked, impedance=None)


def _is_deeper(there: Near, now: Near) -> bool:
    """Whether a contact there is new, or deeper than now."""
    return any(distance < min(now.get(pair, 0.0), 0.0) for pair, distance in there.items())
