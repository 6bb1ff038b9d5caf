"""The common skill set without a robot, a planner or a collision checker, put together of its facets."""

from __future__ import annotations

from .skills.collision import FakeCollision
from .skills.grasping import FakeAttachment
from .skills.kicking import FakeKicks
from .skills.kinematics import FakeKinematics, FakeView
from .skills.planning import FakePlanning


class FakeSkills(FakePlanning, FakeCollision, FakeKinematics, FakeView, FakeAttachment, FakeKicks):
    """All eleven skills of the fake robot, and kicks; implements :class:`taskmatrix.core.robot.skillset.SkillSet`.

    Everything works and is exact: kinematics are those of :class:`~taskmatrix.testing.FakeRobot`, plans are straight
    lines to the first goal, nothing touches anything. A test scripts what should go otherwise, by the attributes of
    :class:`~taskmatrix.testing.skills.state.FakeState`, or overrides the methods of one facet in a subclass, of which
    :class:`~taskmatrix.testing.Bench` takes the class.
    """
