"""What somebody commands who knows nothing but joints."""

from __future__ import annotations

import math

import numpy as np
import pytest

from taskmatrix.core import ParameterError
from taskmatrix.core.robot.joint_commands import JointCommands, JointFeedback, JointTarget

FEEDBACK = JointFeedback(0.0, ("pan", "tilt"), np.zeros(2), np.zeros(2), moving=False)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, True, "far", None])
def test_targets_are_finite_numbers(wrong: object) -> None:
    """The joint is named."""
    with pytest.raises(ParameterError, match="'pan' has to be a finite number"):
        JointTarget({"pan": wrong})  # type: ignore[dict-item]


def test_a_joint_has_a_position_or_a_velocity() -> None:
    """Not both; and they are mappings."""
    with pytest.raises(ParameterError, match="can have one of them"):
        JointTarget({"pan": 0.1}, {"pan": 0.1})
    with pytest.raises(ParameterError, match="by name of a joint"):
        JointTarget([0.1])  # type: ignore[arg-type]


def test_the_later_target_counts_for_the_joints_that_both_name() -> None:
    """All others keep the earlier one."""
    commands = JointCommands()
    commands.send({"pan": 0.1, "tilt": 0.2})
    commands.send(velocities={"pan": 0.3})
    assert commands(FEEDBACK) == JointTarget({"tilt": 0.2}, {"pan": 0.3})
    assert commands(FEEDBACK) is None
    assert commands.feedback is FEEDBACK


def test_stopping_is_once() -> None:
    """What waits is forgotten, and the next run can begin."""
    commands = JointCommands()
    commands.send({"pan": 0.1})
    commands.stop()
    with pytest.raises(StopIteration):
        commands(FEEDBACK)
    assert commands(FEEDBACK) is None
