"""Boxes for links whose meshes are missing, of the size that their moments of inertia tell."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator

import numpy as np

from taskmatrix.core.world.objects import Array

from ...loading.bodies import Body
from ...loading.urdf import Description

_LONG = 0.10  # [m] between a link's joints along an axis from which on it ends before them
_BEFORE = 0.03  # [m] before them
_THIN = 0.005  # [m] of what is no body


def stand_ins(description: Description) -> Iterator[Body]:
    """A box for each link that nothing stands for, as its mesh is missing, and that has a mass.

    It is as large as a solid box with its moments of inertia about the link's axes, and ends before the joints that are
    far from each other.
    """
    for link in description.missing:
        element = next(element for element in description.root.iter("link") if element.get("name") == link)
        inertial = element.find("inertial")
        mass = float(_get(inertial, "mass", "value", "0"))
        moments = np.array([float(_get(inertial, "inertia", key, "0")) for key in ("ixx", "iyy", "izz")])
        squares = 6.0 * (moments.sum() - 2.0 * moments) / mass if mass > 0.0 else np.zeros(3)
        if squares.min() < _THIN**2:
            continue
        middle = np.array([float(word) for word in _get(inertial, "origin", "xyz", "0 0 0").split()])
        low, high = middle - np.sqrt(squares) / 2, middle + np.sqrt(squares) / 2
        joints = _joints(description, link)
        first, last = joints.min(axis=0), joints.max(axis=0)
        long = last - first > _LONG
        low[long] = np.maximum(low, first + _BEFORE)[long]
        high[long] = np.minimum(high, last - _BEFORE)[long]
        if (high - low).min() > _THIN:
            sizes, position = (tuple(np.round(values, 3).tolist()) for values in (high - low, (high + low) / 2))
            yield Body(link, "box", sizes, position)


def _get(inertial: ET.Element | None, tag: str, key: str, default: str) -> str:
    element = None if inertial is None else inertial.find(tag)
    return default if element is None else element.get(key, default)


def _joints(description: Description, link: str) -> Array:
    """(k, 3) [m] Where a link is joined to others, its own origin first."""
    places = [np.zeros(3)]
    for joint in description.root.iter("joint"):
        parent, origin = joint.find("parent"), joint.find("origin")
        if parent is not None and parent.get("link") == link and joint.get("type") != "fixed":
            text = "0 0 0" if origin is None else origin.get("xyz", "0 0 0")
            places.append(np.array([float(word) for word in text.split()]))
    return np.array(places)
