"""Judges random-walk."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.objects import Array

from ..ground_truth import Record
from ..judge import Judge, Parameters, too_short

PACE = 0.02  # [m/s] least mean speed of the base
TURN = float(np.deg2rad(10.0))  # [rad] least turns of the base together
STRIDE = np.array([0.02, np.deg2rad(1.0)])  # [m], [rad] a base that sways by less does not move
BOUNDS = (("xmin", 0, -1.0), ("ymin", 1, -1.0), ("xmax", 0, 1.0), ("ymax", 1, 1.0))


class RandomWalkJudge(Judge):
    """Success of random-walk (thesis 4.3.6).

    The run lasts ``duration``, if that is given, within 0.1 s; the base moves along a path no shorter than 2 cm per
    second of the run, it turns by 10 degrees or more in all, and, if it started within the region (``xmin``, ``ymin``,
    ``xmax``, ``ymax`` as far as given), it never leaves it. To sway by less than 2 cm and 1 degree is no way.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the robot did not walk around."""
        base = record.positions()[:, :3]
        path, turned = _way(base)
        facts.update(path=path, turned=turned)
        for name, axis, sign in BOUNDS:
            if parameters.get(name) is not None:
                beyond = sign * (base[:, axis] - float(str(parameters[name])))
                if beyond[0] <= 0 and beyond.max() > 1e-6:
                    return f"the base was {beyond.max():.3f} m beyond {name}"
        reason = too_short(record, parameters)
        if reason:
            return reason
        asked = PACE * (len(base) - 1) * record.dt
        if path < asked:
            return f"the base moved by {path:.2f} m, not by {asked:.2f}"
        return "" if turned >= TURN else f"the base turned by {np.rad2deg(turned):.1f} deg in all"


def _way(base: Array) -> tuple[float, float]:
    """[m], [rad] How far a base (steps, 3) went and turned, in strides."""
    way, last = np.zeros(2), base[0]
    for here in base:
        stride = np.array([np.hypot(*(here - last)[:2]), abs(here[2] - last[2])])
        if (stride >= STRIDE).any():
            way, last = way + stride, here
    rest = np.array([np.hypot(*(base[-1] - last)[:2]), abs(base[-1, 2] - last[2])])
    path, turned = (way + rest).tolist()
    return path, turned


class ExploreJudge(RandomWalkJudge):
    """Success of exploring (thesis 4.3.6).

    The base walks about as for ``random-walk``: for as long as asked, within the region. What was seen is in the map
    and not in the plant's truth; how much of the world it shows is what ``benchmarks/mapping.py`` measures.
    """
