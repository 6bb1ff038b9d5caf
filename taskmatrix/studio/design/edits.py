"""Edits of a machine's source: each takes a program and gives another, and changes its own lines only."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Sequence
from functools import partial, reduce

import libcst as cst

from taskmatrix import conditions
from taskmatrix.core.base.errors import MachineError, NotFoundError

from . import syntax
from .reading import Program

Edit = Callable[[Program, str], Program]
"""What takes a program and the name of a machine's class, and gives the program as edited."""
MAKERS = ("start", "on", "whenever", "all_of")
MACHINES, CONDITIONS = "taskmatrix.core.machines.machine", "taskmatrix.conditions"
PARAMETERS = "taskmatrix.core.base.parameter"


def apply(program: Program, machine: str, *edits: Edit) -> Program:
    """Edit a machine; several edits are one change.

    Args:
        program: What is edited; it stays as it is.
        machine: The name of the class.
        edits: As :func:`add_state` and the others give.

    Raises:
        MachineError: The check of the class would refuse what comes out, in its words, and did not before; or there is
            no such thing to edit.
        NotFoundError: There is no such machine, state, parameter or transition.
    """
    before = program.machine(machine)
    after = reduce(lambda edited, edit: edit(edited, machine), edits, program)
    for name, each in after.machines.items():
        was = program.machines.get(name)
        if each.problem and not (was is not None and was.problem):
            raise MachineError(each.problem)
    if machine in after.machines and len(after.machine(machine).code) > len(before.code):
        code = after.machine(machine).code[-1]
        raise MachineError(f"it could not be drawn any more: {code.text.strip()}: {code.why}")
    return after


def add_machine(program: Program, name: str, doc: str = "") -> Program:
    """Write a machine without states at the end of the file.

    Args:
        program: What is edited; it stays as it is.
        name: Of its class.
        doc: What it does.

    Raises:
        MachineError: The name is none for a class, or means something already.
    """
    if not name.isidentifier() or keyword.iskeyword(name):
        raise MachineError(f"'{name}' is no name of a class: letters, digits and _ make one, as in FetchCan")
    if name in program.names():
        raise MachineError(f"'{name}' means something else in {program.file} already")
    tree = cst.parse_module(program.text)
    base = program.imported(MACHINES, "Machine")
    if base is None:
        base, tree = "tm.Machine", syntax.importing(tree, "taskmatrix", alias="tm")
    made = cst.parse_statement(f"class {name}({base}):\n    pass\n", config=tree.config_for_parsing)
    assert isinstance(made, cst.ClassDef)
    lines = [syntax.text_line(doc)] if doc.strip() else [cst.SimpleStatementLine([cst.Pass()])]
    blank = [cst.EmptyLine(indent=False)] * 2
    made = made.with_changes(body=cst.IndentedBlock(lines), leading_lines=blank if tree.body else [])
    return _edited(program, tree.with_changes(body=[*tree.body, made]))


def add_state(name: str, behavior: str, /, module: str = "", **arguments: str) -> Edit:
    """Add a state below the others.

    Args:
        name: Of the state.
        behavior: Name of the class of its behavior.
        module: From where that is imported if the file does not do so yet; it does where this is not given.
        **arguments: How they are written.
    """
    return partial(_add_state, name, behavior, module, arguments)


def remove_state(name: str) -> Edit:
    """Remove a state, transitions on its messages, and what starts and stops it or reads its outputs."""
    return partial(_remove_state, name)


def rename(old: str, new: str) -> Edit:
    """Rename a state or a parameter of the machine wherever the class body means it."""
    return partial(_rename, old, new)


def set_parameter(name: str, text: str) -> Edit:
    """Declare a parameter of the machine, or write another declaration in the place of one.

    Args:
        name: Of the parameter.
        text: How it is written, ``Parameter(str, doc="id of the object")``.
    """
    return partial(_set_parameter, name, text)


def remove_parameter(name: str) -> Edit:
    """Remove a parameter of the machine, and the arguments of states that are wired to it."""
    return partial(_remove_parameter, name)


def set_argument(state: str, name: str, value: str | None) -> Edit:
    """Write an argument of a state, ``final`` and ``optional`` among them; None leaves it out."""
    return partial(_set_argument, state, name, value)


def add_transition(text: str, at: int | None = None) -> Edit:
    """Add a transition as it is written, ``on(reach.task_successful, start=grasp)``; last unless a place is given."""
    return partial(_add_transition, text, at)


def change_transition(number: int, text: str) -> Edit:
    """Write another transition in the place of one."""
    return partial(_change_transition, number, text)


def remove_transition(number: int) -> Edit:
    """Remove a transition."""
    return partial(_remove_transition, number)


