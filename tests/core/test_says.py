"""Whether a behavior can say a message, from its source."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partialmethod
from typing import Any

import pytest

from taskmatrix.behaviors import Fixate, Grasp, Pickup, Postural, Reach
from taskmatrix.core import Machine, State, TaskBehavior, start
from taskmatrix.core.says import says

from .samples import Each, Finder, Forever, Probe


def tell(behavior: TaskBehavior) -> bool:
    behavior.goal(True)
    return True


class Handing(TaskBehavior):
    """Hands itself to a helper."""

    def step(self) -> bool:
        return tell(self)


class Nested(TaskBehavior):
    """Calls it in a function of a function."""

    def step(self) -> bool:
        def tell() -> None:
            self.goal(True)

        tell()
        return True


class Above(TaskBehavior):
    """Calls the method of its base."""

    @property
    def told(self) -> bool:
        super().goal(True)
        return True


class Inherits(Forever):
    """Nothing of its own."""


class Hidden(TaskBehavior):
    """Has a method whose source nobody can read."""

    trick: Any = staticmethod(print)


class Talking(Machine):
    """A machine that tells goals itself."""

    only = State(Probe, final=True)
    transitions = (start(only),)

    def finish(self) -> None:
        super().finish()
        self.goal(True)


@pytest.mark.parametrize("behavior", [Forever, Fixate, Each, Handing, Nested, Above, Inherits, Hidden, Talking])
def test_who_may_call_goal_may_say_it(behavior: type[TaskBehavior]) -> None:
    """Itself, in any function, or by handing itself to somebody; and whoever cannot be read."""
    assert says(behavior, "goal")


@pytest.mark.parametrize("behavior", [Probe, Finder, Reach, Grasp, Postural, Pickup])
def test_who_never_calls_goal_never_says_it(behavior: type[TaskBehavior]) -> None:
    """Another thing's attribute of that name is no call: reach has a plan with a goal."""
    assert not says(behavior, "goal")


def test_reach_publishes_and_grasp_does_not() -> None:
    """The same for parameter-set."""
    assert says(Reach, "publish")
    assert not says(Grasp, "publish")


class Bound(TaskBehavior):
    """Has the method under another name."""

    yes = partialmethod(TaskBehavior.goal, True)

    def step(self) -> bool:
        self.yes()
        return True


class Cached(TaskBehavior):
    """Has it from a property."""

    @cached_property
    def teller(self) -> Callable[..., None]:
        return self.goal

    def step(self) -> bool:
        self.teller(True)
        return True


@pytest.mark.parametrize("behavior", [Bound, Cached])
def test_what_is_not_understood_may_say_it(behavior: type[TaskBehavior]) -> None:
    """Whatever makes something of itself when it is looked up."""
    assert says(behavior, "goal")
