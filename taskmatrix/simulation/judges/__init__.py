"""Judges: each decides from the plant's own truth whether a run of one behavior succeeded."""

from .goals import Score as Score
from .goals import scores as scores
from .ground_truth import Record as Record
from .ground_truth import Step as Step
from .judge import Judge as Judge
from .judgement import Judgement as Judgement
from .table import judge_of as judge_of
from .tolerance import EXACT as EXACT
from .tolerance import PHYSICAL as PHYSICAL
from .tolerance import Tolerance as Tolerance

__all__ = ["EXACT", "PHYSICAL", "Judge", "Judgement", "Record", "Score", "Step", "Tolerance", "judge_of", "scores"]
