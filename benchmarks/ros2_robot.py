"""A robot that speaks ROS 2 over Zenoh, in a process of its own: what programs command where there is no robot.

    python benchmarks/ros2_robot.py g1

It shares no code with the plant that commands it: messages are put together and taken apart here, byte by byte, and so
are the keys of topics. Joints go where they are told, as quickly as they may; the base drives as it is told, and stands
when it has heard nothing for half a second. It is its own Zenoh router. A line of JSON on its input has it do something
wrong, or tell what it was commanded; it answers each with a line.
"""

from __future__ import annotations

import json
import math
import select
import struct
import sys
import threading
import time
from contextlib import suppress
from typing import Any

import zenoh
import zenoh.ext
from ros2_messages import Reader, Writer

HASHES = {  # of the types' definitions, by REP 2016: what `ros2 topic info --verbose` says
    "sensor_msgs/JointState": "a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e",
    "nav_msgs/Odometry": "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0",
    "trajectory_msgs/JointTrajectory": "179b33eba59d676f6d967ac71fe35e7ca2f64b2f3928f4a018cec115e213796e",
    "std_msgs/Float64MultiArray": "1025ddc6b9552d191f89ef1a8d2f60f3d373e28b283d8891ddcc974e8c55397f",
    "geometry_msgs/Twist": "9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a",
    "geometry_msgs/TwistStamped": "5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64",
    "std_msgs/Bool": "feb91e995ff9ebd09c0cb3d2aed18b11077585839fb5db80193b62d74528f6c9",
    "tf2_msgs/TFMessage": "e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087",
    "vision_msgs/Detection3DArray": "793f5eab9595ac1c0da07873cc859db42eae51f0ee76056db8562515d830e018",
    "diagnostic_msgs/DiagnosticArray": "5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e",
}
QUIET = 0.5  # [s] without a word, after which the base stands
DEFAULTS: dict[str, Any] = {
    "joints": [],  # names
    "q": [],  # [rad] where they are
    "speed": [],  # [rad/s] limits
    "base": [0.0, 0.0, 0.0],  # [m, m, rad]
    "port": 7447,
    "domain": 0,
    "rate": 500.0,  # [1/s] of joint states and odometry
    "clock": 0.0,  # [s] by which its clock is ahead
    "lockstep": 0.0,  # [s] that pass when all that is commanded in a step has come; 0: time passes by itself
    "answers": False,  # whether joint states are told at once when joints are commanded, and not by the clock
    "controllers": {},  # names of joints by topic; positions where the topic ends with 'commands'
    "split": 0,  # joints that a second publisher tells of
    "order": "",  # 'reversed': names come in another order
    "velocities": True,  # whether they are told
    "stamped": False,  # whether the speed of the base is stamped
    "hash": "",  # of joint states, instead of the right one
    "odometry": True,  # whether there is any
    "topic": "/joint_states",
}


class Topic:
    """What is published."""

    def __init__(self, robot: Robot, name: str, type: str, hash: str = "", latched: bool = False) -> None:
        package, short = type.split("/")
        dds, hash = f"{package}::msg::dds_::{short}_", "RIHS01_" + (hash or HASHES[type])
        key = f"{robot.settings['domain']}{name}/{dds}/{hash}"
        self.sequence, self.gid = 0, bytes((robot.count() + k) % 256 for k in range(16))
        if latched:
            cache = zenoh.ext.CacheConfig(1)
            self.publisher: Any = zenoh.ext.declare_advanced_publisher(
                robot.session, key, cache=cache, publisher_detection=True
            )
        else:
            self.publisher = robot.session.declare_publisher(key, express=True)
        self.token = robot.token("MP", name, dds, hash)

    def put(self, data: bytes) -> None:
        """Publish."""
        self.sequence += 1
        self.repeat(data, self.sequence)

    def repeat(self, data: bytes, sequence: int) -> None:
        """Publish with a number."""
        self.publisher.put(data, attachment=struct.pack("<qqB", sequence, time.time_ns(), 16) + self.gid)

    def close(self) -> None:
        """Publish no more."""
        self.token.undeclare()
        self.publisher.undeclare()


