from __future__ import annotations

import json
import pickle

import numpy as np

from taskmatrix.studio.validation import Case, Result


def test_a_result_survives_json_and_pickle() -> None:
    """Also with what judges measure."""
    result = Result(Case("reach", "talos", "sparse", 3), "success", facts={"off": np.float64(0.5), "pair": ("a", "b")})
    again = Result.from_dict(json.loads(json.dumps(result.to_dict())))
    assert again.case == result.case
    assert again.facts == {"off": 0.5, "pair": ["a", "b"]}
    assert pickle.loads(pickle.dumps(again)) == again
    assert Result.from_dict({**result.to_dict(), "library": "a1b2"}).verdict == "success"


def test_the_replay_command_names_the_case() -> None:
    """All of it."""
    assert Case("pick-and-place", "talos", "home.toml", 7).replay == (
        "taskmatrix validate --behaviors pick-and-place --robots talos --worlds home.toml --seed 7"
    )


def test_the_replay_command_has_the_folder_unless_it_is_the_usual() -> None:
    """A case is the same case in any folder, and its result does not tell it."""
    case = Case("reach", "talos", "sparse", 3, out="my results")
    assert case.replay.endswith("--seed 3 --out 'my results'")
    assert case == Case("reach", "talos", "sparse", 3)
    assert "out" not in Result(case, "success").to_dict()
