"""Which pairs of bodies are checked: the robot with itself, with the floor and with objects, what it holds with all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from ..tolerances import FINE_SELF_MARGIN

NEIGHBOURS = 3  # joints or fewer between two bodies of the robot

Numbers = NDArray[np.int64]


class Pairing:
    """The pairs of a world, in an order that depends on what there is now, and not on what there was before.

    First come the pairs of the robot, then it with the floor, then one of its bodies after the other with all shapes,
    then what it holds with the floor and all other shapes. The robot's bodies have the first numbers, and the floor the
    next.

    Args:
        robot: Whose bodies.
    """

    pairs: Numbers
    """(p, 2) Numbers of bodies."""

    def __init__(self, robot: Robot) -> None:
        bodies = robot.collision.geometryObjects
        self.links = [robot.model.frames[body.parentFrame].name for body in bodies]
        """By body of the robot: the name of its link."""
        self.floor = len(bodies)
        """The floor's number."""
        joints = np.array([body.parentJoint for body in bodies], dtype=np.int64)
        self._movable = np.flatnonzero(joints > 0)
        soles = np.isin(self.links, robot.floor_links)
        self._own = np.array([(pair.first, pair.second) for pair in robot.collision.collisionPairs], dtype=np.int64)
        self._own = self._own.reshape(-1, 2)
        standing = self._movable[~soles[self._movable]]
        self.of_floor = np.c_[standing, np.full(len(standing), self.floor)]
        """(k, 2) Pairs of the robot with the floor."""
        self._fixed = np.vstack([self._own, self.of_floor])
        self.moved_by = moved_by(robot)
        """(njoints, n_full) Which joints of the model move in the world with which full coordinates."""
        moved = self.moved_by[joints]
        between = np.count_nonzero(moved[self._own[:, 0]] != moved[self._own[:, 1]], axis=1)
        self._neighbours = (between <= NEIGHBOURS) | self._of_one_hand(robot, joints)
        self.arrange({}, np.zeros(self.floor + 1, dtype=np.int64))

    def _of_one_hand(self, robot: Robot, joints: Numbers) -> NDArray[np.bool_]:
        """(k,) Which of the robot's own pairs are parts of the same hand: fingers beside each other, say."""
        found = np.zeros(len(self._own), dtype=bool)
        for hand in robot.hands.values():
            part = np.isin(self.links, hand.touch)
            if hand.fingers is not None:
                driven = robot.S[:, list(robot.indices(hand.fingers))].any(axis=1)
                part |= self.moved_by[joints][:, driven].any(axis=1)
            found |= part[self._own].all(axis=1)
        return found

    def arrange(self, objects: Mapping[str, Sequence[int]], joints: Numbers) -> None:
        """Take up other objects.

        Args:
            objects: Numbers of the shapes by id, in the order of the world.
            joints: (b,) By body: what carries it, 0 for the world.
        """
        self._order = np.array([number for numbers in objects.values() for number in numbers], dtype=np.int64)
        links = np.empty((len(self._order) * len(self._movable), 2), dtype=np.int64)
        links[:, 0] = np.repeat(self._movable, len(self._order))
        links[:, 1] = np.tile(self._order, len(self._movable))
        things = np.concatenate([[self.floor], self._order])
        carried = joints[things]
        held = np.flatnonzero(carried)
        blocks = [self._fixed, links]
        for count, place in enumerate(held.tolist()):
            apart = carried != carried[place]
            apart[held[:count]] = False  # these have met it already
            others = np.flatnonzero(apart)
            blocks.append(things[np.c_[np.minimum(others, place), np.maximum(others, place)]])
        self._held_from = len(self._fixed) + len(links)
        self._found: dict[object, Numbers] = {}  # asked for already, of this world
        self._changing: dict[bytes, NDArray[np.bool_]] = {}  # likewise
        self.pairs = np.concatenate(blocks)

    def margins(self, objects: float, own: float, least: float) -> Array:
        """(p,) [m] Margins of the pairs; neighbours and fingers of a hand are built close to each other, and it stands.

        Args:
            objects: [m] To objects.
            own: [m] Of the robot to itself.
            least: [m] Of any pair.
        """
        margins = np.full(len(self.pairs), max(objects, least))
        margins[: len(self._own)] = np.where(self._neighbours, max(own / 4, least), max(own, least))
        margins[len(self._own) : len(self._fixed)] = least
        margins[self._held_from :][self.pairs[self._held_from :, 0] == self.floor] = least
        return margins

    def nearness(self, near: float, least: float) -> Array:
        """(p,) [m] How far is near: to an object, and hardly anything between parts of the robot or to the floor.

        Args:
            near: [m] To objects.
            least: [m] To the floor.
        """
        second = self.pairs[:, 1]
        own = np.where(second == self.floor, least, min(near, FINE_SELF_MARGIN))
        return np.where(second > self.floor, near, own)

    def with_links(self, links: Iterable[str], shapes: Sequence[int]) -> Numbers:
        """Numbers of the pairs of some links with an object's shapes."""
        links, key = tuple(links), (tuple(links), tuple(shapes))
        if key not in self._found:
            self._found[key] = self._with_links(links, shapes)
        return self._found[key]

    def _with_links(self, links: Sequence[str], shapes: Sequence[int]) -> Numbers:
        chosen = np.flatnonzero(np.isin([self.links[body] for body in self._movable], list(links)))
        places = np.flatnonzero(np.isin(self._order, shapes))
        return (len(self._fixed) + chosen[:, None] * len(self._order) + places).ravel()

    def with_floor(self, links: Iterable[str]) -> Numbers:
        """Numbers of the pairs of some links with the floor."""
        first = len(self._own)
        chosen = np.isin([self.links[body] for body in self._fixed[first:, 0]], list(links))
        return first + np.flatnonzero(chosen)

    def with_held(self, held: Sequence[int], others: Sequence[int]) -> Numbers:
        """Numbers of the pairs of the shapes of what is held with others."""
        one, two = np.isin(self.pairs[self._held_from :], held), np.isin(self.pairs[self._held_from :], others)
        return self._held_from + np.flatnonzero((one & two[:, ::-1]).any(axis=1))

    def changing(self, joints: Numbers, moving: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """(p,) Which pairs come nearer or further when full coordinates move.

        Args:
            joints: (b,) By body: what carries it, as when :meth:`arrange` was called.
            moving: (n_full,) Which coordinates.
        """
        key = moving.tobytes()
        if key not in self._changing:
            _, alike = np.unique(self.moved_by[:, moving], axis=0, return_inverse=True)
            moved = alike.reshape(-1)[joints]
            self._changing[key] = moved[self.pairs[:, 0]] != moved[self.pairs[:, 1]]
        return self._changing[key]


def moved_by(robot: Robot) -> NDArray[np.bool_]:
    """(njoints, n_full) Which joints of the model move in the world with which full coordinates."""
    model = robot.model
    moved = np.zeros((model.njoints, model.nv), dtype=bool)
    for joint in range(1, model.njoints):
        moved[joint] = moved[model.parents[joint]]
        moved[joint, model.joints[joint].idx_v] = True
    return moved
