"""Whether the designer keeps its word: the drawing and the Python are the same.

    python benchmarks/design.py --edits 500

Shipped: every file of behaviors, of the forward player and of the examples is opened; each of its machines is edited by
a state that comes and goes, and all is undone. The file has to have its bytes again.

Edits: random edits (add, wire, rename, delete, undo, redo) of a machine, first through the model, then in the page in a
Chromium without a window, by its buttons, fields and keys. After each the file has to be a program that Python runs
and whose class the library draws as the designer does, or the edit was refused and nothing changed. At the end all is
undone, and the file has to have its bytes again. Prints

    accepted    edits, of those that were tried
    slowest     from an edit to the drawing of what is in the file then [ms]

Hostile: what would do harm if it were run, or is too large, nested too deeply or no Python, has to be refused or drawn
in a few seconds without running anything. Prints how long it takes.

Build: the machine of the how-to page on machines is built from nothing by mouse and keyboard, run with a wrong object,
mended, and run again. Prints how many clicks, keys and typed words that takes.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Annotated, Any

import typer
from console import Console
from options import main
from rich.table import Table

import taskmatrix
from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.session.graph import component_graph, graph_of, modes_graph
from taskmatrix.studio.design.class_edits import Edit, remove_parameter, rename, set_argument, set_parameter
from taskmatrix.studio.design.component_edits import (
    add_mode,
    add_part,
    add_switch,
    change_switch,
    remove_mode,
    remove_part,
    remove_switch,
    set_frequency,
)
from taskmatrix.studio.design.document import Document
from taskmatrix.studio.design.edits import add_state, add_transition, remove_state, remove_transition
from taskmatrix.studio.design.sources import ComponentSource

PACKAGE = Path(taskmatrix.__file__).parent
FOLDERS = (PACKAGE / "behaviors", PACKAGE / "soccer", PACKAGE.parent / "examples")
BEHAVIORS = {"Timer": {"duration": "1.0"}, "Fixate": {"target": "object"}, "Postural": {"posture": "'ready'"}}
MESSAGES = ("task_complete", "task_successful", "failed", "planning_started", "planning_ended", "no_such")
START = '''"""A program with a comment or two."""

import taskmatrix as tm
from taskmatrix.behaviors import Fixate, Pickup  # what it is made of


class Eye(tm.Component, frequency=25.0):
    pan = tm.Modulation(float, default=0.0)


class Guard(tm.ModalComponent, frequency=10.0):
    """Look round."""

    eye = tm.Part(Eye)  # sees

    look = tm.Mode(inform=[eye])
    turn = tm.Mode(act=[eye])

    @turn.code
    def sweep(self) -> None:
        look = 0.3  # no mode
        self.eye.pan = look

    @look.to(turn, after=2.0)
    def is_bored(self) -> bool:
        return True

    turn.to(look, after=5.0)  # and back


class Fetch(tm.Machine):
    """Fetch an object."""

    object = tm.Parameter(str, doc="id of the object")  # which

    look = tm.State(Fixate, target=object, optional=True)
    fetch = tm.State(Pickup, object=object, final=True)  # the end

    transitions = (
        tm.start(look),  # first of all
        # then
        tm.on(look.task_complete, start=fetch),
    )

    def helper(self):
        return   {  "odd" :1 }
'''
HOSTILE = {
    "runs code when it is imported": "open({ran!r}, 'w')\nimport taskmatrix as tm\n"
    "class A(tm.Machine):\n    x = open({ran!r}, 'w')\n",
    "10,000 states": "import taskmatrix as tm\nfrom taskmatrix.behaviors import Timer\nclass A(tm.Machine):\n"
    + "".join(f"    s{number} = tm.State(Timer, duration=1.0)\n" for number in range(10_000)),
    "a syntax error": "class A(:\n",
    "machines in a circle": "import taskmatrix as tm\nclass A(tm.Machine):\n    b = tm.State(B, final=True)\n"
    "class B(tm.Machine):\n    a = tm.State(A, final=True)\n",
    "50,000 terms": "x=" + "+".join("1" * 50_000),
    "5,000 parentheses": "x=" + "(" * 5000 + ")" * 5000,
}


def run(
    edits: Annotated[int, typer.Option(help="Random edits, through the model and in the page.")] = 500,
    seed: Annotated[int, typer.Option(help="Of the edits.")] = 1,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Also what is done in the page.")] = True,
) -> None:
    """Measure and report."""
    console = Console()
    with tempfile.TemporaryDirectory() as folder:
        console.print(f"shipped: {shipped(Path(folder))}")
        table = Table("random edits", "tried", "accepted", "refused", "undone [steps]", "slowest [ms]")
        table.add_row("model", *through_model(Path(folder), edits, Random(seed)))
        console.print(table)
        hostile(Path(folder), console)
        if browser:
            from design_page import built, in_page, large, switched  # noqa: PLC0415 - needs Playwright

            table.add_row("page", *in_page(Path(folder), edits, Random(seed)))
            console.print(table)
            for done in (built, switched, large):
                console.print(done(Path(folder)))


def shipped(folder: Path) -> str:
    """Open and edit every file, and undo it."""
    files = machines = components = 0
    for path in sorted(each for folder in FOLDERS for each in folder.rglob("*.py")):
        copy, data = folder / "copy.py", path.read_bytes()
        copy.write_bytes(data)
        document = Document(copy)
        document.program = type(document.program)(document.text, path)  # relative imports lead on from there
        for name, machine in document.program.machines.items():
            if machine.states:
                first = next(iter(machine.states))
                new = add_state("waiting", "Timer", module="taskmatrix.behaviors", duration="1.0", optional="True")
                document.edit(name, new, add_transition(f"on({first}.planning_ended, start=waiting)"))
                machines += 1
                document.undo()
        for name, component in document.program.components.items():
            document.edit(name, set_frequency("12.5"))
            if component.modes:
                document.edit(name, add_switch(next(iter(component.modes)), list(component.modes)[-1], "100.0"))
                document.undo()
            components += 1
            document.undo()
        assert copy.read_bytes() == data, path
        files += 1
    return f"{files} files, {machines} machines and {components} components in them have their bytes again"


def random_edit(random: Random, document: Document) -> list[Edit]:
    """Something that a person might do, also what is refused."""
    machine = document.program.machine()
    state, other = (random.choice([*machine.states, "nobody"]) for _ in range(2))
    message, number = random.choice(MESSAGES), random.randrange(len(machine.transitions) + 1)
    behavior = random.choice(list(BEHAVIORS))
    name = f"s{random.randrange(99)}"
    new = add_state(name, behavior, module="taskmatrix.behaviors", optional="True", **BEHAVIORS[behavior])
    wired = random.choice(["duration", "target", "recurrent"])
    moves: list[list[Edit]] = [
        [new, add_transition(f"on({state}.{message}, start={name})", number)],
        [add_transition(f"on({state}.{message}, start={other}, times=1, when=~Grasping(object))")],
        [set_argument(state, wired, random.choice(["object", "2.5", "True", "3 +", None]))],
        [set_parameter(f"p{random.randrange(9)}", "Parameter(float, default=1.0)")],
        [set_parameter(f"p{number}", "Parameter(float, default=2.0)"), set_argument(state, "duration", f"p{number}")],
        [remove_parameter(random.choice([*machine.parameters, "none"]))],
        [rename(random.choice([state, *machine.parameters]), f"r{random.randrange(99)}")],
        [remove_state(state)],
        [remove_transition(number)],
    ]
    return random.choice(moves)


def random_component_edit(random: Random, component: ComponentSource) -> list[Edit]:
    """Likewise of a component."""
    mode, other = (random.choice([*component.modes, "nobody"]) for _ in range(2))
    part = random.choice([*component.parts, "nothing"])
    name, number = f"m{random.randrange(99)}", random.randrange(len(component.switches) + 1)
    after = random.choice(["", "1.5", "-1.0", "3 +"])
    method = random.choice(["", "", "is_bored", f"asks_{random.randrange(99)}"])
    moves: list[list[Edit]] = [
        [add_mode(name, [*component.parts][:1]), add_switch(mode, name, after, method)],
        [add_mode(name)],
        [add_switch(mode, other, after, method)],
        [change_switch(number, other, after)],
        [remove_switch(number)],
        [remove_mode(mode)],
        [rename(random.choice([mode, part]), f"r{random.randrange(99)}")],
        [set_argument(mode, random.choice(["inform", "act", "achieved"]), random.choice([f"[{part}]", "True", None]))],
        [add_part(f"p{random.randrange(99)}", "Eye", name=f"'e{random.randrange(99)}'", frequency="5.0")],
        [remove_part(part)],
        [set_argument(part, "frequency", random.choice(["50.0", "0", None]))],
        [set_frequency(random.choice(["20.0", "-1", None]))],
        [set_parameter(f"q{random.randrange(9)}", "Modulation(float, default=1.0)")],
        [remove_parameter(random.choice([*component.settings, "none"]))],
    ]
    return random.choice(moves)


def through_model(folder: Path, edits: int, random: Random) -> list[str]:
    """Random edits, each checked; then undo them all."""
    path = folder / "fetch.py"
    path.write_text(START)
    document, accepted, slowest, steps = Document(path), 0, 0.0, 0
    for _ in range(edits):
        before, began = path.read_bytes(), perf_counter()
        try:
            way = random.random()
            if way < 0.1:
                document.undo()
            elif way < 0.15:
                document.redo()
            elif way < 0.55:
                document.edit("Guard", *random_component_edit(random, document.program.component("Guard")))
            else:
                document.edit(document.program.machine().name, *random_edit(random, document))
            accepted += 1
        except TaskMatrixError:
            assert path.read_bytes() == before
        document.program.machine().graph()
        slowest = max(slowest, perf_counter() - began)
        same(path, document)
    while document.can_undo:
        document.undo()
        steps += 1
    assert path.read_text() == START
    return [str(edits), str(accepted), str(edits - accepted), str(steps), f"{1000 * slowest:.0f}"]


def same(path: Path, document: Document) -> None:
    """Whether the file is a program that Python runs, and whose machine the library draws as the designer does."""
    found: dict[str, Any] = {"__name__": "fetch"}
    text = document.text
    exec(compile(text, str(path), "exec"), found)  # noqa: S102 - written by ourselves
    machine = document.program.machine()
    assert machine.problem == ""
    assert graph_of(found[machine.name]) == machine.graph(), text
    guard, made = document.program.component("Guard"), found["Guard"]
    assert list(made.modes) == list(guard.modes), text
    if made.modes:
        assert modes_graph("Guard", made.modes, path="guard") == guard.graph(0), text
        assert component_graph(made) == guard.graph(), text
    assert text.endswith('    def helper(self):\n        return   {  "odd" :1 }\n')


def hostile(folder: Path, console: Console) -> None:
    """Open what is hostile."""
    ran, path = folder / "ran", folder / "hostile.py"
    table = Table("hostile", "time [ms]", "what is said")
    for what, text in HOSTILE.items():
        path.write_text(text.replace("{ran!r}", repr(str(ran))))
        began = perf_counter()
        document = Document(path)
        said = document.problem or next((each.problem for each in document.program.machines.values()), "")
        table.add_row(what, f"{1000 * (perf_counter() - began):.0f}", said.replace(str(folder), "")[:90])
        assert not ran.exists()
    console.print(table)


if __name__ == "__main__":
    main(run)
