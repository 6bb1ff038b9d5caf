"""Behaviors and conditions that do what a test tells them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from taskmatrix.core import Condition, Context, Failure, FailureKind, Output, Parameter, Plan, TaskBehavior, Verdict
from taskmatrix.core.behavior.requirement import Requirement
from taskmatrix.core.robot.plans import Job


def untyped(function: Any) -> Any:
    """For calls that the type checker would refuse, as the library has to."""
    return function


class Told(Condition):
    """Holds or not, as it is told."""

    def __init__(self, holds: object, why: object = "it was told so") -> None:
        super().__init__(holds=holds, why=why)

    def evaluate(self, context: Context) -> Verdict:
        why = str(self.arguments["why"])
        return Verdict(bool(self.arguments["holds"]), why, {why: self.arguments["holds"]})


class Once(Condition):
    """Holds the first time it is asked, and never again."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def evaluate(self, context: Context) -> Verdict:
        self.asked += 1
        return Verdict(self.asked == 1, f"asked {self.asked} times", {"asked": self.asked})


class Probe(TaskBehavior):
    """Owns a chain, plans if asked, moves the chain for some steps, and has trouble in the hook it is told."""

    chain = Parameter(str, default="")
    planning = Parameter(bool, default=False)
    steps = Parameter(int, default=1)
    trouble = Parameter(str, default="", doc="hook:fail, hook:raise or hook:interrupt; several with commas")
    number = Parameter(int, default=0)

    found = Output(int)
    finished = 0  # how often the present run was cleaned up

    def requirements(self) -> Iterable[Requirement]:
        self._trouble("requirements")
        return super().requirements()

    def preconditions(self) -> Sequence[Condition]:
        self._trouble("preconditions")
        return [Told(holds="precondition:fail" not in self.trouble)]

    def inconditions(self) -> Sequence[Condition]:
        self._trouble("inconditions")
        return [Told(holds="incondition:fail" not in self.trouble)]

    def required_chains(self) -> Sequence[str] | Failure:
        self.drawn: list[int] = []
        self.finished = 0
        return self._trouble("required_chains") or ([self.chain] if self.chain else [])

    def plan(self) -> Job | Failure | None:
        self.count, self.asked = 0, 0
        self.drawn.append(int(self.random.integers(2**31)))
        trouble = self._trouble("plan")
        if trouble or not self.planning:
            return trouble
        return self.context.skills.plan_to_configuration({3: 0.1}, 0.1, self.drawn[-1], self.planning_time)

    def planned(self, plan: Plan) -> Failure | None:
        return self._trouble("planned")

    def step(self) -> Failure | bool:
        trouble = self._trouble("step")
        if trouble:
            return trouble
        if self.chain:
            joints = self.context.skills.joints(self.chain)
            self.command(joints, self.context.arbiter.last[joints] + 0.005)
        self.count += 1
        return self.count >= self.steps

    def achieved(self) -> Failure | bool:
        self.asked += 1
        return self._trouble("achieved") or "achieved:later" not in self.trouble or self.asked > 3

    def finish(self) -> None:
        self.finished += 1
        self._trouble("finish")

    def _trouble(self, hook: str) -> Failure | None:
        if f"{hook}:raise" in self.trouble:
            raise ValueError(f"trouble in {hook}")
        if f"{hook}:interrupt" in self.trouble:
            raise KeyboardInterrupt
        if f"{hook}:fail" in self.trouble:
            return self.fail(FailureKind.TRACKING, f"trouble in {hook}")
        return None


class Forever(TaskBehavior):
    """Never ends by itself; says in every step that the goal is achieved."""

    chain = Parameter(str, default="")

    def required_chains(self) -> Sequence[str]:
        return [self.chain] if self.chain else []

    def step(self) -> bool:
        self.goal(True)
        return False


class Finder(TaskBehavior):
    """Finds a number in its second step."""

    value = Parameter(int, default=7)
    found = Output(int)

    def plan(self) -> None:
        self.count = 0

    def step(self) -> bool:
        self.count += 1
        if self.count == 2:
            self.publish(found=self.value)
        return self.count == 2


class Each(TaskBehavior):
    """Calls a function in every step; ends when it says so."""

    def __init__(self, do: Callable[[TaskBehavior], bool], *, name: str | None = None) -> None:
        super().__init__(name=name)
        self._do = do

    def step(self) -> bool:
        return self._do(self)
