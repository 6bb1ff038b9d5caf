"""Programs in the matrix: behaviors one after the other, each judged from the state that the last one left."""

from .case import ProgramCase as ProgramCase
from .case import WrittenCase as WrittenCase
from .case import random_cases as random_cases
from .case import written_case as written_case
from .loop import LoopCase as LoopCase
from .loop import loop_cases as loop_cases
from .program import Program as Program
from .program import Step as Step
from .program_source import written as written
from .report import ProgramMatrix as ProgramMatrix
from .report import keep as keep
from .run import run_program as run_program

__all__ = [
    "LoopCase",
    "Program",
    "ProgramCase",
    "ProgramMatrix",
    "Step",
    "WrittenCase",
    "keep",
    "loop_cases",
    "random_cases",
    "run_program",
    "written",
    "written_case",
]
