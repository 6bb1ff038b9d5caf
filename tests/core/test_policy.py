"""Who may have a chain beside whom, and what comes of several commands for one joint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix.core import (
    Arbiter,
    Command,
    Event,
    EventStream,
    Failure,
    FailureKind,
    ParameterError,
    SimulatedClock,
    TaskMatrixError,
)
from taskmatrix.core.robot.filters import CollisionGuard
from taskmatrix.core.robot.plans import VIEW, Contact, TaskObjective
from taskmatrix.core.robot.policy import Exclusive, Policy, Subsumption, Sum
from taskmatrix.core.robot.skillset import SkillSet
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench

CHAINS = {"base": (0, 1), "arm": (2, 3), "head": (4,)}
START = np.zeros(5)


def arbiter(policy: Policy, events: list[Event] | None = None, *filters: Any) -> Arbiter:
    stream = EventStream(SimulatedClock())
    if events is not None:
        stream.subscribe(events.append)
    return Arbiter(CHAINS, START, stream, filters, policy)


def send(
    arbiter: Arbiter, owner: str, joints: list[int], q: list[float], objective: TaskObjective | None = None
) -> None:
    zero = np.zeros(len(joints))
    arbiter.command(owner, np.array(joints), np.array(q), zero, zero, objective)


class Keen(Subsumption):
    """Keeps what it was given."""

    objectives: Sequence[TaskObjective] = ()

    def combine(self, commands: Any, last: Array, before: Array) -> tuple[Array, Array, Array]:
        self.objectives = list(commands[0].objectives)
        return super().combine(commands, last, before)


class Knowing(Subsumption):
    """Tells which of its kind are asked."""

    skills: SkillSet
    asked: ClassVar[list[Knowing]] = []

    def bind(self, skills: SkillSet, dt: float) -> Self:
        bound = super().bind(skills, dt)
        bound.skills = skills
        return bound

    def combine(self, commands: Any, last: Array, before: Array) -> tuple[Array, Array, Array]:
        self.asked.append(self)
        return super().combine(commands, last, before)


class Forgetful(Sum):
    """Takes what it needs, and gives nothing back."""

    def bind(self, skills: SkillSet, dt: float) -> Any:
        self.dt = dt


def test_shared_chains_are_granted_to_all_and_it_is_told() -> None:
    """Who comes second is told with whom it shares; the owner is who has had it longest."""
    events: list[Event] = []
    both = arbiter(Sum(), events)
    assert both.claim("reach", ["base", "arm"]) is None
    assert both.claim("look", ["head", "base"]) is None
    assert both.owner("base") == "reach"
    assert both.granted("look") == ("head", "base")
    assert_allclose(both.shared("look"), [0, 1])
    assert [event.data.get("shared") for event in events] == [None, {"base": ["reach"]}]
    both.release("reach")
    assert both.owner("base") == "look"
    assert len(both.shared("look")) == 0


def test_unless_it_is_asked_for_nothing_is_shared() -> None:
    """An arbiter has one owner a chain."""
    alone = arbiter(Exclusive())
    assert alone.claim("reach", ["base"]) is None
    busy = alone.claim("look", ["base"])
    assert busy is not None
    assert busy.kind is FailureKind.CHAIN_BUSY


@pytest.mark.parametrize(("order", "base"), [(("look",), 2.0), (("reach",), 1.0), ((), 1.0)])
def test_who_comes_first_replaces_the_others_joint_by_joint(order: tuple[str, ...], base: float) -> None:
    """By the order of names, else by who was granted first; the others' other joints go out."""
    both = arbiter(Subsumption(order))
    both.claim("task/reach#2", ["base", "arm"])
    both.claim("look", ["head", "base"])
    send(both, "task/reach#2", [0, 2], [1.0, 1.0])
    send(both, "look", [0, 4], [2.0, 2.0])
    command = both.resolve()
    assert_allclose(command.q, [base, 0, 1, 0, 2])
    send(both, "look", [0, 4], [3.0, 3.0])
    assert_allclose(both.resolve().q, [3, 0, 1, 0, 3])


