"""Edits change their own lines only, and what the class check refuses is refused."""

from __future__ import annotations

import difflib
import random
from pathlib import Path

import pytest

import taskmatrix
from taskmatrix.core.base.errors import MachineError, NotFoundError, TaskMatrixError
from taskmatrix.studio.design import edits
from taskmatrix.studio.design.class_edits import Edit, rename, set_argument
from taskmatrix.studio.design.edits import (
    add_state,
    add_transition,
    apply,
    change_transition,
    remove_state,
    remove_transition,
)
from taskmatrix.studio.design.reading import Program

TEXT = '''"""Help."""

import taskmatrix as tm
from taskmatrix.behaviors import Fixate, Grasp, Pickup  # what it is made of
from taskmatrix.conditions import Grasping


class Ensure(tm.Machine):
    """Hold an object."""

    object = tm.Parameter(str, doc="id of the object")

    # looks first
    look = tm.State(Fixate, target=object, optional=True)
    fetch = tm.State(  # goes for it
        Pickup,
        object=object,  # which
        final=True,
    )
    hold = tm.State(Grasp, object=object, final=True)

    transitions = (
        tm.start(look, when=~Grasping(object)),  # nothing yet
        # held already
        tm.start(hold, when=Grasping(object)),
        tm.on(look.task_complete, start=fetch),  # the end
        # nothing below
    )

    def helper(self):
        return   {  "odd" :1 }
'''


