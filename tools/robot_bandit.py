"""Bandit: 1.75 m on wheels, 23 degrees of freedom, an expressive head (dimensions: thesis 5.3.3)."""

from __future__ import annotations

import math

from robot_hand import Gripper, both
from robot_shapes import ball, block, drum, ellipsoid, limb, loft
from robot_urdf import Joint, Link, Machine, Part

COMMENT = """
A robot after thesis 5.3.3 and figure 5.5: 1.75 m on a differential base, 23 degrees of freedom: neck 2
(pan, tilt), face 3 (brows, upper lip, lower lip), each arm 7 (shoulder 3, elbow 1, wrist 3) and a claw of one
joint, and two wheels. The figure's arms have 6; the seventh is the joint that the thesis adds for dexterity.
A claw's joint drives two jaws of two pieces each (mimic joints), whose pads stay parallel.
Written by tools/build_robots.py; edit that. All frames at zero: x forward, y left, z up (the hands' frames:
z out of the palm, y in the closing direction). Left and right joints have mirrored axes, so that equal values
make a symmetric posture; positive lifts forward or outward, and bends elbows.
"""
COLORS = {
    "shell": (0.53, 0.63, 0.74),
    "light": (0.88, 0.90, 0.93),
    "dark": (0.17, 0.18, 0.22),
    "accent": (0.95, 0.55, 0.15),
    "red": (0.80, 0.22, 0.22),
}
GRIPPER = Gripper(knuckle_y=0.028, knuckle_z=0.062, phalanx=0.036, pad=0.008, half_closed=0.001, half_open=0.050)
GRASP = 0.112  # [m] grasp frame in front of the hand's origin


def make() -> Machine:
    """Build it."""
    robot = Machine("bandit", COMMENT, COLORS)
    robot.links.extend(_trunk() + _head())
    for side, sign in (("left", 1), ("right", -1)):
        robot.links.extend(_wheel(side, sign) + _arm(side, sign))
    return robot


def _trunk() -> list[Link]:
    skirt = loft(
        [(0.02, 0.235, 0.20, 0, 0, 2.4), (0.14, 0.245, 0.205, 0, 0, 2.4), (0.26, 0.20, 0.18, 0, 0, 2.3)],
        32,
        8,
        (0.25, 0.3),
    )
    bumper = loft([(0.03, 0.252, 0.19, 0, 0, 2.4), (0.075, 0.252, 0.19, 0, 0, 2.4)], 32, 2, (0.05, 0.05))
    column = loft([(0.22, 0.085, 0.095, 0, 0, 2.5), (0.86, 0.065, 0.075, 0, 0, 2.5)], 22, 5, (0.3, 0.3))
    belly = loft([(0.74, 0.075, 0.09), (0.84, 0.095, 0.12), (0.94, 0.08, 0.10)], 24, 6, (0.5, 0.5))
    chest = loft(
        [
            (0.90, 0.08, 0.11, 0, 0, 2.6),
            (1.04, 0.115, 0.155, 0.01, 0, 2.9),
            (1.19, 0.115, 0.165, 0.005, 0, 3.0),
            (1.29, 0.07, 0.11, 0, 0, 2.6),
        ],
        28,
        9,
        (0.4, 0.5),
    )
    plate = loft([(0.99, 0.03, 0.09, 0.10, 0, 3.5), (1.16, 0.03, 0.10, 0.102, 0, 3.5)], 22, 4, (0.8, 0.8))
    lamp = ellipsoid((0.012, 0.02, 0.02)).moved((0.13, 0, 1.13))
    return [
        Link("base", [Part(skirt, "shell"), Part(bumper, "dark"), Part(column, "dark", 1)], 38.0),
        Link(
            "torso",
            [Part(belly, "dark"), Part(chest, "shell", 1), Part(plate, "light", 1), Part(lamp, "accent", 1)],
            14.0,
            Joint("torso_mount", "base", (0, 0, 0.065), (0, 0, 1), kind="fixed"),
        ),
    ]


def _wheel(side: str, sign: int) -> list[Link]:
    tire, hub = drum(0.11, 0.045, "y", 0.35, 28), drum(0.06, 0.05, "y", 0.2, 18)
    return [
        Link(
            f"{side}_wheel",
            [Part(tire, "dark"), Part(hub, "accent")],
            1.5,
            Joint(
                f"{side}_wheel", "base", (0, sign * 0.235, 0.11), (0, 1, 0), kind="continuous", effort=20, velocity=12
            ),
            meshes="wheel",
        )
    ]


