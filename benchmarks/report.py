"""Results as a table on the terminal, as JSON and as a plot."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from charts import Bars
from console import Console
from peers import OURS
from results import Result, lead, names, ratios, summary
from rich.table import Table

from taskmatrix.core.base.errors import TaskMatrixError, how_to_install

OURS_COLOUR, PEER_COLOUR = "#d1495b", "#9aa5b1"


@dataclass(frozen=True)
class Column:
    """A figure in the table."""

    key: str
    """Of :attr:`Result.figures`."""
    head: str
    """Above the column."""
    form: str
    """How the number is written, as for :func:`format`."""
    kind: str = "time"
    """``time``, ``share``, ``count`` or ``worst``: all rows are told by the median, the mean, the sum or the most."""


@dataclass(frozen=True)
class Report:
    """How the results of one benchmark are shown."""

    title: str
    """What was measured."""
    columns: Sequence[Column]
    """From left to right."""
    main: Column
    """What peers are compared by; less is better."""

    def show(self, results: Sequence[Result], console: Console) -> None:
        """Print the table of rows, and that of peers over all rows."""
        ratio, base = ratios(results, self.main.key), self._base(results)
        table = Table(title=self.title)
        table.add_column("row", no_wrap=True)
        table.add_column("peer", no_wrap=True)
        for column in self.columns:
            table.add_column(column.head, justify="right")
        table.add_column(f"times {base}", justify="right")
        for row in names(item.row for item in results):
            table.add_section()
            for item in (item for item in results if item.row == row):
                cells = [_cell(item.get(column.key), column.form) for column in self.columns]
                cells += [_cell(ratio.get((row, item.peer)), ".1f")]
                if item.figures:
                    table.add_row(row, item.peer, *cells, style="bold" if item.peer == OURS else None)
        console.print(table)
        console.draw(*self._bars(results))
        table = Table("peer", "rows", title="all rows: means of shares, medians of times, sums of counts")
        for column in self.columns:
            table.add_column(column.head, justify="right")
        for head in ("least", "median"):
            table.add_column(f"times {base}, {head}", justify="right")
        for peer, rows, least, middle in summary(results, self.main.key):
            cells = [_cell(self._over(results, peer, column), column.form) for column in self.columns]
            cells += [_cell(least, ".1f"), _cell(middle, ".1f")]
            table.add_row(peer, str(rows), *cells, style="bold" if peer == OURS else None)
        console.print(table)
        ahead = lead(results, self.main.key)
        if ahead:
            worst = min(ahead, key=ahead.__getitem__)
            text = f"{OURS} against the best peer of each row: {ahead[worst]:.1f} times ahead at the least ({worst}), "
            console.print(text + f"{np.median(list(ahead.values())):.1f} at the median of rows")
        if versions := _versions(results):
            console.print("versions: " + ", ".join(f"{peer} {version}" for peer, version in versions.items()))
        for peer, note in dict.fromkeys((item.peer, item.note) for item in results if item.note):
            noted = [item.row for item in results if (item.peer, item.note) == (peer, note)]
            where = "everywhere" if len(noted) == len(names(item.row for item in results)) else ", ".join(noted)
            console.print(f"{peer}: {note} ({where})")

    def write(self, results: Sequence[Result], path: Path, settings: Mapping[str, object]) -> None:
        """Write all figures, their ratios, and where they were taken."""
        ratio = ratios(results, self.main.key)
        data = {
            "benchmark": self.title,
            "machine": {
                "system": platform.platform(),
                "python": platform.python_version(),
                "versions": _versions(results),
            },
            "settings": dict(settings),
            "compared by": self.main.key,
            "ratios are to": self._base(results),
            "lead": lead(results, self.main.key),
            "results": [{**asdict(item), "ratio": ratio.get((item.row, item.peer))} for item in results],
        }
        path.write_text(json.dumps(data, indent=1, default=str))

    def plot(self, results: Sequence[Result], path: Path) -> None:
        """Draw a bar for each peer on each row, ours in red, with the ratios beside them."""
        try:
            from matplotlib.figure import Figure  # noqa: PLC0415  # only plots need it
        except ImportError:
            raise TaskMatrixError(f"a plot needs matplotlib; install it {how_to_install('benchmarks')}") from None
        ratio = ratios(results, self.main.key)
        rows = [row for row in names(item.row for item in results) if any(name == row for name, _ in ratio)]
        across, down = min(3, max(1, len(rows))), -(-max(1, len(rows)) // 3)
        bars = max((sum(name == row for name, _ in ratio) for row in rows), default=1)
        figure = Figure(figsize=(4.2 * across, (0.8 + 0.27 * bars) * down + 0.6))
        axes = figure.subplots(down, across, squeeze=False, sharex=True).ravel()
        every = [item.get(self.main.key) or 0.0 for item in results if (item.row, item.peer) in ratio]
        for axis, row in zip(axes, rows, strict=False):
            items = [item for item in results if item.row == row and (row, item.peer) in ratio]
            items.sort(key=lambda item: item.get(self.main.key) or 0.0, reverse=True)
            values = [item.get(self.main.key) or 0.0 for item in items]
            colours = [OURS_COLOUR if item.peer == OURS else PEER_COLOUR for item in items]
            drawn = axis.barh([item.peer for item in items], values, color=colours)
            words = [
                f"{_cell(v, self.main.form)} ({ratio[row, i.peer]:.1f}x)" for v, i in zip(values, items, strict=True)
            ]
            axis.bar_label(drawn, words, padding=3, fontsize=7)
            axis.set_xscale("log")
            axis.set_xlim(min(every) / 2, max(every) * 40)
            axis.minorticks_off()
            axis.set_title(row, fontsize=9)
            axis.tick_params(labelsize=7)
        for axis in axes[len(rows) :]:
            axis.set_axis_off()
        figure.suptitle(f"{self.title}: {self.main.head}, times {self._base(results)}", fontsize=10)
        figure.tight_layout()
        figure.savefig(path, dpi=120)

    def _bars(self, results: Sequence[Result]) -> list[Bars]:
        """A chart for each row with a bar for each peer, for the page."""
        ratio, charts = ratios(results, self.main.key), []
        for row in names(name for name, _ in ratio):
            figures = {r.peer: r.get(self.main.key) or 0.0 for r in results if (row, r.peer) in ratio and r.row == row}
            bars = [
                (peer, figures[peer], f"{_cell(figures[peer], self.main.form)} ({ratio[row, peer]:.1f}x)")
                for peer in sorted(figures, key=figures.__getitem__)
            ]
            charts.append(Bars(f"{row}: {self.main.head}, logarithmic", bars, marked=OURS, logarithmic=True))
        return charts

    def _over(self, results: Sequence[Result], peer: str, column: Column) -> float | None:
        values = [v for item in results if item.peer == peer and (v := item.get(column.key)) is not None]
        if not values:
            return None
        if column.kind in ("count", "worst"):
            return sum(values) if column.kind == "count" else max(values)
        return float(np.mean(values) if column.kind == "share" else np.median(values))

    def _base(self, results: Sequence[Result]) -> str:
        return "ours" if any(item.peer == OURS and item.get(self.main.key) for item in results) else "the best"


def _cell(value: float | None, form: str) -> str:
    return "-" if value is None or np.isnan(value) else format(value, form)


def _versions(results: Sequence[Result]) -> dict[str, str]:
    return {item.peer: item.details["version"] for item in results if item.details.get("version")}
