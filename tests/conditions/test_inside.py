"""In a drawer, in a cupboard, and on which of its shelves."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.conditions import Inside
from taskmatrix.core.base.errors import NotFoundError


def test_a_shelf_is_named_by_a_frame() -> None:
    """What stands on the other one is not on it, and poses are proposed on it alone."""
    with simulate("mannequin", world="cafe", seed=1) as session:
        context = session.context
        assert Inside("bottle_4", "cupboard").evaluate(context)
        assert Inside("bottle_4", "cupboard", "bottom").evaluate(context)
        assert not Inside("bottle_4", "cupboard", "shelf").evaluate(context)
        heights = {}
        for at in ("bottom", "shelf"):
            found = Inside("bottle_1", "cupboard", at).sample(context, 20, np.random.default_rng(1))
            heights[at] = {round(float(X_WO[2, 3]), 4) for X_WO in found}
            assert len(heights[at]) == 1
        scale = session.robot.shoulder_height / 1.4
        assert heights["shelf"].pop() - heights["bottom"].pop() == pytest.approx(0.351 * scale, abs=1e-3)
        why = Inside("bottle_4", "cupboard", "shelff").evaluate(context).why
        assert "did you mean 'shelf'" in why
        with pytest.raises(NotFoundError, match="shelff"):
            Inside("bottle_1", "cupboard", "shelff").sample(context, 5, np.random.default_rng(1))
