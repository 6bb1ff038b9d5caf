"""What names tell where structure does not: small words in the names of links and joints."""

from __future__ import annotations

import re

HAND = {"hand", "gripper", "palm", "finger", "fingers", "thumb", "jaw", "claw", "grasp", "grasping", "tcp", "tool"}
"""Words for a hand and its parts."""
FINGER = {"finger", "fingers", "thumb", "jaw", "claw", "gripper", "knuckle"}
"""Words for what closes."""
GRIP = {"grasp", "grasping", "tcp", "tool", "tool0", "grip", "gripper", "ee", "eef", "endpoint", "tip", "effector"}
"""Words for a frame without a body in the middle of what a hand closes on."""
CAMERA = {"camera", "cam", "optical", "rgb", "rgbd", "eye", "eyes", "stereo", "gaze", "kinect", "realsense"}
CAMERA |= {"d435", "d435i", "xtion", "zed", "orbbec", "asus"}  # that many robots carry
"""Words for what sees."""
SCANNER = {"lidar", "laser", "scan", "scanner", "velodyne", "hokuyo", "ouster", "livox", "mid360", "rplidar", "radar"}
"""Words for what measures distances all round."""
HEAD = {"head", "neck", "face"}
"""Words for a head."""
ROLLING = {"wheel", "wheels", "caster", "castor"}
"""Words for what rolls."""
LEFT, RIGHT = {"left", "l"}, {"right", "r"}
"""Words for a side."""


def tokens(name: str) -> set[str]:
    """The words of a name, in small letters: ``LShoulderPitch`` has ``l``, ``shoulder`` and ``pitch``."""
    parts = re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+", name)
    return {part.lower() for part in (*parts, *re.split(r"[\W_]+", name))}


def mentions(name: str, wanted: set[str]) -> bool:
    """Whether a name has one of the wanted words."""
    return bool(tokens(name) & wanted)


def ends_with(name: str, wanted: set[str]) -> bool:
    """Whether the last word of a name that says anything is one of the wanted: ``tool`` in ``arm_tool_frame``."""
    parts = [p.lower() for p in re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+", name)]
    told = [part for part in parts if part not in {"link", "frame", "joint"}]
    return bool(told) and told[-1] in wanted


def side_of(name: str) -> str:
    """``left``, ``right``, or nothing where a name does not tell."""
    found = tokens(name)
    if found & {"left", "right"}:
        return "" if {"left", "right"} <= found else ("left" if "left" in found else "right")
    first = re.match(r"([lLrR])(?=[A-Z_])|(?:LARM|RARM|LLEG|RLEG)", name)
    return {"l": "left", "r": "right"}.get(first.group(0)[0].lower(), "") if first else ""
