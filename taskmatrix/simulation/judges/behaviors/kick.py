"""Judges kick."""

from __future__ import annotations

import math

import numpy as np

from taskmatrix.core.world.geometry import bounding_box, wrap

from ..ground_truth import Record
from ..judge import Judge, Parameters

ANGLES = {"front": 0.0, "diagonal": 45.0, "lateral": 90.0}  # [degrees] to the side of the foot
ASIDE = 20.0  # [degrees] by which the ball may go elsewhere
LEAST = 1.0  # [diameters] that it has to have gone when the foot is back
STOOD = 0.01  # [m], [rad] by which the base may move


class KickJudge(Judge):
    """Success of kick (BICA VI).

    When the foot is back where it stood, the ball is a diameter or more from where it lay, in the direction of the kick
    within 20 degrees, and the base has stood within 1 cm. The lower leg may touch the ball.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the ball was not kicked."""
        ball, start, end = str(parameters["object"]), record.start, record.end
        if ball not in start.poses or ball not in end.poses:
            return f"'{ball}' is not there"
        off = np.abs(record.positions()[:, :3] - start.q[:3]).max()
        if off > STOOD:
            return f"the base moved by {off:.3f}"
        stood = float(np.abs(end.q[3:] - start.q[3:]).max())
        if stood > record.tolerance.posture:
            return f"a joint is {stood:.3f} from where it was before the kick"
        lower, upper = bounding_box(record.objects[ball].shapes, np.eye(4))
        way = (end.poses[ball] - start.poses[ball])[:2, 3]
        far, size = float(np.hypot(*way)), float(upper[2] - lower[2])
        facts.update(distance=far)
        if far < LEAST * size:
            return f"'{ball}' went {far:.3f} m, not {LEAST * size:.3f}"
        side = 1.0 if parameters.get("foot") == "left" else -1.0
        wanted = float(start.q[2]) + side * math.radians(ANGLES[str(parameters.get("direction", "front"))])
        aside = math.degrees(wrap(math.atan2(way[1], way[0]) - wanted, 0.0))
        facts.update(aside=aside)
        return "" if abs(aside) <= ASIDE else f"'{ball}' went {aside:.0f} deg to the left of the direction of the kick"

    def touched(self, record: Record, parameters: Parameters) -> set[frozenset[str]]:
        """The lower leg and the ball."""
        legs = {leg.foot: leg.links for leg in record.robot.legs}
        return {frozenset((link, str(parameters["object"]))) for link in legs.get(str(parameters.get("foot")), ())}
