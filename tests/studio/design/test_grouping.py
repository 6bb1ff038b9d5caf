"""States become a machine of their own that does what they did; what would not is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from taskmatrix.core.base.errors import MachineError, NotFoundError, TaskMatrixError
from taskmatrix.studio.design.edits import apply
from taskmatrix.studio.design.grouping import group
from taskmatrix.studio.design.reading import Program
from taskmatrix.testing import Bench

TEXT = '''import taskmatrix as tm
from taskmatrix.behaviors import Fixate, Grasp, Putdown, Reach
from taskmatrix.conditions import Grasping


class Lunch(tm.Machine):
    """Bring something to the table."""

    object = tm.Parameter(str, doc="id of the object")
    place = tm.Parameter(str, default="table", doc="where to")

    look = tm.State(Fixate, target=object)
    # goes for it
    reach = tm.State(Reach, object=object)  # with a hand
    grasp = tm.State(Grasp, object=object, hand=reach.hand, grasp=reach.grasp)
    put = tm.State(Putdown, object=object, on=place, final=True)

    transitions = (
        tm.start(look),
        tm.on(look.task_successful, start=reach),
        tm.on(reach.failed(kind="collision"), start=reach, times=1),
        # there
        tm.on(reach.task_successful, start=grasp, when=~Grasping(object)),
        tm.on(grasp.task_successful, start=put),
        tm.on(put.failed(kind="timeout"), start=put, times=2),
    )
'''
GROUPED = '''class GetHold(tm.Machine):
    """Get hold of it."""

    object = tm.Parameter(str, doc="id of the object")

    # goes for it
    reach = tm.State(Reach, object=object)  # with a hand
    grasp = tm.State(Grasp, object=object, hand=reach.hand, grasp=reach.grasp, final=True)

    transitions = (
        tm.start(reach),
        tm.on(reach.failed(kind="collision"), start=reach, times=1),
        tm.on(reach.task_successful, start=grasp, when=~Grasping(object)),
    )


class Lunch(tm.Machine):
    """Bring something to the table."""

    object = tm.Parameter(str, doc="id of the object")
    place = tm.Parameter(str, default="table", doc="where to")

    look = tm.State(Fixate, target=object)
    get = tm.State(GetHold, object=object)
    put = tm.State(Putdown, object=object, on=place, final=True)

    transitions = (
        tm.start(look),
        tm.on(look.task_successful, start=get),
        # there
        tm.on(get.task_successful, start=put),
        tm.on(put.failed(kind="timeout"), start=put, times=2),
    )
'''


def test_a_group_takes_its_states_comments_and_transitions_along() -> None:
    after = apply(Program(TEXT), "Lunch", group(["reach", "grasp"], "get", "GetHold", "Get hold of it."))
    head, _, _ = TEXT.partition("class Lunch")
    assert after.text == head + GROUPED
    assert all(not each.problem for each in after.machines.values())


def test_outputs_from_outside_become_parameters() -> None:
    text = TEXT.replace("Grasp, Putdown", "Grasp, Lift, Putdown")
    text = text.replace("    put = tm", "    lift = tm.State(Lift, object=object)\n    put = tm")
    text = text.replace("start=put)", "start=lift),\n        tm.on(lift.task_successful, start=put)")
    after = apply(Program(text), "Lunch", group(["grasp", "lift"], "get", "GetHold"))
    assert '    reach_hand = tm.Parameter(str, doc="hand of reach")' in after.text
    assert "    get = tm.State(GetHold, object=object, reach_hand=reach.hand, reach_grasp=reach.grasp)" in after.text
    assert "grasp = tm.State(Grasp, object=object, hand=reach_hand, grasp=reach_grasp)" in after.text


CHAIN = """import taskmatrix as tm
from taskmatrix.behaviors import Timer


