"""Whether a hand holds an object."""

from __future__ import annotations

from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context

from .hands import asked


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
