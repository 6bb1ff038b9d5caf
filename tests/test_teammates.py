"""The players of the example, on a network that is none: each decides by itself, and both agree."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path
from types import ModuleType

import pytest

from taskmatrix.core import ActivationTree
from taskmatrix.core.world.geometry import pose
from taskmatrix.testing import Bench, FakeNetwork, box_percept

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "10_teammates.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    """The example as a module."""
    found = importlib.util.spec_from_file_location("teammates", EXAMPLE)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    module.PACE = 1.0  # type: ignore[attr-defined]
    return module


class Pitch:
    """Two players that stand on a line, and a ball."""

    def __init__(self, example: ModuleType) -> None:
        self.network = FakeNetwork()
        self.benches = [Bench([box_percept("ball")], transport=self.network.process()) for _ in (1, 2)]
        names = "player-1", "player-2"
        self.players = [example.Player(number=k + 1, at=names[1 - k], name=names[k]) for k in range(len(self.benches))]
        self.trees = [ActivationTree(player, at=player.name) for player in self.players]
        self.runs = list(zip(self.benches, self.trees, strict=True))
        self.started = False
        self.ball(9.0)
        self.run(1.6)  # out of sight, so that both go home

    def ball(self, x: float) -> None:
        for bench in self.benches:
            bench.plant.set_pose("ball", pose((x, 0.0, 0.03)))

    def run(self, seconds: float, *only: int) -> list[bool]:
        runs = [self.runs[k - 1] for k in only] or self.runs
        self.network.run(*runs, cycles=round(100 * seconds), prepare=not self.started)
        self.started = True
        return [player.striker for player in self.players]


def test_both_agree_who_is_nearer(example: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the two at any time, once they have heard of each other; the ball decides which."""
    pitch = Pitch(example)
    pitch.ball(-1.5)
    pitch.run(0.5)
    assert pitch.run(0.1) == [True, False]
    pitch.ball(1.5)
    assert pitch.run(0.2) == [False, True]
    doubles = 0
    monkeypatch.setattr(example, "PACE", 0.25)
    for k in range(150):
        pitch.ball(1.5 - 0.02 * k)
        doubles += sum(pitch.run(0.01)) != 1
    assert pitch.run(0.1) == [True, False]
    assert doubles <= 10  # cycles, until each has heard what the other thinks


def test_one_sees_the_ball_for_the_other(example: ModuleType) -> None:
    """Out of its own sight it is where the other sees it."""
    pitch = Pitch(example)
    pitch.ball(2.5)
    pitch.run(2.0)
    first, second = pitch.players
    assert first.ball is None
    assert second.ball == (2.5, 0.0)
    assert math.isfinite(first.distance)
    assert [first.striker, second.striker] == [False, True]


@pytest.mark.parametrize("lost", [1, 2])
def test_either_is_made_up_for_within_a_second(example: ModuleType, lost: int) -> None:
    """Whoever it is; and it has its place again when it is back."""
    pitch = Pitch(example)
    pitch.ball(-0.7 if lost == 1 else 0.7)
    pitch.run(0.5)
    other = 2 - lost
    assert pitch.players[lost - 1].striker
    pitch.network.change = lambda address, data: None
    seconds = 0.0
    while not pitch.players[other].striker:
        pitch.run(0.01, other + 1)
        seconds += 0.01
        assert seconds < 1.0
    assert seconds > 0.3
    pitch.network.change = None
    pitch.run(1.0)
    assert sum(player.striker for player in pitch.players) == 1
