"""Drawings as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from taskmatrix.behaviors import Fixate, Pickup
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.session.graph import graph_of
from taskmatrix.studio.drawing.graph_svg import svg
from taskmatrix.studio.drawing.graph_text import GREEN, RED

from .machines import Party, Serve

NAME = "{http://www.w3.org/2000/svg}"


def elements(behavior: type[TaskBehavior], kind: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(svg(graph_of(behavior))).iter(NAME + kind))


@pytest.mark.parametrize("behavior", [Fixate, Pickup, Serve, Party])
def test_every_name_and_message_is_in_the_picture(behavior: type[TaskBehavior]) -> None:
    """It is well-formed and says what the drawing says."""
    shown = " ".join(element.text or "" for element in elements(behavior, "tspan"))
    graph = graph_of(behavior)
    words = [*(box.label for box in graph.boxes if box.kind != "start"), *(arrow.label for arrow in graph.arrows)]
    for line in (line for text in words for line in text.split("\n")):
        assert line in shown


def test_borders_and_arrows_tell_what_they_are() -> None:
    """One final state has a second border, the optional ones dashes, two arrows are red, eight are green."""
    inner = [each for each in elements(Pickup, "rect") if each.get("fill") == "none"]
    assert len(inner) == 1
    dashed = [each for each in elements(Pickup, "rect") if each.get("stroke-dasharray")]
    assert len(dashed) == 2
    strokes = [each.get("stroke") for each in elements(Pickup, "path") if each.get("marker-end")]
    assert (len(strokes), strokes.count(RED), strokes.count(GREEN)) == (20, 2, 10)


def test_the_picture_is_the_same_every_time() -> None:
    """To the last character."""
    assert svg(graph_of(Party)) == svg(graph_of(Party))
