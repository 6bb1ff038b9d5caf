from __future__ import annotations

from taskmatrix.core.behavior.condition import Condition, ConditionMonitor, Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.testing import Bench


class Warm(Condition):
    """Whether it is."""

    def evaluate(self, context: Context) -> Verdict:
        return Verdict(True, "it is")


def told(answers: list[bool], clear: bool = False) -> list[object]:
    """What is told of answers, one after the other."""
    bench, kept = Bench(), ConditionMonitor()
    for holds in answers:
        kept.note(bench.context, "probe", "guard", 0, Warm(at="noon"), Verdict(holds, "because", {"degrees": 20.0}))
        if clear:
            kept.clear()
    return [event.data["holds"] for event in bench.events if event.kind == "condition"]


def test_only_the_first_answer_and_others_are_told() -> None:
    """The same answer again is no event; in a new run the first is told again."""
    assert told([True, True, False, False, True]) == [True, False, True]
    assert told([False, False]) == [False]
    assert told([False, False], clear=True) == [False, False]


def test_it_is_told_with_words_and_values() -> None:
    """Who asked, what for, which condition with which arguments, and why."""
    bench = Bench()
    ConditionMonitor().note(
        bench.context, "probe", "guard", 0, Warm(at="noon"), Verdict(True, "it is", {"degrees": 20.0})
    )
    (event,) = bench.events
    assert (event.kind, event.source) == ("condition", "probe")
    assert event.data == {
        "role": "guard",
        "condition": "warm(at='noon')",
        "holds": True,
        "why": "it is",
        "values": {"degrees": 20.0},
    }


def test_conditions_of_other_roles_and_places_are_others() -> None:
    """A guard and a monitor with the same condition are told one by one."""
    bench, kept = Bench(), ConditionMonitor()
    for role, key in (("guard", 0), ("monitor", 0), ("guard", 1), ("guard", 0)):
        kept.note(bench.context, "probe", role, key, Warm(), Verdict(True, ""))
    assert [event.data["role"] for event in bench.events] == ["guard", "monitor", "guard"]
