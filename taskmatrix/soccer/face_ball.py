"""FaceBall: keeps the ball in the middle of the image (BICA IV and VI)."""

from __future__ import annotations

from taskmatrix.core.components.part import Part

from .head import Head
from .seeing import Seeing


class FaceBall(Seeing):
    """Turns the head to the ball, wherever that rolls; in every control step.

    Where the ball is not known, the head stays.
    """

    head = Part(Head)

    def inform(self) -> None:
        """Ask where the ball is."""
        self.perception.step()

    def work(self) -> None:
        """Turn the view to where the ball is known to be."""
        if self.perception.ball_known:
            there = self.perception.ball_direction
            self.head.pan, self.head.tilt = there.pan, there.tilt

    def act(self) -> None:
        """Step the head, which turns the view."""
        self.head.step()
