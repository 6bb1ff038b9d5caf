"""FollowBall: goes to the ball (BICA VI)."""

from __future__ import annotations

import math

import numpy as np

from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.components.modal_component import ModalComponent
from taskmatrix.core.components.mode import Mode
from taskmatrix.core.components.part import Part

from .body import Body
from .face_ball import FaceBall
from .perception import Perception
from .place import turn_to
from .stand_off import stand_off

TURN = math.radians(35.0)  # of pan from which the ball is not in front of the robot (BICA VI)
STRAIGHT = math.radians(5.0)  # of pan at which it is again
GAIN = 2.0  # [1/s] of speeds, near their goal
LEAST = 0.1  # of the largest speed
ROLLS = 0.1  # [m/s] with which a ball does not lie


class FollowBall(ModalComponent, frequency=10.0):
    """Walks straight on while the ball is in front, and turns where the head is turned by 35 degrees or more.

    Attributes:
        reached: Whether the ball lies ahead, so near that the eyes look at it as steeply as they can.
        distance: [m] How near that is.
    """

    ball = Parameter(str, default="ball", doc="id of the ball")
    net = Parameter(str, default="yellow_goal", doc="id of the goal to score in")
    turn_at = Parameter(float, default=TURN, minimum=STRAIGHT, maximum=math.pi, doc="[rad] of pan from which to turn")

    perception = Part(Perception, ball=ball, net=net)
    face_ball = Part(FaceBall, ball=ball, net=net)
    body = Part(Body)

    reached = False

    straight = Mode(inform=[perception], act=[face_ball, body])
    turning = Mode(inform=[perception], act=[face_ball, body])

    def started(self) -> None:
        """Begin as if the ball were far away."""
        super().started()
        skills = self.context.skills
        _, _, velocity, _ = (limit[skills.joints("base")] for limit in skills.limits())
        self._fastest, self._quickest = float(velocity[0]), float(velocity[2])
        view = skills.capabilities.view
        self.distance = stand_off(skills, 0.0 if view is None else view.down)
        self.reached, self._turn = False, 0.0

    @straight.code
    def go(self) -> None:
        """Ahead, and slowly at the end; slowly back from a ball that lies too near to be seen."""
        self._look()
        self._turn = 0.0
        knows, slow, speed = self.perception, LEAST * self._fastest, 0.0
        if knows.ball_known and not self.reached:
            far = self._far() - self.distance
            back = 0.0 if knows.ball_seen else -slow
            speed = float(np.clip(GAIN * far, slow, self._fastest)) if far > 0.0 else back
        self.body.forward, self.body.angular = speed, 0.0

    @turning.code
    def go_round(self) -> None:
        """Turn to where the ball is."""
        self._look()
        self._turn = turn_to(self.context.skills, self.perception.base.yaw + self._pan(), self._turn)
        speed = float(np.clip(GAIN * abs(self._turn), LEAST * self._quickest, self._quickest))
        self.body.forward, self.body.angular = 0.0, math.copysign(speed, self._turn)

    @straight.to(turning)
    def ball_is_not_in_front(self) -> str:
        """The head is turned too far."""
        pan = self._pan()
        return f"the head is turned by {math.degrees(pan):.0f} deg" if abs(pan) > self.turn_at else ""

    @turning.to(straight)
    def ball_is_in_front(self) -> bool:
        """Whether the ball is straight ahead, so that walking suffices."""
        return abs(self._pan()) <= STRAIGHT

    def _pan(self) -> float:
        """[rad] Of the head, or of the ball where the head does not come after."""
        if not self.perception.ball_known:
            return 0.0
        return self.perception.ball_direction.pan

    def _far(self) -> float:
        """[m] From the axis of the base to the ball."""
        return float(np.linalg.norm(self.perception.ball_place - self.perception.base.place))

    def _look(self) -> None:
        knows = self.perception
        near = knows.ball_known and knows.ball_seen and self._far() <= self.distance
        self.reached = near and abs(self._pan()) <= self.turn_at and knows.ball_speed < ROLLS
