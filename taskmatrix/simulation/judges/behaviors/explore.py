"""Judges explorers."""

from __future__ import annotations

from .random_walk import RandomWalkJudge


class ExploreJudge(RandomWalkJudge):
    """Success of exploring (thesis 4.3.6).

    The base walks about as for ``random-walk``: for as long as asked, within the region. What was seen is in the map
    and not in the plant's truth; how much of the world it shows is what ``benchmarks/mapping.py`` measures.
    """
