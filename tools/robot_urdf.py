"""From links with bodies to a URDF file and its meshes."""

from __future__ import annotations

import math
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from robot_shapes import Array, Mesh, hull, solid, write_obj

Color = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Part:
    """One piece of a link's body."""

    mesh: Mesh
    """In the link's frame."""
    color: str
    """Key of the robot's colours."""
    piece: int = 0
    """Pieces of a link with the same number share one convex collision body; -1: only seen."""


@dataclass(frozen=True, eq=False)
class Joint:
    """What carries a link."""

    name: str
    """Joint name."""
    parent: str
    """Parent link."""
    xyz: Sequence[float]
    """[m] Origin in the parent link's frame."""
    axis: Sequence[float]
    """Unit vector."""
    lower: float = 0.0
    """[rad]"""
    upper: float = 0.0
    """[rad]"""
    effort: float = 50.0
    """[N m]"""
    velocity: float = 3.0
    """[rad/s]"""
    kind: str = "revolute"
    """``revolute``, ``continuous`` or ``fixed``."""
    rpy: Sequence[float] = (0.0, 0.0, 0.0)
    """[rad] Turn of the link at zero."""
    mimic: tuple[str, float] | None = None
    """Joint that it follows, and the ratio."""


@dataclass(frozen=True, eq=False)
class Link:
    """One link."""

    name: str
    """Link name."""
    parts: Sequence[Part]
    """Body; empty for a link that only carries joints."""
    mass: float
    """[kg]"""
    joint: Joint | None = None
    """What carries it; ``None`` for the root."""
    meshes: str = ""
    """Name of its mesh files when another link has the same body; empty: the link's own name."""


@dataclass(frozen=True, eq=False)
class Machine:
    """A whole robot."""

    name: str
    """Its folder."""
    comment: str
    """Stands at the head of the URDF."""
    colors: Mapping[str, Color]
    """Name to red, green, blue."""
    links: list[Link] = field(default_factory=list)
    """Links, parents first."""

    def write(self, folder: Path) -> None:
        """Write ``<name>.urdf`` and ``meshes/`` into ``folder``."""
        meshes = folder / "meshes"
        shutil.rmtree(meshes, ignore_errors=True)
        meshes.mkdir(parents=True)
        lines = ['<?xml version="1.0"?>', f"<!--\n{self.comment.strip()}\n-->", f'<robot name="{self.name}">']
        for name, rgb in self.colors.items():
            rgba = " ".join(f"{v:g}" for v in rgb)
            lines.append(f'  <material name="{name}"><color rgba="{rgba} 1"/></material>')
        for link in self.links:
            lines += _link(link, meshes)
            if link.joint is not None:
                lines += _joint(link.joint, link.name)
        lines.append("</robot>")
        (folder / f"{self.name}.urdf").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _link(link: Link, folder: Path) -> list[str]:
    stem = link.meshes or link.name
    lines = [f'  <link name="{link.name}">']
    pieces = sorted({part.piece for part in link.parts if part.piece >= 0})
    shells = [hull([part.mesh for part in link.parts if part.piece == piece]) for piece in pieces]
    if shells:
        center, inertia = solid(shells, link.mass)
    else:
        center, inertia = np.zeros(3), 4e-4 * link.mass * np.eye(3)  # a ball of 32 mm radius
    lines += [
        "    <inertial>",
        f'      <origin xyz="{_list(center)}"/>',
        f'      <mass value="{link.mass:g}"/>',
        "      <inertia "
        + " ".join(f'i{a}{b}="{inertia[i][j]:.7g}"' for i, a in enumerate("xyz") for j, b in enumerate("xyz") if j >= i)
        + "/>",
        "    </inertial>",
    ]
    for color in dict.fromkeys(part.color for part in link.parts):
        file = f"{stem}_{color}.obj"
        write_obj(folder / file, [part.mesh for part in link.parts if part.color == color], smooth=True)
        lines += [
            f'    <visual><geometry><mesh filename="meshes/{file}"/></geometry><material name="{color}"/></visual>',
        ]
    for i, shell in enumerate(shells):
        file = f"{stem}_hull{i or ''}.obj"
        write_obj(folder / file, [shell], smooth=False)
        lines.append(f'    <collision><geometry><mesh filename="meshes/{file}"/></geometry></collision>')
    return [*lines, "  </link>"]


def _joint(joint: Joint, child: str) -> list[str]:
    rpy = f' rpy="{_list(joint.rpy)}"' if any(joint.rpy) else ""
    lines = [
        f'  <joint name="{joint.name}" type="{joint.kind}">',
        f'    <origin xyz="{_list(joint.xyz)}"{rpy}/>',
        f'    <parent link="{joint.parent}"/>',
        f'    <child link="{child}"/>',
    ]
    if joint.kind != "fixed":
        lines.append(f'    <axis xyz="{_list(joint.axis)}"/>')
        limits = "" if joint.kind == "continuous" else f'lower="{joint.lower:g}" upper="{joint.upper:g}" '
        lines.append(f'    <limit {limits}effort="{joint.effort:g}" velocity="{joint.velocity:g}"/>')
    if joint.mimic is not None:
        lines.append(f'    <mimic joint="{joint.mimic[0]}" multiplier="{joint.mimic[1]:g}"/>')
    return [*lines, "  </joint>"]


def _list(values: Sequence[float] | Array) -> str:
    return " ".join(f"{0.0 if math.isclose(v, 0.0, abs_tol=1e-12) else v:.6g}" for v in values)
