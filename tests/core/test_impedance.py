"""How hard joints are driven, from a behavior to the plant."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix.core import (
    Arbiter,
    ChainError,
    Command,
    EventStream,
    Failure,
    FailureKind,
    LimitFilter,
    Policy,
    SimulatedClock,
)
from taskmatrix.core.robot.filters import Brake
from taskmatrix.core.robot.impedance import Impedance
from taskmatrix.core.robot.policy import Subsumption, Sum

N = 4
ARM, HEAD = np.array([1, 2]), np.array([3])


def springs(torque: float, stiffness: float, damping: float, joints: int = 2) -> Impedance:
    return Impedance(*(np.full(joints, value) for value in (torque, stiffness, damping)))


def arbiter(policy: Policy | None = None, filters: list[LimitFilter | Brake] | None = None) -> Arbiter:
    chains = {"arm": [1, 2], "head": [3]}
    return Arbiter(chains, np.zeros(N), EventStream(SimulatedClock()), filters or [], policy, impedance_joints=[1, 2])


def send(to: Arbiter, owner: str, joints: np.ndarray, impedance: Impedance | None = None, q: float = 0.1) -> None:
    still = np.zeros(len(joints))
    to.command(owner, joints, still + q, still, still, impedance=impedance)


def test_what_one_behavior_asks_for_goes_out_and_nothing_is_asked_of_the_others() -> None:
    """A joint that nobody says anything of is driven by the plant's own control."""
    made = arbiter()
    made.claim("soft", ["arm"])
    made.claim("look", ["head"])
    send(made, "soft", ARM, springs(1.0, 20.0, 2.0))
    send(made, "look", HEAD)
    command = made.resolve()
    assert command.impedance is not None
    assert command.impedance.driven.tolist() == [False, True, True, False]
    assert_allclose(command.impedance.of(ARM).stiffness, 20.0)
    send(made, "look", HEAD)
    assert made.resolve().impedance is None


def test_two_commands_of_one_behavior_keep_each_its_own() -> None:
    """A later one for other joints does not undo the first."""
    made = arbiter()
    made.claim("soft", ["arm", "head"])
    send(made, "soft", ARM, springs(1.0, 20.0, 2.0))
    send(made, "soft", HEAD)
    impedance = made.resolve().impedance
    assert impedance is not None
    assert impedance.driven.tolist() == [False, True, True, False]


@pytest.mark.parametrize(
    ("impedance", "said"),
    [
        (springs(0.0, -1.0, 0.0), "'soft' commands a stiffness below 0: [-1.0, -1.0]"),
        (springs(0.0, 1.0, -2.0), "'soft' commands a damping below 0: [-2.0, -2.0]"),
        (springs(np.inf, 1.0, 0.0), "'soft' commands a torque that is not finite: [inf, inf]"),
        (springs(0.0, 1.0, 0.0, joints=3), "'soft' commands 2 joints with a torque of shape (3,)"),
    ],
)
def test_springs_that_cannot_be_are_refused(impedance: Impedance, said: str) -> None:
    """With the numbers; and nothing of the command is kept."""
    made = arbiter()
    made.claim("soft", ["arm"])
    with pytest.raises(ChainError) as error:
        send(made, "soft", ARM, impedance)
    assert str(error.value) == said
    assert made.resolve().owners == ()


def test_a_joint_that_the_plant_drives_by_itself_is_named() -> None:
    """The head, here."""
    made = arbiter()
    made.claim("soft", ["head"])
    with pytest.raises(ChainError, match=r"how hard to drive joints \[3\], which this plant does by itself"):
        send(made, "soft", HEAD, springs(0.0, 1.0, 1.0, joints=1))
    send(made, "soft", HEAD, Impedance.none(1))


