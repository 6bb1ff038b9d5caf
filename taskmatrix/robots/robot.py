"""A robot: what its adapter describes, and what is derived from that when it is first asked for."""

from __future__ import annotations

from functools import cached_property

from taskmatrix.core.robot.capability import Capabilities

from .capabilities import capabilities_of
from .legs import Leg, legs_of
from .robot_model import RobotModel


class Robot(RobotModel):
    """A humanoid on a planar base, with its legs and with what it provides."""

    @cached_property
    def capabilities(self) -> Capabilities:
        """What it provides, declared or derived."""
        return capabilities_of(self, tuple(leg.foot for leg in self.legs))

    @cached_property
    def legs(self) -> tuple[Leg, ...]:
        """Left and right, of one that stands on two feet; none of another."""
        return legs_of(self)
