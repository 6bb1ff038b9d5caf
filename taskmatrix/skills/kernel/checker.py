"""Exact answers about collisions: the kernel where it is certain, coal on the exact shapes where it is in doubt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import coal
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.objects import Array

from .exact import Exact
from .kernel import Kernel
from .lanes import LANES
from .skeleton import Skeleton
from .solid import Solid
from .stage import ADVANCE, Piece

TOUCHING = 1e-6  # [m] the least margin: without it coal overlooks a deep contact now and then
Pairs = Sequence[int] | NDArray[np.int64]


class Checker:
    """Tells which configurations and edges of a geometry model are free.

    Args:
        model: Joints of one coordinate each (``nq == nv``).
        geometry: Bodies and pairs.
        loose: Numbers of the bodies that may be put elsewhere.
        known: The first bodies as solids, if they are known.
        skeleton: That of the model, if it is known.
    """

    def __init__(
        self,
        model: pin.Model,
        geometry: pin.GeometryModel,
        loose: Sequence[int] = (),
        known: Sequence[Solid] = (),
        skeleton: Skeleton | None = None,
    ) -> None:
        self.kernel = Kernel(model, geometry, loose, known, skeleton)
        self.exact = Exact(model, geometry)
        self.checks = 0
        """How often one configuration, or sixteen at once, were looked at."""
        self.pair_up(self.exact.pairs)

    @property
    def joints(self) -> NDArray[np.int64]:
        """(b,) By body: what carries it; 0 for the world."""
        return self.kernel.joints

    def add(self, geometries: Sequence[coal.CollisionGeometry], pieces: Sequence[Piece]) -> int:
        """Add loose bodies, without pairs: their exact shapes and what the kernel takes; the number of the first."""
        for geometry, piece in zip(geometries, pieces, strict=True):
            self.exact.add(geometry, piece.joint, piece.placement)
        return self.kernel.add(pieces)

    def put(self, body: int, placement: pin.SE3, joint: int = 0) -> None:
        """Put a loose body elsewhere, in the frame of a joint, or in the world if that is 0.

        Where another joint carries it now, its pairs have to be set again.
        """
        self.exact.put(body, joint, placement)
        self.kernel.put(body, placement, joint)

    def pair_up(self, pairs: NDArray[np.int64]) -> None:
        """Check pairs (p, 2) of bodies from now on, all of them, with the least margin.

        The first have to be those of the geometry model.
        """
        self.pairs = pairs
        self.kernel.pair_up(pairs)
        self.set_margins(np.full(len(pairs), TOUCHING))

    def activate(self, active: NDArray[np.bool_]) -> None:
        """Check only some pairs, of (p,)."""
        self.kernel.active = active

    def set_margins(self, margins: Array) -> None:
        """Let pairs count as in contact when they are nearer than their margins (p,) [m]."""
        self.margins = margins
        self.kernel.set_margins(margins)

    def is_free(self, q: Array) -> bool:
        """Whether positions q (nq,) are free of contact."""
        self.checks += 1
        return not self._touch(self.kernel.doubtful(q), q)

    def touching(self, q: Array) -> list[int]:
        """All pairs that are in contact at positions q (nq,)."""
        pairs = self.kernel.doubtful(q).tolist()
        if pairs:
            self.exact.place(q)
        return [pair for pair in pairs if self.near(pair)]

    def near(self, pair: int, more: float = 0.0) -> bool:
        """Whether a pair is in contact as placed, or not further from it than ``more`` [m]."""
        margin = float(self.margins[pair]) + more
        if pair < len(self.exact.pairs):
            return self.exact.touch(pair, margin)
        first, second = self.pairs[pair].tolist()
        return self.exact.are_near(first, second, margin)

    def overlapping(self, pairs: NDArray[np.int64], moved: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of some pairs (k,) whose boxes are nearer to each other than their margins, as placed.

        Args:
            pairs: Numbers of the pairs; one of the bodies of each is among those moved.
            moved: (m,) Numbers of bodies.
        """
        low, high = self.kernel.boxes()
        low[moved], high[moved] = self.exact.boxes(moved.tolist())
        first, second = self.pairs[pairs].T
        gaps = np.maximum(low[first] - high[second], low[second] - high[first])
        found: NDArray[np.int64] = pairs[(gaps <= self.margins[pairs][:, None]).all(axis=1)]
        return found

    def are_free(self, Q: Array) -> NDArray[np.bool_]:
        """(m,) Whether each of positions Q (m, nq) is free of contact."""
        free = np.ones(len(Q), dtype=bool)
        for state, pairs in self._doubts(Q):
            free[state] = not self._touch(pairs, Q[state])
        return free

    def first_not_free(self, Q: Array) -> int | None:
        """The number of the first of positions Q (m, nq) that is not free of contact; None if all are."""
        return next((state for state, pairs in self._doubts(Q) if self._touch(pairs, Q[state])), None)

    def edge_is_free(self, start: Array, end: Array) -> bool:
        """Whether the straight line between two configurations (nq,) is free, and its end with all margins.

        In between nothing is missed: bodies with a margin do not touch, others not by more than a millimetre.
        """
        if not self.is_free(end):
            return False
        one = self.kernel.doubtful_pieces(start, end, first=True)
        self.checks += self.kernel.blocks
        if not one:
            return True
        pair, middle, _ = one[0]
        if self._touch([pair], start + middle * (end - start)):
            return False
        pieces = self.kernel.doubtful_pieces(start, end)
        self.checks += self.kernel.blocks
        return all(self._piece_is_free(pair, middle, half, start, end) for pair, middle, half in pieces)

    def _doubts(self, Q: Array) -> Iterable[tuple[int, list[int]]]:
        """The states that are in doubt, in rising order, and the pairs that are."""
        for first in range(0, len(Q), LANES):
            self.checks += 1
            doubts: dict[int, list[int]] = {}
            for state, pair in self.kernel.doubtful_states(Q[first : first + LANES]):
                doubts.setdefault(first + state, []).append(pair)
            yield from sorted(doubts.items())

    def _piece_is_free(self, pair: int, middle: float, half: float, start: Array, end: Array) -> bool:
        """Whether a pair does not touch in a piece of an edge, by halves of it."""
        moves = self.kernel.rate(pair) * half - max(float(self.margins[pair]), ADVANCE)
        self.exact.place(start + middle * (end - start))
        if moves > 0 and not self.near(pair, moves):
            return True
        if self.near(pair):
            return False
        parts = () if moves <= 0 else (middle - half / 2, middle + half / 2)
        return all(self._piece_is_free(pair, part, half / 2, start, end) for part in parts)

    def _touch(self, pairs: Pairs, q: Array) -> bool:
        """Whether any of some pairs is in contact on the exact shapes, at positions q (nq,)."""
        if not len(pairs):
            return False
        self.exact.place(q)
        return any(self.near(pair) for pair in pairs)
