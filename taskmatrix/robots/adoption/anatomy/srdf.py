"""What an SRDF adds: groups of joints and named states."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element

from taskmatrix.core.base.errors import RobotError, not_found
from taskmatrix.core.base.files import shortened

from ...loading.urdf import read_xml
from .notes import Note
from .tree import ROOT, Tree

_LARGEST = 1000.0  # [rad] or [m] that a joint can be anywhere
_TOLD = 6  # of what an SRDF names and the URDF has not


@dataclass(frozen=True)
class Semantics:
    """An SRDF as far as a proposal uses it."""

    groups: Mapping[str, frozenset[str]]
    """Active joints by group."""
    states: Mapping[str, Mapping[str, float]]
    """[rad] or [m] By name of the state and joint, all groups with that state together."""
    notes: tuple[Note, ...] = ()
    """What it names and the URDF has not: SRDFs are often those of a sister robot."""
    disabled: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Reason by pair of links, in alphabetical order, whose contact it does not count."""


def read_srdf(path: Path, tree: Tree) -> Semantics:
    """Read an SRDF; what it says of links and joints that the URDF does not have is passed over, and told.

    Raises:
        RobotError: It cannot be read, is not an SRDF, or contradicts itself or the tree of the URDF.
    """
    try:
        root = read_xml(path, "an SRDF")
    except OSError as error:
        raise RobotError(f"{path}: {error.strerror or error}") from error
    if root.tag != "robot":
        raise RobotError(f"{path}: the outermost element is <{shortened(root.tag)}>, an SRDF has <robot>")
    return _Reader(path, root, tree).read()


class _Reader:
    """Reads the groups and the states of one SRDF file."""

    def __init__(self, path: Path, root: Element, tree: Tree) -> None:
        self._path, self._root, self._tree = path, root, tree
        self._links = {joint.links[1]: joint.name for joint in tree.joints.values()}
        elements = list(tree.description.root.iter("joint"))
        self._joints = [name for element in elements if (name := element.get("name"))]
        self._virtual = {element.get("name", "") for element in root.findall("virtual_joint")}
        self._groups: dict[str, Element] = {}
        self._unknown: dict[str, None] = {}

    def read(self) -> Semantics:
        """Read groups of joints and named states."""
        for element in self._root.findall("group"):
            name = self._named(element, "a <group>")
            if name in self._groups:
                raise self._error(f"there are two groups '{name}'; names must be unique")
            self._groups[name] = element
        groups = {name: frozenset(self._members(name, ())) for name in self._groups}
        states: dict[str, dict[str, float]] = {}
        for element in self._root.findall("group_state"):
            name = self._named(element, "a <group_state>")
            states.setdefault(name, {}).update(self._state(name, element))
        told = [*self._unknown][:_TOLD]
        more = [f"and {len(self._unknown) - _TOLD} more such"] * (len(self._unknown) > _TOLD)
        notes = tuple(Note("unsure", "chains", f"the SRDF, {text}") for text in (*told, *more))
        used = {n: s for n, s in states.items() if s}
        return Semantics({n: g for n, g in groups.items() if g}, used, notes, dict(self._disabled()))

    def _disabled(self) -> Iterator[tuple[tuple[str, str], str]]:
        """Pairs of links of the URDF that are not checked against each other, with the reason."""
        for element in self._root.findall("disable_collisions"):
            pair = sorted(element.get(key, "") for key in ("link1", "link2"))
            if pair[0] != pair[1] and all(link in self._tree.frames for link in pair):
                yield (pair[0], pair[1]), element.get("reason", "").lower()

    def _error(self, problem: str) -> RobotError:
        return RobotError(f"{self._path}: {problem}")

    def _named(self, element: Element, what: str) -> str:
        name = element.get("name", "").strip()
        if not name:
            raise self._error(f"{what} has no name")
        return name

    def _known(self, where: str, what: str, name: str, names: list[str]) -> bool:
        """Whether there is one; if not, that is told in the end."""
        if name not in names and name not in self._virtual:
            self._unknown[f"{where}: {not_found(what, name, names).partition(' There are:')[0]}"] = None
        return name in names

    def _members(self, name: str, above: tuple[str, ...]) -> Iterator[str]:
        """Active joints of a group and of the groups in it."""
        if name in above:
            circle = " -> ".join((*above[above.index(name) :], name))
            raise self._error(f"these groups contain each other: {circle}")
        where = f"group '{name}'"
        active = set(self._tree.active[3:])
        for element in self._groups[name]:
            if element.tag == "chain":
                yield from self._chain(where, element)
            elif element.tag in ("group", "joint", "link"):
                inner = self._named(element, f"{where}: a <{element.tag}>")
                if element.tag == "group":
                    if self._known(where, "group", inner, list(self._groups)):
                        yield from self._members(inner, (*above, name))
                elif element.tag == "joint":
                    if self._known(where, "joint", inner, self._joints) and inner in active:
                        yield inner
                elif self._known(where, "link", inner, list(self._tree.frames)) and self._links.get(inner) in active:
                    yield self._links[inner]

    def _chain(self, where: str, element: Element) -> Iterator[str]:
        """Active joints between two links."""
        ends = [element.get(key, "") for key in ("base_link", "tip_link")]
        for key, end in zip(("base_link", "tip_link"), ends, strict=True):
            if not end:
                raise self._error(f"{where}: a <chain> without {key}")
        if not all(self._known(where, "link", end, list(self._tree.frames)) for end in ends):
            return
        tree = self._tree
        start, path = tree.body_of(ends[0]), tree.path(tree.body_of(ends[1]))
        if start not in (ROOT, *path):
            raise self._error(f"{where}: there is no chain from '{ends[0]}' to '{ends[1]}', which it does not carry")
        for body in path[path.index(start) + 1 if start in path else 0 :]:
            if tree.joints[body].name in tree.active:
                yield tree.joints[body].name

    def _state(self, name: str, element: Element) -> Iterator[tuple[str, float]]:
        """Positions of a named state, by joint."""
        where = f"group_state '{name}'"
        self._known(where, "group", element.get("group", ""), list(self._groups))
        for tag in element.findall("joint"):
            joint, text = self._named(tag, f"{where}: a <joint>"), tag.get("value", "")
            if not self._known(where, "joint", joint, self._joints):
                continue
            try:
                value = float(text)
            except ValueError:
                shown = text if len(text) < 40 else f"{text[:40]}..."
                raise self._error(f"{where}: joint '{joint}': value=\"{shown}\" is not a number") from None
            if not math.isfinite(value) or abs(value) > _LARGEST:
                raise self._error(f"{where}: joint '{joint}': value is beyond {_LARGEST:.0f}")
            if joint in self._tree.active[3:]:
                yield joint, value


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
