"""The page in a real Chromium, on recordings: what a person sees and can do."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pinocchio as pin
import pytest

import taskmatrix as tm
from taskmatrix.behaviors import Pickup
from taskmatrix.core.base.events import Event
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.studio.recording import Recording

from .browser import PATIENCE, Looker, browsing, overlaps, serving
from .tales import Tale, pickup

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.slow, pytest.mark.pictures, pytest.mark.xdist_group("browser")]
IDENTITY = np.eye(4).ravel().tolist()
IN = "\u203a"  # between the parts of a path
GROUPS = (
    *("header > *", ".now-line > *", "footer > *", "#transport > *", "#ends > *", "#layers > *", "#log-tools > *"),
    *("#plots-tools > *", "#side-tabs > *", "#side-panel > .tabs, #side-panel > .tools > *"),
    "#program-panel > .tabs, #program-tools > *",
)
JOINT = {"name": "a", "parent": -1, "type": "revolute", "axis": [0, 0, 1], "q": 0, "factor": 1, "offset": 0}
LINK = {"name": "hand", "joint": 0, "X_JL": IDENTITY}
LIMITS = {"names": ["a", "b"], "lower": [-1, -1], "upper": [1, 1]}
NOTHING: dict[str, Any] = {"visuals": [], "spheres": [], "view": None, "hands": {}}
ROBOT = {"joints": [{**JOINT, "X_PJ": IDENTITY}], "links": [LINK], **LIMITS, **NOTHING}
SCENE = {"robot": ROBOT, "objects": [], "grounds": [], "bounds": [-1, -1, 1, 1], "meshes": []}
HOSTILE = "<img src=x onerror=document.title='owned'>"
HOSTILE_DRAWING = """
<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script>x()</script><foreignObject/><g style="fill:red">
<rect fill="url(https://evil)" onclick="x()"/><a href="javascript:x()"><path d="M0,0"/></a></g></svg>
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


def served(recording: Recording) -> Any:
    from taskmatrix.studio.viewer.replay import replayed  # noqa: PLC0415 - needs aiohttp

    return serving(replayed(recording), recording.scene_gz)


def told(tale: Tale, port: int = 0) -> Any:
    from taskmatrix.studio.viewer.timeline import Timeline  # noqa: PLC0415 - needs aiohttp
    from taskmatrix.studio.viewer.viewer import Run  # noqa: PLC0415 - needs aiohttp

    timeline = Timeline()
    for frame in tale.frames():
        timeline.add(frame)
    hello = {"header": {"robot": "gantry"}, "behaviors": [], "objects": [], "joints": ["a", "b"]}
    return serving(Run(timeline, hello), gzip.compress(json.dumps(SCENE).encode()), port)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """A pickup that succeeds."""
    path = tmp_path_factory.mktemp("good") / "pickup.mcap"
    with tm.simulate("mannequin", world="sparse", seed=1) as session:
        session.record(path)
        assert session.run(Pickup(object="vacuum")).success
    return Recording.open(path)


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """A pickup that fails: a stool appears where the hand is, and goes with it."""
    path = tmp_path_factory.mktemp("bad") / "pickup.mcap"
    with tm.simulate("mannequin", world="sparse", seed=1) as session:

        def disturb(event: Event) -> None:
            if event.kind == "step" and event.time > 2.5:
                X_WO = np.eye(4)
                X_WO[:3, 3] = hand_pose(session.robot, "left", np.asarray(event.data["q"]))[:3, 3] - [0.0, 0.0, 0.3]
                session.plant.set_pose("stool", X_WO)

        session.events.subscribe(disturb)
        session.record(path)
        assert not session.run(Pickup(object="vacuum")).success
    return Recording.open(path)


def test_links_are_where_the_robot_has_them(browser: Browser, good: Recording) -> None:
    """The page's forward kinematics are those of Pinocchio."""
    with served(good) as address, tm.simulate("mannequin", world="sparse") as session:
        look = Looker(browser, address)
        look.go_to(0.5)
        look.until("taskmatrix.store.time < taskmatrix.store.end && taskmatrix.inspect().poses.length > 0")
        look.page.wait_for_timeout(500)
        names = look.ask("taskmatrix.store.scene.robot.links.map((link) => link.name)")
        poses, q = look.ask("[taskmatrix.inspect().poses, taskmatrix.inspect().q]")
        model = session.robot.model
        data = model.createData()
        pin.framesForwardKinematics(model, data, session.robot.expand(np.array(q)))
        for name, pose in zip(names, poses, strict=True):
            expected = data.oMf[model.getFrameId(name, pin.FrameType.BODY)].homogeneous
            np.testing.assert_allclose(np.reshape(pose, (4, 4)), expected, atol=1e-6)
        assert not look.problems


