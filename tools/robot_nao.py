"""Nao: 0.57 m, 25 degrees of freedom, white and orange shells (dimensions: what Aldebaran published of the H25)."""

from __future__ import annotations

import math

from robot_hand import Gripper, both
from robot_shapes import Mesh, ball, drum, ellipsoid, limb, loft
from robot_urdf import Joint, Link, Machine, Part

COMMENT = """
A small soccer humanoid of the size of Aldebaran's Nao H25, whose link lengths and joint limits are published:
0.57 m, 25 degrees of freedom: head 2 (yaw, pitch), each arm 5 and its hand 1, legs 11 (each hip 3, knee 1,
ankle 2; the first joint of both hips, which slants between yaw and pitch, is one motor: a mimic joint).
The hand's joint drives a finger and a thumb whose pads stay parallel and open 80 mm, wider than in the original,
so that it can take what people take with one hand. Written by tools/build_robots.py; edit that.
All frames at zero: x forward, y left, z up (the hands' frames: z out of the palm, y in the closing direction); at
zero the arms point forward. Left and right joints have mirrored axes and the limits of the left side, so that equal
values make a symmetric posture.
"""
COLORS = {
    "white": (0.93, 0.94, 0.95),
    "orange": (0.95, 0.45, 0.10),
    "grey": (0.55, 0.57, 0.61),
    "dark": (0.15, 0.16, 0.19),
    "blue": (0.25, 0.62, 0.95),
}
HIP_Y, HIP_Z, THIGH, TIBIA, FOOT = 0.050, 0.085, 0.100, 0.1029, 0.04519  # [m]
NECK_Z, SHOULDER_Y, SHOULDER_Z = 0.1265, 0.098, 0.100
ELBOW_Y, UPPER_ARM, LOWER_ARM, HAND_X, HAND_Z = 0.015, 0.105, 0.05595, 0.05775, 0.01231
SLANT = math.sqrt(0.5)
GRIPPER = Gripper(knuckle_y=0.022, knuckle_z=0.010, phalanx=0.026, pad=0.006, half_closed=0.001, half_open=0.040)


def make() -> Machine:
    """Build it."""
    robot = Machine("nao", COMMENT, COLORS)
    robot.links.extend(_trunk())
    for side, sign in (("left", 1), ("right", -1)):
        robot.links.extend(_arm(side, sign) + _leg(side, sign))
    return robot


def _forward(mesh: Mesh) -> Mesh:
    """What is drawn downwards, turned forward."""
    return mesh.moved(rpy=(0.0, -math.pi / 2, 0.0))


