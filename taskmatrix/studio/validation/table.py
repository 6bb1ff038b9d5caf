"""The matrix on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .matrix import Cell, Matrix

_MOST = 12  # groups of reasons shown


def show(matrix: Matrix, console: Console) -> None:
    """Print a table of success rates for each world, the reasons of the failures, and the verdict."""
    cells = {(cell.behavior, cell.robot, cell.world): cell for cell in matrix.cells}
    behaviors = list(dict.fromkeys(cell.behavior for cell in matrix.cells))
    robots = list(dict.fromkeys(cell.robot for cell in sorted(matrix.cells, key=lambda cell: cell.robot)))
    for world in sorted({cell.world for cell in matrix.cells}):
        table = Table(f"in {world}", *robots, box=None, pad_edge=False, header_style="bold")
        for behavior in behaviors:
            table.add_row(behavior, *(_cell(cells.get((behavior, robot, world))) for robot in robots))
        console.print(table)
        console.print()
    for reason, results in matrix.reasons()[:_MOST]:
        console.print(f"{len(results):4} x {reason}", markup=False, highlight=False)
        console.print(f"       {results[0].case.replay}", style="dim", markup=False, highlight=False)
    hidden = len(matrix.reasons()) - _MOST
    if hidden > 0:
        console.print(f"       and {hidden} more kinds of failures, in matrix.json and matrix.html")
    counted = matrix.counted
    unable = sum(cell.not_able for cell in matrix.cells)
    line = f"{matrix.rate:.1%} of {len(counted)} runs succeed; not able in {unable} of {len(matrix.cells)} cells"
    console.print(line, style="bold", highlight=False)
    for complaint in matrix.complaints:
        console.print(complaint, style="red", markup=False, highlight=False)


def _cell(cell: Cell | None) -> Text:
    if cell is None:
        return Text("-", style="dim")
    if cell.not_able:
        return Text("not able", style="yellow")
    return Text(f"{cell.successes}/{len(cell.results)}", style="green" if cell.good else "bold red")
