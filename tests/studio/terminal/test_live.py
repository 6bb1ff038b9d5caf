"""What runs now, as lines."""

from __future__ import annotations

import pytest

from taskmatrix.studio.cli.terminal.activity import Activity
from taskmatrix.studio.cli.terminal.live import Live
from taskmatrix.testing import FakeClock

from .glass import Glass
from .test_activity import event, node, starts


def drawn(activity: Activity, width: int, height: int = 24, encoding: str = "utf-8") -> list[str]:
    glass = Glass(width, height, encoding)
    glass.console.print(Live(activity, FakeClock()))
    return glass.lines()


@pytest.fixture
def pickup() -> Activity:
    """In the middle."""
    activity = Activity()
    starts(activity, "pickup")
    activity(event("message", "pickup/reach", 0.0, message="planning-started"))
    starts(activity, "pickup/fixate", time=0.01)
    activity(event("message", "pickup/fixate", 0.5, message="goal-achieved"))
    activity(event("grant", "pickup/reach", 0.5, chains=["base", "left_arm"]))
    activity(event("plan", "pickup/reach", 0.5, duration=4.0))
    activity(event("message", "pickup/reach", 0.5, message="controlloop-started"))
    activity(event("step", "plant", 2.5))
    return activity


def test_a_machine_is_a_tree_with_phases_seconds_and_how_far_a_motion_is(pickup: Activity) -> None:
    """As it stands on a wide screen."""
    lines = drawn(pickup, 100)
    assert lines[0].startswith("── 2.50 s ──")
    assert lines[1:] == [
        "pickup     control loop      2.5 s",
        "├─ reach   control loop      2.0 s of 4.0 s ━━━━━━──────  base, left_arm",
        "└─ fixate  goal achieved     2.5 s",
    ]


def test_a_screen_without_the_signs_has_others(pickup: Activity) -> None:
    """Nothing but ASCII goes out."""
    lines = drawn(pickup, 100, encoding="ascii")
    assert "".join(lines).isascii()
    assert lines[2] == "|- reach   control loop      2.0 s of 4.0 s ======------  base, left_arm"


def test_only_what_matters_less_is_dim(pickup: Activity) -> None:
    """Branches and chains; names and phases are not."""
    glass = Glass(100)
    glass.console.print(Live(pickup, FakeClock()))
    line = glass.file.getvalue().splitlines()[2]
    assert line.startswith("\x1b[2m├─ \x1b[0mreach ")
    assert "\x1b[36m  control loop" in line
    assert line.endswith("\x1b[2m  base, left_arm\x1b[0m")


@pytest.mark.parametrize("width", [60, 80, 100, 200])
@pytest.mark.parametrize("height", [5, 10, 24, 60])
def test_it_is_never_larger_than_its_share_of_the_window(width: int, height: int) -> None:
    """However much runs, how deep and under which names; a line is a line of the screen."""
    activity = Activity()
    path = "machine-with-a-long-name"
    for number in range(12):
        starts(activity, path, f"{path}/other-{number}")
        path += f"/state-{number}-of-many"
    nodes = (node("player", 0), *(node(f"component-with-a-long-name-{n}", 1 + n % 5) for n in range(500)))
    starts(activity, "player")
    activity(event("tree", "player", nodes=nodes))
    activity(event("planning", "planner", collision_checks=10**9, ik_attempts=10**9, samples=10**9, turns=10**9))
    lines = drawn(activity, width, height)
    assert len(lines) <= max(height // 2, 3)
    assert all(len(line) <= width for line in lines)
    assert lines[0].startswith("── 0.00 s; planner: 1000000000 collision checks")
    assert any("(+" in line or "more" in line for line in lines)


def test_branches_lead_from_each_to_what_is_in_it() -> None:
    """Also past what lies between."""
    activity = Activity()
    starts(activity, "a", "a/b", "a/b/c", "a/b/c/d", "a/b/e", "a/f", "g")
    assert [line.split("  ")[0] if line[0] != "│" else line[:12].rstrip() for line in drawn(activity, 100)[1:]] == [
        "a",
        "├─ b",
        "│  ├─ c",
        "│  │  └─ d",
        "│  └─ e",
        "└─ f",
        "g",
    ]


def test_the_speed_is_that_of_the_last_moments() -> None:
    """Simulated seconds for each second on the clock of who looks."""
    activity, clock, glass = Activity(), FakeClock(), Glass(80)
    live = Live(activity, clock)
    for step in range(1, 60):
        activity(event("step", "plant", float(min(step, 30)) + 0.5 * max(step - 30, 0)))
        clock.sleep_until(step * 0.5)
        glass.console.print(live)
        if step == 25:
            assert glass.lines()[-1].startswith("── 25.00 s, 2.0 times real time ──")
    assert glass.lines()[-1].startswith("── 44.50 s, 1.0 times real time ──")
