"""Names on the command line: behaviors of the library and of third parties' entry points."""

from __future__ import annotations

import importlib
import inspect
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import taskmatrix.behaviors
import taskmatrix.soccer
from taskmatrix.core.base.errors import NotFoundError, ParameterError, TaskMatrixError
from taskmatrix.core.base.names import in_lower_case
from taskmatrix.core.base.parameter import Parameter, find
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.components.component import Component
from taskmatrix.core.trees.activation_tree import ActivationTree
from taskmatrix.robots import Robot
from taskmatrix.simulation.scenes.second_robot import SECOND_ROBOT
from taskmatrix.simulation.scenes.world import World
from taskmatrix.soccer import Kick

ENTRY_POINTS = "taskmatrix.behaviors"
SUBJECTS = ("object", "target")  # parameters that the world's default object fills when they are not given
SURFACE = "on"  # the parameter that its default surface fills
COMPANY = {"greet": "target"}  # parameters that the second robot fills, by behavior
BOUNDS = {"forward": {"distance": 1.0}, "scan": {"duration": 12.0}}  # of what would go on for long


def behaviors() -> tuple[str, ...]:
    """Names of the behaviors on the command line, in alphabetical order; loads no third party's."""
    return tuple(sorted({**_own(), **_plugged()}))


def components() -> dict[str, type[Component]]:
    """The components of the library, by the names of their classes."""
    found = {name: getattr(taskmatrix.soccer, name) for name in taskmatrix.soccer.__all__}
    return {name: item for name, item in found.items() if inspect.isclass(item) and issubclass(item, Component)}


