"""Skill 8: contacts of the robot, what is allowed to touch, and the map of space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ...world.objects import Array
from ...world.occupancy import Occupancy
from ..plans import AllowedContact, Contact, Indices


class CollisionSkills(Protocol):
    """Which contacts there are, would be, and are allowed."""

    def collision(self, joints: Indices, q: Array) -> Contact | None:
        """8. The first contact when ``joints`` are at ``q`` (k,) and everything else where it is."""
        ...

    def are_free(self, joints: Indices, Q: Array) -> NDArray[np.bool_]:
        """8. (m,) Whether there is no such contact with ``joints`` at each of ``Q`` (m, k): many asked at once."""
        ...

    def contacts(self) -> Sequence[Contact]:
        """8. Every contact of now that is not permitted, the deepest first."""
        ...

    def imminent_contact(self, joints: Indices, q: Array, near: float = 0.006) -> Contact | None:
        """8. What would come into contact, or as ``near`` [m] to an object, with ``joints`` at ``q`` (k,).

        The deepest of these pairs; what is so near already counts if it would come nearer.
        """
        ...

    def nearer_than(self, q: Array, within: float) -> tuple[Array, Array]:
        """8. (m,) [m] Distances of pairs nearer than ``within`` [m] at q (n,), and (m, n) how joints change them."""
        ...

    def near_pairs(self, q: Array, within: float) -> tuple[Sequence[tuple[str, str]], Array, Array]:
        """8. Of which links and objects these are, besides, a name each for both bodies of a pair."""
        ...

    def keeps_clear(self, Q: Array, margin: float) -> bool:
        """8. Whether nothing that may not touch is nearer than a margin [m] at any of joint positions Q (m, n).

        Between parts of the robot 4 mm are asked for at most, nothing between those that are as near in its stance, and
        nothing to the floor.
        """
        ...

    def near_contacts(self, q: Array, margin: float) -> Sequence[Contact]:
        """8. What does not keep that clear at joint positions q (n,): each pair once, and how near."""
        ...

    def body_distances(self, chain: str, within: float) -> tuple[Array, Array]:
        """8. (m,) [m] How near parts of a limb are to the rest of the body, and (m, n) how joints change that.

        Of what moves with each joint of the chain, from the third on, the pair nearest to each other; none of those
        that are not nearer than ``within`` [m]. Raises NotFoundError where there is no such chain.
        """
        ...

    def allow_contact(self, contact: AllowedContact | None, hand: str) -> None:
        """8. Permit (or, with None, forbid) contact of a hand with one object; what a hand holds it may touch.

        A permission ends when nobody owns the hand any more. What is in contact then may come out of it and not go
        deeper, and what is planned next begins with leaving it.
        """
        ...

    @property
    def occupancy(self) -> Occupancy | None:
        """8. The map of space that collision checks know besides the objects; None where there is none."""
        ...

    def avoid_unseen(self, avoid: bool) -> bool:
        """8. Let space that nobody has looked at be in the way from now on, or not; contacts call it ``unseen``.

        Returns:
            Whether it was before.

        Raises:
            ParameterError: There is no map, and so nothing is unseen.
        """
        ...

    def extent(self, above: float = -np.inf) -> tuple[float, float]:
        """8. [m] How far the robot, or what it holds, is from its base's axis at most, and how high: it turns within.

        Args:
            above: [m] Height above which parts of it count; all unless given.
        """
        ...
