"""Judges press and guide: the force that was there, and where the hand was led."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from taskmatrix.robots.hand_pose import hand_pose

from ..ground_truth import Record
from ..judge import Parameters
from .springs import LimbJudge, said

OFF = 1.0  # [N] that the force may be off by, unless more is allowed


class PressJudge(LimbJudge):
    """Success of press: in the middle of the contact the force was as wanted, and the surface was touched so long."""

    def done(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Take the median of the forces that the plant had between the hand and what it touched."""
        hand = str(parameters["hand"])
        given = {"direction_z": -1.0, "force": 5.0, "tolerance": OFF, "duration": 2.0, **parameters}
        way = np.array([float(str(given.get(f"direction_{axis}", 0.0))) for axis in "xyz"])
        way /= np.linalg.norm(way)
        forces = [
            -float(hand_pose(record.robot, hand, step.q)[:3, :3] @ step.forces[hand] @ way)
            for step in record.run
            if hand in step.forces
        ]
        touched = len(forces) * record.dt
        if touched < float(str(given["duration"])) / 2.0:
            return f"the hand touched something for {touched:.2f} s"
        facts["force"] = float(np.median(forces))
        off = abs(float(str(facts["force"])) - float(str(given["force"])))
        return f"it pressed with {facts['force']:.2f} N" if off > float(str(given["tolerance"])) else ""

    def touched(self, record: Record, parameters: Parameters) -> Collection[frozenset[str]]:
        """The links that touch of the hand, and what it presses on."""
        links = record.robot.hands[str(parameters["hand"])].touch
        return [frozenset((link, str(parameters["object"]))) for link in links] if parameters.get("object") else []

    def handled(self, record: Record, parameters: Parameters) -> Collection[str]:
        """Nothing: it takes up nothing."""
        return ()


class GuideJudge(LimbJudge):
    """Success of guide: the hand is where it says that it was led."""

    open_ended = True

    def done(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Measure from where the hand was."""
        ends = [hand_pose(record.robot, str(parameters["hand"]), step.q)[:3, 3] for step in (record.start, record.end)]
        facts["way"] = float(np.linalg.norm(ends[1] - ends[0]))
        return said(record, "way", float(str(facts["way"])))
