"""Options that benchmarks share, the page that each writes, and the loop over rows and peers."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import wraps
from inspect import Parameter, signature
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import sheet
import typer
from console import Console
from peers import PEERS
from report import Report
from results import Result
from runner import Runner

from taskmatrix.core.base.errors import NotFoundError, ParameterError, TaskMatrixError


class Measure(str, Enum):
    """What time is taken by."""

    WALL = "wall"
    """The clock on the wall."""
    PROCESSOR = "processor"
    """The processor's time; limits that a peer keeps by itself are still those of the wall."""


PLOTS = (".png", ".svg", ".pdf")
Names = Annotated[
    list[str] | None, typer.Option(metavar="NAMES", help="Separated by commas, or repeated; all unless given.")
]
Python = Annotated[
    list[str] | None,
    typer.Option(metavar="PEER=PATH", help="Interpreter that a peer is installed for, if not this one. Repeatable."),
]
Clock = Annotated[Measure, typer.Option(help="What time is taken by: processor where others use the machine as well.")]
Json = Annotated[Path | None, typer.Option("--json", help="Where to write all figures.")]
Plot = Annotated[Path | None, typer.Option(help="Where to draw them: a .png, .svg or .pdf.")]
PAGE = "Where to write all of it as one HTML page, with charts."
Page = Annotated[Path | None, typer.Option(metavar="FILE", help=PAGE)]
Cache = Annotated[Path, typer.Option(help="Folder where problems are kept once they are built.")]


def chosen(noun: str, given: Sequence[str] | None, known: Iterable[str]) -> list[str]:
    """The names that are asked for, in the order in which they are known; all if none are.

    Raises:
        NotFoundError: One of them does not exist.
    """
    known = list(dict.fromkeys(known))
    asked = [name for item in given or known for name in item.split(",") if name]
    for name in asked:
        if name not in known:
            raise NotFoundError(noun, name, known)
    return [name for name in known if name in asked]


def runner(python: Sequence[str] | None, clock: Measure = Measure.WALL) -> Runner:
    """A runner that knows the interpreters.

    Raises:
        ParameterError: One is not of the form PEER=PATH.
    """
    pairs = [item.partition("=") for item in python or ()]
    for peer, equals, path in pairs:
        if not (peer and equals and path):
            raise ParameterError(f"--python {peer}{equals}{path}: an interpreter is given as PEER=PATH")
    return Runner({peer: path for peer, _, path in pairs}, clock.value)


def compare(
    benchmark: str,
    rows: Sequence[str],
    peers: Sequence[str] | None,
    measure: Callable[[str, str, str], Result],
    report: Report,
    json: Path | None,
    plot: Path | None,
    settings: Mapping[str, object],
) -> list[Result]:
    """Measure each row with each peer in turn, and report.

    Ctrl-C ends it early and reports what there is.

    Args:
        benchmark: ``ik``, ``collision`` or ``planning``.
        rows: Names of rows.
        peers: Names that are asked for; all if none are.
        measure: From a row, a peer and its adapter to the result.
        report: How results are shown.
        json: Where to write the figures.
        plot: Where to draw them.
        settings: What is worth knowing of the run.

    Raises:
        NotFoundError: A peer does not exist.
        ParameterError: There is no row, or a file cannot be written.
    """
    console, results = Console(width=160), []
    adapters = PEERS[benchmark]
    _check(rows, json, plot)
    asked = chosen("peer", peers, adapters)
    try:
        for row, peer in product(rows, asked):
            results.append(measure(row, peer, adapters[peer]))
            value = results[-1].get(report.main.key)
            figure = f"{report.main.head} {value:{report.main.form}}" if value is not None else results[-1].note
            console.print(f"{row}, {peer}: {figure}", markup=False, highlight=False, style="dim")
    except KeyboardInterrupt:
        console.print("cut off; what there is:", style="yellow")
    report.show(results, console)
    try:
        if json is not None:
            report.write(results, json, settings)
        if plot is not None:
            report.plot(results, plot)
    except OSError as error:
        raise TaskMatrixError(f"cannot write {error.filename}: {error.strerror}") from error
    return results


def main(command: Callable[..., None]) -> None:
    """Run a command, which also writes a page; what the user got wrong is one line, not a traceback."""
    try:
        typer.run(paged(command))
    except TaskMatrixError as error:
        Console(stderr=True).print(str(error), style="red", markup=False, highlight=False)
        raise SystemExit(2) from None


def paged(command: Callable[..., None]) -> Callable[..., None]:
    """A command that has the option ``--page`` as well."""
    plain = signature(command, eval_str=True)

    @wraps(command)
    def run(*, page: Path | None = None, **options: Any) -> None:
        sheet.checked(page)
        command(**options)
        sheet.write(page, command.__globals__["__doc__"])

    option = Parameter("page", Parameter.KEYWORD_ONLY, default=None, annotation=Page)
    run.__signature__ = plain.replace(parameters=[*plain.parameters.values(), option])  # type: ignore[attr-defined]
    run.__annotations__ = {**command.__annotations__, "page": Page}
    return run


def parsed(parser: ArgumentParser) -> Namespace:
    """What is typed, with the option ``--page`` as well; :func:`sheet.write` writes it."""
    parser.add_argument("--page", type=Path, metavar="FILE", help=PAGE[0].lower() + PAGE[1:-1])
    options = parser.parse_args()
    try:
        sheet.checked(options.page)
    except ParameterError as error:
        parser.error(str(error))
    return options


def _check(rows: Sequence[str], json: Path | None, plot: Path | None) -> None:
    """Refuse before the work what would be refused after it."""
    if not rows:
        raise ParameterError("these options leave no row of problems")
    for path in (json, plot):
        if path is not None and not path.absolute().parent.is_dir():
            raise ParameterError(f"{path}: the folder {path.absolute().parent} does not exist")
    if plot is not None and plot.suffix not in PLOTS:
        raise ParameterError(f"{plot}: a plot is a file of one of the kinds {', '.join(PLOTS)}")