def test_a_joint_that_was_a_spring_is_held_where_it_is() -> None:
    """Not where it was told to be: nothing jumps, and nothing coasts on."""
    brake = Brake(np.full(N, 10.0), 0.01)
    made = arbiter(filters=[brake])
    made.claim("soft", ["arm"])
    send(made, "soft", ARM, springs(0.0, 5.0, 1.0))
    made.resolve()
    made.sense(np.array([0.0, 0.4, -0.3, 0.0]))
    made.release("soft")
    for _ in range(3):
        command = made.resolve()
        assert_allclose(command.q, [0.0, 0.4, -0.3, 0.0])
        assert command.impedance is None


def test_who_is_held_is_held_by_the_plant() -> None:
    """A spring would be pushed into what is in the way."""
    command = Command(np.ones(N), np.ones(N), np.ones(N), impedance=springs(1.0, 5.0, 1.0, joints=N))
    held = command.holding(ARM, np.zeros(N), "soft", Failure(FailureKind.COLLISION, "guard", "in the way"))
    assert held.impedance is not None
    assert held.impedance.asked.tolist() == [True, False, False, True]


def test_torques_are_clipped_to_what_the_motors_give() -> None:
    """As velocities are to their limits; of a joint without a limit none is."""
    far, effort = np.full(N, np.inf), np.array([1.0, 2.0, 3.0, np.inf])
    limits = LimitFilter(-far, far, far, 0.01, effort)
    still = np.zeros(N)
    command = limits(Command(still, still, still, impedance=springs(-5.0, 9.0, 9.0, joints=N)), still)
    assert command.impedance is not None
    assert_allclose(command.impedance.torque, [-1.0, -2.0, -3.0, -5.0])
    assert_allclose(command.impedance.stiffness, 9.0)


@pytest.mark.parametrize(
    ("policy", "stiffness"), [(Sum(), 25.0), (Subsumption(["second"]), 5.0), (Subsumption(), 20.0)]
)
def test_who_shares_a_joint_adds_to_it_or_replaces_it(policy: Policy, stiffness: float) -> None:
    """As the policy says."""
    made = arbiter(policy)
    for owner, value in (("first", 20.0), ("second", 5.0)):
        made.claim(owner, ["arm"])
        send(made, owner, ARM, springs(1.0, value, 1.0))
    impedance = made.resolve().impedance
    assert impedance is not None
    assert_allclose(impedance.of(ARM).stiffness, stiffness)


def test_what_only_one_asks_for_stays_in_the_sum() -> None:
    """A torque beside a spring."""
    only = Impedance(np.array([2.0]), np.array([np.nan]), np.array([np.nan]))
    both = only.plus(Impedance(np.array([np.nan]), np.array([7.0]), np.array([np.nan])))
    assert_allclose([*both.torque, *both.stiffness], [2.0, 7.0])
    assert np.isnan(both.damping).all()
    assert only.asked.all()
    assert not only.driven.any()


def test_springs_that_are_summed_pull_a_joint_to_where_they_are_in_balance() -> None:
    """The mean of where they would have it, by stiffness; floating ones say nothing of it, nor does a torque."""
    made = arbiter(Sum())
    for owner, impedance, q in (
        ("near", springs(1.0, 30.0, 2.0), 0.1),
        ("far", springs(2.0, 10.0, 2.0), 0.5),
        ("float", springs(4.0, 0.0, 1.0), 0.9),
    ):
        made.claim(owner, ["arm"])
        send(made, owner, ARM, impedance, q)
    command = made.resolve()
    assert command.impedance is not None
    assert_allclose(command.q[ARM], (30.0 * 0.1 + 10.0 * 0.5) / 40.0)
    assert_allclose(command.impedance.of(ARM).stiffness, 40.0)
    assert_allclose(command.impedance.of(ARM).damping, 5.0)
    assert_allclose(command.impedance.of(ARM).torque, 7.0)


def test_joints_that_float_for_all_who_are_summed_are_commanded_where_all_say_they_are() -> None:
    """And not further by each of them."""
    made = arbiter(Sum())
    for owner in ("first", "second"):
        made.claim(owner, ["arm"])
        send(made, owner, ARM, springs(1.0, 0.0, 0.0), 0.3)
    assert_allclose(made.resolve().q[ARM], 0.3)
