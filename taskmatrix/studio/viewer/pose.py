"""Where everything is, as it goes to a page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

Matrix = Sequence[Sequence[float]]


def pose_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """The section ``pose`` of what a control step tells.

    Args:
        data: Of an event ``step``: ``q`` and ``commanded`` (n,), ``poses`` of the objects (4, 4) by id, ``held``.
    """
    objects = {id: placement(X_WO) for id, X_WO in (data.get("poses") or {}).items()}
    q = data.get("q") or []
    return {"q": q, "commanded": data.get("commanded") or q, "objects": objects, "held": data.get("held") or {}}


def placement(X: Matrix) -> list[float]:
    """A pose (4, 4) as x, y, z [m] and a unit quaternion x, y, z, w.

    The largest of the four components is found first, and the others from it (Shepperd 1978).
    """
    (xx, xy, xz, x), (yx, yy, yz, y), (zx, zy, zz, z) = X[:3]
    squares = (1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz, 1.0 + xx + yy + zz)
    largest = max(range(4), key=squares.__getitem__)
    s = 2.0 * math.sqrt(squares[largest])
    own = s / 4.0
    rotation = (
        (own, (xy + yx) / s, (xz + zx) / s, (zy - yz) / s),
        ((xy + yx) / s, own, (yz + zy) / s, (xz - zx) / s),
        ((xz + zx) / s, (yz + zy) / s, own, (yx - xy) / s),
        ((zy - yz) / s, (xz - zx) / s, (yx - xy) / s, own),
    )[largest]
    return [x, y, z, *rotation]
