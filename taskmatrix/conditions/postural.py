"""Whether the robot is in a posture."""

from __future__ import annotations

from collections.abc import Mapping

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context

from .places import number
from .tolerances import IN_POSTURE


class InPosture(Condition):
    """All joints of a posture are at its positions, within a tolerance (thesis 3.4.2.1).

    Fingers of a hand that holds something are around that, and are not asked.

    Args:
        posture: Name of a posture of the robot.
        tolerance: [rad]
    """

    def __init__(self, posture: object, tolerance: object = IN_POSTURE) -> None:
        super().__init__(posture=posture, tolerance=tolerance)

    def evaluate(self, context: Context) -> Verdict:
        """Compare the joints with the posture."""
        posture, tolerance = str(self.arguments["posture"]), number("tolerance", self.arguments["tolerance"])
        q = context.skills.position()
        try:
            wanted = free_of_held(context, context.skills.posture(posture))
        except NotFoundError as error:
            return Verdict(False, str(error))
        off = max((abs(float(q[index]) - position) for index, position in wanted.items()), default=0.0)
        return Verdict(
            off <= tolerance,
            f"the furthest joint is {off:.3f} from posture '{posture}'",
            {"furthest": off},
        )


def free_of_held(context: Context, posture: Mapping[int, float]) -> dict[int, float]:
    """A posture without the fingers of hands that hold something: taking it would let that go."""
    skills = context.skills
    around = {joint for hand in skills.hands if skills.held(hand) for joint in skills.hand_posture(hand, None)}
    return {joint: position for joint, position in posture.items() if joint not in around}
