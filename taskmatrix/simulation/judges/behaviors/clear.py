"""Judges clear."""

from __future__ import annotations

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.contacts import in_contact
from ..measures.scene import Scene


class ClearJudge(Judge):
    """Success of clear: at the end the robot touches nothing, but for what its hands hold.

    That contacts from before the start get no deeper on the way, and that no other arises, is judged as in every run.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """What the robot still touches."""
        held = set(record.end.held.values())
        scene = Scene(record.robot, record.objects)
        touching = sorted(pair for pair in in_contact(scene, record.end) if not held & set(pair))
        facts["touching"] = touching
        return f"{touching[0][0]} touches {touching[0][1]} at the end" if touching else ""
