"""What does not leave."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix.core import (
    Arbiter,
    CollisionGuard,
    Command,
    Contact,
    Event,
    EventStream,
    LimitFilter,
    SimulatedClock,
)
from taskmatrix.core.robot.filters import BRAKING, Brake
from taskmatrix.core.robot.plans import VIEW, TaskObjective
from taskmatrix.core.world.objects import Array

HERE = np.zeros(3)


def command(q: list[float], *owners: tuple[str, int]) -> Command:
    return Command(np.array(q), np.ones(3), np.ones(3), tuple((name, np.array([joint])) for name, joint in owners))


def test_limits_clip_positions_steps_and_velocities() -> None:
    """No command leaves its joint limits, and no step is longer than the velocity limit allows."""
    limits = LimitFilter(np.full(3, -1.0), np.full(3, 1.0), np.array([10.0, 1000.0, 0.5]), dt=0.1)
    near = limits(command([5.0, 5.0, 0.5]), HERE)
    assert_allclose(near.q, [1.0, 1.0, 0.05])
    assert_allclose(near.v, [1.0, 1.0, 0.5])
    far = limits(command([-5.0, 0.3, 0.0]), np.array([0.5, 0.3, 0.0]))
    assert_allclose(far.q, [-0.5, 0.3, 0.0])


def test_limits_of_random_commands_always_hold() -> None:
    """Step after step, whatever is asked for."""
    random = np.random.default_rng(1)
    limits = LimitFilter(np.full(3, -1.0), np.full(3, 2.0), np.full(3, 3.0), dt=0.01)
    q = HERE
    for _ in range(200):
        after = limits(command(random.normal(0, 5, 3).tolist()), q).q
        assert (after >= -1.0).all()
        assert (after <= 2.0).all()
        assert (np.abs(after - q) <= 0.03 + 1e-12).all()
        q = after


def meets(*joints: int) -> CollisionGuard:
    """A guard in a world where these joints must not all be away from zero."""

    def contacts(q: Array) -> list[Contact]:
        return [Contact("hand", "table", -0.01)] if all(q[joint] != 0 for joint in joints) else []

    return CollisionGuard(contacts)


ALL = (("first", 0), ("second", 1), ("third", 2))


@pytest.mark.parametrize(
    ("joints", "held"),
    [
        ((1, 2), ["third"]),
        ((0, 1), ["second"]),
        ((0, 1, 2), ["third"]),
        ((0,), ["first"]),
    ],
)
def test_of_those_in_the_way_the_one_granted_last_holds(joints: tuple[int, ...], held: list[str]) -> None:
    """It is told the pair and the distance; the others go on, also one that was granted later and is not involved."""
    guarded = meets(*joints)(command([0.1, 0.1, 0.1], *ALL), HERE)
    assert list(guarded.blocked) == held
    for owner, index in (("first", 0), ("second", 1), ("third", 2)):
        assert (guarded.q[index], guarded.v[index]) == ((0.0, 0.0) if owner in held else (0.1, 1.0))
    failure = guarded.blocked[held[0]]
    assert failure.kind.value == "collision"
    assert failure.facts == {"pair": ("hand", "table"), "distance": -0.01, "at": "next step"}


def test_where_one_is_not_enough_all_hold() -> None:
    """Two bodies driven into two others: nothing moves."""

    def contacts(q: Array) -> list[Contact]:
        return [Contact("hand", "table", -0.01)] if q[0] != 0 or q[1] != 0 else []

    guarded = CollisionGuard(contacts)(command([0.1, 0.1, 0.1], *ALL), HERE)
    assert_allclose(guarded.q, HERE)
    assert set(guarded.blocked) == {"first", "second", "third"}


@pytest.mark.parametrize(("objective", "goes_on"), [(TaskObjective(VIEW), True), (TaskObjective("left"), False)])
def test_of_who_only_wants_to_see_the_joint_in_the_way_holds(objective: TaskObjective, goes_on: bool) -> None:
    """The others turn the view on; a hand that left its path joint by joint would go where nobody planned."""
    told: list[Event] = []
    stream = EventStream(SimulatedClock())
    stream.subscribe(told.append)
    arbiter = Arbiter({"head": (0, 1, 2)}, HERE, stream, [meets(1)])
    arbiter.claim("look", ["head"])
    arbiter.command("look", np.arange(3), np.full(3, 0.1), np.ones(3), np.zeros(3), objective)
    sent = arbiter.resolve()
    assert_allclose(sent.q, [0.1, 0.0, 0.1] if goes_on else HERE)
    failure = arbiter.blocked("look")
    assert failure is not None
    assert failure.facts["pair"] == ("hand", "table")
    assert "blocked" in {event.kind for event in told}


def pressed(q: Array) -> list[Contact]:
    """A hand is as deep in a table as the first joint says, a foot in a stool as the second."""
    names = (("hand", "table"), ("foot", "stool"))
    return [Contact(*names[k], float(-q[k])) for k in range(2) if q[k] > 0]


@pytest.mark.parametrize("deep", [0.004, 0.1])
def test_what_is_in_contact_may_move_where_it_does_not_go_deeper(deep: float) -> None:
    """However deep somebody has put a table round a hand, it may leave it, and the other arm may move."""
    guard, here = CollisionGuard(pressed), np.array([deep, 0.0, 0.0])
    for out in ([deep - 0.001, 0.0, 0.1], [deep, 0.0, 0.1], [-0.1, 0.0, 0.1]):
        assert not guard(command(out, *ALL), here).blocked
    deeper = guard(command([deep + 0.001, 0.0, 0.1], *ALL), here)
    assert list(deeper.blocked) == ["first"]
    assert_allclose(deeper.q, [deep, 0.0, 0.1])


def test_each_pair_in_contact_counts_by_itself() -> None:
    """That the hand comes out of the table does not let the foot into the stool, where it is less deep."""
    guard, here = CollisionGuard(pressed), np.array([0.05, 0.01, 0.0])
    guarded = guard(command([0.04, 0.02, 0.0], *ALL), here)
    assert list(guarded.blocked) == ["second"]
    assert_allclose(guarded.q, [0.04, 0.01, 0.0])


def test_legs_in_mid_step_and_as_they_will_stand_count_by_themselves() -> None:
    """A foot that stands in a stool may come out of it while it is lifted, and may not come to it with its swing."""

    def contacts(q: Array) -> list[Contact]:
        foot = ("foot", "stool")
        return [*([Contact(*foot, float(-q[0]))] if q[0] > 0 else []), Contact(*foot, float(-q[1]), standing=True)]

    guard, here = CollisionGuard(contacts), np.array([0.001, 0.01, 0.0])
    lifted = guard(command([-0.002, 0.009, 0.0], *ALL), here)
    assert not lifted.blocked
    assert set(guard(command([0.002, 0.008, 0.0], *ALL), lifted.q).blocked) == {"first"}


def test_on_the_way_out_contact_gets_deeper_by_half_a_millimetre_at_most_however_many_the_steps() -> None:
    """Bodies are not flat; but creeping into something is not letting out."""
    guard, q = CollisionGuard(pressed), np.array([0.010, 0.0, 0.0])
    q = guard(command([0.008, 0.0, 0.0], *ALL), q).q
    for _ in range(50):
        q = guard(command([float(q[0]) + 0.0001, 0.0, 0.0], *ALL), q).q
    assert 0.0080 < q[0] <= 0.0085 + 1e-9


def test_what_does_not_move_is_not_checked() -> None:
    """A robot at rest may be touched by others; holding it would change nothing."""
    guard = CollisionGuard(lambda q: pytest.fail("no check is needed"))
    for still in (command([0.0, 0.0, 0.0], ("first", 0)), command([0.0, 0.0, 0.0])):
        assert guard(still, HERE) is still


def braked(brake: Brake, steps: list[list[float]], *owners: tuple[str, int]) -> list[Array]:
    """Positions that go out when these are commanded in turn; a joint that is not has the position of before."""
    out, before = [], HERE
    for q in steps:
        before = brake(command(q, *owners), before).q
        out.append(before)
    return out


def test_what_is_commanded_no_more_comes_to_rest_within_its_acceleration() -> None:
    """One joint goes on to be commanded, one rests, one was fast and is let go."""
    brake = Brake(np.full(3, 100.0), dt=0.01)
    q = braked(brake, [[0.1, 0.0, 0.035]], ("arm", 0), ("leg", 2))[-1]
    steps = []
    for k in range(6):
        after = brake(command([0.1 * k, *q[1:]], ("arm", 0)), q)
        steps.append(after.q[2] - q[2])
        q = after.q
    assert_allclose(steps, [0.025, 0.015, 0.005, 0.0, 0.0, 0.0], atol=1e-12)
    assert q[0] == 0.5
    assert q[1] == 0.0


def test_a_base_that_cannot_slide_brakes_along_its_heading() -> None:
    """Straight on, however its speed is shared between x and y; and round the bend where it turns meanwhile."""
    for turn in (0.0, 0.06):
        brake = Brake(np.full(3, 100.0), dt=0.01, holonomic=False)
        q = np.array([0.08 * np.cos(turn / 2), 0.08 * np.sin(turn / 2), turn])
        brake(command([0.0, 0.0, 0.0]), HERE)
        steps = []
        for _ in range(10):
            after = brake(command(list(q)), q).q
            steps.append(after - q)
            yaw = (after[2] + q[2]) / 2
            assert abs(np.cos(yaw) * steps[-1][1] - np.sin(yaw) * steps[-1][0]) < 1e-12
            q = after
        assert_allclose([np.hypot(*step[:2]) for step in steps[:4]], [0.07, 0.06, 0.05, 0.04], atol=1e-12)
        assert_allclose(steps[-1], 0.0)


def test_where_braking_would_touch_something_it_stops_dead() -> None:
    """It holds before those who command."""
    brake = Brake(np.full(3, 100.0), dt=0.01)
    guard = CollisionGuard(lambda q: [Contact("foot", "wall", -0.01)] if q[2] > 0.036 else [])
    q = braked(brake, [[0.1, 0.0, 0.035]], ("arm", 0), ("leg", 2))[-1]
    after = guard(brake(command([0.2, 0.0, 0.035], ("arm", 0)), q), q)
    assert_allclose(after.q, [0.2, 0.0, 0.035])
    assert list(after.blocked) == [BRAKING]
