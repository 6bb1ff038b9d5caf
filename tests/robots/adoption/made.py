"""Robots made for a test, and proposals that the tests share, made once."""

from __future__ import annotations

import functools
from pathlib import Path

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.base.tables import read_table
from taskmatrix.robots.adoption.anatomy.reading import read_tree
from taskmatrix.robots.adoption.anatomy.tree import Tree
from taskmatrix.robots.adoption.proposal import Proposal, propose
from taskmatrix.robots.loading.loader import find_adapter
from taskmatrix.robots.loading.urdf import find_urdf

NAMES = ("asimo", "bandit", "mannequin", "talos")
LINK = '<link name="{0}"><collision>{2}<geometry><box size="{1}"/></geometry></collision></link>'
JOINT = (
    '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/><origin xyz="{4}"/>'
    '<axis xyz="{5}"/><limit lower="{6}" upper="{7}" velocity="1" effort="1"/></joint>'
)


def link(name: str, size: str = "0.04 0.04 0.04", at: str = "0 0 0") -> str:
    """A link with a box."""
    return LINK.format(name, size, f'<origin xyz="{at}"/>')


def joint(name: str, kind: str, ends: str, at: str, axis: str, limits: str = "-1 1") -> str:
    """A joint between two links."""
    return JOINT.format(name, kind, *ends.split(), at, axis, *limits.split())


def robot(*parts: str) -> str:
    """A URDF."""
    return f'<robot name="made">{"".join(parts)}</robot>'


def plain_arm(fingers: bool = True) -> str:
    """An arm of five joints on a plate, with a parallel gripper or without."""
    parts = [link("plate", "0.2 0.2 0.02"), link("hip", "0.06 0.06 0.1"), link("palm", "0.06 0.1 0.04", "0 0 0.05")]
    parts += [link("upper", "0.05 0.05 0.24", "0 0 0.15"), link("lower", "0.05 0.05 0.24", "0 0 0.15"), link("wrist")]
    parts += [
        joint("turn", "revolute", "plate hip", "0 0 0.08", "0 0 1"),
        joint("lift", "revolute", "hip upper", "0 0 0.06", "0 1 0"),
        joint("bow", "revolute", "upper lower", "0 0 0.3", "0 1 0", "0 2"),
        joint("nod", "revolute", "lower wrist", "0 0 0.3", "0 1 0"),
        joint("roll", "revolute", "wrist palm", "0 0 0.02", "0 0 1"),
    ]
    if fingers:
        parts += [link("one", "0.02 0.01 0.06", "0 0.005 0"), link("two", "0.02 0.01 0.06", "0 -0.005 0")]
        parts.append(joint("open", "prismatic", "palm one", "0 0 0.11", "0 1 0", "0 0.04"))
        mimic = joint("follow", "prismatic", "palm two", "0 0 0.11", "0 -1 0", "0 0.04")
        parts.append(mimic.replace("</joint>", '<mimic joint="open"/></joint>'))
    return robot(*parts)


def thumbed_arm(side: int = -1) -> str:
    """An arm with a hand of three fingers and a thumb beside them, which opposes them when its first joint turns."""
    parts = [plain_arm(fingers=False).removesuffix("</robot>")]
    for name, y in (("index", -0.03), ("middle", 0.0), ("ring", 0.03)):
        parts += [link(f"{name}_1", "0.016 0.016 0.04", "0 0 0.02"), link(f"{name}_2", "0.016 0.016 0.04", "0 0 0.02")]
        parts.append(joint(f"{name}_bend", "revolute", f"palm {name}_1", f"0 {y} 0.08", "0 1 0", "0 1.6"))
        parts.append(joint(f"{name}_curl", "revolute", f"{name}_1 {name}_2", "0 0 0.045", "0 1 0", "0 1.6"))
    parts += [
        link("thumb_0", "0.016 0.03 0.016", f"0 {0.035 * side} 0"),
        link("thumb_1", "0.016 0.016 0.07", "0 0 0.04"),
    ]
    turn = "0 1.57" if side < 0 else "-1.57 0"
    parts.append(joint("thumb_turn", "revolute", "palm thumb_0", f"0 {0.04 * side} 0.08", "0 0 1", turn))
    out = f"{-side} 0 0"
    parts.append(joint("thumb_bend", "revolute", "thumb_0 thumb_1", f"0 {0.06 * side} 0", out, "-1.2 0"))
    return "".join(parts) + "</robot>"


