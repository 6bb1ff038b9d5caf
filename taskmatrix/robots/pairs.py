"""The reviewed list of link pairs that are left out of self-collision checks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from taskmatrix.core.base.errors import RobotError, not_found
from taskmatrix.core.base.tables import read_table

REASONS = ("adjacent", "always", "grazing", "nested")


@dataclass(frozen=True)
class ExcludedPair:
    """Two links whose contact is not a collision, and why."""

    links: tuple[str, str]
    """The two links."""
    reason: str
    """``adjacent`` (they share a joint and touch by construction), ``always`` (in contact in nearly all samples),
    ``grazing`` (bodies around a compound joint, whose shells overlap by less than a millimetre in its range) or
    ``nested`` (bodies of one joint, or of one compound joint, drawn so that one turns inside the other)."""
    evidence: str
    """What was measured."""


def read_pairs(path: Path, links: set[str]) -> tuple[ExcludedPair, ...]:
    """Read a robot's excluded pairs; a robot without the file has none.

    Args:
        path: ``pairs.toml`` with an array ``excluded`` of ``{links, reason, evidence}``.
        links: Links that the robot has.

    Raises:
        RobotError: An entry is malformed or names a link that does not exist.
    """
    if not path.exists():
        return ()
    file = read_table(path, RobotError, path.parent).only("excluded")
    records: list[ExcludedPair] = []
    for row in file.tables("excluded"):
        names = row.only("links", "reason", "evidence").strings("links")
        if len(names) != 2:
            raise row.error("links", f"expected two links, got {list(names)}")
        for name in names:
            if name not in links:
                raise row.error("links", not_found("link", name, links))
        if names[0] == names[1]:
            raise row.error("links", f"a pair has two links, this is '{names[0]}' twice")
        if any(set(names) == set(record.links) for record in records):
            raise row.error("links", f"the pair {list(names)} is there already")
        records.append(
            ExcludedPair((names[0], names[1]), row.choice("reason", REASONS, "reason"), row.get("evidence", str))
        )
    return tuple(records)