def _head() -> list[Link]:
    skull = loft(
        [
            (-0.01, 0.065, 0.07, -0.01, 0, 2.6),
            (0.07, 0.112, 0.118, 0.0, 0, 2.8),
            (0.19, 0.122, 0.130, 0, 0, 2.8),
            (0.30, 0.075, 0.08, -0.005, 0, 2.5),
        ],
        28,
        10,
        (0.5, 0.7),
    )
    face = loft(
        [(0.03, 0.022, 0.08, 0.092, 0, 3), (0.12, 0.024, 0.105, 0.104, 0, 3), (0.235, 0.02, 0.095, 0.096, 0, 3)],
        22,
        7,
        (0.9, 0.9),
    )
    parts = [Part(skull, "shell"), Part(face, "light")]
    for sign in (1, -1):
        parts.append(Part(ellipsoid((0.012, 0.030, 0.033), 16, 7).moved((0.120, sign * 0.048, 0.165)), "dark"))
        parts.append(Part(ellipsoid((0.006, 0.010, 0.010), 10, 5).moved((0.130, sign * 0.045, 0.175)), "light"))
        parts.append(
            Part(drum(0.040, 0.035, "y", 0.3, 20).moved((0.0, sign * 0.132, 0.14)), "accent", 1 if sign > 0 else 2)
        )
    brow = block((0.012, 0.056, 0.014), 3, 0.5, 12)
    lip = block((0.014, 0.085, 0.012), 2.5, 0.5, 12).moved((0.124, 0, 0.0))
    links = [
        Link(
            "neck",
            [Part(drum(0.042, 0.15).moved((0, 0, -0.015)), "dark")],
            1.0,
            Joint("neck_pan", "torso", (0, 0, 1.325), (0, 0, 1), -1.6, 1.6, 20),
        ),
        Link("head", parts, 3.0, Joint("neck_tilt", "neck", (0, 0, 0.06), (0, 1, 0), -0.6, 1.1, 20)),
    ]
    for side, sign in (("left", 1), ("right", -1)):
        links.append(
            Link(
                f"{side}_brow",
                [Part(brow, "dark")],
                0.02,
                Joint(
                    "brows" if sign > 0 else "right_brow_joint",
                    "head",
                    (0.130, sign * 0.050, 0.216),
                    (sign, 0, 0),
                    -0.5,
                    0.5,
                    1,
                    2,
                    mimic=None if sign > 0 else ("brows", 1.0),
                ),
                meshes="brow",
            )
        )
    for lip_name, z, turn in (("upper_lip", 0.092, -1), ("lower_lip", 0.070, 1)):
        links.append(
            Link(
                lip_name,
                [Part(lip, "red")],
                0.02,
                Joint(lip_name, "head", (0, 0, z), (0, turn, 0), -0.02, 0.12, 1, 2),
                meshes="lip",
            )
        )
    return links


def _arm(side: str, sign: int) -> list[Link]:
    def name(part: str) -> str:
        return f"{side}_{part}"

    palm = loft(
        [(0.018, 0.020, 0.024, 0, 0, 2.5), (0.045, 0.026, 0.044, 0, 0, 3.5), (0.070, 0.022, 0.038, 0, 0, 3.5)],
        22,
        6,
        (0.4, 0.4),
    )
    return [
        Link(
            name("shoulder"),
            [Part(drum(0.050, 0.075, "y"), "dark")],
            1.2,
            Joint(name("shoulder_pitch"), "torso", (0, sign * 0.20, 1.19), (0, -1, 0), -1.5, 3.1, 80),
            meshes="shoulder",
        ),
        Link(
            name("shoulder_cap"),
            [Part(ellipsoid((0.062, 0.056, 0.066)).moved((0, 0, -0.005)), "shell")],
            1.0,
            Joint(name("shoulder_roll"), name("shoulder"), (0, sign * 0.03, 0), (sign, 0, 0), -0.25, 2.7, 80),
            meshes="shoulder_cap",
        ),
        Link(
            name("upper_arm"),
            [Part(limb(0.046, 0.038, 0.28, 0.002, start=0.062), "light")],
            1.6,
            Joint(name("shoulder_yaw"), name("shoulder_cap"), (0, 0, 0), (0, 0, sign), -2.4, 2.4, 50),
            meshes="upper_arm",
        ),
        Link(
            name("elbow"),
            [Part(drum(0.044, 0.084, "y"), "dark"), Part(limb(0.042, 0.038, 0.165, 0.004, start=0.02), "shell", 1)],
            1.2,
            Joint(name("elbow"), name("upper_arm"), (0, 0, -0.35), (0, -1, 0), 0.0, 2.4, 50),
            meshes="elbow",
        ),
        Link(
            name("forearm"),
            [Part(limb(0.0375, 0.028, 0.145, 0.0, start=-0.02), "light")],
            0.6,
            Joint(name("wrist_roll"), name("elbow"), (0, 0, -0.165), (0, 0, sign), -2.9, 2.9, 20),
            meshes="forearm",
        ),
        Link(
            name("wrist"),
            [Part(ball(0.031, 16, 8), "dark")],
            0.3,
            Joint(name("wrist_pitch"), name("forearm"), (0, 0, -0.145), (0, -1, 0), -1.7, 1.7, 20),
            meshes="wrist",
        ),
        Link(
            name("hand"),
            [Part(palm, "shell")],
            0.5,
            Joint(name("wrist_turn"), name("wrist"), (0, 0, 0), (0, 0, -sign), -2.9, 2.9, 20, rpy=(0, math.pi, 0)),
            meshes="hand",
        ),
        *GRIPPER.links(side, name("hand"), _phalanx, _pad),
    ]


def _phalanx(sign: int) -> list[Part]:
    shape = loft([(-0.010, 0.014, 0.010, 0, 0, 2.5), (0.043, 0.012, 0.009, 0, 0, 2.5)], 14, 3, (0.8, 0.8))
    return [Part(shape, "dark")]


def _pad(sign: int) -> list[Part]:
    shape = loft(
        [(-0.008, 0.013, 0.008, 0, 0, 3), (0.030, 0.014, 0.008, 0, 0, 3), (0.050, 0.009, 0.006, 0, -0.002, 3)],
        16,
        6,
        (0.6, 0.8),
    )
    return [Part(both(shape, sign), "accent")]
