"""Pieces of a program's syntax tree that keeps formatting, found and changed."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import libcst as cst
from libcst.codemod import CodemodContext
from libcst.codemod.visitors import AddImportsVisitor, ImportItem

from taskmatrix.core.base.errors import MachineError, NotFoundError

List = cst.Tuple | cst.List
Space = cst.BaseParenthesizableWhitespace
_EMPTY = cst.Module([])
_FLAGS = ("final", "optional")  # of a state, which are written last


def code(node: cst.CSTNode) -> str:
    """How it is written."""
    return _EMPTY.code_for_node(node)


def expression(text: str) -> cst.BaseExpression:
    """What a text means.

    Raises:
        MachineError: It is no expression of Python.
    """
    try:
        ast.parse(text.strip(), mode="eval")  # refuses what is nested too deeply
        made = cst.parse_expression(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError, cst.ParserSyntaxError):
        raise MachineError(f"this is no expression of Python: {text[:200]}") from None
    if isinstance(made, cst.Tuple) and not made.lpar:
        raise MachineError(f"this is not one value: {text[:200]}; a number is written 2.5, a pair (2, 5)")
    return made


def statement(text: str, tree: cst.Module) -> cst.SimpleStatementLine:
    """A line, with the line ends of a file."""
    expression(text.partition("=")[2])
    made = cst.parse_statement(text, config=tree.config_for_parsing)
    assert isinstance(made, cst.SimpleStatementLine)
    return made


def body(tree: cst.Module, machine: str) -> cst.IndentedBlock:
    """The body of a class.

    Raises:
        NotFoundError: There is no such class, or one in a single line.
    """
    classes = {each.name.value: each.body for each in tree.body if isinstance(each, cst.ClassDef)}
    found = classes.get(machine)
    if not isinstance(found, cst.IndentedBlock):
        raise NotFoundError("class", machine, classes)
    return found


def target(line: cst.BaseStatement | cst.BaseSmallStatement) -> str:
    """The name to which a line assigns; empty if it does something else."""
    inner = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else line
    if isinstance(inner, cst.Assign) and len(inner.targets) == 1:
        name: cst.BaseExpression = inner.targets[0].target
    elif isinstance(inner, cst.AnnAssign):
        name = inner.target
    else:
        return ""
    return name.value if isinstance(name, cst.Name) else ""


def value(line: cst.BaseStatement | cst.BaseSmallStatement) -> cst.BaseExpression | None:
    """What a line assigns."""
    inner = line.body[0] if isinstance(line, cst.SimpleStatementLine) else line
    return inner.value if isinstance(inner, (cst.Assign, cst.AnnAssign)) else None


def word(arg: cst.Arg) -> str:
    """The keyword of an argument; empty if it has none."""
    return arg.keyword.value if arg.keyword is not None else ""


def names(node: cst.CSTNode) -> Iterator[str]:
    """Names that an expression means: of no keyword and no attribute."""
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, (cst.Attribute, cst.Arg)):
        yield from names(node.value)
    else:
        for child in node.children:
            yield from names(child)


def means(node: cst.CSTNode, name: str) -> bool:
    """Whether an expression means what has a name."""
    return name in names(node)


def asks(call: cst.Call, name: str) -> bool:
    """Whether a condition of a transition asks for an output of a state."""
    return any(means(arg.value, name) and not isinstance(arg.value, (cst.Name, *_LISTS)) for arg in call.args)


_LISTS = (cst.Tuple, cst.List)


def without(call: cst.Call, name: str) -> cst.Call:
    """A call of ``on``, ``start`` or ``whenever`` that leaves a state alone."""
    args = list(call.args)
    for number in reversed(range(len(args))):
        given = args[number].value
        if isinstance(given, cst.Name) and given.value == name:
            args = less(args, number)
        elif isinstance(given, _LISTS):
            for place in reversed(range(len(given.elements))):
                each = given.elements[place].value
                if isinstance(each, cst.Name) and each.value == name:
                    given = without_element(given, place)
            args[number] = args[number].with_changes(value=given)
    return call.with_changes(args=args)


def replaced(tree: cst.Module, old: cst.CSTNode, new: cst.CSTNode) -> cst.Module:
    """A file with one piece in the place of another."""
    made = tree.deep_replace(old, new)
    assert isinstance(made, cst.Module)
    return made


def renamed(block: cst.IndentedBlock, old: str, new: str) -> cst.IndentedBlock:
    """The body of a class in which what has a name has another; in methods, where ``self`` or ``cls`` has it."""
    made = block.visit(_Renaming(old, new))
    assert isinstance(made, cst.IndentedBlock)
    return made


class _Renaming(cst.CSTTransformer):
    """Gives what a class body means by a name another name."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__()
        self._old, self._new = old, new
        self._within = 0  # bodies of methods

    def visit_FunctionDef_body(self, node: cst.FunctionDef) -> None:  # noqa: N802
        """In there, names are not those of the class."""
        self._within += 1

    def leave_FunctionDef_body(self, node: cst.FunctionDef) -> None:  # noqa: N802
        """Out of there."""
        self._within -= 1

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802
        """Keep the keyword: it is a parameter's name."""
        return updated_node.with_changes(keyword=original_node.keyword)

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:  # noqa: N802
        """Keep the name of a method."""
        return updated_node.with_changes(name=original_node.name)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:  # noqa: N802
        """Keep the attribute; but for that of the class itself."""
        if _of_self(original_node, self._old):
            return updated_node.with_changes(attr=cst.Name(self._new))
        return updated_node.with_changes(attr=original_node.attr)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:  # noqa: N802
        """Rename."""
        means = updated_node.value == self._old and not self._within
        return updated_node.with_changes(value=self._new) if means else updated_node