def cart() -> str:
    """A cart on two wheels, with a short column that looks with a camera to its left side: along its root's y."""
    parts = [link("cart", "0.4 0.4 0.1"), link("mast", "0.05 0.05 0.4", "0 0 0.2"), link("head", "0.1 0.1 0.1")]
    parts += [link("front_wheel", "0.1 0.02 0.1"), link("back_wheel", "0.1 0.02 0.1"), '<link name="camera_link"/>']
    for name, x in (("front", 0.2), ("back", -0.2)):
        text = joint(name, "continuous", f"cart {name}_wheel", f"{x} 0 -0.05", "1 0 0")
        parts.append(text.replace('lower="-1" upper="1" ', ""))
    parts.append(joint("rise", "prismatic", "cart mast", "0 0 0.05", "0 0 1", "0 0.3"))
    parts.append(joint("neck", "revolute", "mast head", "0 0 0.5", "0 0 1"))
    parts.append(
        '<joint name="mount" type="fixed"><parent link="head"/><child link="camera_link"/>'
        '<origin xyz="0 0.05 0" rpy="0 0 1.5708"/></joint>'
    )
    return robot(*parts)


def biped(feet: int = 1, waist: bool = False) -> str:
    """A trunk on two legs of six joints, whose soles have one box or two; with a waist, the root is above it."""
    parts = [link("trunk", "0.2 0.3 0.3", "0 0 0.2"), link("pelvis", "0.16 0.16 0.08")]
    kind = "revolute" if waist else "fixed"
    root, first = ("trunk pelvis", "0 0 0") if waist else ("pelvis trunk", "0 0 0.05")
    parts.append(joint("waist", kind, root, first, "0 0 1"))
    for side, y in (("left", 0.12), ("right", -0.12)):
        before = "pelvis"
        axes = ("0 0 1", "1 0 0", "0 1 0", "0 1 0", "0 1 0", "1 0 0")
        for name, axis in zip(("hip_yaw", "hip_roll", "thigh", "shin", "ankle", "foot"), axes, strict=True):
            after, long = f"{side}_{name}", name in {"thigh", "shin"}
            at = {"hip_yaw": f"0 {y} 0", "shin": "0 0 -0.3", "ankle": "0 0 -0.3"}.get(name, "0 0 0")
            if name == "foot":
                parts.append(f'<link name="{after}"/>')
                for part in range(feet):
                    sole = f"{after}_{part}"
                    parts += [
                        link(sole, "0.1 0.08 0.02", f"{0.11 * part - 0.03} 0 -0.06"),
                        joint(f"{sole}_weld", "fixed", f"{after} {sole}", "0 0 0", "0 0 1"),
                    ]
            elif long:
                parts.append(link(after, "0.06 0.06 0.2", "0 0 -0.15"))
            else:
                parts.append(f'<link name="{after}"/>')
            parts.append(joint(f"{after}_joint", "revolute", f"{before} {after}", at, axis, "-1.5 1.5"))
            before = after
    for side, y in (("left", 0.25), ("right", -0.25)):
        before = "trunk"
        for name, axis, at in (
            ("upper", "0 1 0", f"0 {y} 0.3"),
            ("elbow", "0 1 0", "0 0 -0.25"),
            ("wrist", "0 0 1", "0 0 -0.2"),
        ):
            after = f"{side}_{name}"
            parts.append(link(after, "0.05 0.05 0.15", "0 0 -0.1"))
            parts.append(joint(f"{after}_joint", "revolute", f"{before} {after}", at, axis, "-2 2"))
            before = after
    return robot(*parts)


@functools.cache
def tree_of(name: str) -> Tree:
    """The tree of a robot that comes with the library."""
    return read_tree(urdf_of(name))


@functools.cache
def proposal_of(name: str) -> Proposal:
    """What is proposed for a robot that comes with the library, from its URDF alone."""
    return propose(urdf_of(name))


def urdf_of(name: str) -> Path:
    """The URDF of a robot that comes with the library."""
    return find_urdf(read_table(find_adapter(name), RobotError).table("model"))
