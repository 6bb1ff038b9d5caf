"""Sessions in which behaviors share chains."""

from __future__ import annotations

import numpy as np
import pytest

import taskmatrix as tm
from taskmatrix.behaviors import Fixate, Forward, PeriodicCanned
from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.robot.joint_motion import Motion
from taskmatrix.core.robot.policy import Policy, Subsumption, Sum
from taskmatrix.session.settings import POLICIES, policy_of
from taskmatrix.skills.control.null_space import NullSpace

SWAY, WAVE = 2, "left_arm"  # [-] the joint of the base that turns it; the chain that waves
FAR = 0.4  # [m]


def test_policies_have_names() -> None:
    """A policy of one's own is taken as it is; an unknown name is told with the nearest."""
    assert [policy_of(name).name for name in POLICIES] == list(POLICIES)
    mine = Sum(["reach"])
    assert policy_of(mine) is mine
    with pytest.raises(NotFoundError, match="no policy 'nullspace'; did you mean 'null-space'"):
        policy_of("nullspace")


def walk(policy: str | Policy, monkeypatch: pytest.MonkeyPatch) -> tuple[tm.Outcome, np.ndarray]:
    """Walk and play a motion that swings an arm and turns the base; (steps, n) what was commanded."""
    with tm.simulate("mannequin", start=(-1.5, 0.0, 0.0), policy=policy) as session:
        skills = session.skills
        joint = int(skills.joints(WAVE)[0])
        swing = [(0.0, 0.0), (0.5, 0.2), (1.5, -0.2), (2.0, 0.0)]
        sway = Motion.through("sway", {SWAY: swing, joint: swing}, periodic=True)
        monkeypatch.setattr(skills, "motion", lambda name: sway)
        both = (
            PeriodicCanned(motion="sway", duration=4.0, converge="dmp", mirrored=False),
            Forward(distance=FAR),
        )
        path = []
        session.events.subscribe(lambda event: path.append(session.context.arbiter.last))
        outcome = session.run(tm.parallel("both", *both), timeout=20.0)
        return outcome, np.array(path)[:, [0, SWAY, joint]]


@pytest.mark.parametrize("policy", [Subsumption(["forward"]), NullSpace(["forward"])], ids=lambda policy: policy.name)
def test_wave_while_walking(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who walks has the base and goes straight on; the arm swings, and the base sways once it has arrived."""
    outcome, path = walk(policy, monkeypatch)
    assert outcome.success, outcome
    walking = path[:, 0] < path[-1, 0] - 1e-6
    assert path[-1, 0] - path[0, 0] == pytest.approx(FAR, abs=0.01)
    assert np.ptp(path[walking, 1]) < 1e-9
    assert np.ptp(path[walking, 2]) > 0.1
    assert np.ptp(path[~walking, 1]) > 0.1


def test_two_sessions_share_an_instance_and_not_what_it_knows_of_their_robots() -> None:
    """Each moves its own robot by its own kinematics, though the other was opened after it."""
    given = NullSpace(["reach"])
    with tm.simulate("mannequin", policy=given) as one, tm.simulate("asimo", policy=given) as other:
        for session in (one, other):
            q = session.context.arbiter.last
            for owner in ("reach", "look"):
                arm = session.skills.joints("left_arm")
                session.context.arbiter.claim(owner, ["left_arm"])
                session.skills.command(owner, arm, q[arm] + 1e-4)
            assert len(session.context.arbiter.resolve().q) == session.robot.n
    assert vars(given) == {"order": ("reach",)}


def test_unless_they_share_who_comes_second_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """And told who has the base."""
    outcome, _ = walk("exclusive", monkeypatch)
    assert outcome.failure is not None
    assert outcome.failure.root.kind is FailureKind.CHAIN_BUSY


def test_a_fixate_that_is_kept_from_its_goal_says_by_how_much() -> None:
    """What the joints that are left to it cannot do it fails with; who comes first stays where it is."""
    with tm.simulate("mannequin", start=(0.0, 0.0, np.pi), policy=NullSpace(["hold"])) as session:
        base = session.skills.joints("base")

        class Hold(tm.TaskBehavior):
            """Keeps the base where it is."""

            def required_chains(self) -> list[str]:
                return ["base"]

            def step(self) -> bool:
                self.command(base, self.context.arbiter.last[base])
                return False

        outcome = session.run(tm.parallel("both", Hold(), Fixate(target="soda_can")), timeout=20.0)
        assert outcome.failure is not None
        assert outcome.failure.root.kind is FailureKind.JOINT_LIMIT
        assert "deg from the object" in str(outcome)
        np.testing.assert_allclose(session.plant.sense().q[base], [0.0, 0.0, np.pi], atol=1e-9)
