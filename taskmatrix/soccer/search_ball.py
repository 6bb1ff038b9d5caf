"""SearchBall: looks for the ball, with the head and then with the body (BICA VI)."""

from __future__ import annotations

import math

import numpy as np

from taskmatrix.conditions.visible import HALF_ANGLE
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.components.modal_component import ModalComponent
from taskmatrix.core.components.mode import Mode
from taskmatrix.core.components.part import Part
from taskmatrix.core.world.geometry import wrap

from .body import Body
from .head import Head
from .perception import Perception
from .place import way_round
from .stand_off import stand_off
from .sweep import Sweep, levels, widest

HIGHEST = math.radians(12.0)  # below the horizon: the far end of the field is still in the image
HELD = 0.3  # [s] after which it goes no further back where something is in the way


class SearchBall(ModalComponent, frequency=10.0):
    """Sweeps the floor with the eyes, far and near, then turns round and sweeps again, until somebody has enough.

    Perception, which it asks for nothing, sees the ball when it comes into view. When it has looked all round it goes
    back a little: a ball at its feet is below what the eyes come down to.
    """

    ball = Parameter(str, default="ball", doc="id of the ball")
    net = Parameter(str, default="yellow_goal", doc="id of the goal to score in")
    pace = Parameter(float, default=1.5, minimum=0.1, doc="[rad/s] of the head")

    perception = Part(Perception, ball=ball, net=net)
    head = Part(Head)
    body = Part(Body)

    scan = Mode(inform=[perception], act=[head])
    turn = Mode(inform=[perception], act=[head, body])
    go_back = Mode(inform=[perception], act=[head, body])

    def started(self) -> None:
        """Begin with a sweep."""
        super().started()
        self._sweep: Sweep | None = None
        self._yaw = self._turned = self._round = 0.0
        self._side = 1.0
        skills = self.context.skills
        velocity = skills.limits()[2][skills.joints("base")]
        self._fastest, self._quickest = float(velocity[0]), float(velocity[2])

    @scan.code
    def look(self) -> None:
        """Look at the next place of the sweep."""
        if self._sweep is None:
            self._sweep = Sweep(self.head, levels(HIGHEST, self.head.lowest))
        self._sweep.go(self.head, self.pace)

    @turn.code
    def go_round(self) -> None:
        """Turn the body with the eyes ahead."""
        yaw = self.perception.base.yaw
        self._turned += abs(wrap(yaw - self._yaw))
        self._yaw, self._sweep = yaw, None
        self._ahead()
        self.body.forward, self.body.angular = 0.0, self._quickest * self._side

    @go_back.code
    def step_back(self) -> None:
        """Go back with the eyes ahead."""
        self._sweep = None
        self._ahead()
        self.body.forward, self.body.angular = -self._fastest, 0.0

    @scan.to(go_back)
    def all_was_looked_at_all_round(self) -> bool:
        """There is no ball where it can be seen from here."""
        if not self._over() or self._round + 2.0 * (widest(self.head) + HALF_ANGLE) < 2.0 * math.pi:
            return False
        self._leave()
        return True

    @scan.to(turn)
    def all_was_looked_at(self) -> bool:
        """All that the head turns to; the body turns to one side until all round was looked at."""
        self._yaw, self._turned = self.perception.base.yaw, 0.0
        if self._round == 0.0:
            self._side = way_round(self.context.skills)
        return self._over()

    @turn.to(go_back)
    def something_is_in_the_way(self) -> bool:
        """The ball, say, that lies at its feet."""
        if self.body.turn.locomotion.held <= HELD:
            return False
        self._leave()
        return True

    @turn.to(scan)
    def body_has_turned(self) -> bool:
        """Whether the body faces what was behind it."""
        if self._turned < 2.0 * widest(self.head):
            return False
        self._round += self._turned
        return True

    @go_back.to(scan)
    def body_has_gone_back(self) -> bool:
        """By as much as is below what the eyes see; or as far as there is room."""
        gone = float(np.linalg.norm(self.perception.base.place - self._place))
        return gone >= self._back or self.body.go_straight.locomotion.held > HELD

    def _leave(self) -> None:
        """Remember where it goes back from."""
        self._round = 0.0
        self._place, self._back = self.perception.base.place, stand_off(self.context.skills, self.head.lowest)

    def _over(self) -> bool:
        return self._sweep is not None and self._sweep.over

    def _ahead(self) -> None:
        self.head.pan, self.head.tilt, self.head.pace = 0.0, HIGHEST, self.pace
