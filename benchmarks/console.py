"""What benchmarks print, and what of it goes on their page."""

from __future__ import annotations

from typing import Any, ClassVar

import rich.console
from charts import Chart, bars_of
from rich.table import Table

Told = Table | str | list[Chart]
"""A table, a line, or charts that stand side by side."""


class Console(rich.console.Console):
    """Prints what it is given as it is, with units in brackets, and keeps it for the page.

    Lines in the style ``dim`` tell how far the work is, and are not kept. A table to which rows were added takes the
    place of what it was.
    """

    told: ClassVar[list[Told]] = []
    """By all consoles of this process, in the order in which they told it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"markup": False, "highlight": False, **options})

    def print(self, *objects: Any, **options: Any) -> None:
        """Print, and keep."""
        super().print(*objects, **options)
        for object in objects if options.get("style") != "dim" else ():
            if isinstance(object, Table):
                self._forget(object)
            self.told.append(object if isinstance(object, Table) else str(object))

    def bars(self, table: Table, *heads: str, by: int = 1) -> None:
        """Draw columns of a table on the page, where the first ``by`` columns name a row."""
        self.draw(*bars_of(table, heads, by))

    def draw(self, *charts: Chart) -> None:
        """Draw on the page."""
        if charts:
            self.told.append(list(charts))

    def _forget(self, table: Table) -> None:
        """What a table was before it had more rows, and the charts of that."""
        for k, former in enumerate(self.told):
            if isinstance(former, Table) and former.row_count < table.row_count and _begins(table, former):
                after = self.told[k + 1 : k + 2]
                del self.told[k : k + 1 + (bool(after) and isinstance(after[0], list))]
                return


def _begins(table: Table, former: Table) -> bool:
    """Whether a table begins with the rows of another."""
    if [column.header for column in table.columns] != [column.header for column in former.columns]:
        return False
    columns = zip(table.columns, former.columns, strict=True)
    return all([*mine.cells][: former.row_count] == [*theirs.cells] for mine, theirs in columns)
