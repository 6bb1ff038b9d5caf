"""Whether the kinematics of a robot allow a step in the present state."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from taskmatrix.behaviors.common.tolerances import FACED
from taskmatrix.behaviors.looking.fixate import FARTHER
from taskmatrix.conditions import Reachable
from taskmatrix.core.robot.plans import GoalSolution, HandGoal
from taskmatrix.core.robot.skillset import SkillSet
from taskmatrix.core.world.geometry import angle_between
from taskmatrix.core.world.objects import Array
from taskmatrix.session.session import Session

from .program import Step, Value

Values = Mapping[str, Value]
FAR = 6.0  # [m] that the base may go to an object


def is_feasible(session: Session, step: Step) -> bool:
    """Whether a hand can be where a step takes it, and the view can face what it is turned to; no path is planned."""
    return step.behavior not in FEASIBLE or FEASIBLE[step.behavior](session, dict(step.parameters))


def _within_reach(session: Session, values: Values) -> bool:
    """Whether inverse kinematics finds a free configuration at a grasp of the object; if a hand holds it, no matter."""
    id, skills = str(values["object"]), session.skills
    if session.context.perception.object(id).held_by is not None or Reachable(id).evaluate(session.context):
        return True
    hands, X_WO = [hand for hand in skills.hands if skills.held(hand) is None], session.context.perception.pose(id)
    goals = [HandGoal(hand, X_WO @ grasp.X_OH, grasp.name, id) for hand in hands for grasp in skills.grasps(id, hand)]
    chains = [*_trunk(skills), *(chain for hand in hands for chain in skills.chains_of_hand(hand)[:1])]
    q = skills.position()
    for hand in hands:
        for joint, position in skills.hand_posture(hand, None).items():
            q[joint] = position
    found = skills.find_configuration(goals, chains, q=q, free=True, base_range=FAR) if goals else None
    return isinstance(found, GoalSolution)


def _in_sight(session: Session, values: Values) -> bool:
    """Whether the view can be turned to the target from here, from a little further back, or with a straight trunk."""
    skills, point = session.skills, session.context.perception.object(str(values["target"])).centre
    turning = [*_trunk(skills), "head"]
    joints = skills.joints(*turning)

    def faces(q: Array) -> bool:
        turned = skills.inverse_kinematics_of_view(point, ["base", "head"], q)
        off = angle_between(skills.view(turned)[:, 0], point - skills.view_position(turned))
        return off <= FACED / 2 and (q is here or skills.collision(joints, turned[joints]) is None)

    here = skills.position()
    away = (here[:2] - point[:2]) / max(float(np.linalg.norm(here[:2] - point[:2])), 1e-6)
    straight = here.copy()
    lower, upper, *_ = skills.limits()
    straight[joints[joints >= 3]] = np.clip(0.0, lower, upper)[joints[joints >= 3]]
    return any(faces(q) for q in (here, *(_moved(here, far * away) for far in FARTHER), straight))


def _moved(q: Array, by: Array) -> Array:
    """(n,) A configuration with the base moved by (2,) [m]."""
    moved = q.copy()
    moved[:2] += by
    return moved


def _trunk(skills: SkillSet) -> list[str]:
    return [chain for chain in ("base", "torso") if chain in skills.chains]


FEASIBLE: dict[str, Callable[[Session, Values], bool]] = {
    **dict.fromkeys(("reach", "grasp", "pickup", "fetch", "pick-and-place", "vacuum"), _within_reach),
    "fixate": _in_sight,
}
"""By behavior."""
