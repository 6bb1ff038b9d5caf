"""Who draws in a file asks its server, and is told what is in the file."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("nicegui")

import aiohttp

from taskmatrix.studio.design.document import Document
from taskmatrix.studio.design.server import DesignServer

from .test_edits import TEXT

PATIENCE = 60.0  # [s]
TIMED = """import taskmatrix as tm
from taskmatrix.behaviors import Timer


class Wait(tm.Machine):
    how_long = tm.Parameter(float, doc="[s]")
    wait = tm.State(Timer, duration=how_long, final=True)
    transitions = (tm.start(wait),)
"""


SETTING = {"robot": "mannequin", "world": "sparse", "sim": "kinematic", "seed": 0, "view": False, "machine": "Wait"}


class Asker:
    """Somebody at the page."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, address: str) -> None:
        self.socket, self.address = socket, address

    async def ask(self, **facts: Any) -> None:
        await self.socket.send_json(facts)

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next of its kind that is told."""
        while True:
            told: dict[str, Any] = await asyncio.wait_for(self.socket.receive_json(), PATIENCE)
            if told["kind"] == kind:
                return told


def asked(path: Path, work: Callable[[Asker], Awaitable[None]], text: str = TEXT) -> None:
    """Do something at the page of a file."""
    path.write_text(text)

    async def serve() -> None:
        server = DesignServer(Document(path))
        address = await server.start()
        try:
            async with (
                aiohttp.ClientSession() as session,
                session.ws_connect(f"{address}stream", origin=address[:-1]) as socket,
            ):
                await work(Asker(socket, address))
        finally:
            await server.close()

    asyncio.run(serve())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "help.py"


def test_a_program_is_told_with_what_can_be_put_into_it(path: Path) -> None:
    async def work(asker: Asker) -> None:
        known = await asker.hear("known")
        assert {"Timer", "Pickup"} <= {each["name"] for each in known["catalogue"]}
        told = await asker.hear("program")
        assert (told["machine"], told["text"]) == ("Ensure", TEXT)
        assert [each["name"] for each in told["states"]] == ["look", "fetch", "hold"]
        assert told["written"] == {"object": "tm.Parameter(str, doc='id of the object')"}
        assert "ensure/look" in told["svg"]

    asked(path, work)


def test_edits_are_in_the_file_and_refusals_are_not(path: Path) -> None:
    async def work(asker: Asker) -> None:
        await asker.ask(do="edit", machine="Ensure", edits=[["rename", ["hold", "keep"], {}]])
        await asker.hear("program")
        assert [each["name"] for each in (await asker.hear("program"))["states"]] == ["look", "fetch", "keep"]
        after = path.read_text()
        assert after == TEXT.replace("hold = tm", "keep = tm").replace("tm.start(hold", "tm.start(keep")
        for edits in ([["remove_state", ["nobody"], {}]], [["no_such", [], {}]], [["rename", [], {}]], 3):
            await asker.ask(do="edit", machine="Ensure", edits=edits)
            assert (await asker.hear("refused"))["why"]
        await asker.ask(do="fly")
        assert "fly" in (await asker.hear("refused"))["why"]
        assert path.read_text() == after
        await asker.ask(do="undo")
        await asker.hear("program")
        assert path.read_text() == TEXT

    asked(path, work)


def test_a_machine_is_added_and_shown(path: Path) -> None:
    async def work(asker: Asker) -> None:
        await asker.ask(do="class", of="Machine", name="Other", doc="Do more.")
        await asker.hear("program")
        told = await asker.hear("program")
        assert (told["machine"], told["machines"]) == ("Other", ["Ensure", "Other"])
        assert path.read_text() == TEXT + '\n\nclass Other(tm.Machine):\n    """Do more."""\n'

    asked(path, work)


def test_a_file_changed_from_outside_is_told_and_what_was_typed_meanwhile_is_refused(path: Path) -> None:
    async def work(asker: Asker) -> None:
        await asker.hear("program")
        path.write_text(TEXT.replace("look", "gaze"))
        await asker.hear("outside")
        assert (await asker.hear("program"))["states"][0]["name"] == "gaze"
        await asker.ask(do="write", text=TEXT + "# mine\n", base=TEXT)
        assert "changed from outside while you typed" in (await asker.hear("refused"))["why"]
        await asker.ask(do="write", text=TEXT + "# mine\n", base=None)
        await asker.hear("program")
        assert (await asker.hear("program"))["text"] == path.read_text() == TEXT + "# mine\n"

    asked(path, work)


@pytest.mark.slow
def test_what_is_drawn_runs_in_a_process_of_its_own(path: Path) -> None:
    """What it prints is told; nothing is left beside the file."""

    async def work(asker: Asker) -> None:
        setting = {**SETTING, "breakpoints": []}
        await asker.ask(do="run", parameters={"how_long": "0.1"}, **setting)
        told = await asker.hear("run")
        await asker.ask(do="run", parameters={}, **setting)
        assert "a run is going on" in (await asker.hear("refused"))["why"]
        while told["running"]:
            told = await asker.hear("run")
        assert told["code"] == 0, told["text"]
        assert "wait/wait" in told["text"]
        assert "task-successful" in told["text"]
        assert not (path.parent / "out").exists()

    asked(path, work, TIMED)


@pytest.mark.slow
def test_a_run_is_paused_at_a_breakpoint_and_goes_on_from_the_page(path: Path) -> None:
    """It is stepped, too, and ends by itself; where nothing is paused, that is said."""

    async def work(asker: Asker) -> None:
        await asker.ask(do="resume")
        assert "no run stands still" in (await asker.hear("refused"))["why"]
        await asker.ask(do="run", parameters={"how_long": "0.1"}, breakpoints=["wait/wait"], **SETTING)
        for paused, then in (("paused: breakpoint: state wait/wait", "step"), ("paused: one step", "resume")):
            while paused not in (told := await asker.hear("run"))["text"]:
                assert told["running"], told["text"]
            assert "success" not in told["text"]
            await asker.ask(do=then)
        while told["running"]:
            told = await asker.hear("run")
        assert told["code"] == 0, told["text"]

    asked(path, work, TIMED)


@pytest.mark.slow
def test_what_ran_runs_again_as_it_is_drawn_now(path: Path) -> None:
    """In the same process: where it stood still when it was changed, and after its end with what was changed meanwhile.

    A file that cannot be loaded is told, and runs when it can be.
    """

    async def until(asker: Asker, words: str) -> dict[str, Any]:
        while words not in (told := await asker.hear("run"))["text"]:
            assert told["running"] or told["page"], told["text"]
        return told

    async def work(asker: Asker) -> None:
        await asker.ask(do="again", breakpoints=[], **{"from": "start"})
        assert "nothing runs again" in (await asker.hear("refused"))["why"]
        await asker.ask(do="run", parameters={"how_long": "0.1"}, breakpoints=["wait/wait"], **SETTING)
        page = (await until(asker, "paused: breakpoint: state wait/wait"))["page"]
        path.write_text(path.read_text(encoding="utf-8").replace("duration=how_long", "duration=0.3"), encoding="utf-8")
        await asker.ask(do="again", breakpoints=[], **{"from": "stop"})
        told = await until(asker, "success after 0.30 s")
        assert told["page"] == page
        async with (
            aiohttp.ClientSession() as other,
            other.ws_connect(f"{asker.address}stream", origin=asker.address[:-1]) as socket,
        ):
            told = await Asker(socket, asker.address).hear("run")  # as a page that is loaded anew
            assert "success after 0.30 s" in told["text"]
        path.write_text(path.read_text(encoding="utf-8").replace("0.3", "0.3 0.3"), encoding="utf-8")
        await asker.ask(do="again", breakpoints=[], **{"from": "start"})
        while "SyntaxError" not in (await asker.hear("refused"))["why"]:
            pass
        path.write_text(path.read_text(encoding="utf-8").replace("0.3 0.3", "0.4"), encoding="utf-8")
        await asker.ask(do="again", breakpoints=[], **{"from": "start"})
        told = await until(asker, "success after 0.40 s")
        while told["running"]:
            told = await asker.hear("run")
        await asker.ask(do="stop")
        while (told := await asker.hear("run"))["page"]:
            pass
        assert told["code"] == 0

    asked(path, work, TIMED)
