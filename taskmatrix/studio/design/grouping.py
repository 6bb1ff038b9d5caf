"""States of a machine made into a machine of their own, which is a state of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import libcst as cst

from taskmatrix.core.base.errors import MachineError, NotFoundError
from taskmatrix.core.base.message import MessageKind
from taskmatrix.core.machines.state import Wire
from taskmatrix.core.machines.transition import Transition

from . import syntax
from .class_edits import FACE, Edit, check_class, check_free, edited, with_imports
from .reading import Program
from .sources import MachineSource, TransitionSource

SUCCEEDED = {MessageKind.TASK_SUCCESSFUL, MessageKind.TASK_COMPLETE}
FAILED = {MessageKind.TASK_FAILED, MessageKind.TASK_FAILED_TO_START}


def group(states: Sequence[str], state: str, machine: str, doc: str = "") -> Edit:
    """Make states a machine of their own, above the one that they are of.

    They have to be a chain: one begins it, one ends it, and one of them runs at a time; then the new machine does what
    they did. What they are given from outside become its parameters.

    Args:
        states: That are grouped.
        state: Name of the one that takes their place.
        machine: Name of the new class.
        doc: What it does.
    """
    return partial(_group, tuple(dict.fromkeys(states)), state, machine, doc)


@dataclass
class _Split:
    """The transitions of a machine, by what becomes of them."""

    within: list[int] = field(default_factory=list)
    """That go into the group."""
    entering: list[int] = field(default_factory=list)
    """That begin it."""
    leaving: list[int] = field(default_factory=list)
    """That are followed when it ends."""
    entries: set[str] = field(default_factory=set)
    """States with which it begins."""
    ends: set[str] = field(default_factory=set)
    """States with which it ends in success."""
    failures: dict[str, list[str]] = field(default_factory=dict)
    """By what is done on a failure, the states for which it is."""


def _group(states: tuple[str, ...], state: str, machine: str, doc: str, program: Program, cls: str) -> Program:
    found = program.machine(cls)
    for name in states:
        if name not in found.states:
            raise NotFoundError("state", name, found.states, cls)
    if len(states) < 2:
        raise MachineError("a group is of two states at least")
    check_class(program, machine)
    if state not in states:
        check_free(program, cls, state)
    split = _split(found, set(states))
    first, last = _ends(found, split, states)
    within = [found.transitions[number] for number in split.within]
    counted = [each.text for each in within if each.made is not None and each.made.times is not None]
    if counted and _starts_again(found, set(states)):
        raise MachineError(f"a group that starts again would count anew how often this is followed: {counted[0]}")
    tree = cst.parse_module(program.text)
    given = _given(found, states, split, syntax.body(tree, cls))
    made = _made(program, tree, found, states, (machine, doc, first, last), given, split)
    tree = _outer(program, tree, found, states, (state, machine), given, split)
    place = next(
        number for number, each in enumerate(tree.body) if isinstance(each, cst.ClassDef) and each.name.value == cls
    )
    tree = tree.with_changes(body=[*tree.body[:place], made, *tree.body[place:]])
    needed = [each for each in ("State", "start", "on") if each in syntax.called(made)]
    return edited(program, with_imports(tree, program, *needed))


def _split(found: MachineSource, inner: set[str]) -> _Split:
    split = _Split()
    for each in found.transitions:
        made = each.made
        named = set(syntax.names(cst.parse_expression(each.text)))
        if not named & inner:
            continue
        if made is None:
            raise MachineError(f"transition {each.number + 1} is not drawn, and names {_listed(named & inner)}")
        triggers = {trigger.state.name for trigger in made.triggers}
        start, stop = {one.name for one in made.start}, {one.name for one in made.stop}
        outside = (triggers | start | stop) - inner
        if made.monitor is not None:
            raise MachineError(f"a group would wait for a condition only while it runs: {each.text}")
        if stop & inner:
            raise MachineError(f"it stops a state of the group, which runs one at a time: {each.text}")
        if triggers and triggers <= inner and start <= inner and (start or made.fail):
            if len(start) > 1 or not _kinds(made) <= SUCCEEDED | FAILED:
                raise MachineError(f"two states of the group would run at the same time: {each.text}")
            split.within.append(each.number)
        elif triggers and triggers <= inner:
            _leaves(split, each, next(iter(triggers)), start & inner)
        elif not triggers & inner and start & inner:
            if len(start & inner) > 1:
                raise MachineError(f"two states of the group would run at the same time: {each.text}")
            split.entering.append(each.number)
            split.entries |= start & inner
        else:
            what = f"it is about {_listed(outside)} as well" if outside else "a guard asks for an output of the group"
            raise MachineError(f"{what}: {each.text}")
    return split


def _starts_again(found: MachineSource, inner: set[str]) -> bool:
    """Whether what follows a group may lead to it once more."""
    reached, ahead = set[str](), set(inner)
    while ahead:
        state = ahead.pop()
        reached.add(state)
        for each in found.transitions:
            made = each.made
            if made is not None and any(trigger.state.name == state for trigger in made.triggers):
                started = {one.name for one in made.start}
                if state not in inner and started & inner:
                    return True
                ahead |= started - reached
    return False


def _kinds(transition: Transition) -> set[MessageKind]:
    return {kind for trigger in transition.triggers for kind in trigger.kinds}


def _leaves(split: _Split, each: TransitionSource, state: str, back: set[str]) -> None:
    made = each.made
    assert made is not None
    if len(made.triggers) > 1 or back:
        raise MachineError(f"it would have to be both within the group and outside: {each.text}")
    if _kinds(made) <= SUCCEEDED:
        split.ends.add(state)
    elif _kinds(made) <= FAILED:
        call = cst.parse_expression(each.text)
        what = syntax.code(syntax.renamed_name(call, state, "_"))
        split.failures.setdefault(what, []).append(state)
    else:
        raise MachineError(f"a group does not say what its states say on the way: {each.text}")
    split.leaving.append(each.number)


def _ends(found: MachineSource, split: _Split, states: Sequence[str]) -> tuple[str, str]:
    """The states with which a group begins and ends."""
    finals = {name for name in states if found.states[name].made.final}
    if len(split.ends | finals) != 1:
        raise MachineError(f"one state ends a group, not {_listed(split.ends | finals) or 'none'}")
    if len(split.entries) != 1:
        raise MachineError(f"one state begins a group, not {_listed(split.entries) or 'none'}")
    for what, some in split.failures.items():
        others = [name for name in states if name not in some and not found.states[name].made.optional]
        if others:
            raise MachineError(
                f"a failure of {_listed(others)} would be caught as well by {what.replace('_.', some[0] + '.')}"
            )
    return next(iter(split.entries)), next(iter(split.ends | finals))


@dataclass
class _Given:
    """What a group needs from outside: a parameter."""

    text: str
    """How it is declared."""
    value: str
    """How its value is written outside."""


def _given(found: MachineSource, states: Sequence[str], split: _Split, block: cst.IndentedBlock) -> dict[str, _Given]:
    """Parameters of the group by name; for outputs of states outside as well, by ``state_output``."""
    given: dict[str, _Given] = {}
    inner = set(states)
    texts = [value for name in states for value in found.states[name].arguments.values()]
    texts += [found.transitions[number].text for number in split.within]
    for text in texts:
        for name in syntax.names(cst.parse_expression(text)):
            if name in found.parameters:
                value = next(syntax.value(line) for line in block.body if syntax.target(line) == name)
                given[name] = _Given("" if value is None else syntax.code(value), name)
            elif found.definition is not None and name in found.definition.declared and name not in inner:
                raise MachineError(f"'{name}' is inherited by {found.name}: declare it there first")
    for name in states:
        for wire in found.states[name].made.wires.values():
            if isinstance(wire, Wire) and wire.state.name not in inner:
                kind = wire.state.behavior.published[wire.output].type.__name__
                text = f'Parameter({kind}, doc="{wire.output} of {wire.state.name}")'
                given[f"{wire.state.name}_{wire.output}"] = _Given(text, f"{wire.state.name}.{wire.output}")
    for name, each in found.states.items():
        for wire in each.made.wires.values():
            if name not in inner and isinstance(wire, Wire) and wire.state.name in inner:
                raise MachineError(
                    f"'{name}' uses the output '{wire.output}' of {wire.state.name}, which a group does not hand on"
                )
    for number in split.within:
        asked = set(syntax.names(cst.parse_expression(found.transitions[number].text))) & (set(found.states) - inner)
        if asked:
            raise MachineError(f"a guard asks for an output of {_listed(asked)}: {found.transitions[number].text}")
    return given


def _made(
    program: Program,
    tree: cst.Module,
    found: MachineSource,
    states: Sequence[str],
    names: tuple[str, str, str, str],
    given: dict[str, _Given],
    split: _Split,
) -> cst.ClassDef:
    """The class of the group."""
    machine, doc, first, last = names
    block = syntax.body(tree, found.name)
    base = program.imported(FACE, "Machine") or "tm.Machine"
    start = program.imported(FACE, "start") or "start"
    parameter = program.imported(FACE, "Parameter") or "Parameter"
    lines: list[cst.BaseStatement] = [syntax.text_line(doc or f"{', '.join(states)}, one after the other.")]
    blank = cst.EmptyLine(indent=False)
    for number, (name, each) in enumerate(given.items()):
        text = syntax.code(syntax.calling(syntax.expression(each.text), {"Parameter": parameter}))
        lines.append(_apart(syntax.statement(f"{name} = {text}", tree), number == 0))
    renames = {each.value: name for name, each in given.items() if "." in each.value}
    moved = [each for each in block.body if syntax.target(each) in states]
    for number, line in enumerate(moved):
        call = syntax.value(line)
        assert isinstance(call, cst.Call)
        final = "True" if syntax.target(line) == last else None
        inner: Any = line.deep_replace(call, syntax.wired(syntax.with_argument(call, "final", final), renames))
        lines.append(_apart(inner, number == 0))
    inside = [syntax.code(syntax.element(tree, found.name, number).value) for number in split.within]
    indent = block.indent if block.indent is not None else tree.default_indent
    listed = "".join(f"{indent}{each},\n" for each in (f"{start}({first})", *inside))
    lines.append(_apart(syntax.statement(f"transitions = (\n{listed})", tree), True))
    made = cst.parse_statement(f"class {machine}({base}):\n    pass\n", config=tree.config_for_parsing)
    assert isinstance(made, cst.ClassDef)
    return made.with_changes(body=cst.IndentedBlock(lines, indent=block.indent), leading_lines=[blank, blank])


def _apart(line: cst.BaseStatement, apart: bool) -> cst.BaseStatement:
    """A line with an empty one above it, or without; comments above it stay."""
    assert isinstance(line, cst.SimpleStatementLine)
    comments = [each for each in line.leading_lines if each.comment is not None]
    return line.with_changes(leading_lines=[*([cst.EmptyLine(indent=False)] if apart else []), *comments])


def _outer(
    program: Program,
    tree: cst.Module,
    found: MachineSource,
    states: Sequence[str],
    names: tuple[str, str],
    given: dict[str, _Given],
    split: _Split,
) -> cst.Module:
    """The file with one state in the place of those that are grouped."""
    state, machine = names
    flags = ", final=True" if any(found.states[name].made.final for name in states) else ""
    wired = "".join(f", {name}={each.value}" for name, each in given.items())
    new = syntax.statement(f"{state} = {program.imported(FACE, 'State') or 'State'}({machine}{wired}{flags})", tree)
    block = syntax.body(tree, found.name)
    lines: list[cst.BaseStatement] = []
    placed = False
    for each in block.body:
        if syntax.target(each) not in states:
            lines.append(each)
        elif not placed:
            assert isinstance(each, cst.SimpleStatementLine)
            lines.append(new.with_changes(leading_lines=[one for one in each.leading_lines if one.comment is None]))
            placed = True
    tree = syntax.replaced(tree, block, block.with_changes(body=lines))
    statement = next(each for each in syntax.body(tree, found.name).body if syntax.target(each) == "transitions")
    before = syntax.sequence(statement, found.name)
    sequence, seen = before, set[str]()
    for number in range(len(before.elements) - 1, -1, -1):
        element = sequence.elements[number]
        if number in split.within:
            sequence = syntax.without_element(sequence, number)
        elif number in (*split.entering, *split.leaving):
            value = element.value
            for name in states:
                value = syntax.renamed_name(value, name, state)
            if number in split.leaving and syntax.code(value) in seen:
                sequence = syntax.without_element(sequence, number)
                continue
            seen.add(syntax.code(value))
            elements = list(sequence.elements)
            elements[number] = element.with_changes(value=value)
            sequence = sequence.with_changes(elements=elements)
    return syntax.replaced(tree, before, sequence)


def _listed(names: Iterable[str]) -> str:
    return " and ".join(sorted(names))
