"""Exact answers about collisions: the kernel where it is certain, coal on the exact shapes where it is in doubt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import coal
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.objects import Array
from taskmatrix.robots.geometry import checking_data

from .elsewhere import doubtful_places
from .grids import Tables
from .kernel import ADVANCE, Hulls, Kernel
from .lanes import LANES
from .skeleton import Skeleton

MANY = 4096  # configurations that are looked at in one go where all are asked for
Pairs = Sequence[int] | NDArray[np.intp]


class Checker:
    """Tells which configurations and edges of a geometry model are free.

    Args:
        model: Joints of one coordinate each (``nq == nv``).
        geometry: Bodies and pairs.
        loose: Numbers of the bodies that may be put elsewhere.
        known: Hulls of the first bodies, if they are known.
        skeleton: That of the model, if it is known.
        tables: Of pairs of bodies that are not loose.
    """

    def __init__(
        self,
        model: pin.Model,
        geometry: pin.GeometryModel,
        loose: Sequence[int] = (),
        known: Sequence[Hulls] = (),
        skeleton: Skeleton | None = None,
        tables: Tables | None = None,
    ) -> None:
        self._model, self._data = model, model.createData()
        self._geometry, self._geometry_data = geometry, checking_data(geometry)
        self._kernel = Kernel(model, geometry, loose, known, skeleton, tables)
        self.checks = 0
        """How often one configuration, or sixteen at once, were looked at."""

    @property
    def kernel(self) -> Kernel:
        """What is certain."""
        return self._kernel

    @cached_property
    def rough(self) -> NDArray[np.bool_]:
        """(p,) Pairs with a body that may be smaller than what the kernel takes it for."""
        exact = (coal.Box, coal.Sphere, coal.Capsule, coal.ConvexBase, coal.OcTree)
        bodies = [not isinstance(body.geometry, exact) for body in self._geometry.geometryObjects]
        rough: NDArray[np.bool_] = np.any(np.array(bodies, dtype=bool)[self._kernel.scene.pairs], axis=1)
        return rough

    @property
    def geometry_data(self) -> pin.GeometryData:
        """What coal works with: placements and requests."""
        return self._geometry_data

    def put(self, body: int, placement: pin.SE3) -> None:
        """Put a loose body elsewhere, in the frame of its joint, or in the world if that is joint 0."""
        self._geometry.geometryObjects[body].placement = placement
        self._kernel.put(body, placement)

    def activate(self, active: NDArray[np.bool_]) -> None:
        """Check only some pairs, of (p,)."""
        for pair in np.flatnonzero(active != self._kernel.active).tolist():
            self._geometry_data.activeCollisionPairs[pair] = bool(active[pair])
        self._kernel.active = active

    def set_margins(self, pairs: Sequence[int], margins: Sequence[float]) -> None:
        """Let pairs count as in contact when they are nearer than their margins [m]."""
        for pair, margin in zip(pairs, margins, strict=True):
            self._request(pair).security_margin = margin
        self._kernel.set_margins(pairs, margins)

    def is_free(self, q: Array) -> bool:
        """Whether positions q (nq,) are free of contact."""
        self.checks += 1
        return not self._touch(self._kernel.doubtful(q), q)

    def are_free(self, Q: Array) -> NDArray[np.bool_]:
        """(m,) Whether each of positions Q (m, nq) is free of contact."""
        free = np.ones(len(Q), dtype=bool)
        for state, pairs in self._doubts(Q, MANY):
            free[state] = not self._touch(pairs, Q[state])
        return free

    def first_touching(self, Q: Array) -> NDArray[np.intp]:
        """(m,) Number of a pair that is in contact at each of positions Q (m, nq); -1 where none is."""
        found = np.full(len(Q), -1, dtype=np.intp)
        self.checks += -(-len(Q) // LANES)
        for state, pair in self._kernel.suspects(Q):
            self._place(Q[state])
            if self._collide(pair):
                found[state] = pair
            else:
                found[state] = next((other for other in self._kernel.doubtful(Q[state]) if self._collide(other)), -1)
        return found

    def first_touching_elsewhere(
        self, bodies: Sequence[int], pairs: NDArray[np.intp], q: Array, X_WC: Array, X: Array
    ) -> NDArray[np.intp]:
        """(m,) Number of a pair in contact where some bodies are moved together as if cut off; -1 where none is.

        Args:
            bodies: That move.
            pairs: (k,) Of one of them and one that stands still in the world, to be checked if they are active.
            q: (nq,) Positions for which the bodies stand to each other.
            X_WC: (4, 4) Where a frame that moves with them is there.
            X: (m, 4, 4) Where to put it.
        """
        pairs = pairs[self._kernel.active[pairs]]
        self.checks += -(-len(X) // LANES)
        found = np.full(len(X), -1, dtype=np.intp)
        doubts: dict[int, list[int]] = {}
        for place, pair in doubtful_places(self._kernel, bodies, pairs, q, X_WC, X):
            doubts.setdefault(place, []).append(pair)
        if doubts:
            self._place(q)
            inverse, data = pin.SE3(X_WC).inverse(), self._geometry_data
            carried = {body: inverse * data.oMg[body] for body in bodies}
            for place, asked in doubts.items():
                X_WC_there = pin.SE3(X[place])
                for body, X_CB in carried.items():
                    data.oMg[body] = X_WC_there * X_CB
                found[place] = next((pair for pair in asked if self._collide(pair)), -1)
        return found

    def first_not_free(self, Q: Array) -> int | None:
        """The number of the first of positions Q (m, nq) that is not free of contact; None if all are."""
        return next((state for state, pairs in self._doubts(Q) if self._touch(pairs, Q[state])), None)

    def touches(self, pair: int, q: Array) -> bool:
        """Whether a pair is in contact at positions q (nq,)."""
        return self._touch([pair], q)

    def edge_is_free(self, start: Array, end: Array) -> bool:
        """Whether the straight line between two configurations (nq,) is free, and its end with all margins.

        In between nothing is missed: bodies with a margin do not touch, others not by more than a millimetre.
        """
        if not self.is_free(end):
            return False
        one = self._kernel.doubtful_pieces(start, end, first=True)
        self.checks += self._kernel.blocks
        if not one:
            return True
        pair, middle, _ = one[0]
        if self._touch([pair], start + middle * (end - start)):
            return False
        pieces = self._kernel.doubtful_pieces(start, end)
        self.checks += self._kernel.blocks
        return all(self._piece_is_free(pair, middle, half, start, end) for pair, middle, half in pieces)

    def _doubts(self, Q: Array, at_once: int = LANES) -> Iterable[tuple[int, NDArray[np.int64]]]:
        """The states that are in doubt, in rising order, and the pairs that are; looked at so many at once."""
        for first in range(0, len(Q), at_once):
            asked = Q[first : first + at_once]
            self.checks += -(-len(asked) // LANES)
            found = self._kernel.doubts(asked)
            if len(found):
                states, begins = np.unique(found[:, 0], return_index=True)
                yield from zip((first + states).tolist(), np.split(found[:, 1], begins[1:]), strict=True)

    def _piece_is_free(self, pair: int, middle: float, half: float, start: Array, end: Array) -> bool:
        """Whether a pair does not touch in a piece of an edge, by halves of it."""
        margin = self._request(pair).security_margin
        moves = self._kernel.rate(pair) * half - max(margin, ADVANCE)
        q = start + middle * (end - start)
        if moves > 0:
            self._request(pair).security_margin = margin + moves
            near = self._touch([pair], q)
            self._request(pair).security_margin = margin
            if not near:
                return True
        if self._touch([pair], q):
            return False
        parts = () if moves <= 0 else (middle - half / 2, middle + half / 2)
        return all(self._piece_is_free(pair, part, half / 2, start, end) for part in parts)

    def _request(self, pair: int) -> coal.CollisionRequest:
        return self._geometry_data.collisionRequests[pair]

    def _touch(self, pairs: Pairs, q: Array) -> bool:
        """Whether any of some pairs is in contact on the exact shapes, at positions q (nq,)."""
        if not len(pairs):
            return False
        self._place(q)
        return any(self._collide(pair) for pair in pairs)

    def _place(self, q: Array) -> None:
        pin.updateGeometryPlacements(self._model, self._data, self._geometry, self._geometry_data, q)

    def _collide(self, pair: int | np.integer[Any]) -> bool:
        return bool(pin.computeCollision(self._geometry, self._geometry_data, int(pair)))
