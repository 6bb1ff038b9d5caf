"""Judges scan."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from ..ground_truth import Record
from ..judge import Judge, Parameters, too_short
from ..measures.gaze import view_pose
from ..measures.scene import Scene

SHARE = 0.6  # of the range of the neck
PROBES = 41  # positions of a joint tried
AXES = {"side to side": 2, "up and down": 1}
TURNS = {"side to side": 1, "up and down": 2}  # in a period
FIGURE = {"side to side": 2.0, "up and down": 0.8}  # [rad] that the view sweeps unless it is told
EVERY = 5  # steps from one look at the view to the next
TINY = 0.05  # [rad] swept are no sweep
OFTEN = 0.5  # share of the sweeps that there is time for
NEAR = 0.02  # [m] to a contact, at which the head may turn back


class ScanJudge(Judge):
    """Success of scan (thesis 4.3.6).

    The joints of the head that turn the view about the vertical, and those that turn it about the lateral axis, each
    together sweep at least 60 % of their limits' range; or of the part of it in which the head is 2 cm clear of contact
    at the posture of the start; or of what is asked for: twice ``width``, and ``up`` and ``down`` together. Where other
    joints have a part in it, as on a bent trunk that is turned, it will do that the view sweeps 60 % of that. The run
    lasts ``duration``, if that is given, within 0.1 s; and if a ``period`` is given, the former goes to and fro
    once in it and the latter twice, or in the shortest period within the limits: half as often, at least.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the head did not sweep."""
        robot = record.robot
        if robot.view is None or not robot.chains.get("head"):
            return "the robot has no head to turn"
        reason = too_short(record, parameters)
        if reason:
            return reason
        q = record.positions()
        asked = {"side to side": _sum(parameters, "width", "width"), "up and down": _sum(parameters, "up", "down")}
        shortest, sweeps = 0.0, dict[str, float]()
        upright = np.clip(0.0, robot.lower, robot.upper)  # a bent trunk makes no other joint of what turns the view
        for way, axis in AXES.items():
            turn = _turn_about(robot, upright, axis)
            if not turn.any():
                continue
            angles = q @ turn
            swept = float(np.ptp(angles))
            whole = float((robot.upper - robot.lower) @ np.abs(turn))
            facts[way] = swept / whole
            little = swept < SHARE * min(whole, asked[way]) and swept < SHARE * self._clear(record, turn)
            if little and _seen(robot, q, way) < SHARE * min(asked[way], FIGURE[way]):
                return f"the head swept {swept / whole:.0%} of its range {way}"
            if min(swept, asked[way]) > TINY:
                shortest = max(shortest, _shortest(robot, turn, swept) * TURNS[way])
                sweeps[way] = float(np.abs(np.diff(angles)).sum()) / (2 * min(swept, asked[way]))
        facts["sweeps"] = sweeps
        for way in sweeps if parameters.get("period") is not None else ():
            due = OFTEN * TURNS[way] * (len(q) - 1) * record.dt / max(float(str(parameters["period"])), shortest)
            if sweeps[way] < due:
                return f"the head went {way} {sweeps[way]:.1f} times, not {due:.1f}"
        return ""

    def _clear(self, record: Record, turn: Array) -> float:
        """[rad] The part of the range of a turn (n,) around the start in which the robot is clear of contact."""
        robot, start = record.robot, record.start
        scene = Scene(robot, record.objects)
        links = [k for k in range(len(scene.pairs)) if (scene.owners[k] < 0).all()]

        def clear(q: Array) -> bool:
            scene.place(q, start.poses)
            return all(scene.distance(pair) > NEAR or pair in tight for pair in links)

        scene.place(start.q, start.poses)
        tight = {pair for pair in links if scene.distance(pair) <= NEAR}
        ends = []
        for end in (np.where(turn < 0.0, robot.upper, robot.lower), np.where(turn < 0.0, robot.lower, robot.upper)):
            free = start.q
            for q in np.linspace(start.q, np.where(turn == 0.0, start.q, end), PROBES):
                if not clear(q):
                    break
                free = q
            ends.append(float(free @ turn))
        return ends[1] - ends[0]


def _seen(robot: Robot, Q: Array, way: str) -> float:
    """[rad] Between the directions of the view that are farthest apart, about the vertical or from the horizon.

    Of the latter what goes with the former does not count: a neck on a bent trunk nods as it turns.
    """
    x, y, z = np.array([view_pose(robot, q)[:3, 0] for q in Q[::EVERY]]).T
    turned = np.unwrap(np.arctan2(y, x) - Q[::EVERY, 2])
    if way == "side to side":
        return float(np.ptp(turned))
    risen = np.arctan2(z, np.hypot(x, y))
    return float(np.ptp(risen - np.polyval(np.polyfit(turned, risen, 4), turned)))


def _sum(parameters: Parameters, *names: str) -> float:
    """[rad] That parameters ask for together; infinite if one is not given."""
    return abs(sum(np.inf if parameters.get(name) is None else float(str(parameters[name])) for name in names))


def _shortest(robot: Robot, turn: Array, swept: float) -> float:
    """[s] The least period in which a turn (n,) can go to and fro over a range [rad], as a sine."""
    by_speed = np.pi * swept / (robot.velocity @ np.abs(turn))
    return float(max(by_speed, 2 * np.pi * np.sqrt(swept / 2 / (robot.acceleration @ np.abs(turn)))))


def _turn_about(robot: Robot, q: Array, axis: int) -> Array:
    """(n,) 1 or -1 for the joints of the head that turn the view about an axis of the base: 1 lateral, 2 vertical.

    At joint positions q (n,).
    """
    turn, most = np.zeros(len(q)), np.sin(np.deg2rad(45.0))
    yaw = np.array([[np.cos(q[2]), -np.sin(q[2]), 0.0], [np.sin(q[2]), np.cos(q[2]), 0.0], [0.0, 0.0, 1.0]])
    for joint in robot.chains["head"]:
        turned = q.copy()
        turned[joint] += 1e-4
        R = view_pose(robot, turned)[:3, :3] @ view_pose(robot, q)[:3, :3].T
        spin = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2e-4
        share = float(yaw[:, axis] @ spin)
        if abs(share) > most:
            turn[joint] = np.sign(share)
    return turn
