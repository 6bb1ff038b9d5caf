"""Which hands a condition asks about."""

from __future__ import annotations

from taskmatrix.core.base.errors import not_found
from taskmatrix.core.behavior.condition import Verdict
from taskmatrix.core.robot.skills.body import BodySkills


def asked(skills: BodySkills, hand: object) -> tuple[str, ...] | Verdict:
    """The hand named, or all when none is; a verdict that says so where the robot has no such hand."""
    if hand is None:
        return tuple(skills.hands)
    if hand not in skills.hands:
        return Verdict(False, not_found("hand", str(hand), skills.hands))
    return (str(hand),)