def _of_self(node: cst.Attribute, name: str) -> bool:
    return isinstance(node.value, cst.Name) and node.value.value in ("self", "cls") and node.attr.value == name


def user(block: cst.IndentedBlock, name: str) -> str:
    """The first method of a class body that uses what has a name; empty if none does."""

    def uses(node: cst.CSTNode) -> bool:
        return (isinstance(node, cst.Attribute) and _of_self(node, name)) or any(map(uses, node.children))

    methods = (each for each in block.body if isinstance(each, cst.FunctionDef))
    return next((each.name.value for each in methods if uses(each.body)), "")


def renamed_name(node: cst.BaseExpression, old: str, new: str) -> cst.BaseExpression:
    """An expression in which a name is another; keywords and attributes stay."""
    made: Any = node.visit(_Renaming(old, new))
    return made  # type: ignore[no-any-return]


def wired(call: cst.Call, names: Mapping[str, str]) -> cst.Call:
    """A call whose arguments that are written as ``state.output`` are names instead."""
    args = [
        arg.with_changes(value=cst.Name(names[code(arg.value)])) if code(arg.value) in names else arg
        for arg in call.args
    ]
    return call.with_changes(args=args)


class _Calling(cst.CSTTransformer):
    def __init__(self, functions: Mapping[str, str]) -> None:
        super().__init__()
        self._functions = functions

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:  # noqa: N802
        func = updated_node.func
        if isinstance(func, cst.Name) and func.value in self._functions:
            return updated_node.with_changes(func=cst.parse_expression(self._functions[func.value]))
        return updated_node


def calling(node: cst.BaseExpression, functions: Mapping[str, str]) -> cst.BaseExpression:
    """An expression that calls functions by other names."""
    made: Any = node.visit(_Calling(functions))
    return made  # type: ignore[no-any-return]


def called(node: cst.CSTNode) -> list[str]:
    """Names of the functions and classes that an expression calls."""
    found = [node.func.value] if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) else []
    return [*found, *(name for child in node.children for name in called(child))]


def importing(tree: cst.Module, module: str, name: str = "", alias: str = "") -> cst.Module:
    """A file that imports a name of a module, or the module under another name; in order where there is one."""
    found = (each.body[0] for each in tree.body if isinstance(each, cst.SimpleStatementLine) and name)
    for node in found:
        if not isinstance(node, cst.ImportFrom) or node.relative or isinstance(node.names, cst.ImportStar):
            continue
        if node.module is not None and code(node.module) == module:
            place = sum(code(each.name) < name for each in node.names)
            names = _inserted(node.names, cst.ImportAlias(cst.Name(name)), place)
            return replaced(tree, node, node.with_changes(names=names))
    item = ImportItem(module, name or None, alias or None)
    return AddImportsVisitor(CodemodContext(), [item]).transform_module(tree)


def text_line(text: str) -> cst.SimpleStatementLine:
    """A docstring of one line."""
    words = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return cst.SimpleStatementLine([cst.Expr(cst.SimpleString(f'"""{words}"""'))])


def after_words(block: cst.IndentedBlock) -> int:
    """The place in the body of a class that is after its docstring."""
    first = block.body[0].body[0] if block.body and isinstance(block.body[0], cst.SimpleStatementLine) else None
    return int(isinstance(first, cst.Expr) and isinstance(first.value, (cst.SimpleString, cst.ConcatenatedString)))