def transition(
    trigger: str = "",
    start: Sequence[str] = (),
    stop: Sequence[str] = (),
    *,
    when: str = "",
    times: str = "",
    fail: str = "",
    monitor: str = "",
) -> str:
    """How a transition is written, with ``on``, ``start`` or ``whenever`` as the library calls them.

    Args:
        trigger: The message, ``reach.task_successful``; a transition at the start where there is neither this nor
            a condition.
        start: States to start.
        stop: States to terminate.
        when: Guard.
        times: How often it is followed at most.
        fail: Why the machine fails then.
        monitor: The condition that is waited for.
    """
    named = []
    for key, names in (("start", start), ("stop", stop)):
        joined = ", ".join(names)
        named += [f"{key}={joined if len(names) == 1 else f'({joined})'}"] if names else []
    named += [f"{key}={value}" for key, value in (("when", when), ("times", times)) if value]
    named += [f"fail={fail!r}"] if fail else []
    if monitor:
        return f"whenever({', '.join([monitor, *named])})"
    if trigger:
        return f"on({', '.join([trigger, *named])})"
    return f"start({', '.join([*start, *([f'when={when}'] if when else [])])})"


def _add_state(
    name: str, behavior: str, module: str, arguments: dict[str, str], program: Program, machine: str
) -> Program:
    found = program.machine(machine)
    _check_free(program, machine, name)
    tree = cst.parse_module(program.text)
    written = (program.imported(module, behavior) if module else behavior) or behavior
    state = program.imported(MACHINES, "State") or "State"
    call = ", ".join([written, *(f"{key}={value}" for key, value in arguments.items())])
    line = syntax.statement(f"{name} = {state}({call})", tree)
    block = syntax.body(tree, machine)
    targets = [syntax.target(each) for each in block.body]
    states = [number for number, each in enumerate(targets) if each in found.states]
    place = states[-1] + 1 if states else targets.index("transitions") if "transitions" in targets else len(targets)
    tree = _with_line(tree, block, line, place, apart=not states)
    for source, wanted in ((module, written), (MACHINES, state)):
        if source and "." not in wanted and wanted not in program.names():
            tree = syntax.importing(tree, source, wanted)
    return _edited(program, tree)


def _edited(program: Program, tree: cst.Module) -> Program:
    return Program(tree.code, program.file)


def _check_free(program: Program, machine: str, name: str) -> None:
    """Refuse a name for a state or parameter that is none, or that means something already."""
    if not name.isidentifier() or keyword.iskeyword(name):
        raise MachineError(f"'{name}' is no name: letters, digits and _ make one")
    tree = cst.parse_module(program.text)
    taken = {syntax.target(each) for each in syntax.body(tree, machine).body}
    known = program.names() - set(dir(builtins))  # parameters are called object
    if name in taken or name in known or syntax.means(syntax.body(tree, machine), name):
        raise MachineError(f"'{name}' means something else in {machine} already")


def _transition(written: str, program: Program) -> cst.BaseExpression:
    """A transition with the library's functions as the file calls them."""
    made = syntax.expression(written)
    names = {name: program.imported(MACHINES, name) or name for name in MAKERS}
    return syntax.calling(made, names)


def _with_imports(tree: cst.Module, program: Program, made: cst.BaseExpression) -> cst.Module:
    """The file with imports of what the library has and a transition newly mentions."""
    known = Program(tree.code).names()
    for name in syntax.called(made):
        if name in MAKERS and program.imported(MACHINES, name) is None:
            tree = syntax.importing(tree, MACHINES, name)
        elif name not in known and name in conditions.__all__:
            tree = syntax.importing(tree, CONDITIONS, name)
    return tree


def _remove_state(name: str, program: Program, machine: str) -> Program:
    found = program.machine(machine)
    if name not in found.states:
        raise NotFoundError("state", name, found.states, machine)
    for each in reversed(found.transitions):
        call = cst.parse_expression(each.text)
        if each.made is None or not isinstance(call, cst.Call):
            if syntax.means(call, name):
                program = _remove_transition(each.number, program, machine)
            continue
        heads = [state.name for state in (*each.made.start, *each.made.stop)]
        waits = any(trigger.state.name == name for trigger in each.made.triggers)
        if waits or syntax.asks(call, name) or set(heads) == {name}:
            program = _remove_transition(each.number, program, machine)
        elif name in heads:
            less = syntax.code(syntax.without(call, name))
            program = _change_transition(each.number, less, program, machine)
    for state in found.states.values():
        for argument, value in state.arguments.items():
            if state.name != name and syntax.means(cst.parse_expression(value), name):
                program = _set_argument(state.name, argument, None, program, machine)
    tree = cst.parse_module(program.text)
    block = syntax.body(tree, machine)
    return _edited(program, syntax.replaced(tree, block, syntax.without_line(block, name)))


def _rename(old: str, new: str, program: Program, machine: str) -> Program:
    found = program.machine(machine)
    if old not in found.states and old not in found.parameters:
        raise NotFoundError("state or parameter", old, [*found.states, *found.parameters], machine)
    _check_free(program, machine, new)
    tree = cst.parse_module(program.text)
    block = syntax.body(tree, machine)
    return _edited(program, syntax.replaced(tree, block, syntax.renamed(block, old, new)))


