"""Kicks: a leg swings so that its foot is fastest where it meets the ball, and returns; on any robot with legs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.joint_motion import Motion
from taskmatrix.core.robot.skills.kicking import KickPlan
from taskmatrix.core.world.geometry import bounding_box
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.robots import Robot
from taskmatrix.robots.capabilities import GRAVITY

from ..collision.collision import CollisionChecker
from .feet import Foot

ANGLES = {"front": 0.0, "diagonal": np.pi / 4, "lateral": np.pi / 2}  # [rad] outwards
PLACES = np.linspace(-0.2, 0.5, 15)  # [-] of the height of the hip: how far from its place the foot meets the ball
SLOPES = (0.0, 0.15, 0.3)  # [-] with which the foot may rise at the strike
SWINGS = (0.2, 0.35, 0.5, 0.7)  # [-] of it: how long the way of the foot would be at the speed of the strike
LIFTED = (0.05, 0.25)  # [-] of it: how far the foot is lifted at the strike, at least and at most
INWARDS = 0.02  # [-] of it by which a foot comes nearer to the other leg, at most
CLEAR = 0.02  # [-] of it: the room below the foot while it swings
SUNK = 2e-3  # [m] by which a foot may go into the floor that leaves it, or comes back
LEVEL = 2e-3  # [m] by which the foremost points of a foot are apart at most
POINTS = 31  # postures on each part of the way
ITERATIONS = 60  # of the search for the posture at the strike
REGULAR = 1e-9  # [m^2/s^2] with which what is singular can be solved
PEAK, STEEPEST = 1.875, 5.7735  # [-] the largest speed and acceleration of a unit way in unit time with the least jerk
INSTANT = 1e-3  # [s] before and after, between which a speed is taken
ROTOR = 5e-3  # [kg m^2] with which a geared motor adds to what it turns
ROLLING = 5 / 7  # [-] of its speed a solid ball keeps that slides at first
OFF = 2e-3  # [m] by which the foot may miss where it should meet the ball
WEAKEST = 0.3  # [m/s] a foot that is slower at the strike does not kick
YIELDS = 0.95  # [-] of its largest speed with which the ball turns a joint back, at most
STRONGEST = 2.2  # [m/s] with which a ball rolls away: 5 m on carpet, most of a field
USED = 0.95  # [-] of the limits of velocity and acceleration
TORQUE = 0.8  # [-] of what motors give
LONGER, TRIES = 1.1, 25  # a part that takes too much torque takes so much longer, at most so many times
SHORTEST = 0.05  # [s] of a part of the motion
PAUSE = 0.1  # [s] with which a foot that has returned waits


class Kicker:
    """Makes the kicks of one robot.

    At the strike the sole is level, its foremost point as high as the middle of the ball, and it moves level to where
    the ball is to go. All joints are at their fastest there, in the ratio that takes the least shares of their limits,
    and come there on a straight way in the space of joints: hip and knee swing together. Of the places where the foot
    may meet the ball, and the lengths of the swing, those are taken with which it is fastest.

    Args:
        robot: The robot.
    """

    def __init__(self, robot: Robot) -> None:
        self._robot, self._model = robot, robot.model.copy()
        self._checker = CollisionChecker(robot)
        self._feet = {leg.foot: Foot(robot, leg) for leg in robot.legs}
        for id in {id for leg in robot.legs for id in (robot.model.getJointId(robot.joints[j]) for j in leg.joints)}:
            body = self._model.inertias[id]
            self._model.inertias[id] = pin.Inertia(body.mass, body.lever, body.inertia + ROTOR * np.eye(3))
        self._data = self._model.createData()
        self._rows = {
            name: [robot.model.joints[robot.model.getJointId(robot.joints[j])].idx_v for j in foot.joints]
            for name, foot in self._feet.items()
        }

    def kick(self, foot: str, direction: str, ball: ObjectModel, q: Array) -> KickPlan | Failure:
        """A kick of a ball that lies where this kick wants it.

        Args:
            foot: ``left`` or ``right``.
            direction: ``front``, ``diagonal`` or ``lateral``, to the side of the foot.
            ball: What is kicked.
            q: (n,) Where the robot stands.

        Returns:
            The kick, or why the leg cannot do it.
        """
        found = self._feet[foot]
        found.lock(q)
        angle = found.leg.outward * ANGLES[direction]
        d = np.array([math.cos(angle), math.sin(angle), 0.0])
        lower, upper = bounding_box(ball.shapes, np.eye(4))
        radius = float(upper[2] - lower[2]) / 2
        fastest, best, touched = 0.0, None, None
        for swing, posture, rates in self._strikes(found, d, radius, q):
            if PEAK * swing / self._least(found, swing * rates) <= fastest:
                continue
            parts = self._parts(found, posture, swing * rates, q)
            if parts is None:
                continue
            speed = PEAK * swing / self._duration(found, parts[1], q)
            if speed <= fastest or speed < WEAKEST:
                continue
            pair = self._touching(found, parts, q)
            if pair is None:
                gain, most = self._struck(found, posture, d, ball, q)
                fastest, best = speed, (parts, PEAK * swing / min(speed, most, STRONGEST / gain))
            touched = touched or pair
        if best is None:
            why = f"{touched[0]} and {touched[1]} would touch" if touched else "it is not within its limits"
            message = f"the {foot} leg comes to no kick to its {direction}: {why}"
            facts = {"foot": foot, "direction": direction, "pair": touched}
            kind = FailureKind.COLLISION if touched else FailureKind.IK_EXHAUSTED
            return Failure(kind, "kicking", message, facts)
        motion, strike = self._timed(found, f"kick {foot} {direction}", *best, q)
        before, sole, after = (self._sole(found, motion, q, strike + by) for by in (-INSTANT, 0.0, INSTANT))
        tips = [X[:3, :3] @ self._tip(found, d) + X[:3, 3] for X in (before, sole, after)]
        speed = gain * float(d @ (tips[2] - tips[0])) / (2.0 * INSTANT)
        distance = math.inf if ball.rolling is None else speed**2 / (2.0 * ball.rolling * GRAVITY)
        return KickPlan(foot, direction, motion, (tips[1] + radius * d)[:2], angle, speed, strike, distance)

    def _strikes(self, foot: Foot, d: Array, radius: float, q: Array) -> Iterator[tuple[float, Array, Array]]:
        """Length [m] of a swing, posture (k,) at the strike, and rates (k,) of the joints for 1 m/s along d (3,)."""
        leg, ground, tip = foot.leg, foot.pose(q), self._tip(foot, d)
        least, most = LIFTED[0] * leg.height, LIFTED[1] * leg.height
        lift = min(max(radius - float(tip[2]), least), most)
        for place in PLACES:
            X = ground.copy()
            X[:3, 3] += place * leg.height * d
            X[2, 3] = lift
            posture = foot.solve(foot.bent(q), X, ITERATIONS)
            whole = q.copy()
            whole[foot.joints] = posture
            if np.linalg.norm(foot.pose(whole)[:3, 3] - X[:3, 3]) > OFF:
                continue
            J = foot.jacobian(posture, tip)
            A = np.array([d @ J, (-d[1], d[0], 0.0) @ J, J[2]])
            weighed = A * self._robot.velocity[foot.joints] ** 2
            shares = np.linalg.solve(
                weighed @ A.T + REGULAR * np.eye(3), [(1.0,) * len(SLOPES), (0.0,) * len(SLOPES), SLOPES]
            )
            for rates, swing in product((weighed.T @ shares).T, SWINGS):
                yield swing * leg.height, posture, rates

    def _parts(self, foot: Foot, posture: Array, way: Array, q: Array) -> list[Array] | None:
        """Back, through the ball and down, (m, k) each; None where that is beyond limits, or foot or leg in the way."""
        j, leg, stand = foot.joints, foot.leg, q[foot.joints]
        swing = posture + np.outer(_clock() - 0.5, way)
        if (swing < self._robot.lower[j]).any() or (swing > self._robot.upper[j]).any():
            return None
        parts = [stand + np.outer(_clock(), swing[0] - stand), swing, swing[-1] + np.outer(_clock(), stand - swing[-1])]
        whole, inner = q.copy(), float(foot.pose(q)[1, 3]) * leg.outward - INWARDS * leg.height
        for part, clear in zip(parts, (-SUNK, CLEAR * leg.height, -SUNK), strict=True):
            for row in part:
                whole[j] = row
                X = foot.pose(whole)
                if X[1, 3] * leg.outward < inner or (leg.outline @ X[2, :3]).min() + X[2, 3] < clear:
                    return None
        return parts

    def _touching(self, foot: Foot, parts: list[Array], q: Array) -> tuple[str, str] | None:
        """Two links that touch on the way."""
        rows = np.concatenate(parts)
        Q = np.tile(q, (len(rows), 1))
        Q[:, foot.joints] = rows
        return next((pair for pair in self._checker.contacts(Q) if pair is not None), None)

    def _timed(self, foot: Foot, name: str, parts: list[Array], swing: float, q: Array) -> tuple[Motion, float]:
        """The motion through parts (m, k), the second of which lasts ``swing`` [s], and when [s] its middle is."""
        times, rows, start, strike = [0.0], [parts[0][0]], 0.0, 0.0
        for number, part in enumerate(parts):
            lasts = swing if number == 1 else self._duration(foot, part, q)
            strike = start + lasts / 2 if number == 1 else strike
            times += (start + lasts * np.linspace(0.0, 1.0, POINTS))[1:].tolist()
            rows += part[1:].tolist()
            start += lasts
        times.append(start + PAUSE)
        rows.append(rows[-1])
        columns = zip(foot.joints.tolist(), np.array(rows).T.tolist(), strict=True)
        tracks = {joint: list(zip(times, column, strict=True)) for joint, column in columns}
        return Motion.through(name, tracks, periodic=False), strike

    def _struck(self, foot: Foot, posture: Array, d: Array, ball: ObjectModel, q: Array) -> tuple[float, float]:
        """Speed with which the ball rolls, as a share of that of the foot along d (3,) at a posture (k,); and this one.

        The foot weighs what its leg resists with there, ``1 / (J M^-1 J^T)``. Its speed [m/s] is the largest one at
        which no joint gives way faster than it may turn.
        """
        rows, whole, mass = self._rows[foot.leg.foot], q.copy(), ball.mass or 0.0
        whole[foot.joints] = posture
        M = pin.crba(self._model, self._data, self._robot.expand(whole))[np.ix_(rows, rows)]
        J = d @ foot.jacobian(posture, self._tip(foot, d))
        yielding = np.linalg.solve(np.triu(M) + np.triu(M, 1).T, J)
        gain = (1.0 + ball.restitution) / (1.0 + mass * float(J @ yielding))
        jumps = gain * mass * np.abs(yielding) / self._robot.velocity[foot.joints]
        return ROLLING * gain, YIELDS / max(float(jumps.max()), 1e-9)

    def _least(self, foot: Foot, way: Array) -> float:
        """[s] How long a straight way (k,) in the space of joints takes by their limits, from rest to rest."""
        speeds = PEAK * np.abs(way) / self._robot.velocity[foot.joints]
        changes = STEEPEST * np.abs(way) / self._robot.acceleration[foot.joints]
        return max(float(speeds.max()) / USED, math.sqrt(float(changes.max()) / USED), SHORTEST)

    def _duration(self, foot: Foot, part: Array, q: Array) -> float:
        """[s] How long a straight part (m, k) takes at least: joints and motors keep within what they can."""
        way, t = part[-1] - part[0], np.linspace(0.0, 1.0, POINTS)[:, None]
        speed, change = way * (30.0 * t**2 * (1.0 - t) ** 2), way * (60.0 * t * (1.0 - t) * (1.0 - 2.0 * t))
        lasts = self._least(foot, way)
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
            tau = pin.rnea(self._model, self._data, robot.expand(whole), robot.S @ rates, robot.S @ changes)
            worst = max(worst, float((np.abs(tau[rows]) / robot.effort[j]).max()))
        return worst

    def _sole(self, foot: Foot, motion: Motion, q: Array, time: float) -> Array:
        """(4, 4) Where the sole is at a time [s] of a motion, in the base's frame."""
        there = q.copy()
        there[motion.indices] = motion.sample(time)[0]
        return foot.pose(there)

    def _tip(self, foot: Foot, d: Array) -> Array:
        """(3,) [m] The middle of what of a level foot is foremost in a direction d (3,), in the sole's frame."""
        along = foot.leg.outline @ d
        foremost = foot.leg.outline[along > along.max() - LEVEL]
        middle: Array = (foremost.min(axis=0) + foremost.max(axis=0)) / 2
        return middle


def _clock() -> Array:
    """(POINTS,) Shares of a way that are gone at equal times, with the least jerk."""
    t = np.linspace(0.0, 1.0, POINTS)
    way: Array = t**3 * (10.0 - 15.0 * t + 6.0 * t * t)
    return way
