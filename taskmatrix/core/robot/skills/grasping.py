"""Skill 9: the ways to grasp an object."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ...world.objects import Grasp


class GraspingSkills(Protocol):
    """The grasps of an object, and what the fingers do for them."""

    def grasps(self, object: str, hand: str) -> tuple[Grasp, ...]:
        """9. Ways in which a hand can hold an object."""
        ...

    def hand_posture(self, hand: str, width: float | None) -> Mapping[int, float]:
        """9. Joint positions of the fingers for closing on ``width`` [m]; None: wide open."""
        ...
