"""What travels with a thing that is moved, because it stands on it or in it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

import numpy as np

from ..base.cache import remembered
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
    loose = {other: X[:3, 3].tolist() for other, X in poses.items() if models[other].movable and other not in held}
    loose.pop(id, None)
    undersides = dict[str, Array]()
    found, next_ones = list[str](), [id]
    while next_ones:
        carrier = next_ones.pop(0)
        reach, here = _reach(models[carrier]) + 2.0 * ABOVE, poses[carrier][:3, 3].tolist()
        near = [
            other for other, there in loose.items() if math.dist(there, here) <= reach + 2.0 * _reach(models[other])
        ]
        if not near:
            continue
        for other in near:
            if other not in undersides:
                lower, upper = bounding_box(models[other].shapes, poses[other])
                undersides[other] = np.array([(lower[0] + upper[0]) / 2, (lower[1] + upper[1]) / 2, lower[2]])
        shapes, X_CW = models[carrier].shapes, inverse(poses[carrier])
        whole, *parts = _boxes(models[carrier])
        top = bounding_box(shapes, poses[carrier])[1][2] - ABOVE
        up = np.maximum(X_CW[:3, 2], 0.0) * ABOVE
        for other in near:
            p = X_CW[:3, :3] @ undersides[other] + X_CW[:3, 3]
            boxes = parts if undersides[other][2] < top else [whole]
            if any((lower <= p).all() and (p <= upper + up).all() for lower, upper in boxes):
                del loose[other]
                found.append(other)
                next_ones.append(other)
    return found


@remembered
def _reach(model: ObjectModel) -> float:
    """[m] How far an object reaches from its origin, at most."""
    lower, upper = _boxes(model)[0]
    return float(np.linalg.norm(np.maximum(np.abs(lower), np.abs(upper))))


@remembered
def _boxes(model: ObjectModel) -> tuple[tuple[Array, Array], ...]:
    """In an object's own axes, the box around all of it, then those around its shapes."""
    return tuple(bounding_box(shapes, np.eye(4)) for shapes in (model.shapes, *((shape,) for shape in model.shapes)))
