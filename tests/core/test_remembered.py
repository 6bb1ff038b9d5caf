"""Results live as long as what they are results of."""

from __future__ import annotations

import gc
import weakref

from taskmatrix.core.base.cache import remembered


class Thing:
    """Equal to itself only."""


def test_a_result_is_found_once_and_goes_with_what_it_is_of() -> None:
    """Sixteen robots that nobody has any more would take a gigabyte."""
    asked = []

    @remembered
    def named(thing: Thing) -> Thing:
        asked.append(weakref.ref(thing))
        return Thing()

    one, other = Thing(), Thing()
    result = named(one)
    assert named(one) is result
    assert named(other) is not result
    assert len(asked) == 2
    gone = weakref.ref(result)
    del one, result
    gc.collect()
    assert asked[0]() is None
    assert gone() is None
