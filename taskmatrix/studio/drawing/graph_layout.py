"""Where the boxes and arrows of a drawing go: layers from top to bottom, few crossings, straight arrows.

The method of Sugiyama, Tagawa and Toda (1981): break cycles, layer by the longest path, order each layer by
barycentres, then place it as near to its neighbours as the distances allow. Arrows run over every layer between, in a
node of their own that is as wide as their label, so labels touch nothing. A machine inside of a state is laid out
first; its drawing is the size of that state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from taskmatrix.session.graph import Arrow, Box, Graph

from .graph_columns import Columns

Point = tuple[float, float]
LETTER = (7.4, 17.0)  # [px] a letter of a box is wide, and a line high
SMALL = (6.0, 14.0)  # [px] of a label
BESIDE, BETWEEN = 26.0, 22.0  # [px] between neighbours, and between layers
MARGIN, TITLE = 18.0, 26.0  # [px] around a drawing, and for its title
LOOP = 30.0  # [px] from a box to the end of an arrow to itself
ROUND = 24.0  # [px] by which an arrow turns into a lane between columns
SWEEPS, PLACINGS = 24, 80


@dataclass
class Layout:
    """A laid out drawing; all in pixels from its upper left corner, y downwards."""

    graph: Graph
    """What is drawn."""
    width: float = 0.0
    """[px]"""
    height: float = 0.0
    """[px]"""
    places: dict[str, Point] = field(default_factory=dict)
    """Centre of every box."""
    sizes: dict[str, Point] = field(default_factory=dict)
    """Width and height of every box."""
    paths: list[list[Point]] = field(default_factory=list)
    """Of every arrow, from tail to head."""
    labels: list[Point | None] = field(default_factory=list)
    """Centre of every arrow's label."""
    insides: dict[str, Layout] = field(default_factory=dict)
    """Of the machines inside of states."""


def lay_out(graph: Graph) -> Layout:
    """Find the places of all boxes, arrows and labels; the same graph has the same layout."""
    layout = Layout(graph)
    for box in graph.boxes:
        if box.inside is not None:
            layout.insides[box.id] = lay_out(box.inside)
        layout.sizes[box.id] = _size(box, layout.insides.get(box.id))
    levels = _levels(graph)
    nodes = {box.id: _Node(levels[box.id], *layout.sizes[box.id]) for box in graph.boxes}
    for arrow in graph.arrows:
        if arrow.tail == arrow.head:
            nodes[arrow.tail].beside = LOOP + 12.0 + text_size(arrow.label, SMALL)[0]
    chains = [_chain(arrow, number, levels, nodes) for number, arrow in enumerate(graph.arrows)]
    layers = _ordered(nodes, chains)
    _place(layers, nodes, chains)
    left = min(node.x - node.width / 2 for node in nodes.values()) - MARGIN
    for node in nodes.values():
        node.x -= left
    layout.width = max(node.x + node.width / 2 + node.beside for node in nodes.values()) + MARGIN
    layout.width = max(layout.width, text_size(graph.title, LETTER)[0] + 2 * MARGIN)
    layout.height = max(node.y + node.height / 2 for node in nodes.values()) + MARGIN
    layout.places = {box.id: (nodes[box.id].x, nodes[box.id].y) for box in graph.boxes}
    _route(layout, nodes, chains)
    _wrap(layout, layers, nodes)
    return layout


def _wrap(layout: Layout, layers: list[list[str]], nodes: dict[str, _Node]) -> None:
    """Put a long chain into columns."""
    boxes = [layer for layer in layers[::2] if layer]
    cuts = [nodes[layer[0]].y - nodes[layer[0]].around / 2 - BETWEEN / 2 for layer in boxes]
    spans = [(each.y, each.x - each.width / 2, each.x + each.width / 2 + each.beside) for each in nodes.values()]
    columns = Columns(layout.width, layout.height, TITLE + MARGIN, cuts[1:], spans)
    if not columns.several:
        return
    for path in layout.paths:
        columns.count(path)
    layout.labels = [None if label is None else columns.place(label) for label in layout.labels]
    layout.places = {id: columns.place(place) for id, place in layout.places.items()}
    free = columns.free()
    layout.paths = [columns.lead(path, free) for path in layout.paths]
    layout.width, layout.height = columns.size()


@dataclass
class _Node:
    level: int
    width: float
    height: float
    label: bool = False
    beside: float = 0.0  # what has to stay free to its right
    around: float = 0.0  # height of its layer
    x: float = 0.0
    y: float = 0.0


def text_size(text: str, letter: Point) -> Point:
    """Width and height [px] of a text in lines."""
    lines = text.split("\n")
    return max(map(len, lines)) * letter[0], len(lines) * letter[1]


def _size(box: Box, inside: Layout | None) -> Point:
    if inside is not None:
        return max(inside.width, text_size(box.label, LETTER)[0] + 2 * MARGIN), inside.height + TITLE
    if box.kind == "start":
        return 18.0, 18.0
    width, height = text_size(box.label, LETTER)
    if box.kind == "join":
        return width + 24.0, height + 4.0
    return max(width + (44.0 if box.kind in ("monitor", "fail") else 26.0), 64.0), height + 18.0


