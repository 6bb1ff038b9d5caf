"""Exact answers about collisions: the kernel where it is certain, coal on the exact shapes where it is in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import coal
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from ..jit.simd import LANES
from .detached_bodies import doubtful_places
from .dynamic_scene import ADVANCE, Piece
from .exact import Exact
from .grids import Tables
from .kernel import Kernel
from .occupancy_body import OccupancyBody
from .solid import Skeleton, Solid

EXACT = (
    coal.Box,
    coal.Sphere,
    coal.Capsule,
    coal.Cylinder,
    coal.Cone,
    coal.ConvexBase,
    coal.BVHModelBase,
    coal.OcTree,
    OccupancyBody,
)
"""What the kernel knows as it is; of anything else it knows the box around it."""
TOUCHING = 1e-6  # [m] the least margin: without it coal overlooks a deep contact now and then


class Checker:
    """Tells which configurations and edges of a geometry model are free.

    Args:
        model: Joints of one coordinate each (``nq == nv``).
        geometry: Bodies and pairs.
        loose: Numbers of the bodies that may be put elsewhere.
        known: The first bodies as solids, if they are known.
        skeleton: That of the model, if it is known.
        tables: Of pairs of bodies that are not loose.
        data: Of the model, to place its joints with: see :class:`Exact`.
    """

    def __init__(
        self,
        model: pin.Model,
        geometry: pin.GeometryModel,
        loose: Sequence[int] = (),
        known: Sequence[Solid] = (),
        skeleton: Skeleton | None = None,
        tables: Tables | None = None,
        data: pin.Data | None = None,
    ) -> None:
        self._kernel = Kernel(model, geometry, loose, known, skeleton, tables)
        self.exact = Exact(model, geometry, data)
        self.checks = 0
        """How often one configuration, or sixteen at once, were looked at."""
        self._widened = False
        self.pair_up(self.exact.pairs)

    @property
    def kernel(self) -> Kernel:
        """The kernel, with the margins that were set last."""
        if self._widened:
            self._widened = False
            self._kernel.set_margins(self.margins)
        return self._kernel

    @property
    def joints(self) -> NDArray[np.int64]:
        """(b,) By body: what carries it; 0 for the world."""
        return self._kernel.joints

    @cached_property
    def rough(self) -> NDArray[np.bool_]:
        """(p,) Pairs with a body that may be smaller than what the kernel takes it for."""
        bodies = np.array([_is_rough(geometry) for geometry in self.exact.geometries], dtype=bool)
        rough: NDArray[np.bool_] = bodies[self.pairs[:, 0]] | bodies[self.pairs[:, 1]]
        return rough

    def add(self, geometries: Sequence[coal.CollisionGeometry], pieces: Sequence[Piece]) -> int:
        """Add loose bodies, without pairs: their exact shapes and what the kernel takes; the number of the first."""
        for geometry, piece in zip(geometries, pieces, strict=True):
            self.exact.add(geometry, piece.joint, piece.placement)
        return self.kernel.add(pieces)

    def add_occupancy_body(self, occupancy_body: OccupancyBody) -> int:
        """Add space as boxes, a body of the world without pairs; its number."""
        still = pin.SE3.Identity()
        self.exact.add(occupancy_body, 0, still)
        body = self.kernel.add([Piece(occupancy_body.solid, 0, still)])
        self.kernel.replace_boxes(body, occupancy_body)
        return body

    def replace_boxes(self, body: int, occupancy_body: OccupancyBody) -> None:
        """Give what was added as an occupancy body other boxes; its pairs stay."""
        self.exact.geometries[body] = occupancy_body
        self.kernel.replace_boxes(body, occupancy_body)

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
        self.__dict__.pop("rough", None)
        self._kernel.pair_up(pairs)
        self.margins = np.full(len(pairs), TOUCHING)
        self._widened = True

    def activate(self, active: NDArray[np.bool_]) -> None:
        """Check only some pairs, of (p,)."""
        self._kernel.active = active

    def set_margins(self, margins: Array) -> None:
        """Let pairs count as in contact when they are nearer than their margins (p,) [m]."""
        self._widened = self._widened or margins is not self.margins
        self.margins = margins

    def is_free(self, q: Array) -> bool:
        """Whether positions q (nq,) are free of contact."""
        return bool(self.first_touching(q[None])[0] < 0)

    def touching(self, q: Array, more: float = 0.0) -> list[int]:
        """All pairs that are in contact at positions q (nq,), or not further from it than ``more`` [m]."""
        return [pair for pair, touches in self._decided(q, more) if touches]

    def tight(self, q: Array) -> list[int]:
        """Pairs that the kernel does not know to be free of contact at positions q (nq,), although they are."""
        return [pair for pair, touches in self._decided(q) if not touches]

    def _decided(self, q: Array, more: float = 0.0) -> list[tuple[int, bool]]:
        """The pairs in doubt at positions q (nq,), and whether they are in contact or as near to it as ``more`` [m]."""
        pairs = self.kernel.doubtful(q, more)
        if pairs:
            self.exact.place(q)
        return [(pair, self.near(pair, more)) for pair in pairs]

    def near(self, pair: int, more: float = 0.0) -> bool:
        """Whether a pair is in contact as placed, or not further from it than ``more`` [m]."""
        first, second = self.pairs[pair].tolist()
        return self.exact.are_near(first, second, float(self.margins[pair]) + more)

    def are_free(self, Q: Array) -> NDArray[np.bool_]:
        """(m,) Whether each of positions Q (m, nq) is free of contact."""
        free: NDArray[np.bool_] = self.first_touching(Q) < 0
        return free

    def first_touching(self, Q: Array) -> NDArray[np.intp]:
        """(m,) Number of a pair that is in contact at each of positions Q (m, nq); -1 where none is."""
        found = np.full(len(Q), -1, dtype=np.intp)
        self.checks += -(-len(Q) // LANES)
        for state, pair in self.kernel.doubts(Q, first=True).tolist():
            self.exact.place(Q[state])
            if self.near(pair):
                found[state] = pair
            else:
                found[state] = next((other for other in self.kernel.doubtful(Q[state]) if self.near(other)), -1)
        return found

    def first_touching_at_poses(
        self, bodies: Sequence[int], pairs: NDArray[np.int64], q: Array, X_WC: Array, X: Array
    ) -> NDArray[np.intp]:
        """(m,) Number of a pair in contact where some bodies are moved together as if cut off; -1 where none is.

        Args:
            bodies: That move.
            pairs: (k,) Of one of them and one that stands still in the world, to be checked if they are active.
            q: (nq,) Positions for which the bodies stand to each other.
            X_WC: (4, 4) Where a frame that moves with them is there.
            X: (m, 4, 4) Where to put it.
        """
        pairs = pairs[self.kernel.active[pairs]]
        self.checks += -(-len(X) // LANES)
        found = np.full(len(X), -1, dtype=np.intp)
        doubts: dict[int, list[int]] = {}
        for place, pair in doubtful_places(self.kernel, bodies, pairs, q, X_WC, X):
            doubts.setdefault(place, []).append(pair)
        if doubts:
            self.exact.place(q)
            X_CW = pin.SE3(X_WC).inverse()
            for place, asked in doubts.items():
                self.exact.carry(bodies, pin.SE3(X[place]) * X_CW)
                found[place] = next((pair for pair in asked if self.near(pair)), -1)
        return found

    def first_not_free(self, Q: Array) -> int | None:
        """The number of the first of positions Q (m, nq) that is not free of contact; None if all are."""
        for begin in range(0, len(Q), LANES):
            touching = np.flatnonzero(self.first_touching(Q[begin : begin + LANES]) >= 0)
            if len(touching):
                return begin + int(touching[0])
        return None

    def touches(self, pair: int, q: Array) -> bool:
        """Whether a pair is in contact at positions q (nq,)."""
        self.exact.place(q)
        return self.near(pair)

    def edge_is_free(self, start: Array, end: Array) -> bool:
        """Whether the straight line between two configurations (nq,) is free, and its end with all margins.

        In between nothing is missed: bodies with a margin do not touch, others not by more than a millimetre.
        """
        one = self.kernel.doubtful_pieces(start, end, first=True)
        self.checks += self.kernel.blocks
        if not one:
            return True
        pair, middle, _ = one[0]
        if self.touches(pair, start + middle * (end - start)) or not self.is_free(end):
            return False
        pieces = self.kernel.doubtful_pieces(start, end)
        self.checks += self.kernel.blocks
        return all(self._piece_is_free(pair, middle, half, start, end) for pair, middle, half in pieces)

    def _piece_is_free(self, pair: int, middle: float, half: float, start: Array, end: Array) -> bool:
        """Whether a pair does not touch in a piece of an edge, by halves of it."""
        moves = self.kernel.rate(pair) * half - max(float(self.margins[pair]), ADVANCE)
        self.exact.place(start + middle * (end - start))
        if moves > 0 and not self.near(pair, moves):
            return True
        if self.near(pair):
            return False
        parts = () if moves <= 0 else (middle - half / 2, middle + half / 2)
        return all(self._piece_is_free(pair, part, half / 2, start, end) for part in parts if part < 1.0)


def _is_rough(geometry: coal.CollisionGeometry | OccupancyBody) -> bool:
    """Whether a body may be smaller than what the kernel takes it for."""
    return not isinstance(geometry, EXACT)
