"""Where a motion leads, as a few configurations that can be shown."""

from __future__ import annotations

import numpy as np

from ..world.objects import Array
from .plans import Plan, Trajectory


def samples(trajectory: Trajectory, q: Array, count: int = 16) -> Array:
    """(count, n) Configurations along a trajectory at equal times, both ends included.

    Args:
        trajectory: The motion.
        q: (n,) Where the joints are that it does not move.
        count: How many.
    """
    configurations = np.tile(q, (count, 1))
    times = np.linspace(0.0, trajectory.duration, count)
    configurations[:, trajectory.indices] = trajectory.sample(times)[0]
    return configurations


def facts_of(plan: Plan, q: Array) -> dict[str, object]:
    """What there is to tell of a plan, for a robot at joint positions q (n,)."""
    facts: dict[str, object] = {**plan.work, "samples": samples(plan.trajectory, q)}
    if plan.initial_contacts:
        facts["initial_contacts"] = [contact.pair for contact in plan.initial_contacts]
    if plan.narrow:
        facts["narrow"] = True
    return facts
