"""The adapter format: what ``robot.toml`` may say, and how it becomes a robot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import coal
import pinocchio as pin

from taskmatrix.core.base.errors import RobotError, not_found
from taskmatrix.core.base.files import FURTHEST
from taskmatrix.core.base.tables import Table, read_table
from taskmatrix.core.world.objects import Array
from taskmatrix.geometry.solids import add_pairs, checking_data, highest_point, lowest_point

from ..keyframes import read_motions
from ..pairs import read_pairs
from ..robot import Robot
from ..sides import Sides
from . import adapter_parts as parts
from .adapter_hands import HandReader
from .bodies import read_bodies
from .building import build_bodies, build_model, make_solid, told_inertia
from .closing import with_tables
from .urdf import Description, find_urdf, read_urdf

DIFFERENTIAL = "differential"
DRIVES = ("omnidirectional", DIFFERENTIAL)
SECTIONS = ("description", "model", "bodies", "base", "limits", "chains", "hands", "view", "dynamics", "skills")
TALLEST = 10.0  # [m] of what a robot stands on
MODEL = ("package", "urdf", "forward", "up", "mesh_up", "hulls", "collide_as_drawn", "collide_as_meshes", "leaders")
SKILLS = ("inverse_kinematics", "skill_set")  # that a robot may do in a way of its own


def build_robot(path: Path, reviewed: bool = True) -> Robot:
    """Build the robot that an adapter file describes.

    Args:
        path: The adapter file.
        reviewed: False to check all pairs of bodies, and not to look whether the stance is free: what a review of
            the pairs starts from.

    Raises:
        RobotError: Something is missing, malformed or inconsistent; the message has the file and the key.
        MissingDependencyError: The URDF is part of a package that is not installed.
    """
    file = read_table(path, RobotError).only(*SECTIONS)
    model_table = file.table("model").only(*MODEL)
    base = file.table("base").only("range", "velocity", "acceleration", "stance", "floor", "height", "drive")
    description = _described(file, model_table, path.parent)
    yaw = _yaw(model_table)
    reach = base.numbers("range", 2, None, FURTHEST)
    if min(reach) <= 0.0:
        raise base.error("range", f"must be above zero, got {list(reach)}")
    drive = _choice(base, "drive", "drive", DRIVES)

    def model_at(height: float) -> tuple[pin.Model, str]:
        xml = description.on_base(height, yaw, (reach[0], reach[1]))
        return build_model(description, xml), xml

    model, xml = model_at(0.0)
    joints, S, c = active = parts.active_joints(model, description)
    limits = parts.Limits.read(file.table("limits"), base, model, active)
    chains = parts.read_chains(file.table("chains"), joints, description)
    sides = Sides.of(model, joints, c, chains)
    hands = HandReader(chains, limits, description, sides, model, c).read(file.table("hands"))
    limits.bound_turns(i for hand in hands.values() for i in chains[hand.arm])
    sides = sides.with_fingers(joints, [(hand.open, hand.closed) for hand in hands.values()])
    postures = parts.read_postures(path.parent / "postures.toml", limits, sides)
    stance = base.get("stance", str, "stand")
    if stance not in postures:
        raise base.error("stance", not_found("posture", stance, postures))

    def standing(posture: Mapping[str, float]) -> Array:
        """(n_full,) The stance with some joints as given."""
        full: Array = S @ limits.positions({**postures[stance], **posture}) + c
        return full

    q = standing({})

    loader = coal.CachedMeshLoader(coal.NODE_TYPE.BV_OBBRSS)
    floor = parts.known_links(base, "floor", description)
    limits.free_wheels(model, floor if drive == DIFFERENTIAL else ())
    limits.let_legs_swing(file.table("limits").table("legs"), model, active, floor)
    height = _raised(base) - _lowest(base, description, model, xml, floor, q, loader)
    model, xml = model_at(height)
    collision = build_bodies(description, model, xml, pin.GeometryType.COLLISION, loader)
    key = "collide_as_meshes"
    as_meshes = parts.known_links(model_table, key, description) if key in model_table.data else ()
    make_solid(description, model, collision, model_table.get("hulls", bool, False), as_meshes)
    excluded = read_pairs(path.parent / "pairs.toml", set(description.links)) if reviewed else ()
    add_pairs(model, collision, {frozenset(pair.links) for pair in excluded})
    if reviewed:
        _check_stance(path.parent / "postures.toml", stance, model, collision, q)

    hands = with_tables(hands, file.table("hands"), model, collision, standing)
    motions = read_motions(path.parent / "motions.toml")
    parts.check_motions(path.parent / "motions.toml", motions, limits)
    top = max(highest_point(body.geometry, X) for body, X in _placed(model, collision, q))
    shoulders = [joints[chains[hand.arm][0]] for hand in hands.values()]

    def make_visuals() -> pin.GeometryModel:
        drawn = coal.CachedMeshLoader(coal.NODE_TYPE.BV_OBB)  # half as large; what is drawn collides with nothing
        return build_bodies(description, model, xml, pin.GeometryType.VISUAL, drawn)

    return Robot(
        name=path.parent.name if path.name == "robot.toml" else path.stem,
        description=file.get("description", str, ""),
        source=str(path),
        folder=path.parent,
        model=model,
        collision=collision,
        excluded_pairs=excluded,
        joints=joints,
        S=S,
        c=c,
        lower=limits.lower,
        upper=limits.upper,
        velocity=limits.velocity,
        acceleration=limits.acceleration,
        chains=chains,
        hands=hands,
        sides=sides,
        view=parts.read_view(file.table("view"), description) if "view" in file.data else None,
        stance=stance,
        postures=postures,
        motions=motions,
        limit_reports=description.limit_reports + limits.reports,
        inertia_reports=description.inertia_reports + told_inertia(model, collision),
        body_reports=description.body_reports,
        unsolid_links=description.unsolid,
        base_height=height,
        shoulder_height=_height(model, shoulders[0], q) if shoulders else 0.82 * top,
        height=top,
        floor_links=floor,
        drive=drive,
        counterbalanced=parts.read_counterbalanced(file.table("dynamics"), joints),
        plugins=_own(file.table("skills").only(*SKILLS)),
        make_visuals=make_visuals,
    )


def _described(file: Table, model_table: Table, folder: Path) -> Description:
    """What the URDF says, with what the adapter says of it."""
    home = None if "package" in model_table.data else folder
    as_drawn = model_table.strings("collide_as_drawn") if "collide_as_drawn" in model_table.data else ()
    up, mesh_up = (_choice(model_table, key, "axis", ("z", "y")) for key in ("up", "mesh_up"))
    leaders, bodies = _leaders(model_table), read_bodies(file)
    description = read_urdf(find_urdf(model_table), mesh_up, home, as_drawn, leaders, up, bodies)
    parts.check_drawn(model_table, description)
    parts.check_bodies(file, description)
    return description


def _yaw(model: Table) -> float:
    """[rad] By which the URDF is turned on its base to look along x."""
    forward = model.numbers("forward", 2, [1.0, 0.0])
    if forward == (0.0, 0.0):
        raise model.error("forward", "a direction is needed, this is zero")
    return -math.atan2(forward[1], forward[0])


def _raised(base: Table) -> float:
    """[m] By which the robot stands above the floor, on something that its URDF has not."""
    height = base.get("height", float, 0.0)
    if not 0.0 <= height <= TALLEST:
        raise base.error("height", f"must be from 0 to {TALLEST:g}, got {height:g}")
    return height


def _own(skills: Table) -> dict[str, str]:
    return {key: skills.get(key, str) for key in skills.data}


def _lowest(
    base: Table,
    description: Description,
    model: pin.Model,
    xml: str,
    links: tuple[str, ...],
    q: Array,
    loader: coal.MeshLoader,
) -> float:
    """[m] Height of the lowest point of some links at ``q`` (n_full,); if need be, of what is drawn of them."""
    for kind in (pin.GeometryType.COLLISION, pin.GeometryType.VISUAL):
        placed = _placed(model, build_bodies(description, model, xml, kind, loader), q)
        lows = [lowest_point(body.geometry, X) for body, X in placed if _link(model, body) in links]
        if lows:
            return min(lows)
    raise base.error("floor", "none of these links has a body to stand on")


def _choice(table: Table, key: str, what: str, allowed: tuple[str, ...]) -> str:
    """The text below a key, the first of those that are allowed unless given."""
    return table.choice(key, allowed, what) if key in table.data else allowed[0]


def _leaders(model: Table) -> dict[str, str]:
    """By joint that follows, the one that it follows, where the URDF names another."""
    if "leaders" not in model.data:
        return {}
    leaders = model.table("leaders")
    return {joint: leaders.get(joint, str) for joint in leaders.data}


def _link(model: pin.Model, body: pin.GeometryObject) -> str:
    return str(model.frames[body.parentFrame].name)


def _height(model: pin.Model, joint: str, q: Array) -> float:
    """[m] Of a joint at ``q`` (n_full,)."""
    data = model.createData()
    pin.forwardKinematics(model, data, q)
    return float(data.oMi[model.getJointId(joint)].translation[2])


def _placed(model: pin.Model, geometry: pin.GeometryModel, q: Array) -> list[tuple[pin.GeometryObject, pin.SE3]]:
    """Bodies with their world poses at ``q`` (n_full,)."""
    data = model.createData()
    pin.forwardKinematics(model, data, q)
    return [(body, data.oMi[body.parentJoint] * body.placement) for body in geometry.geometryObjects]


def _check_stance(path: Path, stance: str, model: pin.Model, collision: pin.GeometryModel, q: Array) -> None:
    """Raise ``RobotError`` when the robot touches itself where it stands."""
    data, geometry_data = model.createData(), checking_data(collision)
    if not pin.computeCollisions(model, data, collision, geometry_data, q, False):
        return
    bodies = collision.geometryObjects
    hits = sorted(
        {
            " and ".join(sorted((_link(model, bodies[pair.first]), _link(model, bodies[pair.second]))))
            for pair, result in zip(collision.collisionPairs, geometry_data.collisionResults, strict=True)
            if result.isCollision()
        }
    )
    raise RobotError(f"{path}: {stance}: the robot touches itself in this posture: {'; '.join(hits)}")
