"""The common skill set: the one interface between behaviors and robots, eleven definitions (thesis 3.2)."""

from __future__ import annotations

from typing import Protocol

from .skills.attachment import AttachmentSkills
from .skills.body import BodySkills
from .skills.collision import CollisionSkills
from .skills.control import ControlSkills
from .skills.grasping import GraspingSkills
from .skills.kinematics import KinematicsSkills
from .skills.planning import PlanningSkills
from .skills.view import ViewSkills


class SkillSet(
    BodySkills,
    ControlSkills,
    KinematicsSkills,
    PlanningSkills,
    CollisionSkills,
    GraspingSkills,
    ViewSkills,
    AttachmentSkills,
    Protocol,
):
    """What every robot can do, facet by facet; behaviors know nothing else of it.

    What needs one facet only takes that: a function of :class:`~taskmatrix.core.robot.skills.view.ViewSkills` works
    with every skill set, and its test with a fake of three methods.

    Joints are addressed by their indices into the active joint positions ``q`` (n,); the first three are the base
    (x, y, yaw). ``None`` for a configuration means the present one.
    """
