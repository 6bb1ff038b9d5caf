"""Boxes that are so much coarser than what is drawn that neighbours touch in most of their joints' range."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .anatomy.contacts import Evidence, Pair, near, sample
from .anatomy.reading import read_tree
from .anatomy.tree import Tree

_OFTEN = 0.4  # share of the random configurations in which neighbours touch that nobody would build
_MORE = 0.05  # share of the random configurations by which what is drawn may touch more than a plain body
_SELDOM = 0.5  # of that, and less, where they collide as they are drawn


def with_finer_bodies(tree: Tree, evidence: Evidence, seed: int) -> tuple[Tree, Evidence]:
    """The robot with the links colliding as they are drawn whose plain bodies keep neighbours in contact.

    Not those without which these neighbours are as free, and whose hulls bar other ways.

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

    def drawn(names: set[str]) -> tuple[Tree, Evidence]:
        more = sorted(names - known)
        other = read_tree(tree.description.path, tree.mesh_up, tree.hulls, more, tree.description.up)
        return other, sample(other, seed)

    finer, found = drawn(links)
    better = {pair: part for pair, part in coarse.items() if found.part(pair) < _SELDOM * part}
    helped = {link for pair in better for link in pair if link in links}
    if not helped:
        return tree, evidence
    if helped != links:
        finer, found = drawn(helped)
    for link in _barring(evidence, found, helped):
        other, without = drawn(helped - {link})
        if all(without.part(pair) < _SELDOM * part for pair, part in better.items()):
            helped, finer, found = helped - {link}, other, without
    return finer, found


def _barring(coarse: Evidence, finer: Evidence, links: set[str]) -> list[str]:
    """Links that touch more as they are drawn, in part of the configurations: a hull fills what is hollow or forked."""
    worse: Counter[str] = Counter()
    for pair in {*finer.often, *finer.seldom} - finer.always:
        if (more := round(1000 * (finer.part(pair) - coarse.part(pair)))) > 1000 * _MORE:
            worse.update(dict.fromkeys(links & set(pair), more))
    return sorted(worse, key=lambda link: (-worse[link], link))


def _suspects(tree: Tree, evidence: Evidence) -> Iterator[Pair]:
    """Neighbours that touch often, and not always."""
    for pair in {*evidence.often, *evidence.seldom} - evidence.always - evidence.nested:
        if evidence.part(pair) >= _OFTEN and near(tree, pair):
            yield pair


def _is_plain(tree: Tree, name: str) -> bool:
    """Whether a link is drawn as a mesh and collides as something plainer."""
    link = next(link for link in tree.description.root.iter("link") if link.get("name") == name)
    return link.find("visual/geometry/mesh") is not None and link.find("collision/geometry/mesh") is None
