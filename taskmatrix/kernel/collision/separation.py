"""Whether two bodies are certainly apart, in sixteen configurations at once: from cheap to exact."""

from __future__ import annotations

from ..jit.compiled import bare_inlined
from ..jit.simd import below, load, splat
from .bounds import near
from .grids import undecided
from .hulls import SURE, unsure_hulls
from .scene import CORNERS, NEAR, OF_BOX, Scene, Work
from .tree import WHOLE, close, relate, unsure_trees


@bare_inlined
def unsure(scene: Scene, work: Work, pair: int, mask: int, need: float, touching: float, finest: int, one: bool) -> int:
    """Lanes of a mask in which two bodies are not certainly further apart than ``need`` [m].

    With ``finest`` 0, bodies are only looked at exactly where it is not certain by less that they are further apart
    than ``touching`` [m]. ``work.separation`` then has how far apart they are at least; no more is known of bodies that
    are not convex than whether that is enough, unless ``finest`` is beyond the last level of hulls. With ``one`` it
    will do to know of one lane in which the bodies touch.
    """
    a, b = scene.pairs[pair, 0], scene.pairs[pair, 1]
    table = scene.tabled[pair]
    mask = undecided(scene, work, table, mask, need) if table >= 0 else mask & near(scene, work, a, b, splat(need))
    if mask == 0:
        return mask
    work.counts[NEAR] += 1
    relate(scene, work, a, b)
    mask = close(scene, work, a, b, WHOLE, WHOLE, mask, splat(need))
    if mask == 0:
        return mask
    corners_a, corners_b = scene.bodies[a, CORNERS], scene.bodies[b, CORNERS]
    if corners_b != OF_BOX:  # the hull of a map tells nothing
        mask = unsure_hulls(scene, work, a, b, mask, need, touching, finest, one)
    if mask == 0 or corners_a == corners_b == 0:
        return mask
    if corners_b != OF_BOX and finest == 0 and below(load(work.separation, 0), splat(touching + SURE)) & mask == 0:
        return mask
    return unsure_trees(scene, work, a, b, mask, need, touching, finest, one)
