"""Conditions asked for states that satisfy them: composition, errors, bounded work, the same from the same seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.core import Condition, Context, NotFoundError, NotInvertibleError, PerceptualModel, Verdict
from taskmatrix.core.behavior.inversion import Space, Upright
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench, box_percept

from .samples import Told


class Between(Condition):
    """The subject's origin is between two values of a coordinate; bounded in the other two as well."""

    def __init__(self, subject: str, axis: int, low: float, high: float) -> None:
        super().__init__(subject=subject, axis=axis, low=low, high=high)
        self.subject, self.axis, self.low, self.high = subject, axis, low, high

    def evaluate(self, context: Context) -> Verdict:
        value = float(context.perception.pose(self.subject)[self.axis, 3])
        return Verdict(self.low <= value <= self.high, f"{value:.3f} on axis {self.axis}")

    def spaces(self, context: Context) -> tuple[Space, ...]:
        lower, upper = np.array([-1.0, -1.0, 1.0]), np.array([1.0, 1.0, 2.0])
        lower[self.axis], upper[self.axis] = self.low, self.high
        return (Space(self.subject, ((lambda upright: (lower, upper),),)),)


class Asked(Told):
    """Counts how often it was asked."""

    count = 0

    def evaluate(self, context: Context) -> Verdict:
        self.count += 1
        return super().evaluate(context)


LEFT, RIGHT = Between("cup", 1, 0.5, 0.6), Between("cup", 1, -0.6, -0.5)
AHEAD, OTHER = Between("cup", 0, 0.0, 1e-6), Between("pen", 0, 0.0, 1.0)
TOLD = Told(True, "told")


@pytest.fixture
def bench() -> Bench:
    return Bench([box_percept("cup", (9, 0, 1)), box_percept("pen", (-9, 0, 1))])


def places(bench: Bench, condition: Condition, count: int = 20, seed: int = 0) -> Array:
    """(k, 3) Where the poses found are."""
    poses = condition.sample(bench.context, count, np.random.default_rng(seed))
    return np.array([X_WO[:3, 3] for X_WO in poses]).reshape(-1, 3)


def test_all_proposes_what_its_parts_have_in_common(bench: Bench) -> None:
    """Not by luck: one of them is a millionth of the other."""
    found = places(bench, LEFT & AHEAD)
    assert len(found) == 20
    assert ((found[:, 1] >= 0.5) & (found[:, 1] <= 0.6) & (found[:, 0] <= 1e-6)).all()
    assert len(places(bench, LEFT & RIGHT)) == 0


def test_any_proposes_for_its_parts_in_turn(bench: Bench) -> None:
    """As many for one as for the other; where one has none, all for the other."""
    assert (places(bench, LEFT | RIGHT)[:, 1] > 0).tolist() == [True, False] * 10
    assert (places(bench, (LEFT & RIGHT) | RIGHT, 5)[:, 1] < 0).tolist() == [True] * 5
    assert (places(bench, TOLD | RIGHT, 5)[:, 1] < 0).tolist() == [True] * 5
    assert (places(bench, (LEFT | RIGHT) & AHEAD, 4)[:, 1] > 0).tolist() == [True, False] * 2


def test_what_cannot_be_inverted_lets_through(bench: Bench) -> None:
    """Within `&`, a denial and any other condition are asked about each pose that is proposed."""
    wide = Between("cup", 1, -0.6, 0.6)
    assert (np.abs(places(bench, wide & ~Between("cup", 1, -0.5, 0.5))[:, 1]) > 0.5).all()
    assert len(places(bench, wide & ~LEFT & ~RIGHT & TOLD)) == 20
    assert len(places(bench, ~~LEFT)) == 20
    assert len(places(bench, wide & Told(False))) == 0


def test_it_says_whether_it_is_invertible() -> None:
    """Of the compositions, `&` and `|` where one part is; `~` only where it undoes another."""
    assert [condition.invertible for condition in (LEFT, TOLD, ~LEFT, ~~LEFT, LEFT & TOLD, TOLD | LEFT)] == [
        True, False, False, True, True, True,
    ]  # fmt: skip
    assert not (TOLD & ~LEFT).invertible
    assert not (TOLD | TOLD).invertible
    assert not (~~TOLD).invertible


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (TOLD, "told(holds=True, why='told') cannot be inverted: it tells whether a state satisfies it"),
        (~LEFT, "~between(subject='cup', axis=1, low=0.5, high=0.6) cannot be inverted: what it leaves has no bounds"),
        (~~TOLD, "told(holds=True, why='told') cannot be inverted"),
        (TOLD & ~LEFT, "no part of it can be (told(holds=True, why='told'): it tells"),
        (TOLD | ~LEFT, "~between(subject='cup', axis=1, low=0.5, high=0.6): what it leaves"),
        (LEFT & OTHER, "its parts place different objects, 'cup' and 'pen'"),
        (LEFT | OTHER, "its parts place different objects, 'cup' and 'pen'"),
        (LEFT & (TOLD | OTHER), "its parts place different objects, 'cup' and 'pen'"),
        (Between("cup", 0, 0.0, np.inf), "nothing bounds where 'cup' may be"),
    ],
)
def test_what_cannot_be_inverted_says_which_part_and_why(bench: Bench, condition: Condition, said: str) -> None:
    """In an error with both as data."""
    with pytest.raises(NotInvertibleError) as caught:
        condition.sample(bench.context, 1, np.random.default_rng(0))
    assert said in str(caught.value)
    assert caught.value.why in str(caught.value)
    assert caught.value.part in str(caught.value)


