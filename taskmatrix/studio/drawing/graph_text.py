"""Drawings of machines as text for other tools: Mermaid and Graphviz's DOT."""

from __future__ import annotations

from collections.abc import Iterator

from taskmatrix.session.graph import Arrow, Box, Graph

RED, GREEN, LIGHT_GREEN, AMBER, LIGHT_AMBER = "#c62828", "#2e7d32", "#dcf2dd", "#b26a00", "#fff3d6"

_SHAPES = {
    "start": ("((", "))"),
    "parameter": ("[", "]"),
    "monitor": ("{{", "}}"),
    "join": ("[/", "/]"),
    "fail": ("{{", "}}"),
    "catch": ("([", "])"),
}
_LINKS = {"start": "-->", "stop": "-->", "wire": "-.->"}
_CLASSES = {
    "parameter": f"fill:{LIGHT_GREEN},stroke:{GREEN},color:#000",
    "monitor": f"fill:{LIGHT_AMBER},stroke:{AMBER},color:#000",
    "fail": f"fill:#fff,stroke:{RED},color:{RED}",
    "start": "fill:#000,stroke:#000,color:#fff",
    "optional": "stroke-dasharray:5 4",
    "final": "stroke-width:3px",
}


def mermaid(graph: Graph) -> str:
    """A flowchart as GitHub and many editors draw it; a final state has double sides, an optional one is dashed."""
    arrows: list[Arrow] = []
    used: dict[str, list[str]] = {}
    body = list(_mermaid_body(graph, "    ", arrows, used))
    lines = ["flowchart TD", *body]
    for arrow in arrows:
        label = f'|"{_escaped(arrow.label, "<br/>")}"|' if arrow.label else ""
        lines.append(f"    {arrow.tail} {_LINKS[arrow.kind]}{label} {arrow.head}")
    for kind, colour in (("stop", RED), ("wire", GREEN)):
        numbers = [str(number) for number, arrow in enumerate(arrows) if arrow.kind == kind]
        if numbers:
            lines.append(f"    linkStyle {','.join(numbers)} stroke:{colour},color:{colour}")
    for name, ids in used.items():
        lines += [f"    classDef {name} {_CLASSES[name]}", f"    class {','.join(ids)} {name}"]
    return "\n".join(lines) + "\n"


def _mermaid_body(graph: Graph, indent: str, arrows: list[Arrow], used: dict[str, list[str]]) -> Iterator[str]:
    for box in graph.boxes:
        classes = [box.kind] * (box.kind in _CLASSES) + ["optional"] * box.optional + ["final"] * box.final
        for name in classes:
            used.setdefault(name, []).append(box.id)
        if box.inside is not None:
            yield f'{indent}subgraph {box.id}["{_escaped(box.label, " : ")}"]'
            yield from _mermaid_body(box.inside, indent + "    ", arrows, used)
            yield f"{indent}end"
        else:
            left, right = _SHAPES.get(box.kind, ("[[", "]]") if box.final else ("(", ")"))
            yield f'{indent}{box.id}{left}"{_escaped(box.label, "<br/>")}"{right}'
    arrows.extend(graph.arrows)


def _escaped(text: str, line: str) -> str:
    text = text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\n", line)


def dot(graph: Graph) -> str:
    """A digraph for Graphviz, with machines inside of states as clusters."""
    lines = [
        "digraph machine {",
        f"    label={_quoted(graph.title)}; labelloc=t; compound=true; rankdir=TB;",
        '    node [shape=box, style=rounded, fontname="Helvetica"]; edge [fontname="Helvetica", fontsize=10];',
        *_dot_body(graph, "    "),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _dot_body(graph: Graph, indent: str) -> Iterator[str]:
    boxes = {box.id: box for box in graph.boxes}
    for box in graph.boxes:
        if box.inside is not None:
            style = ("dashed" if box.optional else "solid") + ",rounded"
            yield f"{indent}subgraph cluster_{box.id} {{"
            yield f'{indent}    label={_quoted(box.label)}; style="{style}"; peripheries={1 + box.final};'
            yield from _dot_body(box.inside, indent + "    ")
            yield f"{indent}}}"
        else:
            yield f"{indent}{box.id} [{_dot_style(box)}];"
    for arrow in graph.arrows:
        tail, head = boxes[arrow.tail], boxes[arrow.head]
        marks = [f"label={_quoted(arrow.label)}"] if arrow.label else []
        marks += [f"ltail=cluster_{tail.id}"] * (tail.inside is not None)
        marks += [f"lhead=cluster_{head.id}"] * (head.inside is not None)
        marks += {
            "start": [],
            "stop": [f'color="{RED}"', f'fontcolor="{RED}"'],
            "wire": [f'color="{GREEN}"', f'fontcolor="{GREEN}"', "style=dashed"],
        }[arrow.kind]
        yield f"{indent}{_point(tail)} -> {_point(head)} [{', '.join(marks)}];"


def _point(box: Box) -> str:
    """A box that an arrow can hold on to: in a cluster, the start of the machine inside."""
    while box.inside is not None:
        box = next(inner for inner in box.inside.boxes if inner.kind == "start")
    return box.id


def _dot_style(box: Box) -> str:
    marks = [f"label={_quoted(box.label)}"]
    if box.kind == "start":
        marks = ['label=""', f"xlabel={_quoted(box.label)}", "shape=circle", "style=filled", 'fillcolor="#000000"']
        marks.append("width=0.2")
    elif box.kind == "parameter":
        marks += ["style=filled", f'color="{GREEN}"', f'fillcolor="{LIGHT_GREEN}"']
    elif box.kind == "monitor":
        marks += ["shape=hexagon", "style=filled", f'color="{AMBER}"', f'fillcolor="{LIGHT_AMBER}"']
    elif box.kind == "fail":
        marks += ["shape=octagon", "style=solid", f'color="{RED}"', f'fontcolor="{RED}"']
    elif box.kind == "join":
        marks += ["shape=parallelogram", "style=solid"]
    elif box.optional:
        marks.append('style="rounded,dashed"')
    return ", ".join([*marks, "peripheries=2"] if box.final else marks)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
