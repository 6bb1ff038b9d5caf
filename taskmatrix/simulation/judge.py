"""The judge: decides from the plant's own truth whether a pickup succeeded; shares no code with the behaviors.

Success of pickup, formally (thesis 4.3.1 and 4.3.3): at the end a hand holds the object and is at one of its grasps
within 5 mm and 2 degrees; at no simulated step there was a contact that the task did not ask for, a joint outside its
limits, or a joint faster than its (capped) velocity limit; and when the object was grasped the view was within
3 degrees of it, wherever the neck's limits allow that at that posture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import coal
import numpy as np
import pinocchio as pin
from scipy.optimize import least_squares

from taskmatrix.core.events import Event
from taskmatrix.core.geometry import bounding_box, pose_error
from taskmatrix.core.objects import Array, ObjectModel, Shape
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose

GRASP_DISTANCE = 0.005  # [m]
GRASP_ANGLE = np.deg2rad(2.0)  # [rad]
GAZE = np.deg2rad(3.0)  # [rad]
TOUCH_RANGE = 0.030  # [m] from the final grasp, within which the touching links may touch the object
SLACK = 1e-6  # on joint and velocity limits, for rounding
TOUCHING = (
    1e-6  # [m] counts as contact; with none at all coal 3.0.3 overlooks one contact of convex shapes in a thousand
)


ABSENT = pin.SE3(np.eye(3), np.array([0.0, 0.0, -1000.0]))  # where what is not there is put


@dataclass(frozen=True)
class Judgement:
    """What the judge found."""

    success: bool
    """Whether everything asked for holds."""
    reason: str
    """The first thing that does not; empty on success."""
    facts: Mapping[str, object] = field(default_factory=dict)
    """Measured: ``distance`` [m] and ``angle`` [rad] to the grasp, ``gaze`` [rad] and ``gaze_possible``,
    ``steps``, ``contacts``."""


class PickupJudge:
    """Judges one run of pickup; a reader of the event stream.

    Args:
        robot: The robot.
        objects: Models by id.
        target: The object to be fetched.
        dt: [s] Control step.
    """

    def __init__(self, robot: Robot, objects: Mapping[str, ObjectModel], target: str, dt: float) -> None:
        self._robot, self._objects, self._target, self._dt = robot, dict(objects), target, dt
        self._steps: list[Mapping[str, object]] = []
        self._claim: Event | None = None

    def __call__(self, event: Event) -> None:
        """Take note of the plant's truth and of how the run says that it ended."""
        if event.kind == "step":
            self._steps.append(event.data)
        elif event.kind == "outcome":
            self._claim = event

    def judge(self, start: Array) -> Judgement:
        """Judge what was seen, beginning at joint positions ``start`` (n,)."""
        if self._claim is None or not self._steps:
            return Judgement(False, "the run did not end")
        if not self._claim.data["success"]:
            failure = self._claim.data["failure"]
            return Judgement(False, getattr(failure, "explain", lambda: str(failure))())
        facts: dict[str, object] = {"steps": len(self._steps)}
        reason = self._grasp(facts) or self._limits(start) or self._contacts(facts) or self._gaze(facts)
        return Judgement(not reason, reason, facts)

    def _grasp(self, facts: dict[str, object]) -> str:
        last = self._steps[-1]
        held = cast(Mapping[str, str], last["held"])
        hands = [hand for hand, id in held.items() if id == self._target]
        if not hands:
            return f"no hand holds '{self._target}' at the end"
        self._hand = hands[0]
        q, X_WO = cast(Array, last["q"]), cast(Mapping[str, Array], last["poses"])[self._target]
        X_WH = hand_pose(self._robot, self._hand, q)
        aperture = self._robot.hands[self._hand].aperture
        grasps = [grasp for grasp in self._objects[self._target].grasps if grasp.width <= aperture]
        if not grasps:
            return f"'{self._target}' has no grasp for a hand that opens {aperture * 1000:.0f} mm"
        errors = [pose_error(X_WO @ grasp.X_OH, X_WH) for grasp in grasps]
        distance, angle = min(errors, key=lambda error: error[0] + 0.3 * error[1])
        facts.update(hand=self._hand, distance=distance, angle=angle)
        if distance > GRASP_DISTANCE or angle > GRASP_ANGLE:
            return f"the hand is {distance * 1000:.1f} mm and {np.rad2deg(angle):.1f} deg from the nearest grasp"
        return ""

    def _limits(self, before: Array) -> str:
        robot = self._robot
        for number, step in enumerate(self._steps):
            q = cast(Array, step["q"])
            outside = np.maximum(robot.lower - q, q - robot.upper)
            worst = int(np.argmax(outside))
            if outside[worst] > SLACK:
                return f"joint {robot.joints[worst]} is {outside[worst]:.4f} outside its limits at step {number}"
            speed = np.abs(q - before) / self._dt / robot.velocity
            worst = int(np.argmax(speed))
            if speed[worst] > 1.0 + 1e-4:
                return f"joint {robot.joints[worst]} moves at {speed[worst]:.3f} of its velocity limit at step {number}"
            before = q
        return ""

    def _contacts(self, facts: dict[str, object]) -> str:
        scene = _Scene(self._robot, self._objects)
        final = cast(Array, self._steps[-1]["q"])
        goal = hand_pose(self._robot, self._hand, final)[:3, 3]
        touching = set(self._robot.hands[self._hand].touch)
        for number, step in enumerate(self._steps):
            q, poses = cast(Array, step["q"]), cast(Mapping[str, Array], step["poses"])
            held = self._target in cast(Mapping[str, str], step["held"]).values()
            near = np.linalg.norm(hand_pose(self._robot, self._hand, q)[:3, 3] - goal) <= TOUCH_RANGE
            for first, second in scene.contacts(q, poses, self._target if held else None):
                wanted = first in touching and second == self._target and (held or near)
                if not wanted:
                    facts["contacts"] = (first, second)
                    return f"{first} touches {second} at step {number}"
        return ""

    def _gaze(self, facts: dict[str, object]) -> str:
        robot = self._robot
        grasped = next(step for step in self._steps if self._target in cast(Mapping[str, str], step["held"]).values())
        q, X_WO = cast(Array, grasped["q"]), cast(Mapping[str, Array], grasped["poses"])[self._target]
        lower, upper = bounding_box(self._objects[self._target].shapes, X_WO)
        point = (lower + upper) / 2
        neck = np.array(robot.chains.get("head", ()), dtype=int)
        if robot.view is None or not len(neck):
            facts.update(gaze=None, gaze_possible=False)
            return ""
        error = self._view_error(q, point)
        possible = error <= GAZE or self._least_view_error(q, point, neck) <= GAZE
        facts.update(gaze=error, gaze_possible=possible)
        if possible and error > GAZE:
            return (
                f"the view is {np.rad2deg(error):.1f} deg off the object at the grasp, although the neck could face it"
            )
        return ""

    def _view_error(self, q: Array, point: Array) -> float:
        robot = self._robot
        assert robot.view is not None
        data = robot.model.createData()
        pin.forwardKinematics(robot.model, data, robot.expand(q))
        frame = robot.model.getFrameId(robot.view.frame)
        X_WV = np.asarray(pin.updateFramePlacement(robot.model, data, frame).homogeneous) @ robot.view.X_LV
        ray = point - X_WV[:3, 3]
        return float(np.arccos(np.clip(X_WV[:3, 0] @ ray / np.linalg.norm(ray), -1.0, 1.0)))

    def _least_view_error(self, q: Array, point: Array, neck: Array) -> float:
        """[rad] The least view error that the neck can reach at this posture, by bounded least squares."""
        lower, upper = self._robot.lower[neck], self._robot.upper[neck]
        best = np.inf

        def error(x: Array) -> float:
            turned = q.copy()
            turned[neck] = x
            return self._view_error(turned, point)

        for fraction in (0.5, 0.2, 0.8):
            found = least_squares(error, lower + fraction * (upper - lower), bounds=(lower, upper), max_nfev=200)
            best = min(best, abs(float(found.fun[0])))
        return best


