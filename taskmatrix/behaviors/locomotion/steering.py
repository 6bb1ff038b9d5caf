"""Corrections of a base that only turns and rolls: back to its path without slipping sideways.

Forwards it makes up for what it is behind. Sideways it cannot: while it rolls, it heads towards its path, as far to
the side as it is off (Kanayama and others 1990); when it stands, the arm has to do the rest.
"""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.objects import Array

AIM = 2.0  # [rad/m] it heads towards its path, of what it is beside it
LARGEST_AIM = 0.35  # [rad]
ROLLING = 0.2  # [m/s] from which it heads there as far
TURNING = 0.2  # [rad/s] to turn there, at most


def steering(ahead: Array, off: Array, yaw: float, gain: float, rate: float, dt: float) -> Array:
    """(2,) [m] to roll and [rad] to turn in a control step.

    Args:
        ahead: (3,) [m, m, rad] By how much its place on the path changes in this step.
        off: (3,) From that place to where it is.
        yaw: [rad] Where it heads.
        gain: [1/s] With which it makes up for that.
        rate: [m/s], [rad/s] At most, when it stands.
        dt: [s]
    """
    forward, left = heading(yaw), heading(yaw + np.pi / 2)
    roll = float(heading(yaw - off[2]) @ ahead[:2])
    share = float(np.clip(roll / dt / ROLLING, -1.0, 1.0))
    aim = share * float(np.clip(-AIM * (left @ off[:2]), -LARGEST_AIM, LARGEST_AIM))
    fastest = rate + abs(share) * (TURNING - rate)
    catch_up = float(np.clip(-gain * (forward @ off[:2]), -rate, rate))
    turn = float(np.clip(gain * (aim - off[2]), -fastest, fastest))
    return np.array([roll * np.cos(off[2]) + catch_up * dt, ahead[2] + turn * dt])


def unicycle_step(base: Array, step: Array) -> Array:
    """(3,) A base (3,) after a step (2,) of rolling [m] and turning [rad] at once."""
    after: Array = base + np.array([*(step[0] * heading(base[2] + step[1] / 2)), step[1]])
    return after


def feasible(change: Array, yaw: float) -> Array:
    """(2,) What of a change (3,) [m, m, rad] a base that heads at ``yaw`` [rad] can do: roll [m] and turn [rad]."""
    return np.array([heading(yaw) @ change[:2], change[2]])


def heading(yaw: float) -> Array:
    """(2,) Unit vector on the floor in the direction of a yaw [rad]."""
    return np.array([np.cos(yaw), np.sin(yaw)])
