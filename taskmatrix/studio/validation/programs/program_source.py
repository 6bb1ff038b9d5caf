"""A program as the Python that a person would write."""

from __future__ import annotations

from taskmatrix.session.catalogue import load

from ..task import Task, tasks
from .disturbance import Put
from .program import Program, Step


def written(program: Program) -> str:
    """The program as a script that runs as it is."""
    classes = sorted({_class(step.behavior) for step in program.steps})
    lines = ["import taskmatrix as tm", *(f"from {module} import {name}" for module, name in _grouped(classes))]
    if any(isinstance(item, Put) for item in program.items):
        lines.append("from taskmatrix.core.world.geometry import pose")
    given = [repr(program.robot), f"world={program.world!r}", f"seed={program.seed}"]
    given += [f"sim={program.sim!r}"] if program.sim != Program.sim else []
    given += [f"second_robot={program.second_robot!r}"] if program.second_robot else []
    lines += ["", f"with tm.simulate({', '.join(given)}) as session:"]
    lines += [f"    {_line(item) if isinstance(item, Step) else item.code}" for item in program.items] or ["    pass"]
    return "\n".join(lines) + "\n"


def _line(step: Step) -> str:
    call = f"{_class(step.behavior)[1]}({', '.join(f'{name}={value!r}' for name, value in step.parameters)})"
    timeout = timeout_of(step.behavior)
    return f"print(session.run({call}{'' if timeout == Task.timeout else f', timeout={timeout:g}'}))"


def timeout_of(behavior: str) -> float:
    """[s] How long a behavior may take: as in the matrix."""
    task = tasks().get(behavior)
    return Task.timeout if task is None else task.timeout


def _class(behavior: str) -> tuple[str, str]:
    """Module from which a behavior's class is imported, and its name."""
    found = load(behavior)
    own = found.__module__.startswith("taskmatrix.behaviors.")
    return "taskmatrix.behaviors" if own else found.__module__, found.__name__


def _grouped(classes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Modules with all names that are imported from them."""
    names: dict[str, list[str]] = {}
    for module, name in classes:
        names.setdefault(module, []).append(name)
    return [(module, ", ".join(found)) for module, found in names.items()]
