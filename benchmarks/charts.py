"""Bars and curves as SVG, for the pages of the benchmarks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from rich.table import Table

from taskmatrix.core.world.objects import Array

WIDTH, LETTER = 352, 7.2  # pixels of a chart, and of a letter in it
BAR, NAME = 20, 216  # pixels of a bar with the space around it, and of the longest name that is not cut
FRAME = (52, 46, 344, 206)  # pixels: left, top, right and bottom of where curves are
POINTS = 400  # of a curve, at most
COLOURS = ("#d1495b", "#30638e", "#edae49", "#3c8d63", "#8a5a9e", "#7d7f86")
STYLE = """<style>
.charts { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0.6rem 2rem; margin: 1rem 0; }
.charts svg { font: 12px system-ui, sans-serif; max-width: 100%; } pre { font-size: 0.85em; }
svg text { fill: currentColor; } svg .head { font-weight: 600; } svg .bar { fill: #8fa3b5; }
svg .ours { fill: #d1495b; } svg .rule { stroke: currentColor; opacity: 0.3; } svg polyline { fill: none; }
</style>"""


Line = tuple[str, Sequence[float] | Array, Sequence[float] | Array]


@dataclass(frozen=True)
class Bars:
    """Numbers by name; names without a number have no bar."""

    title: str
    """What the numbers are."""
    bars: Sequence[tuple[str, float, str]]
    """The name, the number and how it is written; NaN for none."""
    most: float | None = None
    """The length of a whole bar; the largest number unless given."""
    marked: str = ""
    """A name that stands out."""
    logarithmic: bool = False
    """Whether a bar is as long as the number's logarithm; the shortest is a tenth of the longest."""

    def svg(self) -> str:
        """The chart."""
        name = LETTER * min(NAME / LETTER, max((len(name) for name, _, _ in self.bars), default=0)) + 8
        word = LETTER * max((len(word) for _, _, word in self.bars), default=0) + 12
        room = max(60.0, WIDTH - name - word)
        ends = self._ends()
        low, high = min([0.0, *filter(math.isfinite, ends)]), max([0.0, *filter(math.isfinite, ends)])
        if self.most is not None and not self.logarithmic:
            high = max(high, self.most)
        scale = room / (high - low) if high > low else 0.0
        zero, parts = name - low * scale, [f'<text class="head" x="0" y="13">{escape(self.title)}</text>']
        for k, ((label, _, text), end) in enumerate(zip(self.bars, ends, strict=True)):
            y, kind = 22 + BAR * k, "bar ours" if label == self.marked else "bar"
            parts.append(f'<text x="{name - 8:.0f}" y="{y + 14}" text-anchor="end">{_cut(label)}</text>')
            length = abs(end) * scale if math.isfinite(end) else 0.0
            left = zero - length if end < 0 else zero
            parts.append(
                f'<rect class="{kind}" x="{left:.1f}" y="{y + 3}" width="{length:.1f}" height="{BAR - 6}"/>'
                f'<text x="{max(left + length, zero) + 5:.1f}" y="{y + 14}">{escape(text)}</text>'
            )
        height = 26 + BAR * len(self.bars)
        parts.append(f'<path class="rule" d="M{zero:.1f} 20V{height - 2}"/>')
        return _svg(self.title, max(WIDTH, name + room + word), height, parts)

    def _ends(self) -> list[float]:
        """How far each bar goes, in the chart's unit."""
        numbers = [number for _, number, _ in self.bars]
        if not self.logarithmic:
            return numbers
        logs = [math.log10(number) if number > 0 else math.nan for number in numbers]
        low, high = (of(filter(math.isfinite, logs), default=0.0) for of in (min, max))
        return [log - low + max(high - low, 1.0) / 9 for log in logs]


@dataclass(frozen=True)
class Curves:
    """Numbers over numbers."""

    title: str
    """What is shown."""
    across: str
    """What the axis to the right is, with its unit."""
    up: str
    """What the axis upwards is, with its unit."""
    lines: Sequence[Line]
    """A name, and the places (n,) to the right and upwards; lines of one name have one colour."""
    behind: str = ""
    """The name of lines that are broad and grey, to see others on them."""

    def svg(self) -> str:
        """The chart."""
        known = [(x, y) for _, xs, ys in self.lines for x, y in zip(xs, ys, strict=True) if math.isfinite(x + y)]
        if not known:
            return ""
        left, top, right, bottom = FRAME
        (x0, x1), (y0, y1) = (_wide(axis) for axis in zip(*known, strict=True))
        parts = [f'<text class="head" x="0" y="13">{escape(self.title)}</text>']

        def at(x: float, y: float) -> tuple[float, float]:
            return left + (x - x0) / (x1 - x0) * (right - left), bottom - (y - y0) / (y1 - y0) * (bottom - top)

        for value in _ticks(x0, x1):
            x, _ = at(value, y0)
            parts.append(f'<path class="rule" d="M{x:.1f} {bottom}v4"/>')
            parts.append(f'<text x="{x:.1f}" y="{bottom + 17}" text-anchor="middle">{value:g}</text>')
        for value in _ticks(y0, y1):
            _, y = at(x0, value)
            parts.append(f'<path class="rule" d="M{left} {y:.1f}H{right}"/>')
            parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
        for name, xs, ys in self.lines:
            step = max(1, -(-len(xs) // POINTS))
            line = [at(x, y) for x, y in zip(xs[::step], ys[::step], strict=True) if math.isfinite(x + y)]
            pixels = " ".join(f"{x:.1f},{y:.1f}" for x, y in line)
            parts.append(f'<polyline points="{pixels}" {self._pen(name)}/>')
        for k, name in enumerate(self._names()):
            y = bottom + 56 + 18 * k
            parts.append(f'<path d="M{left} {y - 4}h18" {self._pen(name)}/>')
            parts.append(f'<text x="{left + 26}" y="{y}">{escape(name)}</text>')
        parts.append(
            f'<text x="{(left + right) / 2}" y="{bottom + 35}" text-anchor="middle">{escape(self.across)}</text>'
            f'<text x="0" y="{top - 14}">{escape(self.up)}</text>'
        )
        return _svg(self.title, WIDTH, bottom + 46 + 18 * len(self._names()), parts)

    def _names(self) -> list[str]:
        return list(dict.fromkeys(name for name, _, _ in self.lines))

    def _pen(self, name: str) -> str:
        if name == self.behind:
            return 'stroke="#9aa5b1" stroke-width="4"'
        drawn = [each for each in self._names() if each != self.behind]
        return f'stroke="{COLOURS[drawn.index(name) % len(COLOURS)]}" stroke-width="1.5"'


Chart = Bars | Curves


def bars_of(table: Table, heads: Iterable[str], by: int = 1) -> list[Bars]:
    """Columns of a table as bars, with a bar for each row that has a number there; none for the sum of all rows.

    Args:
        table: As it is printed; its cells are strings.
        heads: Of the columns.
        by: How many of the first columns name a row.
    """
    columns = [[str(cell) for cell in column.cells] for column in table.columns]
    names = [", ".join(filter(None, cells)) for cells in zip(*columns[:by], strict=True)]
    found, known = [], [str(column.header) for column in table.columns]
    for head in heads:
        rows = [(name, number(word), word) for name, word in zip(names, columns[known.index(head)], strict=True)]
        rows = [row for row in rows if math.isfinite(row[1])]
        shares = rows and all("/" in word for _, _, word in rows)
        rows = [row for row in rows if shares or row[0] != "all"]
        found.append(Bars(head, rows, 1.0 if shares else None))
    return [bars for bars in found if bars.bars]


def number(word: str) -> float:
    """The number that a cell begins with; of ``9/10`` the share, of what is none NaN."""
    share = re.fullmatch(r"(\d+)/(\d+)", word)
    if share:
        return int(share[1]) / int(share[2]) if int(share[2]) else math.nan
    plain = re.match(r"[-+]?\d[\d,]*(\.\d+)?(e[-+]?\d+)?", word)
    return float(plain[0].replace(",", "")) if plain else math.nan


def _svg(title: str, width: float, height: float, parts: Iterable[str]) -> str:
    size = f'width="{width:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"'
    return f'<svg role="img" aria-label="{escape(title)}" {size}>{"".join(parts)}</svg>'


def _cut(name: str) -> str:
    most = int(1.1 * NAME / LETTER)  # letters are narrower than that in the mean
    return escape(name) if len(name) <= most else f"<title>{escape(name)}</title>{escape(name[: most - 1])}…"


def _wide(axis: Sequence[float]) -> tuple[float, float]:
    """From the least to the most, and never nothing."""
    low, high = min(axis), max(axis)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _ticks(low: float, high: float) -> list[float]:
    """Three to six round numbers from low to high."""
    step = 10.0 ** math.floor(math.log10((high - low) / 3))
    step *= max(m for m in (1, 2, 5) if m * step <= (high - low) / 2.5)
    first = math.ceil(low / step - 1e-9)
    return [round(k * step, 12) for k in range(first, math.floor(high / step + 1e-9) + 1)]
