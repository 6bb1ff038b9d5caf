"""Results that are kept as long as what they are results of."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

K = TypeVar("K")
V = TypeVar("V")


def remembered(function: Callable[[K], V]) -> Callable[[K], V]:
    """Have a function keep its results by its argument, and none longer than that lives: a robot, an object's model.

    Its argument is one that is equal to nothing but itself; a result has to go without a reference to it.
    """
    known: WeakKeyDictionary[K, V] = WeakKeyDictionary()

    @wraps(function)
    def result(of: K) -> V:
        if of not in known:
            known[of] = function(of)
        return known[of]

    return result
