"""How the name of a class is written elsewhere."""

from __future__ import annotations

import re


def in_lower_case(name: str, between: str) -> str:
    """``PickAndPlace`` with ``-`` between its words: ``pick-and-place``."""
    return re.sub("(?<=[a-z0-9])(?=[A-Z])", between, name).lower()
