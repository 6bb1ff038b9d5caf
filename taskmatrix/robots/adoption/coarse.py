"""Boxes that are so much coarser than what is drawn that neighbours touch in most of their joints' range."""

from __future__ import annotations

from collections.abc import Iterator

from .anatomy.contacts import Evidence, Pair, near, sample
from .anatomy.reading import read_tree
from .anatomy.tree import Tree

_OFTEN = 0.4  # share of the random configurations in which neighbours touch that nobody would build
_SELDOM = 0.5  # of that, and less, where they collide as they are drawn


def with_finer_bodies(tree: Tree, evidence: Evidence, seed: int) -> tuple[Tree, Evidence]:
    """The robot with the links colliding as they are drawn whose plain bodies keep neighbours in contact.

    Args:
        tree: The robot.
        evidence: Which of its links touch how often.
        seed: Of the random configurations.
    """
    coarse = {pair: evidence.part(pair) for pair in _suspects(tree, evidence)}
    links = {link for pair in coarse for link in pair if _is_plain(tree, link)}
    if not links:
        return tree, evidence
    known = set(tree.description.as_drawn)
    finer = read_tree(tree.description.path, tree.mesh_up, tree.hulls, sorted(links), tree.description.up)
    found = sample(finer, seed)
    better = [pair for pair, part in coarse.items() if found.part(pair) < _SELDOM * part]
    helped = {link for pair in better for link in pair if link in links}
    if helped == links:
        return finer, found
    if not helped:
        return tree, evidence
    finer = read_tree(tree.description.path, tree.mesh_up, tree.hulls, sorted(helped - known), tree.description.up)
    return finer, sample(finer, seed)


def _suspects(tree: Tree, evidence: Evidence) -> Iterator[Pair]:
    """Neighbours that touch often, and not always."""
    for pair in {*evidence.often, *evidence.seldom} - evidence.always - evidence.nested:
        if evidence.part(pair) >= _OFTEN and near(tree, pair):
            yield pair


def _is_plain(tree: Tree, name: str) -> bool:
    """Whether a link is drawn as a mesh and collides as something plainer."""
    link = next(link for link in tree.description.root.iter("link") if link.get("name") == name)
    return link.find("visual/geometry/mesh") is not None and link.find("collision/geometry/mesh") is None
