"""The map of space, as collision checks know it."""

from __future__ import annotations

from taskmatrix.core.world.occupancy import OCCUPIED, UNKNOWN, Occupancy, Space, expect_map


class KnownSpace:
    """What of a map is in the way.

    Attributes:
        occupancy: The map; None without one.
    """

    def __init__(self) -> None:
        self.occupancy: Occupancy | None = None
        self._avoids_unseen = False
        self._space: Space | None = None

    def use(self, occupancy: Occupancy | None) -> None:
        """Take another map, or none."""
        self.occupancy = occupancy
        self._avoids_unseen = self._avoids_unseen and occupancy is not None

    def avoid_unseen(self, avoid: bool) -> bool:
        """Let space that nobody has looked at be in the way, or not; whether it was before.

        Raises:
            ParameterError: There is no map, and so nothing is unseen.
        """
        expect_map(self.occupancy, avoid)
        before, self._avoids_unseen = self._avoids_unseen, avoid
        return before

    def now(self) -> Space | None:
        """What is in the way; the same object as long as the map is the same."""
        if self.occupancy is None:
            self._space = None
            return None
        occupied = self.occupancy.boxes(OCCUPIED)
        unseen = self.occupancy.boxes(UNKNOWN) if self._avoids_unseen else None
        before = self._space
        if before is None or before.occupied is not occupied or before.unseen is not unseen:
            self._space = Space(occupied, unseen)
        return self._space
