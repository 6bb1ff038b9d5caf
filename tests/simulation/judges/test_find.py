from __future__ import annotations

from .setting import goal, record_of, start_step


def test_what_is_published_has_to_be_there_of_the_type_and_in_the_region() -> None:
    """One after the other."""
    steps = [start_step()] * 2
    good = record_of(steps, object="confetti_1")
    assert goal("find", good, type="debris") == ""
    assert goal("find", good, type="debris", on="table") == ""
    assert goal("find", good, type="debris", on="stool") == "'confetti_1' is not over 'stool'"
    assert goal("find", good, type="debris", xmax=-5.0) == "'confetti_1' is outside the region"
    assert (
        goal("find", record_of(steps, object="table"), type="debris")
        == "'table' is of type obstacle/furniture/table, not debris"
    )
    assert goal("find", record_of(steps, object="ghost"), type="debris") == "'ghost' is not there"
    assert goal("find", record_of(steps), type="debris") == "no object was published"
