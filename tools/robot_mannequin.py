"""The mannequin: 1.48 m, 27 degrees of freedom, the look of an artist's wooden figure (dimensions: thesis 5.3.2)."""

from __future__ import annotations

from robot_shapes import ball, drum, ellipsoid, limb, loft
from robot_urdf import Joint, Link, Machine, Part

COMMENT = """
The mannequin of thesis 5.3.2 and figure 5.4: 1.48 m, 27 degrees of freedom: neck 3 (yaw, pitch, roll),
torso 2 (yaw, pitch), each arm 6 (shoulder 3, elbow 1, wrist 2), each leg 5 (hip 2, knee 1, ankle 2).
No fingers: a magnetic pad in each palm holds by affixation. Written by tools/build_robots.py; edit that.
All frames at zero: x forward, y left, z up. Left and right joints have mirrored axes, so that equal values
make a symmetric posture; positive lifts forward or outward, and bends elbows and knees.
"""
COLORS = {"wood": (0.87, 0.70, 0.49), "joint": (0.52, 0.33, 0.19), "pad": (0.20, 0.21, 0.24)}


def make() -> Machine:
    """Build it."""
    robot = Machine("mannequin", COMMENT, COLORS)
    robot.links.extend(_trunk())
    for side, sign in (("left", 1), ("right", -1)):
        robot.links.extend(_arm(side, sign) + _leg(side, sign))
    return robot


def _trunk() -> list[Link]:
    pelvis = loft([(-0.075, 0.045, 0.075), (-0.02, 0.085, 0.135), (0.05, 0.075, 0.115)], cap=(0.6, 0.5))
    waist = ellipsoid((0.068, 0.085, 0.055))
    chest = loft(
        [(0.025, 0.055, 0.075), (0.16, 0.088, 0.112, 0.006), (0.25, 0.092, 0.127, 0.006, 0, 2.3), (0.33, 0.06, 0.095)],
        sides=24,
        rings=10,
        cap=(0.5, 0.6),
    )
    head = loft(
        [(0.018, 0.036, 0.034, 0.0), (0.065, 0.064, 0.058, 0.004), (0.13, 0.088, 0.072), (0.195, 0.06, 0.055, -0.008)],
        sides=22,
        rings=10,
        cap=(0.5, 0.75),
    )
    visor = ellipsoid((0.012, 0.042, 0.013)).moved((0.077, 0.0, 0.125))
    return [
        Link("pelvis", [Part(pelvis, "wood")], 6.5),
        Link(
            "waist", [Part(waist, "joint")], 2.2, Joint("torso_yaw", "pelvis", (0, 0, 0.08), (0, 0, 1), -1.2, 1.2, 120)
        ),
        Link("chest", [Part(chest, "wood")], 8.5, Joint("torso_pitch", "waist", (0, 0, 0), (0, 1, 0), -0.3, 1.2, 150)),
        Link(
            "neck_base",
            [Part(drum(0.032, 0.045).moved((0, 0, -0.0175)), "joint")],
            0.5,
            Joint("neck_yaw", "chest", (0, 0, 0.33), (0, 0, 1), -1.5, 1.5, 15),
        ),
        Link(
            "neck",
            [Part(ball(0.036), "joint")],
            0.5,
            Joint("neck_pitch", "neck_base", (0, 0, 0.025), (0, 1, 0), -0.6, 1.1, 15),
        ),
        Link(
            "head",
            [Part(head, "wood"), Part(visor, "pad")],
            3.0,
            Joint("neck_roll", "neck", (0, 0, 0), (1, 0, 0), -0.5, 0.5, 15),
        ),
    ]


