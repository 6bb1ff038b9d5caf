"""Which links touch: in one configuration, and in many random ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array
from taskmatrix.geometry.solids import checking_data, make_convex_solid

from .tree import Tree

Pair = tuple[str, str]
"""Two links in alphabetical order."""

SAMPLES = 2000
"""Random configurations in which the pairs are checked that are in contact often."""
FIRST = 100
"""Random configurations in which all pairs are checked, to find these."""
ENOUGH = 0.95
"""Share of the configurations in which a pair that is left out is in contact."""
_NESTED = 0.5  # share of the first configurations in which a pair touches whose hulls are looked at
_HOLLOW = 0.25  # share of the first configurations in which hulls touch whose meshes are looked at
_TOUCH = 1e-6  # [m] nearer than which bodies touch
_GRAZE = 0.85  # share of the first configurations from which on a pair is checked in all


class Checker:
    """Tells which links touch.

    Args:
        tree: The robot.
        only: Pairs of links that are checked; all that move against each other unless given.
        geometry: Its collision bodies, if not those of the tree.
    """

    def __init__(
        self, tree: Tree, only: Iterable[Pair] | None = None, geometry: pin.GeometryModel | None = None
    ) -> None:
        self._tree = tree
        self._geometry = tree.collision if geometry is None else pin.GeometryModel(geometry)
        if only is not None:
            wanted = set(only)
            self._geometry = pin.GeometryModel(self._geometry)
            self._geometry.removeAllCollisionPairs()
            for pair, names in zip(tree.collision.collisionPairs, link_pairs(tree), strict=True):
                if names in wanted:
                    self._geometry.addCollisionPair(pair)
        self._names = link_pairs(tree, self._geometry)
        self._model_data = tree.model.createData()
        self._data = checking_data(self._geometry)

    def touching(self, q: Array) -> set[Pair]:
        """Pairs of links in contact with the active coordinates at ``q`` (n,)."""
        full = self._tree.S @ q + self._tree.c
        pin.computeCollisions(self._tree.model, self._model_data, self._geometry, self._data, full, False)
        results = zip(self._names, self._data.collisionResults, strict=True)
        return {names for names, result in results if result.isCollision()}


@dataclass(frozen=True, eq=False)
class Evidence:
    """Which pairs of links touched in how many random configurations."""

    often: Counter[Pair]
    """In how many of :data:`SAMPLES` configurations pairs touch that do so in most."""
    seldom: Counter[Pair]
    """In how many of :data:`FIRST` configurations the others touch."""
    nested: frozenset[Pair]
    """Those of the others one of which is inside the other: their meshes or their hulls touch always, or never."""
    total: int
    """Pairs of links that move against each other."""

    @property
    def always(self) -> set[Pair]:
        """Pairs in contact in nearly all configurations."""
        return {pair for pair, count in self.often.items() if count >= ENOUGH * SAMPLES}

    def part(self, pair: Pair) -> float:
        """In what share of the configurations a pair touches."""
        return self.often[pair] / SAMPLES if pair in self.often else self.seldom[pair] / FIRST

    def share(self, pair: Pair) -> str:
        """In how many configurations a pair touches, in words."""
        if pair in self.often:
            return f"in contact in {self.often[pair]} of {SAMPLES} random configurations"
        return f"in contact in {self.seldom[pair]} of {FIRST} random configurations"


def sample(tree: Tree, seed: int = 0) -> Evidence:
    """Check random configurations: some with all pairs, and many with those that touched in most of the first."""
    rng = np.random.default_rng(seed)
    lower, upper = (np.clip(limit, -np.pi, np.pi) for limit in tree.limits)
    lower[:3] = upper[:3] = 0.0
    seldom: Counter[Pair] = Counter()
    every = Checker(tree)
    for _ in range(FIRST):
        seldom.update(every.touching(rng.uniform(lower, upper)))
    candidates = {pair for pair, count in seldom.items() if count >= _GRAZE * FIRST}
    often: Counter[Pair] = Counter()
    some = Checker(tree, candidates)
    for _ in range(SAMPLES):
        often.update(some.touching(rng.uniform(lower, upper)))
    for pair in candidates:
        del seldom[pair]
    nested = set(_nested(tree, seldom, [rng.uniform(lower, upper) for _ in range(FIRST)]))
    return Evidence(often, seldom, frozenset(nested), len(set(link_pairs(tree))))


def _nested(tree: Tree, seldom: Mapping[Pair, int], configurations: Sequence[Array]) -> Iterable[Pair]:
    """Pairs near each other one of which is inside the other.

    Those that touch in most configurations and whose hulls do in all; where hulls are looked at, those that touch in
    many and whose meshes never do.
    """
    beside = {pair: count for pair, count in seldom.items() if near(tree, pair)}
    solid = {pair for pair, count in beside.items() if count >= _HOLLOW * FIRST and tree.hulled(pair)}
    hollow = {pair for pair, count in beside.items() if count >= _NESTED * FIRST and not tree.hulled(pair)}
    found: set[Pair] = set()
    if solid:
        found |= solid.difference(*_touching(Checker(tree, solid, tree.meshes), configurations))
    if hollow:
        hulls = pin.GeometryModel(tree.collision)
        make_convex_solid(hulls, hulls=True)
        found |= hollow.intersection(*_touching(Checker(tree, hollow, hulls), configurations))
    return found


def _touching(checker: Checker, configurations: Sequence[Array]) -> Iterable[set[Pair]]:
    return (checker.touching(q) for q in configurations)


def deepest(tree: Tree, pairs: Iterable[Pair], seed: int = 0) -> dict[Pair, float]:
    """[m] How deep those of some pairs of links overlap at most that touch and whose bodies are all convex.

    In random configurations in which half of the joints are at an end of their ways.
    """
    rng = np.random.default_rng(seed)
    lower, upper = (np.clip(limit, -np.pi, np.pi) for limit in tree.limits)
    lower[:3] = upper[:3] = 0.0
    data, geometry_data = tree.model.createData(), tree.collision.createData()
    shapes = [body.geometry for body in tree.collision.geometryObjects]
    wanted = set(pairs)
    wanted -= {
        names
        for pair, names in zip(tree.collision.collisionPairs, link_pairs(tree), strict=True)
        if any(isinstance(shapes[body], coal.BVHModelBase) for body in (pair.first, pair.second))
    }
    checked = [(index, names) for index, names in enumerate(link_pairs(tree)) if names in wanted]
    found: dict[Pair, float] = {}
    for _ in range(FIRST):
        q = rng.uniform(lower, upper)
        q = np.where(rng.random(tree.n) < 0.5, q, np.where(rng.random(tree.n) < 0.5, lower, upper))
        pin.updateGeometryPlacements(tree.model, data, tree.collision, geometry_data, tree.S @ q + tree.c)
        for index, names in checked:
            distance = pin.computeDistance(tree.collision, geometry_data, index).min_distance
            if distance < _TOUCH:
                found[names] = max(found.get(names, 0.0), -float(distance))
    return found


def link_pairs(tree: Tree, geometry: pin.GeometryModel | None = None) -> list[Pair]:
    """Names for each pair of bodies that is checked."""
    geometry = geometry or tree.collision
    links = [str(tree.model.frames[body.parentFrame].name) for body in geometry.geometryObjects]
    return [ordered(links[pair.first], links[pair.second]) for pair in geometry.collisionPairs]


def ordered(a: str, b: str) -> Pair:
    """Two links as a pair."""
    return (a, b) if a <= b else (b, a)


def near(tree: Tree, pair: Pair) -> bool:
    """Whether at most three joints are between two links."""
    first, second = (set(tree.path(tree.body_of(link))) for link in pair)
    return len(first ^ second) <= 3
