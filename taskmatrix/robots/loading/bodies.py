"""Collision bodies of links: those that an adapter gives, and of what is drawn and has none."""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from collections.abc import Container, Iterable
from dataclasses import dataclass

from taskmatrix.core.base.tables import Table

_SIZES = {"box": 3, "cylinder": 2, "sphere": 1}
"""By kind how many sizes it has: [m] x, y and z; radius and length; radius."""
_KEYS = {"box": ("size",), "cylinder": ("radius", "length"), "sphere": ("radius",)}
_SMALL = 0.05  # [m] of a mark that is drawn for people: a contact point, a camera's frame
_TINY = 0.02  # [m] of one, whatever it is said to weigh
_LIGHT = 0.01  # [kg]


@dataclass(frozen=True)
class Body:
    """One shape of a link."""

    link: str
    """The link that has it."""
    kind: str
    """``box``, ``cylinder`` (its axis is z) or ``sphere``."""
    sizes: tuple[float, ...]
    """[m] x, y and z of a box; radius and length of a cylinder; radius of a sphere."""
    position: tuple[float, ...] = (0.0, 0.0, 0.0)
    """(3,) [m] Of its middle in the link."""
    rpy: tuple[float, ...] = (0.0, 0.0, 0.0)
    """(3,) [rad] How it is turned in the link, about the link's x, y and z in turn."""


def read_bodies(file: Table) -> tuple[Body, ...]:
    """The list ``bodies`` of an adapter.

    Raises:
        RobotError: One has no shape or two, or sizes that are not above zero.
    """
    found = []
    for table in file.tables("bodies"):
        table.only("link", *_SIZES, "position", "rpy")
        kinds = [kind for kind in _SIZES if kind in table.data]
        if len(kinds) != 1:
            raise table.error(kinds[-1] if kinds else "link", f"has to have one of {', '.join(_SIZES)}")
        (kind,) = kinds
        sizes = table.numbers(kind, _SIZES[kind])
        if min(sizes) <= 0.0:
            raise table.error(kind, f"has to be above 0, got {list(sizes)}")
        place = (table.numbers(key, 3, (0.0, 0.0, 0.0)) for key in ("position", "rpy"))
        found.append(Body(table.get("link", str), kind, sizes, *place))
    return tuple(found)


def give_bodies(root: ET.Element, bodies: Iterable[Body]) -> None:
    """Let links collide as some bodies, whatever collision bodies they have; those that are not drawn look so too."""
    links = {link.get("name", ""): link for link in root.iter("link")}
    given = [(links[body.link], body) for body in bodies if body.link in links]
    undrawn = [link for link, _ in given if link.find("visual") is None]
    for link, _ in given:
        for old in link.findall("collision"):
            link.remove(old)
    for link, body in given:
        for tag in ("collision", *(["visual"] if link in undrawn else [])):
            element = ET.SubElement(link, tag)
            ET.SubElement(element, "origin", xyz=_text(body.position), rpy=_text(body.rpy))
            sizes = (_text(body.sizes),) if body.kind == "box" else map(repr, body.sizes)
            ET.SubElement(
                ET.SubElement(element, "geometry"), body.kind, dict(zip(_KEYS[body.kind], sizes, strict=True))
            )


def _text(numbers: Iterable[float]) -> str:
    return " ".join(map(repr, numbers))


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