def _trunk() -> list[Link]:
    chest = loft(
        [
            (-0.030, 0.036, 0.046, 0.0, 0, 2.6),
            (0.040, 0.050, 0.060, 0.004, 0, 2.8),
            (0.090, 0.048, 0.062, 0.0, 0, 2.8),
            (0.118, 0.028, 0.040, -0.004, 0, 2.5),
        ],
        sides=26,
        rings=9,
        cap=(0.5, 0.6),
    )
    plate = loft(
        [
            (0.030, 0.010, 0.030, 0.046, 0, 2.6),
            (0.066, 0.011, 0.038, 0.046, 0, 2.6),
            (0.095, 0.009, 0.032, 0.040, 0, 2.6),
        ],
        18,
        6,
        (0.8, 0.8),
    )
    button = drum(0.011, 0.008, "x").moved((0.058, 0.0, 0.062))
    hips = loft(
        [(-0.092, 0.022, 0.016, 0, 0, 2.4), (-0.060, 0.034, 0.040, 0, 0, 2.6), (-0.028, 0.032, 0.044, 0, 0, 2.6)],
        24,
        7,
        (0.5, 0.4),
    )
    skull = loft(
        [
            (0.002, 0.032, 0.034, 0.002),
            (0.032, 0.056, 0.054, 0.006, 0, 2.3),
            (0.066, 0.060, 0.058, 0.0, 0, 2.3),
            (0.1134, 0.034, 0.032, -0.006),
        ],
        sides=28,
        rings=10,
        cap=(0.5, 0.85),
    )
    brow = loft(
        [
            (0.094, 0.026, 0.012, 0.012, 0, 2.5),
            (0.106, 0.026, 0.014, 0.008, 0, 2.5),
            (0.1155, 0.016, 0.010, 0.002, 0, 2.5),
        ],
        18,
        4,
        (0.6, 0.8),
    )
    head = [
        Part(skull, "white"),
        Part(brow, "orange"),
        Part(ellipsoid((0.006, 0.009, 0.005)).moved((0.0595, 0, 0.028)), "dark"),
    ]
    for sign in (1, -1):
        head += [
            Part(drum(0.022, 0.014, "y").moved((0.0, sign * 0.060, 0.054)), "orange"),
            Part(drum(0.013, 0.018, "y").moved((0.0, sign * 0.061, 0.054)), "grey"),
            Part(ellipsoid((0.010, 0.0135, 0.0135)).moved((0.052, sign * 0.024, 0.056)), "dark"),
            Part(ellipsoid((0.006, 0.0075, 0.0075)).moved((0.0585, sign * 0.0245, 0.056)), "blue"),
        ]
    return [
        Link(
            "torso",
            [Part(chest, "white"), Part(plate, "grey"), Part(button, "orange"), Part(hips, "grey", 1)],
            1.55,
        ),
        Link(
            "neck",
            [Part(drum(0.020, 0.030).moved((0, 0, -0.006)), "dark")],
            0.08,
            Joint("head_yaw", "torso", (0, 0, NECK_Z), (0, 0, 1), -2.0857, 2.0857, 5, 4.0),
        ),
        Link(
            "head",
            head,
            0.60,
            Joint("head_pitch", "neck", (0, 0, 0), (0, 1, 0), -0.6720, 0.5149, 5, 4.0),
        ),
    ]


def _arm(side: str, sign: int) -> list[Link]:
    def name(part: str) -> str:
        return f"{side}_{part}"

    upper = _forward(limb(0.027, 0.022, 0.080, 0.002, start=0.012)).moved((0, sign * 0.008, 0))
    cap = ellipsoid((0.032, 0.026, 0.033)).moved((0, sign * 0.006, 0))
    sleeve = _forward(limb(0.0245, 0.0215, 0.042, 0.002, start=0.013))
    cuff = drum(0.0215, 0.010, "x").moved((0.047, 0, 0))
    palm = loft(
        [(-0.004, 0.018, 0.018, 0, 0, 2.4), (0.008, 0.021, 0.029, 0, 0, 3.0), (0.020, 0.019, 0.027, 0, 0, 3.0)],
        22,
        6,
        (0.4, 0.4),
    )
    return [
        Link(
            name("shoulder"),
            [Part(ball(0.029), "dark")],
            0.09,
            Joint(
                name("shoulder_pitch"), "torso", (0, sign * SHOULDER_Y, SHOULDER_Z), (0, 1, 0), -2.0857, 2.0857, 10, 4.0
            ),
            meshes="shoulder",
        ),
        Link(
            name("upper_arm"),
            [Part(cap, "orange"), Part(upper, "white")],
            0.16,
            Joint(name("shoulder_roll"), name("shoulder"), (0, 0, 0), (0, 0, sign), -0.3142, 1.3265, 10, 4.0),
        ),
        Link(
            name("elbow"),
            [Part(ball(0.025), "dark")],
            0.07,
            Joint(
                name("elbow_yaw"),
                name("upper_arm"),
                (UPPER_ARM, sign * ELBOW_Y, 0),
                (sign, 0, 0),
                -2.0857,
                2.0857,
                8,
                4.0,
            ),
            meshes="elbow",
        ),
        Link(
            name("forearm"),
            [Part(sleeve, "white"), Part(cuff, "orange")],
            0.08,
            Joint(name("elbow_roll"), name("elbow"), (0, 0, 0), (0, 0, sign), -1.5446, -0.0349, 8, 4.0),
            meshes="forearm",
        ),
        Link(
            name("wrist"),
            [Part(drum(0.017, 0.012, "x").moved((0.004, 0, 0)), "dark")],
            0.03,
            Joint(name("wrist_yaw"), name("forearm"), (LOWER_ARM, 0, 0), (sign, 0, 0), -1.8238, 1.8238, 5, 4.0),
            meshes="wrist",
        ),
        Link(
            name("hand"),
            [Part(palm, "white")],
            0.08,
            Joint(
                name("hand_mount"), name("wrist"), (0.006, 0, -HAND_Z), (0, 0, 1), kind="fixed", rpy=(0, math.pi / 2, 0)
            ),
            meshes="hand",
        ),
        *GRIPPER.links(side, name("hand"), _phalanx, _pad),
    ]


