"""What grasps: the frame in which it holds, how wide it opens, and which links may touch what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from taskmatrix.core.world.objects import Array


@dataclass(frozen=True, eq=False)
class Closing:
    """Where the fingers of a hand are when its pads are some width apart."""

    width: float
    """[m] Between the pads."""
    joints: Mapping[str, float]
    """[rad] or [m] Finger joints."""
    middle: Array = field(default_factory=lambda: np.zeros(3))
    """(3,) [m] Middle between the pads in the grasp frame: fingers that curl meet further out than they open."""


@dataclass(frozen=True, eq=False)
class Hand:
    """One hand of a robot.

    The grasp frame has its origin in the middle of what the hand closes on, z out of the palm (the direction
    of approach), y in the direction in which the fingers close, and x = y cross z.
    """

    name: str
    """``left``, ``right`` or what the adapter calls it."""
    arm: str
    """Chain that carries it."""
    fingers: str | None
    """Chain of its fingers; ``None`` when it holds by affixation."""
    frame: str
    """Link it is fixed to."""
    X_LH: Array
    """(4, 4) Pose of the grasp frame in that link."""
    aperture: float
    """[m] Largest width it takes."""
    touch: tuple[str, ...]
    """Links that may touch a held object."""
    open: Mapping[str, float]
    """[rad] or [m] Finger joints when wide open."""
    closed: Mapping[str, float]
    """[rad] or [m] Finger joints when fully closed."""
    rest: Mapping[str, float]
    """[rad] or [m] Finger joints when the hand has nothing to do."""
    payload: float | None = None
    """[kg] What it carries, where its adapter says so."""
    slope: float = 0.0
    """[rad] By which it may be turned about z at an object's own grasps, to this side: its wrist bends too little."""
    table: tuple[Closing, ...] = ()
    """Where the fingers are, in the order of increasing width."""

    def closing(self, width: float) -> dict[str, float]:
        """Finger joints for which the pads are ``width`` [m] apart.

        Interpolated linearly in the table; a width outside it means its nearest end. Empty without fingers.
        """
        if not self.table:
            return {}
        widths = [row.width for row in self.table]
        clipped = float(np.clip(width, 0.0, self.aperture))
        return {
            j: float(np.interp(clipped, widths, [row.joints[j] for row in self.table])) for j in self.table[0].joints
        }

    def around(self, X_FG: Array, width: float) -> Array:
        """(4, 4) Pose of the grasp frame for which the middle between pads ``width`` [m] apart is at X_FG (4, 4)."""
        X = X_FG.copy()
        X[:3, 3] -= X_FG[:3, :3] @ self.between(width)
        return X

    def between(self, width: float) -> Array:
        """(3,) [m] The middle between pads ``width`` [m] apart, in the grasp frame."""
        if not self.table:
            return np.zeros(3)
        widths = [row.width for row in self.table]
        return np.array([np.interp(width, widths, [row.middle[k] for row in self.table]) for k in range(3)])
