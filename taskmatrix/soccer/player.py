"""Player: a forward that finds the ball, goes to it, aims and kicks it into the net (BICA VI, figure 2)."""

from __future__ import annotations

import math

import numpy as np

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.requirement import HasFoot, Requirement
from taskmatrix.core.components.modal_component import ModalComponent
from taskmatrix.core.components.mode import Mode
from taskmatrix.core.components.part import Part
from taskmatrix.core.robot.skills.kicking import DIRECTIONS, KickPlan, KickSkills
from taskmatrix.core.trees.behavior_part import BehaviorPart
from taskmatrix.core.world.geometry import wrap
from taskmatrix.core.world.objects import Array

from .body import Body
from .face_ball import FaceBall
from .fixmove import Fixmove
from .follow_ball import FollowBall
from .kick import FEET, Kick
from .locomotion import Locomotion
from .perception import Perception
from .place import bearing, turned, way_round
from .search_ball import SearchBall
from .search_net import SearchNet
from .shot import Shot, shots, target

LOST = 1.6  # times as far from the ball as it was: it has rolled away
STILL = 1e-6  # [m], [rad] that nothing but the head moves between two looks
HELD, BACK = 0.5, 1.5  # [s] after which it goes back from what is in the way, and for which
LONG = 20.0  # [s] for what takes a few
SUPPOSED = 0.4  # of the way that the kick promises, the ball is looked for
LONGEST = 3.0  # [m] of that way
ROLLS = 2.0  # [s] that it is awaited there
TURNED = math.radians(150.0)  # round, where the net was not seen


