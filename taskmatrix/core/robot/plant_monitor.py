"""Every call to a plant, watched: what raises, falls silent or cannot be ends a run as a failure, with the facts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext, suppress
from textwrap import shorten
from typing import ParamSpec, TypeVar

import numpy as np

from ..base.errors import not_found
from ..base.failure import FailedError, Failure, FailureKind
from ..base.watchdog import BlockedError, watchdog
from ..world.objects import Array
from ..world.perception import Percept
from .arbiter import Command
from .hand_state import HandState
from .plant import (
    FeelingPlant,
    HoldingPlant,
    ImpedancePlant,
    JointState,
    Plant,
    SeeingPlant,
    SlidingPlant,
    StoppingPlant,
    TruthfulPlant,
    WholePlant,
)

STALE = 0.25  # [s] that are commanded, in which the plant's own time has to go on
LEAP = 10.0  # times its velocity limit: as quickly as a joint is sensed to move at most
ROUNDING = 1e-9  # [s]
STEADY = 0.2  # [rad] or [m] that a reading may jump by anyway

P = ParamSpec("P")
T = TypeVar("T")


class PlantMonitor(WholePlant):
    """A plant as the rest of the library sees it.

    What a plant cannot do is made up for: hands without sensors feel nothing, hands that are never told to hold hold
    nothing, nobody knows the truth, so that what is sensed and perceived stands for it.

    Args:
        plant: What is commanded.
        joints: Names of the joints (n); the first three are of the base.
        velocity: (n,) [m/s, rad/s] Limits of the joints.
        touch: By hand, the links that may touch what it holds.
        dt: [s] Control step.
        pushable: Whether the base may be sensed anywhere, as that of a simulation that is pushed.

    Attributes:
        fault: What was wrong last, since the plant was last restarted; None if nothing was.
        stopped: Why no command goes out any more; empty as long as they do.
        patience: [s] After which a call that does not come back is a fault; none is unless set.
        perceived: Tells what is perceived, by id, where the plant knows no truth; nothing is unless set.
    """

    def __init__(
        self,
        plant: Plant,
        joints: Sequence[str],
        velocity: Array,
        touch: Mapping[str, Sequence[str]],
        dt: float,
        pushable: bool = False,
    ) -> None:
        self._first = 3 if pushable else 0  # joint of which a jump is a fault
        self._plant, self._joints, self._velocity, self._dt = plant, tuple(joints), velocity, dt
        self._feeling = plant if isinstance(plant, FeelingPlant) else None  # asked once, as it takes 15 microseconds
        self._truthful = plant if isinstance(plant, TruthfulPlant) else None
        self._seeing = plant if isinstance(plant, SeeingPlant) else None
        self._numb = {
            hand: HandState(np.zeros(3), np.zeros(3), dict.fromkeys(links, False)) for hand, links in touch.items()
        }
        self._last: JointState | None = None
        self._behind = 0.0
        self.patience: float | None = None
        self.perceived: Callable[[], Mapping[str, Percept]] = dict
        self.fault: Failure | None = None
        self.stopped = ""

    @property
    def last(self) -> JointState | None:
        """What was sensed last, since the plant was last restarted."""
        return self._last

    def emergency_stop(self, reason: str) -> None:
        """Have the plant hold the robot, if it can, and let no command out any more; from any thread."""
        self.stopped = reason
        self._stop()

    def restart(self) -> Array:
        """Begin anew, after a fault or a while, from where the robot is now: (n,) positions.

        Raises:
            FailedError: The plant does not answer yet.
        """
        self._last, self._behind = None, 0.0
        q = self.sense().q.copy()
        self.fault = None
        return q

    def apply(self, command: Command, dt: float) -> None:
        """Execute a command for one control step of ``dt`` [s].

        Raises:
            FailedError: The plant raises, or the robot was stopped.
        """
        if self.stopped:
            facts = {"stopped": self.stopped}
            raise FailedError(Failure(FailureKind.PLANT, "plant", f"it was stopped: {self.stopped}", facts))
        self._behind += dt
        self._call("apply", self._plant.apply, command, dt)

    def sense(self) -> JointState:
        """Read the joints.

        Raises:
            FailedError: The plant raises, or its readings cannot be.
        """
        state = self._taken(self._call("sense", self._plant.sense))
        self._check(state)
        self._check_time(state)
        self._last = state
        return state

    def feel(self) -> Mapping[str, HandState]:
        """Read the sensors of the hands; those of a plant without feel nothing."""
        if self._feeling is None:
            return self._numb
        felt = self._call("feel", self._feeling.feel)
        missing = self._numb.keys() - felt.keys() if isinstance(felt, Mapping) else self._numb.keys()
        if missing:
            said = f"feel() of {type(self._plant).__name__} says nothing of the {' and '.join(sorted(missing))} hand"
            raise self._fault(said, call="feel")
        return felt

    def attach(self, hand: str, object: str) -> None:
        """Make a hand hold an object; nothing happens where it cannot be told to."""
        if isinstance(self._plant, HoldingPlant):
            self._call("attach", self._plant.attach, hand, object)

    def detach(self, hand: str) -> None:
        """Let go of what a hand holds."""
        if isinstance(self._plant, HoldingPlant):
            self._call("detach", self._plant.detach, hand)

    def slide(self, hand: str, object: str | None) -> None:
        """Let an object slide out of the way of a hand; nothing happens where that needs no telling."""
        if isinstance(self._plant, SlidingPlant):
            self._call("slide", self._plant.slide, hand, object)

    def impedance_joints(self) -> Collection[str]:
        """Names of the joints that are driven as hard as they are told; none of a plant that does it by itself.

        Raises:
            FailedError: The robot has no such joint.
        """
        if not isinstance(self._plant, ImpedancePlant):
            return ()
        named = self._call("impedance_joints", self._plant.impedance_joints)
        for name in named:
            if name not in self._joints[3:]:
                where = f"impedance_joints() of {type(self._plant).__name__}"
                raise self._fault(f"{where}: {not_found('joint', name, self._joints[3:])}", call="impedance_joints")
        return tuple(named)

    def truth(self) -> Mapping[str, object]:
        """The ground truth; where nobody knows it, joints and objects as they were sensed and perceived last.

        Then ``velocities``, (6,) by id, are those of the objects that are perceived to move.
        """
        if self._truthful is not None:
            return self._call("truth", self._truthful.truth)
        state, percepts = self._last or self.sense(), self.perceived()
        return {
            "q": state.q,
            "v": state.v,
            "poses": {id: seen.X_WO for id, seen in percepts.items()},
            "held": {seen.held_by: id for id, seen in percepts.items() if seen.held_by is not None},
            "velocities": {id: seen.velocity for id, seen in percepts.items() if seen.velocity.any()},
        }

    def observe(self) -> tuple[Percept, ...]:
        """What an all-seeing sensor sees; nothing where there is none."""
        return self._call("observe", self._seeing.observe) if self._seeing is not None else ()

    def _call(self, name: str, method: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        try:
            with nullcontext() if self.patience is None else watchdog(self.patience):
                return method(*args, **named)
        except FailedError:
            raise
        except BlockedError as error:
            raise self._fault(f"{name}() of {type(self._plant).__name__} {error}", call=name) from error
        except Exception as error:
            raised = Failure.raised(error, "plant")
            message = f"{name}() of {type(self._plant).__name__} raised {raised.message}"
            raise self._fault(message, raised.trace, call=name, **raised.facts) from error

    def _taken(self, state: object) -> JointState:
        """A reading as it is now: the plant may write the next over it."""
        try:
            q, v, a = (np.array(getattr(state, name), dtype=float) for name in "qva")
            time, torque = getattr(state, "time", None), getattr(state, "torque", None)
            sensed = None if torque is None else np.array(torque, dtype=float)
            return JointState(q, v, a, None if time is None else float(time), sensed)
        except (AttributeError, TypeError, ValueError) as error:
            said = (
                f"sense() of {type(self._plant).__name__} returned {shorten(repr(state), 60)}, which is no JointState"
            )
            raise self._fault(f"{said}: {error}", call="sense") from error

    def _check(self, state: JointState) -> None:
        """Raise for readings that cannot be."""
        readings = {"positions": state.q, "velocities": state.v, "accelerations": state.a, "torques": state.torque}
        for what, values in readings.items():
            if values is None:
                continue
            shape = np.shape(values)
            if shape != (len(self._joints),):
                raise self._fault(
                    f"it senses {what} of shape {shape}; the robot has {len(self._joints)} joints", shape=shape
                )
            odd = np.flatnonzero(~np.isfinite(values))
            if len(odd):
                joint = self._joints[odd[0]]
                raise self._fault(f"it senses {what} that are no numbers: {joint} is {values[odd[0]]}", joint=joint)
        if self._last is not None:
            leap = np.abs(state.q - self._last.q)
            leap[: self._first] = 0.0
            far = leap - LEAP * self._velocity * self._dt
            worst = int(far.argmax())
            if far[worst] > STEADY:
                joint = self._joints[worst]
                message = f"{joint} is sensed to jump by {leap[worst]:.3g} in a step"
                raise self._fault(message, joint=joint, by=float(leap[worst]))

    def _check_time(self, state: JointState) -> None:
        """Raise for readings that stay behind."""
        before = None if self._last is None else self._last.time
        if state.time is None and before is not None:
            raise self._fault(f"it tells no time any more; the last was {before:.3f} s", before=before)
        if state.time is None or before is None:
            self._behind = 0.0
            return
        if state.time < before:
            raise self._fault(
                f"its time goes back, from {before:.3f} s to {state.time:.3f} s", time=state.time, before=before
            )
        if state.time > before:
            self._behind = 0.0
        if self._behind > STALE + ROUNDING:
            message = f"its readings are stale: they are of {state.time:.3f} s, for {self._behind:.2f} s already"
            raise self._fault(message, time=state.time, behind=self._behind)

    def _fault(self, message: str, trace: str = "", **facts: object) -> FailedError:
        """What to raise for a fault; the plant holds the robot, if it can."""
        self.fault = Failure(FailureKind.PLANT, "plant", message, facts, trace=trace)
        self._stop()
        return FailedError(self.fault)

    def _stop(self) -> None:
        if isinstance(self._plant, StoppingPlant):
            with suppress(Exception), nullcontext() if self.patience is None else watchdog(self.patience):
                self._plant.stop()
