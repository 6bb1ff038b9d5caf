"""Which pairs of links the self-collision check may leave out, with the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .anatomy.contacts import Evidence, Pair, deepest, near, ordered
from .anatomy.tree import ROOT, Tree

_MOSTLY = 0.5  # share of the configurations in which links touch that are not built to keep apart
_SHALLOW = 1e-5  # [m] less than which two links of one joint only graze each other


@dataclass(frozen=True)
class Left:
    """A pair that is left out."""

    links: Pair
    """The two links."""
    reason: str
    """``adjacent``, ``always``, ``grazing`` or ``nested``."""
    evidence: str
    """What was measured."""
    doubt: str = ""
    """Why a person should look at it; empty where it is plain."""


def propose_pairs(
    tree: Tree,
    evidence: Evidence,
    stance: set[Pair],
    meshing: Iterable[Pair] = (),
    disabled: Mapping[Pair, str] | None = None,
    images: Mapping[str, str] | None = None,
) -> tuple[Left, ...]:
    """The pairs to leave out: in contact in nearly all configurations, or in stance and by how they are joined.

    Args:
        tree: The robot.
        evidence: What sampling found.
        stance: Pairs in contact in stance.
        meshing: Pairs of fingers whose knuckles touch each other, as gears do.
        disabled: Reason by pair that an SRDF leaves out; of these those are taken that touch and are joined nearly.
        images: By link its mirror image, itself on the trunk; a pair that touches and whose image is left out is too.
    """
    beside = adjacent(tree)
    found = []
    for pair in sorted(stance | evidence.always):
        reason = "adjacent" if pair in beside else "always"
        text = f"{evidence.share(pair)}{' and in stance' if pair in stance else ''}"
        if pair in evidence.always:
            found.append(Left(pair, reason, text))
        elif pair in beside or near(tree, pair):
            why = "they share a joint" if pair in beside else "they are two or three joints apart"
            found.append(
                Left(pair, reason, text, f"{why}, but do not touch everywhere: look whether they should in stance")
            )
    known = {left.links for left in found}
    for pair in sorted({ordered(*pair) for pair in meshing} - known):
        found.append(Left(pair, "grazing", "knuckles less than 2 mm apart on the whole way from open to closed"))
    for pair in sorted(evidence.nested - stance - {left.links for left in found}):
        told = "their meshes never" if tree.hulled(pair) else "their convex hulls in all"
        doubt = "one seems to turn inside the other: look whether that is so"
        found.append(Left(pair, "nested", f"{evidence.share(pair)}, {told}", doubt))
    known = {left.links for left in found}
    for pair, why in sorted((disabled or {}).items()):
        if pair not in known and near(tree, pair) and (evidence.often[pair] or evidence.seldom[pair]):
            reason = "adjacent" if pair in beside else "grazing"
            doubt = f"the SRDF leaves it out ('{why or 'without a reason'}'): look whether they can harm each other"
            found.append(Left(pair, reason, f"{evidence.share(pair)}; left out by the SRDF", doubt))
    touching = {pair for pair in {*evidence.often, *evidence.seldom} if evidence.part(pair) > 0.0}
    found += _between(evidence, touching - {left.links for left in found}, {left.links for left in found})
    for pair, depth in sorted(deepest(tree, beside - {left.links for left in found}).items()):
        if depth < _SHALLOW:
            text = f"{evidence.share(pair)}, {1e6 * depth:.1f} micrometres deep at most, also at the ends of their way"
            found.append(Left(pair, "grazing", text))
    left_out = {left.links for left in found}
    for left in tuple(found):
        image = ordered(*((images or {}).get(link, "") for link in left.links))
        if image in touching - left_out:
            doubt = f"they are the mirror image of {' and '.join(left.links)}: look whether these two turn alike"
            found.append(Left(image, left.reason, evidence.share(image), doubt))
    return tuple(found)


def _between(evidence: Evidence, touching: Iterable[Pair], left_out: set[Pair]) -> Iterator[Left]:
    """Pairs in contact in most configurations, with a link between them that always touches both and is left out."""
    for pair in sorted(touching):
        around = [{link for other in left_out & evidence.always if end in other for link in other} for end in pair]
        middle = sorted(around[0] & around[1] - set(pair))
        if middle and evidence.part(pair) > _MOSTLY:
            doubt = f"they touch in most, as {middle[0]} between them always touches both: look whether that is so"
            yield Left(pair, "always", evidence.share(pair), doubt)


def not_taken(tree: Tree, evidence: Evidence, disabled: Iterable[Pair]) -> tuple[Pair, ...]:
    """Pairs that an SRDF leaves out and that touched, of links that are far from each other: they stay checked."""
    return tuple(
        pair for pair in sorted(disabled) if not near(tree, pair) and (evidence.often[pair] or evidence.seldom[pair])
    )


def adjacent(tree: Tree) -> set[Pair]:
    """Pairs of links whose bodies share a joint, looking through bodies without geometry."""
    found: set[Pair] = set()
    for body in tree.joints:
        parent = tree.joints[body].parent
        while parent != ROOT and not len(tree.points(parent)):
            parent = tree.joints[parent].parent
        found |= {ordered(a, b) for a in tree.links(body) for b in tree.links(parent)}
    return found
