"""Asimo: 1.24 m, 26 degrees of freedom, white shells, a dark visor and a backpack (dimensions: thesis 5.3.1)."""

from __future__ import annotations

import math

from robot_hand import Gripper, both
from robot_shapes import ball, drum, ellipsoid, limb, loft
from robot_urdf import Joint, Link, Machine, Part

COMMENT = """
A robot after thesis 5.3.1 and figure 5.4: 1.24 m, 26 degrees of freedom: neck 2 (yaw, pitch), each arm 6
(shoulder 3, elbow 1, wrist 1, fingers 1), each leg 6 (hip 3, knee 1, ankle 2). The fingers' one joint drives
a finger and a thumb of two phalanges each (mimic joints), whose pads stay parallel. The hand is tilted
50 degrees against the forearm, so that the wrist's one joint turns the palm from level to straight down.
Written by tools/build_robots.py; edit that. All frames at zero: x forward, y left, z up (the hands' frames:
z out of the palm, y in the closing direction). Left and right joints have mirrored axes, so that equal values
make a symmetric posture; positive lifts forward or outward, and bends elbows and knees.
"""
COLORS = {
    "white": (0.93, 0.94, 0.96),
    "grey": (0.62, 0.65, 0.70),
    "dark": (0.16, 0.17, 0.20),
    "blue": (0.20, 0.45, 0.85),
}
TILT = math.radians(50.0)
GRIPPER = Gripper(knuckle_y=0.026, knuckle_z=0.040, phalanx=0.032, pad=0.008, half_closed=0.001, half_open=0.046)
GRASP = 0.088  # [m] grasp frame in front of the hand's origin


def make() -> Machine:
    """Build it."""
    robot = Machine("asimo", COMMENT, COLORS)
    robot.links.extend(_trunk())
    for side, sign in (("left", 1), ("right", -1)):
        robot.links.extend(_arm(side, sign) + _leg(side, sign))
    return robot


def _trunk() -> list[Link]:
    hips = loft(
        [(-0.06, 0.05, 0.07, 0, 0, 2.6), (0.0, 0.075, 0.12, 0, 0, 2.8), (0.07, 0.065, 0.095, 0, 0, 2.5)], cap=(0.5, 0.4)
    )
    waist = drum(0.068, 0.08).moved((0, 0, 0.09))
    chest = loft(
        [
            (0.10, 0.07, 0.10, 0.0, 0, 2.6),
            (0.20, 0.10, 0.145, 0.01, 0, 3.0),
            (0.29, 0.095, 0.15, 0.005, 0, 3.0),
            (0.35, 0.06, 0.10, 0.0, 0, 2.6),
        ],
        sides=26,
        rings=9,
        cap=(0.5, 0.5),
    )
    pack = loft(
        [
            (0.09, 0.060, 0.105, -0.12, 0, 3.4),
            (0.22, 0.068, 0.118, -0.122, 0, 3.4),
            (0.345, 0.052, 0.105, -0.115, 0, 3.4),
        ],
        sides=28,
        rings=7,
        cap=(0.5, 0.6),
    )
    stripe = loft(
        [
            (0.12, 0.010, 0.055, -0.182, 0, 3.4),
            (0.22, 0.012, 0.060, -0.187, 0, 3.4),
            (0.31, 0.010, 0.055, -0.170, 0, 3.4),
        ],
        18,
        6,
        (0.9, 0.9),
    )
    light = ellipsoid((0.012, 0.018, 0.018)).moved((0.105, 0.0, 0.25))
    shell = loft(
        [
            (0.0, 0.062, 0.066, -0.012),
            (0.055, 0.096, 0.098, 0.0, 0, 2.4),
            (0.13, 0.112, 0.108, 0, 0, 2.4),
            (0.2045, 0.065, 0.062, -0.01),
        ],
        sides=26,
        rings=10,
        cap=(0.5, 0.8),
    )
    visor = loft(
        [
            (0.042, 0.055, 0.072, 0.052, 0, 2.7),
            (0.10, 0.068, 0.088, 0.052, 0, 2.7),
            (0.155, 0.058, 0.076, 0.05, 0, 2.7),
        ],
        sides=24,
        rings=7,
        cap=(0.5, 0.5),
    )
    return [
        Link(
            "body",
            [
                Part(hips, "white"),
                Part(waist, "dark", 0),
                Part(chest, "white", 1),
                Part(light, "blue", 1),
                Part(pack, "white", 2),
                Part(stripe, "grey", 2),
            ],
            23.5,
        ),
        Link(
            "neck",
            [Part(drum(0.045, 0.06), "dark")],
            0.6,
            Joint("neck_yaw", "body", (0, 0, 0.360), (0, 0, 1), -1.6, 1.6, 15),
        ),
        Link(
            "head",
            [Part(shell, "white"), Part(visor, "dark")],
            3.0,
            Joint("neck_pitch", "neck", (0, 0, 0.025), (0, 1, 0), -0.5, 0.9, 15),
        ),
    ]


