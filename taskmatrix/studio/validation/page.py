"""The matrix as one page that needs no other file."""

from __future__ import annotations

from html import escape
from pathlib import Path

from ..drawing.html import document, embedded, listed
from .case import NOT_ABLE, Result
from .matrix import Cell, Matrix


def page(matrix: Matrix, title: str = "Validation matrix") -> str:
    """The page as HTML: tables of rates, grouped reasons, and for each cell its failures, replay commands, picture."""
    worlds = sorted({cell.world for cell in matrix.cells})
    unable = sum(cell.not_able for cell in matrix.cells)
    summary = (
        f"{matrix.rate:.1%} of {len(matrix.counted)} runs are judged successful; "
        f"not able in {unable} of {len(matrix.cells)} cells."
    )
    parts = [
        f"<h1>{escape(title)}</h1><p>{summary}</p>",
        listed([f"<strong>{escape(complaint)}</strong>" for complaint in matrix.complaints]),
        *(_table(matrix, world) for world in worlds),
        *matrix.parts(),
        "<h2>Reasons</h2>" if matrix.reasons() else "",
        listed([_reason(reason, results) for reason, results in matrix.reasons()]),
        "<h2>Cells</h2>",
        *(_details(cell) for cell in matrix.cells if _told(cell)),
    ]
    return document(title, parts)


def _table(matrix: Matrix, world: str) -> str:
    cells = {(cell.behavior, cell.robot): cell for cell in matrix.cells if cell.world == world}
    robots = sorted({robot for _, robot in cells})
    rows = []
    for behavior in dict.fromkeys(behavior for behavior, _ in cells):
        columns = "".join(_cell(cells.get((behavior, robot))) for robot in robots)
        rows.append(f"<tr><th>{escape(behavior)}</th>{columns}</tr>")
    heads = "".join(f"<th>{escape(robot)}</th>" for robot in robots)
    body = f"<tr><th></th>{heads}</tr>{''.join(rows)}"
    return f'<h2>In {escape(world)}</h2><div class="wide"><table>{body}</table></div>'


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return '<td class="soft">-</td>'
    kind = "unable" if cell.not_able else "good" if cell.good else "bad"
    text = "not able" if cell.not_able else f"{cell.successes}/{len(cell.results)}"
    if _told(cell):
        text = f'<a href="#{_anchor(cell)}">{text}</a>'
    return f'<td class="{kind}">{text}</td>'


def _told(cell: Cell) -> bool:
    """Whether there is more to say about a cell than its rate."""
    return bool(cell.failures) or cell.not_able or any(result.picture for result in cell.results)


def _details(cell: Cell) -> str:
    title = f"{cell.behavior} by {cell.robot} in {cell.world}"
    shown = cell.results[:1] if cell.not_able else cell.failures
    pictures = "".join(f'<p><img alt="{escape(title)}" src="{picture}"></p>' for picture in _pictures(cell))
    return f'<h3 id="{_anchor(cell)}">{escape(title)}</h3>{listed([_result(result) for result in shown])}{pictures}'


def _result(result: Result) -> str:
    word = "not able" if result.verdict == NOT_ABLE else f"seed {result.case.seed}, {result.kind}"
    return f"{escape(word)}: {escape(result.reason)}<br><code>{escape(result.case.replay)}</code>"


def _reason(reason: str, results: list[Result]) -> str:
    return f"{len(results)} &times; {escape(reason)}<br><code>{escape(results[0].case.replay)}</code>"


def _pictures(cell: Cell) -> list[str]:
    """Contact sheets of a cell, small, as the page's own data."""
    drawn = [Path(result.picture) for result in cell.results if result.picture]
    return [embedded(path) for path in drawn if path.is_file()]


def _anchor(cell: Cell) -> str:
    return escape("-".join((cell.behavior, cell.robot, cell.world)).replace(" ", "_").replace("/", "_"))
