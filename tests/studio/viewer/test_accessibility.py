"""Pages of viewer and designer, audited by axe against WCAG 2.2 AA and best practice, in a real Chromium."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .browser import Looker, browsing, in_thread, serving, violations
from .tales import pickup

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.slow, pytest.mark.pictures, pytest.mark.xdist_group("browser")]
TABS = ("failures", "conditions", "chains", "parameters", "breakpoints")
SIZES = ((1440, 900), (1024, 768), (390, 844))
LIMITS = {"names": ["a", "b"], "lower": [-1, -1], "upper": [1, 1]}
ROBOT: dict[str, Any] = {"joints": [], "links": [], **LIMITS, "visuals": [], "spheres": [], "view": None, "hands": {}}
SCENE = {"robot": ROBOT, "objects": [], "grounds": [], "bounds": [-1, -1, 1, 1], "meshes": []}
PROGRAM = """
import taskmatrix as tm
from taskmatrix.behaviors import Timer


class Wait(tm.Machine):
    how_long = tm.Parameter(float, doc="[s]")
    wait = tm.State(Timer, duration=how_long, final=True)
    transitions = (tm.start(wait),)


class Eye(tm.Component):
    pan = tm.Modulation(float, default=0.0)


class Guard(tm.ModalComponent):
    eye = tm.Part(Eye)
    look, go = tm.Mode(inform=[eye]), tm.Mode(achieved=True)
    look.to(go, after=2.0)
"""
DIALOGS = {"Wait": ("new-machine", "add", "connect", "declare"), "Guard": ("add", "add-part", "connect", "declare")}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@contextmanager
def viewer() -> Iterator[str]:
    from taskmatrix.studio.viewer.timeline import Timeline  # noqa: PLC0415 - needs aiohttp
    from taskmatrix.studio.viewer.viewer import Run  # noqa: PLC0415 - needs aiohttp

    timeline = Timeline()
    for frame in pickup().frames():
        timeline.add(frame)
    hello = {"header": {"robot": "gantry"}, "behaviors": [], "objects": [], "joints": ["a", "b"]}
    with serving(Run(timeline, hello), gzip.compress(json.dumps(SCENE).encode())) as address:
        yield address


@contextmanager
def designer(path: Path) -> Iterator[str]:
    from taskmatrix.studio.design.document import Document  # noqa: PLC0415 - needs libcst
    from taskmatrix.studio.design.server import DesignServer  # noqa: PLC0415 - likewise

    path.write_text(PROGRAM)
    with in_thread(lambda: DesignServer(Document(path))) as address:
        yield address


@pytest.mark.parametrize("dark", [False, True])
def test_the_viewer_has_no_violation(browser: Browser, dark: bool) -> None:
    """On a desktop, a tablet and a phone, with its tabs, and with dark colors; and nothing on the console."""
    with viewer() as address:
        for width, height in SIZES[:1] if dark else SIZES:
            look = Looker(browser, address, width, height, dark=dark)
            for tab in TABS if width != SIZES[1][0] else TABS[:1]:
                look.click(f"#tab-{tab}")
                assert violations(look) == [], (width, tab)
            assert not look.problems
            look.page.close()


@pytest.mark.parametrize("dark", [False, True])
def test_the_designer_has_no_violation(browser: Browser, dark: bool, tmp_path: Path) -> None:
    """Likewise."""
    with designer(tmp_path / "wait.py") as address:
        for width, height in SIZES[:1] if dark else SIZES:
            look = Looker(browser, address, width, height, dark=dark, ready="document.body.innerText.includes('wait')")
            found: Any = violations(look)
            assert found == [], width
            for machine, buttons in DIALOGS.items() if width == SIZES[-1][0] else ():
                look.page.select_option("#machine", machine)
                look.until(f"document.querySelector('#picture title')?.textContent.includes('{machine}') ?? true")
                for button in buttons:
                    look.click(f"#{button}")
                    assert violations(look) == [], (machine, button)
                    look.page.keyboard.press("Escape")
            assert not look.problems
            look.page.close()
