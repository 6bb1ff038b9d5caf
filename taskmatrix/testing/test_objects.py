"""Objects for tests."""

from __future__ import annotations

from collections.abc import Sequence

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Grasp, ObjectModel, Shape
from taskmatrix.core.world.perception import Percept


def box_percept(
    id: str,
    xyz: Sequence[float] = (0.5, 0.0, 1.0),
    size: tuple[float, float, float] = (0.06, 0.06, 0.06),
    type: str = "object",
) -> Percept:
    """A box at ``xyz`` [m] with full extents ``size`` [m], and one grasp, named ``top``, from above.

    Example:
        >>> box_percept("cup", (0.5, 0.0, 0.8)).model.grasps[0].name
        'top'
    """
    from_above = Grasp("top", pose(rpy=(3.141592653589793, 0.0, 0.0)), width=size[1])
    model = ObjectModel(id, type, (Shape("box", size, pose()),), (from_above,), movable=True)
    return Percept(model, pose(xyz))
