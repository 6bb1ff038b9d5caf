"""What the wild does to a URDF, done to one on purpose: each function changes a robot in one way that is often met."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

LANGUAGES: Mapping[str, Mapping[str, str]] = {
    "german": {
        "left": "links", "right": "rechts", "shoulder": "schulter", "elbow": "ellbogen", "wrist": "handgelenk",
        "finger": "greifer", "fingers": "greifer", "thumb": "daumen", "hip": "huefte", "knee": "knie",
        "ankle": "knoechel", "foot": "fuss", "head": "kopf", "neck": "hals", "torso": "rumpf", "chest": "brust",
        "waist": "taille", "pelvis": "becken", "upper": "ober", "shin": "schienbein", "thigh": "schenkel",
        "wheel": "rad", "camera": "kamera", "roll": "rollen", "pitch": "nicken", "yaw": "gieren", "leg": "bein",
        "index": "zeige", "middle": "mittel", "palm": "teller", "hand": "pranke",
    },
    "italian": {
        "left": "sinistro", "right": "destro", "shoulder": "spalla", "elbow": "gomito", "wrist": "polso",
        "finger": "dito", "fingers": "dita", "thumb": "pollice", "hip": "anca", "knee": "ginocchio",
        "ankle": "caviglia", "foot": "piede", "head": "testa", "neck": "collo", "torso": "tronco", "chest": "petto",
        "waist": "vita", "pelvis": "bacino", "arm": "braccio", "hand": "mano", "leg": "gamba", "wheel": "ruota",
        "shin": "tibia", "thigh": "coscia", "body": "corpo", "index": "indice", "middle": "medio",
    },
    "japanese": {
        "left": "hidari", "right": "migi", "shoulder": "kata", "elbow": "hiji", "wrist": "tekubi",
        "finger": "yubi", "fingers": "yubi", "thumb": "oyayubi", "hip": "koshi", "knee": "hiza",
        "ankle": "ashikubi", "foot": "ashi", "head": "atama", "neck": "kubi", "torso": "dou", "chest": "mune",
        "waist": "youbu", "pelvis": "kotsuban", "arm": "ude", "hand": "te", "leg": "kyaku", "wheel": "sharin",
        "body": "karada", "index": "hitosashi", "middle": "naka", "base": "dai", "gripper": "tsukami",
    },
}  # fmt: skip


@dataclass
class Mutant:
    """A URDF that is being changed, and what becomes of the names in it."""

    root: ET.Element
    """The URDF; its meshes are relative to the folder."""
    folder: Path
    """Where it will be."""
    robot: Robot
    """As a person described it."""
    random: Random
    """For what is drawn."""
    links: dict[str, str] = field(default_factory=dict)
    """New names of links by old ones, where they changed."""
    joints: dict[str, str] = field(default_factory=dict)
    """New names of joints by old ones, where they changed; a follower that leads now is one for its leader."""
    floor: dict[str, list[str]] = field(default_factory=dict)
    """What stands on the floor instead of a link."""
    reframed: set[str] = field(default_factory=set)
    """Links whose frame is elsewhere now, by their old names."""

    def link(self, name: str) -> ET.Element:
        """A link by its name."""
        return next(link for link in self.root.findall("link") if link.get("name") == name)

    def below(self, joint: str) -> set[str]:
        """Links that a joint carries."""
        found: set[str] = set()
        ways = [_end(_joint(self.root, joint), "child")]
        while ways:
            found.add(ways[-1])
            here = ways.pop()
            ways += [_end(j, "child") for j in self.root.findall("joint") if _end(j, "parent") == here]
        return found

    def carried(self, *kinds: str) -> set[str]:
        """Links that the first joints of some kinds of chains carry: of ``arm``, ``leg``, ``head``, ``hand``."""
        chains = [chain for chain in self.robot.chains if chain.rpartition("_")[2] in kinds]
        return set().union(*(self.below(self.robot.joints[self.robot.chains[chain][0]]) for chain in chains))

    def attach(self, parent: str, name: str, at: str, kind: str = "fixed", rpy: str = "0 0 0", box: str = "") -> None:
        """Add a link with its joint; with a drawn and solid box if asked for."""
        link = ET.SubElement(self.root, "link", name=name)
        for tag in ("visual", "collision") if box else ():
            ET.SubElement(ET.SubElement(ET.SubElement(link, tag), "geometry"), "box", size=box)
        joint = ET.SubElement(self.root, "joint", name=f"{name}_joint", type=kind)
        ET.SubElement(joint, "origin", xyz=at, rpy=rpy)
        ET.SubElement(joint, "parent", link=parent)
        ET.SubElement(joint, "child", link=name)
        if kind != "fixed":
            ET.SubElement(joint, "axis", xyz="0 0 1")
            ends = {} if kind == "continuous" else {"lower": "-0.7", "upper": "0.7"}
            ET.SubElement(joint, "limit", {"effort": "1", "velocity": "1", **ends})


def bare(mutant: Mutant) -> None:
    """No link has a collision body."""
    for link in mutant.root.findall("link"):
        _clear(link)


def bare_limbs(mutant: Mutant) -> None:
    """Arms and head have no collision bodies."""
    for name in mutant.carried("arm", "head"):
        _clear(mutant.link(name))


def boxes(mutant: Mutant) -> None:
    """Boxes collide in place of meshes."""
    _plain(mutant, lambda size: ("box", {"size": _text(size)}, np.eye(3)))


def capsules(mutant: Mutant) -> None:
    """Capsules collide in place of meshes."""

    def made(size: Array) -> tuple[str, dict[str, str], Array]:
        i = int(np.argmax(size))
        radius = 0.5 * float(np.max(np.delete(size, i)))
        R = pin.rpy.rpyToMatrix(np.array([[0.0, np.pi / 2, 0.0], [np.pi / 2, 0.0, 0.0], [0.0, 0.0, 0.0]][i]))
        return "capsule", {"radius": repr(radius), "length": repr(max(float(size[i]) - 2.0 * radius, 1e-3))}, R

    _plain(mutant, made, but=mutant.carried("hand") | set(mutant.robot.floor_links))


def waist(mutant: Mutant) -> None:
    """The link that carries the arms is the root."""
    arm = next(chain for chain in mutant.robot.chains if chain.endswith("arm"))
    link = _end(_joint(mutant.root, mutant.robot.joints[mutant.robot.chains[arm][0]]), "parent")
    parents = {_end(joint, "child"): joint for joint in mutant.root.findall("joint")}
    path = []
    while link in parents:
        path.append(parents[link])
        link = _end(parents[link], "parent")
    inner = pin.SE3.Identity()  # from the new frame of the joint's child to its old one
    for joint in path:
        X = _origin(joint)
        parent, child = _the(joint, "parent"), _the(joint, "child")
        first, second = _end(joint, "parent"), _end(joint, "child")
        _place(joint, inner)
        parent.set("link", second)
        child.set("link", first)
        if joint.get("type") != "fixed":
            axis = _the(joint, "axis")
            axis.set("xyz", _text(-np.array(axis.get("xyz", "1 0 0").split(), dtype=float)))
        inner = X.inverse()
        for part in mutant.link(first):
            if part.tag in {"visual", "collision", "inertial"}:
                _place(part, inner * _origin(part))
        for other in mutant.root.findall("joint"):
            if other not in path and _end(other, "parent") == first:
                _place(other, inner * _origin(other))
        mutant.reframed.add(first)


def translated(language: str) -> Callable[[Mutant], None]:
    """All words are those of another language."""
    words = LANGUAGES[language]

    def rename(mutant: Mutant) -> None:
        def say(name: str) -> str:
            return re.sub(r"[a-z]+", lambda word: words.get(word[0], word[0]), name.lower())

        _rename(mutant, say, say)

    rename.__doc__ = f"Names are {language.capitalize()}."
    return rename


def numbered(mutant: Mutant) -> None:
    """Names are numbers, in no order."""
    links, joints = ([e.get("name") for e in mutant.root.findall(tag)] for tag in ("link", "joint"))
    mutant.random.shuffle(links)
    mutant.random.shuffle(joints)
    _rename(mutant, lambda name: f"part{links.index(name):03}", lambda name: f"axis{joints.index(name):03}")


def shuffled(mutant: Mutant) -> None:
    """Links and joints stand in another order."""
    parts = list(mutant.root)
    for part in parts:
        mutant.root.remove(part)
    mutant.random.shuffle(parts)
    mutant.root.extend(parts)


def axes(mutant: Mutant) -> None:
    """Half of the joints turn the other way."""
    names = [joint.get("name", "") for joint in mutant.root.findall("joint") if joint.get("type") != "fixed"]
    turned = {name for name in names if mutant.random.random() < 0.5}
    for joint in mutant.root.findall("joint"):
        name, mimic = joint.get("name"), joint.find("mimic")
        if name in turned:
            axis = _the(joint, "axis")
            axis.set("xyz", _text(-np.array(axis.get("xyz", "1 0 0").split(), dtype=float)))
            limit = joint.find("limit")
            if limit is not None and limit.get("lower") is not None:
                lower, upper = float(limit.get("lower", 0)), float(limit.get("upper", 0))
                limit.set("lower", repr(-upper + 0.0))
                limit.set("upper", repr(-lower + 0.0))
        if mimic is not None:
            ratio, offset = float(mimic.get("multiplier", 1.0)), float(mimic.get("offset", 0.0))
            sign = -1.0 if name in turned else 1.0
            mimic.set("multiplier", repr(ratio * sign * (-1.0 if mimic.get("joint") in turned else 1.0)))
            mimic.set("offset", repr(sign * offset + 0.0))


def thumbs(mutant: Mutant) -> None:
    """What comes last in a hand comes first, and what follows there leads."""
    joints = mutant.root.findall("joint")
    hands = {name for hand in mutant.robot.hands.values() if hand.fingers for name in _within(mutant, hand.fingers)}
    own = [joint for joint in joints if joint.get("name") in hands]
    for joint in own:
        mutant.root.remove(joint)
    mutant.root.extend(reversed(own))
    followers: dict[str, list[ET.Element]] = {}
    for joint in own:
        if joint.find("mimic") is not None:
            followers.setdefault(_the(joint, "mimic").get("joint", ""), []).append(joint)
    for leader, following in followers.items():
        first = following[-1]
        tag = _the(first, "mimic")
        ratio, offset = float(tag.get("multiplier", 1.0)), float(tag.get("offset", 0.0))
        first.remove(tag)
        ET.SubElement(
            _joint(mutant.root, leader), "mimic", joint=first.get("name", ""), multiplier=repr(1.0 / ratio),
            offset=repr(-offset / ratio + 0.0),
        )  # fmt: skip
        for other in following[:-1]:
            tag = _the(other, "mimic")
            own_ratio, own_offset = float(tag.get("multiplier", 1.0)), float(tag.get("offset", 0.0))
            tag.set("joint", first.get("name", ""))
            tag.set("multiplier", repr(own_ratio / ratio))
            tag.set("offset", repr(own_offset - own_ratio * offset / ratio + 0.0))
        mutant.joints[leader] = first.get("name", "")


def unlimited(mutant: Mutant) -> None:
    """Every limit of arms, legs and head is -1, as some exporters write what they do not know."""
    wanted = ("arm", "leg", "legs", "head", "torso")
    chains = [chain for chain in mutant.robot.chains if chain.rpartition("_")[2] in wanted]
    names = {mutant.robot.joints[i] for chain in chains for i in mutant.robot.chains[chain]}
    for joint in mutant.root.findall("joint"):
        if joint.get("name") in names and joint.get("type") == "revolute":
            for key in ("lower", "upper", "effort", "velocity"):
                _the(joint, "limit").set(key, "-1")


def soles(mutant: Mutant) -> None:
    """Each foot has three soles, welded to it: two in front, and a heel."""
    for foot in mutant.robot.floor_links:
        link = mutant.link(foot)
        low, high = _extent(mutant, link)
        _clear(link)
        length, width = high[0] - low[0], high[1] - low[1]
        thick = max(0.3 * (high[2] - low[2]), 0.004)
        middle = 0.5 * (low + high)
        for name, (x, y), (dx, dy) in (
            ("heel", (low[0] + 0.2 * length, middle[1]), (0.4 * length, 0.8 * width)),
            ("inner", (high[0] - 0.25 * length, middle[1] + 0.25 * width), (0.5 * length, 0.4 * width)),
            ("outer", (high[0] - 0.25 * length, middle[1] - 0.25 * width), (0.5 * length, 0.4 * width)),
        ):
            sole = f"{foot}_{name}"
            mutant.attach(foot, sole, f"{x} {y} {low[2] + thick / 2}", box=f"{dx} {dy} {thick}")
            mutant.floor.setdefault(foot, []).append(sole)


def frames(mutant: Mutant) -> None:
    """Empty links are welded to everything, some between a joint and its parent."""
    for link in [link.get("name", "") for link in mutant.root.findall("link")]:
        if mutant.random.random() < 0.5:
            mutant.attach(link, f"{link}_frame", _text(np.array([0.02, 0.0, 0.03])), rpy="0 1.5707963 0.3")
    for joint in mutant.root.findall("joint"):
        if joint.get("type") != "fixed" and mutant.random.random() < 0.5:
            parent, between = _the(joint, "parent"), f"{joint.get('name')}_mount"
            mutant.attach(_end(joint, "parent"), between, _the(joint, "origin").get("xyz", "0 0 0"))
            _the(joint, "origin").set("xyz", "0 0 0")
            parent.set("link", between)


def sensors(mutant: Mutant) -> None:
    """A lidar that spins on the head or chest, a microphone on a hinge at the back, and a sensor on each wrist."""
    top = next(chain for chain in ("head", "torso", "left_arm") if chain in mutant.robot.chains)
    joint = _joint(mutant.root, mutant.robot.joints[mutant.robot.chains[top][-1]])
    carrier = _end(joint, "parent" if top == "left_arm" else "child")
    low, high = _extent(mutant, mutant.link(carrier))
    size = 0.2 * float(high[2] - low[2])
    mutant.attach(
        carrier, "scanner", f"{0.5 * (low[0] + high[0])} 0 {high[2] + size / 2}", "continuous",
        box=f"{size} {size} {size}",
    )  # fmt: skip
    trunk = _end(_joint(mutant.root, mutant.robot.joints[mutant.robot.chains["left_arm"][0]]), "parent")
    low, high = _extent(mutant, mutant.link(trunk))
    mutant.attach(
        trunk, "microphone", f"{low[0] - 0.02} 0 {0.5 * (low[2] + high[2])}", "revolute", box="0.02 0.02 0.02"
    )
    for hand in mutant.robot.hands.values():
        wrist = _end(_joint(mutant.root, mutant.robot.joints[mutant.robot.chains[hand.arm][-1]]), "parent")
        mutant.attach(wrist, f"{hand.arm}_ft_sensor", "0 0 0", "revolute")
        _the(mutant.root.findall("joint")[-1], "limit").attrib.update(lower="-0.0001", upper="0.0001")


def footprint(mutant: Mutant) -> None:
    """The root is a frame on the floor."""
    root = _root(mutant.root)
    ET.SubElement(mutant.root, "link", name="base_footprint")
    joint = ET.SubElement(mutant.root, "joint", name="base_footprint_joint", type="fixed")
    ET.SubElement(joint, "origin", xyz=f"0 0 {mutant.robot.base_height}", rpy="0 0 0")
    ET.SubElement(joint, "parent", link="base_footprint")
    ET.SubElement(joint, "child", link=root)


def turned(mutant: Mutant) -> None:
    """The root looks to its left."""
    root = _root(mutant.root)
    ET.SubElement(mutant.root, "link", name="origin_frame")
    joint = ET.SubElement(mutant.root, "joint", name="origin_frame_joint", type="fixed")
    ET.SubElement(joint, "origin", xyz="0 0 0", rpy="0 0 1.5707963267948966")
    ET.SubElement(joint, "parent", link="origin_frame")
    ET.SubElement(joint, "child", link=root)


def many(mutant: Mutant) -> None:
    """Four of these at once."""
    for change in (frames, axes, translated("italian"), shuffled):
        change(mutant)


def _within(mutant: Mutant, chain: str) -> set[str]:
    """Joints of a hand, with those that follow."""
    leaders = {mutant.robot.joints[i] for i in mutant.robot.chains[chain]}
    return {
        joint.get("name", "")
        for joint in mutant.root.findall("joint")
        if joint.get("name") in leaders
        or (joint.find("mimic") is not None and _the(joint, "mimic").get("joint") in leaders)
    }


def _joint(root: ET.Element, name: str) -> ET.Element:
    return next(joint for joint in root.findall("joint") if joint.get("name") == name)


def _the(element: ET.Element, tag: str) -> ET.Element:
    """A part that has to be there."""
    if (part := element.find(tag)) is None:
        raise LookupError(f"<{element.tag}> '{element.get('name')}' has no <{tag}>")
    return part


def _end(joint: ET.Element, end: str) -> str:
    return _the(joint, end).get("link", "")


def _root(root: ET.Element) -> str:
    children = {_end(joint, "child") for joint in root.findall("joint")}
    return next(link.get("name", "") for link in root.findall("link") if link.get("name") not in children)


def _rename(mutant: Mutant, link: Callable[[str], str], joint: Callable[[str], str]) -> None:
    known: dict[str, dict[str, str]] = {"link": {}, "joint": {}}
    for tag, say in (("link", link), ("joint", joint)):
        for element in mutant.root.findall(tag):
            name, new = element.get("name", ""), say(element.get("name", ""))
            while new in known[tag].values():
                new += "_b"
            known[tag][name] = new
            element.set("name", new)
    for element in mutant.root.findall("joint"):
        for end in ("parent", "child"):
            _the(element, end).set("link", known["link"][_end(element, end)])
        if (mimic := element.find("mimic")) is not None:
            mimic.set("joint", known["joint"][mimic.get("joint", "")])
    mutant.links = {**known["link"], **{old: known["link"][new] for old, new in mutant.links.items()}}
    mutant.joints = {**known["joint"], **{old: known["joint"][new] for old, new in mutant.joints.items()}}


def _clear(link: ET.Element) -> None:
    for body in link.findall("collision"):
        link.remove(body)


def _plain(mutant: Mutant, make: Callable[[Array], tuple[str, dict[str, str], Array]], but: Iterable[str] = ()) -> None:
    """Put a plain shape, of the size of the box around it, in place of each mesh that collides."""
    for link in mutant.root.findall("link"):
        for body in link.findall("collision") if link.get("name", "") not in but else ():
            if (mesh := body.find("geometry/mesh")) is not None:
                low, high = _box(mutant, mesh)
                tag, size, R = make(np.maximum(high - low, 1e-3))
                _place(body, _origin(body) * pin.SE3(R, 0.5 * (low + high)))
                geometry = _the(body, "geometry")
                geometry.remove(mesh)
                ET.SubElement(geometry, tag, size)


def _box(mutant: Mutant, mesh: ET.Element) -> tuple[Array, Array]:
    scale = np.array(mesh.get("scale", "1 1 1").split(), dtype=float)
    points = coal.MeshLoader().load(str(mutant.folder / mesh.get("filename", "")), scale).vertices()
    return points.min(axis=0), points.max(axis=0)


def _extent(mutant: Mutant, link: ET.Element) -> tuple[Array, Array]:
    """(3,) and (3,) [m] Lowest and highest corner of what collides of a link, in the link."""
    corners = []
    for body in link.findall("collision"):
        (shape,) = body.findall("geometry/*")
        if shape.tag == "mesh":
            low, high = _box(mutant, shape)
        elif shape.tag == "box":
            high = 0.5 * np.array(shape.get("size", "").split(), dtype=float)
            low = -high
        else:
            radius = float(shape.get("radius", 0.0))
            high = np.array([radius, radius, 0.5 * float(shape.get("length", 2.0 * radius))])
            low = -high
        ends = np.array([low, high])
        every = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
        X = _origin(body)
        corners.append(every @ X.rotation.T + X.translation)
    points = np.vstack(corners) if corners else np.array([[-0.03] * 3, [0.03] * 3])
    return points.min(axis=0), points.max(axis=0)


def _origin(element: ET.Element) -> pin.SE3:
    origin = element.find("origin")
    xyz, rpy = (
        np.array(("0 0 0" if origin is None else origin.get(key, "0 0 0")).split(), dtype=float)
        for key in ("xyz", "rpy")
    )
    return pin.SE3(pin.rpy.rpyToMatrix(rpy), xyz)


def _place(element: ET.Element, X: pin.SE3) -> None:
    origin = element.find("origin")
    if origin is None:
        origin = ET.Element("origin")
        element.insert(0, origin)
    origin.set("xyz", _text(X.translation))
    origin.set("rpy", _text(pin.rpy.matrixToRpy(X.rotation)))


def _text(values: Array) -> str:
    return " ".join(repr(float(value) + 0.0) for value in values)


MUTATIONS: Mapping[str, Callable[[Mutant], None]] = {
    **{f.__name__: f for f in (bare, bare_limbs, boxes, capsules, waist, numbered, shuffled, axes, thumbs, unlimited)},
    **{f.__name__: f for f in (soles, frames, sensors, footprint, turned, many)},
    **{language: translated(language) for language in LANGUAGES},
}
"""By name."""
