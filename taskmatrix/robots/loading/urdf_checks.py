"""What must hold in a URDF before anything is built from it, and what is brought into a form that the parser takes."""

from __future__ import annotations

import copy
import math
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from taskmatrix.core.base.errors import RobotError, not_found
from taskmatrix.core.base.files import (
    FURTHEST,
    LONGEST_NAME,
    MOST_BODIES,
    MOST_IN_A_ROW,
    MOST_LINKS,
    MOST_MOVING,
    MOST_MOVING_IN_A_ROW,
    shortened,
)

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed")
SHAPES = ("box", "cylinder", "sphere", "capsule", "mesh")
TINY = 1e-12  # by which rounding may leave a number below zero
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")  # of the URDF parser's grammar
_NO_LIMIT = re.compile(r"[+-]?inf(inity)?|nan", re.IGNORECASE)  # that is looked at further on
_PARTS = {  # that count; others are other programs' own
    "link": ("inertial", "visual", "collision"),
    "fixed": ("origin",),
    "joint": ("origin", "axis", "limit", "mimic"),
}
_TRIPLES = {"xyz", "rpy", "size", "scale"}
_NUMBERS = {
    "origin": ("xyz", "rpy"),
    "axis": ("xyz",),
    "box": ("size",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
    "sphere": ("radius",),
    "mesh": ("scale",),
    "mass": ("value",),
    "inertia": ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"),
    "limit": ("lower", "upper", "velocity", "effort"),
    "mimic": ("multiplier", "offset"),
}
_ABOVE_ZERO = {("box", "size"), *((shape, key) for shape in SHAPES for key in ("radius", "length"))}
_NOT_BELOW_ZERO = {("mass", "value"), ("inertia", "ixx"), ("inertia", "iyy"), ("inertia", "izz")}
_UNBOUNDED = {"limit"}  # infinite limits are common, and dealt with
_NEEDED = {("mass", "value"), *_ABOVE_ZERO}
NO_LIMIT = -1.0
"""What some exporters write for a limit that they do not know."""
_MACROS = ("${", "$(")
_READ = {"parent", "child", "origin", "axis", "limit", "mimic", "dynamics"}  # of a joint
_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def check_urdf(path: Path, root: ET.Element) -> None:
    """Check names, the tree, shapes and numbers.

    Args:
        path: The file, for errors.
        root: Its ``<robot>``.

    Raises:
        RobotError: Something is missing, malformed, or beyond all bounds.
    """
    links, joints = root.findall("link"), root.findall("joint")
    if not links:
        raise RobotError(f"{path}: there is no <link> in it")
    moving = [joint for joint in joints if joint.get("type") != "fixed"]
    bodies = {f"<{tag}>": list(root.iter(tag)) for tag in ("collision", "visual")}
    counted = {"links": (links, MOST_LINKS), "movable joints": (moving, MOST_MOVING)}
    for what, (elements, most) in {**counted, **{tag: (found, MOST_BODIES) for tag, found in bodies.items()}}.items():
        if len(elements) > most:
            raise RobotError(f"{path}: there are {len(elements)} {what} in it; {most} are allowed")
    for what, elements in (("link", links), ("joint", joints)):
        _check_names(path, what, elements)
    names = [link.get("name", "") for link in links]
    for joint in joints:
        _check_joint(path, joint, names)
    _check_tree(path, names, joints)
    for part in (*links, *joints):
        for inside, element in _elements(part, _PARTS.get(part.get("type", "link"), _PARTS["joint"])):
            place = f"{path}: {part.tag} '{part.get('name')}', {inside}"
            if element.tag == "geometry":
                _check_geometry(place, element)
            if element.tag in {"collision", "visual"} and element.find("geometry") is None:
                raise RobotError(f"{place}: <geometry> is missing")
            _check_numbers(place, element)


def without_inertia(root: ET.Element) -> list[str]:
    """One line about each link that moves, has a body, and no mass or inertia: physics cannot do without."""
    resting = {joint.find("child").get("link") for joint in root.iter("joint") if joint.get("type") == "fixed"}  # type: ignore[union-attr]
    lines = []
    for link in root.iter("link"):
        if link.get("name") in resting or link.find("collision") is None:
            continue
        mass, inertia = link.find("inertial/mass"), link.find("inertial/inertia")
        if mass is None or inertia is None:
            lines.append(f"{link.get('name')}: no <inertial>")
        elif float(mass.get("value", 0)) == 0.0 or any(
            float(inertia.get(key, 0)) == 0.0 for key in ("ixx", "iyy", "izz")
        ):
            lines.append(f"{link.get('name')}: mass or inertia is zero")
    return lines


def check_mimics(path: Path, leaders: Mapping[str, str]) -> None:
    """Raise ``RobotError`` where joints follow each other in a circle."""
    for joint in leaders:
        way = [joint]
        while way[-1] in leaders:
            way.append(leaders[way[-1]])
            if way[-1] in way[:-1]:
                raise RobotError(
                    f"{path}: joint '{joint}', <mimic>: these joints follow each other: {' -> '.join(way)}"
                )


def _check_names(path: Path, what: str, elements: Iterable[ET.Element]) -> None:
    counts = Counter(element.get("name", "") for element in elements)
    for name, count in counts.items():
        if not name.strip():
            raise RobotError(f"{path}: a <{what}> has no name")
        if len(name) > LONGEST_NAME:
            problem = f"has a name of {len(name)} characters; {LONGEST_NAME} are allowed"
            raise RobotError(f"{path}: {what} '{shortened(name)}' {problem}")
        if count > 1:
            raise RobotError(f"{path}: there are {count} {what}s '{name}'; names must be unique")


def _check_joint(path: Path, joint: ET.Element, links: list[str]) -> None:
    name, kind = joint.get("name"), joint.get("type", "")
    if kind not in JOINT_TYPES:
        problem = not_found("type", kind, JOINT_TYPES)
        hint = "; use one joint for each direction" if kind in {"planar", "floating"} else ""
        raise RobotError(f"{path}: joint '{name}': {problem}{hint}")
    for end in ("parent", "child"):
        element = joint.find(end)
        link = "" if element is None else element.get("link", "")
        if link not in links:
            raise RobotError(f"{path}: joint '{name}', <{end}>: {not_found('link', link, links)}")


def _check_tree(path: Path, links: list[str], joints: list[ET.Element]) -> None:
    """Raise ``RobotError`` unless all links hang on one."""
    carrier: dict[str, str] = {}
    by: dict[str, str] = {}
    moving = {joint.find("child").get("link", "") for joint in joints if joint.get("type") != "fixed"}  # type: ignore[union-attr]
    for joint in joints:
        child, parent = (joint.find(end).get("link", "") for end in ("child", "parent"))  # type: ignore[union-attr]
        if child in carrier:
            names = f"'{by[child]}' and '{joint.get('name')}'"
            raise RobotError(f"{path}: the link '{child}' is the child of two joints, {names}; a URDF is a tree")
        carrier[child], by[child] = parent, joint.get("name", "")
    for link in links:
        way = [link]
        while way[-1] in carrier:
            way.append(carrier[way[-1]])
            if way[-1] in way[:-1]:
                circle = " -> ".join(way[way.index(way[-1]) :])
                raise RobotError(f"{path}: these links carry each other in a circle: {circle}; a URDF is a tree")
        if (row := len(way) - 1) > MOST_IN_A_ROW:
            raise RobotError(f"{path}: link '{link}': behind {row} others in a row; {MOST_IN_A_ROW} are allowed")
        if (row := len(moving.intersection(way))) > MOST_MOVING_IN_A_ROW:
            raise RobotError(f"{path}: link '{link}': behind {row} movable joints; {MOST_MOVING_IN_A_ROW} are allowed")
    roots = [link for link in links if link not in carrier]
    if len(roots) != 1:
        raise RobotError(f"{path}: a URDF has exactly one link without a parent, this has {len(roots)}: {roots}")


def _elements(part: ET.Element, of: Iterable[str] | None = None, place: str = "") -> Iterator[tuple[str, ET.Element]]:
    """All elements in some parts of a link or joint, each with its place."""
    for element in part:
        if of is None or element.tag in of:
            here = f"{place}<{element.tag}>"
            yield here, element
            yield from _elements(element, None, here)


def _check_geometry(place: str, geometry: ET.Element) -> None:
    shapes = [element.tag for element in geometry]
    if len(shapes) != 1:
        raise RobotError(f"{place}: one shape is needed, this has {len(shapes)}; there are: {', '.join(SHAPES)}")
    if shapes[0] not in SHAPES:
        raise RobotError(f"{place}: {not_found('shape', shapes[0], SHAPES)}")


def _check_numbers(place: str, element: ET.Element) -> None:
    """Raise ``RobotError`` where numbers are missing, are none, or are beyond all bounds."""
    for key in _NUMBERS.get(element.tag, ()):
        text = element.get(key)
        if text is None:
            if (element.tag, key) in _NEEDED:
                raise RobotError(f'{place}: {key}="..." is missing')
            continue
        where = f'{place}: {key}="{shortened(text)}"'
        words = text.split()
        if not all(_NUMBER.fullmatch(word) or _NO_LIMIT.fullmatch(word) for word in words):
            raise RobotError(f"{where} is not {'made of numbers' if key in _TRIPLES else 'a number'}")
        values = [float(word) for word in words]
        if len(values) != (3 if key in _TRIPLES else 1):
            raise RobotError(f"{where} has {len(values)} numbers, {3 if key in _TRIPLES else 1} are needed")
        problem = _wrong(element.tag, key, values)
        if problem:
            raise RobotError(f"{where} {problem}")
        element.set(key, " ".join(words))  # the parser takes no space around a single number


def _wrong(tag: str, key: str, values: list[float]) -> str:
    """What is wrong with numbers; empty if nothing is."""
    if any(math.isnan(value) for value in values):
        return "is not a number"
    if tag in _UNBOUNDED:
        return ""
    if max(map(abs, values)) > FURTHEST:
        return f"is beyond {FURTHEST:g}, which nothing on a robot is"
    if (tag, key) in _ABOVE_ZERO and min(values) <= 0.0:
        return "must be above zero"
    if (tag, key) in _NOT_BELOW_ZERO and min(values) < -TINY:
        return "must not be below zero"
    if (tag == "axis" and not any(values)) or (tag == "mesh" and 0.0 in values):
        return "must not be zero"
    return ""


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
