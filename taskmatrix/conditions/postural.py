"""Whether the robot is in a posture."""

from __future__ import annotations

from taskmatrix.core.condition import Condition, Verdict
from taskmatrix.core.context import Context


class InPosture(Condition):
    """All joints of a posture are at its positions, within a tolerance (thesis 3.4.2.1).

    Args:
        posture: Name of a posture of the robot.
        tolerance: [rad]
    """

    def __init__(self, posture: object, tolerance: float = 0.01) -> None:
        super().__init__(posture=posture)
        self.tolerance = tolerance

    def evaluate(self, context: Context) -> Verdict:
        """Compare the joints with the posture."""
        q = context.skills.position()
        wanted = context.skills.posture(str(self.arguments["posture"]))
        off = max((abs(float(q[index]) - position) for index, position in wanted.items()), default=0.0)
        return Verdict(
            off <= self.tolerance,
            f"the furthest joint is {off:.3f} from posture '{self.arguments['posture']}'",
            {"furthest": off},
        )
