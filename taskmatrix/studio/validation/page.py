"""The matrix as one page that needs no other file."""

from __future__ import annotations

import base64
from html import escape
from io import BytesIO
from pathlib import Path

from PIL import Image

from .case import NOT_ABLE, Result
from .matrix import Cell, Matrix

_WIDTH = 900  # pixels of a picture
_STYLE = """
:root { color-scheme: light dark; --ink: #23272f; --paper: #faf9f6; --line: #d9d6cd; --soft: #6b7280;
  --good: #cfe8cf; --bad: #f3c4bd; --unable: #f2e3b3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e5df; --paper: #1b1d21; --line: #3a3d44; --soft: #9aa1ac;
  --good: #2d4a33; --bad: #5c2f2a; --unable: #54481f; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 72rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; } h3 { font-size: 1rem; margin: 1.6rem 0 0.3rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: 0.25rem 0.7rem; text-align: left; }
td a { color: inherit; text-decoration: none; } td.good { background: var(--good); } td.bad { background: var(--bad); }
td.unable { background: var(--unable); } .soft { color: var(--soft); } img { max-width: 100%; border-radius: 6px; }
code { font-size: 0.85em; overflow-wrap: anywhere; } li { margin: 0.2rem 0; }
"""


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
        _list([f"<strong>{escape(complaint)}</strong>" for complaint in matrix.complaints]),
        *(_table(matrix, world) for world in worlds),
        "<h2>Reasons</h2>" if matrix.reasons() else "",
        _list([_reason(reason, results) for reason, results in matrix.reasons()]),
        "<h2>Cells</h2>",
        *(_details(cell) for cell in matrix.cells if _told(cell)),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return (
        f'<!doctype html><html lang="en"><head>{head}<style>{_STYLE}</style></head><body>{"".join(parts)}</body></html>'
    )


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
    return f'<h3 id="{_anchor(cell)}">{escape(title)}</h3>{_list([_result(result) for result in shown])}{pictures}'


def _result(result: Result) -> str:
    word = "not able" if result.verdict == NOT_ABLE else f"seed {result.case.seed}, {result.kind}"
    return f"{escape(word)}: {escape(result.reason)}<br><code>{escape(result.case.replay)}</code>"


def _reason(reason: str, results: list[Result]) -> str:
    return f"{len(results)} &times; {escape(reason)}<br><code>{escape(results[0].case.replay)}</code>"


def _pictures(cell: Cell) -> list[str]:
    """Contact sheets of a cell, small, as the page's own data."""
    drawn = [Path(result.picture) for result in cell.results if result.picture]
    return [_embedded(path) for path in drawn if path.is_file()]


def _embedded(path: Path) -> str:
    with Image.open(path) as picture:
        small = picture.convert("RGB")
    small.thumbnail((_WIDTH, 4 * _WIDTH))
    data = BytesIO()
    small.save(data, "JPEG", quality=75, optimize=True)
    return f"data:image/jpeg;base64,{base64.b64encode(data.getvalue()).decode()}"


def _list(items: list[str]) -> str:
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>" if items else ""


def _anchor(cell: Cell) -> str:
    return escape("-".join((cell.behavior, cell.robot, cell.world)).replace(" ", "_").replace("/", "_"))
