"""What an object is to be held by."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.geometry import bounding_box
from taskmatrix.core.world.objects import ObjectModel, Shape

SMALL = 0.1  # of the largest shape of a part, by the volumes of their boxes


def handle(model: ObjectModel) -> tuple[Shape, ...]:
    """The shapes that are the handle of an object; none if it has none.

    Those that say so; otherwise, of a part that moves on another object, the small ones that stand out from the box
    around its large ones.
    """
    solid = [shape for shape in model.shapes if shape.collides]
    named = tuple(shape for shape in solid if shape.handle)
    if named or model.joint is None or not solid:
        return named
    boxes = [bounding_box((shape,), np.eye(4)) for shape in solid]
    volumes = np.array([np.prod(upper - lower) for lower, upper in boxes])
    small = volumes < SMALL * volumes.max()
    lower = np.min([boxes[k][0] for k in np.flatnonzero(~small)], axis=0)
    upper = np.max([boxes[k][1] for k in np.flatnonzero(~small)], axis=0)
    middles = np.array([sum(box) / 2 for box in boxes])
    out = ((middles < lower) | (middles > upper)).any(axis=1)
    return tuple(shape for shape, one in zip(solid, small & out, strict=True) if one)
