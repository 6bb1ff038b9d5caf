"""Whether a hand is open and free to grasp."""

from __future__ import annotations

from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context

from .grasping import asked
from .tolerances import FINGERS


class ReadyToGrasp(Condition):
    """A hand that holds nothing has its fingers open (a precondition of grasp, thesis 4.3.3).

    Args:
        hand: Name of a hand; any unless given.
    """

    def __init__(self, hand: object = None) -> None:
        super().__init__(hand=hand)

    def evaluate(self, context: Context) -> Verdict:
        """Compare the fingers with the open posture."""
        skills, hands = context.skills, asked(context.skills, self.arguments["hand"])
        if isinstance(hands, Verdict):
            return hands
        q = skills.position()
        reasons = []
        for hand in hands:
            held = skills.held(hand)
            if held is not None:
                reasons.append(f"the {hand} hand holds '{held}'")
                continue
            off = max((abs(q[index] - wide) for index, wide in skills.hand_posture(hand, None).items()), default=0.0)
            if off <= FINGERS:
                return Verdict(True, f"the {hand} hand is open", {"hand": hand})
            reasons.append(f"a finger of the {hand} hand is {off:.2f} rad from open")
        return Verdict(False, " and ".join(reasons) or "there is no hand")
