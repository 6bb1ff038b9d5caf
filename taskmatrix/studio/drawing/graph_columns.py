"""Long chains of boxes in columns side by side, so that one need not go down for long to see them."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]
Span = tuple[float, float, float]
"""[px] How far down something is, and its left and right end."""
TALL, SLENDER = 2400.0, 3.0  # [px], and times its width, from which a drawing is in columns
SHAPE = 1.4  # times as wide as high is what they come to, about
GUTTER, LANE = 40.0, 10.0  # [px] between columns, and between arrows that go from one to the next
ROOM = 30.0  # [px] in which they turn


class Columns:
    """Where things are when a drawing is cut between its layers, and its pieces are put side by side.

    Args:
        width: [px] Of the drawing as one column.
        height: [px] Likewise.
        top: [px] Above the first layer; it stays free above all.
        cuts: [px] Where it may be cut, from top to bottom.
        spans: Of all that is in it.
    """

    def __init__(
        self,
        width: float,
        height: float,
        top: float,
        cuts: Sequence[float],
        spans: Sequence[Span],
    ) -> None:
        self._top = top
        self._starts = [0.0]
        if height > TALL and height > SLENDER * width:
            part = height / math.ceil(math.sqrt(SHAPE * height / width))
            for cut in cuts:
                if cut - self._starts[-1] >= part:
                    self._starts.append(cut)
        ends = [*self._starts[1:], height]
        pieces: list[list[Span]] = [[] for _ in self._starts]
        for span in spans:
            pieces[self._column(span[0])].append(span)
        self._lows = [min(left for _, left, _ in piece) for piece in pieces]
        self._widths = [
            max(right for _, _, right in piece) - low for piece, low in zip(pieces, self._lows, strict=True)
        ]
        self._deepest = max(end - start for start, end in zip(self._starts, ends, strict=True))
        self._lanes = [0] * len(self._starts)  # taken to the left of each column

    @property
    def several(self) -> bool:
        """Whether there is more than one."""
        return len(self._starts) > 1

    def size(self) -> Point:
        """[px] Of the whole."""
        return self._left(len(self._starts) - 1) + self._widths[-1] + GUTTER, self._deepest + self._top + 2 * ROOM

    def place(self, point: Point) -> Point:
        """Where a point of the one column is."""
        column = self._column(point[1])
        down = self._top + ROOM if column else ROOM
        return point[0] - self._lows[column] + self._left(column), point[1] - self._starts[column] + down

    def count(self, path: Sequence[Point]) -> None:
        """Take lanes for a path between columns; all are taken before the first is led."""
        for one, other in pairwise(path):
            first, last = self._column(one[1]), self._column(other[1])
            self._lanes[max(first, last)] += first != last

    def lead(self, path: Sequence[Point], free: list[int]) -> list[Point]:
        """A path (in the one column), by lanes from column to column.

        Args:
            path: Its points.
            free: The next lane that is free to the left of each column, which is taken.
        """
        made = [self.place(path[0])]
        for one, other in pairwise(path):
            first, last = self._column(one[1]), self._column(other[1])
            if first != last:
                right = max(first, last)
                lane = self._left(right) - GUTTER / 2 - LANE * free[right]
                free[right] += 1
                low, high = self._top + self._deepest + ROOM / 2, self._top + ROOM / 2
                made += [(lane, low), (lane, high)] if first < last else [(lane, high), (lane, low)]
            made.append(self.place(other))
        return made

    def free(self) -> list[int]:
        """Lanes of which none is taken yet."""
        return [0] * len(self._starts)

    def _column(self, down: float) -> int:
        return bisect_right(self._starts, down) - 1

    def _left(self, column: int) -> float:
        return sum(self._widths[:column]) + (column + 0.5) * GUTTER + LANE * sum(self._lanes[1 : column + 1])
