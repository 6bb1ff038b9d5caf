"""The condition in region, and poses that satisfy it."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.conditions import InRegion
from taskmatrix.core import NotInvertibleError, ParameterError, Region
from taskmatrix.testing import Bench

from .satisfied import cup, sampled, table

CORNER = Region((0, 0, 0), (0.3, 0.3, 0.3))


@pytest.mark.parametrize(("x", "out"), [(0.031, 0.0), (0.02, 0.01), (0.29, 0.02)])
def test_the_whole_box_has_to_be_in_it(x: float, out: float) -> None:
    """And the verdict says by how much it is not."""
    verdict = InRegion("cup", CORNER).evaluate(Bench([cup((x, 0.1, 0.1))]).context)
    assert bool(verdict) is (out == 0.0)
    assert verdict.values["out"] == pytest.approx(out)
    assert ("is in the region" if verdict else f"{out * 1000:.1f} mm out of") in verdict.why


def test_wrong_arguments_are_said() -> None:
    """An unknown object, and what is no region."""
    assert "did you mean 'cup'" in InRegion("cub", CORNER).evaluate(Bench([cup()]).context).why
    with pytest.raises(ParameterError, match="has to be a Region, not 'kitchen'"):
        InRegion("cup", "kitchen").evaluate(Bench([cup()]).context)


def test_sampled_it_is_anywhere_in_the_region() -> None:
    """Not only in a part of it."""
    bench = Bench([cup()])
    places = np.array([X_WO[:3, 3] for X_WO in sampled(bench, InRegion("cup", CORNER), 60)])
    assert (places.max(axis=0) - places.min(axis=0) > 0.12).all()


def test_a_region_without_end_cannot_be_sampled_but_joined() -> None:
    """Half of all space proposes no pose; with a second region it does."""
    bench = Bench([cup(), table()])
    half = InRegion("cup", Region((0, -np.inf, -np.inf), (np.inf, np.inf, np.inf)))
    with pytest.raises(NotInvertibleError, match="nothing bounds where 'cup' may be"):
        half.sample(bench.context, 1, np.random.default_rng(0))
    assert len(sampled(bench, half & InRegion("cup", CORNER))) == 20
