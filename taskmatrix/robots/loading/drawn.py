"""What is drawn of a robot and has no collision body: told, and made solid where an adapter says so."""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from collections.abc import Container

_SMALL = 0.05  # [m] of a mark that is drawn for people: a contact point, a camera's frame
_TINY = 0.02  # [m] of one, whatever it is said to weigh
_LIGHT = 0.01  # [kg]


def drawn_links(root: ET.Element) -> tuple[str, ...]:
    """Links that are drawn, but for small marks without a mass that no joint moves."""
    moved = {joint.find("child").get("link") for joint in root.iter("joint") if joint.get("type") != "fixed"}  # type: ignore[union-attr]
    links = [link for link in root.iter("link") if link.find("visual") is not None]
    return tuple(link.get("name", "") for link in links if link.get("name") in moved or not _is_mark(link))


def unsolid_links(root: ET.Element) -> tuple[str, ...]:
    """Those of :func:`drawn_links` that have no collision body."""
    solid = {link.get("name") for link in root.iter("link") if link.find("collision") is not None}
    return tuple(link for link in drawn_links(root) if link not in solid)


def collide_as_drawn(root: ET.Element, names: Container[str]) -> None:
    """Let links collide as they are drawn, whatever collision bodies they have."""
    for link in root.iter("link"):
        if link.get("name") not in names:
            continue
        for body in link.findall("collision"):
            link.remove(body)
        for visual in link.findall("visual"):
            body = ET.SubElement(link, "collision")
            body.extend(copy.deepcopy(part) for part in visual if part.tag in {"origin", "geometry"})


def told_unsolid(root: ET.Element) -> tuple[str, ...]:
    """One line about links that are drawn and touch nothing; nothing where there are none."""
    drawn, bare = drawn_links(root), unsolid_links(root)
    if not bare:
        return ()
    some = ", ".join(bare[:6]) + (f" and {len(bare) - 6} more" if len(bare) > 6 else "")
    return (f"{len(bare)} of the {len(drawn)} links that are drawn have no collision body and touch nothing: {some}",)


def _is_mark(link: ET.Element) -> bool:
    """Whether what is drawn of a link is plain, and tiny or small and without a weight."""
    mass = link.find("inertial/mass")
    light = mass is None or float(mass.get("value", 0.0)) < _LIGHT
    for shape in link.iterfind("visual/geometry/*"):
        sizes = [float(word) for key in ("size", "radius", "length") for word in shape.get(key, "").split()]
        if shape.tag == "mesh" or max(sizes, default=0.0) > (_SMALL if light else _TINY):
            return False
    return True
