"""The map of space as skills and behaviors see it: what is occupied, what is free, and what nobody has seen yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..base.errors import ParameterError
from .objects import Array

FREE, OCCUPIED, UNKNOWN = 0, 1, 2
States = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Boxes:
    """Space as boxes along the world's axes, which do not overlap; never changed once made."""

    low: NDArray[np.float32]
    """(n, 3) [m] Lower corners, in an order in which boxes that are near each other in space mostly follow."""
    high: NDArray[np.float32]
    """(n, 3) [m] Upper corners."""

    @staticmethod
    def none() -> Boxes:
        """No space at all."""
        return Boxes(np.zeros((0, 3), dtype=np.float32), np.zeros((0, 3), dtype=np.float32))

    @property
    def volume(self) -> float:
        """[m^3] Of all boxes together."""
        return float(np.prod(self.high - self.low, axis=1, dtype=float).sum())


@dataclass(frozen=True, eq=False)
class Space:
    """What of space is in a robot's way: a map of one moment, for collision checks."""

    occupied: Boxes
    """Where something was seen."""
    unseen: Boxes | None = None
    """Where nobody has looked yet; None where that is in nobody's way."""


class Occupancy(Protocol):
    """A map of space in cells: each is free, occupied or unknown."""

    @property
    def resolution(self) -> float:
        """[m] Side of a cell."""
        ...

    @property
    def ground(self) -> float:
        """[m] Height below which nothing counts as an obstacle: the floor is no object."""
        ...

    @property
    def version(self) -> int:
        """Changes whenever a cell becomes another."""
        ...

    def states(self, points: Array) -> States:
        """(k,) :data:`FREE`, :data:`OCCUPIED` or :data:`UNKNOWN`, of points (k, 3) [m] of the world."""
        ...

    def window(self, low: Array, high: Array) -> tuple[Array, States]:
        """All cells of a box of space.

        Args:
            low: (3,) [m] Lower corner.
            high: (3,) [m] Upper corner.

        Returns:
            (3,) [m] Lower corner of the first cell, and (x, y, z) the states.
        """
        ...

    def unknown_along(self, start: Array, end: Array) -> Array:
        """(k,) [m] How much of each line is unknown space, up to the first occupied cell.

        Args:
            start: (k, 3) [m] Where lines begin.
            end: (k, 3) [m] Where they end.
        """
        ...

    def boxes(self, state: int) -> Boxes:
        """All space of a state as boxes, but for the layer of the floor; the same as before where nothing changed.

        Unknown space goes on around what was looked at, for some thirty metres.
        """
        ...


def expect_map(occupancy: Occupancy | None, avoid: bool) -> None:
    """Raise where unseen space is to be avoided, and nobody knows what is unseen.

    Raises:
        ParameterError: There is no map.
    """
    if avoid and occupancy is None:
        message = "there is no map of space, so nothing is unseen and unseen space cannot be avoided"
        raise ParameterError(f"{message}; perception with a depth camera makes one")