def test_a_newcomer_reads_what_runs(browser: Browser, good: Recording) -> None:
    """The line at the top says which state runs, and the drawing has it lit."""
    with served(good) as address:
        look = Looker(browser, address)
        look.until("document.querySelector('#running').textContent === 'Pickup succeeded'")
        look.go_to(0.5)
        look.until(f"document.querySelector('#running').textContent.startsWith('pickup {IN} reach: moving')")
        look.until("taskmatrix.lit().includes('pickup/reach')")
        look.until("taskmatrix.store.sections.plan !== null")
        look.picture("view-pickup")
        assert not look.problems


def test_a_recording_plays_to_its_end(browser: Browser, good: Recording) -> None:
    """Space plays it, and the last row of the list is in sight when it is done."""
    with served(good) as address:
        look = Looker(browser, address)
        look.page.select_option("select[aria-label=Speed]", "5")
        look.page.keyboard.press("Space")
        look.until("taskmatrix.store.playing === 5 && taskmatrix.store.time < taskmatrix.store.end")
        look.until("taskmatrix.store.time === taskmatrix.store.end && taskmatrix.store.playing === null")
        look.until("!document.querySelector('.log-row.later:not([hidden])')")
        assert "success" in look.says("#log")


def test_scrubbing_back_goes_back_everywhere(browser: Browser, good: Recording) -> None:
    """List, drawing, headline and scene are those of the time."""
    with served(good) as address:
        look = Looker(browser, address)
        look.until("taskmatrix.inspect().poses.length > 0")
        end = look.ask("taskmatrix.inspect().poses")
        look.go_to(0.02)
        look.until("taskmatrix.store.time < 0.5")
        look.until(f"document.querySelector('#running').textContent.startsWith('pickup {IN} reach: planning')")
        look.until("document.querySelector('.log-row.later:not([hidden])') !== null")
        look.until("document.querySelector('[data-state=\"pickup/grasp\"]').getAttribute('class') === ''")
        assert look.ask("taskmatrix.inspect().poses") != end
        look.page.keyboard.press("Shift+ArrowRight")
        look.until("taskmatrix.store.time > 1")


def test_a_newcomer_reads_why_it_failed(browser: Browser, bad: Recording) -> None:
    """One sentence says it, the chain is there in full, and a click on a fact shows the pair in the scene."""
    with served(bad) as address:
        look = Looker(browser, address, 1600, 1000, dark=True)
        look.until("document.querySelector('#running').textContent === 'Pickup failed'")
        why = look.says("#why")
        assert why.startswith("Reach failed at ")
        assert "left_hand" in why
        assert "stool" in why
        look.until("document.querySelector('[data-state=\"pickup/reach\"]').getAttribute('class').includes('failed')")
        assert look.page.locator(".failure").first.locator(".because").count() >= 2
        before = look.ask("taskmatrix.inspect().camera")
        look.click("button[data-fact=pair]")
        look.until("taskmatrix.inspect().names.join() === 'left_hand,stool'")
        look.page.wait_for_timeout(1000)
        assert look.ask("taskmatrix.inspect().camera") != before
        look.picture("view-failure")
        look.page.keyboard.press("Escape")
        look.until("taskmatrix.inspect().names.length === 0")
        assert not look.problems


def test_rows_are_filtered_and_lead_to_their_time(browser: Browser, good: Recording) -> None:
    """By kind and by text; a click on a row goes to when it happened."""
    with served(good) as address:
        look = Looker(browser, address)
        look.page.fill("#log-filter", "start grasp")
        look.until("document.querySelectorAll('.log-row:not([hidden])').length === 1")
        look.click(".log-row")
        look.until("taskmatrix.store.time < taskmatrix.store.end")
        assert look.says(".log-row").split()[0] == f"{look.ask('taskmatrix.store.time'):.2f}"
        look.click("[data-group=transitions]")
        look.until("document.querySelectorAll('.log-row:not([hidden])').length === 0")


