"""The forward player as a behavior: to run, and as a state of machines."""

from __future__ import annotations

from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.components.component import Component
from taskmatrix.core.trees.activation_tree import ActivationTree

from .player import Player


class ForwardPlayer(ActivationTree):
    """Plays until the ball is in the net (BICA VI)."""

    ball = Parameter(str, default="ball", known=True, doc="id of the ball")
    net = Parameter(str, default="yellow_goal", known=True, doc="id of the goal to score in")

    def root(self) -> Component:
        """The component at the top of the tree."""
        return Player(ball=self.ball, net=self.net)