class Robot:
    """Joints that go where they are told, and a base."""

    def __init__(self, settings: dict[str, Any]) -> None:
        unknown = settings.keys() - DEFAULTS.keys()
        assert not unknown, unknown
        self.settings = {**DEFAULTS, **settings}
        self.names: list[str] = list(self.settings["joints"])
        self.q: list[float] = list(self.settings["q"])
        self.v = [0.0] * len(self.q)
        self.goal = list(self.q)
        self.base: list[float] = list(self.settings["base"])
        self.twist, self.heard = (0.0, 0.0, 0.0), 0.0
        self.simulated, self.shift, self.stopped = 1000.0, float(self.settings["clock"]), False
        self.faults: dict[str, Any] = {}
        self.kept: list[tuple[bytes, int]] = []
        self.heard_topics: list[Any] = []
        self.last: dict[str, Any] = {}
        self.fresh: set[str] = set()
        self.numbers: dict[str, int] = {}
        self.commands = self.lost = self.entities = 0
        self.lock = threading.RLock()
        config = zenoh.Config()
        for key, value in {
            "mode": "router",
            "listen/endpoints": [f"tcp/127.0.0.1:{self.settings['port']}"],
            "scouting/multicast/enabled": False,
            "scouting/delay": 0,
            "transport/link/tx/queue/congestion_control/drop/wait_before_drop": 50_000,  # [us]
            "timestamping/enabled": True,
        }.items():
            config.insert_json5(key, json.dumps(value))
        self.session = zenoh.open(config)
        self.id = str(self.session.zid())
        self.node = self.session.liveliness().declare_token(
            f"@ros2_lv/{self.settings['domain']}/{self.id}/0/0/NN/%/%/robot"
        )
        self.open()
        for topic, names in self.settings["controllers"].items():
            positions = topic.endswith("commands")
            type = "std_msgs/Float64MultiArray" if positions else "trajectory_msgs/JointTrajectory"
            self.hear(topic, type, self.positions(names) if positions else self.trajectory)
        self.hear(
            "/cmd_vel", "geometry_msgs/TwistStamped" if self.settings["stamped"] else "geometry_msgs/Twist", self.drive
        )
        self.hear("/stopped", "std_msgs/Bool", self.stop)
        self.button = Topic(self, "/stop_pressed", "std_msgs/Bool", latched=True)
        self.button.put(b"\0\1\0\0\0")
        self.detections = Topic(self, "/detections", "vision_msgs/Detection3DArray")
        self.tf = Topic(self, "/tf", "tf2_msgs/TFMessage")
        self.diagnostics: list[list[Any]] = []
        self.hear("/diagnostics", "diagnostic_msgs/DiagnosticArray", self.diagnose)

    def open(self) -> None:
        """Begin to publish."""
        topic, hash = self.settings["topic"], self.settings["hash"]
        self.states = [Topic(self, topic, "sensor_msgs/JointState", hash)]
        if self.settings["split"]:
            self.states.append(Topic(self, topic, "sensor_msgs/JointState", hash))
        self.odometry = Topic(self, "/odom", "nav_msgs/Odometry") if self.settings["odometry"] else None

    def count(self) -> int:
        """A number that nobody else has."""
        self.entities += 1
        return self.entities

    def token(self, kind: str, name: str, dds: str, hash: str) -> Any:
        """Tell that a topic is published or heard."""
        mangled, domain = name.replace("/", "%"), self.settings["domain"]
        return self.session.liveliness().declare_token(
            f"@ros2_lv/{domain}/{self.id}/0/{self.count()}/{kind}/%/%/robot/{mangled}/{dds}/{hash}/::,10:,:,:,,"
        )

    def hear(self, name: str, type: str, act: Any) -> None:
        """Listen to a topic."""
        package, short = type.split("/")
        dds, hash = f"{package}::msg::dds_::{short}_", f"RIHS01_{HASHES[type]}"

        def came(sample: zenoh.Sample) -> None:
            with self.lock:
                number, _, size = struct.unpack_from("<qqB", bytes(sample.attachment or b""))
                assert size == 16
                before = self.numbers.get(name, number - 1)
                self.lost += number - before - 1 if number > before else 0
                self.numbers[name] = number
                act(name, Reader(bytes(sample.payload)))

        key = f"{self.settings['domain']}{name}/{dds}/{hash}"
        self.heard_topics += [self.token("MS", name, dds, hash), self.session.declare_subscriber(key, came)]

    def now(self) -> float:
        """[s] On its clock."""
        return (self.simulated if self.settings["lockstep"] else time.time()) + self.shift

    def trajectory(self, topic: str, data: Reader) -> None:
        """Take a goal."""
        data.header()
        names = [data.text() for _ in range(data.u32())]
        assert data.u32() == 1
        positions, velocities = data.floats(), data.floats()
        assert not data.floats()
        assert not data.floats()
        duration = data.u32() + data.u32() * 1e-9
        self.command(topic, names, positions)
        self.last[topic] = {"positions": positions, "velocities": velocities, "duration": duration}

    def positions(self, names: list[str]) -> Any:
        """Takes goals of some joints."""

        def act(topic: str, data: Reader) -> None:
            assert data.u32() == 0
            data.u32()
            values = data.floats()
            self.command(topic, names, values)
            self.last[topic] = {"positions": values}

        return act

    def command(self, topic: str, names: list[str], positions: list[float]) -> None:
        """Go somewhere."""
        assert len(names) == len(positions), (topic, names, positions)
        for name, value in zip(names, positions, strict=True):
            self.goal[self.names.index(name)] = value
        self.commands += 1
        self.come(topic)
        if self.settings["answers"]:
            self.move(1.0)
            self.tell()

    def drive(self, topic: str, data: Reader) -> None:
        """Take a speed."""
        if self.settings["stamped"]:
            stamp, frame = data.header()
            self.last["stamp"] = {"ahead": stamp - self.now(), "frame": frame}
        values = data.f64(6)
        self.twist, self.heard = (values[0], values[1], values[5]), time.monotonic()
        self.last[topic] = values
        self.come(topic)

    def come(self, topic: str) -> None:
        """Let a step pass when all that is commanded in it has come: topics overtake each other."""
        self.fresh.add(topic)
        if self.settings["lockstep"] and self.fresh >= {"/cmd_vel", *self.settings["controllers"]}:
            self.fresh.clear()
            self.move(self.settings["lockstep"])
            self.simulated += self.settings["lockstep"]
            self.tell()

    def stop(self, topic: str, data: Reader) -> None:
        """Hear that it was stopped."""
        self.stopped = self.last[topic] = bool(data.data[0])

    def diagnose(self, topic: str, data: Reader) -> None:
        """Keep what is told of the program."""
        data.header()
        for _ in range(data.u32()):
            level = data.data[data.at]
            data.at += 1
            name, message, _ = data.text(), data.text(), data.text()
            values = [[data.text(), data.text()] for _ in range(data.u32())]
            self.diagnostics.append([level, name, message, values])

    def move(self, dt: float) -> None:
        """Go on for a while [s]."""
        for k, goal in enumerate(self.goal):
            most = self.settings["speed"][k] * dt
            step = min(max(goal - self.q[k], -most), most)
            self.q[k] += step
            self.v[k] = step / dt
        quiet = not self.settings["lockstep"] and time.monotonic() - self.heard > QUIET
        u, v, w = (0.0, 0.0, 0.0) if quiet else self.twist
        x, y, yaw = self.base
        half = yaw + w * dt / 2
        self.base = [
            x + (math.cos(half) * u - math.sin(half) * v) * dt,
            y + (math.sin(half) * u + math.cos(half) * v) * dt,
            yaw + w * dt,
        ]

    def tell(self) -> None:
        """Publish joint states and odometry, with whatever is wrong with them."""
        if "silence" in self.faults:
            return
        stamp = self.now() - self.faults.get("old", 0.0)
        if "frozen" in self.faults:
            stamp = self.faults["frozen"] = self.faults["frozen"] or stamp
        split = len(self.names) - self.settings["split"]
        for topic, chosen in zip(self.states, (range(split), range(split, len(self.names))), strict=False):
            order = list(chosen)[::-1] if self.settings["order"] == "reversed" else list(chosen)
            q = [self.q[k] + self.faults.get("jump", {}).get(self.names[k], 0.0) for k in order]
            q = [
                math.nan if self.faults.get("nan") == self.names[k] else value
                for k, value in zip(order, q, strict=True)
            ]
            out = Writer().header(stamp, "").u32(len(order))
            for k in order:
                out.text(self.names[k])
            out.floats(q).floats([self.v[k] for k in order] if self.settings["velocities"] else []).floats([])
            self.send(topic, out.done()[:40] if "torn" in self.faults else out.done())
        if self.odometry is not None and "no odometry" not in self.faults:
            x, y, yaw = self.base
            c, s, skid = math.cos(yaw / 2), math.sin(yaw / 2), self.faults.get("skid", 0.0)
            out = Writer().header(stamp, self.faults.get("frame", "odom")).text("base_link")
            out.f64(x + skid, y, 0.0, 0.0, 0.0, s, c, *[0.0] * 36)
            out.f64(self.twist[0], self.twist[1], 0.0, 0.0, 0.0, self.twist[2], *[0.0] * 36)
            self.odometry.put(out.done())

    def send(self, topic: Topic, data: bytes) -> None:
        """Publish a joint state; five at once and backwards where they are to come out of order."""
        if "reordered" not in self.faults:
            topic.put(data)
            return
        topic.sequence += 1
        self.kept.append((data, topic.sequence))
        if len(self.kept) >= 5:
            while self.kept:
                topic.repeat(*self.kept.pop())

    def told(self, order: dict[str, Any]) -> dict[str, Any]:
        """Do what a line of input says, and answer."""
        with self.lock:
            if "fault" in order:
                self.fault(order["fault"], order.get("value", True))
            if "pressed" in order:
                self.button.put(b"\0\1\0\0" + bytes([order["pressed"]]))
            if "detect" in order:
                self.detect(order["detect"])
            told = ("goal", "base", "last", "commands", "lost", "stopped", "diagnostics")
            joints = dict(zip(self.names, self.q, strict=True))
            return {"q": joints, **{name: getattr(self, name) for name in told}}

    def again(self) -> None:
        """Begin to publish anew, as a driver that was started again."""
        for topic in [*self.states, *([self.odometry] if self.odometry else [])]:
            topic.close()
        self.open()

    def fault(self, name: str, value: Any) -> None:
        """Have something go wrong, or end."""
        if name == "none":  # as it was in the beginning
            self.faults.clear()
            self.fresh.clear()
            self.kept.clear()
            self.last.clear()
            self.diagnostics.clear()
            self.button.put(b"\0\1\0\0\0")
            self.q, self.goal = list(self.settings["q"]), list(self.settings["q"])
            if self.settings["hash"]:
                self.settings["hash"] = ""
                self.again()
            self.base, self.shift, self.stopped = list(self.settings["base"]), self.settings["clock"], False
        elif name == "clock":
            self.shift += value
        elif name in ("restart", "hash"):
            self.settings["hash"] = value if name == "hash" else ""
            self.again()
        else:
            self.faults[name] = 0.0 if name == "frozen" else value

    def detect(self, seen: list[dict[str, Any]]) -> None:
        """Publish transforms and detections."""
        for each in seen:
            if "parent" in each:
                out = Writer().u32(1).header(self.now(), each["parent"]).text(each["child"]).f64(*each["p"], *each["r"])
                self.tf.put(out.done())
        found = [each for each in seen if "class" in each]
        out = Writer().header(self.now(), found[0]["frame"] if found else "").u32(len(found))
        for each in found:
            out.header(self.now(), each["frame"]).u32(1).text(each["class"]).f64(each.get("score", 1.0))
            out.f64(*each["p"], 0.0, 0.0, 0.0, 1.0, *[0.0] * 36)
            out.f64(*each["p"], 0.0, 0.0, 0.0, 1.0, *each["size"]).text(each.get("id", ""))
        self.detections.put(out.done())

    def run(self) -> None:
        """Publish by the clock, and answer, until the input ends."""
        period, began, steps = 1.0 / self.settings["rate"], time.monotonic(), 0
        by_clock = not (self.settings["lockstep"])
        if not by_clock:
            threading.Thread(target=self.greet, daemon=True).start()
        while True:
            steps += 1
            wait = max(began + steps * period - time.monotonic(), 0.0) if by_clock else None
            if select.select([sys.stdin], [], [], wait)[0]:
                line = sys.stdin.readline()
                if not line:
                    break
                print(json.dumps(self.told(json.loads(line))), flush=True)
                continue
            with self.lock:
                if not self.settings["answers"] or time.monotonic() - self.heard > 0.1:
                    self.move(period)
                    self.tell()

    def greet(self) -> None:
        """Tell where it is as long as nobody drives it, where no time passes by itself."""
        while True:
            with self.lock:
                if time.monotonic() - self.heard > QUIET or not self.last:
                    self.simulated += 1e-6
                    self.tell()
            time.sleep(0.02)


def of(name: str) -> dict[str, Any]:
    """Settings of a robot of the library's, by its name."""
    from taskmatrix.robots import load_robot  # noqa: PLC0415 - who gives joints needs no library

    robot = load_robot(name)
    q, topic = robot.posture("rest")[3:].tolist(), "/joint_trajectory_controller/joint_trajectory"
    joints = list(robot.joints[3:])
    return {"joints": joints, "q": q, "speed": robot.velocity[3:].tolist(), "controllers": {topic: joints}}


def main() -> None:
    """Be a robot."""
    if len(sys.argv) != 2:
        raise SystemExit(f"{__doc__}\nName a robot, or give settings as JSON: {json.dumps(DEFAULTS)}")
    robot = Robot(json.loads(sys.argv[1]) if sys.argv[1].startswith("{") else of(sys.argv[1]))
    print("ready", flush=True)
    with suppress(KeyboardInterrupt):
        robot.run()
    robot.session.close()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
