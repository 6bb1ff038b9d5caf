"""A check of a robot as one page that needs no other file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from ..drawing.html import document, embedded, listed
from .finding import FAILS, PASSES, UNABLE, Finding

_CLASSES = {PASSES: "good", FAILS: "bad", UNABLE: "unable"}


def page(robot: str, description: str, findings: Sequence[Finding], plot: str, pictures: Sequence[Path]) -> str:
    """The page as HTML.

    Args:
        robot: Its name.
        description: One line about it.
        findings: All that was found.
        plot: Where its hands get, as SVG.
        pictures: Of the robot.
    """
    failures = [finding for finding in findings if finding.verdict == FAILS]
    unable = sum(finding.verdict == UNABLE for finding in findings)
    summary = f"{len(findings) - len(failures)} of {len(findings)} are as they should be; not able to {unable}."
    parts = [f"<h1>{escape(robot)}</h1><p>{escape(description)}</p><p>{summary}</p>"]
    parts.append(listed(f"<strong>{escape(f.name)}</strong>: {escape(f.text)}" for f in failures))
    parts += [f'<p><img alt="{escape(robot)}" src="{embedded(path)}"></p>' for path in pictures]
    for part in dict.fromkeys(finding.part for finding in findings):
        rows = "".join(_row(finding) for finding in findings if finding.part == part)
        parts.append(f'<h2>{escape(part[0].upper() + part[1:])}</h2><div class="wide"><table>{rows}</table></div>')
        parts.append(plot if part == "reach" else "")
    return document(f"{robot}: what it is able to", parts)


def _row(finding: Finding) -> str:
    kind = _CLASSES.get(finding.verdict, "soft")
    verdict = f'<td class="{kind}">{escape(finding.verdict)}</td>'
    return f"<tr><th>{escape(finding.name)}</th>{verdict}<td>{escape(finding.text)}</td></tr>"
