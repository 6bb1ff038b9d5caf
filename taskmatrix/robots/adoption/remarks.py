"""What a humanoid has and a robot has not, and what is odd about its URDF."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .anatomy.limbs import Anatomy
from .anatomy.notes import Note
from .anatomy.tree import Tree
from .anatomy.view import ViewPose

_FREE = 5  # joints of an arm that takes its hand to a place and turns it, but about one axis
_LEVEL = 0.3  # of a wheel's axis that points up
_ALONG = 0.99  # cosine of the angle between what goes the same way


def remarks(tree: Tree, anatomy: Anatomy, view_pose: ViewPose | None, bolted: bool) -> Iterator[Note]:
    """What a humanoid has and this robot has not, and what its URDF lacks."""
    arms, legs = anatomy.of("arm"), anatomy.of("leg")
    if len(arms) == 1 and bolted and not anatomy.of("head") and len(anatomy.trunk) == 1:
        text = "this is one arm on a pedestal: it has no base that moves, no torso and no head"
        yield Note("unsure", "base", text)
    elif bolted:
        text = (
            "it has neither legs nor wheels, so the base stands where it is; give it a range if what it stands on rolls"
        )
        yield Note("unsure", "base", text)
    if not arms:
        yield Note("missing", "hands", "no arm: it can neither reach nor grasp")
    for arm in arms:
        joints = [b for b in arm.bodies if not tree.joints[b].follows and not tree.joints[b].stuck]
        if len(joints) < _FREE:
            text = f"the arm that begins with {tree.joints[arm.bodies[0]].name} has {len(joints)} joints: by itself it"
            yield Note("unsure", "chains", f"{text} cannot turn its hand as it is asked to; it reaches where it points")
    if view_pose is None:
        yield Note("missing", "view", "no head and no camera: it cannot look at anything; [view] is left out")
    elif not anatomy.of("head"):
        yield Note("unsure", "view", "no neck: the camera looks where the body is turned, and there is no chain 'head'")
    if arms and not legs and max(tree.reach(limb.bodies[0]) for limb in arms) < 0.25:
        yield Note("unsure", "base", "its arms are as short as fingers: is this a hand without its arm?")
    if text := differential(tree, anatomy):
        yield Note("unsure", "base", text)
    bare = [leg for leg in legs if not any(len(tree.points(b)) for b in leg.bodies)]
    if bare:
        yield Note("missing", "base", "its legs have no collision bodies, so it cannot stand on its feet")
    for limb in (*arms, *legs):
        for b in limb.bodies:
            cloud, here = tree.points(b), tree.joints[b].origin
            if len(cloud) and float(np.linalg.norm(cloud - here, axis=1).min()) > 0.5 * max(tree.height, 0.3):
                name = tree.links(b)[0]
                yield Note(
                    "unsure", "pairs", f"the collision body of '{name}' is far from its joint: is its mesh right?"
                )
    for report in tree.description.limit_reports:
        if "turn" in report or "no way" in report or "cannot move" in report:
            yield Note("unsure", "chains", report)
    if drawn := tree.description.as_drawn:
        text = f"{len(drawn)} links collide by the hulls of what is drawn, as they have no collision body"
        away = "take out of collide_as_drawn what is to touch nothing"
        yield Note("unsure", "model", f"{text}, or one that is much coarser; {away}")
    if tree.as_meshes:
        some = " and ".join(tree.as_meshes)
        text = f"{some} {'collide' if len(tree.as_meshes) > 1 else 'collides'} by the mesh itself"
        yield Note("found", "model", f"{text}: hulls fill the opening in which the neck moves")
    for report in tree.description.body_reports:
        yield Note("unsure", "model", report)
    for body in tree.description.bodies:
        text = f"{body.link}: a {body.kind} of its moments of inertia stands for it, as its mesh is not there"
        yield Note("unsure", "model", f"{text}: see whether [[bodies]] has it as it is")
    for line in tree.misdrawn:
        yield Note("unsure", "model", line)
    for joint, leader in tree.leaders.items():
        yield Note("unsure", "model", f"{joint} follows a joint that is not there; taken for '{leader}', see leaders")


def differential(tree: Tree, anatomy: Anatomy) -> str:
    """What tells that it rolls on two driven wheels, as a remark; empty where nothing does.

    Two wheels that turn about one level axis and that nothing steers; others are casters.
    """
    wheels = [tree.joints[b] for b in anatomy.wheels if not tree.joints[b].follows]
    driven = [wheel for wheel in wheels if abs(wheel.axis[2]) < _LEVEL and wheel.parent not in anatomy.wheels]
    if len(driven) != 2 or abs(float(driven[0].axis @ driven[1].axis)) < _ALONG:
        return ""
    aside = driven[0].origin - driven[1].origin
    if abs(float(aside @ driven[0].axis)) < _ALONG * np.linalg.norm(aside):  # one runs behind the other
        return ""
    casters = " and casters" if len(wheels) > 2 else ""
    names = " and ".join(wheel.name for wheel in driven)
    return f'two driven wheels, {names}{casters}: with drive = "differential" it turns on the spot and rolls ahead'