def test_an_unknown_subject_is_an_error(bench: Bench) -> None:
    """With the nearest name."""
    with pytest.raises(NotFoundError, match="did you mean 'cup'"):
        Between("cub", 0, 0, 1).sample(bench.context, 1, np.random.default_rng(0))


def test_the_work_is_bounded(bench: Bench) -> None:
    """What is never satisfied is not asked for ever, and what can satisfy nothing is not asked at all."""
    never = Asked(False)
    assert (LEFT & never).sample(bench.context, 3, np.random.default_rng(0)) == ()
    assert never.count == 80
    unasked = Asked(True)
    assert (unasked & LEFT & RIGHT).sample(bench.context, 3, np.random.default_rng(0)) == ()
    assert unasked.count == 0


def test_none_are_found_where_none_are_asked_for(bench: Bench) -> None:
    """Zero is a number."""
    assert LEFT.sample(bench.context, 0, np.random.default_rng(0)) == ()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**31), count=st.integers(1, 30))
def test_the_same_generator_finds_the_same(seed: int, count: int) -> None:
    """Bit for bit; and asking for more adds to what was found."""
    context = Bench([box_percept("cup"), box_percept("pen", (0.5, 0.0, 1.5))]).context
    condition = (LEFT | RIGHT) & ~AHEAD
    first, second = (condition.sample(context, count, np.random.default_rng(seed)) for _ in range(2))
    assert len(first) == count
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(condition.sample(context, count - 1, np.random.default_rng(seed)), first[:-1] or ())


def test_poses_are_upright_at_any_yaw_or_at_the_one_asked_for(bench: Bench) -> None:
    """Their z is up; the yaw is drawn, or given."""
    poses = LEFT.sample(bench.context, 50, np.random.default_rng(0))
    yaws = [np.arctan2(X_WO[1, 0], X_WO[0, 0]) for X_WO in poses]
    assert min(yaws) < -2.0
    assert max(yaws) > 2.0
    for X_WO in (*poses, *LEFT.sample(bench.context, 5, np.random.default_rng(0), yaw=1.0)):
        np.testing.assert_allclose(X_WO[:3, :3] @ X_WO[:3, :3].T, np.eye(3), atol=1e-12)
        np.testing.assert_allclose(X_WO[2], [0, 0, 1, X_WO[2, 3]])
    for X_WO in LEFT.sample(bench.context, 5, np.random.default_rng(0), yaw=1.0):
        np.testing.assert_allclose(X_WO[:3, :3], pose(rpy=(0, 0, 1.0))[:3, :3], atol=1e-12)


def test_poses_keep_clear_of_what_is_solid(bench: Bench) -> None:
    """Not of what a hand holds, nor of the object's own place; and the floor is solid."""
    block = box_percept("block", (0, 0.55, 1.25), (4, 4, 1.0))
    crowded = Bench([box_percept("cup", (0, 0.55, 1.5)), block])
    assert len(found := places(crowded, LEFT)) == 20
    assert (found[:, 2] >= 1.78).all()
    held = PerceptualModel()
    held.update([box_percept("cup", (0, 0.55, 1.5)), replace(block, held_by="left")], 0.0)
    freed = LEFT.sample(replace(crowded.context, perception=held), 20, np.random.default_rng(0))
    assert min(X_WO[2, 3] for X_WO in freed) < 1.5
    assert (places(bench, Between("cup", 2, -1.0, 0.1))[:, 2] >= 0.03).all()


def test_what_is_asked_is_the_supposed_state(bench: Bench) -> None:
    """The context of a proposal differs from the present one in the subject's pose, and in nothing else."""
    seen: list[Context] = []

    class Look(Condition):
        def evaluate(self, context: Context) -> Verdict:
            seen.append(context)
            return Verdict(True, "looked")

    (X_WO,) = (LEFT & Look()).sample(bench.context, 1, np.random.default_rng(0))
    np.testing.assert_array_equal(seen[0].perception.pose("cup"), X_WO)
    np.testing.assert_array_equal(seen[0].perception.pose("pen"), bench.context.perception.pose("pen"))
    assert seen[0].skills is bench.context.skills
    assert bench.context.perception.pose("cup")[0, 3] == 9


@pytest.mark.parametrize("yaw", [0.0, 0.3, np.pi / 2, -2.0])
def test_a_turned_object_has_its_box_and_corners(yaw: float) -> None:
    """A box of 0.4 m by 0.2 m."""
    upright = Upright.turned(box_percept("box", size=(0.4, 0.2, 0.1)).model, np.array([yaw]))
    half = 0.2 * abs(np.cos(yaw)) + 0.1 * abs(np.sin(yaw))
    assert upright.upper[0] == pytest.approx([half, 0.2 * abs(np.sin(yaw)) + 0.1 * abs(np.cos(yaw)), 0.05])
    np.testing.assert_allclose(upright.lower, -upright.upper)
    corner = pose(rpy=(0, 0, yaw)) @ [0.2, 0.1, 0, 1]
    np.testing.assert_allclose(upright.corners()[0, 2], corner[:2])
    np.testing.assert_allclose(upright.corners()[0].max(axis=0), upright.upper[0, :2])
