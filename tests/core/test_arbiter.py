"""Who owns the joints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix.core import (
    Arbiter,
    ChainError,
    Command,
    Event,
    EventStream,
    Failure,
    FailureKind,
    NotFoundError,
    SimulatedClock,
)
from taskmatrix.core.world.objects import Array

CHAINS = {"base": (0, 1), "arm": (2, 3), "hand": (3, 4), "head": (5,)}  # arm and hand share a joint
START = np.arange(6.0)


@pytest.fixture
def events() -> list[Event]:
    return []


@pytest.fixture
def arbiter(events: list[Event]) -> Arbiter:
    stream = EventStream(SimulatedClock())
    stream.subscribe(events.append)
    return Arbiter(CHAINS, START, stream)


def send(arbiter: Arbiter, owner: str, joints: list[int], q: Any, *va: Any) -> None:
    zero = np.zeros(len(joints))
    arbiter.command(owner, np.array(joints), q, *(va or (zero, zero)))


def test_a_chain_has_one_owner(arbiter: Arbiter, events: list[Event]) -> None:
    """Granted until it is released; who asks meanwhile is told who has it."""
    assert arbiter.claim("reach", ["base", "arm"]) is None
    busy = arbiter.claim("wave", ["head", "arm"])
    assert busy is not None
    assert busy.kind is FailureKind.CHAIN_BUSY
    assert busy.facts == {"chain": "arm", "held_by": "reach"}
    assert arbiter.granted("reach") == ("base", "arm")
    arbiter.release("reach")
    assert arbiter.claim("wave", ["head", "arm"]) is None
    told = [(event.kind, event.source, event.data["chains"]) for event in events]
    assert told == [
        ("grant", "reach", ["base", "arm"]),
        ("release", "reach", ["base", "arm"]),
        ("grant", "wave", ["head", "arm"]),
    ]


def test_all_chains_or_none(arbiter: Arbiter) -> None:
    """A claim that fails for one chain takes none of the others, also if the chain does not exist."""
    arbiter.claim("reach", ["arm"])
    assert arbiter.claim("wave", ["head", "base", "arm"]) is not None
    with pytest.raises(NotFoundError, match="no chain 'heat'; did you mean 'head'"):
        arbiter.claim("wave", ["base", "heat"])
    assert arbiter.granted("wave") == ()
    assert arbiter.owner("head") is arbiter.owner("base") is None


def test_chains_that_share_a_joint_exclude_each_other(arbiter: Arbiter) -> None:
    """Ownership is of joints: a chain is taken when one of its joints is. One owner may have both."""
    arbiter.claim("reach", ["arm"])
    assert arbiter.owner("hand") == "reach"
    assert arbiter.claim("wave", ["hand"]) is not None
    assert arbiter.claim("reach", ["hand"]) is None
    arbiter.release("reach", ["arm"])
    assert arbiter.owner("arm") == "reach"


@pytest.mark.parametrize(
    ("joints", "q", "complaint"),
    [
        ([2, 5], [0, 0], r"'reach' commands joints \[5\] that it does not own; it owns \('arm',\)"),
        ([2, 3], [0, np.nan], "a position that is not a finite number"),
        ([2, 3], [0, np.inf], "a position that is not a finite number"),
        ([2, 3], [0, 0, 0], r"commands 2 joints with a position of shape \(3,\)"),
        ([2, 3], 0.0, r"commands 2 joints with a position of shape \(\)"),
    ],
)
def test_a_wrong_command_is_an_error_of_its_sender(arbiter: Arbiter, joints: list[int], q: Any, complaint: str) -> None:
    """It is refused at once, and does not spoil the step of the others."""
    arbiter.claim("reach", ["arm"])
    with pytest.raises(ChainError, match=complaint):
        send(arbiter, "reach", joints, q)
    assert_allclose(arbiter.resolve().q, START)


@pytest.mark.parametrize(("v", "a", "what"), [([np.nan, 0], [0, 0], "velocity"), ([0, 0], [0, np.inf], "acceleration")])
def test_velocities_and_accelerations_are_finite_too(arbiter: Arbiter, v: Any, a: Any, what: str) -> None:
    """The complaint says which of the three it was."""
    arbiter.claim("reach", ["arm"])
    with pytest.raises(ChainError, match=f"a {what} that is not a finite number"):
        send(arbiter, "reach", [2, 3], [0, 0], v, a)


def test_nobody_commands_without_a_grant(arbiter: Arbiter) -> None:
    """Neither before nor after."""
    with pytest.raises(ChainError, match="does not own"):
        send(arbiter, "reach", [2], [0.0])
    arbiter.claim("reach", ["arm"])
    arbiter.release("reach")
    with pytest.raises(ChainError, match="does not own"):
        send(arbiter, "reach", [2], [0.0])


def test_commands_are_merged_in_the_order_of_the_grants(arbiter: Arbiter) -> None:
    """What all ask for goes out together; the rest holds still where it was."""
    arbiter.claim("reach", ["arm"])
    arbiter.claim("look", ["head"])
    send(arbiter, "look", [5], [9.0], [0.5], [0.25])
    send(arbiter, "reach", [3], [7.0])
    command = arbiter.resolve()
    assert_allclose(command.q, [0, 1, 2, 7, 4, 9])
    assert_allclose(command.v, [0, 0, 0, 0, 0, 0.5])
    assert_allclose(command.a, [0, 0, 0, 0, 0, 0.25])
    assert [owner for owner, _ in command.owners] == ["reach", "look"]
    assert_allclose(arbiter.last, command.q)


def test_who_comes_back_was_granted_last(arbiter: Arbiter) -> None:
    """The order is that of the grants in force, and it decides who holds in danger."""
    arbiter.claim("reach", ["arm"])
    arbiter.claim("look", ["head"])
    arbiter.release("reach")
    arbiter.claim("reach", ["arm"])
    send(arbiter, "reach", [3], [7.0])
    send(arbiter, "look", [5], [9.0])
    assert [owner for owner, _ in arbiter.resolve().owners] == ["look", "reach"]


def test_where_nothing_is_commanded_everything_holds(arbiter: Arbiter) -> None:
    """The step after a command holds its positions at rest."""
    arbiter.claim("look", ["head"])
    send(arbiter, "look", [5], [9.0], [0.5], [0.0])
    arbiter.resolve()
    command = arbiter.resolve()
    assert_allclose(command.q, [0, 1, 2, 3, 4, 9])
    assert not command.v.any()
    assert command.owners == ()


def test_the_last_command_of_a_step_counts(arbiter: Arbiter) -> None:
    """A second command replaces the first for the joints that both name, and joins it for the others."""
    arbiter.claim("reach", ["arm"])
    send(arbiter, "reach", [2, 3], [10, 11])
    send(arbiter, "reach", [3], [12])
    assert_allclose(arbiter.resolve().q, [0, 1, 10, 12, 4, 5])


def test_a_command_is_taken_as_it_was(arbiter: Arbiter) -> None:
    """Whoever changes his array afterwards, or what he was given, changes nothing."""
    arbiter.claim("look", ["head"])
    mine = np.array([9.0])
    send(arbiter, "look", [5], mine)
    mine[0] = 100.0
    arbiter.last[5] = 100.0
    assert_allclose(arbiter.resolve().q[5], 9.0)


def test_what_is_given_back_holds(arbiter: Arbiter) -> None:
    """A command for chains that are released in the same step does not go out, that for the others does."""
    arbiter.claim("reach", ["base", "arm"])
    send(arbiter, "reach", [0, 2], [20, 21])
    arbiter.release("reach", ["arm"])
    arbiter.claim("wave", ["arm"])
    assert_allclose(arbiter.resolve().q, [20, 1, 2, 3, 4, 5])
    send(arbiter, "wave", [2], [22])
    arbiter.release("wave")
    assert_allclose(arbiter.resolve().q, [20, 1, 2, 3, 4, 5])


def test_releasing_nothing_tells_nothing(arbiter: Arbiter, events: list[Event]) -> None:
    """Only what changes is an event."""
    arbiter.release("nobody")
    assert arbiter.claim("nobody", []) is None
    assert events == []


def test_a_blocked_owner_is_told_until_it_goes_out_again(events: list[Event]) -> None:
    """The filters' reason reaches the owner, the event comes once, and it is over when a command passes."""
    blocking = True

    def guard(command: Command, q: Array) -> Command:
        if not blocking or not command.owners:
            return command
        owner, joints = command.owners[0]
        return command.holding(joints, q, owner, Failure(FailureKind.COLLISION, "guard", "no"))

    stream = EventStream(SimulatedClock())
    stream.subscribe(events.append)
    arbiter = Arbiter(CHAINS, START, stream, [guard])
    arbiter.claim("look", ["head"])
    for _ in range(2):
        send(arbiter, "look", [5], [9.0], [1.0], [0.0])
        command = arbiter.resolve()
        assert_allclose(command.q, START)
        assert not command.v.any()
        blocked = arbiter.blocked("look")
        assert blocked is not None
        assert blocked.message == "no"
    assert [event.source for event in events if event.kind == "blocked"] == ["look"]
    arbiter.release("look")
    assert arbiter.blocked("look") is None
    arbiter.claim("look", ["head"])
    send(arbiter, "look", [5], [9.0])
    arbiter.resolve()
    assert arbiter.blocked("look") is not None
    blocking = False
    send(arbiter, "look", [5], [9.0])
    arbiter.resolve()
    assert arbiter.blocked("look") is None