class Chain(tm.Machine):
    one = tm.State(Timer, duration=0.1)
    two = tm.State(Timer, duration=0.2)
    three = tm.State(Timer, duration=0.3)
    four = tm.State(Timer, duration=0.4, final=True)

    transitions = (
        tm.start(one),
        tm.on(one.task_successful, start=two),
        tm.on(two.task_successful, start=three),
        tm.on(three.task_successful, start=four),
    )
"""


@pytest.mark.parametrize(
    "states", [("one", "two"), ("two", "three"), ("three", "four"), ("one", "two", "three", "four")]
)
def test_a_grouped_machine_does_what_it_did(states: tuple[str, ...]) -> None:
    """The same behaviors in the same order at the same times."""

    def told(text: str) -> list[tuple[float, str]]:
        made: dict[str, Any] = {"__name__": "chain"}
        exec(compile(text, "chain.py", "exec"), made)
        bench = Bench()
        assert bench.run(made["Chain"]())
        ended = [event for event in bench.events if event.data.get("message") == "task-successful"]
        return [(round(event.time, 6), event.source.rpartition("/")[2]) for event in ended]

    before = told(CHAIN)
    after = told(apply(Program(CHAIN), "Chain", group(states, "some", "Some")).text)
    assert [each for each in after if each[1] != "some"] == before


@pytest.mark.parametrize(
    ("states", "names", "error", "why"),
    [
        (["look", "reach"], ("a", "A"), MachineError, "'grasp' uses the output 'hand' of reach"),
        (["look", "put"], ("a", "A"), MachineError, "one state ends a group, not look and put"),
        (["look"], ("a", "A"), MachineError, "a group is of two states at least"),
        (["reach", "grasp"], ("get", "Lunch"), MachineError, "'Lunch' means something else in program.py already"),
        (["reach", "grasp"], ("put", "Get"), MachineError, "'put' means something else in Lunch already"),
        (["reach", "graps"], ("a", "A"), NotFoundError, "no state 'graps' in Lunch; did you mean 'grasp'?"),
    ],
)
def test_what_would_do_something_else_is_refused(
    states: list[str], names: tuple[str, str], error: type[TaskMatrixError], why: str
) -> None:
    with pytest.raises(error, match=re.escape(why)):
        apply(Program(TEXT), "Lunch", group(states, *names))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("start=grasp, when", "start=(grasp, look), when", "would have to be both within the group and outside"),
        (
            "tm.on(look.task_successful, start=reach)",
            "tm.on(look.task_successful, start=(reach, grasp))",
            "at the same time",
        ),
        ("tm.on(reach.task_successful,", "tm.on(reach.planning_started,", "at the same time"),
        (
            "tm.start(look)",
            "tm.start(look), tm.whenever(Grasping(object), stop=reach)",
            "wait for a condition only while",
        ),
        ("start=put, times=2", "start=look, times=2", "a group that starts again would count anew"),
        ("start=put)", "start=put), tm.on(look.task_failed, stop=reach)", "it stops a state of the group"),
        ("start=put)", "start=put), tm.on(grasp.planning_ended, start=look)", "does not say what its states say"),
    ],
)
def test_states_that_run_at_one_time_are_no_group(old: str, new: str, why: str) -> None:
    text = TEXT.replace(old, new)
    assert text != TEXT
    with pytest.raises(MachineError, match=why):
        apply(Program(text), "Lunch", group(["reach", "grasp"], "get", "GetHold"))


def test_a_failure_that_was_not_caught_is_not_caught() -> None:
    text = TEXT.replace('put.failed(kind="timeout"), start=put', 'put.failed(kind="timeout"), start=look')
    with pytest.raises(MachineError, match="a failure of grasp would be caught as well"):
        apply(Program(text), "Lunch", group(["grasp", "put"], "bring", "BringIt"))
    caught = text.replace("start=look, times=2)", 'start=look), tm.on(grasp.failed(kind="timeout"), start=look)')
    after = apply(Program(caught), "Lunch", group(["grasp", "put"], "bring", "BringIt")).text
    assert after.count('tm.on(bring.failed(kind="timeout"), start=look)') == 1
