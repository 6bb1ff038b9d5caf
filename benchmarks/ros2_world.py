"""A robot that speaks ROS 2, in a world that it knows nothing of: hands that take what is there, and a camera.

    python benchmarks/ros2_world.py g1 sparse 3 7447

It is the robot of ``ros2_robot.py``, and shares no code with the plant that commands it but the world: joints and base
move objects as the kinematic simulation has it. Detections of all objects go out with the joint states. A hand that is
told to close takes what it closes on, whatever the program thinks that is, and says whether it holds. Time passes with
the speeds of the base that are told. The input's ``{"truth": n}`` has it tell what was true in each step from the nth.
"""

from __future__ import annotations

import math
import sys
from contextlib import suppress
from typing import Any, cast

import numpy as np
from ros2_messages import Reader, Writer
from ros2_robot import Robot, Topic

from taskmatrix import simulate
from taskmatrix.core import Command
from taskmatrix.core.world.geometry import bounding_box, inverse
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.session.session import Session

TRAJECTORY = "/joint_trajectory_controller/joint_trajectory"
STEP = 0.01  # [s]
WITHIN = 0.03  # [m] of the middle of a hand, what it closes on


class WorldRobot(Robot):
    """A robot in a world.

    Args:
        session: The world, and where the robot is in it.
        port: Of its router.
    """

    def __init__(self, session: Session, port: int) -> None:
        self.model, self.world, self.plant = session.robot, session.world, session.plant
        self.dt = session.context.dt
        q, joints = self.plant.sense().q, list(self.model.joints[3:])
        self.steps: list[dict[str, Any]] = []
        self.before: dict[str, Any] = {}
        self.note()
        super().__init__(
            {
                "joints": joints,
                "q": q[3:].tolist(),
                "speed": [2.0 * speed for speed in self.model.velocity[3:].tolist()],  # the program has limits
                "base": q[:3].tolist(),
                "controllers": {TRAJECTORY: joints},
                "port": port,
                "lockstep": self.dt,
            }
        )
        self.holds = {
            hand: Topic(self, f"/{hand}_hand/holds", "std_msgs/Bool", latched=True) for hand in self.model.hands
        }
        for hand in self.model.hands:
            self.hear(f"/{hand}_hand/close", "std_msgs/Bool", self.grip)

    def move(self, dt: float) -> None:
        """Go on, and take along what hands hold."""
        super().move(dt)
        q, v = np.array([*self.base, *self.q]), np.array([0.0, 0.0, 0.0, *self.v])
        self.plant.apply(Command(q, v, np.zeros(len(q))), dt)
        self.note()

    def note(self) -> None:
        """Keep what is true now: of the objects, those that have moved."""
        truth = self.plant.truth()
        poses = cast("dict[str, Any]", truth["poses"])
        moved = {id: X.tolist() for id, X in poses.items() if self.before.get(id) is not X}
        self.before = poses
        q, held = cast("Any", truth["q"]).tolist(), truth["held"]
        self.steps.append({"q": q, "poses": moved, "there": list(poses), "held": held})

    def grip(self, topic: str, data: Reader) -> None:
        """Close a hand, or open it."""
        hand = topic.split("/")[1].removesuffix("_hand")
        self.plant.detach(hand)
        if data.data[0]:
            at = hand_pose(self.model, hand, self.plant.sense().q)[:3, 3]
            near = {id: self.off(id, at) for id, model in self.world.objects.items() if model.movable}
            nearest = min(near, key=near.__getitem__)
            if near[nearest] <= WITHIN:
                self.plant.attach(hand, nearest)
        self.holds[hand].put(b"\0\1\0\0" + bytes([hand in self.plant.held()]))

    def off(self, id: str, at: Any) -> float:
        """[m] How far a point is from an object, by its box; infinite where it is not there."""
        poses = cast("dict[str, Any]", self.plant.truth()["poses"])
        if id not in poses:
            return math.inf
        lower, upper = bounding_box(self.world.objects[id].shapes, np.eye(4))
        inside = (inverse(poses[id]) @ np.array([*at, 1.0]))[:3]
        return float(np.linalg.norm(inside - np.clip(inside, lower, upper)))

    def tell(self) -> None:
        """Publish what the camera sees, and then joint states and odometry."""
        poses, stamp = cast("dict[str, Any]", self.plant.truth()["poses"]), self.now()
        out = Writer().header(stamp, "odom").u32(len(poses))
        for id, X in poses.items():
            placed = (*X[:3, 3].tolist(), *quaternion(X[:3, :3]))
            out.header(stamp, "odom").u32(1).text(id).f64(1.0).f64(*placed, *[0.0] * 36)
            out.f64(*placed, 0.1, 0.1, 0.1).text(id)
        self.detections.put(out.done())
        super().tell()

    def told(self, order: dict[str, Any]) -> dict[str, Any]:
        """What was true from a step on, or what robots answer."""
        if "truth" not in order:
            return super().told(order)
        with self.lock:
            return {"steps": self.steps[order["truth"] :]}


def quaternion(R: Any) -> tuple[float, float, float, float]:
    """x, y, z and w of a rotation (3, 3): the eigenvector of the largest eigenvalue (Bar-Itzhack 2000)."""
    K = np.zeros((4, 4))
    K[:3, :3] = R + R.T - np.trace(R) * np.eye(3)
    K[:3, 3] = K[3, :3] = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    K[3, 3] = np.trace(R)
    x, y, z, w = np.linalg.eigh(K)[1][:, -1].tolist()
    return x, y, z, w


def main() -> None:
    """Be a robot in a world."""
    if len(sys.argv) != 5:
        raise SystemExit(f"{__doc__}\nName a robot, a world, a seed and a port.")
    name, world, seed, port = sys.argv[1:]
    with simulate(name, world, int(seed)) as session:
        robot = WorldRobot(session, int(port))
        print("ready", flush=True)
        with suppress(KeyboardInterrupt):
            robot.run()
        robot.session.close()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
