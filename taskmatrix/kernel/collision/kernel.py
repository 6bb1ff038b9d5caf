"""The compiled collision checks of one geometry model."""

from __future__ import annotations

import math
from collections.abc import Sequence

import coal
import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.world.objects import Array

from ..jit.compiled import have_ready
from ..jit.simd import LANES
from .dynamic_scene import DynamicScene, Piece
from .edges import batch, states, whole_edge
from .grids import Tables
from .occupancy_body import OccupancyBody
from .poses import place
from .scene import BLOCKS, LEVELS, Scene, Work, fits, work_for
from .solid import Skeleton, Solid

LEAST = 0.02  # [m/rad] of a joint's displacement, so that none is free of cost


class Kernel:
    """Decides which configurations and edges are certainly free, and which pairs of bodies are in doubt elsewhere.

    Every body has the frame of its joint; loose ones have frames of their own in the world or in a hand, so that they
    can be put elsewhere. Pairs are those of the geometry model, until others are set.

    Args:
        model: Joints of one coordinate each (``nq == nv``).
        geometry: Bodies and pairs.
        loose: Numbers of the bodies that may be put elsewhere.
        known: The first bodies as solids, if they are known.
        skeleton: That of the model, if it is known.
        tables: Of pairs of bodies that are not loose.
    """

    active: NDArray[np.bool_]
    """(p,) Pairs that are checked; may be written."""

    def __init__(
        self,
        model: pin.Model,
        geometry: pin.GeometryModel,
        loose: Sequence[int] = (),
        known: Sequence[Solid] = (),
        skeleton: Skeleton | None = None,
        tables: Tables | None = None,
    ) -> None:
        have_ready()
        self._model = model
        self._skeleton = skeleton or Skeleton.of(model)
        self._stage = DynamicScene(model, self._skeleton, tables)
        bodies = list(geometry.geometryObjects)
        solids = [*known, *(Solid.of(body.geometry) for body in bodies[len(known) :])]
        boxed = [isinstance(body.geometry, coal.OcTree) for body in bodies]  # boxes lie along the axes of their frame
        self._stage.add(
            [
                Piece(solid, body.parentJoint, body.placement, tree or number in loose)
                for number, (body, solid, tree) in enumerate(zip(bodies, solids, boxed, strict=True))
            ]
        )
        self._work = work_for(self.scene)
        self._found = np.zeros((512, 2), dtype=np.int64)
        pairs = [(pair.first, pair.second) for pair in geometry.collisionPairs]
        self.pair_up(np.array(pairs, dtype=np.int64).reshape(-1, 2))

    @property
    def scene(self) -> Scene:
        """What the compiled functions take."""
        return self._stage.scene

    @property
    def joints(self) -> NDArray[np.int64]:
        """(b,) By body: what carries it; 0 for the world."""
        return self._stage.joints

    def boxes(self) -> tuple[Array, Array]:
        """(b, 3), (b, 3) [m] Corners of boxes along the world's axes that hold bodies; all space for carried ones."""
        return self._stage.boxes()

    def add(self, pieces: Sequence[Piece]) -> int:
        """Add bodies, without pairs; returns the number of the first."""
        first = self._stage.add(pieces)
        self._fit()
        return first

    def replace_boxes(self, body: int, occupancy_body: OccupancyBody) -> None:
        """Give a loose body in the world other boxes; it has to stand for occupied space."""
        self._stage.replace_boxes(body, occupancy_body)

    def put(self, body: int, placement: pin.SE3, joint: int | None = None) -> None:
        """Put a loose body elsewhere.

        Args:
            body: Its number.
            placement: Of the body in its joint's frame; in the world, if that is joint 0.
            joint: That carries it from now on, if that is another; its pairs have to be set again then.
        """
        self._stage.put(body, int(self._stage.joints[body]) if joint is None else joint, placement)

    def pair_up(self, pairs: NDArray[np.int64]) -> None:
        """Check pairs (p, 2) of bodies from now on, all of them, without margins."""
        self._stage.pair_up(pairs)
        self.active = np.ones(len(pairs), dtype=bool)
        self._fit()

    def set_margins(self, margins: Array) -> None:
        """Let pairs count as in contact when they are nearer than their margins (p,) [m].

        Between the middles of the pieces of an edge they may come nearer than that, but not into each other; pairs with
        a margin of less than a millimetre by a millimetre.
        """
        self._stage.set_margins(margins)

    def doubtful(self, q: Array, more: float = 0.0) -> list[int]:
        """(m,) Numbers of the pairs that may be nearer than their margins at positions q (nq,); all others are not.

        With ``more`` [m] margins are wider by it.
        """
        self._expect(q)
        count = self._states(q[None], more=more)
        return [int(pair) for pair in self._work.doubts[:count, 0]]

    def doubts(self, Q: Array, first: bool = False) -> NDArray[np.int64]:
        """(k, 2) State and pair of those that may be nearer than their margins at positions Q (m, nq); states rise.

        Args:
            Q: Positions.
            first: Whether one pair of each state will do.
        """
        self._expect(Q)
        Q = np.require(Q, np.float64, ["C", "W"])
        while True:
            work = self.work(min(len(self._found), LANES * len(self.scene.pairs)))
            count = batch(self.scene, work, self.active, Q, self._skeleton.coordinates, first, self._found)
            if count <= len(self._found):
                found = self._found[:count]
                return found[np.argsort(found[:, 0], kind="stable")]
            self._found = np.zeros((2 * count, 2), dtype=np.int64)

    def separations(self, Q: Array, most: float) -> Array:
        """(m,) [m] How far apart the only active pair is at least at up to sixteen positions (m, nq); or ``most``."""
        (pair,) = np.flatnonzero(self.active)
        self.scene.margins[pair, 0] = self.scene.surroundings.widest[0] = most
        count = self._states(Q, finest=LEVELS)
        apart = np.full(len(Q), most)
        lanes = self._work.doubts[:count, 1].astype(np.intp)
        apart[lanes] = self._work.separation[lanes]
        return apart

    def doubtful_pieces(self, start: Array, end: Array, first: bool = False) -> list[tuple[int, float, float]]:
        """Pieces of an edge in which a pair may be too near: pair, the piece's middle and half its length, from 0 to 1.

        Args:
            start: (nq,) Positions.
            end: (nq,) Positions.
            first: Whether the first will do.
        """
        self._expect(start)
        self._expect(end)
        count = whole_edge(self.scene, self._work, self.active, self._values(start), self._values(end - start), first)
        if count > len(self._work.doubts):
            self._work = work_for(self.scene, 2 * count)
            return self.doubtful_pieces(start, end, first)
        return [(int(pair), float(middle), float(half)) for pair, middle, half in self._work.doubts[:count]]

    def displacement(self) -> Array:
        """(nq,) [m/rad, m/m] How far any point of the robot, or of what it holds, moves at most with each joint."""
        furthest = np.zeros(self._model.nq)
        furthest[self._skeleton.coordinates] = self.scene.reach[:, 1 : self._model.njoints].max(axis=0)
        return np.maximum(furthest, LEAST)

    def frames(self, q: Array) -> Array:
        """(f, 12) The frames in the world at positions q (nq,): columns of the rotation, then the translation [m]."""
        self._expect(q)
        count = len(self.scene.parent)
        self._work.values.reshape(-1, LANES)[:count, 0] = self._values(q)
        self._work.used_frames[:] = True
        self._work.used_bodies[:] = False
        place(self.scene, self._work)
        return self._work.poses.reshape(-1, 12, LANES)[:count, :, 0].astype(float)

    def work(self, doubts: int = 0) -> Work:
        """Memory for compiled functions, with room for so many doubts at least."""
        if doubts > len(self._work.doubts):
            self._work = work_for(self.scene, doubts)
        return self._work

    def rate(self, pair: int) -> float:
        """[m] How far the bodies of a pair move relative to each other at most along the edge looked at last."""
        return float(self._work.rates[pair])

    @property
    def model(self) -> pin.Model:
        """The Pinocchio model whose joints carry the bodies."""
        return self._model

    def coordinate(self, frame: int) -> int:
        """Index in a configuration of the joint that a frame belongs to."""
        return int(self._skeleton.coordinates[frame - 1])

    @property
    def blocks(self) -> int:
        """How often sixteen configurations were looked at for the answer before."""
        return int(self._work.counts[BLOCKS])

    def frame_values(self, q: Array) -> Array:
        """(f, ...) What positions (nq, ...), or changes of them, are by frame; zero for those that do not move."""
        values = np.zeros((len(self.scene.parent), *q.shape[1:]))
        values[1 : self._model.njoints] = q[self._skeleton.coordinates]
        return values

    def _expect(self, q: Array) -> None:
        """Raise a ParameterError where positions (..., nq) are not as many, or no numbers: nothing could be said."""
        if q.shape[-1:] != (self._model.nq,):
            raise ParameterError(f"joint positions must be {self._model.nq} numbers, not an array of shape {q.shape}")
        if not math.isfinite(np.vdot(q, q)) and not np.isfinite(q).all():
            joints = _names(self._model, np.flatnonzero(~np.isfinite(q.reshape(-1, q.shape[-1])).all(axis=0)))
            raise ParameterError(f"joint positions must be finite numbers; those of {joints} are not")

    def _fit(self) -> None:
        if not fits(self._work, self.scene):
            self._work = work_for(self.scene, len(self._work.doubts))

    def _values(self, q: Array) -> NDArray[np.float32]:
        return self.frame_values(q).astype(np.float32)

    def _put(self, Q: Array) -> None:
        values = self._work.values.reshape(-1, LANES)
        values[1 : self._model.njoints, : len(Q)] = Q[:, self._skeleton.coordinates].T

    def _states(self, Q: Array, more: float = 0.0, finest: int = LEVELS - 1) -> int:
        self._put(Q)
        count = states(self.scene, self._work, self.active, more, (1 << len(Q)) - 1, False, finest)
        if count > len(self._work.doubts):
            self._work = work_for(self.scene, 2 * count)
            return self._states(Q, more, finest)
        return count


def _names(model: pin.Model, places: NDArray[np.intp]) -> str:
    """The joints with some coordinates."""
    wrong = set(places.tolist())
    return ", ".join(f"'{model.names[k]}'" for k in range(1, model.njoints) if model.joints[k].idx_q in wrong)
