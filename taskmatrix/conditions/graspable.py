"""Whether a hand is where it can grasp an object."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.errors import not_found
from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.world.geometry import inverse, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.symmetry import nearest_alike, symmetry_of

from .grasping import asked
from .places import number
from .tolerances import AT_GRASP

LEVER = 0.1  # [m/rad] by which slack is turned into an angle: the size of a hand


class Graspable(Condition):
    """One of the hands, or the one named, is at one of the object's grasps (thesis 3.4.2.4).

    What looks the same turned, a ball or a can, may be turned.

    Args:
        object: Id of the object.
        hand: Name of a hand; unless given, any that is free or holds the object.
        slack: [m] By which a hand that feels a contact may be further off: fingers push what they close on.
        touched: Whether it has felt one before: what a finger has pushed touches none for a moment.
    """

    def __init__(self, object: object, hand: object = None, slack: float = 0.0, touched: bool = False) -> None:
        super().__init__(object=object, hand=hand)
        self._slack, self._touched = number("slack", slack), touched

    def evaluate(self, context: Context) -> Verdict:
        """Compare the hands' poses with the object's grasps."""
        skills, target = context.skills, str(self.arguments["object"])
        if target not in context.perception:
            return Verdict(False, not_found("object", target, context.perception.percepts))
        hands = asked(skills, self.arguments["hand"])
        if isinstance(hands, Verdict):
            return hands
        seen, found = context.perception.object(target), list[tuple[float, float, str, str, Array]]()
        for hand in hands:
            if skills.held(hand) not in (None, target):
                continue
            X_WH = skills.forward_kinematics(hand)
            for grasp in skills.grasps(target, hand):
                found.append((*pose_error(seen.X_WO @ grasp.X_OH, X_WH), hand, grasp.name, grasp.X_OH))
        if not found:
            return Verdict(False, f"no free hand has a grasp of '{target}'")
        found.sort(key=lambda off: off[0] + 0.3 * off[1])
        distance, angle, hand, grasp_name, _ = found[0]
        satisfied, symmetry = self._near(context, hand, distance, angle), symmetry_of(seen.model.shapes)
        for _, _, other, name, X_OG in found if not satisfied and symmetry.kind != "none" else ():
            X_OH = inverse(seen.X_WO) @ skills.forward_kinematics(other)
            away, turned = pose_error(nearest_alike(symmetry, X_OG, X_OH), X_OH)
            if self._near(context, other, away, turned):
                satisfied, distance, angle, hand, grasp_name = True, away, turned, other, name
                break
        why = f"the {hand} hand is {distance * 1000:.1f} mm and {np.rad2deg(angle):.2f} deg from grasp '{grasp_name}'"
        return Verdict(satisfied, why, {"hand": hand, "grasp": grasp_name, "distance": distance, "angle": angle})

    def _near(self, context: Context, hand: str, distance: float, angle: float) -> bool:
        """Whether a hand is near enough to a grasp."""
        slack = self._slack * (self._touched or any(context.skills.feel(hand).contact.values()))
        return distance <= AT_GRASP[0] + slack and angle <= AT_GRASP[1] + slack / LEVER
