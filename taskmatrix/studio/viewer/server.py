"""The server of the page: files, the scene, and a WebSocket for each viewer."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Any

import orjson
from aiohttp import WSMsgType, web

from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.session.live.frames import EVENT, LAST_MATTERS, REFUSAL, STATUS, Frame

from .page_files import TYPES, page_files
from .security import COOKIE, Security, headers
from .side_by_side import Beside, Shown
from .viewer import Run, Viewer
from .watch import Watch

MOST_VIEWERS = 20
HEARTBEAT = 20.0  # [s] after which one that is silent is asked whether it still lives
LARGEST = 64_000  # [bytes] of a message
PAGE, BOTH = "/index.html", "/compare.html"  # of one run, and of two side by side
_EMPTY: Mapping[str, Any] = {"paused_by": "", "breakpoints": [], "adjusted": [], "again": False}
STATUS_AT_FIRST: Mapping[str, Any] = {"speed": None, "real_time": False, **_EMPTY}
_log = logging.getLogger(__name__)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Server:
    """Serves a run or a recording to browsers.

    Args:
        run: What is served.
        scene: ``scene.json``, gzipped or not.
        now: A clock [s].
        host: Where to listen: an address or name of this machine.
        port: Where to listen; any that is free unless given.
        token: See :class:`~.security.Security`.
        beside: A second recording, if two are shown side by side.

    Attributes:
        viewers: Those who look, by number.
        address: Where to find the page, with the token if there is one; once it serves.
    """

    def __init__(
        self,
        run: Run,
        scene: bytes,
        now: Callable[[], float],
        host: str = "127.0.0.1",
        port: int = 0,
        token: str | None = None,
        beside: Beside | None = None,
    ) -> None:
        self.viewers: dict[int, Viewer] = {}
        self.address = ""
        self._run, self._now, self._host, self._port, self._beside = run, now, host, port, beside
        self._shown = {"0": Shown(run, scene), **({"1": beside.shown} if beside else {})}
        self._security = Security(host, token)
        self._files = page_files()
        self._number = 0
        self._status: dict[str, Any] = {**STATUS_AT_FIRST, **({} if run.live else {"status": "recorded"})}
        self._status_version = 0
        self._runner: web.AppRunner | None = None

    async def start(self) -> str:
        """Begin to serve; returns the address.

        Raises:
            TaskMatrixError: It cannot listen there.
        """
        app = web.Application(middlewares=[self._guard], client_max_size=LARGEST)
        app.router.add_get("/stream", self._stream)
        app.router.add_get("/scene.json", self._serve_scene)
        app.router.add_get("/differences.json", self._serve_differences)
        app.router.add_get("/{path:.*}", self._serve_file)
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._host, self._port)
        try:
            await site.start()
        except OSError as error:
            await self._runner.cleanup()
            why = os.strerror(error.errno) if error.errno else str(error)
            raise TaskMatrixError(f"the viewer cannot listen at {self._host}:{self._port}: {why}") from error
        port = self._runner.addresses[0][1]
        name = f"[{self._host}]" if ":" in self._host else self._host
        query = f"?token={self._security.token}" if self._security.token else ""
        self.address = f"http://{name}:{port}/{query}"
        return self.address

    async def close(self) -> None:
        """Stop listening, and let all viewers go: a page that is let go asks for a new connection at once."""
        for site in list(self._runner.sites) if self._runner else ():
            await site.stop()
        for viewer in list(self.viewers.values()):
            await viewer.socket.close()
        if self._runner is not None:
            await self._runner.cleanup()

    def take(self, frame: Frame) -> None:
        """Take in what a run tells: an event, how it stands, or what it refuses."""
        if frame.kind == EVENT or frame.kind in LAST_MATTERS:
            self._run.timeline.add(frame)
        elif frame.kind == STATUS:
            self._status, self._status_version = orjson.loads(frame.body), self._status_version + 1
        elif frame.kind == REFUSAL:
            refusal = orjson.loads(frame.body)
            viewer = self.viewers.get(refusal["client"])
            if viewer is not None:
                viewer.refuse(refusal["why"])

    def status(self) -> tuple[Hashable, Mapping[str, Any]]:
        """How the run stands, beyond what its events say, with a version."""
        return self._status_version, self._status

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let only those through who may ask; every answer tells the browser to be strict."""
        security, why = self._security, ""
        if request.method not in ("GET", "HEAD"):
            why = "method"
        why = why or security.wrong_host(request.host)
        if not why and request.path == "/stream":
            why = security.wrong_origin(request.headers.get("Origin"), request.host)
        why = why or security.wrong_token(request.cookies, request.query)
        if why:
            said = ascii(request.headers.get(why.capitalize(), ""))[:80] if why in ("host", "origin") else ""
            asked = ascii(f"{request.method} {request.path}")[1:81]
            _log.warning("refused %s from %s: %s %s", asked, request.remote, why, said)
            return web.Response(status=403, text=f"refused: {why}\n", headers=headers("127.0.0.1"))
        try:
            answer = await handler(request)
        except web.HTTPException as error:
            error.headers.update(headers(request.host))
            raise
        if not answer.prepared:
            beside = self._beside is not None
            strict = headers(
                request.host, frames=beside and request.path == "/", framed=beside and request.path == PAGE
            )
            answer.headers.update(strict)
        return answer

    def _asked(self, request: web.Request) -> Shown:
        """What of two that are shown side by side is asked for; the first unless the query says otherwise."""
        shown = self._shown.get(request.query.get("run", "0"))
        if shown is None:
            raise web.HTTPNotFound
        return shown

    async def _serve_file(self, request: web.Request) -> web.StreamResponse:
        path = self._files.get(BOTH if self._beside and request.path == "/" else request.path)
        if path is None:
            raise web.HTTPNotFound
        if request.path == "/" and "token" in request.query:
            moved = web.HTTPFound("/")
            moved.set_cookie(COOKIE, self._security.token, httponly=True, samesite="Strict", path="/")
            raise moved
        return web.Response(body=path.read_bytes(), content_type=TYPES[path.suffix], charset="utf-8")

    async def _serve_scene(self, request: web.Request) -> web.StreamResponse:
        scene = self._asked(request).scene
        zipped = {"Content-Encoding": "gzip"} if scene[:2] == b"\x1f\x8b" else {}
        return web.Response(body=scene, content_type="application/json", headers=zipped)

    async def _serve_differences(self, request: web.Request) -> web.StreamResponse:
        if self._beside is None:
            raise web.HTTPNotFound
        return web.Response(body=self._beside.differences, content_type="application/json")

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        """A viewer's connection, from its beginning to its end."""
        shown = self._asked(request)
        if len(self.viewers) >= MOST_VIEWERS:
            _log.warning("refused a viewer from %s: there are %d already", request.remote, MOST_VIEWERS)
            raise web.HTTPServiceUnavailable(text="too many viewers\n")
        socket = web.WebSocketResponse(heartbeat=HEARTBEAT, max_msg_size=LARGEST, compress=False)
        await socket.prepare(request)
        self._number += 1
        watch = Watch(shown.run.timeline, self.status, shown.encoded, shown.run.live)
        viewer = Viewer(self._number, socket, watch, shown.run, self._now, str(request.remote))
        self.viewers[viewer.number] = viewer
        writer = asyncio.create_task(viewer.write())
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await viewer.read(message.data)
                elif message.type is WSMsgType.BINARY:
                    await viewer.throw_out("no text")
                elif message.type is WSMsgType.ERROR:
                    _log.warning("refused a message of viewer %s: %s", viewer.name, ascii(str(message.data))[:80])
        finally:
            writer.cancel()
            del self.viewers[viewer.number]
        return socket
