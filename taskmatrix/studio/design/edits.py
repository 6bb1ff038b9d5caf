"""Edits of a machine's source, and of what is edited as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

import libcst as cst

from taskmatrix import conditions
from taskmatrix.core.base.errors import MachineError, NotFoundError

from . import syntax
from .class_edits import (
    FACE,
    Edit,
    check_class,
    check_free,
    check_written,
    edited,
    set_argument,
    with_imports,
    with_line,
)
from .reading import Program

MAKERS = ("start", "on", "whenever", "all_of")
CONDITIONS = "taskmatrix.conditions"
KINDS = ("Machine", "ModalComponent", "Component")


def apply(program: Program, name: str, *edits: Edit) -> Program:
    """Edit a machine or a component; several edits are one change.

    Args:
        program: What is edited; it stays as it is.
        name: Of the class.
        edits: As :func:`add_state` and the others give.

    Raises:
        MachineError: The check of the class would refuse what comes out, in its words, and did not before; or there is
            no such thing to edit.
        NotFoundError: There is no such class, state, part, mode, parameter or transition.
    """
    before = program.source(name)
    after = reduce(lambda edited, edit: edit(edited, name), edits, program)
    for each in after.drawn.values():
        was = program.drawn.get(each.name)
        if each.problem and not (was is not None and was.problem):
            raise MachineError(each.problem)
    if name in after.drawn and len(after.drawn[name].code) > len(before.code):
        code = after.drawn[name].code[-1]
        raise MachineError(f"it could not be drawn any more: {code.text.strip()}: {code.why}")
    return after


def add_class(program: Program, kind: str, name: str, doc: str = "") -> Program:
    """Write a machine without states, or a component without modes or parts, at the end of the file.

    Args:
        program: What is edited; it stays as it is.
        kind: ``Machine``, ``ModalComponent`` or ``Component``.
        name: Of its class.
        doc: What it does.

    Raises:
        MachineError: The name is none for a class, or means something already.
    """
    check_class(program, name)
    if kind not in KINDS:
        raise NotFoundError("kind of class", kind, KINDS)
    tree = cst.parse_module(program.text)
    base = program.imported(FACE, kind)
    if base is None and kind == "Machine":
        base, tree = "tm.Machine", syntax.importing(tree, "taskmatrix", alias="tm")
    elif base is None:
        base, tree = kind, syntax.importing(tree, FACE, kind)
    made = cst.parse_statement(f"class {name}({base}):\n    pass\n", config=tree.config_for_parsing)
    assert isinstance(made, cst.ClassDef)
    lines = [syntax.text_line(doc)] if doc.strip() else [cst.SimpleStatementLine([cst.Pass()])]
    blank = [cst.EmptyLine(indent=False)] * 2
    made = made.with_changes(body=cst.IndentedBlock(lines), leading_lines=blank if tree.body else [])
    after = edited(program, tree.with_changes(body=[*tree.body, made]))
    if name not in after.drawn or after.drawn[name].problem.startswith("machines and components cannot"):
        raise MachineError(f"'{name}' is the name of what classes of {program.file} are made of")
    return after


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
    check_free(program, machine, name)
    tree = cst.parse_module(program.text)
    written = (program.imported(module, behavior) if module else behavior) or behavior
    state = program.imported(FACE, "State") or "State"
    for value in arguments.values():
        check_written(program, machine, value)
    call = ", ".join([written, *(f"{key}={value}" for key, value in arguments.items())])
    line = syntax.statement(f"{name} = {state}({call})", tree)
    block = syntax.body(tree, machine)
    targets = [syntax.target(each) for each in block.body]
    states = [number for number, each in enumerate(targets) if each in found.states]
    place = states[-1] + 1 if states else targets.index("transitions") if "transitions" in targets else len(targets)
    tree = with_line(tree, block, line, place, apart=not states)
    tree = with_imports(tree, program, written, module=module) if module else tree
    return edited(program, with_imports(tree, program, state))


def _transition(written: str, program: Program) -> cst.BaseExpression:
    """A transition with the library's functions as the file calls them."""
    made = syntax.expression(written)
    names = {name: program.imported(FACE, name) or name for name in MAKERS}
    return syntax.calling(made, names)


def _with_imports(tree: cst.Module, program: Program, made: cst.BaseExpression) -> cst.Module:
    """The file with imports of what the library has and a transition newly mentions."""
    known = Program(tree.code).names()
    for name in syntax.called(made):
        if name in MAKERS and program.imported(FACE, name) is None:
            tree = syntax.importing(tree, FACE, name)
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
                program = set_argument(state.name, argument, None)(program, machine)
    tree = cst.parse_module(program.text)
    block = syntax.body(tree, machine)
    return edited(program, syntax.replaced(tree, block, syntax.without_line(block, name)))


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
        tree = with_line(tree, block, made_line, last + 1, apart=True)
    else:
        sequence = syntax.sequence(statement, machine)
        elements = syntax.with_element(sequence, made, len(sequence.elements) if at is None else at)
        tree = syntax.replaced(tree, sequence, elements)
    return edited(program, _with_imports(tree, program, made))


def _change_transition(number: int, written: str, program: Program, machine: str) -> Program:
    tree = cst.parse_module(program.text)
    element = syntax.element(tree, machine, number)
    made = _transition(written, program)
    return edited(
        program, _with_imports(syntax.replaced(tree, element, element.with_changes(value=made)), program, made)
    )


def _remove_transition(number: int, program: Program, machine: str) -> Program:
    tree = cst.parse_module(program.text)
    syntax.element(tree, machine, number)
    statement = next(each for each in syntax.body(tree, machine).body if syntax.target(each) == "transitions")
    sequence = syntax.sequence(statement, machine)
    return edited(program, syntax.replaced(tree, sequence, syntax.without_element(sequence, number)))
