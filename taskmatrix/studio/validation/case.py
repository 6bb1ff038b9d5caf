"""A run to be judged, and how it went: plain values that travel between processes and into files."""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.base.events import Reader
from taskmatrix.core.base.failure import plain

from .task import task_of

SUCCESS = "success"
FAILURE = "failure"
NOT_ABLE = "not able"
MEASURED = ("wall", "judging")  # of a result, by the wall clock


@dataclass(frozen=True, order=True)
class Case:
    """One run of the matrix; of one behavior. Other kinds are an :class:`OwnCase`."""

    kinds: ClassVar[dict[str, type[Case]]] = {}
    """All kinds of cases by the names that results in files have for them; empty for a single behavior."""
    kind: ClassVar[str] = ""
    """The name of this one."""

    behavior: str
    """Its name on the command line; with a colon and an id, with that object: ``pickup:soda_can``."""
    robot: str
    """Name of a robot, or path of its file."""
    world: str
    """Name of a world, or path of its file."""
    seed: int
    """Same seed, same run."""
    sim: str = "kinematic"
    """Or ``bullet`` or ``mujoco``: with physics."""
    out: str = field(default="", compare=False)
    """Folder of the results, if it is not the default one; for the replay command only."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        Case.kinds[cls.kind] = cls

    @property
    def timeout(self) -> float:
        """[s] How long it may take, on its own clock; only to guess which cases take long."""
        return task_of(self.behavior).timeout

    @property
    def name(self) -> str:
        """Of the behavior, without an object."""
        return self.behavior.partition(":")[0]

    @property
    def cell(self) -> tuple[str, str, str]:
        """Behavior, robot and world."""
        return self.behavior, self.robot, self.world

    @property
    def replay(self) -> str:
        """The command that runs this case again, tells all of it, and leaves pictures."""
        return (
            f"taskmatrix validate --behaviors {self.behavior} --robots {self.robot} --worlds {self.world}"
            f" --seed {self.seed}{'' if self.sim == 'kinematic' else f' --sim {self.sim}'}"
            f"{f' --out {shlex.quote(self.out)}' if self.out else ''}"
        )

    def __str__(self) -> str:
        how = "" if self.sim == "kinematic" else f", {self.sim}"
        return f"{self.behavior} by {self.robot} in {self.world}, seed {self.seed}{how}"


class OwnCase(Case, ABC):
    """Base of the kinds of cases that run themselves."""

    @abstractmethod
    def run(self, readers: Sequence[Reader] = ()) -> Result:
        """Run it and judge it.

        Args:
            readers: Of the event stream.
        """


@dataclass(frozen=True)
class Result:
    """What became of a case."""

    case: Case
    """Which."""
    verdict: str
    """``success``, ``failure``, or ``not able``: the library said so itself, and nothing had moved."""
    kind: str = ""
    """Of the failure: a kind of :class:`~taskmatrix.core.base.failure.FailureKind`, ``judge/`` and the judge's check,
    or ``crash``, ``time limit`` or ``error`` of the process that ran it."""
    reason: str = ""
    """Why it is no success, in plain words."""
    claimed: bool | None = None
    """Whether the behavior says that it succeeded; None if it never ran."""
    duration: float = 0.0
    """[s] On the clock of the run, with what prepared it."""
    wall: float = 0.0
    """[s] That the run took."""
    judging: float = 0.0
    """[s] That the judge took."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the judge measured."""
    picture: str = ""
    """Path of the contact sheet, if one was asked for."""

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON has it."""
        data: dict[str, Any] = plain(asdict(self))  # type: ignore[assignment]
        case = data.pop("case")
        case.pop("out")
        kind = {"case": self.case.kind} if self.case.kind else {}
        return {**kind, **case, **data}

    def content(self) -> dict[str, Any]:
        """The result as JSON has it, without what was measured by the wall clock: the same on every machine."""
        return {name: value for name, value in self.to_dict().items() if name not in MEASURED}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Result:
        """The result that :meth:`to_dict` wrote; keys that it does not know are left out."""
        rest = {key: value for key, value in data.items() if key in cls.__dataclass_fields__ and key != "case"}
        kind = data.get("case", "")
        if kind not in Case.kinds:
            raise NotFoundError("kind of case", kind, Case.kinds)
        own = {item.name: data[item.name] for item in fields(Case.kinds[kind]) if item.name in data}
        return cls(Case.kinds[kind](**own), **rest)


Case.kinds[Case.kind] = Case
