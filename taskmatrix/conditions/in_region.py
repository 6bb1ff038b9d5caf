"""Whether an object is in a region of space."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.behavior.inversion import Space, Upright
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import Region

from .places import missing
from .tolerances import ROUNDING


class InRegion(Condition):
    """The whole bounding box of an object is in a region.

    Inverted, it proposes upright poses of ``x`` anywhere in the region.

    Args:
        x: Id of an object.
        region: A :class:`~taskmatrix.core.world.perception.Region`.
    """

    def __init__(self, x: object, region: object) -> None:
        super().__init__(x=x, region=region)

    def evaluate(self, context: Context) -> Verdict:
        """Measure how far the box sticks out."""
        x, region = self._asked()
        unknown = missing(context, x)
        if unknown is not None:
            return unknown
        lower, upper = context.perception.object(x).box
        out = float(max(0.0, np.max(np.subtract(region.lower, lower)), np.max(np.subtract(upper, region.upper))))
        inside = out <= ROUNDING
        why = f"'{x}' is in the region" if inside else f"'{x}' sticks {out * 1000:.1f} mm out of the region"
        return Verdict(inside, why, {"out": out})

    def spaces(self, context: Context) -> tuple[Space, ...]:
        """The region, as the space that satisfies the condition."""
        x, region = self._asked()
        context.perception.object(x)

        def bounds(upright: Upright) -> tuple[Array, Array]:
            return np.array(region.lower) - upright.lower, np.array(region.upper) - upright.upper

        return (Space(x, ((bounds,),)),)

    def _asked(self) -> tuple[str, Region]:
        x, region = self.arguments.values()
        if not isinstance(region, Region):
            raise ParameterError(f"region has to be a Region, not {region!r}")
        return str(x), region
