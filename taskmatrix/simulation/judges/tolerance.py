"""How exactly judges judge: to the last micrometre where nothing gives, or with the slack of bodies in contact."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


def _degrees(angle: float) -> float:
    """Degrees as [rad]."""
    return float(np.deg2rad(angle))


@dataclass(frozen=True)
class Tolerance:
    """What judges let pass; the defaults are for a plant in which everything goes exactly where it is told."""

    grasp: float = 0.005
    """[m] Of a hand from a grasp, or of an object from the place where it is to be."""
    grasp_angle: float = field(default=_degrees(2.0))
    """[rad] Likewise."""
    fingers: float = 0.05
    """[rad] or [m] Of a finger joint from where it should be."""
    curl: float = 0.05
    """[rad] or [m] Likewise, by which a finger may be closed further around what it holds."""
    still: float = 0.001
    """[m] By which an object may move while it is taken or let go."""
    still_angle: float = field(default=_degrees(0.5))
    """[rad] Likewise."""
    slip: float = 0.001
    """[m] By which what is held may move in the hand."""
    slip_angle: float = field(default=_degrees(0.5))
    """[rad] Likewise."""
    sinking: float = 0.0
    """[s] After which a slip counts: fingers that press draw what they hold into the hand first."""
    settle: float = 0.001
    """[m] By which an object may move after it was let go."""
    rest: float = 0.003
    """[m] Of an underside above what it rests on."""
    penetration: float = 0.001
    """[m] By which what rests on something, or is put on it, may be in it."""
    standing: float = 0.0
    """[m] What stands may be in what it stands on by less than this without a hand that holds it; 0: not even touch."""
    upright: float = field(default=_degrees(2.0))
    """[rad] Of an object's z from the vertical."""
    kept: float = field(default=_degrees(0.1))
    """[rad] By which what is to be kept upright may be tilted further than was asked."""
    alone: float = 1e-6
    """[m] By which an object may move while no hand holds it."""
    alone_angle: float = 1e-6
    """[rad] Likewise; turns that leave its shapes as they are do not count."""
    nudge: float = 1e-6
    """[m] Likewise, of what a task handles: fingers push it as they close, and it settles when they open."""
    nudge_angle: float = 1e-6
    """[rad] Likewise."""
    limits: float = 1e-6
    """[rad] or [m] Of a joint beyond its limits."""
    fast: float = 1e-4
    """[-] Of a joint beyond its velocity limit, as a share of that."""
    posture: float = 0.01
    """[rad] or [m] Of a joint from a posture."""
    motion: float = 0.03
    """[rad] Of a joint from a motion that is played."""


EXACT = Tolerance()
"""For the kinematic plant."""
PHYSICAL = Tolerance(
    grasp=0.015,
    grasp_angle=_degrees(5.0),
    fingers=0.4,
    curl=0.8,
    still=0.010,
    still_angle=_degrees(6.0),
    slip=0.010,
    slip_angle=_degrees(10.0),
    sinking=1.0,
    settle=0.005,
    rest=0.005,
    penetration=0.003,
    standing=0.003,
    upright=_degrees(3.0),
    kept=_degrees(3.0),
    alone=0.003,
    alone_angle=_degrees(2.0),
    nudge=0.030,
    nudge_angle=_degrees(10.0),
    limits=_degrees(0.5),
    fast=0.1,
    posture=0.02,
    motion=0.05,
)
"""For a plant with gravity and contact.

A body rests up to 3 mm in or above a surface, a controller is off by up to half a degree, fingers stop where they meet
the object or curl on past it, and what they hold slips by some millimetres.
"""
