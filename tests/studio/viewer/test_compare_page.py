"""Two recordings side by side in a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import taskmatrix as tm
from taskmatrix.behaviors import Pickup
from taskmatrix.studio.recording import Recording

from .browser import Looker, browsing, overlaps, serving, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.slow, pytest.mark.pictures, pytest.mark.xdist_group("browser")]
READY = (
    "Boolean(globalThis.taskmatrix?.pages?.().length === 2"
    " && taskmatrix.pages().every((page) => page.store.scene && page.inspect().poses.length)"
    " && document.querySelectorAll('#differences tbody tr').length)"
)
TIMES = "taskmatrix.pages().map((page) => page.store.time)"
ENDS = "taskmatrix.pages().map((page) => page.store.end)"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Recording, Recording]:
    """Two pickups, of which the second is shorter, and fails."""
    return recorded(tmp_path_factory.mktemp("runs") / "good.mcap"), recorded(
        tmp_path_factory.mktemp("runs") / "late.mcap", timeout=2.0
    )


def recorded(path: Path, timeout: float = 120.0) -> Recording:
    with tm.simulate("mannequin", seed=1) as session:
        session.record(path)
        session.run(Pickup(object="vacuum"), timeout)
    return Recording.open(path)


def served(runs: tuple[Recording, Recording]) -> Any:
    from taskmatrix.studio.viewer.replay import beside, replayed  # noqa: PLC0415 - needs aiohttp

    first, second = runs
    return serving(replayed(first), first.scene_gz, beside=beside(first, second))


def look_at(browser: Browser, address: str, width: int = 1600, height: int = 1000, dark: bool = False) -> Looker:
    return Looker(browser, address, width, height, dark, READY)


def test_one_reads_where_two_runs_part(browser: Browser, runs: tuple[Recording, Recording]) -> None:
    """How each ended, what is the same, and when they part; a click goes there in both."""
    with served(runs) as address:
        look = look_at(browser, address)
        assert "then the runs part" in look.says("#summary")
        rows = look.ask("[...document.querySelectorAll('#differences tr')].map((row) => row.innerText)")
        assert "good.mcap" in rows[0]
        assert "late.mcap" in rows[0]
        assert "succeeded" in rows[1]
        assert "timeout" in rows[1] or "too long" in rows[1] or "2" in rows[1]
        for frame, word in zip(look.page.frames[1:], ("Pickup succeeded", "Pickup failed"), strict=True):
            assert frame.locator("#running").inner_text() == word
        look.picture("compare")
        look.click("#differences button:has-text('they part')")
        look.until(f"{TIMES}.every((time) => Math.abs(time - 2) < 0.05)")
        look.picture("compare-parting")
        assert violations(look) == []
        assert not look.problems


def test_both_go_through_one_time(browser: Browser, runs: tuple[Recording, Recording]) -> None:
    """The line, the keys and the rows of either lead both; the shorter one stands at its end."""
    with served(runs) as address:
        look = look_at(browser, address, 1280, 800)
        short, long = look.ask(f"[...{ENDS}].sort((a, b) => a - b)")
        look.go_to(0.25)
        look.until(f"new Set({TIMES}).size === 1 && {TIMES}[0] > 0 && {TIMES}[0] < {short}")
        look.go_to(0.9)
        look.until(f"{TIMES}[1] === {short} && {TIMES}[0] > {short} && {TIMES}[0] < {long}")
        first, second = look.page.frames[1:]
        second.locator(".log-row >> visible=true").first.click()
        look.until(f"new Set({TIMES}).size === 1")
        first.locator("#log").press("Shift+ArrowRight")
        look.until(f"{TIMES}.every((time) => Math.abs(time - taskmatrix.store.time) < 1e-6 && time > 0.9)")
        before = look.ask("taskmatrix.store.time")
        look.click("#transport button[aria-label=Step]")
        look.until(f"{TIMES}.every((time) => Math.abs(time - {before} - 0.01) < 1e-3)")
        second.locator("#log").press("ArrowRight")
        look.until(f"{TIMES}.every((time) => Math.abs(time - {before} - 0.02) < 1e-3)")
        assert look.ask("taskmatrix.store.connected")


def test_both_play_to_their_ends(browser: Browser, runs: tuple[Recording, Recording]) -> None:
    """From the beginning when they are at the end, in step while both go on."""
    with served(runs) as address:
        look = look_at(browser, address, 1280, 800)
        look.page.select_option("select[aria-label=Speed]", "0.5")
        look.page.keyboard.press("Space")
        look.until(f"taskmatrix.store.playing === 0.5 && {TIMES}.every((time) => time > 0.2 && time < 1.9)")
        look.page.keyboard.press("Space")
        look.until(f"taskmatrix.store.playing === null && new Set({TIMES}).size === 1")
        look.page.select_option("select[aria-label=Speed]", "5")
        look.page.frames[2].locator("#log").press(" ")
        look.until("taskmatrix.store.playing === 5")
        look.until(f"taskmatrix.store.playing === null && {TIMES}.join() === {ENDS}.join()")


def test_one_panel_is_below_both_scenes(browser: Browser, runs: tuple[Recording, Recording]) -> None:
    """That which is chosen; why one failed is shown at a click on the sentence that says so."""
    with served(runs) as address:
        look = look_at(browser, address, 1280, 800, dark=True)
        for panel in ("program", "plots", "side", "log"):
            look.click(f"[data-below={panel}]")
            for frame in look.page.frames[1:]:
                assert frame.locator(f"#{panel}-panel").is_visible()
                assert frame.locator("main > .panel >> visible=true").count() == 2
            look.picture(f"compare-{panel}")
        look.page.frames[2].locator("#why").click()
        look.until("document.querySelector('[data-below=side]').getAttribute('aria-pressed') === 'true'")
        assert look.page.frames[2].locator(".failure").first.is_visible()
        look.picture("compare-why")
        assert not look.problems


def test_both_are_seen_from_the_same_side(browser: Browser, runs: tuple[Recording, Recording]) -> None:
    """Turning the camera of one turns that of the other; coming nearer likewise."""
    cameras = "taskmatrix.pages().map((page) => page.inspect().camera)"
    with served(runs) as address:
        look = look_at(browser, address, 1280, 800)
        look.page.wait_for_timeout(1000)
        before = np.array(look.ask(cameras))
        box = look.page.frames[1].locator("#scene canvas").bounding_box()
        assert box is not None
        look.page.mouse.move(box["x"] + 300, box["y"] + 100)
        look.page.mouse.down()
        look.page.mouse.move(box["x"] + 400, box["y"] + 120, steps=4)
        look.page.mouse.up()
        look.until(f"{cameras}.every((at, i) => at.some((x, k) => Math.abs(x - {before.tolist()}[i][k]) > 0.1))")
        turned = np.array(look.ask(cameras))
        moved = turned - before
        np.testing.assert_allclose(np.sign(moved[0]), np.sign(moved[1]))
        look.page.mouse.wheel(0, -300)
        look.until(f"{cameras}.every((at, i) => Math.hypot(...at) < Math.hypot(...{turned.tolist()}[i]))")
        look.picture("compare-turned")
        assert not look.problems


def test_no_text_is_cut_or_lies_on_another(browser: Browser, runs: tuple[Recording, Recording]) -> None:
    """At both sizes, of the page around and of those in it."""
    with served(runs) as address:
        for width, height in ((1280, 800), (1600, 1000)):
            look = look_at(browser, address, width, height)
            assert look.ask(overlaps("header > *", "#below > *", "footer > *")) == []
            assert look.ask(
                "document.documentElement.scrollWidth <= innerWidth && document.body.scrollHeight <= innerHeight"
            )
            for frame in look.page.frames[1:]:
                assert frame.locator("#log-filter").bounding_box()["width"] > 80  # type: ignore[index]
                assert frame.evaluate(overlaps("header > *", ".now-line > *", "#layers > *", "#log-tools > *")) == []
                assert frame.evaluate(
                    "document.body.scrollHeight <= innerHeight && document.body.scrollWidth <= innerWidth"
                )


def test_nobody_else_has_the_page_in_a_frame(browser: Browser, runs: tuple[Recording, Recording]) -> None:
    """Only the page of both may show those of each; alone, a page is in nobody's frame."""
    with served(runs) as address:
        page = browser.new_page()
        answers = {path: page.request.get(f"{address}{path}").headers for path in ("", "index.html?run=1", "main.js")}
        policies = {path: each["content-security-policy"] for path, each in answers.items()}
        assert "frame-src 'self'; frame-ancestors 'none'" in policies[""]
        assert "frame-src" not in policies["index.html?run=1"]
        assert policies["index.html?run=1"].endswith("frame-ancestors 'self'")
        assert policies["main.js"].endswith("frame-ancestors 'none'")
        assert [each["x-frame-options"] for each in answers.values()] == ["DENY", "SAMEORIGIN", "DENY"]
        assert page.request.get(f"{address}scene.json?run=2").status == 404
