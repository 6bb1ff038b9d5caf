"""Whether contacts can hold an object against anything that pulls or turns it: force closure.

Contacts are those of soft fingers: a force within the cone of friction about the inward normal, and a torque about
it. Source: Nguyen, "Constructing force-closure grasps" (1988); Ferrari and Canny, "Planning optimal grasps" (1992).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

EDGES = 6  # of the pyramid that stands for a cone of friction


@dataclass(frozen=True)
class Friction:
    """How well fingers hold."""

    slide: float = 0.5
    """[-] Tangential force per normal force: rubber on plastic or painted wood."""
    twist: float = 0.004
    """[m] Torque about the normal per normal force; two thirds of ``slide`` times the radius of a pad of 12 mm."""

    @property
    def angle(self) -> float:
        """[rad] Half the opening angle of the cone."""
        return float(np.arctan(self.slide))


def antipodal(
    first: Array, second: Array, into_first: Array, into_second: Array, friction: Friction
) -> NDArray[np.bool_]:
    """(m,) Whether two soft fingers hold: the line between them is within both cones (Nguyen 1988, theorem 5).

    Args:
        first: (m, 3) [m] Contacts.
        second: (m, 3) [m] Those on the other side.
        into_first: (m, 3) Inward unit normals.
        into_second: (m, 3) Inward unit normals.
        friction: Of both.
    """
    across = second - first
    across /= np.linalg.norm(across, axis=-1, keepdims=True)
    least = np.cos(friction.angle)
    one, two = (across * into_first).sum(axis=-1), -(across * into_second).sum(axis=-1)
    found: NDArray[np.bool_] = (one >= least) & (two >= least)
    return found


def wrenches(points: Array, inward: Array, centre: Array, scale: float, friction: Friction) -> Array:
    """(m * (EDGES + 2), 6) [N, N m / scale] What contacts can do that press with a normal force of 1 N each.

    Args:
        points: (m, 3) [m] Contacts.
        inward: (m, 3) Inward unit normals.
        centre: (3,) [m] About which torques count.
        scale: [m] By which torques are divided: the size of the object, so that its units make no difference.
        friction: Of all contacts.
    """
    angles = np.arange(EDGES) * 2 * np.pi / EDGES
    found = []
    for p, n in zip(points - centre, inward, strict=True):
        one = np.cross(n, np.eye(3)[np.argmin(np.abs(n))])
        one /= np.linalg.norm(one)
        rim = np.cos(angles)[:, None] * one + np.sin(angles)[:, None] * np.cross(n, one)
        forces = n + friction.slide * rim
        found.append(np.c_[forces, np.cross(p, forces) / scale])
        twist = friction.twist * n / scale
        found += [np.r_[n, np.cross(p, n) / scale + sign * twist][None] for sign in (-1, 1)]
    return np.vstack(found)


def ball(vectors: Array) -> float:
    """Radius of the largest ball about the origin in the convex hull of vectors (k, d); 0 if the origin is outside."""
    try:
        hull = scipy.spatial.ConvexHull(vectors)
    except (scipy.spatial.QhullError, ValueError):
        return 0.0
    return max(0.0, float(-hull.equations[:, -1].max()))


def wrench_ball(points: Array, inward: Array, centre: Array, scale: float, friction: Friction) -> float:
    """The largest wrench that contacts withstand in every direction when each presses with 1 N; 0 without closure.

    The quality of Ferrari and Canny for a sum of normal forces of 1 N; arguments as for :func:`wrenches`.
    """
    return ball(wrenches(points, inward, centre, scale, friction))
