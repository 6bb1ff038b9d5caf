"""Links that are drawn in one place and collide in another."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

import numpy as np

_SHIFTED = 1e-3  # [m] or [rad] between where a mesh is drawn and where it collides


def misdrawn_links(root: Element) -> Iterator[tuple[str, str]]:
    """Links whose mesh is drawn in one place and collides in another, each with a line that says so."""
    for link in root.iter("link"):
        seen, solid = (link.findall(kind) for kind in ("visual", "collision"))
        if len(seen) == len(solid) == 1 and _mesh(seen[0]) and _mesh(seen[0]) == _mesh(solid[0]):
            drawn, there = (_origin(body) for body in (seen[0], solid[0]))
            if not np.allclose(drawn, there, atol=_SHIFTED):
                text = f"'{link.get('name')}' is drawn at xyz and rpy {_told(drawn)}, but the same mesh collides at"
                name = link.get("name", "")
                yield name, f"{text} {_told(there)}; taken as drawn: see collide_as_drawn, and the picture"


def _mesh(body: Element) -> str:
    mesh = body.find("geometry/mesh")
    return "" if mesh is None else mesh.get("filename", "")


def _origin(body: Element) -> list[float]:
    origin = body.find("origin")
    texts = ("0 0 0", "0 0 0") if origin is None else (origin.get("xyz", "0 0 0"), origin.get("rpy", "0 0 0"))
    return [float(value) for text in texts for value in text.split()]


def _told(values: list[float]) -> str:
    return " ".join(f"{value:g}" for value in values)
