"""Failure as data: what went wrong, the facts, and its cause, down to the pair of links."""

from __future__ import annotations

import math
import re
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from .errors import ParameterError, TaskMatrixError, nearest, not_found
from .source import raised_at
from .watchdog import BlockedError


class FailureKind(str, Enum):
    """Why an operation failed.

    Raises:
        ParameterError: There is no such kind; with the nearest.
    """

    JOINT_LIMIT = "joint_limit"
    COLLISION = "collision"
    IK_EXHAUSTED = "ik_exhausted"
    PLANNER_EXHAUSTED = "planner_exhausted"
    CHAIN_BUSY = "chain_busy"
    PRECONDITION = "precondition"
    INCONDITION = "incondition"
    PARAMETER = "parameter"
    UNKNOWN_OBJECT = "unknown_object"
    LOST_OBJECT = "lost_object"
    NOTHING_FOUND = "nothing_found"
    NO_GRASP = "no_grasp"
    NO_PLACE = "no_place"
    NOT_ABLE = "not_able"
    TRACKING = "tracking"
    NOT_ACHIEVED = "not_achieved"
    TIMEOUT = "timeout"
    LOST_REMOTE = "lost_remote"
    PLANT = "plant"
    FILTER = "filter"
    INTERRUPTED = "interrupted"
    DEAD_END = "dead_end"
    TREE = "tree"
    EXCEPTION = "exception"

    @classmethod
    def _missing_(cls, value: object) -> None:
        raise ParameterError(not_found("kind of failure", str(value), [kind.value for kind in cls]))


