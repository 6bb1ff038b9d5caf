"""What travels with a thing that is moved, because it stands on it or in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from .geometry import bounding_box, inverse
from .objects import Array, ObjectModel

ABOVE = 0.003  # [m] over what it stands on that a thing may be


def carried_by(
    id: str, models: Mapping[str, ObjectModel], poses: Mapping[str, Array], held: Collection[str] = ()
) -> list[str]:
    """What stands on or in an object, and on or in that: each after what it stands on.

    A thing does if it can be carried, no hand holds it, and the middle of its underside is within the box around one of
    the object's shapes, in the object's own axes, or up to 3 mm above it. At the top of all, on rims say, the box
    around all of them counts.

    Args:
        id: Of the object.
        models: By id.
        poses: X_WO (4, 4) by id, of what is there.
        held: Ids of what hands hold.
    """
    loose = {other for other in poses if models[other].movable and other not in held and other != id}
    undersides = {}
    for other in loose:
        lower, upper = bounding_box(models[other].shapes, poses[other])
        undersides[other] = np.array([(lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2, lower[2]])
    found, next_ones = list[str](), [id]
    while next_ones:
        carrier = next_ones.pop(0)
        shapes, X_CW = models[carrier].shapes, inverse(poses[carrier])
        whole = bounding_box(shapes, np.eye(4))
        parts = [bounding_box([shape], np.eye(4)) for shape in shapes]
        top = bounding_box(shapes, poses[carrier])[1][2] - ABOVE
        up = np.maximum(X_CW[:3, 2], 0.0) * ABOVE
        for other in [other for other in poses if other in undersides]:
            p = X_CW[:3, :3] @ undersides[other] + X_CW[:3, 3]
            boxes = parts if undersides[other][2] < top else [whole]
            if any((lower <= p).all() and (p <= upper + up).all() for lower, upper in boxes):
                del undersides[other]
                found.append(other)
                next_ones.append(other)
    return found