def test_a_joint_answers_to_the_first_that_commands_it() -> None:
    """The guard holds those that come last first, and of them nothing that the first moves."""

    def contacts(q: Array) -> list[Contact]:
        return [Contact("head", "wall", -0.01)] if q[4] > 1.0 else []

    both = arbiter(Subsumption(["reach"]), None, CollisionGuard(contacts))
    both.claim("look", ["head", "base"])
    both.claim("reach", ["base", "arm"])
    send(both, "look", [0, 4], [2.0, 2.0])
    send(both, "reach", [0, 2], [1.0, 1.0])
    command = both.resolve()
    assert_allclose(command.q, [1, 0, 1, 0, 0])
    assert [(owner, joints.tolist()) for owner, joints in command.owners] == [("reach", [0, 2]), ("look", [4])]
    assert both.blocked("look") is not None
    assert both.blocked("reach") is None


def test_steps_add_up() -> None:
    """Those of all who command a joint."""
    both = arbiter(Sum())
    for owner, step in (("one", 0.1), ("two", -0.3)):
        both.claim(owner, ["arm"])
        send(both, owner, [2], [step])
    assert_allclose(both.resolve().q, [0, 0, -0.2, 0, 0])


def test_aims_go_along_with_a_command_and_end_where_all_of_it_matters() -> None:
    """Of several commands in a step all objectives count; of one without an objective every joint does."""
    policy = Keen()
    one = arbiter(policy)
    one.claim("look", ["head", "arm"])
    send(one, "look", [4], [1.0], TaskObjective(VIEW))
    send(one, "look", [2], [1.0], TaskObjective("left", 0.1))
    one.resolve()
    assert policy.objectives == [TaskObjective(VIEW), TaskObjective("left", 0.1)]
    send(one, "look", [4], [1.0], TaskObjective(VIEW))
    send(one, "look", [4], [2.0], TaskObjective("left"))
    one.resolve()
    assert policy.objectives == [TaskObjective("left")]
    send(one, "look", [4], [1.0], TaskObjective(VIEW))
    send(one, "look", [2], [1.0])
    one.resolve()
    assert policy.objectives == []


def test_a_hold_is_of_the_joints_that_are_its_owners() -> None:
    """A filter that holds an owner finds it under its joints."""

    def hold(command: Command, q: Array) -> Command:
        owner, joints = command.owners[-1]
        return command.holding(joints, q, owner, Failure(FailureKind.COLLISION, "test", "no"))

    both = arbiter(Sum(["two"]), None, hold)
    both.claim("one", ["arm"])
    both.claim("two", ["arm"])
    send(both, "one", [2, 3], [1.0, 1.0])
    send(both, "two", [2], [1.0])
    assert_allclose(both.resolve().q, [0, 0, 2, 0, 0])


@pytest.mark.parametrize(
    ("order", "words"), [("reach", "a sequence of names, not 'reach'"), (("a", "a"), "once, not a, a"), ((3,), "names")]
)
def test_a_wrong_order_is_refused(order: Any, words: str) -> None:
    """A word is no sequence of names."""
    with pytest.raises(ParameterError, match=words):
        Subsumption(order)


def test_each_session_has_a_policy_of_its_own() -> None:
    """It knows the robot of that session, and leaves the instance as it was given, for any number of others."""
    given = Knowing(["reach"])
    benches = [Bench(policy=given) for _ in range(2)]
    for bench in benches:
        bench.context.arbiter.resolve()
    assert [each.skills for each in Knowing.asked] == [bench.skills for bench in benches]
    assert vars(given) == {"order": ("reach",)}


def test_a_policy_that_makes_none_for_a_session_is_refused() -> None:
    """With what it has to return."""
    with pytest.raises(TaskMatrixError, match=r"bind\(\) of Forgetful returned None; .* return .*super\(\)\.bind"):
        Bench(policy=Forgetful())
