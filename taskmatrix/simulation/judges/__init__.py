"""Judges: each decides from the plant's own truth whether a run of one behavior succeeded."""

from .judge import Judge as Judge
from .judgement import Judgement as Judgement
from .record import Record as Record
from .record import Step as Step
from .table import judge_of as judge_of

__all__ = ["Judge", "Judgement", "Record", "Step", "judge_of"]
