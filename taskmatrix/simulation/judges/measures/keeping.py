"""Whether what hands held was kept upright, or turned as it was, where a task asked for that."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from taskmatrix.core.world.objects import Array

from ..ground_truth import Record


def unkept(record: Record, parameters: Mapping[str, object], facts: dict[str, object]) -> str:
    """What was turned too far in the last run while a hand held it; empty if nothing was, or nothing was asked.

    The fact ``tilted`` [rad] is the largest angle: of an object's z from the vertical with ``keep`` ``upright``; with
    ``orientation`` of its x or z from where it was when the run began, or when a hand took it.
    """
    keep = parameters.get("keep")
    if keep not in ("upright", "orientation"):
        return ""
    allowed = float(str(parameters["tilt"])) + record.tolerance.kept
    first, tilted, reason = dict[str, Array](), 0.0, ""
    for k, step in enumerate(record.run):
        for id in step.held.values():
            R = step.poses[id][:3, :3]
            R_before = first.setdefault(id, R)
            cosines = [R[2, 2]] if keep == "upright" else [R[:, j] @ R_before[:, j] for j in (0, 2)]
            angle = float(np.arccos(np.clip(min(cosines), -1.0, 1.0)))
            tilted = max(tilted, angle)
            if angle > allowed and not reason:
                reason = f"'{id}' is {np.rad2deg(angle):.1f} deg from {keep} at step {k}"
    facts["tilted"] = tilted
    return reason
