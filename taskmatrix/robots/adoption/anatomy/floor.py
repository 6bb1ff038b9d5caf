"""What a robot stands on."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array
from taskmatrix.geometry.solids import lowest_point

from .limbs import Anatomy
from .name_tokens import ROLLING, mentions
from .tree import ROOT, Tree

_LEVEL = 0.005  # [m] what is as low stands on the floor too


def find_floor(tree: Tree, anatomy: Anatomy, q: Array) -> tuple[str, ...]:
    """Links on the floor in stance: the soles of legs, else the lowest links of trunk and wheels."""
    data = tree.at(q)

    def low(link: str) -> float:
        return float(tree.points(tree.body_of(link), data, [link])[:, 2].min())

    feet = []
    for leg in anatomy.of("leg"):
        tops = {branch[0]: branch for branch in anatomy.others}
        bodies = [
            *leg.bodies,
            *(b for top, branch in tops.items() if tree.joints[top].parent in leg.bodies for b in branch),
        ]
        solid = [link for b in bodies for link in tree.links(b) if tree.solid(link)]
        if solid:
            feet.append(min(solid, key=low))
    if feet:
        return tuple(dict.fromkeys(feet))
    bodies = [*anatomy.trunk, *anatomy.wheels] if len(tree.points(ROOT)) or anatomy.wheels else [ROOT, *tree.joints]
    solid = [link for b in bodies for link in tree.links(b) if tree.solid(link)]
    if not solid:
        solid = [link for b in tree.joints for link in tree.links(b) if tree.solid(link)]
    ground = min(map(low, solid))
    drawn = _drawn_wheels(tree, bodies, data)
    if drawn and min(drawn.values()) < ground - _LEVEL:
        return tuple(link for link, height in drawn.items() if height < min(drawn.values()) + _LEVEL)
    return tuple(link for link in solid if low(link) < ground + _LEVEL)


def _drawn_wheels(tree: Tree, bodies: Iterable[int], data: pin.Data) -> dict[str, float]:
    """[m] How low wheels without collision bodies are drawn."""
    names = {link for b in bodies for link in tree.links(b) if mentions(link, ROLLING) and not tree.solid(link)}
    heights: dict[str, float] = {}
    if not names:
        return heights
    xml = tree.description.on_base(0.0, 0.0, (1.0, 1.0))
    try:
        drawn = pin.buildGeomFromUrdfString(tree.model, xml, pin.GeometryType.VISUAL)
    except (ValueError, RuntimeError):  # a drawing that cannot be read is none
        return heights
    for body in drawn.geometryObjects:
        link = tree.model.frames[body.parentFrame].name
        if link in names:
            low = lowest_point(body.geometry, data.oMi[body.parentJoint] * body.placement)
            heights[link] = min(low, heights.get(link, np.inf))
    return heights
