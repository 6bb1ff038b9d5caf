"""A Firefox without a window, driven by WebDriver BiDi, which it speaks by itself."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp

from taskmatrix.core.base.errors import TaskMatrixError

LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Delete": "\ue017", "Control": "\ue009", "F2": "\ue032"}
PATIENCE = 60.0  # [s]
LOOK = 0.05  # [s] between two looks at whether something is there
BOX = """(() => {
  const each = document.querySelector(%s);
  each.scrollIntoView({block: "nearest", inline: "nearest"});
  const box = each.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})()"""
CHOOSE = """(() => {
  const select = document.querySelector(%s);
  select.value = %s;
  select.dispatchEvent(new Event("input", {bubbles: true}));
  select.dispatchEvent(new Event("change", {bubbles: true}));
})()"""


class Firefox:
    """One page of it.

    Args:
        socket: To the browser.
        loop: On which it is spoken to.
    """

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, loop: asyncio.AbstractEventLoop) -> None:
        self._socket, self._loop, self._number = socket, loop, 0
        self.version = self._ask("session.new", capabilities={})["capabilities"]["browserVersion"]
        self._page = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def open(self, address: str, width: int = 1440, height: int = 900) -> None:
        """Go to an address, in a window of that size."""
        self._ask("browsingContext.setViewport", context=self._page, viewport={"width": width, "height": height})
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """What an expression of JavaScript gives."""
        text = f"JSON.stringify({expression}) ?? null"
        told = self._ask("script.evaluate", expression=text, target={"context": self._page}, awaitPromise=True)
        if told["type"] == "exception":
            raise TaskMatrixError(told["exceptionDetails"]["text"])
        return json.loads(told["result"].get("value", "null"))

    def until(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(expression):
            if time.monotonic() > end:
                raise TaskMatrixError(f"still not true in Firefox: {expression}")
            time.sleep(LOOK)

    def press(self, name: str) -> None:
        """Press a key, or several at once as in ``Control+a``."""
        values = [KEYS.get(each, each) for each in name.split("+")] if len(name) > 1 else [name]
        down = [{"type": "keyDown", "value": each} for each in values]
        self._act("key", [*down, *({"type": "keyUp", "value": each} for each in reversed(values))])

    def type(self, text: str) -> None:
        """Type a text."""
        self._act("key", [{"type": kind, "value": each} for each in text for kind in ("keyDown", "keyUp")])

    def click(self, selector: str) -> None:
        """Click the middle of an element."""
        self.until(f"!!document.querySelector({json.dumps(selector)})?.getClientRects().length")
        self._act("pointer", [self._move(selector), *self._buttons()])

    def drag(self, source: str, target: str) -> None:
        """Drag from the middle of an element to that of another."""
        down, up = self._buttons()
        self._act("pointer", [self._move(source), down, self._move(target), up])

    def choose(self, selector: str, value: str) -> None:
        """Choose from a list."""
        self.evaluate(CHOOSE % (json.dumps(selector), json.dumps(value)))

    def _move(self, selector: str) -> dict[str, Any]:
        x, y = self.evaluate(BOX % json.dumps(selector))
        return {"type": "pointerMove", "x": round(x), "y": round(y)}

    def _buttons(self) -> list[dict[str, Any]]:
        return [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]

    def _act(self, kind: str, actions: list[dict[str, Any]]) -> None:
        self._ask("input.performActions", context=self._page, actions=[{"type": kind, "id": kind, "actions": actions}])

    def _ask(self, method: str, **params: Any) -> Any:
        return self._loop.run_until_complete(self._answer(method, params))

    async def _answer(self, method: str, params: dict[str, Any]) -> Any:
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": params})
        while True:
            told = await self._socket.receive_json(timeout=PATIENCE)
            if told.get("id") == self._number:
                if told["type"] == "error":
                    raise TaskMatrixError(f"{method}: {told['message']}")
                return told["result"]


def installed() -> str:
    """The path of a Firefox; empty where there is none."""
    return shutil.which("firefox") or shutil.which("firefox-esr") or ""


@contextmanager
def browsing() -> Iterator[Firefox]:
    """A Firefox that ends with the block.

    Raises:
        TaskMatrixError: There is none on the path.
    """
    path = installed()
    if not path:
        raise TaskMatrixError("there is no Firefox on the path")
    loop = asyncio.new_event_loop()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [path, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", str(Path(profile))]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603
            assert process.stderr is not None
            found = next(filter(None, map(LISTENING.search, process.stderr)), None)
            if found is None:
                raise TaskMatrixError("Firefox does not listen for WebDriver BiDi")
            session = loop.run_until_complete(_session())
            try:
                yield Firefox(loop.run_until_complete(session.ws_connect(f"{found[1]}/session")), loop)
            finally:
                loop.run_until_complete(session.close())
                process.terminate()
                process.wait()
                loop.close()


async def _session() -> aiohttp.ClientSession:
    return aiohttp.ClientSession()
