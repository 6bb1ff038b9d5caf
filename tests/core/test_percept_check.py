"""What somebody reports of objects, before anything is built on it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from taskmatrix.core import Grasp, ObjectModel, ParameterError, Percept, Shape
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.percept_check import PerceptCheck

CAN = ObjectModel("can", "object/graspable/can", (Shape("cylinder", (0.03, 0.12), np.eye(4)),), movable=True)
THERE = pose((0.5, 0.2, 0.9))


def shaped(kind: Any, *size: float, **given: Any) -> ObjectModel:
    return replace(CAN, shapes=(Shape(kind, size, np.eye(4), **given),))


@pytest.fixture
def check() -> PerceptCheck:
    return PerceptCheck(("left", "right"))


def test_a_percept_is_taken_as_it_is_now(check: PerceptCheck) -> None:
    """Who reports may write over it; lists are arrays; what is as it was is the same percept."""
    X = THERE.copy()
    (first,) = check([Percept(CAN, X, held_by="left")])
    (again,) = check((Percept(CAN, X.tolist(), held_by="left"),))
    assert again is first
    X[0, 3] = 0.7
    (moved,) = check([Percept(CAN, X, held_by="left")])
    assert first.X_WO[0, 3] == 0.5
    assert moved.X_WO[0, 3] == 0.7
    (faster,) = check([Percept(CAN, X, np.ones(6), held_by="left")])
    assert faster.X_WO is moved.X_WO
    assert check([]) == ()


@pytest.mark.parametrize(
    ("reported", "said"),
    [
        (3, r"a tuple of them, not 3"),
        (None, r"a tuple of them, not None"),
        ([CAN], r"a tuple of them, not ObjectModel"),
        ([Percept("can", THERE)], r"is an ObjectModel, not 'can'"),  # type: ignore[arg-type]
        ([Percept(replace(CAN, id=""), THERE)], r"has words for id and type, not ''"),
        ([Percept(CAN, THERE), Percept(CAN, np.eye(4))], r"reports 'can' twice"),
        ([Percept(CAN, pose((np.nan, 0.0, 0.0)))], r"'can' has an X_WO with a number that is not finite"),
        ([Percept(CAN, 2.0 * np.eye(4))], r"'can' has an X_WO that is no rotation and translation"),
        ([Percept(CAN, np.diag([1.0, 1.0, -1.0, 1.0]))], r"'can' has an X_WO that is no rotation"),
        ([Percept(CAN, np.zeros(3))], r"'can' has an X_WO of shape \(3,\), not \(4, 4\)"),
        ([Percept(CAN, "here")], r"'can' has an X_WO that is no array of numbers"),  # type: ignore[arg-type]
        ([Percept(CAN, THERE, np.full(6, np.inf))], r"'can' has a velocity with a number that is not finite"),
        ([Percept(CAN, THERE, np.zeros(3))], r"'can' has a velocity of shape \(3,\), not \(6,\)"),
        ([Percept(CAN, THERE, held_by="lefd")], r"held by 'lefd': no hand 'lefd'; did you mean 'left'"),
        ([Percept(shaped("blob", 1.0), THERE)], r"shape 0 of 'can': no kind 'blob'; did you mean 'box'"),
        ([Percept(shaped("box", 1.0), THERE)], r"shape 0 of 'can', a box, has a size of shape \(1,\), not \(3,\)"),
        ([Percept(shaped("box", 1.0, -1.0, 1.0), THERE)], r"a box, has a size of \[1.0, -1.0, 1.0\] m"),
        ([Percept(shaped("sphere", np.nan), THERE)], r"a sphere, has a size with a number that is not finite"),
        ([Percept(shaped("mesh", 1.0, 1.0, 1.0), THERE)], r"is a mesh, and there is no such file: None"),
        ([Percept(shaped("mesh", 1.0, 1.0, 1.0, mesh=Path("no.stl")), THERE)], r"no such file: no.stl"),
        ([Percept(shaped("points", 0.01), THERE)], r"has points of shape \(\), not \(k, 3\)"),
        ([Percept(replace(CAN, grasps=(Grasp("top", np.zeros((4, 4)), 0.06),)), THERE)], r"grasp 'top' of 'can' has"),
        ([Percept(replace(CAN, frames={"tip": np.zeros((4, 4))}), THERE)], r"frame 'tip' of 'can' has a pose that is"),
    ],
)
def test_what_cannot_be_is_told(check: PerceptCheck, reported: object, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        check(reported)


def test_what_went_wrong_leaves_what_was_before(check: PerceptCheck) -> None:
    (first,) = check([Percept(CAN, THERE)])
    with pytest.raises(ParameterError):
        check([Percept(CAN, 2.0 * THERE)])
    assert check([Percept(CAN, THERE)]) == (first,)
