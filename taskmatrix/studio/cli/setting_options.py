"""The settings of a run as options of a command."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

from taskmatrix.session.settings import Option, options


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command, which takes them as ``**given``, an option for each setting of a run, before its own options."""
    *own, _ = inspect.signature(command, eval_str=True).parameters.values()
    taken = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=_typed(option, default))
        for name, (option, default) in options().items()
    ]
    first = next(place for place, each in enumerate(own) if each.default is not each.empty)
    own[first:first] = taken
    vars(command)["__signature__"] = inspect.Signature([each.replace(kind=each.KEYWORD_ONLY) for each in own])
    command.__annotations__ = {each.name: each.annotation for each in own}
    return command


def changed(given: dict[str, Any]) -> list[str]:
    """What is not as it is by default, as in ``policy=sum``."""
    usual = options()
    return [f"{name}={value}" for name, value in given.items() if value != usual[name][1]]


def _typed(option: Option, default: object) -> object:
    said: dict[str, Any] = {"help": option.help, "rich_help_panel": option.heading, "metavar": option.metavar}
    if option.names is not None:
        said["autocompletion"] = completing(option.names)
    if option.least is not None:
        said["min"] = option.least
    return Annotated[str | None if default is None else type(default), typer.Option(**said)]


def completing(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """A callback that completes what is typed to one of the names, which are asked for when they are needed."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return complete
