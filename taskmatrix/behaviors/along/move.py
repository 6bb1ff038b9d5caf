"""Move a hand on a straight line."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy

from taskmatrix.conditions import Grasping
from taskmatrix.core.base.errors import not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.behavior.requirement import Hands, HasHand, Requirement
from taskmatrix.core.robot.plans import Job, Plan
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array

from .way_follower import WayFollower

STEP = 0.006  # [m] that hand and pivot move from one pose to the next
LEVER = 0.1  # [m] at which a turn counts as a movement, at least
FLOOR = "floor"  # what can be touched besides objects
AXES = ("robot", "world", "hand")  # along which a hand moves, or those of an object


class Move(WayFollower):
    """Move a hand, or what it holds, on a straight line, and turn it evenly on the way.

    How far is said along the axes of the robot's base (x ahead, y to the left, z up), of the world, of the hand's grasp
    frame, or of an object, as they are when it starts; turns are about x, then y, then z. What is turned keeps its
    pivot on the line: the hand's grasp frame, or the frame of the ``object`` that it holds. A jug whose ``frame`` is
    its spout pours at one place. What both hands hold they move together.

    With ``until``, the way ends 1 mm before the hand, or what it holds, touches that object where it is perceived, or
    earlier, where the hand feels that it touches something. It fails with ``not_achieved`` before it moves where the
    way does not come to the object.
    """

    object = Parameter(
        str, default=None, doc="id of what a hand holds, and is moved; only the hand counts unless given"
    )
    hand = Parameter(str, default=None, doc="name of the hand; that which holds something unless given")
    x = Parameter(float, default=0.0, doc="[m] how far to go")
    y = Parameter(float, default=0.0, doc="[m] likewise")
    z = Parameter(float, default=0.0, doc="[m] likewise")
    roll = Parameter(float, default=0.0, minimum=-math.pi, maximum=math.pi, doc="[rad] to turn about x")
    pitch = Parameter(float, default=0.0, minimum=-math.pi, maximum=math.pi, doc="[rad] about y")
    yaw = Parameter(float, default=0.0, minimum=-math.pi, maximum=math.pi, doc="[rad] about z")
    relative_to = Parameter(str, default="robot", doc="whose axes: robot, world, hand, or the id of an object")
    frame = Parameter(
        str, default=None, doc="name of the object's frame that stays on the line; its origin unless given"
    )
    until = Parameter(str, default=None, doc="id of an object, or floor: it ends where it touches that")

    def requirements(self) -> Sequence[Requirement]:
        """The hand, or any."""
        return [*super().requirements(), Hands() if self.hand is None else HasHand(self.hand)]

    def preconditions(self) -> Sequence[Condition]:
        """The object is held, in that hand; without both, anything is."""
        return [] if self.object is None and self.hand is not None else [Grasping(self.object, self.hand)]

    def inconditions(self) -> Sequence[Condition]:
        """The hand goes on holding what it held."""
        held = self.context.skills.held(self._hand)
        return [] if held is None else [Grasping(held, self._hand)]

    def moving_hand(self) -> str:
        """That which was named, or holds the object."""
        return self.hand or str(Grasping(self.object).evaluate(self.context).values["hand"])

    def plan(self) -> Job | Failure | None:
        """Plan the line, from where the hand is."""
        wrong = self._wrong()
        self._felt, self._before = False, self._touching()
        return self.fail(FailureKind.PARAMETER, wrong) if wrong else super().plan()

    def ends_at(self) -> str | None:
        """What it is to touch."""
        return None if self.until is None else str(self.until)

    def planned(self, plan: Plan) -> None:
        """Begin to move, to where the plan ends."""
        super().planned(plan)
        if self.until is not None:
            q = self.context.skills.position().copy()
            q[plan.trajectory.indices] = plan.trajectory.sample(np.array([plan.trajectory.duration]))[0][0]
            self._goal = self.context.skills.forward_kinematics(self._hand, q)

    def step(self) -> Failure | bool:
        """Move on, until the hand feels something."""
        self._felt = self.until is not None and bool(self._touching() - self._before)
        return True if self._felt else super().step()

    def is_there(self) -> bool:
        """Whether the hand is where it was to go, or touches what it was to touch."""
        return self._felt or super().is_there()

    def way(self) -> Array:
        """Poses along the line."""
        skills = self.context.skills
        X_WH = skills.forward_kinematics(self._hand)
        R, p = self._axes(X_WH), self._pivot(X_WH)
        rotation = scipy.spatial.transform.Rotation
        turn = R @ rotation.from_euler("xyz", (self.roll, self.pitch, self.yaw)).as_rotvec()
        way = R @ [self.x, self.y, self.z]
        lever = max(LEVER, float(np.linalg.norm(X_WH[:3, 3] - p)))
        length = max(float(np.linalg.norm(way)), lever * float(np.linalg.norm(turn)))
        poses = []
        for share in np.linspace(0.0, 1.0, 1 + max(1, int(np.ceil(length / STEP))))[1:]:
            X = X_WH.copy()
            turned = rotation.from_rotvec(share * turn).as_matrix()
            X[:3, :3] = turned @ X_WH[:3, :3]
            X[:3, 3] = p + share * way + turned @ (X_WH[:3, 3] - p)
            poses.append(X)
        return np.array(poses)

    def _touching(self) -> set[str]:
        """Links of the hand that touch something."""
        return {link for link, touches in self.context.skills.feel(self._hand).contact.items() if touches}

    def _wrong(self) -> str:
        """What is wrong with the parameters, of those that depend on the world; empty if nothing is."""
        perception = self.context.perception
        if self.relative_to not in AXES and self.relative_to not in perception:
            return not_found("axes", self.relative_to, [*AXES, *perception.percepts])
        if self.until not in (None, FLOOR, *perception.percepts):
            return not_found("object", self.until, [FLOOR, *perception.percepts])
        if self.until is not None and self.until == self.context.skills.held(self.moving_hand()):
            return f"'{self.until}' is what the hand holds, and not what it can touch"
        if self.frame is None:
            return ""
        if self.object is None:
            return "a frame is one of an object: name the object, too"
        frames = perception.object(self.object).model.frames
        return "" if self.frame in frames else not_found("frame", self.frame, frames, f"object '{self.object}'")

    def _axes(self, X_WH: Array) -> Array:
        """R_WA (3, 3) Of those along which it moves."""
        if self.relative_to == "world":
            return np.eye(3)
        if self.relative_to == "hand":
            return X_WH[:3, :3]
        if self.relative_to == "robot":
            return pose(rpy=(0.0, 0.0, float(self.context.skills.position()[2])))[:3, :3]
        return self.context.perception.pose(self.relative_to)[:3, :3]

    def _pivot(self, X_WH: Array) -> Array:
        """(3,) [m] What stays on the line, in the world."""
        if self.object is None:
            return X_WH[:3, 3]
        seen = self.context.perception.object(self.object)
        return (seen.X_WO @ seen.model.frames[self.frame] if self.frame else seen.X_WO)[:3, 3]
