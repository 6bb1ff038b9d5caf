"""Kicks: a foot goes back, through where the ball lies, and returns; by inverse kinematics on any robot with legs."""

from __future__ import annotations

import math

import numpy as np
import pinocchio as pin

from taskmatrix.core.failure import Failure, FailureKind
from taskmatrix.core.kick import KickPlan
from taskmatrix.core.motion import Motion
from taskmatrix.core.objects import Array
from taskmatrix.robots import Robot

from .feet import Foot

ANGLES = {"front": 0.0, "diagonal": np.pi / 4, "lateral": np.pi / 2}  # [rad] outwards
BACK, SWING = (
    0.15,
    0.42,
)  # [-] of the height of the hip: how far behind its place the swing begins, and its length
LIFTED = (0.06, 0.2)  # [-] of it: how far the foot is lifted in the middle, at least and at most
LEVEL = 0.002  # [m] by which the foremost points of a foot are apart at most
SPARED = 0.02  # [-] of the length of the leg by which its knee stays bent
POINTS = 30  # postures on each part of the way
FIRST, ITERATIONS = 60, 12  # of the search for the first of them, and for each other
LEANING = 0.7  # [-] of the angle of the leg by which its foot leans
INSTANT = 1e-3  # [s] before and after, between which a speed is taken
ROLLING = 5 / 7  # [-] of its speed a solid ball keeps that slides at first
OFF = 0.01  # [m] by which the foot may miss where it should meet the ball
USED = 0.85  # [-] of the limits of velocity and acceleration
TORQUE = 0.8  # [-] of what motors give
LONGER, TRIES = 1.1, 25  # a part that takes too much torque takes so much longer, at most so many times
SHORTEST = 0.05  # [s] of a part of the motion
PAUSE = 0.1  # [s] with which a foot that has returned waits


