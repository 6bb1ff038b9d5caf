"""Pick one object of a kind, for a machine to work on (thesis 5.7.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from taskmatrix.conditions.carrying import carried
from taskmatrix.conditions.inside import contained
from taskmatrix.core.base.errors import nearest, not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.context import Context

from ..common.bounds import region_of, wrong_region


class Find(TaskBehavior, overrides=("bind",)):
    """Draw one object of a type from the perceptual model by lot, and publish its id.

    What was handed out and is still there is what the machine did not deal with: a piece of debris that was vacuumed
    up is gone. So an object is handed out ``attempts`` times at most, and a machine that works on one after the other
    comes to an end even if it cannot deal with some. A new run of the machine begins from the start. Objects that are
    held are left out.

    Fails with ``nothing_found`` where there is none, or none left.
    """

    type = Parameter(str, doc="a word of the objects' taxonomy, such as debris")
    on = Parameter(str, default=None, doc="id of what it has to rest on")
    inside = Parameter(str, default=None, doc="id of what it has to be in")
    xmin = Parameter(float, default=None, doc="[m] of the region that its box has to touch; no bound unless given")
    ymin = Parameter(float, default=None, doc="[m] the same")
    zmin = Parameter(float, default=None, doc="[m] the same")
    xmax = Parameter(float, default=None, doc="[m] the same")
    ymax = Parameter(float, default=None, doc="[m] the same")
    zmax = Parameter(float, default=None, doc="[m] the same")
    attempts = Parameter(int, default=1, minimum=1, doc="how often one object is handed out in a run of the machine")

    object = Output(str, doc="id of the object")

    def bind(self, context: Context, path: str) -> None:
        """Bind to a robot and its world, and forget what was handed out."""
        super().bind(context, path)
        self._given: Counter[str] = Counter()
        self._machine_run: int | None = None

    def required_chains(self) -> Sequence[str] | Failure:
        """Require no chain; fail where the region is wrong."""
        return wrong_region(self) or ()

    def plan(self) -> None:
        """Forget what was handed out in an earlier run of the machine."""
        run = self.parent.runs if isinstance(self.parent, TaskBehavior) else None
        if run != self._machine_run:
            self._given.clear()
        self._machine_run = run

    def step(self) -> Failure | bool:
        """Draw one and publish it."""
        perception = self.context.perception
        for place in (self.on, self.inside):
            if place is not None and place not in perception:
                return self.fail(FailureKind.UNKNOWN_OBJECT, not_found("object", place, perception.percepts))
        found = self._there()
        left = [id for id in found if self._given[id] < self.attempts]
        if not left:
            return self._nothing(found)
        chosen = left[int(self.random.integers(len(left)))]
        self._given[chosen] += 1
        self.publish(object=chosen)
        return True

    def _there(self) -> Sequence[str]:
        """Ids of all objects that fit, handed out or not."""
        perception, region = self.context.perception, region_of(self)
        if self.on is not None:
            found = carried(perception, self.on, self.type, region)
        else:
            found = perception.objects(self.type, region)
        within = found if self.inside is None else contained(self.context, self.inside, self.type)
        return sorted(id for id in found if id in within and perception.object(id).held_by is None)

    def _nothing(self, found: Sequence[str]) -> Failure:
        place = f" on '{self.on}'" if self.on is not None else ""
        place += f" in '{self.inside}'" if self.inside is not None else ""
        if not found:
            percepts = self.context.perception.percepts.values()
            types = {word for percept in percepts for word in percept.model.type.split("/")}
            near = None if self.type in types else nearest(self.type, types)
            hint = f"; did you mean '{near}'?" if near else ""
            return self.fail(FailureKind.NOTHING_FOUND, f"there is no object of type '{self.type}'{place}{hint}")
        names = ", ".join(found)
        message = f"there is no object of type '{self.type}'{place} left that was not handed out before: {names}"
        return self.fail(FailureKind.NOTHING_FOUND, message, remaining=tuple(found))
