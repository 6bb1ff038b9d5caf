"""The matrix that proves the library: behaviors on robots in worlds, judged, counted and shown."""

from .case import Case as Case
from .case import Result as Result
from .matrix import Matrix as Matrix
from .run_case import run_case as run_case
from .task import Task as Task

__all__ = ["Case", "Matrix", "Result", "Task", "run_case"]
