"""Legs: what of a robot stands on the floor and can be lifted from it, found in its model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array
from taskmatrix.geometry.solids import corners_of

from .robot_model import RobotModel

LEFT, RIGHT = "left", "right"
FEWEST = 5  # joints with which a foot goes where it is wanted with its sole level


@dataclass(frozen=True, eq=False)
class Leg:
    """One leg of a robot.

    The frame of its sole has its origin below that of the link of the foot, on the floor in stance; there its axes are
    the base's: x ahead, z up.
    """

    foot: str
    """``left`` or ``right``."""
    link: str
    """The link that stands on the floor, or one of them."""
    links: tuple[str, ...]
    """All links that are solid from the knee down, the third joint from below: what may meet a ball."""
    joint: int
    """Pinocchio's joint that carries this link."""
    joints: tuple[int, ...]
    """Active coordinates that move this foot only, from the hip down."""
    chains: tuple[str, ...]
    """The chains that these are in."""
    X_JS: Array
    """(4, 4) Pose of the sole in the frame of ``joint``."""
    hip: Array
    """(3,) [m] Its first joint in stance, from the floor below the base."""
    outline: Array
    """(k, 3) [m] Corners of what is solid of the foot, in the sole's frame."""

    @property
    def outward(self) -> float:
        """1 for a left foot, -1 for a right one: the sign of y where it is."""
        return 1.0 if self.foot == LEFT else -1.0

    @property
    def limb(self) -> str:
        """What permissions to touch call the foot: hands are ``left`` and ``right`` too."""
        return f"{self.foot} foot"

    @cached_property
    def height(self) -> float:
        """[m] Of the hip above the floor."""
        return float(self.hip[2])


def legs_of(robot: RobotModel) -> tuple[Leg, ...]:
    """The left and the right leg of a robot that stands on two feet; none of another.

    A foot is one link that stands on the floor, or several that are welded together, and may have toes. Joints that
    move both, as Nao's in the pelvis, are in neither leg.
    """
    model, data = robot.model, robot.model.createData()
    soles = _soles(robot)
    if robot.rolls or len(soles) != 2:
        return ()
    pin.forwardKinematics(model, data, robot.expand(robot.posture(robot.stance)))
    moving = [_moving(robot, joint) for joint in soles]
    legs = []
    for (foot_joint, frames), own, others in zip(soles.items(), moving, moving[::-1], strict=True):
        joints = tuple(joint for joint in own if joint not in others)
        chains = tuple(chain for chain, members in robot.chains.items() if set(members) & set(joints))
        covered = {joint for chain in chains for joint in robot.chains[chain]}
        if len(joints) < FEWEST or not set(joints) <= covered:
            return ()
        X_WJ = data.oMi[foot_joint]
        ankle = np.mean([(X_WJ * frame.placement).translation for frame in frames], axis=0)
        sole = pin.SE3(np.eye(3), np.array([ankle[0], ankle[1], 0.0]))
        X_JS = X_WJ.actInv(sole)
        first = model.getJointId(robot.joints[joints[0]])
        bodies = [body for body in robot.collision.geometryObjects if body.parentJoint == foot_joint]
        points = [body.placement.act(p) for body in bodies for p in corners_of(body.geometry)]
        lower = {model.getJointId(robot.joints[joint]) for joint in joints[-3:]}
        solid = [body for body in robot.collision.geometryObjects if body.parentJoint in lower]
        links = tuple(dict.fromkeys(model.frames[body.parentFrame].name for body in solid))
        outline = np.array([X_JS.actInv(p) for p in points]).reshape(-1, 3)
        foot = LEFT if ankle[1] > 0.0 else RIGHT
        hip = np.array(data.oMi[first].translation)
        legs.append(Leg(foot, frames[0].name, links, foot_joint, joints, chains, X_JS.homogeneous, hip, outline))
    legs.sort(key=lambda leg: leg.foot)
    return tuple(legs) if [leg.foot for leg in legs] == [LEFT, RIGHT] else ()


def _soles(robot: RobotModel) -> dict[int, list[pin.Frame]]:
    """The links that stand on the floor, by Pinocchio's joint that carries them; toes that a foot carries left out."""
    soles: dict[int, list[pin.Frame]] = {}
    for link in robot.floor_links:
        frame = robot.model.frames[robot.model.getFrameId(link, pin.FrameType.BODY)]
        soles.setdefault(int(frame.parentJoint), []).append(frame)
    return {joint: frames for joint, frames in soles.items() if not _carriers(robot, joint) & set(soles)}


def _carriers(robot: RobotModel, joint: int) -> set[int]:
    return set(list(robot.model.supports[joint])[:-1])


def _moving(robot: RobotModel, joint: int) -> list[int]:
    """The active coordinates beyond the base that move what a joint carries, from the base on."""
    rows = [robot.model.joints[id].idx_q for id in list(robot.model.supports[joint])[1:]]
    found: list[int] = []
    for row in rows:
        for active in np.flatnonzero(robot.S[row]).tolist():
            if active >= 3 and active not in found:
                found.append(active)
    return found
