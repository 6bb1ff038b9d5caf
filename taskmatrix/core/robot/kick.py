"""What a kick is: a motion of one leg, where the ball has to lie for it, and where that goes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..world.objects import Array

if TYPE_CHECKING:
    from .plans import Trajectory

DIRECTIONS = ("front", "diagonal", "lateral")
"""Ahead, half to the side of the foot, and to its side (BICA VI has these three, each with either foot)."""


@dataclass(frozen=True, eq=False)
class KickPlan:
    """One of six ways to kick a ball, for one robot as it stands."""

    foot: str
    """Name of the foot: ``left`` or ``right``."""
    direction: str
    """One of :data:`DIRECTIONS`."""
    trajectory: Trajectory
    """Of the joints of the leg: back, through the ball, and to where it stood."""
    ball: Array
    """(2,) [m] Where the centre of the ball has to lie, in the frame of the base."""
    heading: float
    """[rad] Which way the ball goes, in the frame of the base."""
    speed: float
    """[m/s] About how fast the ball rolls away."""
    strike: float
    """[s] When, from the beginning of the trajectory."""
    distance: float = math.inf
    """[m] About how far it rolls, where it is known what slows it down."""
