"""The page in a real Chromium on a run that goes on: watch it, stop it, move things, start the next one."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from py_trees.behaviour import Behaviour

import taskmatrix as tm
from taskmatrix.behaviors import Pickup, Timer
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.core.world.perception import Percept

from .browser import PATIENCE, Looker, beside, browsing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.slow, pytest.mark.pictures, pytest.mark.xdist_group("browser")]
STATUS = "taskmatrix.store.sections.run?.status"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


class Stage:
    """A session that is shown, and what became of its runs.

    Args:
        runs: How many there are.

    Attributes:
        address: Of the page.
        outcomes: Of the runs that ended.
    """

    def __init__(self, runs: int) -> None:
        self.runs = runs
        self.address = ""
        self.outcomes: list[Outcome] = []
        self.ready, self.leave = threading.Event(), threading.Event()

    def play(self) -> None:
        """Wait paused with a pickup; then run what is started on the page."""
        try:
            with tm.simulate("mannequin", world="sparse", seed=1) as session:
                view = session.view(paused=True)
                self.address = view.address
                self.ready.set()
                behavior: Behaviour | None = Pickup(object="vacuum")
                for left in reversed(range(self.runs)):
                    assert behavior is not None
                    self.outcomes.append(session.run(behavior))
                    behavior = view.next_behavior() if left else None
                self.leave.wait(PATIENCE)
        finally:
            self.ready.set()


@contextmanager
def staged(runs: int) -> Iterator[Stage]:
    """A session in a thread of its own."""
    stage = Stage(runs)
    with beside(stage.play):
        assert stage.ready.wait(PATIENCE)
        try:
            yield stage
        finally:
            stage.leave.set()


def test_a_pickup_is_watched_to_its_end(browser: Browser) -> None:
    """Break on planning-ended, step, go on, scrub back and to the present, stop, start another."""
    with staged(2) as stage:
        look = Looker(browser, stage.address)
        look.until(f"{STATUS} === 'paused'")
        look.click("#tab-breakpoints")
        look.page.select_option("#page-breakpoints select", "message")
        look.page.fill("#page-breakpoints input", "pickup/reach planning-ended")
        look.click("#page-breakpoints button[type=submit]")
        look.until("taskmatrix.store.sections.run.breakpoints.length === 1")

        look.page.locator("#scene").focus()
        look.page.keyboard.press("Space")
        look.until(f"{STATUS} === 'paused' && taskmatrix.store.time > 0")
        look.until("document.querySelector('#halted').textContent.includes('breakpoint')")
        look.picture("view-paused")
        time = look.ask("taskmatrix.store.time")
        look.page.keyboard.press("ArrowRight")
        look.until(f"{STATUS} === 'paused' && taskmatrix.store.time > {time}")
        assert look.ask("taskmatrix.store.time") < time + 0.1

        look.click("#page-breakpoints li button")
        look.until("taskmatrix.store.sections.run.breakpoints.length === 0")
        look.page.keyboard.press("n")
        look.until("document.querySelector('#halted').textContent.includes('transition')")
        look.page.select_option("select[aria-label=Speed]", "0")
        look.page.locator("#scene").focus()
        look.page.keyboard.press("Space")
        look.until("document.querySelector('#running').textContent === 'Pickup succeeded'")
        assert stage.outcomes[0].success

        end = look.ask("taskmatrix.store.time")
        look.go_to(0.3)
        look.until(f"!taskmatrix.store.live && taskmatrix.store.time < {end}")
        look.page.keyboard.press("l")
        look.until(f"taskmatrix.store.live && taskmatrix.store.time >= {end}")

        look.page.select_option("select[aria-label=Speed]", "1")
        look.click("#ends button:has-text('Start')")
        assert look.ask("document.querySelector('#form-behavior').value") == "pickup"
        assert look.ask("document.querySelector('#form-object').value") == "vacuum"
        look.page.select_option("#form-behavior", "putdown")
        look.page.fill("#form-duration", "-1")
        look.click("dialog button[type=submit]")
        look.until("document.querySelector('dialog .reason:not([hidden])')?.textContent.includes('duration')")
        look.page.fill("#form-duration", "30")
        look.picture("view-start")
        look.click("dialog button[type=submit]")
        look.until("!document.querySelector('dialog[open]')")
        look.until("document.querySelector('#running').textContent.startsWith('putdown')")
        look.click("#stop")
        look.until("document.querySelector('#running').textContent === 'Putdown failed'")
        assert "stopped by a viewer" in look.says("#why")
        assert not look.problems
    assert not stage.outcomes[1].success


def test_a_parameter_is_set_while_it_runs(browser: Browser) -> None:
    """By the form below the parameters; undone, it is what it was."""
    with staged(1) as stage:
        look = Looker(browser, stage.address)
        look.until(f"{STATUS} === 'paused'")
        look.page.locator("#scene").focus()
        look.page.keyboard.press("ArrowRight")
        look.until("taskmatrix.store.sections.parameters.pickup")
        look.click("#tab-parameters")
        look.page.fill("#page-parameters input >> nth=0", "pickup")
        look.page.fill("#page-parameters input >> nth=1", "duration")
        look.page.fill("#page-parameters input >> nth=2", "5.5")
        look.page.keyboard.press("Enter")
        look.until("document.querySelector('#page-parameters li')?.textContent.includes('5.5')")
        assert look.ask("taskmatrix.store.sections.parameters.pickup.duration") == 5.5
        look.picture("view-set")
        look.click("#page-parameters li button")
        look.until("!document.querySelector('#page-parameters li')")
        assert look.ask("taskmatrix.store.sections.parameters.pickup.duration") == 4.0
        look.click("#stop")
        look.until("taskmatrix.store.sections.run.outcome !== null")
        assert not look.problems


def test_an_object_is_dragged(browser: Browser) -> None:
    """What may be moved follows the pointer over the floor, and the run knows of it."""
    with staged(1) as stage:
        look = Looker(browser, stage.address, 1600, 1000)
        look.page.locator("#scene").focus()
        look.page.keyboard.press("ArrowRight")
        look.until("taskmatrix.store.sections.pose?.objects.broom !== undefined")
        look.page.wait_for_timeout(1000)
        at = look.ask("taskmatrix.onScreen('broom')")
        before = look.ask("taskmatrix.store.sections.pose.objects.broom")
        look.page.mouse.move(*at)
        look.until("document.querySelector('.hint').textContent.includes('broom')")
        look.page.mouse.down()
        look.page.mouse.move(at[0] + 40, at[1] + 10, steps=4)
        look.page.mouse.up()
        look.until(f"Math.abs(taskmatrix.store.sections.pose.objects.broom[0] - {before[0]}) > 0.02")
        after = look.ask("taskmatrix.store.sections.pose.objects.broom")
        assert abs(after[2] - before[2]) < 1e-6
        assert look.ask("taskmatrix.store.rows.some(([, , , kind]) => kind === 'moved')")
        look.click("#stop")
        look.until("taskmatrix.store.sections.run.outcome !== null")
        assert not look.problems


def test_a_run_is_run_again_from_where_it_began(browser: Browser) -> None:
    """Everything goes back there, by one button."""
    with staged(2) as stage:
        look = Looker(browser, stage.address)
        look.until(f"{STATUS} === 'paused'")
        began = look.ask("taskmatrix.store.sections.pose.objects.vacuum")
        look.page.select_option("select[aria-label=Speed]", "0")
        look.page.locator("#scene").focus()
        look.page.keyboard.press("Space")
        look.until("document.querySelector('#running').textContent === 'Pickup succeeded'")
        assert stage.outcomes[0].success
        lifted = look.ask("taskmatrix.store.sections.pose.objects.vacuum")
        assert lifted[2] > began[2] + 0.02
        look.page.select_option("select[aria-label=Speed]", "1")
        look.click("#ends button:has-text('Again')")
        look.until("document.querySelector('#running').textContent.startsWith('pickup')")
        look.until(f"{STATUS} === 'running'")
        look.page.locator("#scene").focus()
        look.page.keyboard.press("Space")
        look.until(f"{STATUS} === 'paused'")
        assert look.ask("taskmatrix.store.sections.pose.objects.vacuum") == pytest.approx(began)
        look.click("#stop")
        look.until("taskmatrix.store.sections.run.outcome !== null")
        assert not look.problems
    assert not stage.outcomes[1].success


def test_what_is_perceived_later_is_seen_from_then_on(browser: Browser) -> None:
    """By a robot that is connected to, and knew of nothing when the page was opened."""
    address, ready, sees, leave = list[str](), threading.Event(), threading.Event(), threading.Event()

    def play() -> None:
        with tm.simulate("mannequin", world="sparse", seed=1) as other:

            class Arms:
                sense, apply = other.plant.sense, other.plant.apply

            def perceive() -> Iterable[Percept]:
                return other.plant.observe() if sees.is_set() else ()

            with tm.connect(other.robot, Arms(), perceive, real_time=False) as session:
                address.append(session.view(paused=True).address)
                ready.set()
                assert session.run(Timer(duration=0.2)).success
                leave.wait(PATIENCE)

    with beside(play):
        assert ready.wait(PATIENCE)
        look = Looker(browser, address[0])
        look.until(f"{STATUS} === 'paused'")
        assert look.ask("taskmatrix.onScreen('broom')") is None
        sees.set()
        look.page.locator("#scene").focus()
        look.page.keyboard.press("Space")
        look.until("taskmatrix.onScreen('broom')")
        look.picture("view-perceived-later")
        assert not look.problems
        leave.set()
