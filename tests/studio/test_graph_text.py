"""Drawings as Mermaid and as DOT."""

from __future__ import annotations

import re

from taskmatrix.behaviors import Pickup
from taskmatrix.session.graph import graph_of
from taskmatrix.studio.drawing.graph_text import dot, mermaid

from .machines import Party, Serve


def test_mermaid_has_shapes_and_colours() -> None:
    """Final, optional and parameter boxes have their class; stop arrows are red, wires green and dotted."""
    text = mermaid(graph_of(Pickup))
    lines = [line.strip() for line in text.splitlines()]
    assert lines[0] == "flowchart TD"
    assert 'pickup_lift[["lift"]]' in lines
    assert 'pickup_reach -->|"planning-started"| pickup_fixate' in lines
    links = [line for line in lines if "-->" in line or "-.->" in line]
    (red,) = [line for line in lines if "stroke:#c62828,color" in line and line.startswith("linkStyle")]
    assert [links[int(number)] for number in re.findall(r"\d+", red.split()[1])] == [
        'pickup_reach -->|"task-successful<br/>[~visible(object, 0.035)]"| pickup_fixate',
        'pickup_grasp -->|"task-complete"| pickup_fixate',
    ]
    assert "class pickup_fixate,pickup_look optional" in lines
    parameters = [f"pickup_parameter_{name}" for name in ("object", "duration", "onto", "up", "into")]
    assert f"class {','.join(parameters)} parameter" in lines


def test_mermaid_nests_and_escapes() -> None:
    """A machine in a state is a subgraph; what Mermaid would take for its own is written otherwise."""
    text = mermaid(graph_of(Party))
    assert len(re.findall(r"^ *subgraph ", text, re.MULTILINE)) == len(re.findall(r"^ *end$", text, re.MULTILINE)) == 2
    assert "the &quot;object&quot; is gone &amp;" in text
    assert "<knows>" not in text


def test_dot_has_clusters_and_marks() -> None:
    """Arrows end at the border of a cluster; quotes and line feeds are escaped."""
    text = dot(graph_of(Party))
    assert text.count("{") == text.count("}") == 3
    assert "lhead=cluster_party_serve" in text
    assert r'label="the \"object\" is gone &\nnobody <knows> where it is"' in text
    assert 'party_serve__rest [label="rest\\nPostural", peripheries=2];' in text
    assert "->" in text


def test_text_is_the_same_every_time() -> None:
    """Nothing in it depends on hashes."""
    assert mermaid(graph_of(Serve)) == mermaid(graph_of(Serve))
    assert dot(graph_of(Serve)) == dot(graph_of(Serve))
