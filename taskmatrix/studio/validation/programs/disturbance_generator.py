"""Draws disturbances that a state allows: what may happen to a robot between two behaviors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from taskmatrix.core.world.objects import Array
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.simulation.judges.measures.boxes import box, resting_on
from taskmatrix.simulation.judges.measures.contacts import overlap
from taskmatrix.simulation.judges.measures.scene import Scene

from .disturbance import DIGITS, Disturbance, Push, Put, Take
from .step_generator import Situation

DEEP = 0.008  # [m] into each other at most, what is brought into contact
AWAY = 1.0  # [m] from where something comes that is brought into contact
HALVINGS = 12  # of the way on which contact is looked for
ASIDE = 0.1  # of that way is the base pushed where nothing is on it


class DisturbanceGenerator:
    """Draws disturbances for one session.

    Args:
        now: The situation, as noted.
    """

    def __init__(self, now: Situation) -> None:
        session = now.session
        self._now, self._robot, self._models = now, session.robot, session.world.objects
        self._scene = Scene(self._robot, self._models)
        self._scripts = session.world.scripts

    def draw(self, random: np.random.Generator) -> tuple[Disturbance, ...]:
        """Draw one kind of disturbance, and do what it takes for it; nothing where there is nothing to do."""
        kinds = (self._taken, self._in_the_way, self._furniture, self._pushed)
        return tuple(kinds[int(random.integers(len(kinds)))](random))

    def _taken(self, random: np.random.Generator) -> Iterator[Disturbance]:
        ids = (*self._now.held, *self._now.free)
        if ids:
            yield Take(ids[int(random.integers(len(ids)))])

    def _in_the_way(self, random: np.random.Generator) -> Iterator[Disturbance]:
        """An object comes to a hand, from where that reaches to."""
        hands, q, poses = list(self._robot.hands), *self._truth()
        if not hands or not self._now.free:
            return
        id = self._now.free[int(random.integers(len(self._now.free)))]
        X_WH = hand_pose(self._robot, hands[int(random.integers(len(hands)))], q)
        X_WO = poses[id].copy()

        def at(share: float) -> dict[str, Array]:
            X = X_WO.copy()
            X[:3, 3] = X_WH[:3, 3] + (1.0 - share) * AWAY / 2 * X_WH[:3, 2]
            return {id: X}

        share = self._until_contact(lambda share: (q, at(share)), {id}, random)
        if share is not None:
            yield Put.at(id, at(share)[id])

    def _furniture(self, random: np.random.Generator) -> Iterator[Disturbance]:
        """A piece of furniture, with all that stands on it, is moved along the floor against the robot."""
        pieces = [id for id in self._now.pieces if id in self._now.there and id not in self._scripts]
        if not pieces:
            return
        id, (q, poses) = pieces[int(random.integers(len(pieces)))], self._truth()
        carried = [id, *self._carried(id, poses)]
        way = np.append(q[:2] - poses[id][:2, 3], 0.0)

        def at(share: float) -> dict[str, Array]:
            moved = {each: poses[each].copy() for each in carried}
            for X in moved.values():
                X[:3, 3] += share * way
            return moved

        share = self._until_contact(lambda share: (q, at(share)), set(carried), random)
        if share is not None:
            for each, X in at(share).items():
                yield Put.at(each, X)

    def _pushed(self, random: np.random.Generator) -> Iterator[Disturbance]:
        """The base is pushed somewhere, into contact if there is something."""
        (q, poses), angle = self._truth(), float(random.uniform(-np.pi, np.pi))
        way = np.round(AWAY * np.array([np.cos(angle), np.sin(angle), 0.0]), DIGITS)

        def at(share: float) -> tuple[Array, dict[str, Array]]:
            moved, carried = q.copy(), {id: poses[id].copy() for id in self._now.held}
            moved[:3] += share * way
            for X in carried.values():
                X[:2, 3] += share * way[:2]
            return moved, carried

        there = set(self._now.there)
        share = self._until_contact(at, there, random)
        if share is None and self._depth(*at(ASIDE), there) <= DEEP:
            share = ASIDE
        if share is not None:
            x, y, _ = np.round(share * way, DIGITS).tolist()
            yield Push((x, y, 0.0))

    def _until_contact(
        self, at: Callable[[float], tuple[Array, dict[str, Array]]], ids: set[str], random: np.random.Generator
    ) -> float | None:
        """The share of a way after which the robot, or what it holds, is in one of some objects by up to 8 mm."""
        deep = float(random.uniform(0.0, DEEP))

        def is_in(share: float) -> bool:
            return self._depth(*at(share), ids) > deep

        shares = np.linspace(0.0, 1.0, 41).tolist()
        first = next((k for k, share in enumerate(shares) if is_in(share)), 0)
        if first == 0:
            return None
        free, taken = shares[first - 1], shares[first]
        for _ in range(HALVINGS):
            middle = (free + taken) / 2
            free, taken = (free, middle) if is_in(middle) else (middle, taken)
        return float(free)

    def _depth(self, q: Array, moved: Mapping[str, Array], ids: set[str]) -> float:
        """[m] How deep the robot at q (n,), and what it holds, are in objects when some stand elsewhere."""
        return overlap(self._scene, q, {**self._truth()[1], **moved}, ids, self._now.held)

    def _carried(self, id: str, poses: dict[str, Array]) -> list[str]:
        """What stands on a piece of furniture, and is in no hand."""
        boxes = {each: box(self._models[each], X) for each, X in poses.items()}
        there = [each for each in boxes if each not in self._now.held and each != id]
        return [each for each in there if resting_on(boxes[each], boxes[id])]

    def _truth(self) -> tuple[Array, dict[str, Array]]:
        truth = self._now.session.plant.truth()
        return truth["q"], dict(truth["poses"])  # type: ignore[call-overload,return-value]