def _arm(side: str, sign: int) -> list[Link]:
    def name(part: str) -> str:
        return f"{side}_{part}"

    hand = loft(
        [(-0.105, 0.020, 0.014), (-0.065, 0.036, 0.019), (-0.02, 0.026, 0.019)], sides=18, rings=7, cap=(0.7, 0.5)
    )
    pad = drum(0.021, 0.012, "y").moved((0, -sign * 0.016, -0.065))
    return [
        Link(
            name("shoulder_ball"),
            [Part(ball(0.055), "joint")],
            0.6,
            Joint(name("shoulder_pitch"), "chest", (0, sign * 0.174, 0.270), (0, -1, 0), -1.2, 3.0, 60),
            meshes="shoulder_ball",
        ),
        Link(
            name("shoulder"),
            [],
            0.3,
            Joint(name("shoulder_roll"), name("shoulder_ball"), (0, 0, 0), (sign, 0, 0), -0.3, 2.8, 60),
        ),
        Link(
            name("upper_arm"),
            [Part(limb(0.040, 0.033, 0.205, 0.006, start=0.045), "wood")],
            1.5,
            Joint(name("shoulder_yaw"), name("shoulder"), (0, 0, 0), (0, 0, sign), -1.9, 1.9, 40),
            meshes="upper_arm",
        ),
        Link(
            name("elbow_ball"),
            [Part(ball(0.035), "joint"), Part(limb(0.034, 0.029, 0.135, 0.003, start=0.022), "wood", 1)],
            0.8,
            Joint(name("elbow"), name("upper_arm"), (0, 0, -0.27), (0, -1, 0), 0.0, 2.4, 40),
            meshes="elbow_ball",
        ),
        Link(
            name("forearm"),
            [Part(limb(0.0285, 0.022, 0.10, start=-0.015), "wood")],
            0.5,
            Joint(name("wrist_roll"), name("elbow_ball"), (0, 0, -0.14), (0, 0, sign), -2.4, 2.4, 15),
            meshes="forearm",
        ),
        Link(
            name("hand"),
            [Part(ball(0.022, 14, 7), "joint"), Part(hand, "wood"), Part(pad, "pad")],
            0.4,
            Joint(name("wrist_pitch"), name("forearm"), (0, 0, -0.10), (sign, 0, 0), -1.5, 1.5, 15),
        ),
    ]


def _leg(side: str, sign: int) -> list[Link]:
    def name(part: str) -> str:
        return f"{side}_{part}"

    foot = loft(
        [
            (-0.07, 0.115, 0.042, 0.035, 0, 2.8),
            (-0.045, 0.105, 0.040, 0.03, 0, 2.6),
            (-0.005, 0.045, 0.03, 0.0, 0, 2.0),
        ],
        sides=24,
        rings=7,
        cap=(0.25, 0.5),
    )
    return [
        Link(
            name("hip_ball"),
            [Part(ball(0.058), "joint")],
            1.0,
            Joint(name("hip_pitch"), "pelvis", (0, sign * 0.085, -0.05), (0, -1, 0), -0.7, 1.9, 120),
            meshes="hip_ball",
        ),
        Link(
            name("thigh"),
            [Part(limb(0.062, 0.045, 0.31, 0.004, start=0.03), "wood")],
            3.6,
            Joint(name("hip_roll"), name("hip_ball"), (0, 0, 0), (sign, 0, 0), -0.3, 0.8, 120),
            meshes="thigh",
        ),
        Link(
            name("shin"),
            [Part(ball(0.046), "joint"), Part(limb(0.046, 0.028, 0.305, 0.004, start=0.04), "wood", 1)],
            2.0,
            Joint(name("knee"), name("thigh"), (0, 0, -0.37), (0, 1, 0), 0.0, 2.3, 120),
            meshes="shin",
        ),
        Link(
            name("ankle_ball"),
            [Part(ball(0.030), "joint")],
            0.3,
            Joint(name("ankle_pitch"), name("shin"), (0, 0, -0.36), (0, -1, 0), -0.9, 0.7, 60),
            meshes="ankle_ball",
        ),
        Link(
            name("foot"),
            [Part(foot, "wood")],
            0.9,
            Joint(name("ankle_roll"), name("ankle_ball"), (0, 0, 0), (sign, 0, 0), -0.5, 0.5, 60),
            meshes="foot",
        ),
    ]