def test_a_state_says_what_it_runs_with(browser: Browser, good: Recording) -> None:
    """A click on a box opens it, with the parameters that it got from others."""
    with served(good) as address:
        look = Looker(browser, address)
        look.click("[data-path='pickup/grasp']")
        look.until("document.querySelector('.detail').textContent.includes('vacuum')")
        assert f"pickup {IN} grasp" in look.says(".detail")
        assert "hand" in look.says(".detail")


def test_joints_are_plotted(browser: Browser, good: Recording) -> None:
    """Those that a plan moves most by themselves, any other when it is chosen."""
    with served(good) as address:
        look = Looker(browser, address)
        look.until("document.querySelectorAll('.plot').length === 3")  # of its last plan, as it stands at its end
        look.go_to(0.5)
        name = look.ask("taskmatrix.store.scene.robot.names[5]")
        look.page.select_option("#plots-tools select", name)
        look.until("document.querySelectorAll('.plot').length === 4")
        pixels = "canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data"
        drawn = f"[...document.querySelectorAll('.plot canvas')].every((canvas) => {pixels}.some(Boolean))"
        look.until(drawn)


def test_nothing_told_is_run(browser: Browser) -> None:
    """Names and texts are shown as they are, whatever they look like."""
    tale = pickup(success=False)
    tale.tell("note", HOSTILE, text=HOSTILE)
    with told(tale) as address:
        look = Looker(browser, address)
        look.click("[data-group=other]")
        look.page.fill("#log-filter", "onerror")
        look.until("document.querySelectorAll('.log-row:not([hidden])').length === 1")
        assert HOSTILE in look.says(".log-row")
        assert look.ask("document.querySelectorAll('img').length") == 0
        assert not look.problems
        look.page.evaluate("text => (globalThis.given = text)", HOSTILE_DRAWING.strip())
        kept = look.ask("import('/svg.js').then(({ drawing }) => drawing(given).outerHTML)")
        assert "".join(kept.split()) == "<svg><g><rect></rect></g></svg>"
        assert look.ask("document.title") != "owned"


def test_a_lost_connection_is_said_and_comes_back(browser: Browser) -> None:
    """The page says that it is alone, connects again when it can, and has no row twice."""
    with told(pickup()) as address:
        look = Looker(browser, address)
        rows = look.ask("taskmatrix.store.rows.length")
        port = int(address.rsplit(":", 1)[1].strip("/"))
    look.until("!document.querySelector('#connection').hidden")
    assert "No connection" in look.says("#running")
    look.picture("view-lost")
    with told(pickup(), port):
        look.until("taskmatrix.store.connected && document.querySelector('#connection').hidden")
        look.until(f"taskmatrix.store.rows.length === {rows}")
        look.until("document.querySelector('#running').textContent === 'Pickup succeeded'")


def test_no_text_is_cut_or_lies_on_another(browser: Browser, bad: Recording) -> None:
    """At both sizes the parts of header, tools and footer stand beside each other."""
    with served(bad) as address:
        for width, height in ((1280, 800), (1600, 1000)):
            look = Looker(browser, address, width, height)
            look.until("!document.querySelector('#why').hidden")
            assert look.ask(overlaps(*GROUPS)) == []
            assert look.ask(
                "document.documentElement.scrollWidth <= innerWidth && document.body.scrollHeight <= innerHeight"
            )


