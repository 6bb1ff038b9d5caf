"""Objects as the collision checker knows them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.world.carried import carried_by
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.robots import Robot


@dataclass(frozen=True, eq=False)
class Body:
    """An object as the checker knows it."""

    model: ObjectModel
    """Its shapes."""
    X_WO: Array
    """(4, 4) Where it is in the world."""
    hand: str | None = None
    """The hand that holds it; then it moves with that hand."""
    X_HO: Array | None = None
    """(4, 4) Where it is in that hand's grasp frame."""
    travels: bool = False
    """Whether the hand holds not it, but what it stands on or in."""
    helper: str | None = None
    """The other hand that holds it too."""

    @property
    def holders(self) -> tuple[str, ...]:
        """The hands that hold it."""
        return tuple(hand for hand in (self.hand, self.helper) if hand is not None)

    def is_held_as(self, other: Body) -> bool:
        """Whether it is the same object in the same place in the same hand, or in none."""
        if self.model is not other.model or (self.hand, self.helper) != (other.hand, other.helper):
            return False
        if self.travels != other.travels:
            return False
        if self.X_HO is None or self.X_HO is other.X_HO:
            return True
        return other.X_HO is not None and bool(
            (np.abs(self.X_HO - other.X_HO) <= 1e-9 + 1e-5 * np.abs(other.X_HO)).all()
        )


def bodies_of(
    objects: Mapping[str, tuple[ObjectModel, Array]],
    held: Mapping[str, tuple[str, Array]],
    known: Mapping[str, Body] | None = None,
) -> list[Body]:
    """Bodies from poses by id and, by hand, the object held and its pose X_HO in the hand.

    What stands on or in what is held travels with it. What stands where it is in ``known`` is taken from there: the
    same body costs a checker nothing.
    """
    holders, there = holders_of(objects, held), (known or {}).get
    return [
        body
        if (body := there(id)) is not None
        and body.X_WO is X_WO
        and body.model is model
        and not body.hand
        and id not in holders
        else Body(model, X_WO, *holders.get(id, (None, None, False, None)))
        for id, (model, X_WO) in objects.items()
    ]


def holders_of(
    objects: Mapping[str, tuple[ObjectModel, Array]], held: Mapping[str, tuple[str, Array]]
) -> dict[str, tuple[str, Array, bool, str | None]]:
    """By id of what moves with a hand: the hand, X_HO (4, 4), whether it only travels along, and who helps to hold."""
    holders = dict[str, tuple[str, Array, bool, str | None]]()
    for hand, (id, X_HO) in held.items():
        holders[id] = (*holders[id][:3], hand) if id in holders else (hand, X_HO, False, None)
    if holders:
        models = {id: model for id, (model, _) in objects.items()}
        poses = {id: X_WO for id, (_, X_WO) in objects.items()}
        for hand, (id, X_HO) in held.items():
            X_HW = X_HO @ inverse(poses[id])
            for other in carried_by(id, models, poses, holders):
                holders[other] = hand, X_HW @ poses[other], True, None
    return holders


def built_with(id: str, bodies: Mapping[str, Body]) -> Iterator[tuple[str, bool]]:
    """What a part is built close to, by id: what carries it, True, as they are joined, and what else that carries."""
    joint = bodies[id].model.joint
    for other, body in bodies.items() if joint is not None else ():
        assert joint is not None
        beside = body.model.joint
        if other == joint.parent or (other != id and beside is not None and beside.parent == joint.parent):
            yield other, other == joint.parent


def changes(old: Mapping[str, Body], bodies: Sequence[Body]) -> tuple[dict[str, Body], list[Body], bool]:
    """The colliding bodies of a new world by id, those that were moved, and whether there are other pairs than before.

    Raises:
        ParameterError: The pose of an object is not one of finite numbers.
    """
    new, moved, changed = dict[str, Body](), list[Body](), False
    for body in bodies:
        before = old.get(body.model.id)
        if before is body:
            pass
        elif before is None or before.model is not body.model:
            if not any(shape.collides for shape in body.model.shapes):
                continue
            changed = True
            expect_pose(body)
        elif body.hand is not None or before.hand is not None:
            if not body.is_held_as(before):
                changed = True
                expect_pose(body)
                moved.append(body)
        elif body.X_WO is not before.X_WO and not np.array_equal(body.X_WO, before.X_WO):
            expect_pose(body)
            moved.append(body)
        new[body.model.id] = body
    return new, moved, changed or list(new) != list(old)


def expect_pose(body: Body) -> None:
    """Raise a ParameterError where the pose of a body is no (4, 4) of finite numbers."""
    X, what = (body.X_WO, "X_WO") if body.hand is None or body.X_HO is None else (body.X_HO, "X_HO")
    if X.shape != (4, 4) or not np.isfinite(X).all():
        raise ParameterError(f"{what} of object '{body.model.id}' must be a (4, 4) pose of finite numbers, not {X}")


def expect_positions(robot: Robot, q: Array, many: bool = False, what: str = "joint positions") -> None:
    """Raise a ParameterError where q is not (n,), or (m, n), finite joint positions of a robot: all answers need them.

    Args:
        robot: The robot.
        q: What should be joint positions.
        many: Whether it should be (m, n).
        what: What to call it.
    """
    shape = q.shape[1:] if many else q.shape
    if shape != (robot.n,):
        raise ParameterError(f"{what} of '{robot.name}' must be of shape ({robot.n},), not {shape}")
    if not math.isfinite(np.vdot(q, q)) and not np.isfinite(q).all():
        wrong = ~np.isfinite(q).reshape(-1, robot.n).all(axis=0)
        named = ", ".join(f"'{robot.joints[k]}'" for k in np.flatnonzero(wrong))
        raise ParameterError(f"{what} of '{robot.name}' must be finite numbers; those of {named} are not")
