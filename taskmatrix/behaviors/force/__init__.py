"""Behaviors that move a limb by forces: springs that add up, impedances, pressing and being guided."""

from .force_behavior import ForceBehavior as ForceBehavior
from .force_behavior import HandForceBehavior as HandForceBehavior

__all__ = ["ForceBehavior", "HandForceBehavior"]