def test_pictures_are_saved(browser: Browser, good: Recording, tmp_path: Path) -> None:
    """The scene as a PNG."""
    with served(good) as address:
        look = Looker(browser, address)
        look.until("taskmatrix.inspect().poses.length > 0")
        with look.page.expect_download() as download:
            look.click("#layers button[aria-label='Save picture']")
        download.value.save_as(tmp_path / "scene.png")
    assert (tmp_path / "scene.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "scene.png").stat().st_size > 5000


def test_films_are_saved(browser: Browser, good: Recording, tmp_path: Path) -> None:
    """Of a recording from beginning to end, a picture for each thirtieth of a second; or until one has seen enough."""
    with served(good) as address:
        look = Looker(browser, address)
        look.page.select_option("select[aria-label=Speed]", "5")
        with look.page.expect_download(timeout=1000 * PATIENCE) as download:
            look.click("#layers button[aria-label=Film]")
            look.until("taskmatrix.store.time > 0 && taskmatrix.store.time < 2")
            assert look.ask("document.querySelector('[aria-label=Film]').getAttribute('aria-pressed')") == "true"
        assert look.ask("taskmatrix.store.time === taskmatrix.store.end")
        assert download.value.suggested_filename == "pickup-mannequin.webm"
        download.value.save_as(tmp_path / "film.webm")
        with look.page.expect_download(timeout=1000 * PATIENCE) as half:
            look.click("#layers button[aria-label=Film]")
            look.until("taskmatrix.store.time > 0.5 && taskmatrix.store.time < 2")
            look.click("#layers button[aria-label=Film]")
        half.value.save_as(tmp_path / "half.webm")
        look.page.evaluate("globalThis.VideoEncoder = undefined")  # as where runs go on: what is seen is filmed
        look.page.select_option("select[aria-label=Speed]", "0.5")
        look.go_to(0.8)
        look.click("button.play")
        look.until("taskmatrix.store.playing === 0.5")
        with look.page.expect_download(timeout=1000 * PATIENCE) as present:
            look.click("#layers button[aria-label=Film]")
        present.value.save_as(tmp_path / "present.webm")
        assert look.ask("taskmatrix.store.time === taskmatrix.store.end")
        assert not look.problems
    assert (tmp_path / "present.webm").read_bytes().startswith(b"\x1aE\xdf\xa3")
    width, height, duration = seen(browser, tmp_path / "film.webm")
    assert width > 300
    assert height > 250
    assert duration == pytest.approx(good.duration / 5, abs=0.1)
    assert 0 < seen(browser, tmp_path / "half.webm")[2] < duration


def seen(browser: Browser, film: Path) -> tuple[float, float, float]:
    """Width and height [px] of a film, and how long it is [s], as a browser has it that has gone to its end."""
    page = browser.new_page()
    page.set_content("<video muted></video>")
    told: list[float] = page.evaluate(
        """async (data) => {
          const film = document.querySelector("video");
          film.src = `data:video/webm;base64,${data}`;
          await new Promise((resolve, reject) => Object.assign(film, { onloadeddata: resolve, onerror: reject }));
          const gone = new Promise((resolve) => (film.onseeked = resolve));
          film.currentTime = film.duration;
          await gone;
          return [film.videoWidth, film.videoHeight, film.duration];
        }""",
        base64.b64encode(film.read_bytes()).decode(),
    )
    page.close()
    return told[0], told[1], told[2]


@pytest.mark.parametrize("size", [(1024, 700), (1440, 900)])
def test_a_panel_fills_the_window_and_goes_back(browser: Browser, good: Recording, size: tuple[int, int]) -> None:
    """Each of them, by its button, and with Escape."""
    with served(good) as address:
        look = Looker(browser, address, *size)
        whole = look.page.locator("main").bounding_box()
        for name in ("scene", "program", "side", "plots", "log"):
            panel = look.page.locator(f"#{name}-panel")
            before = panel.bounding_box()
            look.click(f"#{name}-panel .enlarge")
            assert panel.bounding_box() == pytest.approx(whole, abs=0.5)
            look.page.keyboard.press("Escape")
            assert panel.bounding_box() == before
        look.picture(f"view-{size[0]}")
        assert not look.problems


def test_the_legend_says_what_the_drawing_means(browser: Browser, good: Recording) -> None:
    """It is shown when somebody asks, and the drawing still fits above it."""
    with served(good) as address:
        look = Looker(browser, address)
        legend = look.page.locator(".machine-legend")
        assert not legend.is_visible()
        look.click("#program-tools button[aria-label=Legend]")
        assert "dashed: it may fail" in look.says(".machine-legend")
        look.picture("view-legend")
        above, below = look.page.locator(".drawing").bounding_box(), legend.bounding_box()
        assert above is not None
        assert below is not None
        assert above["y"] + above["height"] <= below["y"] + 0.5
        look.click("#program-tools button[aria-label=Legend]")
        assert not legend.is_visible()
        assert not look.problems