def changed(*done: Edit, text: str = TEXT) -> list[str]:
    after = apply(Program(text), "Ensure", *done).text
    lines = difflib.unified_diff(text.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


@pytest.mark.parametrize(
    ("done", "lines"),
    [
        ([set_argument("look", "optional", None)], ["object, optional=True)", "object)"]),
        (
            [set_argument("fetch", "object", "'cup'")],
            ["object=object,  # which", "object='cup',  # which"],
        ),
        ([rename("hold", "keep")], 2),
        ([remove_state("hold")], ["    hold = tm.State(Grasp", "        tm.start(hold,"]),
        ([add_transition("on(fetch.failed(kind='timeout'), start=look, times=1)")], ["+        tm.on(fetch.failed"]),
        ([add_transition("on(fetch.failed, start=look, times=2)", 1)], ["+        tm.on(fetch.failed"]),
        (
            [change_transition(2, "on(look.task_complete, start=(fetch,))")],
            ["fetch),  # the end", ",)),  # the end"],
        ),
    ],
)
def test_an_edit_changes_its_own_lines(done: list[Edit], lines: list[str] | int) -> None:
    """Comments and helper code stay."""
    found = changed(*done)
    if isinstance(lines, int):
        assert len(found) == 2 * lines
    else:
        assert len(found) == len(lines)
        assert all(part in line for part, line in zip(lines, found, strict=True))


def test_a_state_comes_with_what_starts_it_and_its_import() -> None:
    new = add_state("wait", "Timer", module="taskmatrix.behaviors", duration="2.0")
    found = changed(new, add_transition("on(look.task_failed, start=wait)"))
    assert [line for line in found if line.startswith("+")] == [
        "+from taskmatrix.behaviors import Fixate, Grasp, Pickup, Timer  # what it is made of",
        "+    wait = tm.State(Timer, duration=2.0)",
        "+        tm.on(look.task_failed, start=wait),",
    ]


def test_the_first_state_of_an_empty_machine() -> None:
    """Nothing is needed but the class: the rest is imported."""
    text = "from taskmatrix.core import Machine\n\n\nclass Ensure(Machine):\n    pass\n"
    new = add_state("wait", "Timer", module="taskmatrix.behaviors", duration="2.0", final="True")
    after = apply(Program(text), "Ensure", new, add_transition("start(wait)"))
    assert after.machine().problem == ""
    assert list(after.machine().states) == ["wait"]
    assert len(after.machine().transitions) == 1


def test_a_function_is_called_as_the_file_calls_it() -> None:
    text = TEXT.replace("import taskmatrix as tm", "import taskmatrix as tm\nfrom taskmatrix.core import on as upon")
    assert changed(add_transition("on(fetch.failed, start=look, times=1)"), text=text) == [
        "+        upon(fetch.failed, start=look, times=1),"
    ]


@pytest.mark.parametrize(
    ("done", "words"),
    [
        (
            [add_state("wait", "Timer", module="taskmatrix.behaviors", duration="1.0")],
            "'wait' of Ensure is never",
        ),
        ([add_state("look", "Fixate")], "'look' means something else in Ensure already"),
        ([add_state("a b", "Fixate")], "'a b' is no name"),
        ([rename("hold", "plan")], "'plan' is a name of the library's"),
        ([rename("hold", "tm")], "'tm' means something else"),
        ([set_argument("fetch", "duration", "-3")], "'duration' is -3.0; the smallest allowed is 0.0"),
        ([set_argument("fetch", "duraton", "3")], "did you mean 'duration'"),
        ([set_argument("fetch", "duration", "3 +")], "this is no expression of Python"),
        ([set_argument("look", "target", None)], "does not wire the required parameter 'target'"),
        ([add_transition("on(look.task_complet, start=fetch)")], "did you mean 'task_complete'"),
        ([remove_transition(2)], "state 'fetch' of Ensure is never started"),
        ([add_transition("on(look.task_failed, start=grab)")], "no name 'grab' in program.py"),
        ([set_argument("look", "target", "object_")], "no name 'object_' in program.py; did you mean 'object'"),
        ([add_transition("on(look.task_failed, start=len())")], "it could not be drawn any more"),
    ],
)
def test_what_the_class_check_refuses_is_refused(done: list[Edit], words: str) -> None:
    with pytest.raises(MachineError, match=words):
        apply(Program(TEXT), "Ensure", *done)


def test_what_is_not_there_cannot_be_edited() -> None:
    with pytest.raises(NotFoundError, match="no state 'lok' in Ensure; did you mean 'look'"):
        apply(Program(TEXT), "Ensure", remove_state("lok"))
    with pytest.raises(NotFoundError, match="no transition '9'"):
        apply(Program(TEXT), "Ensure", remove_transition(9))


def test_a_class_that_is_refused_already_can_be_mended() -> None:
    broken = TEXT.replace("target=object, optional=True", "optional=True")
    assert Program(broken).machine().problem
    assert apply(Program(broken), "Ensure", set_argument("look", "target", "object")).machine().problem == ""


def test_random_edits_leave_a_program_that_parses_and_is_checked() -> None:
    """Whatever is accepted passes the check of the class and leaves the helper's lines alone."""
    random_ = random.Random(1)
    accepted = 0
    program = Program(TEXT)
    for _ in range(120):
        states = [*program.machine().states, "nobody"]
        state, other = random_.choice(states), random_.choice(states)
        number = random_.randrange(len(program.machine().transitions) + 1)
        message = random_.choice(["task_complete", "failed", "task_successful", "planning_ended", "no_such"])
        moves = [
            [add_state(f"s{random_.randrange(99)}", "Fixate", target="object", optional="True")],
            [
                add_state(new := f"s{random_.randrange(99)}", "Timer", module="taskmatrix.behaviors", duration="1"),
                add_transition(f"on({state}.{message}, start={new})", number),
            ],
            [remove_state(state)],
            [rename(state, f"r{random_.randrange(99)}")],
            [set_argument(state, "optional", random_.choice(["True", "False", None]))],
            [set_argument(state, random_.choice(["target", "duration"]), random_.choice(["object", "2.5", None]))],
            [add_transition(f"on({state}.{message}, start={other}, times=1)")],
            [change_transition(number, edits.transition(f"{state}.{message}", [other], when="~Grasping(object)"))],
            [remove_transition(number)],
        ]
        try:
            program = apply(program, "Ensure", *random_.choice(moves))
        except TaskMatrixError:
            continue
        accepted += 1
        assert program.machine().problem == ""
        assert program.text.endswith('    def helper(self):\n        return   {  "odd" :1 }\n')
    assert accepted > 30


def without_imports(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith("from ")]


def test_shipped_machines_survive_a_state_that_comes_and_goes() -> None:
    """A state that is removed again leaves nothing but its imports."""
    survived = []
    for path in sorted((Path(taskmatrix.__file__).parent / "behaviors").rglob("*.py")):
        program = Program(path.read_text(encoding="utf-8"), path)
        for name, machine in program.machines.items():
            if machine.states:
                first = next(iter(machine.states))
                new = add_state("waiting", "Timer", module="taskmatrix.behaviors", duration="1.0", optional="True")
                edited = apply(program, name, new, add_transition(f"on({first}.planning_ended, start=waiting)"))
                back = apply(edited, name, remove_state("waiting"))
                assert without_imports(back.text) == without_imports(program.text)
                survived.append(name)
    assert len(survived) >= 14
