"""What skills are asked and answer with: contacts, permissions, goals, solutions, plans."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..base.failure import Failure
from ..world.objects import Array

Indices = NDArray[np.intp]

VIEW = "view"
"""What the view is called beside the hands, where a frame of the robot is named."""


@dataclass(frozen=True)
class TaskObjective:
    """What of a command matters where chains are shared."""

    frame: str
    """A hand, of which it is the pose; or the ``view``, of which it is the direction."""
    tolerance: float = math.inf
    """[m, rad] How far others may take joints from where the command has them, as long as that is kept."""


@dataclass(frozen=True)
class Contact:
    """Two bodies that touch, or come closer than was asked for."""

    first: str
    """Link or object."""
    second: str
    """Link or object."""
    distance: float
    """[m] Between them; negative when they penetrate."""
    standing: bool = False
    """Whether it is one of legs as they will stand, and not as they are in mid-step."""

    @property
    def pair(self) -> tuple[str, str]:
        """The names of both bodies."""
        return self.first, self.second

    @property
    def key(self) -> tuple[str, str, bool]:
        """What tells it from other contacts at the same time."""
        return self.first, self.second, self.standing


@dataclass(frozen=True)
class AllowedContact:
    """A permission: the touching links of a hand may touch one object while the hand is near a grasp of it.

    A hand that holds something may not touch the other object; but what it holds may come as close to it as it likes.
    """

    hand: str
    """Name of the hand."""
    object: str
    """Id of the object."""


@dataclass(frozen=True, eq=False)
class HandGoal:
    """A pose that a hand should take, and from which side to come."""

    hand: str
    """Name of the hand."""
    X_WH: Array
    """(4, 4) Goal of the hand's grasp frame in the world."""
    label: str
    """What to call it: the name of the grasp."""
    object: str | None = None
    """Object that the hand may touch on the approach, or to which what it holds may come close."""
    approach_distance: float = 0.0
    """[m] Length of the approach, which is straight."""
    direction: Array | None = None
    """(3,) Unit vector in the world along which the approach goes; the hand's z unless given."""
    releases: bool = False
    """Whether the hand is to let go there of what it holds: its fingers need room to open."""
    onward: Array | None = None
    """(t, 4, 4) Where the hand is to go from there with the object that it then holds; up unless given."""
    pushes: str | None = None
    """Object that it pushes onward, with the hand closed, and that is not in its way then."""
    partner: HandGoal | None = None
    """Where the other hand is to be at the same time, of what takes two."""

    @property
    def hands(self) -> tuple[str, ...]:
        """The hands that it is for."""
        return (self.hand,) if self.partner is None else (self.hand, self.partner.hand)

    @property
    def contacts(self) -> list[AllowedContact]:
        """What these hands may touch there, or what they hold may come close to."""
        goals = [goal for goal in (self, self.partner) if goal is not None]
        return [AllowedContact(goal.hand, goal.object) for goal in goals if goal.object is not None]

    @property
    def p_WH(self) -> Array:  # noqa: N802 - a place, as everywhere
        """(3,) [m] Where the hand is then."""
        p: Array = self.X_WH[:3, 3]
        return p

    @property
    def X_WB(self) -> Array:  # noqa: N802 - a pose, as everywhere
        """(4, 4) Where the approach begins."""
        return self.on_approach(self.approach_distance)

    def on_approach(self, distance: float) -> Array:
        """(4, 4) Where the hand is at a distance [m] from its goal on the approach."""
        X = self.X_WH.copy()
        X[:3, 3] -= (X[:3, 2] if self.direction is None else self.direction) * distance
        return X


@dataclass(frozen=True, eq=False)
class PositionGoal:
    """A place where a hand should be, however it is turned."""

    hand: str
    """Name of the hand."""
    p_WH: Array
    """(3,) [m] Goal of the origin of the hand's grasp frame in the world."""
    label: str
    """What to call it."""
    object: str | None = None
    """Object that the hand may touch there, or to which what it holds may come close."""


Goal = HandGoal | PositionGoal


