"""Poses that a hand might take: fingers on opposite sides of an object, or a palm on its surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from .closure import antipodal
from .settings import GraspSettings
from .surface import SKIN, Surface

PAD = 0.005  # [m] from the middle of a pad to where else it should touch
PALM = 0.010  # [m] likewise of a palm
YIELDS = 0.0025  # [m] by which the surface may be in front of or behind a pad there
PALM_YIELDS = 0.005  # [m]
ABOVE = 0.01  # [m] from which that is measured
GAPS = (0.002, 0.005, 0.009)  # [m] between a palm and the surface, where the hand fits
BENEATH = 0.003  # [m] the surface, where the width of what a palm holds is measured


@dataclass(frozen=True, eq=False)
class Candidates:
    """Poses of a hand at an object, and what each would hold."""

    X_OH: Array
    """(m, 4, 4) Poses of the grasp frame in the object's frame."""
    widths: Array
    """(m,) [m] Extent of the object between the fingers."""
    merits: Array
    """(m,) [-] How well the surface suits the fingers, 0 to 1: square to their line, and as wide as their pads."""
    points: Array
    """(m, c, 3) [m] Where the fingers, or the palm, meet the surface."""
    inward: Array
    """(m, c, 3) Inward normals there."""

    def __len__(self) -> int:
        return len(self.X_OH)

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Candidates:
        """The candidates at some rows."""
        return Candidates(self.X_OH[rows], self.widths[rows], self.merits[rows], self.points[rows], self.inward[rows])


def pinches(
    surface: Surface, least: float, most: float, settings: GraspSettings, random: np.random.Generator
) -> Candidates:
    """Two fingers on a line that is within both cones of friction; each line with many directions of approach.

    Args:
        surface: Of the object.
        least: [m] Smallest distance of the fingers.
        most: [m] Largest.
        settings: How many, and the friction.
        random: Draws points and lines: every other line is along the normal, the others anywhere in the cone.
    """
    friction = settings.friction
    points, normals = surface.sample(settings.samples, random)
    across = _tilted(-normals, np.where(np.arange(len(points)) % 2, friction.angle, 0.0), random)
    lengths, far = surface.exits(points + 10 * SKIN * across, across)
    lengths = np.where(np.isfinite(lengths), lengths + 10 * SKIN, 0.0)
    others, into = points + lengths[:, None] * across, -surface.normals[far]
    rows = np.flatnonzero((lengths > max(least, 20 * SKIN)) & (lengths < most))
    rows = rows[antipodal(points[rows], others[rows], -normals[rows], into[rows], friction)]
    points, normals, across, lengths = points[rows], normals[rows], across[rows], lengths[rows]
    others, into = others[rows], into[rows]
    backing = np.minimum(
        _backing(surface, points, across, PAD, YIELDS), _backing(surface, others, -across, PAD, YIELDS)
    )
    square = np.minimum((across * -normals).sum(axis=1), -(across * into).sum(axis=1))
    merits = backing * (square - np.cos(friction.angle)) / (1 - np.cos(friction.angle))
    rows = np.flatnonzero(backing >= 0.5)
    contacts = np.stack([points, others], axis=1)[rows], np.stack([-normals, into], axis=1)[rows]
    both_ways = np.concatenate([_around(across[rows], settings.turns), _around(-across[rows], settings.turns)], axis=1)
    X_OH = np.tile(np.eye(4), (*both_ways.shape[:2], 1, 1))
    X_OH[..., :3, :3] = both_ways
    X_OH[..., :3, 3] = ((points + others) / 2)[rows, None]
    return _each(X_OH, lengths[rows], merits[rows], *contacts)


