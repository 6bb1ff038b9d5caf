"""Regions given by parameters ``xmin``, ``xmax``, ``ymin`` and so on, each of which may be left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameterised
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import Region


def region_of(behavior: Parameterised) -> Region | None:
    """The region of a behavior's parameters; without end where a bound is not given, None where none is."""
    lower, upper = (_corner(behavior, which, free) for which, free in (("min", -np.inf), ("max", np.inf)))
    return Region(lower, upper) if np.isfinite([*lower, *upper]).any() else None


def wrong_region(behavior: TaskBehavior) -> Failure | None:
    """Why the parameters are not those of a region, such as an ``xmin`` above ``xmax``."""
    try:
        region_of(behavior)
    except ParameterError as error:
        return behavior.fail(FailureKind.PARAMETER, str(error))
    return None


def outside(region: Region | None, point: Sequence[float] | Array) -> float:
    """[m] How far a point, (2,) or (3,), is outside of a region; 0 in it."""
    if region is None:
        return 0.0
    away = [float(max(low - x, x - high)) for low, high, x in zip(region.lower, region.upper, point, strict=False)]
    return max(0.0, *away)


def _corner(behavior: Parameterised, which: str, free: float) -> tuple[float, float, float]:
    x, y, z = (behavior.parameters.get(f"{axis}{which}") for axis in "xyz")
    return (free if x is None else x, free if y is None else y, free if z is None else z)
