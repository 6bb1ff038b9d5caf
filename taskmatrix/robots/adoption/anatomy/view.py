"""Where a robot looks from: a camera on its head or its trunk, else the front of its head."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taskmatrix.core.world.objects import Array

from .cameras import looking_axis
from .heading import UP, Heading
from .limbs import Anatomy
from .name_tokens import CAMERA, mentions, tokens
from .notes import Note
from .tree import Tree

_ASIDE = {
    "depth",
    "ir",
    "infra",
    "infra1",
    "infra2",
    "rear",
    "back",
    "bottom",
    "screw",
    "left",
    "right",
    "forearm",
    "hand",
}

_AHEAD = 0.3  # [-] cosine between forward and where a camera looks, at least: a head looks down at what hands do


@dataclass(frozen=True, eq=False)
class ViewPose:
    """Where the proposed view is, and where it looks."""

    frame: str
    """Link that carries it."""
    origin: Array
    """(3,) [m] In that link."""
    forward: Array
    """(3,) In that link."""
    up: Array
    """(3,) In that link."""
    notes: tuple[Note, ...]
    """What it was chosen for."""


def find_view(tree: Tree, anatomy: Anatomy, heading: Heading) -> ViewPose | None:
    """Propose the view; ``None`` for a robot without a camera and a head."""
    heads = anatomy.of("head")
    head = {b for limb in heads for b in (*limb.bodies, *limb.beyond)}
    carriers = (head, set(anatomy.trunk)) if heads else (set(anatomy.trunk),)
    for bodies in carriers:
        cameras = [link for b in sorted(bodies) for link in tree.links(b) if mentions(link, CAMERA)]
        looking = [link for link in cameras if _axis(tree, link, heading)[1] >= _AHEAD]
        if looking:
            best = min(looking, key=lambda link: _rank(tree, link, heading))
            return _camera(tree, best, heading, len(cameras))
    if not heads:
        return None
    return _face(tree, heads[0].bodies[-1], heading)


def _rank(tree: Tree, link: str, heading: Heading) -> tuple[float, ...]:
    """The lower, the better: ahead, optical frames, in the middle, near the head's other links in the tree."""
    said = tokens(link)
    aside = float(abs(heading.left @ tree.pose(link)[:3, 3]))
    axis, near = _axis(tree, link, heading)
    backward = bool(axis.min() < 0.0)  # no camera looks against an axis of its own: something welded to one may
    return (near < 0.5, len(said & _ASIDE), backward, "optical" not in said, round(aside / 0.02), len(said), len(link))


def _axis(tree: Tree, link: str, heading: Heading) -> tuple[Array, float]:
    """The axis of a camera that looks forward: that of its convention, or the nearest, plus or minus; its cosine."""
    R = tree.pose(link)[:3, :3]
    along = R.T @ heading.forward
    i = looking_axis(R, heading.left, link)
    if abs(along[i]) < _AHEAD:
        i = int(np.argmax(np.abs(along)))
    axis = np.zeros(3)
    axis[i] = np.sign(along[i])
    return axis, float(abs(along[i]))


def _camera(tree: Tree, link: str, heading: Heading, count: int) -> ViewPose:
    forward, near = _axis(tree, link, heading)
    R = tree.pose(link)[:3, :3]
    rest = UP - (UP @ (R @ forward)) * (R @ forward)
    along = R.T @ rest
    up = np.eye(3)[int(np.argmax(np.abs(along)))] * np.sign(along[int(np.argmax(np.abs(along)))])
    which = f"the camera '{link}'" + (f", one of {count} frames of cameras" if count > 1 else "")
    notes = [Note("found", "view", which)]
    if near < 0.9:
        angle = float(np.degrees(np.arccos(near)))
        notes.append(Note("unsure", "view", f"{link} looks {angle:.0f} degrees away from forward"))
    return ViewPose(link, np.zeros(3), forward, up, tuple(notes))


def _face(tree: Tree, body: int, heading: Heading) -> ViewPose:
    """The front of the head, at two thirds of its height."""
    link = tree.outermost(body) or tree.links(body)[0]
    X = tree.pose(link)
    points = tree.points(body)
    if len(points):
        low, high = points[:, 2].min(), points[:, 2].max()
        ahead = float((points @ heading.forward).max())
        middle = float(np.mean([(points @ heading.left).min(), (points @ heading.left).max()]))
        eyes = ahead * heading.forward + middle * heading.left + (low + 0.6 * (high - low)) * UP
    else:
        eyes = X[:3, 3]
    back = X[:3, :3].T
    text = f"no camera: the front of '{link}' at 60 % of its height; put it where the eyes are"
    return ViewPose(link, back @ (eyes - X[:3, 3]), back @ heading.forward, back @ UP, (Note("unsure", "view", text),))
