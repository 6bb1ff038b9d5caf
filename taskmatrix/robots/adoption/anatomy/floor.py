"""What a robot stands on."""

from __future__ import annotations

from taskmatrix.core.world.objects import Array

from .limbs import Anatomy
from .tree import ROOT, Tree

_LEVEL = 0.005  # [m] what is as low stands on the floor too


def find_floor(tree: Tree, anatomy: Anatomy, q: Array) -> tuple[str, ...]:
    """Links on the floor in stance: the soles of legs, else the lowest links of trunk and wheels."""
    data = tree.at(q)

    def low(link: str) -> float:
        return float(tree.points(tree.body_of(link), data, [link])[:, 2].min())

    feet: list[str] = []
    for leg in anatomy.of("leg"):
        tops = {branch[0]: branch for branch in anatomy.others}
        bodies = [
            *leg.bodies,
            *(b for top, branch in tops.items() if tree.joints[top].parent in leg.bodies for b in branch),
        ]
        solid = [link for b in bodies for link in tree.links(b) if tree.solid(link)]
        if solid:
            ground = min(map(low, solid))
            feet += [link for link in solid if low(link) < ground + _LEVEL]
    if feet:
        return tuple(dict.fromkeys(feet))
    bodies = [*anatomy.trunk, *anatomy.wheels] if len(tree.points(ROOT)) or anatomy.wheels else [ROOT, *tree.joints]
    solid = [link for b in bodies for link in tree.links(b) if tree.solid(link)]
    if not solid:
        solid = [link for b in tree.joints for link in tree.links(b) if tree.solid(link)]
    ground = min(map(low, solid))
    return tuple(link for link in solid if low(link) < ground + _LEVEL)
