"""Machines are read from their text, and none of it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import taskmatrix
from taskmatrix.core.base.errors import MachineError, NotFoundError
from taskmatrix.session.catalogue import behaviors, load
from taskmatrix.session.graph import graph_of
from taskmatrix.studio.design.reading import Program

PACKAGE = Path(taskmatrix.__file__).parent
HEAD = "import taskmatrix as tm\nfrom taskmatrix.behaviors import Timer\nclass A(tm.Machine):\n"
SHIPPED = [*(PACKAGE / "behaviors").rglob("*.py"), *(PACKAGE.parent / "examples").rglob("*.py")]


def of(body: str) -> Program:
    return Program(HEAD + "".join(f"    {line}\n" for line in body.split("\n")))


def test_shipped_machines_are_read_as_they_are_loaded() -> None:
    """The drawing made from the text is the drawing made from the class."""
    machines = {type_.__name__: type_ for type_ in map(load, behaviors()) if getattr(type_, "states", None)}
    read = {}
    for path in SHIPPED:
        for name, machine in Program(path.read_text(encoding="utf-8"), path).machines.items():
            assert machine.problem == ""
            assert machine.code == []
            read[name] = machine
    assert len(machines) >= 12
    for name, machine_class in machines.items():
        assert read[name].graph() == graph_of(machine_class)


def test_nothing_of_a_file_runs(tmp_path: Path) -> None:
    """Neither when it is imported nor in the body of its class."""
    ran = tmp_path / "ran"
    program = Program(
        f"open({str(ran)!r}, 'w').write('x')\nimport os\nimport taskmatrix as tm\nclass A(tm.Machine):\n"
        f"    x = tm.State(open({str(ran)!r}, 'w').write('x'))\n    y = tm.Parameter(float, default=os.abort())\n"
        f"    z = tm.State.__init__.__globals__['x']\n    w = [open({str(ran)!r}, 'w') for i in range(3)]\n"
    )
    assert not ran.exists()
    assert [each.line for each in program.machine().code] == [6, 7, 8]
    assert program.machine().unread == [f"open({str(ran)!r}, 'w').write('x')"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("class A(:\n", "is no Python: invalid syntax, in line 1"),
        ("a\0b", "null bytes"),
        ("x=" + "(" * 5000 + ")" * 5000, "too many nested parentheses"),
        ("x=" + "+".join("1" * 50_000), "cannot be read: maximum recursion depth"),
        ("x=" + "-" * 150 + "1", "nested more than 100 levels deep"),
        ("#" * 1_000_001, "has 1000001 characters; at most 1000000 are read"),
        (
            HEAD + "".join(f"    s{number} = tm.State(Timer)\n" for number in range(10_000)),
            "A has 10000 states; at most 500 are drawn",
        ),
    ],
)
def test_what_cannot_be_read_is_told(text: str, words: str) -> None:
    with pytest.raises(MachineError, match=words):
        Program(text)


def test_machines_in_a_circle_are_refused_in_words() -> None:
    program = Program(
        "import taskmatrix as tm\nclass A(tm.Machine):\n    b = tm.State(B, final=True)\n"
        "class B(tm.Machine):\n    a = tm.State(A, final=True)\n"
    )
    assert "in a circle: A -> B -> A" in program.machine("B").problem


def test_states_made_by_a_loop_are_shown_as_code() -> None:
    """What can be read beside them is drawn, and nothing is said of a check that could not be made."""
    machine = of(
        "for i in range(3):\n    locals()[f's{i}'] = tm.State(Timer)\n"
        "t = tm.State(Timer, duration=1.0, final=True)\ntransitions = (tm.start(t), *more())"
    ).machine()
    assert list(machine.states) == ["t"]
    assert [each.text.strip().split("\n")[0] for each in machine.code] == [
        "for i in range(3):",
        "transitions = (tm.start(t), *more())",
    ]
    assert (machine.problem, machine.checked) == ("", False)
    assert [box.label for box in machine.graph().boxes] == ["start", "t\nTimer"]


def test_a_computed_value_is_drawn_with_its_words() -> None:
    machine = of("t = tm.State(Timer, duration=float('3') * 2, final=True)\ntransitions = (tm.start(t),)").machine()
    assert machine.problem == ""
    assert ("parameter", "float('3') * 2") in [(box.kind, box.label) for box in machine.graph().boxes]


def test_what_the_class_check_refuses_is_said_in_its_words() -> None:
    """With the line that is wrong."""
    machine = of("t = tm.State(Timer, duration=-1.0, final=True)\ntransitions = (tm.start(t),)").machine()
    assert machine.problem == (
        "state 't' of A: parameter 'duration' is -1.0; the smallest allowed is 0.0\n"
        "  program.py:4: t = tm.State(Timer, duration=-1.0, final=True)"
    )


def test_a_behavior_of_the_same_file_is_known_by_what_it_declares() -> None:
    text = (
        "import taskmatrix as tm\nclass Nod(tm.TaskBehavior):\n    times = tm.Parameter(int, maximum=9)\n"
        "    def control(self): return True\n"
        "class A(tm.Machine):\n    nod = tm.State(Nod, times=10, final=True)\n    transitions = (tm.start(nod),)\n"
    )
    assert "'times' is 10; the largest allowed is 9" in Program(text).machine("A").problem


def test_a_machine_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(NotFoundError, match=r"no machine 'B' in program.py.* There are: A"):
        of("pass").machine("B")
