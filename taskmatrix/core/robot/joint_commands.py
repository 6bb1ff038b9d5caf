"""What somebody commands who knows nothing but joints: a learner's loop, a gamepad, another process."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ..base.errors import ParameterError
from ..base.failure import Failure
from ..world.objects import Array


@dataclass(frozen=True)
class JointTarget:
    """Where some joints are to go, or how fast; all others go on with what they were told before.

    Raises:
        ParameterError: A value is no finite number, or a joint has a position and a velocity.
    """

    positions: Mapping[str, float] = field(default_factory=dict)
    """[rad, m] By name of a joint: it goes there as quickly as its limits allow, and stays; clipped to its limits."""
    velocities: Mapping[str, float] = field(default_factory=dict)
    """[rad/s, m/s] By name of a joint: it goes on at this speed, for 0.5 s unless it is told again, and stops before
    its limits."""

    def __post_init__(self) -> None:
        for what, values in (("position", self.positions), ("velocity", self.velocities)):
            if not isinstance(values, Mapping):
                raise ParameterError(f"a target has a {what} by name of a joint, not {values!r}")
            for joint, value in values.items():
                try:
                    number = math.nan if isinstance(value, bool) else float(value)
                except (TypeError, ValueError):
                    number = math.nan
                if not math.isfinite(number):
                    raise ParameterError(f"the {what} of '{joint}' has to be a finite number, not {value!r}")
        for joint in self.positions:
            if joint in self.velocities:
                raise ParameterError(f"'{joint}' is told a position and a velocity; it can have one of them")

    def then(self, later: JointTarget) -> JointTarget:
        """This target and a later one, which counts for the joints that both name."""
        named = later.positions.keys() | later.velocities.keys()
        positions = {joint: value for joint, value in self.positions.items() if joint not in named}
        velocities = {joint: value for joint, value in self.velocities.items() if joint not in named}
        return JointTarget({**positions, **later.positions}, {**velocities, **later.velocities})


@dataclass(frozen=True, eq=False)
class JointFeedback:
    """What who commands joints is told in every control step."""

    time: float
    """[s] On the clock of the run."""
    joints: tuple[str, ...]
    """(k) Names of the joints that can be commanded."""
    q: Array
    """(k,) [rad, m] Where they are."""
    v: Array
    """(k,) [rad/s, m/s] How fast they move."""
    moving: bool
    """Whether the last target is still on its way."""
    refused: Failure | None = None
    """Why the last target was given up: a filter held the robot, or takes it back. None again with the next one."""


CommandSource = Callable[[JointFeedback], JointTarget | None]
"""Asked in every control step; None: nothing new. Where it raises StopIteration, that was all."""


class JointCommands:
    """A source into which any thread puts targets, at any rate; the behavior ``FollowCommands`` asks it.

    Attributes:
        feedback: What was told last; None before the first control step.

    Example:
        >>> import numpy as np
        >>> commands = JointCommands()
        >>> commands.send(positions={"elbow": 0.5})
        >>> commands.send(velocities={"neck": -0.2})
        >>> commands(JointFeedback(0.0, ("elbow", "neck"), np.zeros(2), np.zeros(2), False))
        JointTarget(positions={'elbow': 0.5}, velocities={'neck': -0.2})
    """

    def __init__(self) -> None:
        self._waiting: deque[JointTarget] = deque()
        self._over = False
        self.feedback: JointFeedback | None = None

    def send(self, positions: Mapping[str, float] | None = None, velocities: Mapping[str, float] | None = None) -> None:
        """Put in a target; raises ParameterError as :class:`JointTarget` does."""
        self._waiting.append(JointTarget(positions or {}, velocities or {}))

    def stop(self) -> None:
        """That was all: who follows ends with success."""
        self._over = True

    def __call__(self, feedback: JointFeedback) -> JointTarget | None:
        """All that was put in since the last time, as one target."""
        self.feedback = feedback
        if self._over:
            self._over = False
            self._waiting.clear()
            raise StopIteration
        target: JointTarget | None = None
        while self._waiting:
            later = self._waiting.popleft()
            target = later if target is None else target.then(later)
        return target
