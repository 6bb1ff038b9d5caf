"""Judges demonstrate and imitate."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy

from taskmatrix.core.world.geometry import pose, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.robots.hand_pose import hand_pose

from ..force.contacts import GuideJudge
from ..ground_truth import Record, Step
from ..judge import Judge, Parameters
from ..measures.holding import holder

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

OFF_WAY = (0.003, np.deg2rad(1.5))  # [m], [rad] off a pose that was shown, when it is passed
LEVER = 0.1  # [m] at which a turn counts as a distance
SHOWN = (0.007, np.deg2rad(4.0))  # [m], [rad] from the end of what was shown to where the hand was left alone


class ImitateJudge(Judge):
    """Success of imitate: what was shown is passed pose by pose, within 3 mm and 1.5 degrees, up to the last one."""

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why a pose was not passed."""
        shown, id = _read(parameters), parameters.get("object")
        moved = id or shown.object if shown.object else None
        hand = str(
            parameters.get("hand") or (holder(record.start, str(moved)) if moved else record.published["moving"])
        )
        relative_to = str(parameters.get("relative_to") or shown.relative_to)
        if parameters.get("turned") is False:
            shown.poses[:, :3, :3] = shown.poses[0, :3, :3]
        wanted = shown.placed(record, record.start, relative_to, _moved(record, record.start, hand, moved))
        run = np.array([_moved(record, step, hand, moved) for step in record.run])
        allowed = record.tolerance
        passed, off, turned = 0, 0.0, 0.0
        for X in wanted:
            ahead = run[passed:]
            distances = _to_segments(ahead[:, :3, 3], X[:3, 3])
            angles = scipy.spatial.transform.Rotation.from_matrix(X[:3, :3].T @ ahead[:, :3, :3]).magnitude()
            nearest = int(np.argmin(distances + LEVER * angles))
            passed += nearest
            off, turned = max(off, float(distances[nearest])), max(turned, float(angles[nearest]))
        distance, angle = pose_error(wanted[-1], run[-1])
        facts.update(hand=hand, off=off, turned=turned, distance=distance, angle=angle)
        if off > max(OFF_WAY[0], allowed.slip) or turned > max(OFF_WAY[1], allowed.slip_angle):
            return f"it leaves what was shown by {off * 1000:.1f} mm and {np.rad2deg(turned):.1f} deg"
        if distance > allowed.grasp or angle > allowed.grasp_angle:
            return f"it ends {distance * 1000:.1f} mm and {np.rad2deg(angle):.1f} deg from the end of what was shown"
        return ""


class DemonstrateJudge(GuideJudge):
    """Success of demonstrate: the hand is where it was led, and so is the end of what was kept."""

    def done(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Compare the last pose that was kept with where the hand is."""
        shown, hand = _read(parameters), str(parameters["hand"])
        X_WM = _moved(record, record.start, hand, shown.object)
        end = shown.placed(record, record.start, shown.relative_to, X_WM)[-1]
        distance, angle = pose_error(end, _moved(record, record.end, hand, shown.object))
        facts.update(poses=len(shown.poses), off=distance, turned=angle)
        if distance > SHOWN[0] or angle > SHOWN[1]:
            return f"what was kept ends {distance * 1000:.1f} mm and {np.rad2deg(angle):.1f} deg from the hand"
        return super().done(record, parameters, facts)


@dataclass(frozen=True)
class _Shown:
    """What a file says."""

    relative_to: str
    object: str | None
    poses: Array

    def placed(self, record: Record, start: Step, relative_to: str, X_WM: Array) -> Array:
        """(t, 4, 4) The poses in the world, where what is moved begins at ``X_WM``."""
        base = pose((*start.q[:2].tolist(), 0.0), (0.0, 0.0, float(start.q[2])))
        if relative_to == "hand":
            base[:3, 3] = X_WM[:3, 3]
            placed: Array = base @ self.poses
            placed[:, :3, :3] = placed[:, :3, :3] @ base[:3, :3].T @ X_WM[:3, :3]
            return placed
        frames = {"world": np.eye(4), "robot": base}
        return (frames[relative_to] if relative_to in frames else start.poses[relative_to]) @ self.poses


def _read(parameters: Parameters) -> _Shown:
    data = tomllib.loads(Path("demonstrations", f"{parameters['demonstration']}.toml").read_text())
    poses = np.array([pose(row["xyz"], row["rpy"]) for row in data["pose"]])
    return _Shown(data["relative_to"], data.get("object"), poses)


def _moved(record: Record, step: Step, hand: str, object: object) -> Array:
    """(4, 4) In the world, of the object that is moved, or of the hand."""
    return step.poses[str(object)] if object else hand_pose(record.robot, hand, step.q)


def _to_segments(points: Array, p: Array) -> Array:
    """(t,) [m] From a point to each of the lines between points (t, 3) that follow each other, and to the last."""
    ways = np.diff(points, axis=0)
    shares = np.einsum("ti,ti->t", p - points[:-1], ways) / np.maximum(np.einsum("ti,ti->t", ways, ways), 1e-12)
    nearest = points[:-1] + np.clip(shares, 0.0, 1.0)[:, None] * ways
    distances: Array = np.linalg.norm(p - np.concatenate([nearest, points[-1:]]), axis=1)
    return distances
