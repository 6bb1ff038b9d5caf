"""Skill 11: what the hands hold."""

from __future__ import annotations

from typing import Protocol

from ..hand_state import HandState


class AttachmentSkills(Protocol):
    """Holding objects and letting go of them."""

    def feel(self, hand: str) -> HandState:
        """11. What the sensors of a hand say: forces, contact of its fingers, slip of what it holds."""
        ...

    def attach(self, hand: str, object: str) -> None:
        """11. Make the hand hold the object; that it does is perceived, at once or, where fingers close, later."""
        ...

    def detach(self, hand: str) -> None:
        """11. Let go."""
        ...

    def slide(self, hand: str, object: str | None) -> None:
        """11. The hand is about to push the object, which slides; with None it pushes nothing any more."""
        ...

    def held(self, hand: str) -> str | None:
        """11. Id of the object that the hand holds."""
        ...
