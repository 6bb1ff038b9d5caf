"""The humanoids, and one arm, that the benchmarks are about: their chains, tips and how they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import distribution
from pathlib import Path


@dataclass(frozen=True)
class Subject:
    """A robot of the package ``example-robot-data`` and what a problem needs to know of it."""

    urdf: str
    """File, below the package's folder of robots unless its path is absolute."""
    tip: str
    """Link that is the left hand."""
    arm: tuple[str, ...]
    """Joints of the left arm, from the shoulder on."""
    torso: tuple[str, ...]
    """Joints between the base and the arm."""
    table: float
    """[m] Height of a table that suits the robot."""
    stance: Mapping[str, float] = field(default_factory=dict)
    """[rad] Joints that are not at zero when it stands."""
    sides: tuple[str, str] = ("", "")
    """What names the left in joints and links, and what the right in its place."""

    @property
    def path(self) -> Path:
        """The URDF as the package installs it."""
        root = distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data/robots")
        return (Path(str(root)) / self.urdf).resolve()

    def joints(self, group: str) -> tuple[str, ...]:
        """Joints of the body (not the base) that a group moves: ``arm``, ``torso_arm``, ``both_arms``, ..."""
        torso = self.torso if "torso" in group else ()
        return torso + self.arm + (tuple(self.right(name) for name in self.arm) if "arms" in group else ())

    def tips(self, group: str) -> tuple[str, ...]:
        """Hands of a group."""
        return (self.tip, self.right(self.tip)) if "arms" in group else (self.tip,)

    def right(self, name: str) -> str:
        """The right side's joint or link for one of the left."""
        return name.replace(*self.sides, 1)


SUBJECTS: Mapping[str, Subject] = {
    "talos": Subject(
        "talos_data/robots/talos_reduced.urdf",
        "gripper_left_base_link",
        tuple(f"arm_left_{i}_joint" for i in range(1, 8)),
        ("torso_1_joint", "torso_2_joint"),
        0.80,
        {
            **{f"arm_left_{i}_joint": a for i, a in ((1, 0.3), (2, 0.4), (3, -0.5), (4, -0.6))},
            **{f"arm_right_{i}_joint": a for i, a in ((1, -0.3), (2, -0.4), (3, 0.5), (4, -0.6))},
            **{f"leg_{s}_{i}_joint": a for s in ("left", "right") for i, a in ((3, -0.4), (4, 0.8), (5, -0.4))},
        },
        ("left", "right"),
    ),
    "icub": Subject(
        "icub_description/robots/icub.urdf",
        "l_hand",
        tuple(
            f"l_{name}"
            for name in (
                "shoulder_pitch",
                "shoulder_roll",
                "shoulder_yaw",
                "elbow",
                "wrist_prosup",
                "wrist_pitch",
                "wrist_yaw",
            )
        ),
        ("torso_pitch", "torso_roll", "torso_yaw"),
        0.55,
    ),
    "romeo": Subject(
        "romeo_description/urdf/romeo.urdf",
        "l_wrist",
        ("LShoulderPitch", "LShoulderYaw", "LElbowRoll", "LElbowYaw", "LWristRoll", "LWristYaw", "LWristPitch"),
        ("TrunkYaw",),
        0.80,
    ),
    "g1": Subject(
        "g1_description/urdf/g1_29dof_rev_1_0.urdf",
        "left_rubber_hand",
        tuple(
            f"left_{name}_joint"
            for name in (
                "shoulder_pitch",
                "shoulder_roll",
                "shoulder_yaw",
                "elbow",
                "wrist_roll",
                "wrist_pitch",
                "wrist_yaw",
            )
        ),
        ("waist_yaw_joint", "waist_roll_joint", "waist_pitch_joint"),
        0.68,
        {
            "left_shoulder_roll_joint": 0.35,
            "right_shoulder_roll_joint": -0.35,
            "left_elbow_joint": 1.4,
            "right_elbow_joint": 1.4,
        },
        ("left", "right"),
    ),
    "panda": Subject(
        "panda_description/urdf/panda.urdf", "panda_hand", tuple(f"panda_joint{i}" for i in range(1, 8)), (), 0.30
    ),
    "pr2": Subject(
        "pr2_description/urdf/pr2.urdf",
        "l_gripper_palm_link",
        tuple(
            f"l_{name}_joint"
            for name in (
                "shoulder_pan",
                "shoulder_lift",
                "upper_arm_roll",
                "elbow_flex",
                "forearm_roll",
                "wrist_flex",
                "wrist_roll",
            )
        ),
        ("torso_lift_joint",),
        0.72,
        {
            f"{side}_{name}_joint": sign * angle
            for side, mirrored in (("l", 1), ("r", -1))
            for name, angle, sign in (
                ("shoulder_pan", 0.8, mirrored),
                ("shoulder_lift", 1.0, 1),
                ("elbow_flex", -2.0, 1),
                ("upper_arm_roll", 1.2, mirrored),
                ("wrist_flex", -0.6, 1),
            )
        },
        ("l_", "r_"),
    ),
}
