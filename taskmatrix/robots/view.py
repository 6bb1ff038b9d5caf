"""Where a robot looks from."""

from __future__ import annotations

from dataclasses import dataclass

from taskmatrix.core.world.objects import Array


@dataclass(frozen=True, eq=False)
class View:
    """The frame of the eyes or the camera."""

    frame: str
    """Link that carries it."""
    X_LV: Array
    """(4, 4) Pose of the view in that link: x is the viewing direction, y points up, z = x cross y (thesis 3.2.10)."""
    range: tuple[float, float] | None = None
    """[m] The nearest and the furthest that it sees, where the adapter says so."""
    field_of_view: float | None = None
    """[rad] Vertical field of view of the camera, where the adapter says so."""
