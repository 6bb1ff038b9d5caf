"""The server of the designer's page: its files, and a WebSocket for each who draws."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import logging
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aiohttp import WSMsgType, web

from taskmatrix.core.base.errors import MissingDependencyError, TaskMatrixError, how_to_install
from taskmatrix.robots import robot_descriptions
from taskmatrix.session.plants import plant_names
from taskmatrix.simulation.scenes.world_loader import world_descriptions

from ..shell.connection import Connection
from ..viewer.page_files import TYPES
from ..viewer.security import COOKIE, Security, headers
from . import class_edits, component_edits, edits, grouping
from .document import Document
from .outline import catalogue, components, outline

PAGE = Path(__file__).parent / "page"
LOOK = 0.25  # [s] between two looks at the file
LARGEST = 2_000_000  # [bytes] of a message
LONGEST = 200_000  # [characters] of what a run prints that are shown
PATIENCE = 20.0  # [s] until a run does what it is asked
AGAIN = re.compile(r"^started from the page: .*\n", re.MULTILINE)
VIEW = re.compile(r"^view at (\S+)$", re.MULTILINE)
ENDED = re.compile(r"^(success|failure) after .*\n(?:.*\n)*?the page stays until", re.MULTILINE)
EDITS: Mapping[str, Callable[..., class_edits.Edit]] = {
    each.__name__: each
    for each in (
        class_edits.remove_parameter,
        class_edits.rename,
        class_edits.set_argument,
        class_edits.set_parameter,
        component_edits.add_mode,
        component_edits.add_part,
        component_edits.add_switch,
        component_edits.change_switch,
        component_edits.remove_mode,
        component_edits.remove_part,
        component_edits.remove_switch,
        component_edits.set_frequency,
        edits.add_state,
        edits.add_transition,
        edits.change_transition,
        edits.remove_state,
        edits.remove_transition,
        grouping.group,
    )
}
_log = logging.getLogger(__name__)


class DesignServer:
    """Serves one file to those who draw in it.

    Args:
        document: The file.
        machine: The class that is shown first; the first of the file unless given.
        host: Where to listen: an address or name of this machine.
        port: Where to listen; any that is free unless given.
    """

    def __init__(self, document: Document, machine: str = "", host: str = "127.0.0.1", port: int = 0) -> None:
        self._document, self._machine, self._host, self._port = document, machine, host, port
        self._security = Security(host)
        self._sockets: dict[web.WebSocketResponse, tuple[str, int]] = {}
        self._run: asyncio.subprocess.Process | None = None
        self._page = ""  # address of the page of what runs
        self._over = False  # what ran is over, and its process stays for it to run again
        self._ran: Mapping[str, Any] | None = None  # what was told last of a run
        self._tasks: set[asyncio.Task[None]] = set()
        self._runner: web.AppRunner | None = None
        self._codemirror = _codemirror()

    async def start(self) -> str:
        """Begin to serve; returns the address, with the token if there is one.

        Raises:
            TaskMatrixError: It cannot listen there.
        """
        app = web.Application(middlewares=[self._guard], client_max_size=LARGEST)
        app.router.add_get("/stream", self._stream)
        app.router.add_get("/{path:.*}", self._file)
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except OSError as error:
            await self._runner.cleanup()
            why = os.strerror(error.errno) if error.errno else str(error)
            raise TaskMatrixError(f"the designer cannot listen at {self._host}:{self._port}: {why}") from error
        self._keep(self._watch())
        name = f"[{self._host}]" if ":" in self._host else self._host
        query = f"?token={self._security.token}" if self._security.token else ""
        return f"http://{name}:{self._runner.addresses[0][1]}/{query}"

    async def close(self) -> None:
        """End a run, stop listening, and let everybody go: a page that is let go asks for a new connection at once."""
        self._stop()
        for site in list(self._runner.sites) if self._runner else ():
            await site.stop()
        for task in self._tasks:
            task.cancel()
        for socket in list(self._sockets):
            await socket.close()
        if self._runner is not None:
            await self._runner.cleanup()

    def _keep(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @web.middleware
    async def _guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        """Let only those through who may ask, as the viewer does."""
        security = self._security
        why = "" if request.method in ("GET", "HEAD") else "method"
        why = why or security.wrong_host(request.host)
        if not why and request.path == "/stream":
            why = security.wrong_origin(request.headers.get("Origin"), request.host)
        why = why or security.wrong_token(request.cookies, request.query)
        if why:
            _log.warning("refused %s from %s: %s", ascii(request.path)[:80], request.remote, why)
            return web.Response(status=403, text=f"refused: {why}\n", headers=headers("127.0.0.1"))
        answer: web.StreamResponse = await handler(request)
        if not answer.prepared:
            answer.headers.update(headers(request.host))
        return answer

    async def _file(self, request: web.Request) -> web.StreamResponse:
        if request.path == "/" and "token" in request.query:
            moved = web.Response(status=302, headers={"Location": "/"})
            moved.set_cookie(COOKIE, self._security.token, httponly=True, samesite="Strict", path="/")
            return moved
        folder, name = PAGE, request.path.strip("/") or "index.html"
        if name.startswith("codemirror/"):
            folder, name = self._codemirror, name.removeprefix("codemirror/")
        path = folder / name
        if "/" in name or path.suffix not in TYPES or not path.is_file():
            return web.Response(status=404, text="not found\n")
        return web.Response(body=path.read_bytes(), content_type=TYPES[path.suffix], charset="utf-8")

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(heartbeat=20.0, max_msg_size=LARGEST, compress=False)
        await socket.prepare(request)
        self._sockets[socket] = (self._machine, 0)
        known = {"robots": sorted(robot_descriptions()), "worlds": sorted(world_descriptions()), "sims": plant_names()}
        await _tell(socket, {"kind": "known", "catalogue": catalogue(), "components": components(), **known})
        await self._show(socket)
        if self._ran is not None:
            await _tell(socket, self._ran)
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._hear(socket, message.data)
        finally:
            del self._sockets[socket]
        return socket

    async def _hear(self, socket: web.WebSocketResponse, data: str) -> None:
        """Do what is asked; what is refused is told to whom asked."""
        try:
            asked = json.loads(data)
            self._do(socket, asked)
        except TaskMatrixError as error:
            await _tell(socket, {"kind": "refused", "why": str(error)})
            await self._show(socket)
        except (ValueError, TypeError, KeyError, AttributeError, SyntaxError) as error:
            await _tell(socket, {"kind": "refused", "why": f"not understood: {error}"})
        else:
            if asked["do"] == "show":
                await self._show(socket)
            else:
                await self._show_all()

    def _do(self, socket: web.WebSocketResponse, asked: Mapping[str, Any]) -> None:
        document, what = self._document, asked["do"]
        if what == "show":
            self._sockets[socket] = (str(asked["machine"]), int(asked["depth"]))
        elif what == "edit":
            self._sockets[socket] = (str(asked["machine"]), self._sockets[socket][1])  # others may come above it
            document.edit(str(asked["machine"]), *_all(asked["edits"]))
        elif what == "transition":
            written = edits.transition(**asked["transition"])
            document.edit(str(asked["machine"]), *_all(asked.get("edits", [])), edits.add_transition(written))
        elif what == "class":
            document.add_class(str(asked["of"]), str(asked["name"]), str(asked["doc"]))
            self._sockets[socket] = (str(asked["name"]), 0)
        elif what == "write":
            document.take_up()
            if asked["base"] not in (None, document.text):
                raise TaskMatrixError("the file was changed from outside while you typed; what you typed is kept")
            document.write(str(asked["text"]))
        elif what == "undo":
            document.undo()
        elif what == "redo":
            document.redo()
        elif what == "run":
            self._start_run(asked)
        elif what == "stop":
            self._stop()
        elif what in ("resume", "step"):
            if not self._page or self._over:
                raise TaskMatrixError("no run stands still: set a breakpoint on a state, and run")
            self._keep(self._say(lambda run: run.say(what)))
        elif what == "again":
            if not self._page:
                raise TaskMatrixError("nothing runs again: set a breakpoint on a state, or watch the robot, and run")
            begin, states = str(asked["from"]), [str(state) for state in asked["breakpoints"]]
            self._keep(self._say(lambda run: _again(run, begin, states)))
        else:
            raise ValueError(f"there is nothing called {what!r} to do")

    def _start_run(self, asked: Mapping[str, Any]) -> None:
        if self._run is not None and self._run.returncode is None and not self._over:
            raise TaskMatrixError("a run is going on; stop it first")
        self._stop()
        folder, module = _importable(self._document.path.resolve())
        command = [sys.executable, "-m", "taskmatrix", "run", f"{module}:{asked['machine']}"]
        command += ["--robot", str(asked["robot"]), "--world", str(asked["world"]), "--seed", str(int(asked["seed"]))]
        command += ["--sim", str(asked["sim"])]
        command += [word for name, value in asked["parameters"].items() for word in ("--param", f"{name}={value}")]
        breaks = [word for state in asked["breakpoints"] for word in ("--break", str(state))]
        command += ["--view", "--no-open", *breaks] if breaks or asked["view"] else ["--no-pictures"]
        command += ["--paused"] if asked["view"] else []
        self._keep(self._running(command, folder))

    async def _running(self, command: list[str], folder: Path) -> None:
        """Run in a process of its own, and tell what it prints; one with a page stays for what is to run again."""
        pipe = asyncio.subprocess.PIPE
        environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"}
        quiet, both = asyncio.subprocess.DEVNULL, asyncio.subprocess.STDOUT
        with TemporaryDirectory() as out:  # for its event log, which is shown as it comes
            run = self._run = await asyncio.create_subprocess_exec(
                *command, "--out", out, cwd=folder, env=environment, stdin=quiet, stdout=pipe, stderr=both
            )
            self._page, self._over = "", False
            text, code, output = "", None, run.stdout
            told = {"kind": "run", "running": True, "text": "", "page": "", "code": None}
            await self._tell_run(told)
            while output is not None and (data := await output.read(4096)):
                text = AGAIN.split((text + data.decode(errors="replace"))[-LONGEST:])[-1]
                page, ended = VIEW.search(text), ENDED.search(text)
                code = int(ended[1] != "success") if ended else None
                told |= {"running": not ended, "text": text, "code": code}
                if self._run is run:
                    self._page, self._over = page[1] if page else self._page, bool(ended)
                    await self._tell_run(told | {"page": self._page})
            last = await run.wait()
        if self._run is run:
            self._page, self._over = "", False
            await self._tell_run(told | {"running": False, "code": last if code is None else code})

    async def _tell_run(self, facts: Mapping[str, Any]) -> None:
        """Tell how a run stands, to who opens the page later as well."""
        self._ran = facts
        await self._tell_all(facts)

    async def _say(self, what: Callable[[Connection], None]) -> None:
        """Ask what stands still, or is over, for something."""
        try:
            await asyncio.to_thread(_ask, self._page, what)
        except TaskMatrixError as error:
            await self._tell_all({"kind": "refused", "why": str(error)})

    def _stop(self) -> None:
        if self._run is not None and self._run.returncode is None:
            with suppress(ProcessLookupError):
                self._run.terminate()

    async def _watch(self) -> None:
        """Take up what is changed from outside."""
        told = ""
        while True:
            await asyncio.sleep(LOOK)
            try:
                if self._document.take_up():
                    await self._tell_all({"kind": "outside"})
                    await self._show_all()
                elif told:
                    await self._tell_all({"kind": "refused", "why": ""})  # what was said is over
                told = ""
            except TaskMatrixError as error:
                if str(error) != told:
                    told = str(error)
                    await self._tell_all({"kind": "refused", "why": told})

    async def _show(self, socket: web.WebSocketResponse) -> None:
        machine, depth = self._sockets[socket]
        await _tell(socket, {"kind": "program", **outline(self._document, machine, depth)})

    async def _show_all(self) -> None:
        for socket in list(self._sockets):
            await self._show(socket)

    async def _tell_all(self, facts: Mapping[str, Any]) -> None:
        for socket in list(self._sockets):
            await _tell(socket, facts)


def _ask(page: str, what: Callable[[Connection], None]) -> None:
    with Connection(page) as connection:
        what(connection)


def _again(run: Connection, begin: str, states: Sequence[str]) -> None:
    """Let what runs, or did, run again as it is drawn now from where it began or stood still."""

    def status() -> str:
        return str(run.sections["run"].get("status", ""))

    if status() != "idle":
        run.say("stop")
        run.wait(lambda: status() == "idle", PATIENCE)
    before = {str(point["what"]) for point in run.sections["run"]["breakpoints"] if point["on"] == "state"}
    for state in before ^ set(states):
        run.say("break", on="state", what=state, enabled=state in states)
    run.say("again", **{"from": begin})
    if not run.wait(lambda: status() != "idle", PATIENCE):
        raise TaskMatrixError(run.refusals.popleft() if run.refusals else "the run does not begin again")


def _importable(path: Path) -> tuple[Path, str]:
    """The folder from which Python imports a file, and the name of its module there."""
    folder, module = path.parent, path.stem
    while (folder / "__init__.py").is_file():
        folder, module = folder.parent, f"{folder.name}.{module}"
    return folder, module


def _all(asked: Any) -> list[class_edits.Edit]:
    return [EDITS[name](*given, **named) for name, given, named in asked]


async def _tell(socket: web.WebSocketResponse, facts: Mapping[str, Any]) -> None:
    with suppress(ConnectionError):
        await socket.send_str(json.dumps(facts))


def _codemirror() -> Path:
    """The folder of CodeMirror, in NiceGUI.

    Raises:
        MissingDependencyError: NiceGUI is not installed, or one that keeps it elsewhere.
    """
    spec = importlib.util.find_spec("nicegui")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        found = Path(folder) / "elements/codemirror/dist"
        if (found / "index.js").is_file():
            return found
    needs = "the designer needs CodeMirror, which it takes from NiceGUI 3.18 or a later 3; install it "
    raise MissingDependencyError(needs + how_to_install("design"))
