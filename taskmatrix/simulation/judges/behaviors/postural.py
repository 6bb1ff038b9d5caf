"""Judges postural, comply and follow-commands: what joints are brought to, give way to, and are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
        return _others_moved(record, [str(parameters["chain"])], facts) or too_short(record, parameters)


class FollowCommandsJudge(Judge):
    """Success of follow-commands: for the time asked for, no joint moves but those of its chains.

    What others tell these is theirs to judge; how far they went is told, and contacts and limits count as always.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why something else moved, or it ended early."""
        chains = [chain for chain in map(str.strip, str(parameters.get("chains") or "").split(",")) if chain]
        return (chains and _others_moved(record, chains, facts)) or too_short(record, parameters)


def _others_moved(record: Record, chains: Sequence[str], facts: dict[str, object]) -> str:
    """The joint that moved most of those that are in none of some chains, or the chain that there is not."""
    robot, q = record.robot, record.positions()
    unknown = [chain for chain in chains if chain not in robot.chains]
    if unknown:
        return f"the robot has no chain '{unknown[0]}'"
    off = np.abs(q - q[0]).max(axis=0)
    own = np.isin(np.arange(robot.n), robot.indices(*chains))
    facts["pushed"] = float(off[own].max())
    others = np.where(own, 0.0, off)
    worst = int(others.argmax())
    if others[worst] > record.tolerance.posture:
        return f"joint {robot.joints[worst]} moved by {others[worst]:.3f}, which is none of {', '.join(chains)}"
    return ""


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
