"""The common skill set over Pinocchio: kinematics, planning, collision checking, view and attachment."""

from .planning.planning import Planner as Planner
from .planning.settings import PlannerSettings as PlannerSettings
from .skillset import PinocchioSkills as PinocchioSkills

__all__ = ["PinocchioSkills", "Planner", "PlannerSettings"]
