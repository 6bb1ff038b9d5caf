"""Processes that are none."""

from __future__ import annotations

import pytest

from taskmatrix.core.base.transport import Transport
from taskmatrix.testing import FakeNetwork


def test_words_are_carried_and_kept_as_many_as_asked_for() -> None:
    """To all who listen, also to who says them; no more once closed."""
    network = FakeNetwork()
    first, second = network.process(), network.process()
    inbox, last = second.listen("a", 2), first.listen("a")
    for word in (b"1", b"2", b"3"):
        first.publish("a", word)
    assert [inbox.take(), inbox.take(), inbox.take()] == [b"2", b"3", None]
    assert last.take() == b"3"
    inbox.close()
    first.publish("a", b"4")
    assert inbox.take() is None


def test_questions_are_answered_while_somebody_waits() -> None:
    """By the turn of the other; nobody is told at once, and who does not answer after some turns."""
    network = FakeNetwork()
    first, second = network.process(), network.process()
    assert first.ask("b", b"?", 1.0) is None
    requests = second.answer("b", 4)
    with pytest.raises(TimeoutError):
        first.ask("b", b"?", 1.0)

    def turn() -> None:
        request = requests.take()
        if request is not None:
            request.reply(request.data + b"!")

    requests.take()
    second.turn = turn
    assert first.ask("b", b"hello", 1.0) == b"hello!"


def test_what_is_sent_can_be_changed_or_lost() -> None:
    """As a test wants it."""
    network = FakeNetwork(lambda address, data: None if data == b"lost" else data.upper())
    process: Transport = network.process()
    inbox = process.listen("a", 5)
    for word in (b"lost", b"word"):
        process.publish("a", word)
    assert [inbox.take(), inbox.take()] == [b"WORD", None]
    assert network.sent == [("a", b"lost"), ("a", b"word")]
