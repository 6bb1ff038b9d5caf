"""What planning is asked: the robot and the world, frozen, and where to go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from taskmatrix.core.objects import Array, ObjectModel
from taskmatrix.core.skillset import HandGoal


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The robot and the world, frozen."""

    q: Array
    """(n,) [m, rad] Joint positions."""
    objects: Mapping[str, tuple[ObjectModel, Array]]
    """Model and X_WO (4, 4) by id."""
    held: Mapping[str, tuple[str, Array]] = field(default_factory=dict)
    """By hand, the object held and X_HO (4, 4)."""


@dataclass(frozen=True, eq=False)
class PoseQuery:
    """Take a hand to one of several goals."""

    goals: tuple[HandGoal, ...]
    """Any of these will do."""
    chains: tuple[str, ...]
    """Chains that may move besides the arm of the goal's hand."""
    opening: Mapping[str, Mapping[int, float]]
    """By hand, positions of its open fingers; the fingers open on the way."""
    duration: float
    """[s] Minimum."""
    seed: int
    """Of all random choices."""


@dataclass(frozen=True, eq=False)
class ConfigurationQuery:
    """Take joints to positions."""

    goal: Mapping[int, float]
    """By joint index."""
    duration: float
    """[s] Minimum."""
    seed: int
    """Of all random choices."""


Query = PoseQuery | ConfigurationQuery
