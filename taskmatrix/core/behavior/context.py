"""What a running behavior can reach."""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from ..base.clock import Clock
from ..base.events import EventStream
from ..base.transport import Transport
from ..robot.arbiter import Arbiter
from ..robot.skillset import SkillSet
from ..world.perception import PerceptualModel


@dataclass(frozen=True, eq=False)
class Context:
    """Handed to every behavior when it is set up."""

    skills: SkillSet
    """The common skill set of the robot."""
    perception: PerceptualModel
    """What is known of the world."""
    arbiter: Arbiter
    """Grants chains."""
    clock: Clock
    """The time."""
    events: EventStream
    """Where everything is told."""
    seed: int
    """Of the whole run."""
    dt: float
    """[s] The control step."""
    transport: Transport | None = None
    """Leads to other processes; None where nothing does."""
    paths: set[str] = field(default_factory=set)
    """Names taken by the behaviors of the present run."""
    runs: Counter[str] = field(default_factory=Counter)
    """How often the behavior of each name has run until now, whichever instance that was."""

    def unique(self, path: str) -> str:
        """The path, numbered if another behavior of this run has it already."""
        candidate, count = path, 1
        while candidate in self.paths:
            count += 1
            candidate = f"{path}#{count}"
        self.paths.add(candidate)
        return candidate

    def random(self, source: str, run: int) -> np.random.Generator:
        """A generator that depends only on the seed, who asks, and how often it has run before."""
        return np.random.default_rng([self.seed, zlib.crc32(source.encode()), run])
