"""A proposed hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from taskmatrix.core.world.objects import Array

from ..anatomy.limbs import Limb
from ..anatomy.notes import Note
from ..anatomy.tree import Tree


@dataclass(frozen=True, eq=False)
class Grip:
    """A proposed hand: frame, aperture, links and postures."""

    limb: Limb
    """The arm that carries it."""
    frame: str
    """Link to which the grasp frame is fixed."""
    X_LH: Array
    """(4, 4) Grasp frame in it: z out of the palm, y the closing direction."""
    aperture: float
    """[m] Of the widest object that it takes."""
    touch: tuple[str, ...]
    """Links that may touch what it holds."""
    open: Mapping[str, float]
    """[rad] or [m] Fingers wide open; empty without fingers."""
    closed: Mapping[str, float]
    """[rad] or [m] Fingers closed."""
    rest: Mapping[str, float]
    """[rad] or [m] Fingers with nothing to do."""
    table: tuple[tuple[float, Mapping[str, float]], ...]
    """Width [m] between the pads and positions, the narrowest first."""
    notes: tuple[Note, ...]
    """What speaks for and against it."""
    plain: bool = True
    """Whether a bar that is put into the hand tells its widths, so that the table can be measured again."""
    meshing: tuple[tuple[str, str], ...] = ()
    """Pairs of links of two fingers whose knuckles touch each other, as gears do, however open the hand is."""


def touching_links(tree: Tree, limb: Limb, palm: str) -> tuple[str, ...]:
    """Links with a body from the palm's on."""
    links = tree.links(limb.bodies[-1])
    own = links[links.index(palm) :]
    fingers = [link for b in limb.beyond for link in tree.links(b)]
    return tuple(link for link in (*own, *fingers) if tree.solid(link)) or (palm,)


def middle_of(points: Array) -> Array:
    """(3,) [m] The middle of the box around points (k, 3)."""
    middle: Array = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return middle
