"""Whether a hand holds an object."""

from __future__ import annotations

from taskmatrix.core.base.errors import not_found
from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.robot.skills.body import BodySkills


class Grasping(Condition):
    """One of the hands, or the one named, holds the object (thesis 3.4.2.5).

    Args:
        object: Id of the object; anything unless given.
        hand: Name of a hand; any unless given.
    """

    def __init__(self, object: object = None, hand: object = None) -> None:
        super().__init__(object=object, hand=hand)

    def evaluate(self, context: Context) -> Verdict:
        """Look for a hand that holds the object."""
        wanted, hands = self.arguments["object"], asked(context.skills, self.arguments["hand"])
        if isinstance(hands, Verdict):
            return hands
        held = {hand: context.skills.held(hand) for hand in hands}
        for hand, found in held.items():
            if found is not None and wanted in (None, found):
                return Verdict(True, f"the {hand} hand holds '{found}'", {"hand": hand, "object": found})
        holding = ", ".join(f"{hand}: {found or 'nothing'}" for hand, found in held.items())
        return Verdict(False, f"no hand holds {wanted or 'anything'} ({holding})", {"held": held})


def asked(skills: BodySkills, hand: object) -> tuple[str, ...] | Verdict:
    """The hand named, or all when none is; a verdict that says so where the robot has no such hand."""
    if hand is None:
        return tuple(skills.hands)
    if hand not in skills.hands:
        return Verdict(False, not_found("hand", str(hand), skills.hands))
    return (str(hand),)
