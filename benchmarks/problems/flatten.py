"""One file of each robot that every peer can read: mesh paths absolute, scales baked in, what does not move fixed."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from taskmatrix.robots.loading.urdf import WIDE, read_urdf

from .meshes import converted
from .tree import moved, numbers, origin_of

BASE = ("base_x", "base_y", "base_yaw")
REACH = 1.5
"""[m] How far the base drives from where it stands."""
INERTIAL = '<inertial><mass value="0.1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>'


def flatten(
    source: Path,
    out: Path,
    meshes: str | None,
    movable: Collection[str] | None = None,
    stance: Mapping[str, float] | None = None,
    base: str | None = None,
) -> Path:
    """Write a robot as a file of its own.

    Visuals, mimic tags and inertias are dropped (kinematics needs none, yet some readers want masses), continuous
    joints move from minus to plus pi.

    Args:
        source: URDF as installed.
        out: File to write; its meshes go into the folder ``meshes`` beside it.
        meshes: ``exact``, ``hull`` (convex hulls), or None for no collision bodies.
        movable: Joints that move; all unless given.
        stance: [rad] Where the others are fixed; zero unless named, and within their limits.
        base: ``driven``: put on three joints (x, y, yaw) above a link of the world; ``standing``: on three fixed ones.
    """
    description = read_urdf(source)
    root = description.root
    for element in [e for e in root if e.tag not in ("link", "joint")]:
        root.remove(element)
    for link in root.findall("link"):
        _strip(link, meshes, out.parent / "meshes")
    for joint in root.findall("joint"):
        _simplify(joint)
        if movable is not None and joint.get("type") != "fixed" and joint.get("name") not in movable:
            _fix(joint, (stance or {}).get(joint.get("name", ""), 0.0))
    if base is not None:
        _mount(root, description.root_link, base == "driven")
    out.parent.mkdir(parents=True, exist_ok=True)
    ET.ElementTree(root).write(out)
    return out


def _strip(link: ET.Element, meshes: str | None, folder: Path) -> None:
    for element in [e for e in link if e.tag != "collision" or meshes is None or e.find("geometry/*") is None]:
        link.remove(element)
    for mesh in link.iter("mesh"):
        scale = numbers(mesh.attrib.pop("scale", "1 1 1"))
        mesh.set("filename", str(converted(Path(mesh.get("filename", "")), scale, meshes == "hull", folder)))
    link.append(ET.fromstring(INERTIAL))  # noqa: S314  # a constant


def _simplify(joint: ET.Element) -> None:
    unused = {"safety_controller", "calibration", "dynamics", "mimic"}
    if joint.get("type") in ("floating", "planar", "fixed"):
        joint.set("type", "fixed")
        unused |= {"axis", "limit"}
    for element in [e for e in joint if e.tag in unused]:
        joint.remove(element)
    limit = joint.find("limit")
    if limit is not None:
        limit.set("velocity", "2")
        limit.set("effort", "100")
        if float(limit.get("upper", 0)) == WIDE:
            limit.set("lower", str(-math.pi))
            limit.set("upper", str(math.pi))


def _fix(joint: ET.Element, position: float) -> None:
    """Make a joint a fixed one that stands where the joint would."""
    limit, axis = joint.find("limit"), joint.find("axis")
    if limit is not None:
        position = float(np.clip(position, float(limit.get("lower", 0)), float(limit.get("upper", 0))))
    vector = numbers("1 0 0" if axis is None else axis.get("xyz", "1 0 0"))
    X = origin_of(joint) @ moved(joint.get("type", ""), vector / np.linalg.norm(vector), position)
    joint.set("type", "fixed")
    for element in [e for e in joint if e.tag in ("axis", "limit", "origin")]:
        joint.remove(element)
    rpy = Rotation.from_matrix(X[:3, :3]).as_euler("xyz")
    ET.SubElement(joint, "origin", xyz=_text(X[:3, 3]), rpy=_text(rpy))


def _mount(root: ET.Element, top: str, driven: bool) -> None:
    """Put a robot on a planar base."""
    links = ["world_link", *(f"{name}_link" for name in BASE), top]
    for name in links[:-1]:
        link = ET.SubElement(root, "link", name=name)
        link.append(ET.fromstring(INERTIAL))  # noqa: S314  # a constant
    for k, name in enumerate((*BASE, "base_mount")):
        turns = name == "base_yaw"
        kind = "fixed" if not driven or name not in BASE else "revolute" if turns else "prismatic"
        joint = ET.SubElement(root, "joint", name=name, type=kind)
        ET.SubElement(joint, "parent", link=links[k])
        ET.SubElement(joint, "child", link=links[k + 1])
        if kind != "fixed":
            far = repr(math.pi if turns else REACH)
            ET.SubElement(joint, "axis", xyz=("1 0 0", "0 1 0", "0 0 1")[k])
            ET.SubElement(joint, "limit", lower=f"-{far}", upper=far, velocity="2", effort="100")


def _text(values: np.ndarray) -> str:
    return " ".join(f"{value:.12g}" for value in values)
