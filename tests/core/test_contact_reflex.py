"""What a limb does that touches something unplanned."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix.core import Arbiter, Command, Event, EventStream, ParameterError, SimulatedClock
from taskmatrix.core.robot.contact_reflex import ContactReaction, ContactReflex, SensedContact
from taskmatrix.core.robot.impedance import Impedance

ARM = np.array([1, 2])
CHAINS, DT = {"arm": [1, 2], "head": [3]}, 0.1
CONTACT = SensedContact("arm", "wrist", np.array([0.0, 0.0, -12.0]), 2.0)


class Touched:
    """A detector of one contact, and what it was told to leave out."""

    def __init__(self) -> None:
        self.contact: SensedContact | None = None
        self.ignored: list[Collection[str]] = []

    def __call__(self, ignored: Collection[str]) -> SensedContact | None:
        self.ignored.append(ignored)
        found, self.contact = self.contact, None
        return found if found is not None and found.chain not in ignored else None


def made(reaction: ContactReaction) -> tuple[Arbiter, Touched, list[Event]]:
    events, told, touched = EventStream(SimulatedClock()), list[Event](), Touched()
    events.subscribe(told.append)
    reflex = ContactReflex(CHAINS, DT, events)
    arbiter = Arbiter(CHAINS, np.zeros(4), events, [reflex], impedance_joints=[1, 2])
    reflex.arm(reaction, touched, lambda: (np.full(4, 0.05), np.full(4, 7.0)))
    for owner, chain in (("reach", "arm"), ("look", "head")):
        arbiter.claim(owner, [chain])
    return arbiter, touched, told


def step(arbiter: Arbiter, q: float = 0.2, impedance: Impedance | None = None) -> Command:
    for owner, joints in (("reach", np.array([1, 2])), ("look", np.array([3]))):
        still = np.zeros(len(joints))
        arbiter.command(owner, joints, still + q, still, still, impedance=impedance if owner == "reach" else None)
    return arbiter.resolve()


def test_a_limb_that_is_touched_stops_where_it_is_and_the_others_go_on() -> None:
    """For the time of the reaction; who moved it learns what was touched, and it is told once."""
    arbiter, touched, told = made(ContactReaction(duration=0.2))
    assert_allclose(step(arbiter).q, [0.0, 0.2, 0.2, 0.2])
    touched.contact = CONTACT
    for _ in range(2):
        assert_allclose(step(arbiter, 0.3).q, [0.0, 0.05, 0.05, 0.3])
        failure = arbiter.blocked("reach")
        assert failure is not None
        assert failure.message == "something pushed wrist of arm with 12 N along (0.0, 0.0, -1.0)"
        assert arbiter.blocked("look") is None
    assert_allclose(step(arbiter, 0.3).q[1:3], 0.3)
    contacts = [event for event in told if event.kind == "contact"]
    assert [event.data["link"] for event in contacts] == ["wrist"]


def test_a_limb_goes_limp_with_its_weight_held() -> None:
    """It floats: no spring holds it."""
    arbiter, touched, _ = made(ContactReaction("limp", duration=0.2, damping=2.0))
    touched.contact = CONTACT
    command = step(arbiter)
    assert command.impedance is not None
    assert_allclose(command.impedance.of(ARM).torque, 7.0)
    assert_allclose(command.impedance.of(ARM).stiffness, 0.0)
    assert_allclose(command.impedance.of(ARM).damping, 2.0)
    assert not command.impedance.driven[3]


def test_limbs_that_are_driven_by_forces_are_for_touching() -> None:
    """Their contacts are left out."""
    arbiter, touched, told = made(ContactReaction())
    touched.contact = CONTACT
    step(arbiter, impedance=Impedance(*np.zeros((3, 2))))
    assert touched.ignored == [["arm"]]
    assert "contact" not in [event.kind for event in told]


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"kind": "stpo"}, "did you mean 'stop'"),
        ({"sensitivity": 0.0}, "sensitivity of a reaction is a share above 0"),
        ({"duration": 0.0}, "duration of a reaction is above 0 s"),
        ({"damping": -1.0}, "damping from 0"),
    ],
)
def test_a_reaction_that_cannot_be_says_why(values: dict[str, object], problem: str) -> None:
    """When it is made."""
    with pytest.raises(ParameterError, match=problem):
        ContactReaction(**values)  # type: ignore[arg-type]
