"""What stands in a tree for a component of another process."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, cast

from ..base.errors import ComponentError, not_found
from ..base.failure import Failure, FailureKind
from ..base.transport import Inbox, Transport
from ..base.wire import WireError, decode, encode
from ..behavior.context import Context
from ..components.component import SLACK, Component, PartFailed
from ..components.cycle import Cycle
from ..components.interface import methods_of
from .remote_state import RemoteState, StateReader
from .service import ROOT

DEPTH = 8  # states that wait: two processes of one name do not hide each other


class RemoteComponent(Component, overrides=("bind", "modulate", "state")):
    """Reads the state of a component of another process, modulates it, and calls its methods.

    Made by :class:`~taskmatrix.core.remote.remote.Remote`.

    Args:
        name: Its name in the tree.
        at: The name of the tree, and of the component if it is not the root, with a slash in between.
        reliable: Names that are asked for with an answer awaited; None: all.
        timeout: [s] To wait for an answer.
        lost_after: [s] Without a word, after which it is lost.
    """

    _stands_for: ClassVar[type[Component]] = Component

    def __init__(self, name: str, at: str, reliable: frozenset[str] | None, timeout: float, lost_after: float) -> None:
        super().__init__(name=name)
        self._at, self._timeout, self._lost_after = at, timeout, lost_after
        self._server, _, self._component = at.partition("/")
        self._reliable = reliable
        self._methods = methods_of(self._stands_for)
        self._transport: Transport | None = None
        self._states: Inbox[bytes] | None = None
        self._reader = StateReader(at, lost_after)
        self._since = 0.0  # [s] from when on silence counts
        self._next_word = 0.0  # [s] when it says again what is modulated, while it is lost

    @property
    def state(self) -> str:
        """The state of the component in its own tree; ``waiting`` as long as that is not known, or ``failed``."""
        if self.failure:
            return "failed"
        known = self._reader.known
        return known.state if known is not None else "waiting"

    def _silence(self) -> float:
        """[s] Since its last state has arrived."""
        known = self._reader.known
        return self._now() - known.arrived if known is not None else math.inf

    # the lifecycle

    def bind(self, tree: Cycle[Component], context: Context, path: str) -> None:
        """Put into a tree that is going to run, in a session that reaches other processes."""
        if context.transport is None:
            raise ComponentError(
                f"'{self.name}' is at '{self._at}', in another process, and nothing leads there: "
                "simulate(..., transport=Zenoh())"
            )
        super().bind(tree, context, path)
        self._transport = context.transport
        self._reader = StateReader(self._at, self._lost_after)
        self._close()

    def started(self) -> None:
        """Listen, and count silence from now."""
        if self._states is None and self._transport is not None:
            self._states = self._transport.listen(f"{self._server}/out/{self._component or ROOT}", DEPTH)
        self._since = self._now()

    def stopped(self) -> None:
        """Stop to listen to the other process."""
        self._close()

    def inform(self) -> None:
        """Take the last state that arrived; in every cycle."""
        self._take()
        failure = self._lost() or self._failed()
        if failure is not None:
            raise PartFailed(failure)

    def work(self) -> bool:
        """Say what is modulated, and ask for the state."""
        self._say()
        known = self._reader.known
        return known is not None and known.achieved

    def recovers(self) -> bool:
        """Whether a state has arrived since it was lost, and the component has not failed in it."""
        now = self._now()
        if now >= self._next_word - SLACK:
            self._next_word = now + 1.0 / (self.frequency or 1.0)
            self._say()
        if self._take() and self._failed() is None:
            self.context.events.emit("remote", self.path, what="back", at=self._at)
            return True
        return False

    def _take(self) -> bool:
        """Take what arrived; whether there was a state among it."""
        arrived = False
        while self._states is not None:
            data = self._states.take()
            if data is None:
                break
            told = self._reader.read(data, self._now())
            if told:
                self.context.events.emit("remote", self.path, what="problem", at=self._at, problem=told)
            arrived = arrived or told is None
        return arrived

    def _lost(self) -> Failure | None:
        known, now = self._reader.known, self._now()
        since = max(self._since, known.arrived if known is not None else 0.0)
        if now - since <= self._lost_after + SLACK:
            return None
        problem = self._reader.problem
        what = "has not been heard of" if known is None else "is not heard of any more"
        why = f"; {problem}" if problem else ""
        message = f"'{self._at}' {what}{why}"
        return self.fail(FailureKind.LOST_REMOTE, message, at=self._at, silence=now - since)

    def _failed(self) -> Failure | None:
        known = self._reader.known
        if known is None or known.failure is None:
            return None
        return self.fail(known.failure.root.kind, f"'{self._at}' has failed", known.failure)

    def _say(self) -> None:
        self._send("publish", {"component": self._component, "set": self.modulations_held})

    def _send(self, how: str, said: Mapping[str, Any]) -> bytes | None:
        transport = self._transport
        if transport is None:
            raise ComponentError(f"'{self.name}' is in no tree that runs, and so at '{self._at}' for nobody")
        data = encode({**said, "from": f"{self.path} {transport.identity}"})
        if how == "ask":
            return transport.ask(f"{self._server}/ask", data, self._timeout)
        transport.publish(f"{self._server}/in", data)
        return None

    def _close(self) -> None:
        if self._states is not None:
            self._states.close()
            self._states = None

    def _now(self) -> float:
        return self.context.clock.now()

    # its interface

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or "_reader" not in vars(self):
            raise AttributeError(f"'{type(self).__name__}' has no '{name}'")
        if name in self._methods:
            return _Method(self, name)
        if self._is_reliable(name):
            return self._ask("get", name)
        known: RemoteState | None = self._reader.known
        if known is None:
            message = f"nothing is known of '{self._at}' yet, and so no '{name}'"
            raise PartFailed(self.fail(FailureKind.LOST_REMOTE, message, at=self._at))
        if name not in known.values:
            who = f"the state of '{self._at}'"
            raise ComponentError(not_found("attribute", name, [*known.values, *self._methods], who))
        return known.values[name]

    def __setattr__(self, name: str, value: object) -> None:
        if name.startswith("_") or name == "frequency" or name in type(self).modulated:
            super().__setattr__(name, value)
            return
        raise ComponentError(
            f"'{name}' of '{self._at}' cannot be set from here; "
            f"{not_found('modulation', name, type(self).modulated, self._stands_for.__name__)}"
        )

    def modulate(self, modulation: str, value: object) -> None:
        """Set a modulation; where that is reliable, wait until it is set over there."""
        super().modulate(modulation, value)
        if self.modulations[modulation] == value and self._is_reliable(modulation):
            self._ask("set", modulation, value=value)

    def _call(self, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Call a method of the component in the other process."""
        try:
            self._methods[name].bind(self, *args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self._stands_for.__name__}.{name}(): {error}") from None
        return self._ask("call", name, args=list(args), kwargs=dict(kwargs))

    def _is_reliable(self, name: str) -> bool:
        return self._reliable is None or name in self._reliable

    def _ask(self, do: str, name: str, **said: Any) -> Any:
        """Ask, and wait for the answer; raises PartFailed where there is none, or it is a failure."""
        what = f"{self._stands_for.__name__}.{name}" + ("()" if do == "call" else "")
        asked = {"do": do, "component": self._component, "name": name, **said}
        if do == "call" and not self._is_reliable(name):
            self._send("publish", asked)
            return None
        try:
            answer = self._send("ask", asked)
        except TimeoutError:
            message = f"no answer to {what} from '{self._at}' within {self._timeout:g} s"
            raise PartFailed(self.fail(FailureKind.TIMEOUT, message, at=self._at)) from None
        if answer is None:
            message = f"nobody is at '{self._at}' to answer {what}"
            raise PartFailed(self.fail(FailureKind.LOST_REMOTE, message, at=self._at))
        try:
            done = decode(answer)
            if "failure" not in done:
                return done["value"]
            cause = Failure.from_dict(done["failure"])
        except (WireError, LookupError, TypeError) as error:
            message = f"the answer to {what} from '{self._at}' cannot be read: {error}"
            raise PartFailed(self.fail(FailureKind.LOST_REMOTE, message, at=self._at)) from None
        raise PartFailed(self.fail(cause.root.kind, f"{what} failed at '{self._at}'", cause))


class _Method:
    """A method of a remote component, to be called."""

    def __init__(self, component: RemoteComponent, name: str) -> None:
        self._component, self._name = component, name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._component._call(self._name, args, kwargs)


def standing_for(component: type[Component]) -> type[RemoteComponent]:
    """The class of those that stand for components of a class: it has the same modulations."""
    body = {**component.modulated, "_stands_for": component, "__doc__": component.__doc__}
    return cast("type[RemoteComponent]", type(f"Remote{component.__name__}", (RemoteComponent,), body))


def age(component: Component) -> float:
    """[s] How old it is what a component knows of itself: 0 of one that is here, infinite of one never heard of."""
    return component._silence() if isinstance(component, RemoteComponent) else 0.0
