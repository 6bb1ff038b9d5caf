"""The geometric path that toppra puts times to: smooth, through all waypoints, within the joint limits."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import toppra
from scipy.interpolate import CubicSpline, PchipInterpolator, PPoly

from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices
from taskmatrix.robots import Robot

SAMPLES = 8  # of every piece are compared with the limits


@dataclass(frozen=True, eq=False)
class Limits:
    """Of some joints."""

    lower: Array
    """(k,) [m, rad]"""
    upper: Array
    """(k,) [m, rad]"""
    velocity: Array
    """(k,) [m/s, rad/s]"""
    acceleration: Array
    """(k,) [m/s^2, rad/s^2]"""

    @classmethod
    def of(cls, robot: Robot, joints: Indices) -> Limits:
        """Those of a robot's joints (k,)."""
        return cls(robot.lower[joints], robot.upper[joints], robot.velocity[joints], robot.acceleration[joints])


class Curve(toppra.interpolator.AbstractGeometricPath):  # type: ignore[misc]  # toppra has no types
    """Piecewise cubics over the length of a path.

    Args:
        pieces: From length [m] to (k,) positions.
        waypoints: (m, k) Positions at the ends of the pieces.
    """

    def __init__(self, pieces: PPoly, waypoints: Array) -> None:
        self._orders = (pieces, pieces.derivative(1), pieces.derivative(2))
        self._waypoints = waypoints

    @classmethod
    def through(cls, knots: Array, points: Array, limits: Limits) -> Curve:
        """A curve that is at ``points`` (m, k) at lengths ``knots`` (m,).

        The cubic spline, with continuous curvature; but joints that it would carry beyond their limits (on its way
        around a corner) follow monotone pieces instead (Fritsch and Carlson 1980), which never leave the range of
        their ends.
        """
        smooth = CubicSpline(knots, points, bc_type="not-a-knot")
        coefficients = np.array(smooth.c)
        along = np.concatenate([np.linspace(a, b, SAMPLES) for a, b in pairwise(knots)])
        lower, upper = np.minimum(limits.lower, points.min(axis=0)), np.maximum(limits.upper, points.max(axis=0))
        positions = smooth(along)
        leaving = ((positions < lower - 1e-9) | (positions > upper + 1e-9)).any(axis=0)
        if leaving.any():
            coefficients[:, :, leaving] = PchipInterpolator(knots, points[:, leaving]).c
        return cls(PPoly(coefficients, knots), points)

    def __call__(self, path_positions: Array | float, order: int = 0) -> Array:
        """(..., k) Positions, or their first or second derivative, at lengths [m]."""
        values: Array = self._orders[order](path_positions)
        return values

    @property
    def dof(self) -> int:
        """Number of joints."""
        return int(self._waypoints.shape[1])

    @property
    def path_interval(self) -> tuple[float, float]:
        """[m] Length at the start and at the end."""
        return float(self._orders[0].x[0]), float(self._orders[0].x[-1])

    @property
    def waypoints(self) -> tuple[Array, Array]:
        """(m,) lengths and (m, k) positions that it passes."""
        return self._orders[0].x, self._waypoints
