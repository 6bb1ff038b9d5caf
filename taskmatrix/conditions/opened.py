"""Whether a drawer or a door is open or closed."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.behavior.inversion import Space
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array

from .places import missing, number

NEAR = 0.02  # of the whole way, by which it counts as there


class Opened(Condition):
    """A part is open by a share of its way, or further. Inverted, it proposes poses of the part along its joint.

    Args:
        object: Id of the part.
        share: From 0, closed, to 1.
    """

    def __init__(self, object: object, share: object = 1.0) -> None:
        super().__init__(object=object, share=share)

    def evaluate(self, context: Context) -> Verdict:
        """Measure how far it is open."""
        return _told(context, self.arguments["object"], self._share() - NEAR, 2.0)

    def spaces(self, context: Context) -> tuple[Space, ...]:
        """From the share to open."""
        return _along_its_joint(context, self.arguments["object"], self._share(), 1.0)

    def _share(self) -> float:
        share = number("share", self.arguments["share"])
        if share > 1.0:
            raise ParameterError(f"share is from 0, closed, to 1, not {share:g}")
        return share


class Closed(Condition):
    """A part is closed. Inverted, it proposes the pose of the part in which it is.

    Args:
        object: Id of the part.
    """

    def __init__(self, object: object) -> None:
        super().__init__(object=object)

    def evaluate(self, context: Context) -> Verdict:
        """Measure how far it is open."""
        return _told(context, self.arguments["object"], -1.0, NEAR)

    def spaces(self, context: Context) -> tuple[Space, ...]:
        """Closed."""
        return _along_its_joint(context, self.arguments["object"], 0.0, 0.0)


class HasJoint(Condition):
    """An object is a part that moves on another: a drawer, a door.

    Args:
        object: Id of the object.
    """

    def __init__(self, object: object) -> None:
        super().__init__(object=object)

    def evaluate(self, context: Context) -> Verdict:
        """Look whether it and what carries it are known."""
        return _told(context, self.arguments["object"], -np.inf, np.inf)


def _along_its_joint(context: Context, object: object, first: float, last: float) -> tuple[Space, ...]:
    """Poses of a part from one share of its way to another; none where it is no part, or what carries it not known."""
    id = str(object)
    joint = context.perception.object(id).model.joint
    if joint is None or isinstance(opening(context, id), Verdict):
        return ()
    X_WP = context.perception.pose(joint.parent)

    def way(share: float) -> Array:
        X_WO: Array = X_WP @ joint.at(joint.opened(first + share * (last - first)))
        return X_WO

    return (Space(id, (), way=way),)


def _told(context: Context, object: object, least: float, most: float) -> Verdict:
    """Whether a part is open by a share within bounds."""
    share = opening(context, str(object))
    if isinstance(share, Verdict):
        return share
    return Verdict(least <= share <= most, f"'{object}' is {share:.0%} open", {"share": share})


def opening(context: Context, id: str) -> float | Verdict:
    """How far a part is open, from 0, closed, to 1; or a verdict that says why that cannot be told."""
    unknown = missing(context, id)
    if unknown is not None:
        return unknown
    seen = context.perception.object(id)
    joint = seen.model.joint
    if joint is None:
        parts = [other for other, each in context.perception.percepts.items() if each.model.joint is not None]
        told = f"; these do: {', '.join(parts)}" if parts else ""
        return Verdict(False, f"'{id}' does not move on anything, and neither opens nor closes{told}")
    unknown = missing(context, joint.parent)
    if unknown is not None:
        return unknown
    return joint.share(joint.position(inverse(context.perception.pose(joint.parent)) @ seen.X_WO))
