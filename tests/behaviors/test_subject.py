"""Watching the object on whose pose a plan depends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.behaviors.common.tolerances import PERCEPTION_NOISE
from taskmatrix.behaviors.manipulation.subject import AT_REST, NUDGED, Subject
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.core.world.perception import Percept, PerceptualModel
from taskmatrix.testing import box_percept

CUP = box_percept("cup", (0.6, 0.1, 1.0))


def watched(percept: Percept) -> tuple[Subject, PerceptualModel]:
    """An object for whose present pose there is a plan."""
    perception = PerceptualModel()
    perception.update([percept], 0.0)
    subject = Subject(percept.model.id, perception)
    subject.remember()
    return subject, perception


@pytest.mark.parametrize(
    ("change", "moved", "moved_if_pushed"),
    [
        (pose((0.5 * PERCEPTION_NOISE[0], 0.0, 0.0)), False, False),
        (pose(rpy=(0.0, 0.0, 0.5 * PERCEPTION_NOISE[1])), False, False),
        (pose((2.0 * PERCEPTION_NOISE[0], 0.0, 0.0)), True, False),
        (pose(rpy=(0.0, 0.0, 2.0 * PERCEPTION_NOISE[1])), True, False),
        (pose((2.0 * NUDGED[0], 0.0, 0.0)), True, True),
    ],
)
def test_noise_is_no_motion_and_a_hand_may_push_a_little(change: Array, moved: bool, moved_if_pushed: bool) -> None:
    """From where it was when the plan was made, in distance and in angle."""
    subject, perception = watched(CUP)
    perception.update([replace(CUP, X_WO=CUP.X_WO @ change)], 0.1)
    assert subject.has_moved(pushed=False) is moved
    assert subject.has_moved(pushed=True) is moved_if_pushed


@pytest.mark.parametrize(
    ("shape", "seen"),
    [
        (Shape("box", (0.06, 0.06, 0.06), pose()), True),
        (Shape("sphere", (0.03,), pose()), False),
        (Shape("cylinder", (0.03, 0.1), pose()), False),
    ],
)
def test_what_looks_the_same_as_it_spins_stands_still(shape: Shape, seen: bool) -> None:
    """A ball, or a can on its axis; a box that turns on the spot is not at rest."""
    percept = Percept(replace(CUP.model, shapes=(shape,)), CUP.X_WO)
    subject, perception = watched(percept)
    spin = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 2.0 * AT_REST[1]])
    perception.update([Percept(percept.model, CUP.X_WO @ pose(rpy=(0.0, 0.0, 1.0)), spin)], 0.1)
    assert subject.has_moved(pushed=False) is seen
    assert subject.is_at_rest(0.01) is not seen
    assert subject.waited == 0.01


def test_what_is_lost_or_was_never_asked_for_is_not_waited_for() -> None:
    """Who has lost it decides by itself what to do."""
    subject, perception = watched(CUP)
    perception.update([], 0.1)
    assert not subject.is_known()
    assert subject.is_at_rest(0.01)
    nothing = Subject(None, perception)
    nothing.remember()
    assert (nothing.is_known(), nothing.has_moved(pushed=False), nothing.is_at_rest(0.01)) == (True, False, True)
