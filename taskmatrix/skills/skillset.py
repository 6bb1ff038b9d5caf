"""The common skill set over a Pinocchio model, put together of its facets."""

from __future__ import annotations

from .control.control_facet import ControlFacet
from .grasping.grasping_facet import AttachmentFacet
from .kinematics.kinematics_facet import ViewFacet
from .legs.kick_facet import KickFacet
from .planning.planning_facet import PlanningFacet


class PinocchioSkills(PlanningFacet, ControlFacet, ViewFacet, AttachmentFacet, KickFacet):
    """All eleven skills for one robot, and kicks; implements :class:`taskmatrix.core.robot.skillset.SkillSet`."""
