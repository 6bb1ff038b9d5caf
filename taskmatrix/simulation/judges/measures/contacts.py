"""Finds every contact of a run, and leaves out only what provably cannot have come into contact since it was checked.

Each pair of bodies keeps the distance at which it was last seen, and how far the two may have moved towards each other
since: the joints between them times their longest levers, and the motion of objects. As long as that is less than the
distance, the pair cannot touch, and is not looked at (conservative advancement, as in Mirtich, 1996).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from ..ground_truth import Record, Step
from .scene import FLOOR, Scene, joint_reach

CHUNK = 256  # steps whose motions are bounded at once
NEAR = 1e-5  # [m] below which the bodies themselves are checked, not their hulls' distance

Excuse = Callable[[int, str, str, float], bool]


def contacts(record: Record, excused: Excuse) -> Iterator[tuple[int, str, str]]:
    """Every contact that nothing excuses, in the order of time: index of the step in the record, and who touches whom.

    Args:
        record: All of it is checked.
        excused: Whether a contact is asked for, from the index of the step, the names of the two - links or objects;
            robot first - and how deep [m] they are in each other at most.
    """
    watch = _Watch(record)
    for begin in range(0, len(record.steps), CHUNK):
        watch.advance(begin)
        for k in range(begin, min(begin + CHUNK, len(record.steps))):
            step = record.steps[k]
            due = watch.due(k - begin, step)
            if not len(due):
                continue
            watch.scene.place(step.q, step.poses)
            distances = watch.scene.distances(due)
            for pair, distance in zip(due, distances, strict=True):
                if distance < NEAR:
                    first, second = watch.scene.names(pair)
                    if not excused(k, first, second, max(-distance, 0.0)) and watch.scene.touches(pair):
                        yield k, first, second
            watch.note(distances)


class _Watch:
    """Which pairs may have come into contact since they were last looked at."""

    def __init__(self, record: Record) -> None:
        self.scene = scene = Scene(record.robot, record.objects)
        self._record = record
        carried = {id for step in record.steps for id in step.held.values()}
        loose = np.array([*(id in carried for id in scene.objects), False])
        links = scene.pairs < len(record.robot.collision.geometryObjects)
        self._pairs = np.flatnonzero(links.any(axis=1) | loose[scene.owners].any(axis=1))  # others nobody asks about
        pairs, self._owners = scene.pairs[self._pairs], scene.owners[self._pairs]
        count = len(record.robot.collision.geometryObjects)
        self._reach = joint_reach(record.robot, [scene.reach_of(k) for k in range(count)], range(count))
        self._radius = np.zeros(len(scene.objects))
        for body in range(count, len(scene.bodies)):
            if scene.bodies[body] in scene.objects:
                owner = scene.objects.index(scene.bodies[body])
                self._radius[owner] = max(self._radius[owner], scene.reach_of(body))
        links = links[self._pairs]
        self._own = np.flatnonzero(links.all(axis=1))  # pairs of links
        self._between = ~links.any(axis=1)  # pairs of objects, or of an object and the floor
        first, second = self._reach[:, pairs[self._own, 0]], self._reach[:, pairs[self._own, 1]]
        one_side = (first > 0) != (second > 0)  # a joint that carries both does not move one towards the other
        self._levers = np.where(one_side, np.maximum(first, second), 0.0)
        # columns of _moved: links, then objects, then one that never moves
        still = count + len(scene.objects)
        columns = np.where(links, pairs, np.where(self._owners >= 0, count + self._owners, still))
        self._first, self._second = columns[:, 0], columns[:, 1]
        self._known: dict[str, Array] = {}  # last poses of the objects; what is absent keeps its last
        self._seen = np.full(len(pairs), -1.0)  # [m] distance when last looked at; at first everything is due
        self._since = np.zeros(len(pairs))  # [m] moved until then
        self._totals: Array = np.zeros((1, len(pairs)))  # [m] moved until each step of the chunk
        self._row = 0
        self._due: Sequence[int] | NDArray[np.intp] = ()
        self._step: Step | None = None
        self._present: tuple[list[bool], list[bool]] | None = None

    def advance(self, begin: int) -> None:
        """Bound how far pairs may approach each other in the steps of a chunk."""
        before = self._totals[self._row]
        steps = self._record.steps[max(begin - 1, 0) : begin + CHUNK]
        robot = self._record.robot
        full = np.array([robot.expand(step.q) for step in steps])
        dq = np.abs(np.diff(full, axis=0, prepend=full[:1]))
        moved = np.concatenate([dq @ self._reach, self._objects_moved(steps), np.zeros((len(steps), 1))], axis=1)
        if begin:
            moved, dq = moved[1:], dq[1:]
        ways = np.cumsum(moved, axis=0)
        totals = ways.take(self._first, axis=1)
        totals += ways.take(self._second, axis=1)
        totals[:, self._own] = np.cumsum(dq @ self._levers, axis=0)
        totals += before
        self._totals = totals

    def due(self, row: int, step: Step) -> Sequence[int]:
        """Indices of the pairs to look at in a step of the chunk."""
        self._row, self._due = row, ()
        last, self._step = self._step, step
        if last is None or step.poses is not last.poses or step.held is not last.held:
            self._ask(step)
        elif step.q is last.q:
            return ()
        self._due = np.flatnonzero((self._totals[row] - self._since > self._seen) & self._asked)
        due: list[int] = self._pairs[self._due].tolist()
        return due

    def note(self, distances: Sequence[float]) -> None:
        """Keep the distances of the pairs that were due, below 0 inside each other."""
        self._seen[self._due] = np.maximum(np.maximum(distances, 0.0) - NEAR, 0.0)
        self._since[self._due] = self._totals[self._row, self._due]

    def _ask(self, step: Step) -> None:
        """Ask about the pairs of what is there, and of those between objects about what hands hold."""
        carried = set(step.held.values())
        present = [id in step.poses for id in self.scene.objects], [id in carried for id in self.scene.objects]
        if present != self._present:
            self._present = present
            there, held = np.array([*present[0], True]), np.array([*present[1], False])
            there, held = there[self._owners].all(axis=1), held[self._owners].any(axis=1)
            self._asked = there & (~self._between | held)

    def _objects_moved(self, steps: Sequence[Step]) -> Array:
        """(steps, objects) [m] By how much some point of an object may have moved since the step before."""
        moved = np.zeros((len(steps), len(self.scene.objects)))
        at: list[tuple[int, int]] = []
        changes: list[Array] = []
        for k, step in enumerate(steps):
            if k and step.poses is steps[k - 1].poses:
                continue
            for column, id in enumerate(self.scene.objects):
                X, before = step.poses.get(id), self._known.get(id)
                if X is None or X is before:
                    continue
                if before is not None:
                    at.append((k, column))
                    changes.append(X - before)
                self._known[id] = X
        if at:
            (rows, columns), change = np.array(at).T, np.array(changes)
            chords = np.linalg.norm(change[:, :3, :3], 2, axis=(1, 2))  # of the rotations, for a lever of 1 m
            moved[rows, columns] = np.linalg.norm(change[:, :3, 3], axis=1) + chords * self._radius[columns]
        return moved


def in_contact(scene: Scene, step: Step) -> set[tuple[str, str]]:
    """Every contact in one state, by looking at all pairs: what :func:`contacts` is tested against."""
    scene.place(step.q, step.poses)
    found = set()
    for pair, owners in enumerate(scene.owners):
        ids = [scene.objects[owner] for owner in owners if owner >= 0]
        names = scene.names(pair)
        links = any(name not in scene.objects and name != "floor" for name in names)
        checked = all(id in step.poses for id in ids) and (links or any(step.holders(id) for id in ids))
        if checked and scene.touches(pair):
            found.add(names)
    return found


def overlap(
    scene: Scene, q: Array, poses: Mapping[str, Array], ids: Collection[str], held: Collection[str] = ()
) -> float:
    """[m] How deep the hulls of the robot at q (n,), with what it holds, are in some other objects; below 0 apart."""
    scene.place(q, poses)
    deepest = -np.inf
    for pair, owners in enumerate(scene.owners):
        names = scene.names(pair)
        objects = [scene.objects[owner] for owner in owners if owner >= 0]
        carried = [name for name in names if name in held or (name not in scene.objects and name != FLOOR)]
        if carried and any(id in ids and id not in held for id in objects):
            deepest = max(deepest, -scene.distance(pair))
    return deepest


def apart(record: Record, first: str, second: str, every: int = 5) -> float | None:
    """[m] Between the hulls of two names, links or objects, where they came nearest; None if they are no such pair.

    Args:
        record: The run; all of it.
        first: A link, an object or the floor.
        second: Another.
        every: Steps between two looks.
    """
    scene = Scene(record.robot, record.objects)
    pairs = scene.pairs_of(first, second)
    nearest: float | None = None
    for step in (*record.steps[::every], record.end):
        if pairs and {first, second}.intersection(scene.objects) <= set(step.poses):
            scene.place(step.q, step.poses)
            distance = min(scene.distance(pair) for pair in pairs)
            nearest = distance if nearest is None else min(nearest, distance)
    return nearest
