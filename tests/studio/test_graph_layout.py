"""Boxes and labels touch nothing, and arrows go where they should."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from taskmatrix.behaviors import Fixate, Pickup, Timer
from taskmatrix.core import Machine, State, on, start
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.session.graph import graph_of
from taskmatrix.studio.drawing.graph_layout import SMALL, Layout, lay_out, smooth, text_size

from .machines import Party, Serve


def chain(length: int) -> type[TaskBehavior]:
    """A machine of so many states one after the other, with ways back."""
    states = {f"wait_{number}": State(Timer, duration=0.1, final=number == length - 1) for number in range(length)}
    for name, state in states.items():
        state.name = name
    each = list(states.values())
    back = [
        on(state.failed, start=each[7 * number // 10], times=2) for number, state in enumerate(each) if number % 5 == 0
    ]
    transitions = (start(each[0]), *(on(a.task_successful, start=b) for a, b in pairwise(each)), *back)
    return type("Chain", (Machine,), {**states, "transitions": transitions})


LONG = chain(70)
ALL: list[type[TaskBehavior]] = [Fixate, Pickup, Serve, Party, LONG]
Rectangle = tuple[float, float, float, float]


def around(x: float, y: float, width: float, height: float) -> Rectangle:
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def rectangles(layout: Layout) -> list[Rectangle]:
    """Of all boxes and labels."""
    found = [around(*layout.places[box.id], *layout.sizes[box.id]) for box in layout.graph.boxes]
    for arrow, label in zip(layout.graph.arrows, layout.labels, strict=True):
        if label is not None:
            found.append(around(*label, *text_size(arrow.label, SMALL)))
    return found


@pytest.mark.parametrize("behavior", ALL)
def test_nothing_lies_on_anything_or_outside(behavior: type[TaskBehavior]) -> None:
    """Boxes and labels, at every depth."""
    waiting = [lay_out(graph_of(behavior))]
    while waiting:
        layout = waiting.pop()
        found = rectangles(layout)
        for a, b in combinations(found, 2):
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (a, b)
        for left, top, right, bottom in found:
            assert left >= 0
            assert top >= 0
            assert right <= layout.width
            assert bottom <= layout.height
        waiting.extend(layout.insides.values())


@pytest.mark.parametrize("behavior", ALL)
def test_arrows_run_from_border_to_border(behavior: type[TaskBehavior]) -> None:
    """Of their own boxes, and through no other box."""
    layout = lay_out(graph_of(behavior))
    for arrow, path in zip(layout.graph.arrows, layout.paths, strict=True):
        for id, (x, y) in ((arrow.tail, path[0]), (arrow.head, path[-1])):
            left, top, right, bottom = around(*layout.places[id], *layout.sizes[id])
            assert left - 1e-6 <= x <= right + 1e-6
            assert any(abs(y - side) < 1e-6 for side in (top, bottom)) or arrow.tail == arrow.head
        for box in layout.graph.boxes:
            left, top, right, bottom = around(*layout.places[box.id], *layout.sizes[box.id])
            assert not any(left < x < right and top < y < bottom for x, y in path)


def test_what_leads_to_a_box_is_above_it() -> None:
    """Start arrows go down, but for those that close a loop."""
    layout = lay_out(graph_of(Pickup))
    height = {id: y for id, (_, y) in layout.places.items()}
    assert height["pickup_start"] < height["pickup_reach"] < height["pickup_grasp"] < height["pickup_fixate"]


def test_a_long_chain_is_in_columns() -> None:
    """From top to bottom in each, and from left to right; a short one is in one."""
    layout = lay_out(graph_of(LONG))
    places = [layout.places[f"chain_wait_{number}"] for number in range(70)]
    tops = [number for number, (one, other) in enumerate(pairwise(places), 1) if other[1] < one[1]]
    assert tops == [number for number, (one, other) in enumerate(pairwise(places), 1) if other[0] > one[0] + 150]
    assert len(tops) >= 2
    assert layout.height < 2.5 * layout.width
    short = lay_out(graph_of(chain(12)))
    heights = [short.places[f"chain_wait_{number}"][1] for number in range(12)]
    assert heights == sorted(heights)


def test_a_machine_in_a_state_has_room() -> None:
    """The state is as large as its drawing."""
    layout = lay_out(graph_of(Party))
    inside = layout.insides["party_serve"]
    width, height = layout.sizes["party_serve"]
    assert width >= inside.width
    assert height > inside.height


def test_a_path_is_smooth() -> None:
    """Each curve ends where the next begins, with the same direction; upright at both ends."""
    path = [(0.0, 0.0), (10.0, 10.0), (20.0, 30.0), (20.0, 50.0)]
    curves = list(smooth(path))
    assert [end for _, _, end in curves] == path[1:]
    assert curves[0][0][0] == 0.0
    assert curves[-1][1][0] == 20.0
    for (_, before, here), (after, _, _) in pairwise(curves):
        first = (here[0] - before[0]) / (here[1] - before[1])
        assert first == pytest.approx((after[0] - here[0]) / (after[1] - here[1]))


def test_the_layout_is_the_same_every_time() -> None:
    """To the last bit."""
    assert lay_out(graph_of(Party)) == lay_out(graph_of(Party))
