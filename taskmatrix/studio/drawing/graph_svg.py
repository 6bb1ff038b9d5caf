"""Drawings of machines as SVG, in the manner of the thesis' figures 5.39 to 5.46."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from taskmatrix.session.graph import Arrow, Box, Graph

from .graph_layout import LETTER, SMALL, TITLE, Layout, Point, lay_out, smooth, text_size
from .graph_text import AMBER, GREEN, LIGHT_AMBER, LIGHT_GREEN, RED

INK = "#1f2430"
SHADES = ("#ffffff", "#f3f5f9", "#e6eaf2")  # of machines in machines
FONT = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
_COLOURS = {"start": INK, "stop": RED, "wire": GREEN}


def svg(graph: Graph, layout: Layout | None = None) -> str:
    """A picture: start arrows are black, stop arrows red, parameters and wires green.

    A final state has a double border, an optional one a dashed border; a machine inside of a state is drawn in it.
    Every box is a group that says its id and, of a state, its path.

    Args:
        graph: What is drawn.
        layout: Of this graph; found unless given.
    """
    layout = layout or lay_out(graph)
    size = (
        f'width="{layout.width:.0f}" height="{layout.height:.0f}" viewBox="0 0 {layout.width:.0f} {layout.height:.0f}"'
    )
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}" font-size="12">',
        f"  <title>{escape(graph.title)}</title>",
        "  <defs>",
        *(
            f'    <marker id="{kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
            f'orient="auto"><path d="M0,0.8 L10,5 L0,9.2 z" fill="{colour}"/></marker>'
            for kind, colour in _COLOURS.items()
        ),
        "  </defs>",
        f'  <rect width="100%" height="100%" fill="{SHADES[0]}"/>',
        _text(graph.title, (layout.width / 2, TITLE / 2 + 4), LETTER, INK, "bold"),
        *_drawing(layout, (0.0, 0.0), 0),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _drawing(layout: Layout, at: Point, depth: int) -> Iterator[str]:
    """Boxes first, then what is in them, then arrows, and labels above everything."""
    for box in layout.graph.boxes:
        x, y = (layout.places[box.id][0] + at[0], layout.places[box.id][1] + at[1])
        width, height = layout.sizes[box.id]
        told = f" data-path={quoteattr(box.path)}" if box.path else ""
        yield f'  <g class="box {box.kind}" data-kind="{box.kind}" data-id={quoteattr(box.id)}{told}>'
        yield from _box(box, x, y, width, height, SHADES[min(depth + 1, len(SHADES) - 1)])
        yield "  </g>"
        inside = layout.insides.get(box.id)
        if inside is not None:
            yield _text(box.label.replace("\n", " : "), (x, y - height / 2 + 17.0), LETTER, INK, "bold")
            yield from _drawing(inside, (x - inside.width / 2, y - height / 2 + TITLE / 2), depth + 1)
    for arrow, path in zip(layout.graph.arrows, layout.paths, strict=True):
        yield _arrow(arrow, [(x + at[0], y + at[1]) for x, y in path])
    shade = SHADES[min(depth, len(SHADES) - 1)]
    for arrow, label in zip(layout.graph.arrows, layout.labels, strict=True):
        if label is not None:
            x, y = label[0] + at[0], label[1] + at[1]
            width, height = text_size(arrow.label, SMALL)
            yield _rect(x, y, width + 4, height, f'fill="{shade}" fill-opacity="0.9"')
            yield _text(arrow.label, (x, y), SMALL, _COLOURS[arrow.kind])


def _box(box: Box, x: float, y: float, width: float, height: float, shade: str) -> Iterator[str]:
    w, h = width / 2, height / 2
    if box.kind == "start":
        yield f'  <circle cx="{x:.1f}" cy="{y:.1f}" r="{w:.1f}" fill="{INK}"/>'
        return
    colour = {"parameter": GREEN, "monitor": AMBER, "fail": RED, "catch": "#8890a0"}.get(box.kind, INK)
    fill = {"parameter": LIGHT_GREEN, "monitor": LIGHT_AMBER, "join": INK}.get(box.kind, shade)
    style = f'fill="{fill}" stroke="{colour}" stroke-width="1.4"' + ' stroke-dasharray="5 4"' * box.optional
    if box.kind in ("monitor", "fail"):
        corners = [(-w, 0.0), (14 - w, -h), (w - 14, -h), (w, 0.0), (w - 14, h), (14 - w, h)]
        points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
        yield f'  <polygon points="{points}" {style}/>'
    else:
        radius = {"parameter": 2, "join": 3, "catch": 12}.get(box.kind, 8)
        yield _rect(x, y, width, height, f'rx="{radius}" {style}')
        if box.final:
            dashes = ' stroke-dasharray="5 4"' * box.optional
            yield _rect(x, y, width - 7, height - 7, f'rx="5" fill="none" stroke="{colour}" stroke-width="1.4"{dashes}')
    if box.inside is None:
        first, *rest = box.label.split("\n", 1)
        written = {"join": "#ffffff", "state": INK}.get(box.kind, colour)
        if box.kind == "state" and rest:
            yield _text(first, (x, y - LETTER[1] / 2), LETTER, written)
            yield _text(rest[0], (x, y + LETTER[1] / 2), SMALL, "#6a7283")
        else:
            yield _text(box.label, (x, y), LETTER, written)


def _arrow(arrow: Arrow, path: Sequence[Point]) -> str:
    """A smooth line that leaves and meets boxes and labels upright; a loop is a bow."""
    x, y = path[0]
    line = f"M{x:.1f},{y:.1f}"
    if arrow.tail == arrow.head:
        reach, (end_x, end_y) = path[1][0] + 8.0, path[-1]
        line += f" C{reach:.1f},{y + 12:.1f} {reach:.1f},{end_y - 12:.1f} {end_x:.1f},{end_y:.1f}"
    else:
        for curve in smooth(path):
            line += " C" + " ".join(f"{x:.1f},{y:.1f}" for x, y in curve)
    dashes = ' stroke-dasharray="3 3"' if arrow.kind == "wire" else ""
    width = 1.0 if arrow.kind == "wire" else 1.5
    colour = _COLOURS[arrow.kind]
    style = f'stroke="{colour}" stroke-width="{width}"{dashes} marker-end="url(#{arrow.kind})"'
    return f'  <path d="{line}" fill="none" {style}/>'


def _rect(x: float, y: float, width: float, height: float, style: str) -> str:
    corner = f'x="{x - width / 2:.1f}" y="{y - height / 2:.1f}"'
    return f'  <rect {corner} width="{width:.1f}" height="{height:.1f}" {style}/>'


def _text(text: str, at: Point, letter: Point, colour: str, weight: str = "normal") -> str:
    """Lines of text around a centre."""
    size = 12.5 if letter is LETTER else 10.5
    lines = text.split("\n")
    top = at[1] - (len(lines) - 1) * letter[1] / 2 + 0.36 * size
    spans = [
        f'<tspan x="{at[0]:.1f}" y="{top + number * letter[1]:.1f}">{escape(line)}</tspan>'
        for number, line in enumerate(lines)
    ]
    style = f'text-anchor="middle" font-size="{size}" font-weight="{weight}" fill="{colour}"'
    return f"  <text {style}>{''.join(spans)}</text>"
