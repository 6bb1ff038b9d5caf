"""What URDFs in the wild have and the parser refuses, or reads in part only, brought into a form that it takes."""

from __future__ import annotations

import copy
import math
import xml.etree.ElementTree as ET
from pathlib import Path

from taskmatrix.core.base.errors import RobotError

NO_LIMIT = -1.0
"""What some exporters write for a limit that they do not know."""
_MACROS = ("${", "$(")
_READ = {"parent", "child", "origin", "axis", "limit", "mimic", "dynamics"}  # of a joint
_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def refuse_xacro(path: Path, source: ET.Element) -> None:
    """Raise ``RobotError`` for a file that has macros to be expanded first."""
    parts = [inside for part in source if part.tag in {"link", "joint"} for inside in part.iter()]
    found = [f"<xacro:{element.tag.rpartition('}')[2]}>" for element in source.iter() if "xacro" in element.tag]
    found += [f"<{e.tag}> with a macro" for e in parts if any(mark in v for v in e.attrib.values() for mark in _MACROS)]
    if found:
        raise RobotError(
            f"{path}: this is xacro, not a URDF: there is {found[0]} in it; "
            f"expand it first: xacro {path.name} > expanded.urdf"
        )


def tidy(root: ET.Element) -> None:
    """Bring materials, inertias and joints into the form that the URDF parser takes; nothing that it reads is lost."""
    _tidy_materials(root)
    for inertial in root.iter("inertial"):
        _tidy_inertial(inertial)
    for link in root.iter("link"):
        for hint in link.findall("collision_checking"):  # Pinocchio's own: other shapes than are written
            link.remove(hint)
        for inertial in link.findall("inertial"):
            if inertial.find("mass") is None or inertial.find("inertia") is None:
                link.remove(inertial)
    for joint in root.iter("joint"):
        for element in list(joint):
            if element.tag not in _READ or (element.tag == "dynamics" and not _has_numbers(element)):
                joint.remove(element)
        limit = joint.find("limit")
        if limit is not None:
            for key in ("velocity", "effort"):
                limit.attrib.setdefault(key, "0")


def _tidy_materials(root: ET.Element) -> None:
    """Give each material its own colour and name: names may be missing, or used twice."""
    known: dict[str, ET.Element] = {}
    for material in root.findall("material"):
        known.setdefault(material.get("name", ""), material)
        root.remove(material)
    known.pop("", None)
    inside = [(owner, material) for owner in root.iter("visual") for material in owner.findall("material")]
    for _, material in inside:
        if name := material.get("name"):
            given = known.setdefault(name, material)
            if not len(given) and len(material):
                known[name] = material
    for number, (owner, material) in enumerate(inside):
        own = material if len(material) else known.get(material.get("name", ""), material)
        owner.remove(material)
        color = own.find("color")
        if color is not None and not _is_color(color.get("rgba", "")):
            own.remove(color)
        if len(own) and owner.find("material") is None:
            named = copy.deepcopy(own)
            named.set("name", f"material {number}")
            owner.append(named)


def _is_color(text: str) -> bool:
    try:
        return len([float(word) for word in text.split()]) == 4
    except ValueError:
        return False


def _tidy_inertial(inertial: ET.Element) -> None:
    """Moments that are not written are zero."""
    inertia = inertial.find("inertia")
    if inertia is not None:
        for key in _MOMENTS:
            inertia.attrib.setdefault(key, "0")


def _has_numbers(dynamics: ET.Element) -> bool:
    values = [dynamics.get(key) for key in ("damping", "friction")]
    given = [value for value in values if value is not None]
    try:
        return bool(given) and all(math.isfinite(float(value)) for value in given)
    except ValueError:
        return False


def with_cylinders(root: ET.Element) -> ET.Element:
    """A copy with a cylinder in place of each capsule, which the URDF parser does not know."""
    plain = copy.deepcopy(root)
    for capsule in plain.iter("capsule"):
        capsule.tag = "cylinder"
    return plain
