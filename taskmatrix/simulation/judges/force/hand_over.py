"""Judges offer and hand-over."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from taskmatrix.core.world.objects import Array
from taskmatrix.robots.hand_pose import hand_pose

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.holding import holder

ALONE = 0.3  # [s] for which nobody pulls yet


class OfferJudge(Judge):
    """Success of offer: somebody pulled at what the hand still holds."""

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why nobody takes it, or nobody can."""
        id = str(parameters["object"])
        hand = holder(record.start, id)
        if not hand:
            return f"no hand held '{id}' at the start"
        pulled = _pulled(record, hand, id)
        facts.update(hand=hand, pulled=pulled)
        if pulled < float(str(parameters["pull"])):
            return f"nobody pulled at '{id}' with more than {pulled:.2f} N"
        return self.end(record, id)

    def end(self, record: Record, id: str) -> str:
        """Why it is not as it should be in the end."""
        return "" if record.end.holders(id) else f"no hand holds '{id}'"


class HandOverJudge(OfferJudge):
    """Success of hand-over: somebody pulled at what the hand held, and no hand holds it any more."""

    gives: ClassVar[bool] = True

    def end(self, record: Record, id: str) -> str:
        """Why it is still held."""
        holders = record.end.holders(id)
        return f"the {holders[0]} hand still holds '{id}'" if holders else ""


def _pulled(record: Record, hand: str, id: str) -> float:
    """[N] By which the force on a hand differed, while it held something, from what it was in the beginning."""
    forces: list[Array] = [
        hand_pose(record.robot, hand, step.q)[:3, :3] @ step.forces[hand]
        for step in record.run
        if hand in step.forces and step.held.get(hand) == id
    ]
    alone = forces[: max(1, round(ALONE / record.dt))]
    if not alone:
        return 0.0
    weight = np.mean(alone, axis=0)
    return max(float(np.linalg.norm(force - weight)) for force in forces)
