"""Tilt what a hand holds over something."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from taskmatrix.core.base.errors import not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.robot.plans import HandGoal, Indices, Job, Plan, Trajectory
from taskmatrix.core.world.geometry import Box, bounding_box, inverse, pose
from taskmatrix.core.world.objects import Array, Shape

from ..common.holds_object import HoldsObject
from ..common.kept import kept
from .way_follower import WayFollower

STEP, MOVE = np.deg2rad(2.0), 0.006  # [rad], [m] from one pose to the next
YAWS = 16  # of what is held over something, that are offered to the planner
HEIGHT = 0.05  # [m] of the rim over what it pours into
SIDEWAYS = 0.5  # [-] horizontal part of the hand's z with which it comes from a side
UP = np.array([0.0, 0.0, 1.0])
LEFT, RIGHT = "left", "right"


def tilting(shapes: Sequence[Shape], X_WO: Array, X_WH: Array, left: bool) -> tuple[Array, float, Array]:
    """About which axis a hand tilts what it holds, by how much it is tilted already, and over which point it pours.

    Args:
        shapes: Of the object.
        X_WO: (4, 4) Its pose.
        X_WH: (4, 4) That of the hand.
        left: Whether it pours to the left, as the hand points.

    Returns:
        Unit vector (3,) of the axis in the world, the angle [rad], and the point (3,) [m] of the rim in the object.
    """
    along = X_WH[:3, 2] if np.linalg.norm(X_WH[:2, 2]) >= SIDEWAYS else X_WH[:3, 1]
    axis = np.array([along[0], along[1], 0.0])
    axis *= (-1.0 if left else 1.0) / np.linalg.norm(axis)
    z = X_WO[:3, 2]
    angle = math.atan2(float(z @ np.cross(axis, UP)), float(z @ UP))
    upright = scipy.spatial.transform.Rotation.from_rotvec(-angle * axis).as_matrix() @ X_WO[:3, :3]
    towards = upright.T @ np.cross(axis, UP)  # where the rim goes, in the object
    lower, upper = bounding_box(shapes, np.eye(4))
    middle, half = (lower + upper) / 2, (upper - lower) / 2
    flat = np.array([towards[0], towards[1], 0.0]) / max(float(np.linalg.norm(towards[:2])), 1e-9)
    return axis, angle, np.array([middle[0], middle[1], upper[2]]) + flat * float(half[:2].min())


def tilting_way(shapes: Sequence[Shape], X_WO: Array, X_WH: Array, over: Box, angle: float, left: bool) -> Array:
    """(t, 4, 4) Poses of a hand that tilts what it holds to an angle [rad], with its rim 5 cm over a box."""
    axis, now, rim = tilting(shapes, X_WO, X_WH, left)
    X_OH, start = inverse(X_WO) @ X_WH, X_WO[:3, :3] @ rim + X_WO[:3, 3]
    end = np.array([*(over[0] + over[1])[:2] / 2, over[1][2] + HEIGHT])
    steps = abs(angle - now) / STEP, float(np.linalg.norm(end - start)) / MOVE
    poses = []
    for share in np.linspace(0.0, 1.0, 1 + max(1, math.ceil(max(steps))))[1:]:
        X = np.eye(4)
        turn = scipy.spatial.transform.Rotation.from_rotvec(share * (angle - now) * axis)
        X[:3, :3] = turn.as_matrix() @ X_WO[:3, :3]
        X[:3, 3] = start + share * (end - start) - X[:3, :3] @ rim
        poses.append(X @ X_OH)
    return np.array(poses)


class HeldMotion(HoldsObject, WayFollower):
    """Base of what moves an object that a hand holds over another."""

    into = Parameter(str, doc="id of what it is held over")

    def required_chains(self) -> Sequence[str] | Failure:
        """Those of the hand, and the trunk if it is free."""
        self.note_held()
        return super().required_chains()

    def moving_hand(self) -> str:
        """That which holds it."""
        return self._hand

    def chosen(self) -> Job | Failure | None:
        """Plan, now that what it is held over is known."""
        return super().plan()

    def plan(self) -> Job | Failure | None:
        """Plan, if there is what it is to be held over."""
        if self.into == self._held:
            return self.fail(FailureKind.PARAMETER, f"'{self.into}' is what is held, and cannot be held over itself")
        if self.into in self.context.perception:
            return self.chosen()
        message = not_found("object", self.into, self.context.perception.percepts)
        return self.fail(FailureKind.UNKNOWN_OBJECT, message)


class HoldOver(HeldMotion):
    """Take what a hand holds upright to where its rim is over the middle of something else, and it can be tilted."""

    angle = Parameter(float, default=2.0, minimum=0.0, maximum=3.0, doc="[rad] by which it is to be tilted there")
    tilt = Parameter(float, default=0.17, minimum=0.02, maximum=math.pi, doc="[rad] by which it may be off upright")

    left = Output(bool, doc="whether it can be tilted to the left, as the hand points")

    def way(self) -> Array:
        """(1, 4, 4) Where the hand is: what it is to do is in its goals."""
        return self.context.skills.forward_kinematics(self._hand)[None]

    def chosen(self) -> Job | Failure | None:
        """Plan a motion to one of its goals, on which the object stays upright."""
        skills, context = self.context.skills, self.context
        keep = kept(context, "upright", self.tilt)
        chains = [each for each in context.arbiter.granted(self.path) if each not in self._fingers()]
        seed = int(self.random.integers(2**31))
        return skills.plan_to_poses(self._goals(), chains, self.duration, seed, self.planning_time, keep)

    def _goals(self) -> list[HandGoal]:
        """Of each yaw and side one, from which it can be tilted."""
        perception, X_WH = self.context.perception, self.context.skills.forward_kinematics(self._hand)
        held, (lower, upper) = perception.object(self._held), perception.object(self.into).box
        shapes, X_OH = held.model.shapes, inverse(held.X_WO) @ X_WH
        bottom = float(bounding_box(shapes, np.eye(4))[0][2])
        goals = []
        for left in (True, False):
            for yaw in np.linspace(-np.pi, np.pi, YAWS, endpoint=False):
                X = pose(rpy=(0.0, 0.0, float(yaw)))
                _, _, rim = tilting(shapes, X, X @ X_OH, left)
                X[:3, 3] = [*(lower + upper)[:2] / 2, upper[2] + HEIGHT - bottom]
                X[:2, 3] -= (X[:3, :3] @ rim)[:2]
                onward = tilting_way(shapes, X, X @ X_OH, (lower, upper), self.angle, left)
                label = LEFT if left else RIGHT
                goals.append(HandGoal(self._hand, X @ X_OH, label, self.into, onward=onward))
        return goals

    def planned(self, plan: Plan) -> None:
        """Begin to move."""
        assert plan.goal is not None
        self._goal, self._label = plan.goal.X_WH, plan.goal.label
        super().planned(plan)

    def achieved(self) -> Failure | bool:
        """Whether the hand has arrived; say to which side it can be tilted."""
        self.publish(left=self._label == LEFT)
        return super().achieved()


@dataclass(frozen=True, eq=False)
class ThereAndBack:
    """A trajectory, a pause at its end, and the same way back."""

    there: Trajectory
    pause: float

    @property
    def indices(self) -> Indices:
        """(k,) The joints that it moves."""
        return self.there.indices

    @property
    def duration(self) -> float:
        """[s] Of all three."""
        return 2.0 * self.there.duration + self.pause

    def sample(self, time: float | Array) -> tuple[Array, Array, Array]:
        """(..., k) each: position, velocity and acceleration at times [s] of any shape, clipped to its ends."""
        at = np.asarray(time, dtype=float)
        left = np.clip(self.duration - at, 0.0, None)
        q, v, a = self.there.sample(np.minimum(at, left))
        back = np.asarray(at > left)[..., None]
        return q, np.where(back, -v, v), a


class Tilt(HeldMotion):
    """Tilt what a hand holds until its rim is 5 cm over the middle of something else, wait, and turn it back.

    It turns about the axis along which the hand has grasped it, to one side or the other, and the rim goes straight to
    its place meanwhile. The way there is planned as a whole before anything moves, and it comes back on the same.
    """

    angle = Parameter(float, default=2.0, minimum=0.1, maximum=3.0, doc="[rad] of its axis from the vertical")
    pause = Parameter(float, default=1.0, minimum=0.0, doc="[s] for which it stays so")
    left = Parameter(bool, default=True, doc="whether its rim goes to the left, as the hand points, or to the right")

    def way(self) -> Array:
        """Poses of the hand, as the object turns about its rim."""
        perception, X_WH = self.context.perception, self.context.skills.forward_kinematics(self._hand)
        held = perception.object(self._held)
        return tilting_way(held.model.shapes, held.X_WO, X_WH, perception.object(self.into).box, self.angle, self.left)

    def planned(self, plan: Plan) -> None:
        """Begin to move, there and back."""
        self._goal = self.context.skills.forward_kinematics(self._hand)
        super().planned(replace(plan, trajectory=ThereAndBack(plan.trajectory, self.pause)))

    def is_there(self) -> bool:
        """Whether it has come back."""
        return self.elapsed >= self._plan.duration and super().is_there()
