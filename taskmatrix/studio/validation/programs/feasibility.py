"""Whether the kinematics of a robot allow a step in the present state."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from taskmatrix.behaviors.common.tolerances import APPROACH, FACED
from taskmatrix.behaviors.looking.fixate import FARTHER
from taskmatrix.behaviors.manipulation.placeable import placeable
from taskmatrix.behaviors.manipulation.position import OVER
from taskmatrix.conditions import Above, Near, Reachable, RestingOn
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import GoalSolution, HandGoal
from taskmatrix.core.robot.skillset import SkillSet
from taskmatrix.core.world.geometry import angle_between, inverse, pose
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.symmetry import symmetry_of
from taskmatrix.session.session import Session

from .program import Step, Value

Values = Mapping[str, Value]
FAR = 6.0  # [m] that the base may go to an object
PLACES = 120  # on a surface, or turns at one place, to which a hand might take what it holds
DESCENTS = 800  # of inverse kinematics, to all of them together
GRASPS = 4  # of an object, that are looked at for one that an arm bears
MEETINGS = 4  # times that it is asked where hands could meet
APART = (FailureKind.IK_EXHAUSTED, FailureKind.COLLISION)  # they meet nowhere; others: they do, and do not get there


def is_feasible(session: Session, step: Step) -> bool:
    """Whether a hand can be where a step takes it, and the view can face what it is turned to.

    Of paths nothing is asked: that there is none is for the behavior to find.
    """
    return step.behavior not in FEASIBLE or FEASIBLE[step.behavior](session, dict(step.parameters))


def _within_reach(session: Session, values: Values) -> bool:
    """Whether inverse kinematics finds a free configuration at a grasp of the object; if a hand holds it, no matter."""
    id = str(values["object"])
    if session.context.perception.object(id).held_by is not None or Reachable(id).evaluate(session.context):
        return True
    return _at_a_grasp(session, id, 0) is not None


def _can_be_taken(session: Session, values: Values) -> bool:
    """Whether it is within reach, and at some grasp not too heavy; if a hand holds it, no matter."""
    id = str(values["object"])
    if session.context.perception.object(id).held_by is not None:
        return True
    found = (_at_a_grasp(session, id, seed) for seed in range(GRASPS))
    return any(at is not None and not session.skills.too_heavy(at.goal.hand, id, at.q) for at in found)


def _at_a_grasp(session: Session, id: str, seed: int) -> GoalSolution | None:
    """A free configuration at a grasp of an object."""
    skills, X_WO = session.skills, session.context.perception.pose(id)
    hands = [hand for hand in skills.hands if skills.held(hand) is None]
    goals = [HandGoal(hand, X_WO @ grasp.X_OH, grasp.name, id) for hand in hands for grasp in skills.grasps(id, hand)]
    chains = [*_trunk(skills), *(chain for hand in hands for chain in skills.chains_of_hand(hand)[:1])]
    q = skills.position()
    for hand in hands:
        for joint, position in skills.hand_posture(hand, None).items():
            q[joint] = position
    if not goals:
        return None
    found = skills.find_configuration(goals, chains, q=q, free=True, seed=seed, base_range=FAR)
    return found if isinstance(found, GoalSolution) else None


def _fits(session: Session, values: Values) -> bool:
    """Whether what a hand holds can be where it is to be put, with hand and arm clear of everything there."""
    id, skills, random = str(values["object"]), session.skills, np.random.default_rng(0)
    seen = session.context.perception.object(id)
    if seen.held_by is None:
        return True
    if "above" in values:
        over = Above(id, values["above"], frame=values.get("frame"))
        places = [
            *(over & Near(id, values["above"], OVER, frame=values.get("frame"))).sample(session.context, PLACES, random)
        ]
    elif "on" in values:
        places = [*RestingOn(id, str(values["on"])).sample(session.context, PLACES, random)]
    else:
        place = [float(values[name]) for name in ("x", "y", "z")]
        places = [pose(place, (0.0, 0.0, yaw)) for yaw in np.linspace(-np.pi, np.pi, PLACES, endpoint=False)]
    symmetry = symmetry_of(seen.model.shapes)
    if symmetry.kind == "sphere":
        turns = symmetry.rotations(len(places), random)
        places = [X_WO @ turn for X_WO, turn in zip(places, turns, strict=True)]
    X_OH = inverse(seen.X_WO) @ skills.forward_kinematics(seen.held_by)
    goals = [HandGoal(seen.held_by, X_WO @ X_OH, id, str(values["on"]) if "on" in values else None) for X_WO in places]
    chains = [*_trunk(skills), *skills.chains_of_hand(seen.held_by)[:1]]
    if not goals:
        return False
    found = skills.find_configuration(goals, chains, free=True, attempts=DESCENTS, base_range=FAR)
    return isinstance(found, GoalSolution)


def _can_be_placed(session: Session, values: Values) -> bool:
    """Whether it can be taken by a grasp with which it can be put there, and all that hands hold be put there, too."""
    id, on, skills = str(values["object"]), str(values["on"]), session.skills
    held = {id for id in (skills.held(hand) for hand in skills.hands) if id is not None}
    if not all(_fits(session, {"object": other, "on": on}) for other in held):
        return False
    free = [hand for hand in skills.hands if skills.held(hand) is None]
    grasps = [(hand, grasp) for hand in free for grasp in skills.grasps(id, hand)]
    if id not in held and free and not placeable(session.context, id, on, grasps, np.random.default_rng(0)):
        return False
    return _can_be_taken(session, values)


def _hands_meet(session: Session, values: Values) -> bool:
    """Whether the free hand can be at a grasp of what the other holds, where that arm bears it.

    Whether there is a way to there is not asked.
    """
    id, skills = str(values["object"]), session.skills
    giver = session.context.perception.object(id).held_by
    takers = [hand for hand in skills.hands if skills.held(hand) is None]
    if giver is None or not takers:
        return False
    for seed in range(MEETINGS):
        asked = skills.plan_handover(id, giver, takers[0], None, APPROACH, _trunk(skills), 1.0, seed, 0.0)
        answer = asked if isinstance(asked, Failure) else asked.result()
        if isinstance(answer, Failure):
            if answer.kind not in APART:
                return True
            continue
        q = skills.position()
        q[answer.trajectory.indices] = answer.trajectory.sample(answer.duration)[0]
        if not skills.too_heavy(giver, id, q):
            return True
    return False


def _in_sight(session: Session, values: Values) -> bool:
    """Whether the view can be turned to the target from here, from a little further back, or with a straight trunk.

    To what a hand holds only the head turns: it comes along with everything else.
    """
    target = session.context.perception.object(str(values["target"]))
    skills, point, held = session.skills, target.centre, target.held_by is not None
    turning = [*_trunk(skills), "head"]
    joints = skills.joints(*turning)

    def faces(q: Array) -> bool:
        turned = skills.inverse_kinematics_of_view(point, ["head"] if held else ["base", "head"], q)
        off = angle_between(skills.view(turned)[:, 0], point - skills.view_position(turned))
        return off <= FACED / 2 and (q is here or skills.collision(joints, turned[joints]) is None)

    here = skills.position()
    if held:
        return faces(here)
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
    "reach": _within_reach,
    **dict.fromkeys(("grasp", "pickup", "fetch", "vacuum"), _can_be_taken),
    **dict.fromkeys(("putdown", "position", "regrasp"), _fits),
    "pick-and-place": _can_be_placed,
    "transfer": _hands_meet,
    "fixate": _in_sight,
}
"""By behavior."""