def _phalanx(sign: int) -> list[Part]:
    shape = loft([(-0.007, 0.010, 0.0070, 0, 0, 2.5), (0.031, 0.009, 0.0065, 0, 0, 2.5)], 14, 3, (0.8, 0.8))
    return [Part(shape, "dark")]


def _pad(sign: int) -> list[Part]:
    shape = loft(
        [(-0.006, 0.010, 0.006, 0, 0, 3), (0.024, 0.011, 0.006, 0, 0, 3), (0.042, 0.009, 0.0045, 0, -0.0015, 3)],
        16,
        6,
        (0.6, 0.8),
    )
    return [Part(both(shape, sign), "white")]


def _leg(side: str, sign: int) -> list[Link]:
    def name(part: str) -> str:
        return f"{side}_{part}"

    lead = side == "left"
    foot = loft(
        [
            (-FOOT, 0.078, 0.042, 0.018, 0, 3.0),
            (-0.030, 0.074, 0.041, 0.016, 0, 2.8),
            (-0.004, 0.034, 0.028, -0.004, 0, 2.4),
        ],
        26,
        7,
        (0.25, 0.5),
    )
    shin = [Part(ball(0.030), "dark"), Part(limb(0.034, 0.025, 0.078, 0.003, start=0.012), "white", 1)]
    shin.append(Part(ellipsoid((0.014, 0.022, 0.020)).moved((0.024, 0, -0.012)), "orange", 1))
    return [
        Link(
            name("hip"),
            [Part(ball(0.026), "dark")],
            0.07,
            Joint(
                name("hip_yaw_pitch"),
                "torso",
                (0, sign * HIP_Y, -HIP_Z),
                (0, SLANT, -sign * SLANT),
                -1.1453,
                0.7408,
                12,
                4.0,
                mimic=None if lead else ("left_hip_yaw_pitch", 1.0),
            ),
            meshes="hip",
        ),
        Link(
            name("hip_ball"),
            [Part(ball(0.028), "dark")],
            0.14,
            Joint(name("hip_roll"), name("hip"), (0, 0, 0), (sign, 0, 0), -0.3795, 0.7905, 12, 4.0),
            meshes="hip_ball",
        ),
        Link(
            name("thigh"),
            [Part(limb(0.034, 0.031, 0.078, 0.004, start=0.012), "white")],
            0.39,
            Joint(name("hip_pitch"), name("hip_ball"), (0, 0, 0), (0, 1, 0), -1.5359, 0.4841, 12, 6.4),
            meshes="thigh",
        ),
        Link(
            name("shin"),
            shin,
            0.30,
            Joint(name("knee"), name("thigh"), (0, 0, -THIGH), (0, 1, 0), -0.0923, 2.1125, 12, 6.4),
            meshes="shin",
        ),
        Link(
            name("ankle"),
            [Part(ball(0.025), "dark")],
            0.13,
            Joint(name("ankle_pitch"), name("shin"), (0, 0, -TIBIA), (0, 1, 0), -1.1895, 0.9227, 12, 6.4),
            meshes="ankle",
        ),
        Link(
            name("foot"),
            [Part(foot, "white")],
            0.17,
            Joint(name("ankle_roll"), name("ankle"), (0, 0, 0), (sign, 0, 0), -0.3979, 0.7690, 12, 4.0),
            meshes="foot",
        ),
    ]
