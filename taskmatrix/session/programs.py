"""What is going to run, as data: the drawing of a machine, the parts of an activation tree, the outline of a tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from py_trees.behaviour import Behaviour

from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.machines.machine import Machine
from taskmatrix.core.trees.activation_tree import ActivationTree

from .graph import graph_of


def program(root: Behaviour) -> dict[str, object]:
    """What an event ``program`` tells of what is going to run, when it has been prepared.

    Args:
        root: A behavior, a machine or any py_trees tree.

    Returns:
        ``behavior``, the name of its class, and its ``parameters``. Of a behavior that is a machine ``graph`` is the
        drawing, see :class:`~taskmatrix.session.graph.Graph`; of one that is an activation tree ``components`` are its
        parts, the root first; ``outline`` are the nodes of any other tree, each with name, type, path and children.
        What a behavior has not is None. ``graphs`` and ``trees`` have the same of every behavior in the tree, by path:
        drawings of machines that are states of others are inside of theirs.
    """
    behaviors = list(_behaviors(root))
    machines = [each for each in behaviors if isinstance(each, Machine) and not isinstance(each.parent, Machine)]
    graphs = {machine.path: asdict(graph_of(type(machine), path=machine.path)) for machine in machines}
    trees = {tree.path: _components(tree) for tree in behaviors if isinstance(tree, ActivationTree)}
    single = isinstance(root, TaskBehavior)
    path = root.path if isinstance(root, TaskBehavior) else ""
    return {
        "behavior": type(root).__name__,
        "parameters": dict(root.parameters) if isinstance(root, TaskBehavior) else {},
        "graph": graphs.get(path),
        "components": trees.get(path),
        "outline": None if single else _outline(root),
        "graphs": graphs,
        "trees": trees,
    }


def _behaviors(node: Behaviour) -> Iterator[TaskBehavior]:
    """The task behaviors in a tree, with the states of machines."""
    if isinstance(node, TaskBehavior):
        yield node
    for child in node.children:
        yield from _behaviors(child)


def _outline(node: Behaviour) -> dict[str, object]:
    behavior = isinstance(node, TaskBehavior)
    return {
        "name": node.name,
        "type": type(node).__name__,
        "path": node.path if isinstance(node, TaskBehavior) else None,
        "children": [] if behavior else [_outline(child) for child in node.children],
    }


def _components(tree: ActivationTree) -> list[dict[str, object]] | None:
    """Every component of a tree once; None where it cannot be put together, of which it fails when it starts."""
    try:
        components = tree.assembled()
    except Exception:
        return None
    return [
        {
            "name": component.name,
            "class": type(component).__name__,
            "frequency": component.frequency,
            "parts": [part.called for part in component.parts.values()],
            "optional": [part.called for part in component.parts.values() if part.optional],
        }
        for component in components.values()
    ]
