"""Shots: from where, and with which of the kicks, a ball goes to a net."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.robot.skills.kicking import KickPlan
from taskmatrix.core.world.geometry import wrap
from taskmatrix.core.world.objects import Array

from .place import Base, bearing, turned

INSIDE = 0.2  # [m] behind the line is aimed at
MIDDLE = 0.25  # of the width of the goal, to each side of its middle, is aimed at from near
FAR = 2.0  # [m] in front of the line, from where the middle is aimed at
NARROW = math.radians(65.0)  # off the way that the goal faces: from beside it is not aimed at
CENTRE = 1.2  # [m] in front of the line, where the ball is brought to from there
BESIDE = 1.5  # of the width, from its middle, it is brought to from behind the net
AGAIN = 12.0  # [s] that another kick takes, about
FALLS_SHORT = 0.8  # of what a kick promises is counted on


@dataclass(frozen=True, eq=False)
class Shot:
    """One of the kicks, for a ball that lies where it does."""

    kick: KickPlan
    """Which kick."""
    base: Base
    """Where the robot has to stand for it."""
    heading: float
    """[rad] Which way the ball goes, in the world."""
    time: float
    """[s] About how long it takes until the ball is in the net, other kicks after it included."""


def target(ball: Array, X_WG: Array, width: float) -> Array:
    """(2,) [m] Where to kick a ball (2,) that lies in front of a goal, or beside it: into it, or to where it can be.

    Args:
        ball: (2,) [m] In the world.
        X_WG: (4, 4) The goal: origin in the middle of its line, x into the net.
        width: [m] Of the goal.
    """
    x, y = (X_WG[:2, :2].T @ (ball - X_WG[:2, 3])).tolist()
    room = MIDDLE * width * max(0.0, 1.0 + min(x, 0.0) / FAR)
    aim = np.array([INSIDE, min(max(y, -room), room)])
    if abs(math.atan2(y - aim[1], INSIDE - x)) > NARROW:
        behind = x > 0.0 and abs(y) < width
        aim = np.array([x, math.copysign(BESIDE * width, y)]) if behind else np.array([-CENTRE, 0.0])
    aimed: Array = X_WG[:2, 3] + X_WG[:2, :2] @ aim
    return aimed


def shots(
    kicks: Iterable[KickPlan], ball: Array, aim: Array, base: Base, distance: float, fastest: Array
) -> list[Shot]:
    """All shots, the quickest first.

    Args:
        kicks: What the robot is able to.
        ball: (2,) [m] Where the ball lies.
        aim: (2,) [m] Where it is to go.
        base: Where the robot stands.
        distance: [m] With which it goes round the ball.
        fastest: (3,) [m/s, m/s, rad/s] How fast it walks and turns.
    """
    heading, far = bearing(aim - ball), float(np.linalg.norm(aim - ball))
    found = []
    for kick in kicks:
        yaw = wrap(heading - kick.heading)
        place = ball - turned(kick.ball, yaw)
        round_it = abs(wrap(bearing(place - ball) - bearing(base.place - ball)))
        way = distance * round_it + abs(distance - float(np.linalg.norm(kick.ball)))
        time = max(way / float(fastest[0]), abs(wrap(yaw - base.yaw)) / float(fastest[2]))
        time += AGAIN * max(far / (FALLS_SHORT * kick.distance) - 1.0, 0.0)
        found.append(Shot(kick, Base(float(place[0]), float(place[1]), yaw), heading, time))
    return sorted(found, key=lambda shot: shot.time)
