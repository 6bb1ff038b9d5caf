"""Edits of a component's source: its parts, its modes and what leads from one to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import libcst as cst

from taskmatrix.core.base.errors import MachineError, NotFoundError

from . import syntax
from .class_edits import FACE, Edit, below, check_free, check_unused, edited, with_imports, with_line, without_line
from .reading import Program


def add_part(name: str, component: str, /, module: str = "", **arguments: str) -> Edit:
    """Add a part below the others.

    Args:
        name: Of its attribute.
        component: Name of its class.
        module: From where that is imported if the file does not do so yet; it does where this is not given.
        **arguments: How they are written.
    """
    return partial(_add_part, name, component, module, arguments)


def remove_part(name: str) -> Edit:
    """Remove a part that no method uses, also from the modes that step it."""
    return partial(_remove_part, name)


def add_mode(name: str, inform: Sequence[str] = (), act: Sequence[str] = (), achieved: bool = False) -> Edit:
    """Add a mode below the others.

    Args:
        name: Of the mode.
        inform: Parts that it asks.
        act: Parts that it modulates.
        achieved: Whether what the component is there for is achieved in it.
    """
    return partial(_add_mode, name, tuple(inform), tuple(act), achieved)


def remove_mode(name: str) -> Edit:
    """Remove a mode and the transitions from it and to it; methods stay, as what is not decorated any more."""
    return partial(_remove_mode, name)


def add_switch(source: str, target: str, after: str = "", method: str = "", doc: str = "") -> Edit:
    """Add a transition from a mode to another, behind those that leave it already.

    Args:
        source: The mode that it leaves.
        target: The mode that it leads to.
        after: [s] That the component has to have been in the mode before, as it is written.
        method: What decides on it: one of the class, or one that is written with it; time alone unless given.
        doc: What a method says that is written with it.
    """
    return partial(_add_switch, source, target, after, method, doc)


def change_switch(number: int, target: str, after: str = "") -> Edit:
    """Lead a transition to another mode, or after another time."""
    return partial(_change_switch, number, target, after)


def remove_switch(number: int) -> Edit:
    """Remove a transition; the method that decided on it stays."""
    return partial(_remove_switch, number)


def set_frequency(value: str | None) -> Edit:
    """Write at which frequency [Hz] the component works; None: in every cycle."""
    return partial(_set_frequency, value)


def _add_part(name: str, component: str, module: str, arguments: dict[str, str], program: Program, cls: str) -> Program:
    found = program.component(cls)
    check_free(program, cls, name)
    tree = cst.parse_module(program.text)
    written = (program.imported(module, component) if module else component) or component
    part = program.imported(FACE, "Part") or "Part"
    call = ", ".join([written, *(f"{key}={value}" for key, value in arguments.items())])
    block = syntax.body(tree, cls)
    place, apart = below(block, found.parts, found.settings)
    tree = with_line(tree, block, syntax.statement(f"{name} = {part}({call})", tree), place, apart)
    tree = with_imports(tree, program, written, module=module) if module else tree
    return edited(program, with_imports(tree, program, part))


def _remove_part(name: str, program: Program, cls: str) -> Program:
    found = program.component(cls)
    if name not in found.parts:
        raise NotFoundError("part", name, found.parts, cls)
    check_unused(program, cls, name)
    tree = cst.parse_module(program.text)
    for mode in found.modes:
        line = next((each for each in syntax.body(tree, cls).body if syntax.target(each) == mode), None)
        call = None if line is None else syntax.value(line)
        if isinstance(call, cst.Call):
            tree = syntax.replaced(tree, call, syntax.without(call, name))
    return without_line(edited(program, tree), cls, name)


def _add_mode(
    name: str, inform: tuple[str, ...], act: tuple[str, ...], achieved: bool, program: Program, cls: str
) -> Program:
    found = program.component(cls)
    if not found.modal:
        raise MachineError(f"{cls} has no modes: it would have to be a ModalComponent")
    check_free(program, cls, name)
    for part in (*inform, *act):
        if part not in found.parts:
            raise NotFoundError("part", part, found.parts, cls)
    mode = program.imported(FACE, "Mode") or "Mode"
    named = [f"{key}=[{', '.join(parts)}]" for key, parts in (("inform", inform), ("act", act)) if parts]
    named += ["achieved=True"] if achieved else []
    tree = cst.parse_module(program.text)
    block = syntax.body(tree, cls)
    line = syntax.statement(f"{name} = {mode}({', '.join(named)})", tree)
    place, apart = below(block, found.modes, {**found.settings, **found.parts})
    tree = with_line(tree, block, line, place, apart)
    return edited(program, with_imports(tree, program, mode))


def _remove_mode(name: str, program: Program, cls: str) -> Program:
    found = program.component(cls)
    if name not in found.modes:
        raise NotFoundError("mode", name, found.modes, cls)
    about = [each for each in _places(program, cls, codes=True) if name in (each.source, each.target)]
    tree = cst.parse_module(program.text)
    block = syntax.body(tree, cls)
    if name not in map(syntax.target, block.body):
        raise MachineError(f"mode '{name}' of {cls} is not written in a line of its own; edit its code")
    return without_line(edited(program, _without(tree, cls, about)), cls, name)


@dataclass(frozen=True)
class _Place:
    """Where a transition is written, or that a method is the code of a mode."""

    source: str
    """The mode that it leaves, or that has the code."""
    target: str
    """The mode that it leads to; empty for code."""
    statement: int
    """In the body of the class."""
    decorator: int | None = None
    """Of the method; None where it is a line of its own."""


def _places(program: Program, cls: str, codes: bool = False) -> list[_Place]:
    """Where transitions are written, in the order in which they are numbered; with the methods that are codes."""
    modes = program.component(cls).modes
    block = syntax.body(cst.parse_module(program.text), cls)
    return [each for each in _all_places(block, codes) if each.source in modes]


def _all_places(block: cst.IndentedBlock, codes: bool) -> Iterator[_Place]:
    for number, each in enumerate(block.body):
        if isinstance(each, cst.FunctionDef):
            for place, decorator in enumerate(each.decorators):
                inner = decorator.decorator
                if ends := _ends(inner):
                    yield _Place(*ends, number, place)
                elif codes and isinstance(inner, cst.Attribute) and inner.attr.value == "code":
                    yield _Place(syntax.code(inner.value), "", number, place)
        elif isinstance(each, cst.SimpleStatementLine) and (ends := _ends(each.body[0])):
            yield _Place(*ends, number)


def _ends(call: cst.CSTNode) -> tuple[str, str] | None:
    """The modes of ``one.to(other)``; None of anything else."""
    call = call.value if isinstance(call, cst.Expr) else call
    if not (isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) and call.func.attr.value == "to"):
        return None
    given = next((arg.value for arg in call.args if syntax.word(arg) in ("", "target")), None)
    return syntax.code(call.func.value), "" if given is None else syntax.code(given)


def _without(tree: cst.Module, cls: str, places: Sequence[_Place]) -> cst.Module:
    """A file without transitions; methods that decided on them stay."""
    block = syntax.body(tree, cls)
    lines = list(block.body)
    for each in sorted(places, key=lambda each: (each.statement, each.decorator or 0), reverse=True):
        line = lines[each.statement]
        if each.decorator is None:
            del lines[each.statement]
        elif isinstance(line, cst.FunctionDef):
            kept = [one for number, one in enumerate(line.decorators) if number != each.decorator]
            lines[each.statement] = line.with_changes(decorators=kept)
    return syntax.replaced(tree, block, block.with_changes(body=lines or [cst.SimpleStatementLine([cst.Pass()])]))


def _switch(program: Program, cls: str, number: int) -> _Place:
    places = _places(program, cls)
    if not 0 <= number < len(places):
        raise NotFoundError("transition", str(number), map(str, range(len(places))), cls)
    return places[number]


def _add_switch(source: str, target: str, after: str, method: str, doc: str, program: Program, cls: str) -> Program:
    found = program.component(cls)
    for mode in (source, target):
        if mode not in found.modes:
            raise NotFoundError("mode", mode, found.modes, cls)
    time = f", after={syntax.code(syntax.expression(after))}" if after.strip() else ""
    call = f"{source}.to({target}{time})"
    made = syntax.expression(call)
    tree = cst.parse_module(program.text)
    block = syntax.body(tree, cls)
    if method in found.methods:
        line = next(each for each in block.body if isinstance(each, cst.FunctionDef) and each.name.value == method)
        decorators = [*line.decorators, cst.Decorator(made)]
        return edited(program, syntax.replaced(tree, line, line.with_changes(decorators=decorators)))
    places = _places(program, cls)
    behind = [each.statement for each in places if each.source == source] or [each.statement for each in places]
    modes = [number for number, each in enumerate(block.body) if syntax.target(each) in found.modes]
    place = max([*behind, *modes[-1:]]) + 1
    if method:
        check_free(program, cls, method)
        words = " ".join((doc.strip() or f"Whether it goes on to {target}.").split()).replace('"', "'")
        text = f'@{call}\ndef {method}(self) -> bool:\n    """{words}"""\n    return False\n'
        added: cst.BaseStatement = cst.parse_statement(text, config=tree.config_for_parsing)
    else:
        added = cst.parse_statement(f"{call}\n", config=tree.config_for_parsing)
    lines = list(block.body)
    before = lines[place - 1]
    close = not method and isinstance(before, cst.SimpleStatementLine) and place - 1 not in modes
    if not close:
        added = added.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    lines.insert(place, added)
    return edited(program, syntax.replaced(tree, block, block.with_changes(body=lines)))


def _change_switch(number: int, target: str, after: str, program: Program, cls: str) -> Program:
    place, modes = _switch(program, cls, number), program.component(cls).modes
    if target not in modes:
        raise NotFoundError("mode", target, modes, cls)
    tree = cst.parse_module(program.text)
    line = syntax.body(tree, cls).body[place.statement]
    if isinstance(line, cst.FunctionDef) and place.decorator is not None:
        call = line.decorators[place.decorator].decorator
    else:
        assert isinstance(line, cst.SimpleStatementLine)
        assert isinstance(line.body[0], cst.Expr)
        call = line.body[0].value
    assert isinstance(call, cst.Call)
    args = [arg for arg in call.args if syntax.word(arg) == "after" or arg is call.args[0]]
    head = args[0].with_changes(value=cst.Name(target))
    made = syntax.with_argument(call.with_changes(args=[head, *args[1:]]), "after", after.strip() or None)
    return edited(program, syntax.replaced(tree, call, made))


def _remove_switch(number: int, program: Program, cls: str) -> Program:
    place = _switch(program, cls, number)
    return edited(program, _without(cst.parse_module(program.text), cls, [place]))


def _set_frequency(value: str | None, program: Program, cls: str) -> Program:
    program.component(cls)
    tree = cst.parse_module(program.text)
    line = next(each for each in tree.body if isinstance(each, cst.ClassDef) and each.name.value == cls)
    keywords = list(line.keywords)
    place = next((number for number, each in enumerate(keywords) if syntax.word(each) == "frequency"), None)
    if value is None or not value.strip():
        keywords = keywords if place is None else syntax.less(keywords, place)
    elif place is not None:
        keywords[place] = keywords[place].with_changes(value=syntax.expression(value))
    else:
        keywords = syntax.more(keywords, syntax.expression(value), "frequency")
    bases = list(line.bases)
    if bases and not keywords:
        bases[-1] = bases[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return edited(program, syntax.replaced(tree, line, line.with_changes(bases=bases, keywords=keywords)))
