"""The behaviors that can be started from the page, each with what its form asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from taskmatrix.core.base.errors import NotFoundError, TaskMatrixError
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.robots import Robot
from taskmatrix.simulation.scenes.world import World

from ..catalogue import BOUNDS, SUBJECTS, SURFACE, behaviors, choices, describe, load, make, stand_ins

Value = str | float | bool | None


def forms(world: World, robot: Robot) -> list[dict[str, Any]]:
    """Every behavior as ``name``, ``doc`` and ``parameters``; one that cannot be loaded is left out.

    A parameter has ``name``, ``type``, ``default``, ``doc``, ``required`` and ``choices`` (or None). What stands in for
    one that is required is its default.
    """
    found = []
    for name in behaviors():
        try:
            behavior = load(name)
        except TaskMatrixError:
            continue
        instead = {**stand_ins(name, world), **BOUNDS.get(name, {})}
        fields = [_field(key, item, instead, world, robot) for key, item in behavior.declared.items()]
        found.append({"name": name, "doc": describe(name)[0], "parameters": fields})
    return found


def made(name: str, values: Mapping[str, Value], world: World, robot: Robot) -> TaskBehavior:
    """Make a behavior from a filled form, validated as on the command line; None and empty texts are not given.

    Only behaviors of the catalogue are made: a name that leads to a module loads nothing.

    Raises:
        NotFoundError: There is no such behavior.
        TaskMatrixError: As in :func:`taskmatrix.session.catalogue.make`.
    """
    if name not in behaviors():
        raise NotFoundError("behavior", name, behaviors())
    return make(name, [f"{key}={value}" for key, value in values.items() if value not in (None, "")], world, robot)


def _field(
    key: str, parameter: Parameter[Any], instead: Mapping[str, Any], world: World, robot: Robot
) -> dict[str, Any]:
    default = instead.get(key, None if parameter.required else parameter.default)
    is_object = parameter.known or key in (*SUBJECTS, SURFACE)
    listed = choices(key, world, robot) or (sorted(world.objects) if is_object else [])
    return {
        "name": key,
        "type": parameter.type.__name__,
        "default": default,
        "doc": parameter.doc,
        "required": parameter.required and default is None,
        "choices": listed or None,
    }