class Player(ModalComponent, frequency=10.0):
    """Looks for the ball, follows it, looks for the net, selects one of six kicks, aligns and kicks; until it scores.

    It has scored when it sees the ball in the net.
    """

    ball = Parameter(str, default="ball", doc="id of the ball")
    net = Parameter(str, default="yellow_goal", doc="id of the goal to score in")

    perception = Part(Perception, ball=ball, net=net)
    search_ball = Part(SearchBall, ball=ball, net=net)
    follow_ball = Part(FollowBall, ball=ball, net=net)
    search_net = Part(SearchNet, ball=ball, net=net)
    fixmove = Part(Fixmove, ball=ball, net=net)
    face_ball = Part(FaceBall, ball=ball, net=net)
    body = Part(Body)
    kick = BehaviorPart(Kick, object=ball, optional=True)

    look_for_ball = Mode(inform=[perception], act=[search_ball])
    approach = Mode(inform=[perception], act=[follow_ball])
    look_for_net = Mode(inform=[perception], act=[search_net])
    turn_round = Mode(inform=[perception], act=[body])
    back_off = Mode(inform=[perception], act=[body, face_ball])
    align = Mode(inform=[perception], act=[fixmove, face_ball])
    stand = Mode(inform=[perception], act=[face_ball])
    kicking = Mode(inform=[perception], act=[kick, face_ball])
    scored = Mode(inform=[perception], act=[face_ball], achieved=True)

    def requirements(self) -> list[Requirement]:
        """Require two feet that kick."""
        return [HasFoot(foot) for foot in FEET]

    def started(self) -> None:
        """Begin to look for the ball, with the kicks that the robot is able to."""
        super().started()
        skills = self.context.skills
        self._kicks: list[KickPlan] = []
        if isinstance(skills, KickSkills):
            kicks = [skills.kick(foot, way, self.ball) for foot in FEET for way in DIRECTIONS]
            self._kicks = [kick for kick in kicks if not isinstance(kick, Failure)]
        self._refused: list[KickPlan] = []
        self._shot: Shot | None = None
        self._before = skills.position()
        self._yaw = self._turned = self._round = 0.0
        self._side, self._way = 1.0, -1.0

    # what it does

    @look_for_ball.code
    @approach.code
    def go_elsewhere(self) -> None:
        """Leave the place from which the net was looked for all round."""
        self._round = 0.0

    @turn_round.code
    def go_round(self) -> None:
        """Turn round, to see what was behind the robot."""
        yaw = self.perception.base.yaw
        self._turned += abs(wrap(yaw - self._yaw))
        self._yaw = yaw
        self.body.forward, self.body.angular = 0.0, float(self._fastest()[2]) * self._side

    @back_off.code
    def go_back(self) -> None:
        """Go back from what is in the way; ahead, where something is behind, too."""
        if min(self.mode_elapsed, self.body.go_straight.locomotion.held) > HELD:
            self._way = 1.0
        self.body.forward, self.body.angular = self._way * float(self._fastest()[0]), 0.0

    @align.code
    def aim(self) -> None:
        """Select the place for the kick anew: the ball may have moved."""
        if self._shot is None or not self.perception.ball_known:
            return
        kick, ball = self._shot.kick, self.perception.ball_place
        heading = bearing(self._target() - ball)
        self.fixmove.ahead, self.fixmove.left = kick.ball.tolist()
        self.fixmove.heading = wrap(heading - kick.heading)

    @stand.code
    def prepare(self) -> None:
        """Prepare the kick that was selected."""
        if self._shot is not None:
            self.kick.give(foot=self._shot.kick.foot, direction=self._shot.kick.direction)

    # when it does something else

    @align.to(back_off)
    def something_is_in_the_way(self) -> str:
        """What has been in the way for a while; another kick is selected then."""
        what = self._in_the_way(self.fixmove.locomotion)
        if what and self._shot is not None:
            self._refused.append(self._shot.kick)
        self._way = -1.0
        return what

    @approach.to(back_off)
    def cannot_go_on(self) -> str:
        """What has kept the base from following the ball for a while."""
        self._way = -1.0
        return self._in_the_way(self.follow_ball.body.turn.locomotion)

    back_off.to(approach, after=BACK)

    @look_for_ball.to(approach)
    def sees_the_ball(self) -> bool:
        """Whether the ball is seen in this cycle."""
        return self.perception.ball_seen

    @approach.to(scored)
    def sees_the_ball_in_the_net(self) -> bool:
        """Whether the ball is seen in the net, which ends the game."""
        return self.perception.ball_in_net

    @approach.to(look_for_ball)
    def ball_is_lost(self) -> bool:
        """Whether the ball is no longer where it was seen last."""
        return not self.perception.ball_known

    @approach.to(look_for_net)
    def has_reached_the_ball(self) -> bool:
        """Whether the ball lies in front, within reach of the next moves."""
        return self.follow_ball.reached

    @look_for_net.to(align)
    def selects_a_kick(self) -> str:
        """Which kick is selected, once the scan is complete and the net is known."""
        if not (self.search_net.complete and self.search_net.found and self.perception.ball_known):
            return ""
        self._shot = self._select()
        return "" if self._shot is None else f"{self._shot.kick.direction} with the {self._shot.kick.foot} foot"

    @look_for_net.to(turn_round)
    def does_not_see_the_net(self) -> bool:
        """The scan is complete; it turns to one side until it has looked all round."""
        self._yaw, self._turned = self.perception.base.yaw, 0.0
        if self._round == 0.0 or self._round + TURNED > 2.0 * math.pi:
            self._round, self._side = 0.0, way_round(self.context.skills)
        return self.search_net.complete and not self.search_net.found

    look_for_net.to(look_for_ball, after=LONG)

    @turn_round.to(look_for_net)
    def has_turned_round(self) -> bool:
        """Whether the robot has turned far enough, or sees the net."""
        if self._turned < TURNED and not self.perception.net_seen:
            return False
        self._round += self._turned
        return True

    turn_round.to(look_for_ball, after=LONG)

    @align.to(look_for_ball)
    def ball_is_gone(self) -> bool:
        """Whether the ball is no longer where it was seen last."""
        return not self.perception.ball_known

    @align.to(approach)
    def ball_has_rolled_away(self) -> bool:
        """Whether the ball has rolled too far away to go round it."""
        far = np.linalg.norm(self.perception.ball_place - self.perception.base.place)
        return bool(far > LOST * self.follow_ball.distance)

    @align.to(stand)
    def is_aligned(self) -> str:
        """Whether the base has reached its place for the kick."""
        return f"{1e3 * self.fixmove.off:.0f} mm off" if self.fixmove.achieved else ""

    align.to(look_for_ball, after=LONG)

    @stand.to(kicking, after=0.2)
    def stands_still(self) -> bool:
        """Whether all joints but those of the head are at rest."""
        skills, before = self.context.skills, self._before
        self._before = self.context.arbiter.last
        moved = np.abs(self._before - before)
        moved[skills.joints("head")] = 0.0
        return bool(moved.max() <= STILL)

    stand.to(look_for_ball, after=5.0)

    @kicking.to(approach)
    def has_kicked(self) -> bool:
        """Whether the kick is over; the ball is then assumed where the kick sends it."""
        if not self.kick.achieved or self._shot is None:
            return False
        kick, base = self._shot.kick, self.perception.base
        way = SUPPOSED * min(kick.distance, LONGEST)
        there = base.place + turned(kick.ball, base.yaw) + turned(np.array([way, 0.0]), base.yaw + kick.heading)
        self.perception.suppose_ball(there, within=ROLLS)
        self._refused.clear()
        return True

    @kicking.to(align)
    def ball_has_moved(self) -> str:
        """At its feet, where the eyes do not see it; but the kick says by how much."""
        failure, base = self.kick.failure, self.perception.base
        off = np.array(failure.root.facts.get("off", math.inf) if failure is not None else math.inf)
        if failure is None or self._shot is None or np.linalg.norm(off) > self.follow_ball.distance:
            return ""
        self.perception.suppose_ball(base.place + turned(self._shot.kick.ball + off, base.yaw), within=0.0)
        return failure.root.message

    @kicking.to(look_for_ball)
    def could_not_kick(self) -> str:
        """Whether the kick failed, because something is in the way, say."""
        failure = self.kick.failure
        if failure is None or self._shot is None:
            return ""
        self._refused.append(self._shot.kick)
        self.perception.forget_ball()
        return failure.root.message

    def _select(self) -> Shot | None:
        """The quickest shot for which there is room, of those that were not refused."""
        knows = self.perception
        around = knows.ball_place, self._target(), knows.base, self.follow_ball.distance
        able = [kick for kick in self._kicks if kick not in self._refused]
        found = shots(able, *around, self._fastest())
        for far in (self.follow_ball.distance, 0.0):  # where there is no room to come from, some may be found
            free = [shot for shot in found if self._has_room(shot, far)]
            if free:
                return free[0]
        self._refused.clear()  # for when it is asked again
        return None

    def _target(self) -> Array:
        """(2,) [m] Where the ball is to go."""
        return target(self.perception.ball_place, self.perception.net_pose, self.perception.net_width)

    def _has_room(self, shot: Shot, far: float) -> bool:
        """Whether there is room where the robot has to stand, and so far [m] from the ball, where it comes from."""
        skills, ball = self.context.skills, self.perception.ball_place
        way = shot.base.place - ball
        longer = max(1.0, far / float(np.linalg.norm(way)))
        places = [np.array([*(ball + share * way), shot.base.yaw]) for share in (1.0, longer)]
        return all(skills.collision(skills.joints("base"), place) is None for place in places)

    def _in_the_way(self, locomotion: Locomotion) -> str:
        """What has been in the way of the base for a while."""
        return "" if locomotion.held < HELD else locomotion.obstacle

    def _fastest(self) -> Array:
        """(3,) [m/s, m/s, rad/s] How fast the base walks and turns."""
        skills = self.context.skills
        return skills.limits()[2][skills.joints("base")]
