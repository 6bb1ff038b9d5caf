"""Motions kept as data: what canned and recurrent gestures play."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.base.tables import LARGEST, Table, read_table


@dataclass(frozen=True, eq=False)
class KeyframeMotion:
    """Keyframes of some joints over time."""

    name: str
    """Its name in the robot's ``motions.toml``."""
    duration: float
    """[s] Time of the last keyframe."""
    periodic: bool
    """Whether the end joins the start, so that it can be repeated."""
    keyframes: Mapping[str, tuple[tuple[float, float], ...]]
    """Joint to pairs of time [s] and position [rad] or [m], in the order of increasing time."""


def read_motions(path: Path) -> dict[str, KeyframeMotion]:
    """Read a robot's motions; a robot without the file has none.

    Raises:
        RobotError: A motion is malformed.
    """
    if not path.exists():
        return {}
    file = read_table(path, RobotError, path.parent)
    return {name: _motion(name, file.table(name)) for name in file.data}


def _motion(name: str, table: Table) -> KeyframeMotion:
    table.only("periodic", "joints")
    joints = table.table("joints")
    keyframes = {joint: _track(joints, joint) for joint in joints.data}
    if not keyframes:
        raise table.error("joints", "at least one joint is needed")
    ends = {track[-1][0] for track in keyframes.values()}
    if len(ends) != 1:
        raise table.error("joints", f"all joints must end at the same time, these end at {sorted(ends)} s")
    periodic = table.get("periodic", bool, False)
    for joint, track in keyframes.items():
        if periodic and track[0][1] != track[-1][1]:
            raise joints.error(joint, "a periodic motion must end where it starts")
    return KeyframeMotion(name, ends.pop(), periodic, keyframes)


def _track(joints: Table, joint: str) -> tuple[tuple[float, float], ...]:
    rows = joints.get(joint, list)
    for row in rows:
        if not isinstance(row, list) or len(row) != 2 or not all(map(_is_number, row)):
            raise joints.error(joint, f"expected pairs [time, position], got {row!r}")
    track = tuple((float(t), float(p)) for t, p in rows)
    times = [t for t, _ in track]
    if len(track) < 2 or times[0] != 0.0 or any(b <= a for a, b in itertools.pairwise(times)):
        raise joints.error(joint, f"two or more keyframes are needed, from 0 s on and in order of time; got {times}")
    return track


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and abs(value) < LARGEST  # type: ignore[arg-type]  # false for what is not a number
