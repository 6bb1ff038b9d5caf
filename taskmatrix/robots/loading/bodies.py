"""Boxes, cylinders and spheres that an adapter gives to links that have no collision body, or a bad one."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import dataclass

from taskmatrix.core.base.tables import Table

_SIZES = {"box": 3, "cylinder": 2, "sphere": 1}
"""By kind how many sizes it has: [m] x, y and z; radius and length; radius."""
_KEYS = {"box": ("size",), "cylinder": ("radius", "length"), "sphere": ("radius",)}


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
