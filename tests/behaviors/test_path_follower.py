"""Keeping a hand on its planned path, in plain numbers: what drifts is scripted, what is commanded is done."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from taskmatrix.behaviors.manipulation.in_hand import InHand
from taskmatrix.behaviors.manipulation.path_follower import PathFollower
from taskmatrix.core.robot.plant import JointState
from taskmatrix.core.world.geometry import pose, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.symmetry import symmetry_of
from taskmatrix.testing import Bench
from taskmatrix.testing.fake_skills import FakeSkills
from taskmatrix.testing.line_trajectory import LineTrajectory

DT, HAND, DRIFT = 0.01, "left", (0.03, -0.02, 0.05)


class Rig:
    """The fake robot with its left hand on a path of 0.3 m, walking 0.3 m meanwhile, in two seconds.

    The path stands still where ``walks`` says so. Where ``shares`` says so, others may command its joints, too.
    """

    def __init__(self, in_hand: InHand | None = None, walks: bool = True, shares: bool = False) -> None:
        self.skills = Bench().skills
        self.q = self.skills.position()  # what the joints measure of themselves; the base drifts from it
        self.arbiter = SimpleNamespace(last=self.q.copy(), shares=shares)
        context = cast(Any, SimpleNamespace(skills=self.skills, arbiter=self.arbiter, dt=DT))
        joints = np.array([0, 5])
        self.line = LineTrajectory(joints, self.q[joints], self.q[joints] + (0.3 if walks else 0.0), 2.0)
        self.follower = PathFollower(context, HAND, self.line, ["left_arm"], in_hand)

    def planned(self, time: float) -> Array:
        """(4, 4) Where the plan has the hand."""
        q = self.skills.robot.stance.copy()
        q[self.line.indices] = self.line.sample(time)[0]
        return self.skills.forward_kinematics(HAND, q)

    def run(self, drift: tuple[float, float, float], seconds: float = 3.0) -> tuple[Array, Array]:
        """Off its path [m] the hand and (steps, n) commands, while the base drifts off in the first second."""
        off, commands = [], []
        for step in range(round(seconds / DT)):
            q = self.q.copy()
            q[:3] += np.array(drift) * min(1.0, step * DT)
            self.skills.sense(JointState(q, np.zeros(len(q)), np.zeros(len(q))))
            X_WH = self.follower.corrected(self.planned((step - 1) * DT))
            off.append(pose_error(X_WH, self.skills.forward_kinematics(HAND))[0])
            command, _, _ = self.follower.follow(step * DT)
            self.q[self.follower.joints] = command
            self.arbiter.last = self.q.copy()
            commands.append(self.arbiter.last)
        return np.array(off), np.array(commands)


def moving_base(monkeypatch: pytest.MonkeyPatch, holonomic: bool) -> None:
    """Give the fake robot a base that can move sideways, or one that cannot."""
    monkeypatch.setattr(FakeSkills, "holonomic", holonomic)


def test_undisturbed_the_plan_is_commanded_as_it_is() -> None:
    """To the last bit, and nothing else moves."""
    rig = Rig()
    _, commands = rig.run((0.0, 0.0, 0.0))
    expected = np.tile(rig.skills.robot.stance, (len(commands), 1))
    expected[:, rig.line.indices] = rig.line.sample(DT * np.arange(len(commands), dtype=np.float64))[0]
    np.testing.assert_array_equal(commands, expected)
    assert rig.follower.is_at_rest()


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("holonomic", [True, False])
def test_the_arm_makes_up_for_a_base_that_drifts(holonomic: bool, side: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hand stays on its path within millimetres, and ends where the plan has it."""
    moving_base(monkeypatch, holonomic)
    rig = Rig()
    rig.follower.joints = np.arange(11)  # all that bears the hand
    off, _ = rig.run((DRIFT[0], side * DRIFT[1], side * DRIFT[2]))
    assert off.max() < 0.005
    assert off[-1] < 5e-4
    assert rig.follower.deviation()[0] < 5e-4


def test_a_base_that_can_comes_back_to_its_path() -> None:
    """So slowly that the hand does not notice."""
    rig = Rig()
    rig.follower.joints = np.arange(11)
    rig.run(DRIFT, seconds=6.0)
    left = rig.skills.position()[:3] - [0.3, 0.0, 0.0]
    assert np.abs(left).max() < 1e-3


def test_a_base_that_rolls_never_slips(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step that is commanded is along the heading that is sensed, whatever the drift."""
    moving_base(monkeypatch, holonomic=False)
    rig = Rig()
    rig.follower.joints = np.arange(11)
    _, commands = rig.run(DRIFT)
    yaw = commands[:, 2] + DRIFT[2] * np.minimum(1.0, np.arange(len(commands)) * DT)
    steps, middle = np.diff(commands[:, :2], axis=0), yaw[1:] - np.diff(commands[:, 2]) / 2
    across = -np.sin(middle) * steps[:, 0] + np.cos(middle) * steps[:, 1]
    assert np.abs(across[10:]).max() < 1e-12  # before, it is too little off to be corrected


def test_what_slips_in_the_hand_is_still_brought_to_its_place() -> None:
    """The hand goes where it has the object as planned, by no more than its joints' limits."""
    X_HO = pose((0.0, 0.0, 0.05))
    in_hand = InHand(X_HO, symmetry_of([]))
    slipped = X_HO @ pose((0.01, 0.0, 0.0))
    in_hand.update(slipped, 100.0)
    rig = Rig(in_hand, walks=False)
    _, commands = rig.run((0.0, 0.0, 0.0))
    np.testing.assert_allclose(rig.skills.forward_kinematics(HAND) @ slipped, rig.planned(9.0) @ X_HO, atol=1e-3)
    assert np.abs(np.diff(commands, axis=0)).max() <= rig.skills.robot.velocity.max() * DT


def test_where_joints_are_shared_all_that_bear_the_hand_are_commanded() -> None:
    """Others would move those that the plan leaves alone; the fingers are nobody's business."""
    np.testing.assert_array_equal(Rig(shares=True).follower.joints, [0, 1, 2, 5, 6, 7, 8, 9, 10])
    np.testing.assert_array_equal(Rig(shares=False).follower.joints, [0, 5])


def test_a_robot_at_speed_is_not_at_rest() -> None:
    """It would coast on."""
    rig = Rig()
    rig.run((0.0, 0.0, 0.0), seconds=1.0)
    rig.skills.robot.acceleration = np.full(rig.skills.robot.n, 1.0)
    assert not rig.follower.is_at_rest()
