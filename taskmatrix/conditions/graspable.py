"""Whether a hand is where it can grasp an object."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.condition import Condition, Verdict
from taskmatrix.core.context import Context
from taskmatrix.core.errors import not_found
from taskmatrix.core.geometry import pose_error

from .hands import asked
from .places import number

DISTANCE = 0.004  # [m]
ANGLE = np.deg2rad(1.5)  # [rad]
LEVER = 0.1  # [m/rad] by which slack is turned into an angle: the size of a hand


class Graspable(Condition):
    """One of the hands, or the one named, is at one of the object's grasps (thesis 3.4.2.4).

    Args:
        object: Id of the object.
        hand: Name of a hand; unless given, any that is free or holds the object.
        slack: [m] By which a hand that feels a contact may be further off: fingers push what they close on.
    """

    def __init__(self, object: object, hand: object = None, slack: float = 0.0) -> None:
        super().__init__(object=object, hand=hand)
        self._slack = number("slack", slack)

    def evaluate(self, context: Context) -> Verdict:
        """Compare the hands' poses with the object's grasps."""
        skills, target = context.skills, str(self.arguments["object"])
        if target not in context.perception:
            return Verdict(False, not_found("object", target, context.perception.percepts))
        hands = asked(skills, self.arguments["hand"])
        if isinstance(hands, Verdict):
            return hands
        X_WO = context.perception.pose(target)
        best: tuple[float, float, str, str] | None = None
        for hand in hands:
            if skills.held(hand) not in (None, target):
                continue
            X_WH = skills.forward_kinematics(hand)
            for grasp in skills.grasps(target, hand):
                distance, angle = pose_error(X_WO @ grasp.X_OH, X_WH)
                if best is None or distance + 0.3 * angle < best[0] + 0.3 * best[1]:
                    best = (distance, angle, hand, grasp.name)
        if best is None:
            return Verdict(False, f"no free hand has a grasp of '{target}'")
        distance, angle, hand, grasp_name = best
        slack = self._slack * any(skills.feel(hand).contact.values())
        satisfied = distance <= DISTANCE + slack and angle <= ANGLE + slack / LEVER
        why = f"the {hand} hand is {distance * 1000:.1f} mm and {np.rad2deg(angle):.2f} deg from grasp '{grasp_name}'"
        return Verdict(satisfied, why, {"hand": hand, "grasp": grasp_name, "distance": distance, "angle": angle})
