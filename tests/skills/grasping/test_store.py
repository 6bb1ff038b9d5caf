from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Grasp, ObjectModel
from taskmatrix.robots import Robot
from taskmatrix.skills.grasping import finder
from taskmatrix.skills.grasping.settings import GraspSettings
from taskmatrix.skills.grasping.store import GraspStore, key

from .setting import SIMPLE, robot, shape, shipped, thing

QUICK = GraspSettings(samples=40, turns=4, limit=8, rounds=0)
FROM_BELOW = pose((0.0, 0.0, -0.05), (0.0, 0.0, np.pi / 2))
TABLED = replace(SIMPLE["box"], grasps=(Grasp("side", FROM_BELOW, 0.05), Grasp("wide", FROM_BELOW, 0.5)))


def store() -> GraspStore:
    return GraspStore(robot("asimo"), QUICK)


def same(first: tuple[Grasp, ...], second: tuple[Grasp, ...]) -> bool:
    return len(first) == len(second) > 0 and all(
        one.name == two.name and one.width == two.width and np.array_equal(one.X_OH, two.X_OH)
        for one, two in zip(first, second, strict=True)
    )


def test_a_table_is_kept_and_wider_than_the_hand_is_left_out(own_cache: Path) -> None:
    assert [grasp.name for grasp in store().grasps("left", TABLED)] == ["side"]
    assert not list(own_cache.glob("grasps/*"))


def test_what_is_not_graspable_has_none() -> None:
    assert store().grasps("left", replace(SIMPLE["box"], type="obstacle/box")) == ()


def test_what_was_found_is_read_again_in_milliseconds(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By another store, which finds nothing anew; and by the same one without reading."""
    first = store().grasps("left", SIMPLE["cylinder"])
    monkeypatch.setattr(finder, "find_grasps", None)
    other, began = store(), perf_counter()
    again = other.grasps("left", SIMPLE["cylinder"])
    assert perf_counter() - began < 1.0
    assert same(first, again)
    for file in own_cache.glob("grasps/*"):
        file.unlink()
    assert other.grasps("left", SIMPLE["cylinder"]) is again


def test_a_file_that_was_cut_off_is_written_again(own_cache: Path) -> None:
    first = store().grasps("left", SIMPLE["sphere"])
    (file,) = own_cache.glob("grasps/*")
    file.write_bytes(file.read_bytes()[:100])
    assert same(first, store().grasps("left", SIMPLE["sphere"]))
    assert same(first, store().grasps("left", SIMPLE["sphere"]))


def test_that_there_are_none_is_remembered_too(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    huge = thing(shape("box", 1.0, 1.0, 1.0))
    assert store().grasps("left", huge) == ()
    monkeypatch.setattr(finder, "find_grasps", None)
    assert store().grasps("left", huge) == ()


def own_key(robot_: Robot, hand: str = "left", model: ObjectModel = SIMPLE["box"]) -> str:
    return key(robot_, hand, model, QUICK)


def test_names_do_not_count() -> None:
    """Nor what is only seen, nor where the robot stands."""
    first = own_key(robot("asimo"))
    label = replace(shape("box", 0.06, 0.06, 0.06), collides=False)
    renamed = replace(SIMPLE["box"], id="crate", description="x", shapes=(*SIMPLE["box"].shapes, label))
    assert own_key(replace(robot("asimo"), name="other"), model=renamed) == first


def test_what_grasps_depend_on_counts() -> None:
    """The hand, its aperture and fingers, each size and place of a shape, the mesh, and the settings."""
    asimo = robot("asimo")
    hand = asimo.hands["left"]
    narrow = replace(asimo, hands={**asimo.hands, "left": replace(hand, aperture=0.05)})
    stiff = replace(asimo, hands={**asimo.hands, "left": replace(hand, table=hand.table[:4])})
    keys = {
        own_key(asimo),
        own_key(robot("talos")),
        own_key(robot("bandit")),
        own_key(narrow),
        own_key(stiff),
        own_key(asimo, model=thing(shape("box", 0.05, 0.07, 0.121))),
        own_key(asimo, model=thing(shape("box", 0.05, 0.07, 0.12, xyz=(0, 0, 0.01)))),
        own_key(asimo, model=shipped("mug")),
        own_key(asimo, model=shipped("toy_ring")),
        key(asimo, "left", SIMPLE["box"], replace(QUICK, seed=1)),
    }
    assert len(keys) == 10


def test_hands_that_are_alike_share_what_is_found() -> None:
    """The asimo's left and right hand are one and the same; the mannequin's are mirrored."""
    assert own_key(robot("asimo"), "left") == own_key(robot("asimo"), "right")
    assert own_key(robot("mannequin"), "left") != own_key(robot("mannequin"), "right")


def test_nothing_of_the_users_cache_is_read_when_nothing_is_asked() -> None:
    """Making a store does nothing: a session without such objects pays nothing."""
    began = perf_counter()
    GraspStore(robot("asimo"))
    assert perf_counter() - began < 0.1
