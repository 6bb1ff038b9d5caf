"""The command ``taskmatrix list``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.robots import load_robot, robot_descriptions
from taskmatrix.session.catalogue import behavior_facts, behaviors, describe, parameters
from taskmatrix.simulation.scenes.world_loader import load_world, world_descriptions

from .setting_options import completing
from .terminal import console

NAMES: dict[str, Callable[[], Iterable[str]]] = {
    "robots": robot_descriptions,
    "behaviors": behaviors,
    "worlds": world_descriptions,
}


def list_(
    what: Annotated[
        str,
        typer.Argument(metavar="WHAT", help="robots, behaviors or worlds", autocompletion=completing(lambda: NAMES)),
    ],
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Only this one: a behavior's parameters, what a robot provides."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List what there is, with a line of description each; behaviors with their parameters."""
    if what not in NAMES:
        raise NotFoundError("list", what, NAMES)
    names = list(NAMES[what]())
    if name is not None and name not in names:
        raise NotFoundError(what[:-1], name, names)
    if as_json:
        chosen = names if name is None else [name]
        typer.echo(json.dumps({each: _facts(what, each, name is not None) for each in chosen}))
        return
    head: tuple[str, ...] = (what[:-1], "description")
    rows: list[tuple[str, ...]]
    if name is not None and what == "robots":
        head, rows = ("part", "what it provides"), list(load_robot(name).capabilities.description.items())
    elif name is not None and what == "behaviors":
        head, rows = ("parameter", "meaning"), list(parameters(name).items())
    elif what == "behaviors":
        head, rows = (*head, "parameters"), [(each, *describe(each)) for each in names]
    else:
        rows = [(each, str(_facts(what, each)["description"])) for each in names if name in (None, each)]
    if name is not None and what != "worlds":
        console().print(_facts(what, name)["description"], markup=False, highlight=False)
    table = Table(*head, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*map(Text, row))
    console().print(table)


def _facts(what: str, name: str, all_of_it: bool = False) -> dict[str, Any]:
    """What is known of a robot, behavior or world; with what takes loading it only where ``all_of_it`` is wanted."""
    if what == "behaviors":
        return behavior_facts(name)
    if what == "robots":
        provides = {"provides": load_robot(name).capabilities.description} if all_of_it else {}
        return {"description": robot_descriptions()[name], **provides}
    objects = {"objects": {id: each.type for id, each in load_world(name).objects.items()}} if all_of_it else {}
    return {"description": world_descriptions()[name], **objects}
