"""The matrix that proves the library: behaviors on robots in worlds, judged, counted and shown."""

from .case import Case as Case
from .case import Result as Result
from .matrix import Matrix as Matrix
from .programs import Program as Program
from .programs import ProgramCase as ProgramCase
from .programs import ProgramMatrix as ProgramMatrix
from .run_case import run_case as run_case
from .task import Task as Task

__all__ = ["Case", "Matrix", "Program", "ProgramCase", "ProgramMatrix", "Result", "Task", "run_case"]
