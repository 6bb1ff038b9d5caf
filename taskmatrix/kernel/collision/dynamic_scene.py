"""A scene that changes: bodies are added, put elsewhere, taken up and put down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from .grids import Tables
from .hierarchy import Hierarchy, sorted_by_place
from .occupancy_body import OccupancyBody
from .scene import (
    BALL,
    CENTRE,
    CORNERS,
    FIRST,
    FIXED,
    FRAME,
    HALF,
    LEVELS,
    OF_BOX,
    PRISMATIC,
    ROUNDING,
    SWEPT,
    TREE,
    Scene,
    Surroundings,
)
from .solid import Skeleton, Solid, flat

ADVANCE = 1e-3  # [m] deepest penetration that may be missed between the middles of the pieces of an edge
LONGEST_STROKE = 100.0  # [m] of a sliding joint without limits


@dataclass(frozen=True, eq=False)
class Piece:
    """A body that is to be added."""

    solid: Solid
    """Its shape."""
    joint: int
    """That carries it; 0 for the world."""
    placement: pin.SE3
    """In the frame of that joint."""
    loose: bool = True
    """Whether it may be put elsewhere."""


class DynamicScene:
    """Bodies on the joints of a model, and the pairs of them that are checked.

    A body that may not be put elsewhere has the frame of its joint; a loose one has a frame of its own, which is in the
    world or on any joint. To change one thing costs what that thing costs, not what the whole scene does.

    Args:
        model: Joints of one coordinate each (``nq == nv``).
        skeleton: That of the model.
        tables: Of pairs of bodies that may not be put elsewhere; they hold whatever the numbers of the pairs are.
    """

    scene: Scene
    """Its arrays are replaced when bodies are added and pairs are set, and written to when bodies are put elsewhere."""

    def __init__(self, model: pin.Model, skeleton: Skeleton, tables: Tables | None = None) -> None:
        self._skeleton, self._joints = skeleton, model.njoints
        self._tables = tables = tables or Tables.empty()
        self._links = _links(model, skeleton)
        self.joints = np.zeros(0, dtype=np.int64)
        self._rooms: dict[int, tuple[int, int, int]] = {}
        self._margins: Array = np.zeros(0)
        self._low, self._high = np.zeros((2, 0, 3))  # what boxes() says, but for what changed since
        self._changed = set[int]()
        self.scene = Scene(
            skeleton.parent,
            skeleton.kind,
            skeleton.placement.astype(np.float32),
            np.zeros((0, 5 + LEVELS), dtype=np.int64),
            np.zeros((0, SWEPT + LEVELS), dtype=np.float32),
            np.zeros((0, 3), dtype=np.float32),
            np.zeros((0, 7), dtype=np.float32),
            np.zeros(0, dtype=np.int64),
            np.zeros(0, dtype=np.int64),
            np.zeros((0, model.njoints), dtype=np.float32),
            np.zeros((0, 2), dtype=np.int64),
            np.zeros(0, dtype=np.int64),
            np.zeros((0, 2), dtype=np.float32),
            _nothing_around(),
            np.zeros(0, dtype=np.int64),
            tables.grids,
            tables.cells.astype(np.float32),
            tables.clear,
        )

    def add(self, pieces: Sequence[Piece]) -> int:
        """Add bodies, without pairs; returns the number of the first."""
        scene, first, loose = self.scene, len(self.scene.bodies), sum(piece.loose for piece in pieces)
        table = np.zeros((len(pieces), 5 + LEVELS), dtype=np.int64)
        frame, size, node = len(scene.parent), len(scene.points), len(scene.nodes)
        solids, corners, after = [self._resting(piece) for piece in pieces], [scene.corners], list[NDArray[np.int64]]()
        for row, piece, solid in zip(table, pieces, solids, strict=True):
            row[FRAME] = frame if piece.loose else piece.joint
            row[FIRST : FIRST + LEVELS + 1] = size + solid.firsts
            tree, begin = solid.tree, size + solid.firsts[-1]
            row[TREE : CORNERS + 1] = node, node + len(tree.nodes), solid.corners
            corners.append(begin + solid.corners * tree.part)
            after.append(node + tree.after)
            frame, size, node = frame + piece.loose, size + len(solid.points), node + len(tree.nodes)
        self._low, self._high = (np.vstack([corner, np.zeros((len(pieces), 3))]) for corner in (self._low, self._high))
        self._changed.update(range(first, first + len(pieces)))
        self.joints = np.concatenate([self.joints, [piece.joint for piece in pieces]]).astype(np.int64)
        self.scene = scene._replace(
            parent=np.concatenate([scene.parent, np.zeros(loose, dtype=np.int64)]),
            kind=np.concatenate([scene.kind, np.full(loose, FIXED)]),
            placement=np.vstack([scene.placement, np.zeros((loose, 12), dtype=np.float32)]),
            bodies=np.vstack([scene.bodies, table]),
            sizes=np.vstack([scene.sizes, *(solid.sizes for solid in solids)]).astype(np.float32),
            points=np.asfortranarray(  # see extreme() of gjk.py
                np.vstack([scene.points, *(solid.points for solid in solids)]), dtype=np.float32
            ),
            nodes=np.vstack([scene.nodes, *(solid.tree.nodes for solid in solids)]),
            corners=np.concatenate(corners),
            after=np.concatenate([scene.after, *after]),
            reach=np.vstack([scene.reach, np.zeros((len(pieces), self._joints), dtype=np.float32)]),
        )
        for body, piece in enumerate(pieces, first):
            if piece.loose:
                self.put(body, piece.joint, piece.placement)
            else:
                self._measure_reach(body)
        return first

    def replace_boxes(self, body: int, occupancy_body: OccupancyBody) -> None:
        """Give a loose body in the world other boxes: it stands for occupied space.

        The boxes are written over the old ones; where there is no room for them, they get twice as much as they need.
        """
        solid, tree = occupancy_body.solid, occupancy_body.solid.tree
        count, size = len(tree.nodes), len(solid.points)
        node, point, room = self._rooms.get(body, (0, 0, 0))
        if count > room:
            scene, room = self.scene, 2 * count
            node, point = len(scene.nodes), len(scene.points)
            self.scene = scene._replace(
                nodes=np.vstack([scene.nodes, np.zeros((room, 7), dtype=np.float32)]),
                after=np.concatenate([scene.after, np.zeros(room, dtype=np.int64)]),
                corners=np.concatenate([scene.corners, np.zeros(room, dtype=np.int64)]),
                points=np.asfortranarray(np.vstack([scene.points, np.zeros((2 * size, 3), dtype=np.float32)])),
            )
            self._rooms[body] = node, point, room
        scene = self.scene
        scene.nodes[node : node + count] = tree.nodes
        scene.after[node : node + count] = tree.after + node
        scene.corners[node : node + count] = point + solid.firsts[-1] + solid.corners * tree.part
        scene.points[point : point + size] = solid.points
        scene.sizes[body] = solid.sizes
        scene.bodies[body, FIRST : FIRST + LEVELS + 1] = point + solid.firsts
        scene.bodies[body, TREE : CORNERS + 1] = node, node + count, solid.corners
        self._changed.add(body)
        scene.surroundings.stale[0] = True

    def put(self, body: int, joint: int, placement: pin.SE3) -> None:
        """Put a loose body elsewhere.

        Args:
            body: Its number.
            joint: That carries it from now on; 0 for the world.
            placement: Of the body in that joint's frame.

        Raises:
            ValueError: The body is not loose.
        """
        scene, frame = self.scene, int(self.scene.bodies[body, FRAME])
        if frame < self._joints:
            raise ValueError(f"body {body} is fixed to joint {frame} and cannot be put elsewhere")
        R, p = placement.rotation, placement.translation
        if joint:
            turn = self._skeleton.turns[joint]
            R, p = turn.T @ R, turn.T @ p
        scene.placement[frame] = flat(R, p)
        self._changed.add(body)
        scene.surroundings.stale[0] = True
        if joint or scene.parent[frame]:
            scene.parent[frame] = self.joints[body] = joint
            scene.reach[body] = 0.0
            self._measure_reach(body)

    def pair_up(self, pairs: NDArray[np.int64]) -> None:
        """Check pairs (p, 2) of bodies from now on, without margins.

        Those that a body was in before are not kept up to date when another joint carries it: pair up again then.
        """
        first, second = self.joints[pairs[:, 0]], self.joints[pairs[:, 1]]
        frames, boxes = self.scene.bodies[:, FRAME], self.scene.bodies[:, CORNERS] == OF_BOX
        swap = np.flatnonzero(~boxes[pairs[:, 1]] & ((first == 0) | boxes[pairs[:, 0]]))  # boxes, and what stands still
        ordered = pairs.copy()
        ordered[swap] = pairs[swap, ::-1]
        carriers, both = np.zeros(len(pairs), dtype=np.int64), np.flatnonzero((first > 0) & (second > 0))
        alone, other = frames[pairs[both]].T
        carriers[both] = np.where(alone == other, alone, self._skeleton.carrier[first[both], second[both]])
        margins = np.empty((len(pairs), 2), dtype=np.float32)
        margins[:, 0], margins[:, 1] = 0.0, ADVANCE
        self._margins = np.zeros(len(pairs))
        tabled = self._tables.numbers(ordered)
        self.scene = self.scene._replace(
            pairs=ordered, carriers=carriers, margins=margins, surroundings=self._surroundings(pairs), tabled=tabled
        )

    def set_margins(self, margins: Array) -> None:
        """Give all pairs margins (p,) [m]; between the middles of pieces of an edge as much of them may be missed."""
        changed = np.flatnonzero(margins != self._margins)
        self._margins = margins
        self.scene.margins[changed, 0] = margins[changed]
        self.scene.margins[changed, 1] = np.maximum(margins[changed], ADVANCE)
        self.scene.surroundings.widest[0] = margins.max(initial=0.0)

    def _surroundings(self, pairs: NDArray[np.int64]) -> Surroundings:
        """The tree over loose bodies that stand in the world and have pairs (p, 2) with bodies that move."""
        stands = (self.scene.bodies[:, FRAME] >= self._joints) & (self.joints == 0)
        first, second = pairs.T
        turned = stands[first]
        thing, mover = np.where(turned, first, second), np.where(turned, second, first)
        numbers = np.flatnonzero(stands[thing] & (self.joints > 0)[mover])
        moving, rows = _numbered(mover[numbers], len(stands))
        still, columns = _numbered(thing[numbers], len(stands))
        others = np.ones(len(pairs), dtype=bool)
        others[numbers] = False
        other = np.flatnonzero(others)
        low, high = (corner[still].astype(np.float32) for corner in self.boxes())
        order = sorted_by_place(low, high)
        tree = Hierarchy.over(low[order], high[order])
        table = np.full((len(moving), len(still)), -1, dtype=np.int64)
        table[rows, columns] = numbers
        return Surroundings(
            still,
            tree.nodes,
            tree.after,
            order[tree.part],
            moving,
            table,
            other,
            np.union1d(moving, pairs[other]),
            np.zeros(1, dtype=np.float32),
            np.ones(1, dtype=bool),
        )

    def boxes(self) -> tuple[Array, Array]:
        """(b, 3), (b, 3) [m] Corners of boxes along the world's axes that hold bodies; all space for carried ones."""
        if self._changed:
            bodies = np.array(list(self._changed))
            X, sizes = self.scene.placement[self.scene.bodies[bodies, FRAME]].astype(float), self.scene.sizes[bodies]
            R = X[:, :9].reshape(-1, 3, 3)  # of columns
            centre = X[:, 9:] + np.einsum("bki,bk->bi", R, sizes[:, CENTRE:BALL])
            half = np.einsum("bki,bk->bi", np.abs(R), sizes[:, HALF:SWEPT])
            half[self.joints[bodies] > 0] = np.inf
            self._low[bodies], self._high[bodies] = centre - half, centre + half
            self._changed.clear()
        return self._low.copy(), self._high.copy()

    def _resting(self, piece: Piece) -> Solid:
        """The solid in the frame that the body has."""
        if piece.loose:
            return piece.solid
        turn = self._skeleton.turns[piece.joint]
        return piece.solid.placed(turn.T @ piece.placement.rotation, turn.T @ piece.placement.translation)

    def _measure_reach(self, body: int) -> None:
        """How far a body's points are from the axes of the joints that carry it, with the chain stretched out."""
        scene = self.scene
        frame, first, last = (int(scene.bodies[body, k]) for k in (FRAME, FIRST + LEVELS - 1, FIRST + LEVELS))
        points, swept = scene.points[first:last].astype(float), float(scene.sizes[body, SWEPT + LEVELS - 1])
        around = float(np.linalg.norm(points[:, :2], axis=1).max()) + swept
        far = float(np.linalg.norm(points, axis=1).max()) + swept
        if frame >= self._joints:
            offset = scene.placement[frame, 9:].astype(float)
            around, far = float(np.linalg.norm(offset[:2])) + far, float(np.linalg.norm(offset)) + far
            frame = int(scene.parent[frame])
        while frame:
            link = self._links[frame]
            scene.reach[body, frame] = 1.0 if link.slides else around + ROUNDING
            around, far, frame = link.offset + far + link.stroke, link.length + far + link.stroke, link.parent


