"""The part of ``design.py`` that is done in the designer's page, in a Chromium without a window."""

from __future__ import annotations

import difflib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any, Protocol

import firefox
from playwright.sync_api import Page, sync_playwright

import taskmatrix.soccer
from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.studio.design.document import Document

from design import BEHAVIORS, MESSAGES, START, same  # isort: skip

PATIENCE = 60_000.0  # [ms]
STATES = 200  # of a large machine
LETTERS = """() => Math.min(...[...document.querySelectorAll("#picture svg text")].map(
  (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a
))"""
"""[px] How high the smallest letters are on the screen."""
IN_SIGHT = """(name) => {
  const one = document.querySelector(`[data-state=${name}]`).getBoundingClientRect();
  const all = document.getElementById("picture").getBoundingClientRect();
  return one.left >= all.left && one.right <= all.right && one.top >= all.top && one.bottom <= all.bottom;
}"""
COUNT_FRAMES = "window.frames = 0; (function next() { window.frames++; requestAnimationFrame(next); })()"
SETTLES = 100.0  # [ms] without a change of the file
ANSWERED = """() => [...document.querySelectorAll("dialog[open]")].every(
  (dialog) => dialog.querySelector(".refusal").textContent || dialog.querySelector(":invalid")
)"""
"""A dialog has gone, was refused, or lacks something."""


