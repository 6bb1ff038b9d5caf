"""Pull or push a hand by a virtual spring."""

from __future__ import annotations

from collections.abc import Callable

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.robot.springs import (
    BoundedSpring,
    Feature,
    GaussianSpring,
    Line,
    LinearSpring,
    Plane,
    Point,
    Spring,
    SpringLaw,
    SpringTorques,
    frame_kinematics,
    pull,
)

from .force_behavior import HandForceBehavior

LAWS = ("linear", "bounded", "gaussian")
FEATURES = ("point", "line", "plane")


class VirtualSpring(HandForceBehavior):
    """Pull a hand to a point, a line or a plane by a spring, or keep it away from there (Domo 4.2, 5.3).

    ``law`` says how: ``linear`` pulls with ``stiffness`` times the length, and never harder than ``force``;
    ``gaussian`` pulls with ``force`` where it is ``range`` away, and less from nearer and further; ``bounded`` pushes
    with ``force`` at contact, and fades to nothing at ``range``. ``frame`` attaches it elsewhere than at the hand, to a
    link of the arm: an elbow, say.
    """

    law = Parameter(str, default="linear", choices=LAWS, doc="how it pulls or pushes")
    feature = Parameter(str, default="point", choices=FEATURES, doc="what it goes to")
    x = Parameter(float, default=0.0, doc="[m] of the point, or of a point of the line or the plane")
    y = Parameter(float, default=0.0, doc="[m] likewise")
    z = Parameter(float, default=0.0, doc="[m] likewise")
    direction_x = Parameter(float, default=0.0, doc="of the line, or of the plane's normal")
    direction_y = Parameter(float, default=0.0, doc="likewise")
    direction_z = Parameter(float, default=1.0, doc="likewise")
    reference = Parameter(str, default=None, doc="frame of the robot in which that is, such as base; the world if none")
    frame = Parameter(str, default=None, doc="frame of the robot to which it is attached; the hand unless given")
    stiffness = Parameter(float, default=100.0, minimum=0.0, doc="[N/m] of a linear spring")
    force = Parameter(float, default=20.0, minimum=0.0, doc="[N] at most")
    range = Parameter(float, default=0.1, minimum=0.0, doc="[m] how far a bounded or a gaussian spring acts")
    damping = Parameter(float, default=10.0, minimum=0.0, doc="[N s/m] of the spring")

    length = Output(float, doc="[m] how far the hand was from there in the end; negative behind a plane")

    def plan(self) -> Failure | None:
        """Make the spring, or say what is wrong with it."""
        try:
            self._spring = self._made()
            for frame in (self._spring.frame, self.reference):
                frame_kinematics(self.context.skills, frame, self.context.skills.position())
        except (ParameterError, NotFoundError) as error:
            return self.fail(FailureKind.PARAMETER, f"{type(self).__name__}: {error}")
        return None

    def torques(self, joints: Indices) -> SpringTorques:
        """Those of the spring."""
        found = pull(self._spring, self.context.skills, joints, self.context.dt)
        self._length = found.length
        return found.torques

    def achieved(self) -> bool:
        """Tell how far it is from where the spring goes."""
        self.publish(length=self._length)
        return True

    def _made(self) -> Spring:
        """The spring of the parameters."""
        p, direction = (self.x, self.y, self.z), (self.direction_x, self.direction_y, self.direction_z)
        features: dict[str, Callable[[], Feature]] = {
            "point": lambda: Point(p),
            "line": lambda: Line(p, direction),
            "plane": lambda: Plane(p, direction),
        }
        laws: dict[str, Callable[[], SpringLaw]] = {
            "linear": lambda: LinearSpring(self.stiffness, self.damping, self.force),
            "bounded": lambda: BoundedSpring(self.force, self.range, self.damping),
            "gaussian": lambda: GaussianSpring(self.force, self.range, self.damping),
        }
        return Spring(self.frame or self.hand, laws[self.law](), features[self.feature](), self.reference)