def _levels(graph: Graph) -> dict[str, int]:
    """An even level for every box: below all that lead to it, but for arrows that close a cycle."""
    after: dict[str, list[str]] = {box.id: [] for box in graph.boxes}
    for arrow in sorted(graph.arrows, key=lambda arrow: ("start", "wire", "stop").index(arrow.kind)):
        after[arrow.tail].append(arrow.head)
    order: list[str] = []
    done: dict[str, bool] = {}
    forward: dict[str, list[str]] = {id: [] for id in after}

    def visit(id: str) -> None:
        done[id] = False
        for head in after[id]:
            if head not in done:
                visit(head)
            if done[head]:
                forward[id].append(head)
        done[id] = True
        order.append(id)

    first = [box.id for box in graph.boxes if box.kind == "start"]
    for id in [*first, *after]:
        if id not in done:
            visit(id)
    levels = dict.fromkeys(after, 0)
    for id in reversed(order):
        for head in forward[id]:
            levels[head] = max(levels[head], levels[id] + 2)
    for box in graph.boxes:
        if box.kind in ("parameter", "monitor") and forward[box.id]:  # no higher than it has to be
            levels[box.id] = min(levels[head] for head in forward[box.id]) - 2
    return levels


def _chain(arrow: Arrow, number: int, levels: dict[str, int], nodes: dict[str, _Node]) -> list[str]:
    """Ids of the nodes over which an arrow runs, from top to bottom; an arrow to its own box has none between."""
    upper, lower = sorted((arrow.tail, arrow.head), key=levels.__getitem__)
    between = []
    label_at = levels[upper] + 1 if upper == arrow.tail else levels[lower] - 1
    for level in range(levels[upper] + 1, levels[lower]):
        id = f"{number}/{level}"
        labelled = bool(arrow.label) and level == label_at
        width, height = text_size(arrow.label, SMALL) if labelled else (4.0, 4.0)
        nodes[id] = _Node(level, width + 8.0 * labelled, height, labelled)
        between.append(id)
    return [upper, *between, lower]


