"""Judges postural and comply: what joints are brought to, and what they give way to."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..ground_truth import Record
from ..judge import Judge, Parameters, too_short
from ..measures.mirror import mirror_image


class PosturalJudge(Judge):
    """Success of postural (thesis 4.3.7).

    Given a posture c_G of some joints: at the end each of them is at its position in c_G within 0.01 rad or m, or each
    of their partners on the other side is in the mirror image of c_G, unless ``mirror`` is False. Fingers of a hand
    that holds something are around it instead.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the posture is not taken."""
        name = str(parameters["posture"])
        if name not in record.robot.postures:
            return f"the robot has no posture '{name}'"
        return off_posture(record, record.robot.postures[name], facts, parameters.get("mirror") is not False)


class ComplyJudge(Judge):
    """Success of comply: the chain is let be pushed for the time asked for, and at its end is at rest.

    No other joint moves meanwhile; how far those of the chain are pushed is told.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why it did not give way, or something else moved."""
        robot, q = record.robot, record.positions()
        chain = str(parameters["chain"])
        if chain not in robot.chains:
            return f"the robot has no chain '{chain}'"
        off = np.abs(q - q[0]).max(axis=0)
        own = np.isin(np.arange(robot.n), robot.indices(chain))
        facts["pushed"] = float(off[own].max())
        others = np.where(own, 0.0, off)
        worst = int(others.argmax())
        if others[worst] > record.tolerance.posture:
            return f"joint {robot.joints[worst]} moved by {others[worst]:.3f}, which is none of {chain}"
        return too_short(record, parameters)


def off_posture(record: Record, posture: Mapping[str, float], facts: dict[str, object], mirror: bool = True) -> str:
    """Why joints are neither in a posture nor, with ``mirror``, in its mirror image at the end; empty if they are."""
    robot, q = record.robot, record.end.q
    around = {joint for hand in record.end.held for joint in robot.hands[hand].open}
    best: tuple[float, str] | None = None
    for goal in (posture, mirror_image(robot, posture) if mirror else None):
        if goal is not None:
            asked = {joint: position for joint, position in goal.items() if joint not in around}
            off = {joint: abs(float(q[robot.joints.index(joint)]) - position) for joint, position in asked.items()}
            joint = max(off, key=lambda name: off[name])
            if best is None or off[joint] < best[0]:
                best = off[joint], joint
    assert best is not None
    facts["off"] = best[0]
    return f"joint {best[1]} is {best[0]:.3f} from the posture" if best[0] > record.tolerance.posture else ""
