"""What an SRDF adds: groups of joints and named states."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from taskmatrix.core.errors import RobotError

from .notes import Note
from .tree import Tree


@dataclass(frozen=True)
class Semantics:
    """An SRDF as far as a proposal uses it."""

    groups: Mapping[str, frozenset[str]]
    """Active joints by group."""
    states: Mapping[str, Mapping[str, float]]
    """[rad] or [m] By name of the state and joint, all groups with that state together."""


def read_srdf(path: Path, tree: Tree) -> Semantics:
    """Read an SRDF; what it says of links and joints that the URDF does not have is passed over.

    Raises:
        RobotError: It cannot be read, or is not an SRDF.
    """
    try:
        root = ET.parse(path).getroot()  # noqa: S314  # the user's own robot, as trusted as its URDF
    except OSError as error:
        raise RobotError(f"{path}: {error.strerror or error}") from error
    except ET.ParseError as error:
        raise RobotError(f"{path}: not well-formed XML: {error}") from error
    if root.tag != "robot":
        raise RobotError(f"{path}: the outermost element is <{root.tag}>, an SRDF has <robot>")
    elements = {e.get("name", ""): e for e in root.findall("group")}
    groups = {name: frozenset(_joints(name, elements, tree, ())) for name in elements}
    states: dict[str, dict[str, float]] = {}
    for element in root.findall("group_state"):
        state = states.setdefault(element.get("name", ""), {})
        for joint in element.findall("joint"):
            name, text = joint.get("name", ""), joint.get("value", "")
            try:
                value = float(text)
            except ValueError:
                continue  # poses of free-flying bases have several numbers
            if name in tree.active[3:]:
                state[name] = value
    return Semantics({n: g for n, g in groups.items() if g}, {n: s for n, s in states.items() if n and s})


def _joints(name: str, groups: Mapping[str, ET.Element], tree: Tree, above: tuple[str, ...]) -> Iterator[str]:
    """Active joints of a group and of the groups in it."""
    if name in above or name not in groups:
        return
    links = {joint.links[1]: joint for joint in tree.joints.values()}
    for element in groups[name]:
        inner = element.get("name", "")
        if element.tag == "group":
            yield from _joints(inner, groups, tree, (*above, name))
        elif element.tag == "joint" and inner in tree.active[3:]:
            yield inner
        elif element.tag == "link" and inner in links and links[inner].name in tree.active[3:]:
            yield links[inner].name
        elif element.tag == "chain":
            ends = [element.get(key, "") for key in ("base_link", "tip_link")]
            if all(end in tree.frames for end in ends):
                start = set(tree.path(tree.body_of(ends[0])))
                for body in tree.path(tree.body_of(ends[1])):
                    if body not in start and tree.joints[body].name in tree.active:
                        yield tree.joints[body].name


def compare(semantics: Semantics, chains: Mapping[str, tuple[str, ...]]) -> Iterator[Note]:
    """Where the SRDF's groups agree with proposed chains, and where they do not."""
    for chain, joints in chains.items():
        ours = frozenset(joints)
        same = [name for name, group in semantics.groups.items() if group == ours]
        if same:
            yield Note("found", "chains", f"{chain} is the SRDF's group '{same[0]}'")
            continue
        near = {name: len(ours & group) / len(ours | group) for name, group in semantics.groups.items()}
        best = max(near, key=lambda name: near[name], default="")
        if best and near[best] > 0.6:
            more, less = sorted(semantics.groups[best] - ours), sorted(ours - semantics.groups[best])
            told = [f"has {', '.join(more)} too"] * bool(more) + [f"lacks {', '.join(less)}"] * bool(less)
            yield Note("unsure", "chains", f"{chain} is like the SRDF's group '{best}', which {' and '.join(told)}")