def load(name: str) -> type[TaskBehavior]:
    """The behavior class of a name.

    Raises:
        NotFoundError: There is no such behavior.
        TaskMatrixError: Its entry point cannot be loaded, or gives something else than a behavior.
    """
    own = _own()
    if name in own:
        return own[name]
    plugged = _plugged()
    if name not in plugged:
        raise NotFoundError("behavior", name, [*own, *plugged])
    point = plugged[name]
    try:
        found = point.load()
    except Exception as error:
        raise TaskMatrixError(
            f"behavior '{name}' of the entry point '{point.value}' cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    if not (inspect.isclass(found) and issubclass(found, TaskBehavior)):
        raise TaskMatrixError(f"behavior '{name}' of the entry point '{point.value}' is no TaskBehavior: {found!r}")
    return found


def find_class(name: str) -> type[TaskBehavior]:
    """The behavior class of a name, or of a ``module:Class``; modules are looked for in the working folder, too.

    Of a component it is an activation tree that has it at the top.

    Raises:
        NotFoundError: There is no such behavior, module or class.
        TaskMatrixError: The module cannot be loaded, or the class is neither a behavior nor a component.
    """
    module_name, colon, class_name = name.partition(":")
    if not colon:
        return load(name)
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise TaskMatrixError(f"module '{module_name}' cannot be loaded: {type(error).__name__}: {error}") from error
    classes = {key: item for key, item in vars(module).items() if inspect.isclass(item)}
    if class_name not in classes:
        known = [key for key, item in classes.items() if issubclass(item, (TaskBehavior, Component))]
        raise NotFoundError("behavior", class_name, known, f"module '{module_name}'")
    found = classes[class_name]
    if issubclass(found, Component):
        return _tree_of(found)
    if not issubclass(found, TaskBehavior):
        raise TaskMatrixError(f"'{name}' is neither a TaskBehavior nor a Component: {found!r}")
    return found


def _tree_of(component: type[Component]) -> type[ActivationTree]:
    """An activation tree with a component at the top, whose parameters are its own."""

    def root(tree: ActivationTree) -> Component:
        return component(**{name: getattr(tree, name) for name in component.declared})

    known = {"__doc__": component.__doc__, "__module__": component.__module__, "root": root}
    return type(component.__name__, (ActivationTree,), {**component.declared, **known})


def file_of(name: str) -> Path | None:
    """The file of the module of a ``module:Class`` that was found; None for a name of the library's."""
    module = sys.modules.get(name.partition(":")[0]) if ":" in name else None
    return Path(module.__file__) if module is not None and module.__file__ is not None else None


def find_again(name: str) -> type[TaskBehavior]:
    """The behavior class of a ``module:Class``, with its module loaded anew from its file.

    Raises:
        NotFoundError: There is no such class any more.
        TaskMatrixError: The module cannot be loaded, or the class is no behavior.
    """
    module = name.partition(":")[0]
    cached = getattr(sys.modules[module], "__cached__", None)
    try:
        if cached is not None:  # it is taken for that of a file that was changed within a second to one of its size
            Path(cached).unlink(missing_ok=True)
        importlib.reload(sys.modules[module])
    except Exception as error:
        raise TaskMatrixError(f"module '{module}' cannot be loaded: {type(error).__name__}: {error}") from error
    return find_class(name)


def describe(name: str) -> tuple[str, str]:
    """The first line of a behavior's docstring and its parameters; for one that cannot be loaded, why."""
    try:
        behavior = load(name)
    except TaskMatrixError as error:
        return str(error), ""
    return (inspect.getdoc(behavior) or "").split("\n", 1)[0], ", ".join(parameters(name))


def parameters(name: str) -> dict[str, str]:
    """The parameters of a behavior, as in ``duration: float = 4.0``, and what each means.

    Raises:
        TaskMatrixError: As in :func:`load`.
    """
    return {
        _signature(name, key, item): item.doc + (f": {', '.join(item.choices)}" if item.choices else "")
        for key, item in load(name).declared.items()
    }


def behavior_facts(name: str) -> dict[str, Any]:
    """What a behavior is for, and its parameters and outputs, as plain data; for one that cannot be loaded, why.

    Returns:
        ``description``; ``parameters`` by name, each with ``type``, ``doc``, ``required``, ``default``, ``minimum``,
        ``maximum`` and ``choices``; ``outputs`` by name, each with ``type`` and ``doc``.
    """
    description, _ = describe(name)
    try:
        behavior = load(name)
    except TaskMatrixError:
        return {"description": description, "parameters": {}, "outputs": {}}
    outputs = {key: {"type": item.type.__name__, "doc": item.doc} for key, item in behavior.published.items()}
    return {
        "description": description,
        "parameters": {
            key: {
                "type": item.type.__name__,
                "doc": item.doc,
                "required": item.required,
                "default": None if item.required else BOUNDS.get(name, {}).get(key, item.default),
                "minimum": item.minimum,
                "maximum": item.maximum,
                "choices": list(item.choices),
            }
            for key, item in behavior.declared.items()
        },
        "outputs": outputs,
    }


def needs_second_robot(name: str, assignments: list[str]) -> bool:
    """Whether a behavior is about a second robot unless ``name=value`` texts say otherwise."""
    return name in COMPANY and not any(text.partition("=")[0] == COMPANY[name] for text in assignments)


def make_before(name: str, assignments: list[str], world: World, robot: Robot) -> TaskBehavior:
    """Make a behavior that prepares another one: it is about the same object, and else as it is by default.

    Args:
        name: As in :func:`find_class`.
        assignments: ``name=value`` texts of the other one.
        world: As in :func:`make`.
        robot: As in :func:`make`.

    Raises:
        TaskMatrixError: As in :func:`make`.
    """
    declared = set(find_class(name).declared) & set(SUBJECTS)
    return make(name, [text for text in assignments if text.partition("=")[0] in declared], world, robot)


def make(name: str, assignments: list[str], world: World, robot: Robot) -> TaskBehavior:
    """Make a behavior from its name and ``name=value`` texts.

    Args:
        name: As in :func:`find_class`.
        assignments: Parameters, validated against those that the behavior declares.
        world: Its default object stands in for a required parameter ``object`` or ``target`` that is not given, and its
            default surface for ``on``; its second robot for whom to greet.
        robot: Its postures and motions are in the error when a parameter ``posture`` or ``motion`` is not given.

    Raises:
        NotFoundError: There is no such behavior.
        TaskMatrixError: The behavior cannot be loaded.
        ParameterError: A parameter is unknown, of the wrong type, or missing.
    """
    behavior = find_class(name)
    values: dict[str, Any] = dict(BOUNDS.get(name, {}))
    for assignment in assignments:
        key, equals, text = assignment.partition("=")
        if not equals:
            raise ParameterError(f"--param takes name=value, not '{assignment}'")
        values[key] = find(dict(behavior.declared), key, name).parse(text)
    instead = stand_ins(name, world)
    required = [key for key, parameter in behavior.declared.items() if parameter.required]
    values = {key: instead[key] for key in required if key in instead} | values
    missing = [key for key in required if key not in values]
    if missing:
        key, known = missing[0], choices(missing[0], world, robot)
        listed = f". There are: {', '.join(known)}" if known else ""
        raise ParameterError(f"behavior '{name}' needs --param {key}=VALUE ({behavior.declared[key].doc}){listed}")
    return behavior(**values)


def stand_ins(name: str, world: World) -> dict[str, Any]:
    """What stands in for parameters of a behavior that are required and not given, by their names."""
    found = {**dict.fromkeys(SUBJECTS, world.default_object), SURFACE: world.default_surface}
    return {**found, COMPANY[name]: SECOND_ROBOT} if name in COMPANY else found


def choices(parameter: str, world: World, robot: Robot) -> list[str]:
    """What there is to choose from for a parameter of this name, in alphabetical order; nothing where it is open."""
    types = {word for model in world.objects.values() for word in model.type.split("/")}
    return sorted({"posture": robot.postures, "motion": robot.motions, "type": types}.get(parameter, ()))


def _own() -> dict[str, type[TaskBehavior]]:
    found = {name: getattr(taskmatrix.behaviors, name) for name in taskmatrix.behaviors.__all__} | {"Kick": Kick}
    classes = {name: item for name, item in found.items() if inspect.isclass(item) and issubclass(item, TaskBehavior)}
    return {in_lower_case(name, "-"): item for name, item in classes.items()}


def _plugged() -> dict[str, EntryPoint]:
    """Behaviors of other packages, by name, not loaded yet."""
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _signature(behavior: str, name: str, parameter: Parameter[Any]) -> str:
    """A parameter's name, type and default, as in ``duration: float = 4.0``."""
    text = f"{name}: {parameter.type.__name__}"
    if not parameter.required:
        default = BOUNDS.get(behavior, {}).get(name, parameter.default)
        return f"{text} = {'none' if default is None else default}"
    if COMPANY.get(behavior) == name:
        return f"{text} = {SECOND_ROBOT}"
    return f"{text} = the world's" if name in (*SUBJECTS, SURFACE) else text
