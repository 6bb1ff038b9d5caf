"""Body: walks straight on or turns, as it is asked to (BICA VI)."""

from __future__ import annotations

from taskmatrix.core.components.modal_component import ModalComponent
from taskmatrix.core.components.mode import Mode
from taskmatrix.core.components.modulation import Modulation
from taskmatrix.core.components.part import Part

from .go_straight import GoStraight
from .turn import Turn


class Body(ModalComponent, frequency=10.0):
    """Activates GoStraight where there is no speed of turning, and else Turn."""

    forward = Modulation(float, default=0.0, doc="[m/s]")
    angular = Modulation(float, default=0.0, doc="[rad/s] to the left")

    go_straight = Part(GoStraight)
    turn = Part(Turn)

    straight, turning = Mode(act=[go_straight]), Mode(act=[turn])

    @straight.code
    def walk(self) -> None:
        """With the speed that is asked for."""
        self.go_straight.speed = self.forward

    @turning.code
    def go_round(self) -> None:
        """With the speed that is asked for."""
        self.turn.speed = self.angular

    @straight.to(turning)
    def is_to_turn(self) -> bool:
        """There is a speed of turning."""
        return self.angular != 0.0

    @turning.to(straight)
    def is_to_go_straight(self) -> bool:
        """Whether no turn is asked for."""
        return self.angular == 0.0
