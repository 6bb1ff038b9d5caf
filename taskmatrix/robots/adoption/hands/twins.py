"""The hands of all arms; those of mirrored arms alike, or told where they are not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..anatomy.heading import Heading
from ..anatomy.limbs import Anatomy, Limb
from ..anatomy.mirror import image
from ..anatomy.notes import Note
from ..anatomy.tree import Tree
from .fingers import find_fist
from .grip import Grip
from .hands import find_grip

_ALIKE = 0.9  # of an aperture: a hand that is nearly as wide is taken for the sake of symmetry
_APART = 0.01  # [m] between the apertures of hands that are not alike


def find_grips(tree: Tree, anatomy: Anatomy, heading: Heading) -> dict[Limb, Grip]:
    """Propose the hand of each arm; a thumb that is turned is turned alike in mirrored hands where that will do."""
    arms = anatomy.of("arm")
    grips = {limb: find_grip(tree, limb, anatomy, heading) for limb in arms}
    for limb in arms:
        twin = next((other for other in arms if other.bodies[0] == limb.twin), None)
        if twin is None or arms.index(twin) < arms.index(limb):
            continue
        for first, second in ((limb, twin), (twin, limb)):
            turned = _image(tree, anatomy, first, second, grips[first])
            if not turned or all(np.isclose(grips[second].open.get(joint, np.nan), v) for joint, v in turned.items()):
                continue
            other = find_grip(tree, second, anatomy, heading, turned)
            if other.open and other.aperture > _ALIKE * (grips[second].aperture if grips[second].open else 0.0):
                grips[second] = other
                break
        a, b = grips[limb], grips[twin]
        if bool(a.open) != bool(b.open) or abs(a.aperture - b.aperture) > _APART:
            told = " and ".join(_told(grip) for grip in (a, b))
            note = Note("unsure", "hands", f"the arms are mirror images and their hands are not alike: {told}")
            grips[limb] = replace(a, notes=(*a.notes, note))
    return grips


def _told(grip: Grip) -> str:
    how = f"opens {1000 * grip.aperture:.0f} mm" if grip.open else "affixes"
    return f"that on {grip.frame} {how}"


def _image(tree: Tree, anatomy: Anatomy, limb: Limb, twin: Limb, grip: Grip) -> Mapping[str, float]:
    """Where joints of the twin's hand stay that are the image of those that stay in this hand; empty if none are."""
    if not grip.open or len(limb.beyond) != len(twin.beyond):
        return {}
    still = find_fist(tree, limb).still
    partners = dict(zip(limb.beyond, twin.beyond, strict=True))
    found = {}
    for body in still:
        partner = partners[body]
        sign = image(tree, body, partner, anatomy.normal)
        lower, upper = (float(limit[tree.index(partner)]) for limit in tree.limits)
        value = sign * grip.open[tree.joints[body].name]
        if sign == 0.0 or not lower - 1e-3 <= value <= upper + 1e-3:
            return {}
        found[tree.joints[partner].name] = float(np.clip(value, lower, upper))
    return found