def _neighbours(nodes: dict[str, _Node], chains: list[list[str]]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    above: dict[str, list[str]] = {id: [] for id in nodes}
    below: dict[str, list[str]] = {id: [] for id in nodes}
    for chain in chains:
        for upper, lower in pairwise(chain):
            if nodes[upper].level < nodes[lower].level:
                above[lower].append(upper)
                below[upper].append(lower)
    return above, below


def _ordered(nodes: dict[str, _Node], chains: list[list[str]]) -> list[list[str]]:
    """The nodes of every layer from left to right; the order with the fewest crossings that was found."""
    above, below = _neighbours(nodes, chains)
    layers: list[list[str]] = [[] for _ in range(max(node.level for node in nodes.values()) + 1)]
    for id, node in nodes.items():
        layers[node.level].append(id)
    best, fewest = [list(layer) for layer in layers], _crossings(layers, below)
    rank = {id: index for layer in layers for index, id in enumerate(layer)}
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        for layer in layers if downwards else reversed(layers):
            near = above if downwards else below
            wish = {id: _mean([rank[other] for other in near[id]], rank[id]) for id in layer}
            layer.sort(key=lambda each, wish=wish: (wish[each], rank[each]))  # type: ignore[misc]
            rank.update((id, index) for index, id in enumerate(layer))
        crossings = _crossings(layers, below)
        if crossings < fewest:
            best, fewest = [list(layer) for layer in layers], crossings
    return best


def _crossings(layers: list[list[str]], below: dict[str, list[str]]) -> int:
    count = 0
    for upper, lower in pairwise(layers):
        rank = {id: index for index, id in enumerate(lower)}
        ends = [rank[other] for id in upper for other in sorted(below[id], key=rank.__getitem__)]
        count += sum(first > second for index, first in enumerate(ends) for second in ends[index + 1 :])
    return count


def _place(layers: list[list[str]], nodes: dict[str, _Node], chains: list[list[str]]) -> None:
    """Give every node its coordinates: near to its neighbours, in order, with distances kept."""
    above, below = _neighbours(nodes, chains)
    top = TITLE + MARGIN
    for layer in layers:
        height = max((nodes[id].height for id in layer), default=0.0)
        for id in layer:
            nodes[id].y, nodes[id].around = top + height / 2, height
        top += height + BETWEEN
        _spread(layer, nodes, [0.0] * len(layer), [1.0] * len(layer))
    for sweep in range(PLACINGS):
        downwards, rough = sweep % 2 == 0, sweep < PLACINGS // 4
        for layer in layers if downwards else reversed(layers):
            wishes, weights = [], []
            for id in layer:
                near = (above if downwards else below)[id] if rough else [*above[id], *below[id]]
                wishes.append(_mean([nodes[other].x for other in near], nodes[id].x))
                weights.append((2.0 if nodes[id].label else 8.0) if "/" in id else 1.0 + 0.5 * len(near))
            _spread(layer, nodes, wishes, weights)


def _spread(layer: Sequence[str], nodes: dict[str, _Node], wishes: Sequence[float], weights: Sequence[float]) -> None:
    """Place a layer as near to its wishes as the distances allow: isotonic regression by pooling neighbours."""
    offset, offsets = 0.0, []
    for index, id in enumerate(layer):
        if index:
            left = nodes[layer[index - 1]]
            thin = "/" in id or "/" in layer[index - 1]
            offset += (left.width + nodes[id].width) / 2 + left.beside + (BESIDE / 2 if thin else BESIDE)
        offsets.append(offset)
    pools: list[tuple[float, float, int]] = []  # position, weight, number of nodes
    for wish, weight, shift in zip(wishes, weights, offsets, strict=True):
        position, count = wish - shift, 1
        while pools and pools[-1][0] >= position:
            other, heavier, more = pools.pop()
            position = (position * weight + other * heavier) / (weight + heavier)
            weight, count = weight + heavier, count + more  # noqa: PLW2901
        pools.append((position, weight, count))
    positions = [position for position, _, count in pools for _ in range(count)]
    for id, position, shift in zip(layer, positions, offsets, strict=True):
        nodes[id].x = position + shift


def _route(layout: Layout, nodes: dict[str, _Node], chains: list[list[str]]) -> None:
    """Lead every arrow over its nodes; where several hold on to one side of a box, they share its width."""
    sides: dict[tuple[str, int], list[tuple[float, int]]] = {}
    for number, chain in enumerate(chains):
        if chain[0] != chain[-1]:
            for id, next_id, side in ((chain[0], chain[1], 1), (chain[-1], chain[-2], -1)):
                sides.setdefault((id, side), []).append((nodes[next_id].x, number))
    ports: dict[tuple[int, str], Point] = {}
    for (id, side), ends in sides.items():
        node = nodes[id]
        room = min(0.8 * node.width / len(ends), 46.0)
        for index, (_, number) in enumerate(sorted(ends)):
            x = node.x + (index - (len(ends) - 1) / 2) * room
            ports[number, id] = (x, node.y + side * node.height / 2)
    for number, (arrow, chain) in enumerate(zip(layout.graph.arrows, chains, strict=True)):
        if chain[0] == chain[-1]:
            label, path = _loop(arrow, nodes[chain[0]])
        else:
            between = [point for id in chain[1:-1] for point in _through(nodes[id])]
            path = [ports[number, chain[0]], *between, ports[number, chain[-1]]]
            path = path if chain[0] == arrow.tail else path[::-1]
            label = next(((nodes[id].x, nodes[id].y) for id in chain[1:-1] if nodes[id].label), path[0])
        layout.paths.append(path)
        layout.labels.append(label if arrow.label else None)


def _through(node: _Node) -> list[Point]:
    """Straight down through a layer that has boxes."""
    if node.level % 2:
        return [(node.x, node.y)]
    return [(node.x, node.y - node.around / 2), (node.x, node.y + node.around / 2)]


def _loop(arrow: Arrow, node: _Node) -> tuple[Point, list[Point]]:
    """An arrow from a box to itself, at its right side, with the label beside it."""
    right = node.x + node.width / 2
    path = [(right, node.y + 8.0), (right + LOOP, node.y), (right, node.y - 8.0)]
    return (right + LOOP + 6.0 + text_size(arrow.label, SMALL)[0] / 2, node.y), path


def smooth(path: Sequence[Point]) -> Iterator[tuple[Point, Point, Point]]:
    """Cubic curves through the points of a path, as two control points and an end each; upright at both ends.

    Where a path turns back into a straight line up or down, it comes round into it.
    """
    slopes = [(0.0, 1.0), *(_slope(*path[at - 1 : at + 2]) for at in range(1, len(path) - 1)), (0.0, 1.0)]
    ways = [end[1] > start[1] for start, end in pairwise(path)]
    straight = [end[0] == start[0] for start, end in pairwise(path)]
    for at, ((start, end), (first, last)) in enumerate(zip(pairwise(path), pairwise(slopes), strict=True)):
        third = (end[1] - start[1]) * 0.42
        one, other = (start[0] + first[0] * third, start[1] + third), (end[0] - last[0] * third, end[1] - third)
        if at + 1 < len(ways) and ways[at + 1] != ways[at] and straight[at + 1]:
            other = end[0], end[1] + (ROUND if ways[at] else -ROUND)
        if at and ways[at - 1] != ways[at] and straight[at - 1]:
            one = start[0], start[1] + (-ROUND if ways[at] else ROUND)
        yield one, other, end


def _slope(before: Point, here: Point, after: Point) -> Point:
    """Sideways per downwards at a point; none where the path turns."""
    first = (here[0] - before[0]) / (here[1] - before[1])
    second = (after[0] - here[0]) / (after[1] - here[1])
    return (0.0 if first * second <= 0 else 2 * first * second / (first + second), 1.0)


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
