"""Finds where a run followed a motion of the robot's data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.robots.keyframes import KeyframeMotion

from ..ground_truth import Record
from .mirror import mirrored, partner

Tracks = Mapping[str, tuple[tuple[float, float], ...]]
FINE = 2  # points of the motion's phase in a control step
HUGE = 2**60
LATER = 2**30  # more than there are steps
FASTEST = 3  # points by which the phase may go on in a step; it may also wait


@dataclass(frozen=True)
class Playing:
    """The longest stretch of a run in which a motion was followed."""

    begin: int
    """First step of it, in the run."""
    end: int
    """Last step of it, in the run."""
    progress: float
    """[s] Of the motion that were played in it."""


def played(record: Record, motion: KeyframeMotion, lasting: float, mirrored: bool | None = None) -> Playing | None:
    """Where the run followed a motion with all joints within 0.03 rad; None if nowhere.

    The motion is the cubic spline through its keyframes, which begins and ends at rest or goes on periodically. Its
    phase never goes back, may go on half again as fast as asked, and may wait. An aperiodic motion is followed from its
    beginning.

    Args:
        record: The run.
        motion: What should have been played.
        lasting: [s] That once through it should take.
        mirrored: Whether it should have been the mirror image; either will do unless given.
    """
    robot, q = record.robot, record.positions()
    best: Playing | None = None
    for tracks in _variants(robot, motion, mirrored):
        found = _follow(q, robot, tracks, motion, record.dt * motion.duration / lasting, record.tolerance.motion)
        if found is not None and (best is None or found.progress > best.progress):
            best = found
    return best


def fastest(robot: Robot, motion: KeyframeMotion) -> float:
    """[s] The least time in which a motion can be played within the limits of velocity and acceleration."""
    times = np.linspace(0.0, motion.duration, 1001)
    least = 0.0
    for joint, track in motion.keyframes.items():
        curve, k = _curve(track, motion), robot.joints.index(joint)
        rate = np.abs(curve(times, 1)).max() / robot.velocity[k]
        bend = np.sqrt(np.abs(curve(times, 2)).max() / robot.acceleration[k])
        least = max(least, float(rate), float(bend))
    return least * motion.duration


def _variants(robot: Robot, motion: KeyframeMotion, mirrored_only: bool | None) -> list[Tracks]:
    """Keyframes by joint: of the motion, of its mirror image, or of both; a motion without one has no mirror image."""
    if mirrored_only is False:
        return [motion.keyframes]
    if all(partner(robot, joint) == joint for joint in motion.keyframes):
        return [] if mirrored_only else [motion.keyframes]
    image = {
        partner(robot, joint): tuple((time, mirrored(robot, joint, position)) for time, position in track)
        for joint, track in motion.keyframes.items()
    }
    return [image] if mirrored_only else [motion.keyframes, image]


def _curve(track: tuple[tuple[float, float], ...], motion: KeyframeMotion) -> scipy.interpolate.CubicSpline:
    times, positions = np.array(track).T
    return scipy.interpolate.CubicSpline(times, positions, bc_type="periodic" if motion.periodic else "clamped")


def _follow(
    q: Array, robot: Robot, tracks: Tracks, motion: KeyframeMotion, dt: float, near_by: float
) -> Playing | None:
    """The longest stretch with all joints within ``near_by`` [rad]; in a step ``dt`` [s] of the motion are due."""
    count = max(int(np.ceil(motion.duration / dt)) * FINE, 2)
    phases = np.linspace(0.0, motion.duration, count, endpoint=not motion.periodic)
    near = np.ones((len(q), count), dtype=bool)
    for joint, rows in tracks.items():
        curve = _curve(rows, motion)(phases)
        near &= np.abs(q[:, robot.joints.index(joint), None] - curve) <= near_by
    # For each phase the farthest that was played up to it, and since which step: progress * LATER + step, or below 0.
    state, seam = np.full(count, -HUGE), np.full(FASTEST, -HUGE)
    best: tuple[int, int, int] | None = None
    for k in range(len(q)):
        earlier = np.concatenate([state[-FASTEST:] if motion.periodic else seam, state])
        shifted = [earlier[FASTEST - n : FASTEST - n + count] + n * LATER for n in range(FASTEST + 1)]
        state = np.maximum.reduce(shifted)
        begin = slice(None) if motion.periodic else slice(FASTEST)
        state[begin] = np.maximum(state[begin], k)
        state[~near[k]] = -HUGE
        farthest, since = divmod(int(state.max()), LATER)
        if farthest >= 0 and (best is None or farthest > best[0]):
            best = farthest, since, k
    if best is None:
        return None
    return Playing(best[1], best[2], best[0] * motion.duration / (count if motion.periodic else count - 1))
