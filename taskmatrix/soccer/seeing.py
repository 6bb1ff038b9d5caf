"""What components that see have in common."""

from __future__ import annotations

from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.components.component import Component
from taskmatrix.core.components.part import Part

from .perception import Perception


class Seeing(Component):
    """A component that gets what it knows of ball and net from perception."""

    ball = Parameter(str, default="ball", doc="id of the ball")
    net = Parameter(str, default="yellow_goal", doc="id of the goal to score in")

    perception = Part(Perception, ball=ball, net=net)