def _arm(side: str, sign: int) -> list[Link]:
    def name(part: str) -> str:
        return f"{side}_{part}"

    palm = loft(
        [(0.0, 0.024, 0.026, 0, 0, 2.5), (0.03, 0.026, 0.040, 0, 0, 3.5), (0.049, 0.022, 0.034, 0, 0, 3.5)],
        sides=22,
        rings=6,
        cap=(0.4, 0.4),
    )
    return [
        Link(
            name("shoulder"),
            [Part(ball(0.046), "dark")],
            0.8,
            Joint(name("shoulder_pitch"), "body", (0, sign * 0.184, 0.285), (0, -1, 0), -1.5, 3.0, 60),
            meshes="shoulder",
        ),
        Link(
            name("shoulder_cap"),
            [Part(ellipsoid((0.055, 0.050, 0.058)).moved((0, 0, -0.01)), "white")],
            0.8,
            Joint(name("shoulder_roll"), name("shoulder"), (0, sign * 0.029, 0), (sign, 0, 0), -0.25, 2.6, 60),
            meshes="shoulder_cap",
        ),
        Link(
            name("upper_arm"),
            [Part(limb(0.040, 0.034, 0.170, 0.004, start=0.06), "white")],
            1.2,
            Joint(name("shoulder_yaw"), name("shoulder_cap"), (0, 0, 0), (0, 0, sign), -2.2, 2.2, 40),
            meshes="upper_arm",
        ),
        Link(
            name("elbow"),
            [Part(ball(0.035), "dark"), Part(limb(0.036, 0.028, 0.165, 0.004, start=0.02), "white", 1)],
            1.0,
            Joint(name("elbow"), name("upper_arm"), (0, 0, -0.25), (0, -1, 0), 0.0, 2.3, 40),
            meshes="elbow",
        ),
        Link(
            name("wrist"),
            [Part(ball(0.029, 16, 8), "dark")],
            0.2,
            Joint(name("wrist"), name("elbow"), (0, 0, -0.20), (0, 0, sign), -2.9, 2.9, 15),
            meshes="wrist",
        ),
        Link(
            name("hand"),
            [Part(palm, "white")],
            0.3,
            Joint(name("hand_mount"), name("wrist"), (0, 0, 0), (0, 0, 1), kind="fixed", rpy=(0, math.pi - TILT, 0)),
            meshes="hand",
        ),
        *GRIPPER.links(side, name("hand"), _phalanx, _pad),
    ]


def _phalanx(sign: int) -> list[Part]:
    shape = loft([(-0.009, 0.012, 0.009, 0, 0, 2.5), (0.038, 0.011, 0.0085, 0, 0, 2.5)], 14, 3, (0.8, 0.8))
    return [Part(shape, "dark")]


def _pad(sign: int) -> list[Part]:
    shape = loft(
        [(-0.007, 0.012, 0.008, 0, 0, 3), (0.030, 0.012, 0.008, 0, 0, 3), (0.048, 0.010, 0.006, 0, -0.002, 3)],
        16,
        6,
        (0.6, 0.8),
    )
    return [Part(both(shape, sign), "white")]


def _leg(side: str, sign: int) -> list[Link]:
    def name(part: str) -> str:
        return f"{side}_{part}"

    foot = loft(
        [
            (-0.06, 0.108, 0.046, 0.022, 0, 3.2),
            (-0.035, 0.10, 0.044, 0.02, 0, 3.0),
            (0.005, 0.05, 0.036, -0.005, 0, 2.4),
        ],
        26,
        7,
        (0.2, 0.5),
    )
    shin = [Part(ball(0.047), "dark"), Part(limb(0.050, 0.036, 0.215, 0.008, start=0.035), "white", 1)]
    return [
        Link(
            name("hip"),
            [Part(drum(0.040, 0.05).moved((0, 0, 0.03)), "dark")],
            1.0,
            Joint(name("hip_yaw"), "body", (0, sign * 0.085, -0.05), (0, 0, sign), -0.8, 0.8, 80),
            meshes="hip",
        ),
        Link(
            name("hip_ball"),
            [Part(ball(0.052), "dark")],
            0.8,
            Joint(name("hip_roll"), name("hip"), (0, 0, 0), (sign, 0, 0), -0.4, 0.7, 80),
            meshes="hip_ball",
        ),
        Link(
            name("thigh"),
            [Part(limb(0.054, 0.046, 0.195, 0.010, start=0.046), "white")],
            3.2,
            Joint(name("hip_pitch"), name("hip_ball"), (0, 0, 0), (0, -1, 0), -0.7, 1.9, 100),
            meshes="thigh",
        ),
        Link(
            name("shin"),
            shin,
            2.4,
            Joint(name("knee"), name("thigh"), (0, 0, -0.27), (0, 1, 0), 0.0, 2.2, 100),
            meshes="shin",
        ),
        Link(
            name("ankle"),
            [Part(ball(0.036), "dark")],
            0.4,
            Joint(name("ankle_pitch"), name("shin"), (0, 0, -0.27), (0, -1, 0), -0.9, 0.7, 60),
            meshes="ankle",
        ),
        Link(
            name("foot"),
            [Part(foot, "white")],
            1.1,
            Joint(name("ankle_roll"), name("ankle"), (0, 0, 0), (sign, 0, 0), -0.5, 0.5, 60),
            meshes="foot",
        ),
    ]
