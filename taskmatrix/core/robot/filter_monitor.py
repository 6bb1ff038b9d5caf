"""Filters that users give, watched: what raises, blocks, cannot be or never ends brings a run to a safe end."""

from __future__ import annotations

from textwrap import shorten
from typing import Any

import numpy as np

from ..base.errors import ParameterError, TaskMatrixError
from ..base.events import EventStream
from ..base.failure import FailedError, Failure, FailureKind
from ..base.watchdog import BlockedError, watchdog
from ..world.objects import Array
from .arbiter import BindingFilter, Command, CommittingFilter, Filter, RestartingFilter
from .skillset import SkillSet

BLOCKS = 1.0  # [s] on the machine's clock, after which a filter is cut off
LONGEST = 30.0  # [s] for which a filter may move a joint that nobody commands, or against what is commanded
STILL = 1e-9  # [rad, m] a step is none


class FilterMonitor:
    """A filter as the arbiter calls it: what it does wrong is raised as a failure of kind ``filter`` that names it.

    Args:
        stage: What the user gave.

    Raises:
        ParameterError: It is nothing that can be called.
    """

    def __init__(self, stage: Filter | BindingFilter) -> None:
        if isinstance(stage, type) or not (callable(stage) or isinstance(stage, BindingFilter)):
            raise ParameterError(f"a filter is an instance that is called with a command and positions, not {stage!r}")
        self._given = stage
        self._name = str(getattr(stage, "__name__", type(stage).__name__))
        self._astray: Array | None = None  # (n,) [s] for which it has moved each joint by itself

    def bind(self, skills: SkillSet, dt: float, events: EventStream) -> FilterMonitor:
        """The same with the filter of one session.

        Raises:
            TaskMatrixError: The filter makes none.
        """
        self._skills, self._dt = skills, dt
        made: object = self._given.bind(skills, dt, events) if isinstance(self._given, BindingFilter) else self._given
        if not callable(made):
            raise TaskMatrixError(f"bind() of filter {self._name} returned {made!r}, and not a filter")
        self._stage: Filter = made
        return self

    def restart(self) -> None:
        """Have it forget how the joints moved."""
        self._astray = None
        if isinstance(self._stage, RestartingFilter):
            self._stage.restart()

    def commit(self) -> None:
        """Have it begin a transaction."""
        if isinstance(self._stage, CommittingFilter):
            self._stage.commit()

    def __call__(self, command: Command, q: Array) -> Command:
        """Return what the filter returns.

        Raises:
            FailedError: It raises, blocks, returns what is no command, or moves joints by itself and does not end.
        """
        try:
            with watchdog(BLOCKS):
                given = self._stage(command, q.copy())
        except BlockedError as error:
            raise self._failed(str(error)) from error
        except Exception as error:
            raised = Failure.raised(error, self._name)
            raise self._failed(f"raised {raised.message}", raised.trace, **raised.facts) from error
        self._check(given, len(q))
        self._check_course(command.q - q, given.q - q)
        return given

    def _check(self, given: Any, joints: int) -> None:
        if not isinstance(given, Command):
            raise self._failed(f"returned {shorten(repr(given), 60)}, which is no Command")
        for name, values in (("q", given.q), ("v", given.v), ("a", given.a)):
            if not isinstance(values, np.ndarray) or values.shape != (joints,):
                raise self._failed(f"returned a command whose {name} is of shape {np.shape(values)}, not ({joints},)")
            odd = np.flatnonzero(~np.isfinite(values))
            if len(odd):
                joint = self._joint(int(odd[0]))
                raise self._failed(f"returned {values[odd[0]]} for the {name} of {joint}", joint=joint)

    def _check_course(self, wanted: Array, given: Array) -> None:
        """Raise where a joint has moved for too long as nobody commanded it to."""
        astray = np.zeros(len(given)) if self._astray is None else self._astray
        own = (np.abs(given) > STILL) & (wanted * given <= 0.0)
        self._astray = np.where(own, astray + self._dt, 0.0)
        worst = int(self._astray.argmax())
        if self._astray[worst] > LONGEST:
            joint = self._joint(worst)
            raise self._failed(f"has moved {joint} by itself for {LONGEST:g} s, and does not end", joint=joint)

    def _joint(self, number: int) -> str:
        return self._skills.joint_name(number)

    def _failed(self, message: str, trace: str = "", **facts: object) -> FailedError:
        self._astray = None
        return FailedError(Failure(FailureKind.FILTER, f"filter {self._name}", message, facts, trace=trace))
