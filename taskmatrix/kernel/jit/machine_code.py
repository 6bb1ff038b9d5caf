"""Machine code of the functions of a folder, kept on disk for every checkout that has the same functions."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numba import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from taskmatrix.core.base.cache import folder_of, mark_used, prune

KIND = "machine-code"
MOST = 8  # versions that are kept


class MachineCode:
    """Where Numba keeps what it compiles of some modules.

    The folder's name changes with every file of the modules, because what Numba keeps contains the functions that a
    function calls, but Numba itself would only notice a change in the function's own file. And with all else that makes
    Numba compile again: Python, Numba and the processor. It does not change with the place of the files.

    Args:
        name: Of the modules.
        source: Folder of the modules.
    """

    def __init__(self, name: str, source: Path) -> None:
        self._name, self._source = name, source
        self.functions: list[Callable[..., Any]] = []
        """All that are compiled, in the order in which they are defined."""

    @cached_property
    def folder(self) -> Path:
        """Where it is kept."""
        digest = hashlib.sha256()
        for file in sorted(self._source.rglob("*.py")):
            digest.update(f"{file.relative_to(self._source)} ".encode() + file.read_bytes())
        processor = config.CPU_NAME or get_host_cpu_name(), config.CPU_FEATURES or get_host_cpu_features().flatten()
        digest.update(repr((sys.implementation.cache_tag, version("numba"), version("llvmlite"), *processor)).encode())
        folder = folder_of(KIND) / f"{self._name}-{digest.hexdigest()[:16]}"
        folder.mkdir(exist_ok=True)
        mark_used(folder)
        prune(folder.parent, MOST)
        return folder

    def keep(self, dispatcher: Any) -> Any:
        """Have a function that Numba compiles kept there."""
        dispatcher._cache = self._cache(dispatcher.py_func)
        return dispatcher

    @cached_property
    def _cache(self) -> Any:
        """Numba's cache of a function with our folder: it asks where that is, and what tells a function from others."""
        folder, source = str(self.folder), self._source

        class Locator(_CacheLocator):  # type: ignore[misc]
            def __init__(self, function: Callable[..., Any], file: str) -> None:
                inside = Path(file).is_relative_to(source)
                parts = Path(file).relative_to(source).parts[:-1] if inside else ()
                self._place = "-".join([*parts, str(function.__code__.co_firstlineno)])
                self._content = _content(file)

            def get_cache_path(self) -> str:
                return folder

            def get_source_stamp(self) -> str:
                return self._content

            def get_disambiguator(self) -> str:
                return self._place

            @classmethod
            def from_function(cls, function: Callable[..., Any], file: str) -> Locator:
                return cls(function, file)

        class Implementation(CompileResultCacheImpl):  # type: ignore[misc]
            _locator_classes = (Locator,)

        class Cache(FunctionCache):  # type: ignore[misc]
            _impl_class = Implementation

        return Cache


@cache
def _content(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()
