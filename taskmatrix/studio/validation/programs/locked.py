"""Recognizes that a robot is locked up: from some step on nothing that plans works any more."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from taskmatrix.core.base.failure import FailureKind

from ..case import SUCCESS
from ..matrix import alike
from .judging import Told

STAYS = 3  # steps that plan and fail alike, up to the end of the program


def locked(steps: Sequence[Told]) -> int | None:
    """Index of the step with which a lock-up is certain; None if there is none.

    It is one if no step that plans succeeds any more, and of these two fail one after the other with a collision of the
    same pair, or the last three or more for the same reason. Steps that succeed without a plan - a find, a scan - prove
    nothing and do not count.
    """
    planning: list[tuple[int, Told]] = []
    for k, told in enumerate(steps):
        if told.verdict != SUCCESS:
            planning.append((k, told))
        elif told.planned:
            planning.clear()
    for (_, before), (k, told) in pairwise(planning):
        if before.pair and told.pair and set(before.pair) == set(told.pair) and _collides(before) and _collides(told):
            return k
    last = planning[-STAYS:]
    roots = {alike(told.root) for _, told in last}
    if len(last) == STAYS and len(roots) == 1 and roots != {""} and len({told.step for _, told in last}) > 1:
        return last[-1][0]
    return None


def _collides(told: Told) -> bool:
    return told.verdict != SUCCESS and told.kind == FailureKind.COLLISION.value