def _numbered(bodies: NDArray[np.int64], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(k,) Which of so many bodies there are among (m,), and (m,) each one's place among them."""
    there = np.zeros(count, dtype=bool)
    there[bodies] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[bodies]


def _nothing_around() -> Surroundings:
    none, tree = np.zeros(0, dtype=np.int64), Hierarchy.over(*np.zeros((2, 0, 3), dtype=np.float32))
    table, widest, stale = np.zeros((0, 0), dtype=np.int64), np.zeros(1, dtype=np.float32), np.zeros(1, dtype=bool)
    return Surroundings(none, tree.nodes, tree.after, tree.part, none, table, none, none, widest, stale)


@dataclass(frozen=True)
class _Link:
    """What a joint adds to the reach of what is beyond it."""

    parent: int
    slides: bool
    stroke: float
    """[m]"""
    length: float
    """[m] From the parent's origin."""
    offset: float
    """[m] From the parent's axis."""


def _links(model: pin.Model, skeleton: Skeleton) -> list[_Link]:
    links = []
    for joint in range(model.njoints):
        slides, stroke = bool(skeleton.kind[joint] == PRISMATIC), 0.0
        if slides:
            index = model.joints[joint].idx_q
            limits = model.lowerPositionLimit[index], model.upperPositionLimit[index]
            stroke = min(float(np.abs(limits).max()), LONGEST_STROKE)
        p = skeleton.placement[joint, 9:]
        links.append(
            _Link(int(skeleton.parent[joint]), slides, stroke, float(np.linalg.norm(p)), float(np.linalg.norm(p[:2])))
        )
    return links
