"""Serves the components of a tree to other processes, between its cycles (BICA VI.D)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.failure import Failure, FailureKind
from ..base.transport import Request, Transport
from ..base.wire import WireError, decode, encode
from ..behavior.context import Context
from ..components.component import Component, PartFailed
from ..components.cycle import Cycle
from ..components.interface import Interface
from .remote_modulator import RemoteModulator

LEASE = 0.5  # [s] after which who is not heard of any more modulates nothing
HELLO = 0.2  # [s] to wait for another process of the same name
MANY = 64  # requests dealt with in a cycle, and visitors
DEPTH = 256  # requests that wait
ROOT = "."  # stands for the root of a tree in an address


class Service:
    """Answers what other processes ask of a tree, and tells them its state.

    All of it is done in the tree's own thread, before and after a cycle, so that a cycle is never cut in two. What
    arrives is plain data; what cannot be read is told once, and left out.

    Args:
        at: The name under which other processes know the tree.
        transport: What carries the words.
        components: By name, the root first.
        cycle: That of the tree.
        context: The robot and its world.
        path: Of the tree, in events.
    """

    def __init__(
        self,
        at: str,
        transport: Transport,
        components: Mapping[str, Component],
        cycle: Cycle[Component],
        context: Context,
        path: str,
    ) -> None:
        self._at, self._transport = at, transport
        self._components, self._cycle, self._context, self._path = components, cycle, context, path
        self._interfaces = {name: Interface(component) for name, component in components.items()}
        self._root = next(iter(components))
        self._visitors: dict[str, RemoteModulator] = {}
        self._asked_for: set[str] = set()
        self._told: set[str] = set()
        self._number = 0
        self._next_word = 0.0  # [s] when it says again that it is here
        self._requests = transport.answer(f"{at}/ask", DEPTH)
        self._calls = transport.listen(f"{at}/in", DEPTH)
        self._others = transport.listen(f"{at}/here", MANY)

    @staticmethod
    def taken(at: str, transport: Transport) -> bool:
        """Whether another process serves a tree of this name."""
        try:
            return transport.ask(f"{at}/ask", encode({"do": "hello"}), HELLO) is not None
        except TimeoutError:
            return True

    def receive(self) -> None:
        """Deal with what has arrived; before a cycle, when that has begun."""
        now = self._cycle.now
        self._look_for_another(now)
        for name, visitor in tuple(self._visitors.items()):
            if now - visitor.heard <= LEASE:
                visitor.attend(self._cycle)
            else:
                del self._visitors[name]
                self._tell("left", who=visitor.name)
        for _ in range(MANY):
            data = self._calls.take()
            if data is None:
                break
            self._heard(data, now)
        for _ in range(MANY):
            request = self._requests.take()
            if request is None:
                break
            self._answer(request)

    def publish(self) -> None:
        """Tell the state of the components that were asked for; after a cycle."""
        self._number += 1
        for name in sorted(self._asked_for):
            try:
                state = self._state(self._name(name))
                self._transport.publish(f"{self._at}/out/{name or ROOT}", encode(state))
            except WireError as error:
                self._tell_once(f"the state of '{name}' cannot be sent: {error}")
        self._asked_for.clear()

    def close(self) -> None:
        """Stop to serve, and close all inboxes."""
        for inbox in (self._requests, self._calls, self._others):
            inbox.close()

    def _state(self, name: str) -> dict[str, Any]:
        component = self._components[name]
        failure = component.failure
        return {
            "by": self._transport.identity,
            "number": self._number,
            "state": component.state if component.stepped == self._cycle.number else "inactive",
            "achieved": component.achieved,
            "failure": failure.to_dict() if failure is not None else None,
            "values": self._interfaces[name].state(),
        }

    # what arrives

    def _heard(self, data: bytes, now: float) -> None:
        """Take what another component modulates, and that it wants to know the state."""
        try:
            said = decode(data)
            if "do" in said:  # a call whose answer nobody waits for
                done = self._do(said)
                if "failure" in done:
                    self._tell("problem", problem=Failure.from_dict(done["failure"]).explain())
                return
            asked, who = str(said["component"]), said["from"]
            name = self._name(asked)
            if not (isinstance(who, str) and who and len(who) <= 200 and isinstance(said["set"], dict)):
                raise WireError("it does not say who it is from, and what is set")
        except (WireError, LookupError, TypeError) as error:
            self._tell_once(f"what came cannot be read: {error}")
            return
        visitor = self._visitor(who)
        if visitor is None:
            return
        visitor.heard = now
        visitor.attend(self._cycle)
        self._asked_for.add(asked)
        self._cycle.current = visitor
        try:
            for wrong in visitor.modulates(self._components[name], said["set"]):
                self._tell_once(f"'{visitor.name}' sets what it may not: {wrong}")
        finally:
            self._cycle.current = None

    def _answer(self, request: Request) -> None:
        try:
            asked = decode(request.data)
            done = self._do(asked)
        except (WireError, LookupError, TypeError) as error:
            self._tell_once(f"what came cannot be read: {error}")
            done = {"failure": Failure(FailureKind.LOST_REMOTE, self._at, f"cannot read it: {error}").to_dict()}
        try:
            answer = encode(done)
        except WireError as error:
            failure = Failure(FailureKind.EXCEPTION, self._at, f"the answer cannot be sent: {error}")
            answer = encode({"failure": failure.to_dict()})
        request.reply(answer)

    def _do(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Do what is asked; exceptions of the components are part of the answer."""
        if asked["do"] == "hello":
            return {"by": self._transport.identity}
        component, what = self._name(asked["component"]), str(asked["name"])
        interface = self._interfaces[component]
        visitor = self._visitor(str(asked["from"])[:200])
        if visitor is not None:
            visitor.attend(self._cycle)
        self._cycle.current = visitor
        try:
            if asked["do"] == "get":
                return {"value": interface.get(what)}
            if asked["do"] == "set":
                interface.set(what, asked["value"])
                return {"value": None}
            if asked["do"] == "call":
                self._tell("call", component=component, method=what, who=visitor.name if visitor else "")
                return {"value": interface.call(what, list(asked["args"]), dict(asked["kwargs"]))}
        except PartFailed as error:
            return {"failure": error.failure.to_dict()}
        except Exception as error:
            return {"failure": Failure.raised(error, self._components[component].path).to_dict()}
        finally:
            self._cycle.current = None
        raise WireError(f"nobody can do {asked['do']!r:.50}")

    def _name(self, name: object) -> str:
        name = name or self._root
        if not isinstance(name, str) or name not in self._components:
            raise WireError(f"there is no component {name!r:.50}")
        return name

    def _visitor(self, who: str) -> RemoteModulator | None:
        """Who stands for a component of another process; None where there are too many."""
        if who not in self._visitors:
            if len(self._visitors) >= MANY:
                self._tell_once(f"more than {MANY} components of other processes; no more are heard")
                return None
            self._visitors[who] = RemoteModulator(who.rpartition(" ")[0] or who)
            self._visitors[who].heard = self._cycle.now
            self._tell("joined", who=self._visitors[who].name)
        return self._visitors[who]

    # another one of the same name

    def _look_for_another(self, now: float) -> None:
        if now >= self._next_word:
            self._next_word = now + LEASE
            self._transport.publish(f"{self._at}/here", self._transport.identity.encode())
        for _ in range(MANY):
            other = self._others.take()
            if other is None:
                break
            if other != self._transport.identity.encode():
                self._tell_once(f"another process serves '{self._at}' too; end one of the two, or rename it")

    def _tell(self, what: str, **facts: object) -> None:
        self._context.events.emit("remote", self._path, what=what, at=self._at, **facts)

    def _tell_once(self, problem: str) -> None:
        if problem not in self._told and len(self._told) < MANY:
            self._told.add(problem)
            self._tell("problem", problem=problem)
