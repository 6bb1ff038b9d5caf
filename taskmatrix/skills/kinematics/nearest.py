"""The nearest that inverse kinematics came to a goal that it did not reach: the facts of a failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.robot.plans import Goal, PositionGoal
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.ik.chain import Chain
from taskmatrix.kernel.ik.ik import BatchSolution
from taskmatrix.robots import Robot

from .ik import LEVER

MOST = 3  # of the pairs that were in the way are named


@dataclass(frozen=True, eq=False)
class Nearest:
    """The nearest that a hand came to a goal."""

    q: Array
    """(n,) The configuration."""
    distance: float
    """[m] What is left between the hand and its goal."""
    angle: float
    """[rad] What is left between the orientations."""
    at_limits: Mapping[int, str]
    """The joints that may move and are on a limit there, by index, and on which: ``lower`` or ``upper``."""
    goal: Goal | None = None
    """Which goal; None if it is only a pose of one hand beside the other."""

    @property
    def error(self) -> float:
        """[m] Distance and angle as one number."""
        return self.distance + LEVER * self.angle

    def facts(self, robot: Robot) -> dict[str, object]:
        """For a failure: the goal, what is left to it, and the joints on their limits by name."""
        facts: dict[str, object] = {}
        if self.goal is not None:
            facts = {"goal": self.goal.label, "hand": self.goal.hand}
        facts["nearest_distance"] = self.distance
        if not isinstance(self.goal, PositionGoal):
            facts["nearest_angle"] = self.angle
        return {**facts, "at_limits": {robot.joints[joint]: side for joint, side in self.at_limits.items()}}

    def words(self) -> str:
        """A clause that says how near it is to which goal."""
        who = "a hand came" if self.goal is None else f"the {self.goal.hand} hand came to goal '{self.goal.label}'"
        turned = "" if isinstance(self.goal, PositionGoal) else f" and {np.rad2deg(self.angle):.0f} deg"
        return f"the nearest that {who} is {self.distance:.3f} m{turned}"


def nearest_missed(solved: BatchSolution, goals: Sequence[Goal], chain: Chain) -> Nearest | None:
    """Of descents of a chain, each to its goal, the one that ended nearest beside it; None if all ended on theirs."""
    missed = np.flatnonzero(~solved.reached)
    if not len(missed):
        return None
    k = int(missed[np.argmin(solved.distance[missed] + LEVER * solved.angle[missed])])
    q = solved.q[k].copy()
    return Nearest(q, float(solved.distance[k]), float(solved.angle[k]), chain.at_limits(q), goals[k])


def most_often(blocked: Counter[tuple[str, str]]) -> dict[str, object]:
    """For a failure: the pair that was in contact most often, and a few with how often; nothing if there is none."""
    often = [
        f"{first} and {second} ({'once' if count == 1 else f'{count} times'})"
        for (first, second), count in blocked.most_common(MOST)
    ]
    return {"pair": blocked.most_common(1)[0][0], "most_often": often} if blocked else {}
