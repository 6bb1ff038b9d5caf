"""What a proposal says about itself: what it saw, what it is unsure of, what is missing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """A remark about one part of a proposal."""

    kind: str
    """``found`` with its evidence, ``unsure`` and should be looked at, or ``missing`` in this robot."""
    about: str
    """Section of the adapter: ``model``, ``base``, ``chains``, ``hands``, ``view``, ``postures`` or ``pairs``."""
    text: str
    """What, and why."""
