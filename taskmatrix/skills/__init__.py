"""The common skill set over Pinocchio: kinematics, planning, collision checking, view and attachment."""

from .collision.collision import CollisionChecker as CollisionChecker
from .control.null_space import NullSpace as NullSpace
from .grasping.closure import Friction as Friction
from .grasping.closure import wrench_ball as wrench_ball
from .grasping.finder import find_grasps as find_grasps
from .grasping.settings import GraspSettings as GraspSettings
from .planning.planning import Planner as Planner
from .planning.settings import PlannerSettings as PlannerSettings
from .plugin import ArmSolver as ArmSolver
from .skillset import PinocchioSkills as PinocchioSkills

__all__ = [
    "ArmSolver",
    "CollisionChecker",
    "Friction",
    "GraspSettings",
    "NullSpace",
    "PinocchioSkills",
    "Planner",
    "PlannerSettings",
    "find_grasps",
    "wrench_ball",
]
