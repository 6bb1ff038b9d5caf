"""Names of a package's face that load their modules when they are first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazy(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """The ``__getattr__`` of a package.

    Args:
        package: Its name.
        names: By module, as in ``.trees.schedule``: what is handed on from it, with spaces between.
    """
    modules = {name: module for module, handed_on in names.items() for name in handed_on.split()}

    def load(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(modules[name], package), name)
        setattr(sys.modules[package], name, value)
        return value

    return load


def listing(package: str) -> Callable[[], list[str]]:
    """The ``__dir__`` of a package: with the names that are not loaded yet."""

    def names() -> list[str]:
        module = sys.modules[package]
        return sorted({*vars(module), *module.__all__})

    return names
