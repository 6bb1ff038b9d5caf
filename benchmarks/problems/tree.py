"""Forward kinematics of a flattened URDF in plain numpy: the judge of inverse kinematics, akin to no peer."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from .rows import Array, Body, Box


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint of a URDF."""

    name: str
    """Its name."""
    kind: str
    """``revolute``, ``prismatic`` or ``fixed``."""
    parent: str
    """Link that carries it."""
    X_PJ: Array
    """(4, 4) Its frame in the parent link."""
    axis: Array
    """(3,) Unit vector."""
    lower: float
    """[rad] or [m]."""
    upper: float
    """[rad] or [m]."""


class Tree:
    """Links and joints of a URDF."""

    def __init__(self, path: str | Path) -> None:
        root = ET.parse(path).getroot()  # noqa: S314  # written by this folder
        self.links = tuple(link.get("name", "") for link in root.iter("link"))
        self.joints = {child_of(joint): _joint(joint) for joint in root.iter("joint")}
        self.root = next(link for link in self.links if link not in self.joints)
        self.shaped = tuple(e.get("name", "") for e in root.iter("link") if e.find("collision") is not None)

    def pose(self, positions: Mapping[str, float], link: str) -> Array:
        """(4, 4) Pose of a link in the root link; joints that are not named are at zero."""
        X: Array = np.eye(4)
        while link in self.joints:
            joint = self.joints[link]
            X = joint.X_PJ @ moved(joint.kind, joint.axis, positions.get(joint.name, 0.0)) @ X
            link = joint.parent
        return X

    def mounted(self) -> tuple[str, ...]:
        """Links that no joint moves."""

        def fixed(link: str) -> bool:
            return link == self.root or (self.joints[link].kind == "fixed" and fixed(self.joints[link].parent))

        return tuple(link for link in self.links if fixed(link))

    def body(self, path: str | Path, names: tuple[str, ...], tips: tuple[str, ...] = ()) -> Body:
        """What peers are told of the robot, with these joints in this order."""
        children = {joint.name: link for link, joint in self.joints.items()}
        joints = [self.joints[children[name]] for name in names]
        return Body(
            str(path),
            "",
            self.root,
            names,
            tuple(children[name] for name in names),
            tuple(joint.kind == "prismatic" for joint in joints),
            np.array([joint.lower for joint in joints]),
            np.array([joint.upper for joint in joints]),
            tips,
            self.shaped,
            self.mounted(),
        )


def child_of(joint: ET.Element) -> str:
    """Link that a joint moves."""
    child = joint.find("child")
    return "" if child is None else child.get("link", "")


def origin_of(element: ET.Element) -> Array:
    """(4, 4) What ``<origin>`` says."""
    origin = element.find("origin")
    xyz, rpy = ("0 0 0", "0 0 0") if origin is None else (origin.get("xyz", "0 0 0"), origin.get("rpy", "0 0 0"))
    X = np.eye(4)
    X[:3, :3] = Rotation.from_euler("xyz", numbers(rpy)).as_matrix()
    X[:3, 3] = numbers(xyz)
    return X


def numbers(text: str) -> Array:
    """The numbers of an attribute."""
    return np.array([float(word) for word in text.split()])


def moved(kind: str, axis: Array, position: float) -> Array:
    """(4, 4) Motion of a joint."""
    X = np.eye(4)
    if kind == "revolute":
        X[:3, :3] = Rotation.from_rotvec(axis * position).as_matrix()
    elif kind == "prismatic":
        X[:3, 3] = axis * position
    return X


def pose_error(X: Array, Y: Array) -> tuple[float, float]:
    """[m] and [rad] between two poses (4, 4)."""
    turn = Rotation.from_matrix(X[:3, :3].T @ Y[:3, :3]).magnitude()
    return float(np.linalg.norm(X[:3, 3] - Y[:3, 3])), float(turn)


def box(name: str, size: Array | tuple[float, ...], centre: Array | tuple[float, ...], yaw: float = 0.0) -> Box:
    """A box that stands upright."""
    X = np.eye(4)
    X[:3, :3] = Rotation.from_euler("z", yaw).as_matrix()
    X[:3, 3] = centre
    x, y, z = (float(length) for length in size)
    return Box(name, (x, y, z), tuple(tuple(row) for row in X.tolist()))


def _joint(element: ET.Element) -> Joint:
    parent, axis, limit = element.find("parent"), element.find("axis"), element.find("limit")
    vector = numbers("1 0 0" if axis is None else axis.get("xyz", "1 0 0"))
    return Joint(
        element.get("name", ""),
        element.get("type", ""),
        "" if parent is None else parent.get("link", ""),
        origin_of(element),
        vector / np.linalg.norm(vector),
        0.0 if limit is None else float(limit.get("lower", 0)),
        0.0 if limit is None else float(limit.get("upper", 0)),
    )
