"""A way of a base among furniture: a search over places and headings, where straight lines do not lead there."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from math import cos, pi, sin

import numpy as np

from taskmatrix.core.world.objects import Array

ROLL = 0.15  # [m] of one move
CELL = 0.1  # [m] places that are nearer count as the same
TURN = pi / 8  # [rad] of one move
TURNING = 0.25  # [m] of a way to which turning by a radian is equal
BACKWARDS = 1.5  # times as dear as ahead
SIDEWAYS = 2.0  # the same
NEAR = 1.2  # [m] from its end, by the floor, it is tried to go there at once


@dataclass(frozen=True, order=True)
class _Node:
    """A place that may be come to."""

    rank: float
    """[m] What the way so far costs, and eagerly what is left."""
    number: int
    """In the order in which they were found."""
    cost: float = field(compare=False)
    """[m] Of the way so far."""
    place: Array = field(compare=False)
    """(3,) [m, m, rad]"""
    before: _Node | None = field(compare=False)
    """From where."""

    @property
    def way(self) -> list[Array]:
        """(3,) each: the places up to this one."""
        way, node = list[Array](), self
        while node.before is not None:
            way.append(node.place)
            node = node.before
        return [node.place, *reversed(way)]


def lattice_way(
    start: Array,
    edge_is_free: Callable[[Array, Array], bool],
    remaining: Callable[[float, float], float],
    last_way: Callable[[Array], Array | None],
    lower: Array,
    upper: Array,
    most: int,
    slides: bool,
    eager: float,
) -> Array | None:
    """(m, 3) Places and headings of a base from a start to an end, with free straight lines between them.

    A state lattice (Pivtoraiko, Knepper and Kelly, 2009) of moves ahead, back, to both sides and on the spot, searched
    by weighted A*, with a line checked only when the search comes to its end (lazily; Cohen, Phillips and Likhachev,
    2014).

    Args:
        start: (3,) [m, m, rad]
        edge_is_free: Whether the base may go straight from a place (3,) to another.
        remaining: [m] What it costs at least from x, y to the end, infinite where no way leads.
        last_way: From a place (3,) near the end to the corners (k, 3) of a free way from there to it, or None.
        lower: (3,) Limits.
        upper: (3,)
        most: Lines that are checked at most.
        slides: Whether the base may go sideways.
        eager: How much more the rest of a way counts than it costs: the more, the sooner one is found, and the longer.
    """

    def cell(place: Array) -> tuple[int, ...]:
        return tuple(np.round((place - start) / (CELL, CELL, TURN)).astype(int).tolist())

    moves = _moves(slides)
    queue, found, checks = [_Node(0.0, 0, 0.0, start, None)], 1, 0
    been = set[tuple[int, ...]]()
    while queue and checks < most:
        node = heapq.heappop(queue)
        here = node.place
        if cell(here) in been:
            continue
        if node.before is not None:
            checks += 1
            if not edge_is_free(node.before.place, here):
                continue
        been.add(cell(here))
        if remaining(here[0], here[1]) <= NEAR:
            checks += 1
            last = last_way(here)
            if last is not None:
                return np.vstack([*node.way, last[1:]])
        c, s = cos(here[2]), sin(here[2])
        for ahead, beside, turn, price in moves:
            place = here + np.array([c * ahead - s * beside, s * ahead + c * beside, turn])
            left = remaining(place[0], place[1])
            if left < np.inf and cell(place) not in been and (lower <= place).all() and (place <= upper).all():
                cost = node.cost + price
                heapq.heappush(queue, _Node(cost + eager * left, found, cost, place, node))
                found += 1
    return None


def _moves(slides: bool) -> list[tuple[float, float, float, float]]:
    """[m], [m], [rad] ahead, to the left and turned, and the price [m] of each move."""
    moves = [(ROLL, 0.0, 0.0, ROLL), (-ROLL, 0.0, 0.0, BACKWARDS * ROLL)]
    moves += [(0.0, 0.0, turn, TURNING * TURN) for turn in (TURN, -TURN)]
    if slides:
        moves += [(0.0, side, 0.0, SIDEWAYS * ROLL) for side in (ROLL, -ROLL)]
    return moves
