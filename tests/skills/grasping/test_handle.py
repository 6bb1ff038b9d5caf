"""What things are held by."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.object_joint import ObjectJoint
from taskmatrix.core.world.objects import ObjectModel, Shape
from taskmatrix.skills.grasping.handle import handle

BOARD = Shape("box", (0.02, 0.5, 0.7), pose())
BAR = Shape("cylinder", (0.008, 0.2), pose((0.06, 0.0, 0.1)))
SCREW = Shape("box", (0.01, 0.01, 0.01), pose((0.0, 0.1, 0.1)))
LABEL = replace(BAR, collides=False)
JOINT = ObjectJoint("box", "hinge", pose(), np.array([0.0, 0.0, 1.0]), 0.0, 1.0)


def thing(*shapes: Shape, joint: ObjectJoint | None = JOINT) -> ObjectModel:
    return ObjectModel("door", "door", shapes, joint=joint)


def test_the_handle_of_a_part_is_what_is_small_and_stands_out() -> None:
    assert handle(thing(BOARD, BAR, SCREW, LABEL)) == (BAR,)
    assert handle(thing(BOARD)) == ()
    assert handle(thing(BOARD, BAR, joint=None)) == ()


def test_what_says_that_it_is_the_handle_is_the_only_one() -> None:
    named = replace(SCREW, handle=True)
    assert handle(thing(BOARD, BAR, named)) == (named,)
    assert handle(thing(BOARD, named, joint=None)) == (named,)