@dataclass(frozen=True, eq=False)
class HandConstraint:
    """What a hand keeps all the way: the direction of an axis within an angle, or a point within a box, or both."""

    hand: str
    """Name of the hand."""
    label: str
    """What to call it in a failure, such as ``'mug' upright``."""
    axis: Array | None = None
    """(3,) Unit vector in the hand's grasp frame."""
    direction: Array | None = None
    """(3,) Unit vector in the world, from which the axis may be tilted."""
    tilt: float = 0.0
    """[rad] By so much at most."""
    point: Array | None = None
    """(3,) [m] In the hand's grasp frame."""
    X_WB: Array | None = None
    """(4, 4) Frame of the box in the world."""
    lower: Array | None = None
    """(3,) [m] Least coordinates of the point in that frame; minus infinity where it is free."""
    upper: Array | None = None
    """(3,) [m] Largest, likewise."""

    def tilted(self, X_WH: Array) -> float:
        """[rad] Angle of the axis from its direction with the hand at X_WH (4, 4); 0 without an axis."""
        if self.axis is None or self.direction is None:
            return 0.0
        return math.acos(min(1.0, max(-1.0, float(self.direction @ X_WH[:3, :3] @ self.axis))))

    def outside(self, X_WH: Array) -> Array:
        """(3,) [m] How far the point is outside the box, along the box's axes, with the hand at X_WH (4, 4)."""
        if self.point is None or self.X_WB is None or self.lower is None or self.upper is None:
            return np.zeros(3)
        p_W = X_WH[:3, :3] @ self.point + X_WH[:3, 3]
        p_B = self.X_WB[:3, :3].T @ (p_W - self.X_WB[:3, 3])
        off: Array = p_B - np.clip(p_B, self.lower, self.upper)
        return off

    def excess(self, X_WH: Array) -> tuple[float, float]:
        """[m], [rad] How far the point is outside the box, and by how much the axis is tilted too far."""
        return float(np.linalg.norm(self.outside(X_WH))), max(0.0, self.tilted(X_WH) - self.tilt)

    def words(self, X_WH: Array) -> str:
        """How it is not kept with the hand at X_WH (4, 4)."""
        off, angle = self.excess(X_WH)
        parts = [f"{math.degrees(self.tilt + angle):.1f} deg, {math.degrees(self.tilt):.1f} allowed"] if angle else []
        parts += [f"{off * 1000:.1f} mm outside"] if off else []
        return f"{self.label}: {' and '.join(parts) or 'kept'}"


@dataclass(frozen=True, eq=False)
class HandsTogether:
    """What two hands keep all the way that hold one thing: where the other is, seen from the one."""

    hand: str
    """Name of the one."""
    other: str
    """Name of the other."""
    X_HO: Array
    """(4, 4) Grasp frame of the other hand in that of the one."""
    label: str
    """What to call it in a failure, such as ``'tray' in both hands``."""

    def words(self, distance: float, angle: float) -> str:
        """How it is not kept, with the other hand so far [m], [rad] from its place."""
        return f"{self.label}: {distance * 1000:.1f} mm and {math.degrees(angle):.1f} deg apart"


Kept = HandConstraint | HandsTogether
"""What is kept all the way."""


@dataclass(frozen=True, eq=False)
class Solution:
    """A configuration that inverse kinematics found."""

    q: Array
    """(n,) All active joint positions."""
    distance: float
    """[m] What is left between the hand and its goal."""
    angle: float
    """[rad] What is left between the orientations."""


@dataclass(frozen=True, eq=False)
class GoalSolution(Solution):
    """A configuration with a hand at one of several goals."""

    goal: Goal
    """Which goal."""
    number: int
    """Which of the goals, counted from zero."""
    work: Mapping[str, int]
    """What it took: inverse kinematics attempts, their iterations, and collision checks."""


class Trajectory(Protocol):
    """Joint positions over time, within the limits of velocity and acceleration."""

    @property
    def indices(self) -> Indices:
        """(k,) The joints that it moves."""
        ...

    @property
    def duration(self) -> float:
        """[s] How long it takes."""
        ...

    def sample(self, time: float | Array) -> tuple[Array, Array, Array]:
        """(..., k) each: position, velocity and acceleration at times [s] of any shape, clipped to its ends."""
        ...


@dataclass(frozen=True, eq=False)
class Plan:
    """A motion that planning found, with what may touch during it."""

    trajectory: Trajectory
    """The motion."""
    goal: HandGoal | None
    """Which of the goals it reaches; None for a plan to a configuration."""
    approach: float
    """[s] When the approach starts, in which the hand may touch its object."""
    stretched: bool
    """Whether the limits made it longer than the duration asked for."""
    work: Mapping[str, int]
    """What it took: collision checks and inverse kinematics attempts."""
    retreat_end: float = 0.0
    """[s] When the retreat ends: hands leave what they are at, and what is in contact comes out of it."""
    retreat_contacts: tuple[AllowedContact, ...] = ()
    """What hands may touch on it."""
    initial_contacts: tuple[Contact, ...] = ()
    """Contacts at the start of which it comes out."""
    narrow: bool = False
    """Whether no way was found with the margins of planning, so that it keeps only those of a finished motion."""
    world: object = None
    """The robot and the world for which it was made; only the skills look into it."""

    @property
    def duration(self) -> float:
        """[s] How long it takes."""
        return self.trajectory.duration


@runtime_checkable
class Job(Protocol):
    """Planning that is under way beside the control loop."""

    def done(self) -> bool:
        """Whether the result is there."""
        ...

    def result(self) -> Plan | Failure:
        """The plan, or why there is none."""
        ...

    def cancel(self) -> None:
        """Nobody waits for it any more."""
        ...
