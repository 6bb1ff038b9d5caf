"""Bringing a base back to its path, a little in every control step, while an arm makes up for the rest."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from taskmatrix.core.world.objects import Array

from .steering import feasible, steering, unicycle_step

GAIN = 2.0  # [1/s] with which the base returns to its path
RATE = 0.05  # [m/s], [rad/s] with which it does, at most
SMOOTHING = 0.1  # [s] time constant of the measured drift: an arm that answered at once would rock the base


class BaseCorrection(ABC):
    """Commands of a base that is not where it was told to be. All poses (3,) are x, y [m] and yaw [rad] in the world.

    In every control step: :meth:`measure`, then, if there is something to correct, :meth:`advance`, :meth:`help` where
    the arm cannot do the rest, and :meth:`command`.

    Args:
        step: (3,) [m, m, rad] Largest change of each coordinate in a control step.
        dt: [s] The control step.

    Attributes:
        drift: (3,) How far the base is from where it was told to be, smoothed.
        off: (3,) How far it is from where its path has it, smoothed.
    """

    def __init__(self, step: Array, dt: float) -> None:
        self._step, self._dt = step, dt
        self._smoothed: Array | None = None
        self.drift = self.off = np.zeros(3)

    def measure(self, sensed: Array, commanded: Array, before: Array) -> None:
        """Take note of where the base is, was told to be, and was to be on its path in the step before."""
        expected = self._expected(commanded, before)
        off, share = sensed - expected, min(1.0, self._dt / SMOOTHING)
        self._smoothed = off if self._smoothed is None else self._smoothed + share * (off - self._smoothed)
        self._note(expected + self._smoothed, commanded, before)

    @abstractmethod
    def _expected(self, commanded: Array, before: Array) -> Array:
        """Where the base should be: what is measured is the difference from this."""

    @abstractmethod
    def _note(self, here: Array, commanded: Array, before: Array) -> None:
        """Set drift and off, for a base that is ``here``."""

    @abstractmethod
    def advance(self, reference: Array, before: Array) -> Array:
        """Where the base will be after this step, in which its path goes from ``before`` to ``reference``."""

    @abstractmethod
    def help(self, change: Array) -> Array:
        """Where it will be if in addition it does what it can of a change: the arm alone does not reach."""

    @abstractmethod
    def command(self, reference: Array, commanded: Array, sensed: Array) -> Array:
        """What to tell the base so that it will be there, given what it was told before and where it is."""


class HolonomicCorrection(BaseCorrection):
    """Of a base that can move sideways.

    Args:
        step: (3,) [m, m, rad] Largest change of each coordinate in a control step.
        dt: [s] The control step.
        offset: (3,) Of the base's last command from its path.
    """

    def __init__(self, step: Array, dt: float, offset: Array) -> None:
        super().__init__(step, dt)
        self._offset, self._next = offset, np.zeros(3)

    def _expected(self, commanded: Array, before: Array) -> Array:
        return commanded

    def _note(self, here: Array, commanded: Array, before: Array) -> None:
        self.drift = here - commanded
        self.off = self._offset + self.drift

    def advance(self, reference: Array, before: Array) -> Array:
        """Along its path, and towards it."""
        self._offset = self._offset - np.clip(GAIN * self.off, -RATE, RATE) * self._dt
        self._next = reference + (self._offset + self.drift)
        return self._next

    def help(self, change: Array) -> Array:
        """All of it, within its limits."""
        self._next = self._next + np.clip(change, -self._step, self._step)
        return self._next

    def command(self, reference: Array, commanded: Array, sensed: Array) -> Array:
        """The place less the drift, which will be added to it."""
        command = self._next - self.drift
        self._offset = command - reference
        return command


class RollingCorrection(BaseCorrection):
    """Of a base that only turns and rolls: it steers back, and its wheels do not slip."""

    def __init__(self, step: Array, dt: float) -> None:
        super().__init__(step, dt)
        self._here = self._next = np.zeros(3)
        self._roll = np.zeros(2)  # [m], [rad] to roll and to turn in this step

    def _expected(self, commanded: Array, before: Array) -> Array:
        return before

    def _note(self, here: Array, commanded: Array, before: Array) -> None:
        self._here = here
        self.drift = here - commanded
        self.off = here - before

    def advance(self, reference: Array, before: Array) -> Array:
        """Along its path, steering towards it."""
        return self._rolling(steering(reference - before, self.off, float(self._here[2]), GAIN, RATE, self._dt))

    def help(self, change: Array) -> Array:
        """What of it is along its heading."""
        return self._rolling(self._roll + feasible(change, float(self._next[2])))

    def command(self, reference: Array, commanded: Array, sensed: Array) -> Array:
        """As it heads now, not as smoothed."""
        return commanded + unicycle_step(sensed, self._clipped()) - sensed

    def _rolling(self, roll: Array) -> Array:
        self._roll = roll
        self._next = unicycle_step(self._here, self._clipped())
        return self._next

    def _clipped(self) -> Array:
        return np.clip(self._roll, -self._step[1:], self._step[1:])
