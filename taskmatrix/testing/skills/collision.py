"""Skill 8 of the fake robot: nothing touches anything unless a test says so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.robot.plans import (
    AllowedContact,
    Contact,
    Indices,
)
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import expect_map

from .body import FakeBody

EXTENT = (0.3, 1.6)  # [m] radius and height within which it turns


class FakeCollision(FakeBody):
    """Implements :class:`~taskmatrix.core.robot.skills.collision.CollisionSkills`."""

    def collision(self, joints: Indices, q: Array) -> Contact | None:
        """What was scripted."""
        whole = self.position()
        whole[joints] = q
        return self.contact(whole)

    def are_free(self, joints: Indices, Q: Array) -> NDArray[np.bool_]:
        """What was scripted."""
        return np.array([self.collision(joints, q) is None for q in Q], dtype=bool)

    def contacts(self) -> tuple[Contact, ...]:
        """What was scripted for where it is."""
        contact = self.contact(self.position())
        return () if contact is None else (contact,)

    def imminent_contact(self, joints: Indices, q: Array, near: float = 0.006) -> Contact | None:
        """What was scripted, where it is not so now."""
        found = self.collision(joints, q)
        return None if found in self.contacts() else found

    def nearer_than(self, q: Array, within: float) -> tuple[Array, Array]:
        """Nothing is near to anything."""
        return np.empty(0), np.empty((0, len(q)))

    def near_pairs(self, q: Array, within: float) -> tuple[Sequence[tuple[str, str]], Array, Array]:
        """What was scripted to be near there; joints change nothing of it."""
        found = self.near_contacts(q, within)
        return (
            [each.pair for each in found],
            np.array([each.distance for each in found]),
            np.zeros((len(found), len(q))),
        )

    def keeps_clear(self, Q: Array, margin: float) -> bool:
        """Whether nothing was scripted to be nearer than a margin [m] at any of these (m, n)."""
        return not any(self.near_contacts(q, margin) for q in Q)

    def near_contacts(self, q: Array, margin: float) -> Sequence[Contact]:
        """What was scripted to be nearer there."""
        return [each for each in self.near(q) if each.distance < margin]

    def body_distances(self, chain: str, within: float) -> tuple[Array, Array]:
        """What was scripted for where it is, as far as it is nearer."""
        self.joints(chain)
        distances, gradients = self.near_body(self.position())
        return distances[distances < within], gradients[distances < within]

    def allow_contact(self, contact: AllowedContact | None, hand: str) -> None:
        """Note it."""
        if contact is None:
            self.allowed_contacts.pop(hand, None)
        else:
            self.allowed_contacts[hand] = contact

    def avoid_unseen(self, avoid: bool) -> bool:
        """Note it."""
        expect_map(self.occupancy, avoid)
        before, self.avoids_unseen = self.avoids_unseen, avoid
        return before

    def extent(self, above: float = -np.inf) -> tuple[float, float]:
        """[m] Radius and height of the fake robot."""
        return EXTENT
