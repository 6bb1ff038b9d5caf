"""Pages of the viewer in a real Chromium, and what serves them."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from taskmatrix.core.base.clock import RealClock

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from taskmatrix.studio.viewer.side_by_side import Beside
    from taskmatrix.studio.viewer.viewer import Run

PATIENCE = 120.0  # [s] for what a page shows; pictures are drawn without a graphics processor
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
ARGUMENTS = ("--enable-unsafe-swiftshader", "--no-sandbox")
PICTURES = os.environ.get("TASKMATRIX_PAGE_PICTURES", "")  # a folder, for those that are in the documentation
OVERLAPS = """(groups) => {
  const beside = (a, b) => a.left >= b.right - 1 || b.left >= a.right - 1;
  const apart = (a, b) => beside(a, b) || a.top >= b.bottom - 1 || b.top >= a.bottom - 1;
  return groups.flatMap((group) => {
    const seen = [...document.querySelectorAll(group)].filter((each) => each.offsetParent);
    const boxes = seen.map((each) => [each.textContent, each.getBoundingClientRect()]);
    const rest = (i, a) => boxes.slice(i + 1).filter(([, b]) => !apart(a, b));
    return boxes.flatMap(([name, a], i) => rest(i, a).map(([other]) => [name, other]));
  });
}"""


def overlaps(*groups: str) -> str:
    """A function of JavaScript: which of the elements of these selectors lie on another of the same, by their texts."""
    return f"() => ({OVERLAPS})({json.dumps(groups)})"


def chromium() -> str:
    """Path of Chromium; skips where it or what drives it is missing."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("needs Chromium on the path")
    if find_spec("playwright") is None:
        pytest.skip("needs playwright, which drives Chromium")
    return found


@contextmanager
def browsing() -> Iterator[Browser]:
    """A Chromium without a window."""
    path = chromium()
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - skipped where it is missing

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


class Looker:
    """A page in the browser, and what its console said.

    Attributes:
        page: As Playwright has it.
        problems: Errors of the page's console, those of the content security policy too.
    """

    def __init__(
        self,
        browser: Browser,
        address: str,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        ready: str = "Boolean(globalThis.taskmatrix?.store.scene && taskmatrix.inspect().frames)",
    ) -> None:
        size, scheme = {"width": width, "height": height}, "dark" if dark else "light"
        self.page: Page = browser.new_page(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
        self.problems: list[str] = []
        self.page.on("console", lambda message: self.problems.append(message.text) if message.type == "error" else None)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.goto(address + ("#fine" if PICTURES else ""))
        self.until(ready)

    def ask(self, expression: str) -> Any:
        """What an expression or a function of JavaScript gives in the page."""
        return self.page.evaluate(expression)

    def until(self, expression: str) -> None:
        """Wait until an expression is true in the page."""
        end = time.monotonic() + PATIENCE
        while not self.ask(expression):
            assert time.monotonic() < end, f"still not true in the page: {expression}"
            self.page.wait_for_timeout(20)

    def says(self, selector: str) -> str:
        """What an element says, once it is seen."""
        return self.page.locator(selector).first.inner_text(timeout=1000 * PATIENCE)

    def click(self, selector: str) -> None:
        """Click what is seen of a selector first."""
        self.page.locator(f"{selector} >> visible=true").first.click(timeout=1000 * PATIENCE)

    def go_to(self, part: float) -> None:
        """Click the time line at a part of its length."""
        box = self.page.locator("#timeline canvas").bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + 8 + part * (box["width"] - 16), box["y"] + box["height"] / 2)

    def picture(self, name: str) -> None:
        """Keep a picture of the page, where somebody wants them."""
        if PICTURES:
            self.page.wait_for_timeout(1500)  # until the camera stands still
            self.page.screenshot(path=Path(PICTURES) / f"{name}.png")


@cache
def _axe() -> str:
    return (files("axe_playwright_python") / "axe.min.js").read_text()


def violations(look: Looker) -> list[str]:
    """What axe finds against WCAG 2.2 AA and best practice, each with the first element."""
    if not look.ask("Boolean(globalThis.axe)"):
        look.ask(f"() => {{ {_axe()}; }}")
    options = {"runOnly": RULES, "resultTypes": ["violations"]}
    found = look.ask(f"async () => (await axe.run(document, {json.dumps(options)})).violations")
    return [f"{each['id']}: {each['nodes'][0]['target']} {each['nodes'][0]['failureSummary']}" for each in found]


class Serving(Protocol):
    """A server of pages."""

    async def start(self) -> str:
        """Begin to serve; returns the address."""
        ...

    async def close(self) -> None:
        """Stop."""
        ...


@contextmanager
def in_thread(make: Callable[[], Serving]) -> Iterator[str]:
    """Serve in a thread of its own what is made there; gives the address."""
    ready, told = threading.Event(), list[str]()
    loop = asyncio.new_event_loop()
    done: asyncio.Event = asyncio.Event()

    async def serve() -> None:
        server = make()
        told.append(await server.start())
        ready.set()
        await done.wait()
        await server.close()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield told[0]
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join()
        loop.close()


@contextmanager
def serving(run: Run, scene: bytes, port: int = 0, beside: Beside | None = None) -> Iterator[str]:
    """Serve a run, or two side by side, in a thread of its own; gives the address."""
    from taskmatrix.studio.viewer.server import Server  # noqa: PLC0415 - needs aiohttp

    with in_thread(lambda: Server(run, scene, RealClock().now, port=port, beside=beside)) as address:
        yield address


@contextmanager
def beside(work: Callable[[], None]) -> Iterator[None]:
    """Do something in a thread of its own; what it raises is raised at the end."""
    raised: list[BaseException] = []

    def guarded() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=guarded)
    thread.start()
    try:
        yield
    finally:
        thread.join(PATIENCE)
    if raised:
        raise raised[0]
    assert not thread.is_alive()
