from __future__ import annotations

from taskmatrix.studio.viewer.track import Track


def test_the_last_before_a_time() -> None:
    """By how many there were until then, those of that time included."""
    track = Track(1000)
    for number, time in enumerate([0.0, 0.5, 0.5, 1.0]):
        track.add(number, time, b"%d" % number)
    assert [track.until(time) for time in (-1.0, 0.0, 0.4, 0.5, 2.0)] == [0, 1, 1, 3, 4]
    assert track.at(2) == (2, b"2")


def test_what_gets_too_much_is_thinned_out_in_its_older_half() -> None:
    """The newest stay as they are, the first stays, and the size is bounded whatever comes."""
    track = Track(1000)
    for number in range(500):
        track.add(number, float(number), b"x" * 50)
    kept = [track.at(index)[0] for index in range(len(track))]
    assert len(kept) <= 20
    assert kept[0] == 0
    assert kept[-5:] == [495, 496, 497, 498, 499]
    assert kept == sorted(kept)