def affixes(
    surface: Surface, palm: float, most: float, settings: GraspSettings, random: np.random.Generator
) -> Candidates:
    """A palm flat on the surface, at several small distances, turned on its spot.

    Args:
        surface: Of the object.
        palm: [m] From the hand's own surface to the origin of the grasp frame.
        most: [m] Largest extent along the hand's y of what it holds.
        settings: How many.
        random: Draws points.
    """
    points, normals = surface.sample(settings.samples, random)
    backing = _backing(surface, points, -normals, PALM, PALM_YIELDS)
    rows = np.flatnonzero(backing >= 0.5)
    points, normals, backing = points[rows], normals[rows], backing[rows]
    R = _around(-normals, settings.turns // 2)[..., [2, 0, 1]]  # what is y there is z here
    y = R[..., 1].reshape(-1, 3)
    beneath = np.repeat(points - BENEATH * normals, R.shape[1], axis=0)
    widths = sum(surface.exits(beneath, sign * y)[0] for sign in (-1, 1))
    widths = np.asarray(widths).reshape(R.shape[:2])
    found = []
    for gap in GAPS:
        X_OH = np.tile(np.eye(4), (*R.shape[:2], 1, 1))
        X_OH[..., :3, :3] = R
        X_OH[..., :3, 3] = (points + (gap - palm) * normals)[:, None]
        each = _each(X_OH, np.zeros(len(points)), backing, points[:, None], -normals[:, None])
        found.append(Candidates(each.X_OH, widths.ravel(), each.merits - 10 * gap, each.points, each.inward))
    return joined(found).take(np.tile(widths.ravel() < most, len(GAPS)))


def _tilted(axes: Array, angles: Array, random: np.random.Generator) -> Array:
    """Unit vectors (m, 3) anywhere in cones about others, with half opening angles (m,) [rad]."""
    one, two = _beside(axes)
    turn, out = random.random((2, len(axes)))
    tilt = angles * np.sqrt(out)
    side = np.cos(2 * np.pi * turn)[:, None] * one + np.sin(2 * np.pi * turn)[:, None] * two
    found: Array = np.cos(tilt)[:, None] * axes + np.sin(tilt)[:, None] * side
    return found


def _beside(axes: Array) -> tuple[Array, Array]:
    """Two unit vectors (m, 3) at right angles to each axis and each other, the first as near to an axis as can be.

    Of the object's axes the one nearest to a right angle is taken.
    """
    nearest = np.abs(axes + 1e-6 * np.array([2.0, 1.0, 0.0])).argmin(axis=1)  # where equal: z before y before x
    first = np.eye(3)[nearest]
    first = first - (first * axes).sum(axis=1, keepdims=True) * axes
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    return first, np.cross(axes, first)


def _around(across: Array, turns: int) -> Array:
    """(m, turns, 3, 3) Orientations with y (m, 3) and z all around it, beginning with an axis of the object."""
    one, two = _beside(across)
    angles = np.arange(turns)[:, None] * 2 * np.pi / turns
    z = np.cos(angles) * one[:, None] + np.sin(angles) * two[:, None]
    y = np.broadcast_to(across[:, None], z.shape)
    return np.stack([np.cross(y, z), y, z], axis=-1)


def _backing(surface: Surface, points: Array, into: Array, away: float, yields: float) -> Array:
    """(m,) [-] The share of four points about each at which the surface is as near as there, looking ``into`` it."""
    one, two = _beside(into)
    beside = np.stack([one, -one, two, -two], axis=1) * away
    origins = (points[:, None] + beside - ABOVE * into[:, None]).reshape(-1, 3)
    near = surface.first(origins, np.repeat(into, 4, axis=0)).reshape(-1, 4)
    share: Array = (np.abs(near - ABOVE) < yields).mean(axis=1)
    return share


def _each(X_OH: Array, widths: Array, merits: Array, points: Array, inward: Array) -> Candidates:
    """One candidate for each pose (m, k, 4, 4), of what is the same for each k."""
    count = X_OH.shape[1]
    return Candidates(
        X_OH.reshape(-1, 4, 4), *(np.repeat(some, count, axis=0) for some in (widths, merits, points, inward))
    )


def joined(candidates: list[Candidates]) -> Candidates:
    """The candidates of several sets as one set."""
    return Candidates(
        *(
            np.concatenate([getattr(some, name) for some in candidates])
            for name in ("X_OH", "widths", "merits", "points", "inward")
        )
    )