class _Scene:
    """Robot and objects for exact contact checks, put together from the robot's reviewed pairs and nothing else."""

    def __init__(self, robot: Robot, objects: Mapping[str, ObjectModel]) -> None:
        self._robot = robot
        self._data = robot.model.createData()
        self._geometry = robot.collision.copy()
        links = [robot.model.frames[body.parentFrame].name for body in robot.collision.geometryObjects]
        self._names = list(links)
        self._objects: list[tuple[int, str, Shape]] = []
        moving = [k for k, body in enumerate(robot.collision.geometryObjects) if body.parentJoint > 0]
        ground = self._add("floor", coal.Box(100.0, 100.0, 1.0), pin.SE3(np.eye(3), np.array([0.0, 0.0, -0.5])))
        pairs = [(k, ground) for k in moving if links[k] not in robot.floor_links]
        for id, model in objects.items():
            for shape in model.shapes:
                if shape.collides:
                    index = self._add(id, _solid(shape), pin.SE3.Identity())
                    self._objects.append((index, id, shape))
                    pairs += [(k, index) for k in moving]
        things = [(ground, "floor"), *((index, id) for index, id, _ in self._objects)]
        between = [(one, other) for k, one in enumerate(things) for other in things[k + 1 :] if one[1] != other[1]]
        first_between = len(self._geometry.collisionPairs) + len(pairs)
        self._between = {first_between + k: (one[1], other[1]) for k, (one, other) in enumerate(between)}
        for first, second in [*pairs, *((one[0], other[0]) for one, other in between)]:
            self._geometry.addCollisionPair(pin.CollisionPair(first, second))
        self._results = self._geometry.createData()
        for request in self._results.collisionRequests:
            request.security_margin = TOUCHING
        self._tree = pin.BroadPhaseManager_DynamicAABBTreeCollisionManager(robot.model, self._geometry, self._results)

    def contacts(self, q: Array, poses: Mapping[str, Array], held: str | None) -> Sequence[tuple[str, str]]:
        """All pairs in contact, link or object by name; of the pairs of objects, those of the one that is held."""
        full = self._robot.expand(q)
        for index, id, shape in self._objects:
            self._geometry.geometryObjects[index].placement = pin.SE3(poses[id] @ shape.X_OS) if id in poses else ABSENT
        for index, names in self._between.items():
            self._results.activeCollisionPairs[index] = held in names
        if not pin.computeCollisions(self._robot.model, self._data, self._tree, full, True):
            return []
        pin.computeCollisions(self._robot.model, self._data, self._geometry, self._results, full, False)
        found = []
        for index, (pair, result) in enumerate(
            zip(self._geometry.collisionPairs, self._results.collisionResults, strict=True)
        ):
            if self._results.activeCollisionPairs[index] and result.isCollision():
                found.append((self._names[pair.first], self._names[pair.second]))
        return found

    def _add(self, name: str, shape: coal.CollisionGeometry, placement: pin.SE3) -> int:
        self._names.append(name)
        item = pin.GeometryObject(f"{name}/{len(self._names)}", 0, placement, shape)
        return int(self._geometry.addGeometryObject(item))


def _solid(shape: Shape) -> coal.CollisionGeometry:
    makers = {"box": coal.Box, "sphere": coal.Sphere, "cylinder": coal.Cylinder, "capsule": coal.Capsule}
    if shape.kind == "mesh":
        return coal.MeshLoader().load(str(shape.mesh), np.array(shape.size, dtype=float))
    return makers[shape.kind](*shape.size)