def passes(line: cst.BaseStatement | cst.BaseSmallStatement) -> bool:
    """Whether a line is ``pass`` and nothing else."""
    return isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 and isinstance(line.body[0], cst.Pass)


def without_line(block: cst.IndentedBlock, name: str) -> cst.IndentedBlock:
    """The body of a class without the line that assigns to a name; ``pass`` is what stays of one that had only it."""
    lines = [each for each in block.body if target(each) != name]
    return block.with_changes(body=lines or [cst.SimpleStatementLine([cst.Pass()])])


def sequence(line: cst.BaseStatement | cst.BaseSmallStatement, machine: str) -> List:
    """The transitions, which are written as a tuple or list.

    Raises:
        MachineError: They are written otherwise.
    """
    found = value(line)
    if not isinstance(found, _LISTS):
        raise MachineError(f"the transitions of {machine} are not written as a tuple or list; edit its code")
    return found


def element(tree: cst.Module, machine: str, number: int) -> cst.BaseElement:
    """A transition by its place.

    Raises:
        NotFoundError: There is none.
    """
    line = next((each for each in body(tree, machine).body if target(each) == "transitions"), None)
    elements = () if line is None else sequence(line, machine).elements
    if not 0 <= number < len(elements):
        raise NotFoundError("transition", str(number), map(str, range(len(elements))), machine)
    return elements[number]


def with_argument(call: cst.Call, name: str, value: str | None) -> cst.Call:
    """A call with an argument by keyword as it is written; None leaves it out.

    Raises:
        MachineError: It is no expression, or the name is none.
    """
    args = list(call.args)
    place = next((number for number, arg in enumerate(args) if word(arg) == name), None)
    if value is None:
        args = args if place is None else less(args, place)
    elif place is not None:
        args[place] = args[place].with_changes(value=expression(value))
    elif not name.isidentifier() or keyword.iskeyword(name):
        raise MachineError(f"'{name}' is no name of a parameter")
    else:
        args = more(args, expression(value), name)
    return call.with_changes(args=args)


def more(args: Sequence[cst.Arg], made: cst.BaseExpression, name: str) -> list[cst.Arg]:
    """Arguments of a call with another one by keyword, before ``final``, ``optional`` and ``**``."""
    equal = cst.AssignEqual(whitespace_before=cst.SimpleWhitespace(""), whitespace_after=cst.SimpleWhitespace(""))
    last = () if name in _FLAGS else _FLAGS
    place = next((number for number, arg in enumerate(args) if arg.star == "**" or word(arg) in last), len(args))
    fresh = cst.Arg(made, keyword=cst.Name(name), equal=equal)
    return _inserted(args, fresh, place)


def less(args: Sequence[cst.Arg], place: int) -> list[cst.Arg]:
    """Arguments of a call without one."""
    return _left(args, place)


def _inserted(items: Sequence[Any], fresh: Any, place: int) -> list[Any]:
    """Items with another; the layout of the last one stays the last one's."""
    items = list(items)
    if place < len(items):
        like = items[place].comma if isinstance(items[place].comma, cst.Comma) else _comma()
        items.insert(place, fresh.with_changes(comma=_uncommented(like)))
    elif items:
        last = items[-1]
        between = items[-2].comma if len(items) > 1 else _comma()
        ends = {"comma": last.comma}
        if hasattr(last, "whitespace_after_arg"):
            ends["whitespace_after_arg"] = last.whitespace_after_arg
            last = last.with_changes(whitespace_after_arg=cst.SimpleWhitespace(""))
        items[-1] = last.with_changes(comma=_uncommented(between))
        items.append(fresh.with_changes(**ends))
    else:
        items.append(fresh)
    return items


def _left(items: Sequence[Any], place: int) -> list[Any]:
    items = list(items)
    gone = items.pop(place)
    if place == len(items) and items:
        ends = {"comma": gone.comma}
        if hasattr(gone, "whitespace_after_arg"):
            ends["whitespace_after_arg"] = gone.whitespace_after_arg
        items[-1] = items[-1].with_changes(**ends)
    return items


def _comma() -> cst.Comma:
    return cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def _uncommented(comma: cst.Comma | cst.MaybeSentinel) -> cst.Comma:
    """A comma with what follows it, but for comments."""
    if not isinstance(comma, cst.Comma):
        return _comma()
    return comma.with_changes(whitespace_after=_bare(comma.whitespace_after))


