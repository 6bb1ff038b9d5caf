"""What a cycle costs: components of an activation tree and states of a machine beside leaves of a py_trees parallel.

    python benchmarks/ticking.py --json ticking.json

Every node does nothing, so that what is left is what it costs to get there. Three of each size run side by side, and
the least of many rounds counts:

    tree        a root, groups and components below them, all of them in one activation tree; a tenth of 1,000 active
    machine     a machine whose states all run
    py_trees    a parallel of leaves that are running, the cheapest composite that it has
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Annotated, Any

import typer
from console import Console
from options import Json, main
from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy, Status
from py_trees.composites import Parallel
from rich.table import Table

from taskmatrix.core import ActivationTree, Component, Machine, Part, State, TaskBehavior, start
from taskmatrix.testing import Bench

ROUNDS = 7
GROUP = 99  # components below one group, at most


class Idle(Component):
    """Works, and does nothing."""


class Stays(TaskBehavior):
    """Runs on, and does nothing."""

    planning_time = 0.0

    def step(self) -> bool:
        """Go on."""
        return False


class Leaf(Behaviour):
    """Runs on, and does nothing."""

    def update(self) -> Status:
        """Go on."""
        return Status.RUNNING


def tree(count: int, active: int) -> tuple[Callable[[], object], int]:
    """The cycle of a tree of ``count`` components below its root, and how many are active in it."""
    groups = max(1, -(-count // (GROUP + 1)))
    each, awake = count // groups - 1, active // groups - 1

    def first(self: Component) -> None:
        for part in self.on:  # type: ignore[attr-defined]
            part.step()

    def choose(self: Component) -> None:
        self.on = list(self.made.values())[:awake]  # type: ignore[attr-defined]

    def group(number: int) -> type[Component]:
        parts = {f"part_{k}": Part(Idle, name=f"{number}-{k}") for k in range(each)}
        return type(f"Group{number}", (Component,), {**parts, "started": choose, "act": first})

    def every(self: Component) -> None:
        for part in self.made.values():
            part.step()

    body: dict[str, Any] = {f"group_{k}": Part(group(k)) for k in range(groups)}
    root: type[Component] = type("Root", (Component,), {**body, "act": every})
    made = ActivationTree(root())
    Bench().ticks(made, 2)
    return made.step, len(made.nodes)


def machine(count: int) -> tuple[Callable[[], object], int]:
    """The control step of a machine of which all states run."""
    states = {f"state_{k}": State(Stays, final=True) for k in range(count)}
    made = type("All", (Machine,), {**states, "transitions": (start(*states.values()),)})()
    Bench().ticks(made, 3)
    return made.step, count


def parallel(count: int) -> tuple[Callable[[], object], int]:
    """The tick of a parallel."""
    made = Parallel("all", policy=ParallelPolicy.SuccessOnAll(), children=[Leaf(str(k)) for k in range(count)])
    made.setup_with_descendants()
    made.tick_once()
    return made.tick_once, count


def measured(functions: dict[str, Callable[[], object]]) -> dict[str, float]:
    """[s] What each takes, the least of several rounds in which they take turns."""
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(ROUNDS):
        for name, function in functions.items():
            calls, began = 0, time.perf_counter()
            while (took := time.perf_counter() - began) < 0.05:
                function()
                calls += 1
            best[name] = min(best[name], took / calls)
    return best


def measure(
    sizes: Annotated[str, typer.Option(help="How many nodes are active; numbers separated by commas.")] = "10,100,1000",
    json_file: Json = None,
) -> None:
    """Measure all and report."""
    console, table, runs = Console(width=120), Table("nodes", "what", "a cycle [us]", "a node [us]", "of py_trees"), []
    for size in (int(text) for text in sizes.split(",")):
        cases = {
            "tree": tree(size - 1, size - 1),
            "tree, a tenth active": tree(10 * size, size - 1),
            "machine": machine(size),
            "py_trees": parallel(size),
        }
        took = measured({name: function for name, (function, _) in cases.items()})
        least = took["py_trees"] / cases["py_trees"][1]
        for name, (_, nodes) in cases.items():
            node = took[name] / nodes
            table.add_row(str(nodes), name, f"{1e6 * took[name]:.1f}", f"{1e6 * node:.2f}", f"{node / least:.2f}")
            runs.append({"nodes": nodes, "what": name, "cycle_us": 1e6 * took[name], "node_us": 1e6 * node})
    console.print(table)
    console.bars(table, "a node [us]", "of py_trees", by=2)
    if json_file is not None:
        json_file.write_text(json.dumps({"runs": runs}, indent=1))


if __name__ == "__main__":
    main(measure)
