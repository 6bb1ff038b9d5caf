from __future__ import annotations

from dataclasses import asdict
from xml.etree import ElementTree

from taskmatrix.behaviors import Fetch, Pickup
from taskmatrix.session.graph import graph_of
from taskmatrix.studio.viewer.drawing import drawing, drawings, graph_from

from .tales import program


def test_a_graph_comes_back_from_data() -> None:
    """With the machines that are in it."""
    for behavior in (Pickup, Fetch):
        graph = graph_of(behavior)
        assert graph_from(asdict(graph)) == graph


def test_every_box_has_its_place_in_the_picture() -> None:
    """Those inside of others, too; each is a group that says which state it is."""
    drawn = drawing(asdict(graph_of(Fetch)))
    boxes = {box["id"]: box for box in drawn["layout"]["boxes"]}
    root = ElementTree.fromstring(drawn["svg"])
    groups = [group for group in root.iter("{http://www.w3.org/2000/svg}g") if "data-id" in group.attrib]
    assert {group.attrib["data-id"] for group in groups} == set(boxes)
    for group in groups:
        assert group.attrib.get("data-path", "") == boxes[group.attrib["data-id"]]["path"]
        (shape, *_) = group
        if shape.tag.endswith("rect"):
            x = float(shape.attrib["x"]) + float(shape.attrib["width"]) / 2
            assert abs(x - boxes[group.attrib["data-id"]]["x"]) < 0.2
    layout = drawn["layout"]
    for box in boxes.values():
        assert box["width"] / 2 <= box["x"] <= layout["width"] - box["width"] / 2
        assert box["height"] / 2 <= box["y"] <= layout["height"] - box["height"] / 2


def test_labels_are_text() -> None:
    """Whatever somebody calls a state."""
    graph = program()["graph"]
    graph["boxes"][1] |= {"label": "<script>", "path": '"><script>', "id": 'a"b'}
    graph["arrows"] = []
    root = ElementTree.fromstring(drawing(graph)["svg"])
    assert not [element for element in root.iter() if "script" in element.tag]
    assert '"><script>' in [element.attrib.get("data-path") for element in root.iter()]


def test_what_is_drawn_of_a_program() -> None:
    """Its own graph, and those of other machines in it."""
    told = program()
    assert drawings({"graph": None, "graphs": {}}) == {"drawings": {}}
    own = drawings({"graph": told["graph"], "graphs": {"pickup": told["graph"]}})
    assert set(own) == {"svg", "layout", "drawings"}
    assert own["drawings"] == {}
    tree = drawings({"graph": None, "graphs": {"tree/pickup": told["graph"]}})
    assert set(tree) == {"drawings"}
    assert tree["drawings"]["tree/pickup"]["svg"] == own["svg"]