def _bare(space: Space) -> Space:
    if not isinstance(space, cst.ParenthesizedWhitespace):
        return space
    first = cst.TrailingWhitespace(newline=space.first_line.newline)
    return space.with_changes(first_line=first, empty_lines=[])


def with_element(given: List, made: cst.BaseExpression, at: int) -> List:
    """A tuple or list with another element; comments stay with those that they are written after."""
    elements, fresh = list(given.elements), cst.Element(made)
    if not elements:
        return given.with_changes(elements=[cst.Element(made, comma=cst.Comma())])
    if at < len(elements):
        elements.insert(max(at, 0), fresh.with_changes(comma=_uncommented(_between(given))))
        return given.with_changes(elements=elements)
    end = _end(given)
    last = elements[-1]
    if isinstance(end, cst.ParenthesizedWhitespace):  # one line each; comments at the end stay
        indent = _between(given).whitespace_after
        last_line = indent.last_line if isinstance(indent, cst.ParenthesizedWhitespace) else cst.SimpleWhitespace("")
        elements[-1] = last.with_changes(comma=cst.Comma(whitespace_after=end.with_changes(last_line=last_line)))
        elements.append(fresh.with_changes(comma=cst.Comma()))
        return _ended(given.with_changes(elements=elements), _bare(end))
    elements[-1] = last.with_changes(comma=_comma())
    return given.with_changes(elements=[*elements, fresh])


def without_element(given: List, place: int) -> List:
    """A tuple or list without an element; comments above it and below it stay."""
    elements = list(given.elements)
    gone = elements.pop(place)
    if place == len(elements):
        after = _end(given)
    else:
        after = gone.comma.whitespace_after if isinstance(gone.comma, cst.Comma) else cst.SimpleWhitespace("")
    if place == 0 and not elements:
        return given.with_changes(elements=[])
    if place == 0:
        return _begun(given.with_changes(elements=elements), _joined(_start(given), after))
    before = elements[place - 1]
    space = before.comma.whitespace_after if isinstance(before.comma, cst.Comma) else cst.SimpleWhitespace("")
    if place == len(elements):
        single = len(elements) == 1 and isinstance(given, cst.Tuple)
        comma = cst.Comma() if single or isinstance(gone.comma, cst.Comma) else cst.MaybeSentinel.DEFAULT
        elements[-1] = before.with_changes(comma=comma)
        return _ended(given.with_changes(elements=elements), _joined(space, after))
    elements[place - 1] = before.with_changes(comma=cst.Comma(whitespace_after=_joined(space, after)))
    return given.with_changes(elements=elements)


def _joined(before: Space, after: Space) -> Space:
    """What is between two when what was between them has gone, but for the comment at the end of its line."""
    if isinstance(before, cst.ParenthesizedWhitespace) and isinstance(after, cst.ParenthesizedWhitespace):
        lines = [*before.empty_lines, *after.empty_lines]
        return before.with_changes(empty_lines=lines, indent=after.indent, last_line=after.last_line)
    return before if isinstance(before, cst.ParenthesizedWhitespace) else after


def _between(given: List) -> cst.Comma:
    """A comma as it stands between two elements."""
    for each in given.elements[:-1]:
        if isinstance(each.comma, cst.Comma):
            return each.comma
    return cst.Comma(whitespace_after=_start(given)) if isinstance(_start(given), _LINES) else _comma()


_LINES = cst.ParenthesizedWhitespace


def _start(given: List) -> Space:
    if isinstance(given, cst.List):
        return given.lbracket.whitespace_after
    return given.lpar[0].whitespace_after if given.lpar else cst.SimpleWhitespace("")


def _end(given: List) -> Space:
    if isinstance(given, cst.List):
        return given.rbracket.whitespace_before
    return given.rpar[-1].whitespace_before if given.rpar else cst.SimpleWhitespace("")


def _begun(given: List, space: Space) -> List:
    if isinstance(given, cst.List):
        return given.with_changes(lbracket=given.lbracket.with_changes(whitespace_after=space))
    return (
        given.with_changes(lpar=[given.lpar[0].with_changes(whitespace_after=space), *given.lpar[1:]])
        if given.lpar
        else given
    )


def _ended(given: List, space: Space) -> List:
    if isinstance(given, cst.List):
        return given.with_changes(rbracket=given.rbracket.with_changes(whitespace_before=space))
    if not given.rpar:
        return given
    return given.with_changes(rpar=[*given.rpar[:-1], given.rpar[-1].with_changes(whitespace_before=space)])
