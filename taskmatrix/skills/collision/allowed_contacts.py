"""Which contacts are permitted now: of hands with what they grasp or let go, of feet with what they kick."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from taskmatrix.core.robot.plans import AllowedContact


class AllowedContacts:
    """Allowed contacts, from when they are given until the hand is clear.

    A permission is in force while somebody owns the hand. When nobody does any more it has lapsed: the hand is still
    at the object, and what is planned next leaves it first, but nothing may go deeper into it. It is forgotten when the
    hand is away from the object.
    """

    def __init__(self) -> None:
        self._hands: dict[str, AllowedContact] = {}
        self._in_force: set[str] = set()
        self._feet: dict[str, AllowedContact] = {}

    def permit(self, touch: AllowedContact) -> None:
        """Permit contact of a hand with one object, and no longer with another."""
        self._hands[touch.hand] = touch
        self._in_force.add(touch.hand)

    def lapse(self, hand: str) -> None:
        """Do not permit it any more."""
        self._in_force.discard(hand)

    def kick(self, foot: str, object: str | None) -> None:
        """Permit contact of a foot with one object; with None, with none any more."""
        self._feet.pop(foot, None)
        if object is not None:
            self._feet[foot] = AllowedContact(foot, object)

    def update(self, owned: Callable[[str], bool], away: Callable[[AllowedContact], bool]) -> None:
        """Let permissions of hands lapse that nobody owns, and forget those of hands that are away."""
        for touch in tuple(self._hands.values()):
            if not owned(touch.hand):
                self.lapse(touch.hand)
            if away(touch):
                self.lapse(touch.hand)
                del self._hands[touch.hand]

    @property
    def in_force(self) -> Iterable[AllowedContact]:
        """Contacts that are permitted."""
        return [*(self._hands[hand] for hand in sorted(self._in_force)), *self._feet.values()]

    @property
    def at(self) -> tuple[AllowedContact, ...]:
        """Which hands are at which objects, permitted or not."""
        return tuple(self._hands.values())
