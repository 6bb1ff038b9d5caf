"""Edits of a class's source: each takes a program and gives another, and changes its own lines only."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Container
from functools import partial

import libcst as cst

from taskmatrix.core.base.errors import MachineError, NotFoundError, not_found

from . import syntax
from .reading import Program

Edit = Callable[[Program, str], Program]
"""What takes a program and the name of a class, and gives the program as edited."""
FACE = "taskmatrix.core"
"""From where machines, components and what they are made of are imported."""


def rename(old: str, new: str) -> Edit:
    """Rename a state, part, mode, parameter or modulation wherever the class means it."""
    return partial(_rename, old, new)


def set_parameter(name: str, text: str) -> Edit:
    """Declare a parameter, or a modulation of a component, or write another declaration in the place of one.

    Args:
        name: Of the parameter.
        text: How it is written, ``Parameter(str, doc="id of the object")``.
    """
    return partial(_set_parameter, name, text)


def remove_parameter(name: str) -> Edit:
    """Remove a parameter or modulation, and the arguments of states and parts that are wired to it."""
    return partial(_remove_parameter, name)


def set_argument(owner: str, name: str, value: str | None) -> Edit:
    """Write an argument of a state, part or mode, ``final`` and ``optional`` among them; None leaves it out."""
    return partial(_set_argument, owner, name, value)


def edited(program: Program, tree: cst.Module) -> Program:
    """A program with another text."""
    return Program(tree.code, program.file)


def check_free(program: Program, machine: str, name: str) -> None:
    """Refuse a name for a state or parameter that is none, or that means something already."""
    if keyword.iskeyword(name):
        raise MachineError(f"'{name}' is a word of Python's own, and no name")
    if not name.isidentifier():
        raise MachineError(f"'{name}' is no name: letters, digits and _ make one")
    tree = cst.parse_module(program.text)
    taken = {syntax.target(each) for each in syntax.body(tree, machine).body}
    known = program.names() - set(dir(builtins))  # parameters are called object
    if name in taken or name in known or syntax.means(syntax.body(tree, machine), name):
        raise MachineError(f"'{name}' means something else in {machine} already")


def check_class(program: Program, name: str) -> None:
    """Refuse a name for a new class that is none, or that means something already."""
    if not name.isidentifier() or keyword.iskeyword(name):
        raise MachineError(f"'{name}' is no name of a class: letters, digits and _ make one, as in FetchCan")
    if name in program.names():
        raise MachineError(f"'{name}' means something else in {program.file} already")


def below(block: cst.IndentedBlock, same: Container[str], others: Container[str] = ()) -> tuple[int, bool]:
    """Where a line goes that is like some others, and whether it stands apart, as the first of its kind."""
    places = [number for number, each in enumerate(block.body) if syntax.target(each) in same]
    if places:
        return places[-1] + 1, False
    known = [number for number, each in enumerate(block.body) if syntax.target(each) in others]
    return (known[-1] + 1 if known else syntax.after_words(block)), True


def with_line(
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


def check_written(program: Program, cls: str, value: str) -> None:
    """Refuse a word that means nothing, a text that lacks its quotes, say."""
    word = value.strip()
    own = {*map(syntax.target, syntax.body(cst.parse_module(program.text), cls).body)} - {""}
    if word.isidentifier() and not keyword.iskeyword(word) and word not in own | program.names():
        missing = not_found("name", word, own | program.names() - set(dir(builtins)), program.file)
        raise MachineError(f"{missing}. A text is written in quotes: '{word}'")


def check_unused(program: Program, cls: str, name: str) -> None:
    """Refuse to remove what a method of the class uses."""
    user = syntax.user(syntax.body(cst.parse_module(program.text), cls), name)
    if user:
        raise MachineError(f"'{name}' is used by the method {user}() of {cls}; edit that first")


def with_imports(tree: cst.Module, program: Program, *names: str, module: str = FACE) -> cst.Module:
    """A file that imports names of a module, those which it does not know yet."""
    known = program.names()
    for name in names:
        if "." not in name and name not in known:
            tree = syntax.importing(tree, module, name)
    return tree


def _rename(old: str, new: str, program: Program, cls: str) -> Program:
    found = program.source(cls)
    known = [*found.calls, *found.settings]
    if old not in known:
        raise NotFoundError("name", old, known, cls)
    check_free(program, cls, new)
    tree = cst.parse_module(program.text)
    block = syntax.body(tree, cls)
    return edited(program, syntax.replaced(tree, block, syntax.renamed(block, old, new)))


def _set_parameter(name: str, text: str, program: Program, cls: str) -> Program:
    found = program.source(cls)
    known = {kind: program.imported(FACE, kind) or kind for kind in ("Parameter", "Modulation")}
    made = syntax.calling(syntax.expression(text), known)
    tree = cst.parse_module(program.text)
    block = syntax.body(tree, cls)
    if name in found.settings:
        line = next(each for each in block.body if syntax.target(each) == name)
        before = syntax.value(line)
        assert before is not None
        tree = syntax.replaced(tree, before, made)
    else:
        check_free(program, cls, name)
        place, apart = below(block, found.settings)
        tree = with_line(tree, block, syntax.statement(f"{name} = {syntax.code(made)}", tree), place, apart)
    tree = with_imports(tree, program, *(each for each in syntax.called(made) if each in known.values()))
    after = edited(program, tree)
    if name not in after.source(cls).settings:
        raise MachineError(f"this declares no parameter: {text}; write Parameter(float, default=1.0), for example")
    return after


def _remove_parameter(name: str, program: Program, cls: str) -> Program:
    found = program.source(cls)
    if name not in found.settings:
        raise NotFoundError("parameter", name, found.settings, cls)
    check_unused(program, cls, name)
    for owner, call in found.calls.items():
        for argument, value in call.arguments.items():
            if syntax.means(cst.parse_expression(value), name):
                program = _set_argument(owner, argument, None, program, cls)
    return without_line(program, cls, name)


def without_line(program: Program, cls: str, name: str) -> Program:
    """A program without the line of a class that assigns to a name."""
    tree = cst.parse_module(program.text)
    block = syntax.body(tree, cls)
    return edited(program, syntax.replaced(tree, block, syntax.without_line(block, name)))


def _set_argument(owner: str, name: str, value: str | None, program: Program, cls: str) -> Program:
    found = program.source(cls)
    if owner not in found.calls:
        raise NotFoundError("name", owner, found.calls, cls)
    if value is not None:
        check_written(program, cls, value)
    tree = cst.parse_module(program.text)
    statement = next((each for each in syntax.body(tree, cls).body if syntax.target(each) == owner), None)
    call = None if statement is None else syntax.value(statement)
    if not isinstance(call, cst.Call):
        raise MachineError(f"'{owner}' of {cls} is not written as a call in a line of its own; edit its code")
    return edited(program, syntax.replaced(tree, call, syntax.with_argument(call, name, value)))