@contextmanager
def served(path: Path, *options: str) -> Iterator[str]:
    """The address of the designer of a file."""
    command = [sys.executable, "-m", "taskmatrix", "design", str(path), "--no-open", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - ours
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


@contextmanager
def designing(path: Path, *options: str) -> Iterator[Page]:
    """The designer's page of a file, in Chromium."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        raise TaskMatrixError("this needs Chromium on the path; --no-browser leaves it out")
    with served(path, *options) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.on("pageerror", lambda error: print(error, file=sys.stderr))
        page.goto(address)
        page.wait_for_selector("#source")
        yield page
        browser.close()


class Browser(Protocol):
    """What a hand needs of a page."""

    def click(self, selector: str) -> None:
        """Click the middle of an element."""

    def press(self, name: str) -> None:
        """Press a key, or several at once as in ``Control+a``."""

    def type(self, text: str) -> None:
        """Type a text."""

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list."""

    def drag(self, source: str, target: str) -> None:
        """Drag from the middle of an element to that of another."""

    def evaluate(self, expression: str) -> Any:
        """What an expression of JavaScript gives."""

    def until(self, expression: str) -> None:
        """Wait until an expression is true."""


class Chromium:
    """A page of Chromium, by Playwright."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def click(self, selector: str) -> None:
        """Click the middle of an element."""
        self._page.locator(selector).first.click()

    def press(self, name: str) -> None:
        """Press a key, or several at once as in ``Control+a``."""
        self._page.keyboard.press(name)

    def type(self, text: str) -> None:
        """Type a text."""
        self._page.keyboard.type(text)

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list."""
        self._page.locator(selector).select_option(value)

    def drag(self, source: str, target: str) -> None:
        """Drag from the middle of an element to that of another."""
        mouse = self._page.mouse
        mouse.move(*self._middle(source))
        mouse.down()
        mouse.move(*self._middle(target), steps=3)
        mouse.up()

    def evaluate(self, expression: str) -> Any:
        """What an expression of JavaScript gives."""
        return self._page.evaluate(expression)

    def until(self, expression: str) -> None:
        """Wait until an expression is true."""
        self._page.wait_for_function(f"() => {expression}", timeout=PATIENCE)  # the page forbids to run mere text

    def _middle(self, selector: str) -> tuple[float, float]:
        box = self._page.locator(selector).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Hand:
    """Mouse and keyboard, counted.

    Args:
        browser: Where they are.

    Attributes:
        count: Clicks, drags, keys, choices from a list, and words or numbers typed at once.
    """

    def __init__(self, browser: Browser) -> None:
        self.browser, self.count = browser, 0

    def click(self, selector: str) -> None:
        """Click."""
        self.count += 1
        self.browser.click(selector)

    def key(self, *names: str) -> None:
        """Press keys."""
        for name in names:
            self.count += 1
            self.browser.press(name)

    def type(self, text: str) -> None:
        """Type a word over what is there."""
        self.count += 1
        self.browser.type(text)

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list."""
        self.count += 1
        self.browser.choose(selector, value)

    def drag(self, source: str, target: str) -> None:
        """Drag from one state to another."""
        self.count += 1
        self.browser.drag(f"[data-state={source}]", f"[data-state={target}]")

    def closed(self) -> None:
        """Wait until the dialog has gone."""
        self.browser.until("!document.querySelector('dialog[open]')")

    def ended(self) -> str:
        """Wait for the end of a run; what came of it."""
        self.browser.until("!!document.querySelector('#outcome.good, #outcome.bad')")
        return str(self.browser.evaluate("document.getElementById('outcome').textContent"))


def built(folder: Path) -> str:
    """Build a machine from nothing, run it, make it fail, mend it and run it again; in Firefox, too, where it is."""
    with designing(folder / "built.py", "--new") as page:
        drawn, all_of_it = build(Hand(Chromium(page)))
    told = f"built in {drawn} actions; failed, mended and succeeded after {all_of_it}"
    if firefox.installed():
        path = folder / "built_in_firefox.py"
        with served(path, "--new") as address, firefox.browsing() as other:
            other.open(address)
            build(Hand(other))
        assert path.read_text() == (folder / "built.py").read_text()
        told += f"; the same bytes and runs in Firefox {other.version}"
    return told


def build(hand: Hand) -> tuple[int, int]:
    """Do so; how many actions it took until it was drawn, and in all."""
    hand.browser.until("document.getElementById('problem').textContent.includes('There is no machine')")
    hand.click("#new-machine")
    hand.type("Fetch")
    hand.key("Enter")
    hand.closed()
    hand.key("p")
    hand.type("object")
    hand.key("Enter")
    hand.closed()
    hand.key("a")
    hand.type("reach")
    hand.key("Enter", "Enter")
    hand.closed()
    hand.key("a")
    hand.type("fixate")
    hand.key("Enter")
    hand.choose("#new-started", "reach.planning_started")
    hand.click("#new-optional")
    hand.click("#new-state summary")
    hand.click("#new-state [data-parameter=recurrent]")
    hand.type("True")
    hand.key("Enter")
    hand.closed()
    hand.click("[data-state=reach]")
    hand.key("a")
    hand.type("grasp")
    hand.key("Enter", "Enter")
    hand.closed()
    hand.drag("grasp", "fixate")
    hand.choose("#wire-message", "task_complete")
    hand.click("#wire-start input[value=fixate]")
    hand.click("#wire-stop input[value=fixate]")
    hand.key("Enter")
    hand.closed()
    drawn, told = hand.count, []
    for word in ("soda_cam", "soda_can"):
        hand.click("#run-parameters input[name=object]")
        hand.key("Control+a")
        hand.type(word)
        hand.browser.evaluate("document.getElementById('outcome').className = ''")  # of the run before
        hand.key("Enter")
        told.append(hand.ended())
    assert told == ["failed", "succeeded"]
    return drawn, hand.count


def switched(folder: Path) -> str:
    """Draw a timed transition into the forward player as it is shipped, and let it play."""
    package = folder / "club"
    shutil.copytree(Path(taskmatrix.soccer.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    path = package / "player.py"
    before = path.read_text().splitlines()
    with designing(path) as page:
        hand = Hand(Chromium(page))
        page.locator("[data-state=scored]").wait_for()
        modes, transitions = (page.locator(each).count() for each in ("[data-state]", "#transitions li"))
        hand.key("/")
        hand.type("approach")
        hand.key("Enter")
        hand.drag("approach", "look_for_net")
        hand.choose("#switch-to", "look_for_ball")
        hand.click("#switch-after")
        hand.type("30.0")
        hand.key("Enter")
        hand.closed()
        actions = hand.count
        hand.browser.until("document.querySelectorAll('#transitions li').length > 21")
        changed = [line for line in difflib.ndiff(before, path.read_text().splitlines()) if line[0] in "+-"]
        assert [line.strip() for line in changed] == ["+     approach.to(look_for_ball, after=30.0)", "+"], changed
        for name, value in (("robot", "nao"), ("world", "soccer"), ("sim", "bullet")):
            hand.choose(f"#{name}", value)
        hand.click("#run-now")
        assert hand.ended() == "succeeded"
        lit = page.locator("#picture .box.succeeded").first.get_attribute("data-state")
    drawn = f"player: {modes} modes and {transitions} transitions"
    return f"{drawn}; a timed one in {actions} actions and two lines; it plays, and ends in '{lit}'"


def large(folder: Path) -> str:
    """Open, search, edit and run a machine of 200 states."""
    path, last = folder / "large.py", STATES - 1
    text = "import taskmatrix as tm\nfrom taskmatrix.behaviors import Timer\n\n\nclass Large(tm.Machine):\n"
    for number in range(STATES):
        text += f"    wait_{number} = tm.State(Timer, duration=0.01{', final=True' if number == last else ''})\n"
    text += "\n    transitions = (\n        tm.start(wait_0),\n"
    for number in range(last):
        text += f"        tm.on(wait_{number}.task_successful, start=wait_{number + 1}),\n"
        if number % 5 == 0:
            text += f"        tm.on(wait_{number}.failed, start=wait_{number * 7 // 10}, times=2),\n"
    path.write_text(f"{text}    )\n")
    with designing(path) as page:
        hand = Hand(Chromium(page))
        began = perf_counter()
        page.locator(f"[data-state=wait_{last}]").wait_for(state="attached")
        opened = perf_counter() - began
        letters = page.evaluate(LETTERS)
        hand.key("/")
        hand.type("wait_150")
        hand.key("Enter")
        assert page.evaluate(IN_SIGHT, "wait_150")
        began = perf_counter()
        hand.key("F2")
        hand.type("there")
        hand.key("Enter")
        page.locator("[data-state=there]").wait_for(state="attached")
        renamed = perf_counter() - began
        page.evaluate(COUNT_FRAMES)
        began = perf_counter()
        hand.click("#run-now")
        assert hand.ended() == "succeeded"
        frames = page.evaluate("window.frames") / (perf_counter() - began)
        assert page.locator("#picture .box.succeeded").count() == STATES
    return (
        f"{STATES} states: shown after {opened:.1f} s, the smallest letters of {letters:.1f} px, a change drawn after "
        f"{renamed:.1f} s, {frames:.0f} frames a second while it runs"
    )


def in_page(folder: Path, edits: int, random: Random) -> list[str]:
    """Random edits by buttons, fields and keys, each checked; then undo them all."""
    path = folder / "paged.py"
    path.write_text(START)
    accepted, slowest, steps = 0, 0.0, 0
    with designing(path) as page:
        page.locator("[data-state=look]").wait_for()
        for _ in range(edits):
            before, began = path.read_bytes(), perf_counter()
            try_one(page, random, Document(path))
            settled = b""
            while settled != (settled := path.read_bytes()):  # what was clicked is answered later on a busy machine
                page.wait_for_timeout(SETTLES)
            accepted += path.read_bytes() != before
            slowest = max(slowest, perf_counter() - began)
            agreed(page, path)
        undo = page.locator("#undo")
        while undo.is_enabled():
            before = path.read_bytes()
            undo.click()
            while path.read_bytes() == before:
                page.wait_for_timeout(2)
            page.wait_for_timeout(20)
            steps += 1
    assert path.read_text() == START
    return [str(edits), str(accepted), str(edits - accepted), str(steps), f"{1000 * slowest:.0f}"]


def agreed(page: Page, path: Path) -> None:
    """Wait until the page shows as many transitions as the file has, which has to mean what the designer draws."""
    began = perf_counter()
    while True:
        document = Document(path)
        shown, written = page.locator("#transitions li").count(), len(document.program.machine().transitions)
        if shown == written:
            break
        assert 1000.0 * (perf_counter() - began) < PATIENCE, f"{shown} transitions are shown\n{document.text}"
        page.wait_for_timeout(SETTLES)
    same(path, document)


def try_one(page: Page, random: Random, document: Document) -> None:
    """Do something in the page that a person might do."""
    machine = document.program.machine()
    state, other = (random.choice(list(machine.states)) for _ in range(2))
    way = random.choice(["add", "add", "wire", "argument", "rename", "delete", "transition", "undo", "redo"])
    if way == "add":
        page.locator("#picture").focus()
        page.keyboard.press("a")
        page.keyboard.type(random.choice(list(BEHAVIORS)))
        page.keyboard.press("Enter")
        for each in page.locator("#new-state [data-parameter]:visible").all():
            name = each.get_attribute("name")
            each.fill({"duration": "1.0", "target": "object", "posture": "'ready'"}[name or ""])
        page.locator("#new-started").select_option(f"{state}.{random.choice(MESSAGES[:-1])}")
        page.locator("#new-optional").set_checked(True)
        page.locator("#new-final").set_checked(False)
        page.keyboard.press("Enter")
    elif way == "wire":
        page.locator("#connect").click()
        page.locator("#wire-from").select_option(state)
        page.locator("#wire-message").select_option(random.choice(MESSAGES[:-1]))
        page.locator(f"#wire-start input[value={other}]").check()
        page.locator("#wire-times").fill("1")
        page.keyboard.press("Enter")
    elif way in ("argument", "rename", "delete"):
        page.locator(f"[data-state={state}]").click()
        if way == "argument":
            field = random.choice(page.locator("#state .parameter input").all())
            field.fill(random.choice(["object", "2.5", "True", "3 +", ""]))
            field.press("Enter")
        elif way == "rename":
            page.locator("#state-name").fill(f"r{random.randrange(99)}")
            page.locator("#state-name").press("Enter")
        else:
            page.locator("#state button").click()
    elif way == "transition":
        number = random.randrange(len(machine.transitions))
        page.locator("#transitions button").nth(number).click()
    elif page.locator(f"#{way}").is_enabled():
        page.locator(f"#{way}").click()
    page.wait_for_timeout(60)
    page.wait_for_function(ANSWERED)
    if page.locator("dialog[open]").count():
        page.locator("dialog[open] .cancel").click()
