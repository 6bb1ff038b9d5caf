"""An optional facet, beside the common skill set: kicks of a ball."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ...base.failure import Failure
from ...world.objects import Array
from ..plans import Trajectory

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


@runtime_checkable
class KickSkills(Protocol):
    """What a skill set may offer beside the common one: ask with ``isinstance(skills, KickSkills)``."""

    def kick(self, foot: str, direction: str, object: str) -> KickPlan | Failure:
        """6. A kick of a ball for the robot as it stands, in a direction of :data:`DIRECTIONS`.

        It is within the limits and is not checked for contact. Where the ball lies does not matter: the plan says where
        it has to. A failure says what the leg is not able to.
        """
        ...

    def allow_kick(self, foot: str, object: str | None) -> None:
        """8. Permit contact of a foot with one object; with None, with none any more."""
        ...
