"""Joints that follow others, as a URDF says it or, where it names a leader that is not there, as an adapter does."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from taskmatrix.core.base.errors import RobotError, not_found

from .urdf_checks import check_mimics


@dataclass(frozen=True)
class Mimic:
    """A joint that follows another: ``position = multiplier * leader + offset``."""

    leader: str
    """Joint that it follows."""
    multiplier: float
    """Ratio of the two."""
    offset: float
    """[rad] or [m] Position when the leader is at zero."""


def take_mimics(urdf: Path, movable: Mapping[str, ET.Element], leaders: Mapping[str, str]) -> dict[str, Mimic]:
    """Remove and read the mimic tags of joints.

    Args:
        urdf: The file, for errors.
        movable: Joints by name.
        leaders: By joint that follows, the one that it follows, where the file names another.

    Raises:
        RobotError: A leader does not exist, a multiplier is zero, or joints follow each other in a circle.
    """
    followers = {name: _take_mimic(urdf, name, joint, movable, leaders) for name, joint in movable.items()}
    mimic = {name: found for name, found in followers.items() if found is not None}
    check_mimics(urdf, {name: m.leader for name, m in mimic.items()})
    return mimic


def likely_leaders(root: ET.Element) -> dict[str, str]:
    """By joint whose leader is not there, the one that is likely meant.

    Its name ends as the one that is said, and begins as the follower's. A joint of which that is so of several is
    left out.
    """
    movable = [joint for joint in root.findall("joint") if joint.get("type") != "fixed"]
    names = [joint.get("name", "") for joint in movable]
    found = {}
    for joint in movable:
        mimic, name = joint.find("mimic"), joint.get("name", "")
        said = "" if mimic is None else mimic.get("joint", "")
        if not said or said in names:
            continue
        shared = {n: _shared(n, name) for n in names if n.endswith(said) and n != name}
        best = [n for n, count in shared.items() if count == max(shared.values()) and count > 0]
        if len(best) == 1:
            found[name] = best[0]
    return found


def _shared(first: str, second: str) -> int:
    """How many characters two names begin with alike."""
    return next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )


def _take_mimic(
    urdf: Path, name: str, joint: ET.Element, movable: Mapping[str, ET.Element], leaders: Mapping[str, str]
) -> Mimic | None:
    """Remove and read the mimic tag of a joint."""
    tag = joint.find("mimic")
    if tag is None:
        return None
    joint.remove(tag)
    leader = leaders.get(name, tag.get("joint", ""))
    if leader not in movable:
        raise RobotError(f"{urdf}: joint '{name}', <mimic>: {not_found('joint', leader, movable)}")
    multiplier, offset = float(tag.get("multiplier", 1.0)), float(tag.get("offset", 0.0))
    if multiplier == 0.0:
        raise RobotError(
            f"{urdf}: joint '{name}', <mimic>: a multiplier of zero would fix the joint; use type=\"fixed\""
        )
    return Mimic(leader, multiplier, offset)
