"""Worlds with a few things only: each one that lies about takes its part of every step of a physics simulation."""

from __future__ import annotations

from dataclasses import replace

from taskmatrix.robots import load_robot
from taskmatrix.simulation import load_world
from taskmatrix.simulation.scenes.world import World


def sparse(robot: str, *ids: str) -> World:
    """The world ``sparse``, furnished for a robot, with these of its things."""
    world = load_world("sparse", shoulder_height=load_robot(robot).shoulder_height)
    return replace(
        world,
        objects={id: world.objects[id] for id in ids},
        poses={id: world.poses[id] for id in ids},
        placements={id: world.placements[id] for id in ids},
    )
