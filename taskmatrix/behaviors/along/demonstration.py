"""The way of a hand, or of what it held, as somebody led it: kept in a file, for any robot."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy

from taskmatrix.core.base.errors import ParameterError, not_found
from taskmatrix.core.base.tables import Table, read_table
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.world.geometry import inverse, pose, pose_error
from taskmatrix.core.world.objects import Array

FOLDER = "demonstrations"  # below the working folder
NAME = re.compile(r"[\w-]{1,60}")
AXES = ("hand", "robot", "world")  # to which poses are relative, or to an object
APART = (0.006, 0.05)  # [m], [rad] between two poses that are kept, at least
STILL = (0.004, 0.02)  # [m], [rad] by which a hand that stands still moves
SLACK = 1e-9
MOST = 5000  # poses


@dataclass(frozen=True, eq=False)
class Demonstration:
    """Poses one after the other.

    Attributes:
        relative_to: ``hand`` (where what was moved was when it began, along the axes of the robot, x ahead), ``robot``
            (its base on the floor), ``world``, or the id of an object, which is where it was when it began.
        object: Id of what was held: the poses are those of that. None: they are those of the hand's grasp frame.
        times: (t,) [s] From the beginning.
        poses: (t, 4, 4) In the frame that they are relative to.
    """

    relative_to: str
    object: str | None
    times: Array
    poses: Array

    @property
    def duration(self) -> float:
        """[s] How long it took."""
        return float(self.times[-1])

    @property
    def length(self) -> float:
        """[m] Of the way."""
        return float(np.linalg.norm(np.diff(self.poses[:, :3, 3], axis=0), axis=1).sum())

    @staticmethod
    def of(relative_to: str, object: str | None, times: Sequence[float], poses: Sequence[Array]) -> Demonstration:
        """What is worth keeping of poses that were seen in every control step: those that are 6 mm or 3 degrees apart.

        The time in which nothing moved, before and after, is left out.

        Raises:
            ParameterError: Nothing moved by as much.
        """
        far = [pose_error(poses[-1], X) for X in poses]
        ended = next((k for k in reversed(range(len(poses))) if far[k][0] > STILL[0] or far[k][1] > STILL[1]), -1) + 1
        kept = [0]
        for number in range(1, len(poses)):
            distance, angle = pose_error(poses[kept[-1]], poses[number])
            if distance >= APART[0] - SLACK or angle >= APART[1] - SLACK:
                kept.append(number)
        if len(kept) < 2:
            raise ParameterError("nothing was shown: the hand stayed where it was")
        begun = next(k for k in range(kept[1], -1, -1) if pose_error(poses[0], poses[k])[0] <= STILL[0] or not k)
        kept = [0, *(k for k in kept[1:] if k < ended), len(poses) - 1]
        at = np.array([times[max(begun, min(k, ended))] for k in kept])
        return Demonstration(relative_to, object, at - at[0], np.array([poses[k] for k in kept]))

    def save(self, name: str) -> Path:
        """Write ``demonstrations/NAME.toml`` below the working folder; a file of that name is replaced.

        Raises:
            ParameterError: The name is none, or the file cannot be written.
        """
        path = file_of(name)
        rotations = scipy.spatial.transform.Rotation.from_matrix(self.poses[:, :3, :3]).as_euler("xyz")
        lines = [f'relative_to = "{self.relative_to}"']
        lines += [f'object = "{self.object}"'] if self.object else []
        for time, X, rpy in zip(self.times, self.poses, rotations, strict=True):
            xyz, turn = (", ".join(f"{value:.5f}" for value in values) for values in (X[:3, 3], rpy))
            lines += ["", "[[pose]]", f"time = {time:.3f}", f"xyz = [{xyz}]", f"rpy = [{turn}]"]
        try:
            path.parent.mkdir(exist_ok=True)
            path.write_text("\n".join([*lines, ""]), encoding="utf-8")
        except OSError as error:
            raise ParameterError(f"cannot write {path}: {error.strerror}") from error
        return path

    @staticmethod
    def load(name: str) -> Demonstration:
        """Read ``demonstrations/NAME.toml``.

        Raises:
            ParameterError: There is none, with those that there are; or what is wrong in it, and where.
        """
        path = file_of(name)
        if not path.is_file():
            known = sorted(each.stem for each in Path(FOLDER).glob("*.toml"))
            raise ParameterError(not_found("demonstration", name, known, FOLDER))
        table = read_table(path, ParameterError).only("relative_to", "object", "pose")
        rows = table.tables("pose")
        if not 2 <= len(rows) <= MOST:
            raise table.error("pose", f"from 2 to {MOST} poses are needed, got {len(rows)}")
        times, poses = zip(*map(_row, rows), strict=True)
        late = next((number for number in range(1, len(times)) if times[number] < times[number - 1]), None)
        if late is not None:
            raise table.error(f"pose[{late}].time", "it is before that of the pose before it")
        object = table.get("object", str, "")
        return Demonstration(table.get("relative_to", str), object or None, np.array(times), np.array(poses))


def file_of(name: str) -> Path:
    """Where a demonstration of a name is, or goes; raises ParameterError for what is no name."""
    if not NAME.fullmatch(name):
        allowed = "letters, digits, '-' and '_', 60 at most"
        raise ParameterError(f"the name of a demonstration consists of {allowed}; '{name[:60]}' does not")
    return Path(FOLDER) / f"{name}.toml"


@dataclass(frozen=True, eq=False)
class Axes:
    """To what the poses of a demonstration are relative, in one run.

    Attributes:
        X_WR: (4, 4) The frame in the world.
        turned: (4, 4) How what is moved is turned where the demonstration shows no turn.
    """

    X_WR: Array
    turned: Array

    @staticmethod
    def of(relative_to: str, X_WM: Array, base: Array, objects: Mapping[str, Array]) -> Axes:
        """As they are when a demonstration begins.

        Args:
            relative_to: One of ``hand``, ``robot`` and ``world``, or the id of an object.
            X_WM: (4, 4) Of what is moved.
            base: (3,) [m, rad] Place and heading of the robot's base.
            objects: (4, 4) Poses of the objects in the world, by id.

        Raises:
            ParameterError: No such object is known.
        """
        heading = pose(rpy=(0.0, 0.0, float(base[2])))
        if relative_to == "hand":
            turned = np.eye(4)
            turned[:3, :3] = heading[:3, :3].T @ X_WM[:3, :3]
            heading[:3, 3] = X_WM[:3, 3]
            return Axes(heading, turned)
        heading[:2, 3] = base[:2]
        frames = {**objects, "robot": heading, "world": np.eye(4)}
        if relative_to not in frames:
            raise ParameterError(not_found("axes", relative_to, [*AXES, *objects]))
        return Axes(frames[relative_to], np.eye(4))

    def shown(self, X_WM: Array) -> Array:
        """(4, 4) What is kept of a pose in the world."""
        kept: Array = inverse(self.X_WR) @ X_WM @ self.turned.T
        return kept

    def placed(self, poses: Array) -> Array:
        """(t, 4, 4) Where what is kept is in the world."""
        there: Array = self.X_WR @ poses @ self.turned
        return there


def moved_pose(context: Context, hand: str, object: str | None) -> Array:
    """X_WM (4, 4) Of what a demonstration is about: the object that a hand holds, or its grasp frame."""
    return context.skills.forward_kinematics(hand) if object is None else context.perception.pose(object)


def axes_now(context: Context, relative_to: str, X_WM: Array) -> Axes:
    """To what a demonstration is relative now, when what is moved is at ``X_WM`` (4, 4); raises ParameterError."""
    perception = context.perception
    objects = {id: perception.pose(id) for id in perception.percepts}
    return Axes.of(relative_to, X_WM, context.skills.position()[:3], objects)


def hand_poses(context: Context, hand: str, object: str | None, poses: Array) -> Array:
    """(t, 4, 4) Of a hand, in the world, with which what it moves has these poses in the world."""
    if object is None:
        return poses
    X_OH = inverse(context.perception.pose(object)) @ context.skills.forward_kinematics(hand)
    taken: Array = poses @ X_OH
    return taken


def _row(row: Table) -> tuple[float, Array]:
    row.only("time", "xyz", "rpy")
    time = row.get("time", float)
    if time < 0.0:
        raise row.error("time", f"it is before the beginning: {time:g}")
    return time, pose(row.numbers("xyz", 3, most=100.0), row.numbers("rpy", 3, most=7.0))
