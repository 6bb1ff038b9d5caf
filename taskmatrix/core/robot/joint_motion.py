"""Named movements of a robot as smooth functions of time: what canned behaviors play (thesis 3.5.1.2 and 4.3.8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import scipy

from ..world.objects import Array

if TYPE_CHECKING:
    from .plans import Indices

HEADROOM = 0.85  # of the limits is what a motion may use; the rest is for getting to it and for stopping
SAMPLES = 400  # instants at which a motion is compared with limits and positions

Mirror = Callable[[Mapping[int, float]], "Mapping[int, float] | None"]


@dataclass(frozen=True, eq=False)
class Motion:
    """Joint trajectories with continuous acceleration; a :class:`~taskmatrix.core.robot.plans.Trajectory`.

    A periodic motion goes on for ever; another is at rest before its start and after its end.
    """

    name: str
    """Its name in the robot's data."""
    indices: Indices
    """(k,) The joints that it moves."""
    duration: float
    """[s] Of one period, or of the whole."""
    periodic: bool
    """Whether its end joins its start."""
    pieces: tuple[scipy.interpolate.PPoly, scipy.interpolate.PPoly, scipy.interpolate.PPoly]
    """From time at the pace of the data [s] to (k,) positions, and the first and second derivatives."""

    @classmethod
    def through(cls, name: str, tracks: Mapping[int, Sequence[tuple[float, float]]], periodic: bool) -> Motion:
        """The cubic splines through keyframes; from rest to rest unless periodic.

        Args:
            name: Its name.
            tracks: By joint, times [s] from 0 on and positions [m, rad]; all end at the same time.
            periodic: Whether the last keyframe, which has to equal the first, joins it.
        """
        splines = []
        for track in tracks.values():
            times, positions = np.array(track, dtype=float).T
            splines.append(
                scipy.interpolate.CubicSpline(times, positions, bc_type="periodic" if periodic else "clamped")
            )
        knots = np.unique(np.concatenate([spline.x for spline in splines]))
        factors = (6.0, 2.0, 1.0, 1.0)  # the same cubics, cut at all knots
        cut = [[spline(knots[:-1], 3 - order) / factors[order] for spline in splines] for order in range(4)]
        curve = scipy.interpolate.PPoly(np.array(cut).transpose(0, 2, 1), knots)
        pieces = (curve, curve.derivative(1), curve.derivative(2))
        return cls(name, np.array(list(tracks), dtype=np.intp), float(knots[-1]), periodic, pieces)

    def sample(self, time: float | Array) -> tuple[Array, Array, Array]:
        """(..., k) each: position, velocity and acceleration at times [s] of any shape."""
        given = np.asarray(time, dtype=float)
        own = self.pieces[0].x[-1]
        pace = own / self.duration
        local = np.mod(given * pace, own) if self.periodic else np.clip(given * pace, 0.0, own)
        q, v, a = (np.asarray(piece(local)) for piece in self.pieces)
        if not self.periodic:
            resting = ((given < 0.0) | (given > self.duration))[..., None]
            v, a = np.where(resting, 0.0, v), np.where(resting, 0.0, a)
        return q, v * pace, a * pace**2

    def lasting(self, duration: float) -> Motion:
        """The same at another pace, so that a period or the whole lasts that long [s]."""
        return replace(self, duration=duration)

    def shortest(self, velocity: Array, acceleration: Array) -> float:
        """[s] The shortest duration with which it keeps well within limits (k,)."""
        _, v, a = self.sample(self._times())
        fastest = float(np.max(np.abs(v) / velocity, initial=0.0)) / HEADROOM
        hardest = float(np.max(np.abs(a) / acceleration, initial=0.0)) / HEADROOM
        return self.duration * max(fastest, float(np.sqrt(hardest)))

    def nearest(self, q: Array, velocity: Array) -> tuple[float, float]:
        """Where positions (k,) are nearest to it: the time [s], and how long the way there takes [s] at ``velocity``.

        Of a motion that is not periodic, always its beginning.
        """
        times = self._times() if self.periodic else np.zeros(1)
        away = np.max(np.abs(self.sample(times)[0] - q) / velocity, axis=1)
        return float(times[np.argmin(away)]), float(np.min(away))

    def mirrored(self, mirror: Mirror) -> Motion | None:
        """The motion with left and right exchanged, None if no joint of it has another side.

        Args:
            mirror: Does the same to a posture: ``skills.mirrored``. It is linear in every position, so what it does to
                a posture of zeros and to one of ones says all.
        """
        zeros, ones = (mirror(dict.fromkeys(self.indices.tolist(), value)) for value in (0.0, 1.0))
        if zeros is None or ones is None:
            return None
        offset = np.array(list(zeros.values()))
        gain = np.array([ones[index] for index in zeros]) - offset
        coefficients = self.pieces[0].c * gain
        coefficients[-1] += offset
        curve = scipy.interpolate.PPoly(coefficients, self.pieces[0].x)
        pieces = (curve, curve.derivative(1), curve.derivative(2))
        return replace(self, indices=np.array(list(zeros), dtype=np.intp), pieces=pieces)

    def _times(self) -> Array:
        knots = self.pieces[0].x * self.duration / self.pieces[0].x[-1]
        return np.unique(np.concatenate([np.linspace(0.0, self.duration, SAMPLES), knots]))