class FailedError(TaskMatrixError):
    """Raised by what cannot hand a failure back; who catches it has the failure.

    Args:
        failure: Why it did not work.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.explain())
        self.failure = failure


@dataclass(frozen=True)
class Failure:
    """Why something did not work.

    Raises:
        ParameterError: There is no such kind of failure; with the nearest.

    Example:
        >>> deep = Failure(FailureKind.COLLISION, "planner", "the goal touches the table", {"pair": ("hand", "table")})
        >>> print(Failure(deep.kind, "pickup", "state 'reach' failed", cause=deep).explain())
        pickup: state 'reach' failed, because planner: the goal touches the table (pair: hand, table).
    """

    kind: FailureKind
    """The kind; that of a composed failure is the kind of its root cause."""
    where: str
    """Who reports it: the path of a behavior, or the name of a skill."""
    message: str
    """What went wrong, a clause without a final stop."""
    facts: Mapping[str, object] = field(default_factory=dict)
    """Names and numbers: which pair of links, which joint and by how much; and of a collision where the robot is,
    ``at`` what: its ``start``, the ``next step``, ``turning on`` or ``driving on``."""
    cause: Failure | None = None
    """What led to it."""
    trace: str = ""
    """The traceback, of an exception."""
    earlier: tuple[Failure, ...] = ()
    """From what a machine had recovered before, in order."""

    def __post_init__(self) -> None:
        if not isinstance(self.kind, FailureKind):
            object.__setattr__(self, "kind", FailureKind(self.kind))

    @classmethod
    def raised(cls, error: Exception, where: str, when: str = "") -> Failure:
        """Of an exception: what it says, the line where it was raised, and the trace.

        That of a :class:`FailedError` is the one that it carries, and what was cut off is a timeout.

        Args:
            error: As it was caught.
            where: Who reports it.
            when: In words, as in "while planning".
        """
        if isinstance(error, FailedError):
            return error.failure
        trace = "".join(traceback.format_exception(error))
        if isinstance(error, BlockedError):
            return cls(FailureKind.TIMEOUT, where, str(error), trace=trace)
        said, obj, name = str(error).removesuffix("."), getattr(error, "obj", None), getattr(error, "name", None)
        if isinstance(error, AttributeError) and obj is not None and name and "did you mean" not in said:
            near = nearest(name, [each for each in dir(obj) if not each.startswith("_")])
            said += f"; did you mean '{near}'?" if near else ""
        message, line, facts = " ".join([type(error).__name__, *when.split()]) + f": {said}", raised_at(error), {}
        if line is not None:
            message, facts = f"{message}, at {line}", {"file": line.path, "line": line.number}
        return cls(FailureKind.EXCEPTION, where, message, facts, trace=trace)

    def chain(self) -> Iterator[Failure]:
        """This failure, its cause, the cause's cause, and so on."""
        here: Failure | None = self
        while here is not None:
            yield here
            here = here.cause

    @property
    def root(self) -> Failure:
        """The failure that began the chain of causes."""
        return list(self.chain())[-1]

    def names(self, name: str) -> bool:
        """Whether its message or facts, or those of what led to it, name something: a link, an object, a joint."""
        word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        said = (text for each in self.chain() for text in (each.message, *map(readable, each.facts.values())))
        return any(word.search(text) for text in said)

    def explain(self) -> str:
        """The whole chain as one readable paragraph, and what a machine had recovered from before.

        In parentheses are the facts that the message does not say.
        """
        clauses = []
        for failure in self.chain():
            facts = "; ".join(f"{key.replace('_', ' ')}: {value}" for key, value in failure.unsaid())
            clauses.append(f"{failure.where}: {failure.message}" + (f" ({facts})" if facts else ""))
        before = [earlier.explain().removesuffix(".") for failure in self.chain() for earlier in failure.earlier]
        told = Counter(before).items()  # in the order in which each came first
        story = "; then: ".join(f"{text} ({count} times)" if count > 1 else text for text, count in told)
        return ", because ".join(clauses) + (f"; before that: {story}." if story else ".")

    def unsaid(self) -> Iterator[tuple[str, str]]:
        """Facts in words but those in the message; a condition's or requirement's verdict says all of its values."""
        asked = self.cause is None and self.kind in (FailureKind.PRECONDITION, FailureKind.INCONDITION)
        if not (asked or "requirement" in self.facts):
            for key, value in self.facts.items():
                words = readable(value)
                if not re.search(rf"(?<![\w.-]){re.escape(words)}(?![\w.])", self.message):
                    yield key, words

    def to_dict(self) -> dict[str, object]:
        """The failure as plain data for JSON."""
        return {
            "kind": self.kind.value,
            "where": self.where,
            "message": self.message,
            "facts": plain(dict(self.facts)),
            "cause": self.cause.to_dict() if self.cause else None,
            "trace": self.trace,
            "earlier": [failure.to_dict() for failure in self.earlier],
        }

    @classmethod
    def from_dict(cls, data: object) -> Failure:
        """Read what :meth:`to_dict` gives; what is missing or not known is left out, and the kind is ``exception``."""
        given = data if isinstance(data, Mapping) else {"message": str(data)}
        kind, facts, earlier = given.get("kind"), given.get("facts"), given.get("earlier")
        return cls(
            FailureKind(kind) if kind in {each.value for each in FailureKind} else FailureKind.EXCEPTION,
            str(given.get("where", "")),
            str(given.get("message", "")),
            {str(key): value for key, value in facts.items()} if isinstance(facts, Mapping) else {},
            cls.from_dict(given["cause"]) if given.get("cause") else None,
            str(given.get("trace", "")),
            tuple(cls.from_dict(each) for each in earlier) if isinstance(earlier, (list, tuple)) else (),
        )


def readable(value: object) -> str:
    """A fact in words: floats to three significant digits, sequences separated by commas, or "none"."""
    if isinstance(value, (float, np.floating)):
        return f"{float(value):.3g}"
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {readable(item)}" for key, item in value.items()) or "none"
    if isinstance(value, (tuple, list, np.ndarray)):
        return ", ".join(readable(item) for item in value) or "none"
    return str(value)


def plain(value: object) -> object:
    """A value as JSON knows it: arrays become lists, enumerations their values, anything unknown its text."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, np.ndarray):
        numbers = value.dtype.kind in "biuf" and np.isfinite(value).all()
        return value.tolist() if numbers else plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # JSON has no infinity
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, Failure):
        return value.to_dict()
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return str(value)
