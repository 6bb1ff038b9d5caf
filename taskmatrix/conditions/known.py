"""Whether the perceptual model has an object."""

from __future__ import annotations

from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context

from .places import missing


class Known(Condition):
    """It is known where an object is: it was seen, or somebody said so to begin with.

    Args:
        object: Its id.
    """

    def __init__(self, object: object) -> None:
        super().__init__(object=object)

    def evaluate(self, context: Context) -> Verdict:
        """Whether the perceptual model has the object."""
        id = str(self.arguments["object"])
        unknown = missing(context, id)
        return Verdict(True, f"it is known where '{id}' is") if unknown is None else unknown
