"""Classes, read from their text without running it: what machines and components have in common."""

from __future__ import annotations

import ast
from typing import Any

from taskmatrix.core.base.errors import TaskMatrixError

from .evaluation import Evaluator, Unknown
from .sources import ClassSource, CodeSource, is_call


class ClassReader:
    """Reads the body of one class.

    Args:
        found: What is read, empty as yet.
        node: Its class.
        evaluate: Evaluates its expressions.
        lines: Of the file.

    Attributes:
        found: As given.
        scope: What names mean in the body, as far as it is read.
    """

    def __init__(self, found: ClassSource, node: ast.ClassDef, evaluate: Evaluator, lines: list[str]) -> None:
        self.found, self.node, self.evaluate = found, node, evaluate
        self.scope: dict[str, Any] = {}
        self._lines = lines

    def read(self, problem: str) -> Any:
        """Read the body; a stand-in for the class, whose bases may have a problem already."""
        found = self.found
        found.problem = problem
        for statement in self.node.body:
            try:
                self.statement(statement)
            except TaskMatrixError as error:
                found.problem = found.problem or str(error)
                self.code(statement, "the library refuses it")
        return self.made()

    def statement(self, statement: ast.stmt) -> None:
        """Take up one statement of the body."""
        raise NotImplementedError

    def made(self) -> Any:
        """The class that the library makes of what was read, or what stands in for one that it refuses."""
        raise NotImplementedError

    def other(self, statement: ast.stmt) -> None:
        """Take up what neither assigns nor defines: loops and calls may do anything, and are shown as code."""
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return
        if isinstance(statement, (ast.Expr, ast.Pass, ast.AnnAssign)) and not is_call(statement):
            return
        for each in ast.walk(statement):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                self.scope[each.id] = Unknown(each.id)
        self.code(statement, "its states and values are known only when it runs")

    def code(self, node: ast.stmt | ast.expr, why: str) -> None:
        """Note what is shown as code."""
        text = "\n".join(self._lines[node.lineno - 1 : node.end_lineno])
        self.found.code.append(CodeSource(text, node.lineno, why))
