"""Judges move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from taskmatrix.core.world.geometry import pose, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.robots.hand_pose import hand_pose

from ..ground_truth import Record, Step
from ..judge import Judge, Parameters
from ..measures.holding import holder
from ..measures.scene import Scene

ON_WAY = (0.002, np.deg2rad(1.0))  # [m], [rad] off the line, at any step


class MoveJudge(Judge):
    """Success of move.

    What is moved is a hand, or the frame of an object that it holds. At every step its origin is within 2 mm of the
    straight line to where it is to be, and it is turned about the one axis within 1 degree; in the end it is there, or,
    with ``until``, a link of the hand or what it holds is within 3 mm of that; and what the hand held it still holds.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why it is elsewhere, or left the line."""
        start, id = record.start, parameters.get("object")
        hand = str(parameters["hand"] or (holder(start, str(id)) if id else next(iter(start.held), "")))
        if start.held.get(hand) != record.end.held.get(hand):
            return f"the {hand} hand does not hold what it held"
        moved = _Moved(record, hand, parameters)
        line, off_line, off_turn = moved.line, 0.0, 0.0
        for step in record.run:
            X = moved.at(step)
            off_line = max(off_line, line.distance(X[:3, 3]))
            off_turn = max(off_turn, line.angle(X[:3, :3]))
        distance, angle = pose_error(line.end, moved.at(record.end))
        facts.update(hand=hand, off_line=off_line, off_turn=off_turn, distance=distance, angle=angle)
        allowed = record.tolerance
        if off_line > max(ON_WAY[0], allowed.slip) or off_turn > max(ON_WAY[1], allowed.slip_angle):
            return f"it leaves its line by {off_line * 1000:.1f} mm and {np.rad2deg(off_turn):.1f} deg"
        if parameters.get("until"):
            return _away(record, hand, str(parameters["until"]), facts)
        if distance > allowed.grasp or angle > allowed.grasp_angle:
            return f"it ends {distance * 1000:.1f} mm and {np.rad2deg(angle):.1f} deg from where it was to go"
        return ""


def _away(record: Record, hand: str, until: str, facts: dict[str, object]) -> str:
    """Why neither a hand nor what it holds is at something in the end; empty if one is."""
    scene, end = Scene(record.robot, record.objects), record.end
    held = end.held.get(hand)
    touching = [*record.robot.hands[hand].touch, *([held] if held else [])]
    scene.place(end.q, end.poses)
    distances = [scene.distance(pair) for name in touching for pair in scene.pairs_of(name, until)]
    facts["distance"] = nearest = min(distances, default=np.inf)
    return "" if nearest <= record.tolerance.rest else f"it ends {nearest * 1000:.1f} mm from '{until}'"


class _Moved:
    """What is moved, and the line on which it is to be."""

    def __init__(self, record: Record, hand: str, parameters: Parameters) -> None:
        self._record, self._hand, self._object = record, hand, parameters.get("object")
        self._frame = np.eye(4)
        if self._object and parameters.get("frame"):
            self._frame = record.objects[str(self._object)].frames[str(parameters["frame"])]
        R = _axes(record, hand, str(parameters["relative_to"]))
        x, y, z, *angles = (float(str(parameters[name])) for name in ("x", "y", "z", "roll", "pitch", "yaw"))
        turn = R @ scipy.spatial.transform.Rotation.from_euler("xyz", angles).as_rotvec()
        self.line = _Line(self.at(record.start), R @ [x, y, z], turn)

    def at(self, step: Step) -> Array:
        """(4, 4) Its pose in the world at a step."""
        if self._object:
            X_WF: Array = step.poses[str(self._object)] @ self._frame
            return X_WF
        return hand_pose(self._record.robot, self._hand, step.q)


@dataclass(frozen=True)
class _Line:
    """A line on which something turns about one axis."""

    start: Array
    way: Array
    turn: Array

    @property
    def end(self) -> Array:
        """(4, 4) Where it ends."""
        X = self.start.copy()
        X[:3, 3] += self.way
        X[:3, :3] = scipy.spatial.transform.Rotation.from_rotvec(self.turn).as_matrix() @ X[:3, :3]
        return X

    def distance(self, p: Array) -> float:
        """[m] From a point (3,) to the line."""
        return _off(p - self.start[:3, 3], self.way)

    def angle(self, R: Array) -> float:
        """[rad] By which an orientation (3, 3) is none of those on the way."""
        return _off(scipy.spatial.transform.Rotation.from_matrix(R @ self.start[:3, :3].T).as_rotvec(), self.turn)


def _off(v: Array, way: Array) -> float:
    length = float(way @ way)
    share = min(1.0, max(0.0, float(v @ way) / length)) if length else 0.0
    return float(np.linalg.norm(v - share * way))


def _axes(record: Record, hand: str, relative_to: str) -> Array:
    """R_WA (3, 3) Of those along which something is moved."""
    if relative_to == "world":
        return np.eye(3)
    if relative_to == "robot":
        return pose(rpy=(0.0, 0.0, float(record.start.q[2])))[:3, :3]
    X = hand_pose(record.robot, hand, record.start.q) if relative_to == "hand" else record.start.poses[relative_to]
    R: Array = X[:3, :3]
    return R
