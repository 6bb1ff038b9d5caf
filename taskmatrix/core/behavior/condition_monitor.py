"""What conditions answered last, so that only another answer is told."""

from __future__ import annotations

from .condition import Condition, Verdict
from .context import Context


class ConditionMonitor:
    """Tells on the stream of events what a condition answers, when it is first asked and whenever that changes."""

    def __init__(self) -> None:
        self._last: dict[object, bool] = {}

    def clear(self) -> None:
        """Forget them, for a new run."""
        self._last.clear()

    def note(
        self, context: Context, source: str, role: str, key: object, condition: Condition, verdict: Verdict
    ) -> None:
        """Take note of an answer, and tell it if it is another than the last.

        Args:
            context: Leads to the stream.
            source: Path of the behavior that asked.
            role: What for: ``guard``, ``monitor``, ``precondition`` or ``incondition``.
            key: Which of the conditions of that role it is.
            condition: With its values.
            verdict: The answer.
        """
        holds, place = bool(verdict), (role, key)
        if self._last.get(place) is holds:
            return
        self._last[place] = holds
        facts = {"holds": holds, "why": verdict.why, "values": verdict.values}
        context.events.emit("condition", source, role=role, condition=repr(condition), **facts)
