"""How paths are planned."""

from __future__ import annotations

from dataclasses import dataclass

from taskmatrix.core.base.errors import NotFoundError, ParameterError

from . import ompl_planner

TREES = "trees"


@dataclass(frozen=True)
class PlannerSettings:
    """Which planner finds paths, and how much it may do."""

    planner: str = TREES
    """``trees``, the compiled planner with two trees, or the name of a geometric planner of OMPL."""
    checks: int = 4000
    """Collision checks, of one configuration or of sixteen at once, after which a search gives up.

    A plan to a configuration that has found no way by then makes ten times as many, with smaller margins.
    """
    shortcuts: int = 100
    """Attempts to cut a corner of a path, at most."""

    def __post_init__(self) -> None:
        known = (TREES, *ompl_planner.NAMES)
        if self.planner not in known:
            raise NotFoundError("planner", self.planner, known)
        for name in ("checks", "shortcuts"):
            if getattr(self, name) < 0:
                raise ParameterError(f"'{name}' must not be negative; it is {getattr(self, name)}")
