"""What a hand feels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..world.objects import Array


@dataclass(frozen=True, eq=False)
class HandState:
    """What the sensors of a hand say."""

    force: Array
    """(3,) [N] With which what it touches or holds pushes it, in the hand's grasp frame."""
    torque: Array
    """(3,) [N m] Likewise, about the origin of that frame."""
    contact: Mapping[str, bool]
    """Whether each of the links that may touch what it holds touches something."""
    slip: float = 0.0
    """[m] How far what it holds has moved in it since it was grasped; infinite where it has left by itself, until the
    hand is told to let go, or to hold something."""