def _set_parameter(name: str, text: str, program: Program, machine: str) -> Program:
    found = program.machine(machine)
    known = {"Parameter": program.imported(PARAMETERS, "Parameter") or "Parameter"}
    made = syntax.calling(syntax.expression(text), known)
    tree = cst.parse_module(program.text)
    block = syntax.body(tree, machine)
    if name in found.parameters:
        line = next(each for each in block.body if syntax.target(each) == name)
        before = syntax.value(line)
        assert before is not None
        tree = syntax.replaced(tree, before, made)
    else:
        _check_free(program, machine, name)
        places = [number for number, each in enumerate(block.body) if syntax.target(each) in found.parameters]
        place = places[-1] + 1 if places else syntax.after_words(block)
        line = syntax.statement(f"{name} = {syntax.code(made)}", tree)
        tree = _with_line(tree, block, line, place, apart=not places)
    after = _edited(program, tree)
    if name not in after.machine(machine).parameters:
        raise MachineError(f"this declares no parameter: {text}; write Parameter(float, default=1.0), for example")
    return after


def _remove_parameter(name: str, program: Program, machine: str) -> Program:
    found = program.machine(machine)
    if name not in found.parameters:
        raise NotFoundError("parameter", name, found.parameters, machine)
    for state in found.states.values():
        for argument, value in state.arguments.items():
            if syntax.means(cst.parse_expression(value), name):
                program = _set_argument(state.name, argument, None, program, machine)
    tree = cst.parse_module(program.text)
    block = syntax.body(tree, machine)
    return _edited(program, syntax.replaced(tree, block, syntax.without_line(block, name)))


def _with_line(
    tree: cst.Module, block: cst.IndentedBlock, line: cst.SimpleStatementLine, place: int, apart: bool
) -> cst.Module:
    """A file with another line in the body of a class; with an empty line above it if it is to stand apart."""
    lines = list(block.body)
    if len(lines) == 1 and syntax.passes(lines[0]):
        lines, place = [], 0
    if apart and place > 0:
        line = line.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    lines.insert(place, line)
    return syntax.replaced(tree, block, block.with_changes(body=lines))


def _set_argument(state: str, name: str, value: str | None, program: Program, machine: str) -> Program:
    found = program.machine(machine)
    if state not in found.states:
        raise NotFoundError("state", state, found.states, machine)
    tree = cst.parse_module(program.text)
    statement = next(each for each in syntax.body(tree, machine).body if syntax.target(each) == state)
    call = syntax.value(statement)
    if not isinstance(call, cst.Call):
        raise MachineError(f"state '{state}' of {machine} is not written as a call")
    args = list(call.args)
    place = next((number for number, arg in enumerate(args) if syntax.word(arg) == name), None)
    if value is None:
        if place is not None:
            args = syntax.less(args, place)
    else:
        made = syntax.expression(value)
        if place is not None:
            args[place] = args[place].with_changes(value=made)
        else:
            if not name.isidentifier() or keyword.iskeyword(name):
                raise MachineError(f"'{name}' is no name of a parameter")
            args = syntax.more(args, made, name)
    return _edited(program, syntax.replaced(tree, call, call.with_changes(args=args)))


def _add_transition(written: str, at: int | None, program: Program, machine: str) -> Program:
    tree = cst.parse_module(program.text)
    made = _transition(written, program)
    statement = next((each for each in syntax.body(tree, machine).body if syntax.target(each) == "transitions"), None)
    if statement is None:
        block = syntax.body(tree, machine)
        states = program.machine(machine).states
        places = [number for number, each in enumerate(block.body) if syntax.target(each) in states]
        inner = block.indent if block.indent is not None else tree.default_indent
        many = f"transitions = (\n{inner}{syntax.code(made)},\n)"
        made_line = syntax.statement(many, tree)
        last = places[-1] if places else len(block.body) - 1
        tree = _with_line(tree, block, made_line, last + 1, apart=True)
    else:
        sequence = syntax.sequence(statement, machine)
        elements = syntax.with_element(sequence, made, len(sequence.elements) if at is None else at)
        tree = syntax.replaced(tree, sequence, elements)
    return _edited(program, _with_imports(tree, program, made))


def _change_transition(number: int, written: str, program: Program, machine: str) -> Program:
    tree = cst.parse_module(program.text)
    element = syntax.element(tree, machine, number)
    made = _transition(written, program)
    return _edited(
        program, _with_imports(syntax.replaced(tree, element, element.with_changes(value=made)), program, made)
    )


def _remove_transition(number: int, program: Program, machine: str) -> Program:
    tree = cst.parse_module(program.text)
    syntax.element(tree, machine, number)
    statement = next(each for each in syntax.body(tree, machine).body if syntax.target(each) == "transitions")
    sequence = syntax.sequence(statement, machine)
    return _edited(program, syntax.replaced(tree, sequence, syntax.without_element(sequence, number)))
