"""Judges behaviors that drive a limb by forces: what moved, how far it came, and what they say of it."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from taskmatrix.core.world.objects import Array
from taskmatrix.robots.hand_pose import hand_pose

from ..ground_truth import Record
from ..judge import Judge, Parameters, too_short

AWAY = 0.05  # [m, rad] that the weight of what a limb does may move another joint meanwhile
TOLD = -3  # of the steps of a run: what a behavior tells in the end it has sensed one step before the robot is held
SAID = 0.002  # [m, rad] by which what a behavior says may differ from what is


class LimbJudge(Judge):
    """Success of what drives one limb: for the time asked for, and no other joint moves meanwhile."""

    open_ended: ClassVar[bool] = False
    """Whether it ends when it is done, before its time."""

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why something else moved, it ended too early, or did not do what it is for."""
        robot, q = record.robot, record.positions()
        if "hand" in parameters and parameters["hand"] not in robot.hands:
            return f"the robot has no hand '{parameters['hand']}'"
        chain = robot.hands[str(parameters["hand"])].arm if "hand" in parameters else str(parameters["chain"])
        if chain not in robot.chains:
            return f"the robot has no chain '{chain}'"
        off = np.abs(q - q[0]).max(axis=0)
        others = np.where(np.isin(np.arange(robot.n), robot.indices(chain)), 0.0, off)
        worst = int(others.argmax())
        if others[worst] > AWAY:
            return f"joint {robot.joints[worst]} moved by {others[worst]:.3f}, which is none of {chain}"
        return self.done(record, parameters, facts) or ("" if self.open_ended else too_short(record, parameters))

    @abstractmethod
    def done(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why it did not do what it is for; empty if it did."""


class VirtualSpringJudge(LimbJudge):
    """Success of virtual-spring: the hand is no further from where it is pulled than it was, and as far as it says.

    Where a spring pushes, or is attached elsewhere, or goes to a frame of the robot, only what moved is judged.
    """

    def done(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Measure from the spring's feature to the hand, at the beginning and the end."""
        given = {"law": "linear", "feature": "point", "direction_z": 1.0, **parameters}
        if given["law"] == "bounded" or given.get("frame") or given.get("reference"):
            return ""
        at = np.array([float(str(given.get(axis, 0.0))) for axis in "xyz"])
        way = np.array([float(str(given.get(f"direction_{axis}", 0.0))) for axis in "xyz"])
        way = way / max(float(np.linalg.norm(way)), 1e-9)
        lengths = []
        for step in (record.start, record.run[TOLD]):
            off = hand_pose(record.robot, str(given["hand"]), step.q)[:3, 3] - at
            along = float(off @ way)
            ways = {"point": off, "line": off - along * way, "plane": along * way}
            lengths.append(float(np.linalg.norm(ways[str(given["feature"])])))
        facts["length"] = lengths[1]
        if lengths[1] > lengths[0] + SAID:
            return f"the hand went from {lengths[0]:.3f} m to {lengths[1]:.3f} m from where it is pulled"
        return said(record, "length", lengths[1])


class AvoidBodyJudge(LimbJudge):
    """Success of avoid-body: the limb touched nothing, which the conduct of every behavior is judged by."""

    def done(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Tell how near it says that it came."""
        facts["nearest"] = record.published.get("nearest")
        return ""


class PostureSpringJudge(LimbJudge):
    """Success of posture-spring: the limb is as near to the posture as it says, and no further than it was."""

    def done(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Measure how far the joints are from the posture."""
        robot, name = record.robot, str(parameters["posture"])
        if name not in robot.postures:
            return f"the robot has no posture '{name}'"
        own = {robot.joints[k] for k in robot.indices(str(parameters["chain"]))}
        goal = {robot.joints.index(joint): at for joint, at in robot.postures[name].items() if joint in own}
        far = [max(abs(float(step.q[k]) - at) for k, at in goal.items()) for step in (record.start, record.run[TOLD])]
        facts["off"] = far[1]
        if far[1] > far[0] + SAID:
            return f"a joint went from {far[0]:.3f} to {far[1]:.3f} from the posture"
        return said(record, "off", far[1])


class CartesianImpedanceJudge(LimbJudge):
    """Success of cartesian-impedance: the hand is as near to where it is to be as it says."""

    def done(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Measure from where it began, and the displacement."""
        way = np.array([float(str(parameters.get(axis, 0.0))) for axis in "xyz"])
        far = float(np.linalg.norm(way))
        lasted = (len(record.run) - 1) * record.dt
        share = min(1.0, lasted * float(str(parameters.get("speed", 0.1))) / far) if far else 1.0
        start, end = (_hand(record, parameters, step.q) for step in (record.start, record.run[TOLD]))
        facts["distance"] = float(np.linalg.norm(end - start - share * way))
        return said(record, "distance", float(str(facts["distance"])))


def said(record: Record, name: str, true: float) -> str:
    """Why what a behavior published is not so; empty if it is."""
    told = record.published.get(name)
    if told is None:
        return f"it did not tell its {name}"
    off = abs(abs(float(str(told))) - true)
    return f"it says that its {name} is {told}; it is {true:.4f}" if off > SAID else ""


def _hand(record: Record, parameters: Parameters, q: Array) -> Array:
    """(3,) [m] Where the hand is at joint positions q (n,)."""
    p: Array = hand_pose(record.robot, str(parameters["hand"]), q)[:3, 3]
    return p
