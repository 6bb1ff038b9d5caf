"""The drawing of a machine, from the graph that its program tells as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import orjson

from taskmatrix.session.graph import Arrow, Box, Graph

from ..drawing.graph_layout import TITLE, Layout, lay_out
from ..drawing.graph_svg import svg

Data = Mapping[str, Any]


def drawings(program: Data) -> dict[str, Any]:
    """What is drawn of a program: ``svg`` and ``layout`` of its graph, and ``drawings`` with both for others, by path.

    Args:
        program: Data of the event; ``graph`` is its own, ``graphs`` are those of all machines in it.
    """
    graph, others = program.get("graph"), program.get("graphs") or {}
    own = {} if graph is None else drawing(graph)
    return {**own, "drawings": {path: drawing(other) for path, other in others.items() if other != graph}}


def drawing(graph: Data) -> dict[str, Any]:
    """``svg``, and ``layout`` with the place [px] of every box.

    The same graph is drawn once: a replay comes by it again and again.
    """
    return _drawn(orjson.dumps(graph, option=orjson.OPT_SORT_KEYS))


@lru_cache(maxsize=8)
def _drawn(text: bytes) -> dict[str, Any]:
    graph = graph_from(orjson.loads(text))
    layout = lay_out(graph)
    boxes = list(_boxes(layout, 0.0, 0.0))
    return {"svg": svg(graph, layout), "layout": {"width": layout.width, "height": layout.height, "boxes": boxes}}


def graph_from(data: Data) -> Graph:
    """Read a graph, with the machines that are inside of its states."""
    boxes = [
        Box(
            id=str(box["id"]),
            label=str(box.get("label", "")),
            kind=str(box.get("kind", "state")),
            optional=bool(box.get("optional")),
            final=bool(box.get("final")),
            inside=graph_from(box["inside"]) if box.get("inside") else None,
            path=str(box.get("path") or ""),
        )
        for box in data["boxes"]
    ]
    arrows = [
        Arrow(str(arrow["tail"]), str(arrow["head"]), str(arrow.get("kind", "start")), str(arrow.get("label", "")))
        for arrow in data["arrows"]
    ]
    return Graph(str(data.get("title", "")), boxes, arrows)


def _boxes(layout: Layout, left: float, top: float) -> Iterator[dict[str, Any]]:
    """Centres and sizes [px] of all boxes, those inside of others after them."""
    for box in layout.graph.boxes:
        (x, y), (width, height) = layout.places[box.id], layout.sizes[box.id]
        x, y = x + left, y + top
        yield {"id": box.id, "path": box.path, "x": x, "y": y, "width": width, "height": height}
        inside = layout.insides.get(box.id)
        if inside is not None:
            yield from _boxes(inside, x - inside.width / 2, y - height / 2 + TITLE / 2)