class Kicker:
    """Makes the kicks of one robot.

    Args:
        robot: The robot.
    """

    def __init__(self, robot: Robot) -> None:
        self._robot, self._data = robot, robot.model.createData()
        self._feet = {leg.foot: Foot(robot, leg) for leg in robot.legs}
        self._rows = {
            name: [robot.model.joints[robot.model.getJointId(robot.joints[j])].idx_v for j in foot.joints]
            for name, foot in self._feet.items()
        }

    def kick(self, foot: str, direction: str, radius: float, restitution: float, q: Array) -> KickPlan | Failure:
        """A kick of a ball that lies where this kick wants it.

        The middle of the swing, where the foot is fastest, is where it meets the ball; it is lifted so far that its
        foremost point is as high as the middle of the ball.

        Args:
            foot: ``left`` or ``right``.
            direction: ``front``, ``diagonal`` or ``lateral``, to the side of the foot.
            radius: [m] Of the ball.
            restitution: [-] Of its speed that it keeps when it meets the foot.
            q: (n,) Where the robot stands.

        Returns:
            The kick, or why the leg cannot do it.
        """
        found = self._feet[foot]
        found.lock(q)
        leg, ground = found.leg, found.pose(q)
        angle = leg.outward * ANGLES[direction]
        d = np.array([math.cos(angle), math.sin(angle)])
        begin = np.array([-BACK * leg.height * math.cos(angle), 0.0])
        end = begin + SWING * leg.height * d
        middle = (begin + end) / 2
        tip = _tip(leg.outline @ _leaning(middle, leg.height).T, d)
        lift = float(np.clip(radius - tip[2], LIFTED[0] * leg.height, LIFTED[1] * leg.height))
        reach = leg.height - lift
        swing: list[Array] = []
        posture = found.bent(q)
        for s in _clock(POINTS):
            off = begin + s * (end - begin)
            X = ground.copy()
            X[:3, :3] = _leaning(off, leg.height) @ X[:3, :3]
            X[:2, 3] += off
            X[2, 3] += lift + reach - math.sqrt(max(reach**2 - float(off @ off), 0.0))
            posture = found.solve(posture, found.within_reach(X, SPARED), ITERATIONS if swing else FIRST)
            swing.append(posture)
        stand = q[found.joints]
        back, down = (a + _clock(POINTS)[:, None] * (b - a) for a, b in ((stand, swing[0]), (swing[-1], stand)))
        parts = [back, np.array(swing), down]
        return self._timed(found, direction, angle, parts, q, ground[:2, 3] + middle, radius, 1.0 + restitution)

    def _timed(
        self,
        foot: Foot,
        direction: str,
        angle: float,
        parts: list[Array],
        q: Array,
        middle: Array,
        radius: float,
        gain: float,
    ) -> KickPlan | Failure:
        """The kick with paths (m, k) of the leg as its parts."""
        name = f"{foot.leg.foot} {direction}"
        times, rows, start = [], [], 0.0
        strike = 0.0
        for number, part in enumerate(parts):
            lasts = self._duration(foot, part, q)
            strike = start + lasts / 2 if number == 1 else strike
            clock = start + lasts * np.linspace(0.0, 1.0, POINTS)
            first = 0 if number == 0 else 1
            times += clock[first:].tolist()
            rows += part[first:].tolist()
            start += lasts
        times.append(start + PAUSE)
        rows.append(rows[-1])
        tracks = {
            int(joint): list(zip(times, [row[column] for row in rows], strict=True))
            for column, joint in enumerate(foot.joints)
        }
        motion = Motion.through(f"kick {name}", tracks, periodic=False)
        limits = self._robot.velocity[motion.indices], self._robot.acceleration[motion.indices]
        slower = max(1.0, motion.shortest(*limits) / motion.duration)
        motion, strike = motion.lasting(motion.duration * slower), strike * slower
        d = np.array([math.cos(angle), math.sin(angle)])
        before, sole, after = (self._sole(foot, motion, q, strike + by) for by in (-INSTANT, 0.0, INSTANT))
        off = float(np.linalg.norm(sole[:2, 3] - middle))
        if off > OFF:
            message = f"the {foot.leg.foot} foot misses by {off:.3f} m where it should meet the ball: {direction}"
            return Failure(FailureKind.IK_EXHAUSTED, "kicking", message, {"distance": off, "direction": direction})
        speed = gain * ROLLING * float(d @ (after - before)[:2, 3]) / (2.0 * INSTANT)
        ball = sole[:2, 3] + _tip(foot.leg.outline @ sole[:3, :3].T, d)[:2] + radius * d
        return KickPlan(foot.leg.foot, direction, motion, ball, angle, speed, strike)

    def _duration(self, foot: Foot, part: Array, q: Array) -> float:
        """[s] How long a part takes at least, from rest to rest: joints and motors keep within what they can."""
        robot, j = self._robot, foot.joints
        curve = Motion.through("", {k: list(enumerate(column)) for k, column in enumerate(part.T.tolist())}, False)
        _, speed, change = (POINTS - 1) ** np.arange(3)[:, None, None] * np.array(
            curve.sample(np.arange(float(POINTS)))
        )
        fastest = float((np.abs(speed) / robot.velocity[j]).max()) / USED
        hardest = math.sqrt(float((np.abs(change) / robot.acceleration[j]).max()) / USED)
        lasts = max(fastest, hardest, SHORTEST)
        for _ in range(TRIES):
            if self._strain(foot, part, speed / lasts, change / lasts**2, q) <= TORQUE:
                break
            lasts *= LONGER
        return lasts

    def _strain(self, foot: Foot, part: Array, speed: Array, change: Array, q: Array) -> float:
        """[-] The largest torque of a motor of the leg as a share of what it gives."""
        robot, rows, j, worst = self._robot, self._rows[foot.leg.foot], foot.joints, 0.0
        for position, v, a in zip(part, speed, change, strict=True):
            whole, rates, changes = q.copy(), np.zeros(robot.n), np.zeros(robot.n)
            whole[j], rates[j], changes[j] = position, v, a
            tau = pin.rnea(robot.model, self._data, robot.expand(whole), robot.S @ rates, robot.S @ changes)
            worst = max(worst, float((np.abs(tau[rows]) / robot.effort[j]).max()))
        return worst

    def _sole(self, foot: Foot, motion: Motion, q: Array, time: float) -> Array:
        """(4, 4) Where the sole is at a time [s] of a motion, in the base's frame."""
        there = q.copy()
        there[motion.indices] = motion.sample(time)[0]
        return foot.pose(there)


def _tip(outline: Array, d: Array) -> Array:
    """(3,) [m] The middle of what of a foot (k, 3) is foremost in a direction d (2,)."""
    along = outline[:, :2] @ d
    foremost = outline[along > along.max() - LEVEL]
    middle: Array = (foremost.min(axis=0) + foremost.max(axis=0)) / 2
    return middle


def _leaning(off: Array, height: float) -> Array:
    """(3, 3) How a foot leans that is off (2,) [m] from below its hip: it goes with the leg for the most part."""
    far = float(np.hypot(off[0], off[1]))
    angle = LEANING * math.asin(min(far / height, 1.0))
    axis = np.array([off[1], -off[0], 0.0]) / max(far, 1e-12)
    R: Array = pin.exp3(axis * angle)
    return R


def _clock(points: int) -> Array:
    """(points,) Shares of a way that are gone at equal times, with the least jerk."""
    t = np.linspace(0.0, 1.0, points)
    way: Array = t**3 * (10.0 - 15.0 * t + 6.0 * t * t)
    return way
