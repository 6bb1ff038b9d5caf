"""Skill 10: where the robot views from, and in which direction."""

from __future__ import annotations

from typing import Protocol

from ...world.objects import Array


class ViewSkills(Protocol):
    """The view of the robot."""

    def view(self, q: Array | None = None) -> Array:
        """10. (3, 3) Viewing direction, up, and their cross product as columns, in the world."""
        ...

    def view_position(self, q: Array | None = None) -> Array:
        """10. (3,) [m] Where the robot views from, in the world."""
        ...

    def able_to_view(self) -> bool:
        """10. Whether there is a head to turn."""
        ...
