"""Which steps are possible in a state: what a person could write next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from taskmatrix.conditions import RestingOn
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import GRASPABLE, Array
from taskmatrix.session.catalogue import behaviors, load
from taskmatrix.session.session import Session
from taskmatrix.simulation.scenes.second_robot import SECOND_ROBOT

from .feasibility import is_feasible
from .program import Step, Value

Values = Mapping[str, Value]
HOME = 0.003  # [m] from where it stood before a hand took it, what is let go stands there again
AHEAD, ROAM, BETWEEN = 0.1, 0.3, 0.05  # [m] that have to be free for a drive and for a walk, and between two looks
LOOKS = 25  # at a motion
GREETING = ("wave_ready_right", "rest")  # the postures that greet takes
ASIDE = 0.3  # [rad] that have to be free for a turn, to either side
STEP = 0.02  # [rad] between two looks at them
TWO_HANDS = 0.2  # [m] that an object is long on which two hands have room
SPACIOUS = 6.0  # times as large as what stands on it, and there is room for all of that
TALL = 0.5  # [m] and more: such an object stands nowhere by itself


@dataclass
class Situation:
    """The state in which the next step is chosen, in the words in which steps are about it.

    It keeps in mind where things stood before hands took them: :meth:`note` is called before each step.
    """

    session: Session
    """The robot in its world."""
    homes: dict[str, Array] = field(default_factory=dict)
    """X_WO (4, 4) of every object when no hand held it last."""
    _fitting: dict[tuple[str, str], bool] = field(default_factory=dict)

    def note(self) -> None:
        """Look at what there is now."""
        self.session.look()
        self._fitting.clear()
        percepts = self.session.context.perception.percepts
        self.homes.update({id: percept.X_WO for id, percept in percepts.items() if percept.held_by is None})
        self.there = tuple(percepts)
        self.held = tuple(id for id, percept in percepts.items() if percept.held_by is not None)
        self.free = tuple(id for id in percepts if id not in self.held and self._graspable(id))

    def _graspable(self, id: str) -> bool:
        model = self.session.world.objects[id]
        return model.movable and bool(model.grasps or model.is_a(GRASPABLE))

    @property
    def has_free_hand(self) -> bool:
        """Whether a hand holds nothing."""
        return len(self.held) < len(self.session.robot.hands)

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """Ids of the furniture."""
        return tuple(id for id, model in self.session.world.objects.items() if model.is_a("furniture"))

    def supports(self, id: str) -> list[str]:
        """Ids of the furniture, not above the shoulders, on which an object has room; none if that is tall."""
        perception = self.session.context.perception
        lower, upper = perception.object(id).box
        if upper[2] - lower[2] > TALL:
            return []
        low = [on for on in self.pieces if on in self.there and self._is_low(on)]
        return [on for on in low if self._fits(id, on)]

    def has_room(self, on: str, ids: Sequence[str]) -> bool:
        """Whether several objects fit on furniture for sure; one does where :meth:`supports` says so."""
        areas = [float(np.prod(np.subtract(*self.session.context.perception.object(id).box)[:2])) for id in (on, *ids)]
        return len(ids) == 1 or areas[0] >= SPACIOUS * sum(areas[1:])

    def _is_low(self, on: str) -> bool:
        top = float(self.session.context.perception.object(on).box[1][2])
        return top <= self.session.robot.shoulder_height

    def _fits(self, id: str, on: str) -> bool:
        if (id, on) not in self._fitting:
            room = RestingOn(id, on).sample(self.session.context, 1, np.random.default_rng(0))
            self._fitting[id, on] = bool(room)
        return self._fitting[id, on]

    def stands(self, id: str) -> bool:
        """Whether what a hand holds is where it stays when it is let go: on something, or where it was taken."""
        X_WO = self.session.context.perception.pose(id)
        if id in self.homes and np.abs(X_WO - self.homes[id]).max() < HOME:
            return True
        return any(RestingOn(id, on).evaluate(self.session.context) for on in self.pieces if on in self.there)


def _reach(now: Situation) -> Iterator[Values]:
    if now.has_free_hand:
        yield from ({"object": id} for id in now.free)


def _release(now: Situation) -> Iterator[Values]:
    yield from ({"object": id} for id in now.held if now.stands(id))


def _put(now: Situation) -> Iterator[Values]:
    yield from ({"object": id, "on": on} for id in now.held for on in now.supports(id))


def _position(now: Situation) -> Iterator[Values]:
    yield from _put(now)
    for id in now.held:
        if id in now.homes and not now.stands(id):
            x, y, z = np.round(now.homes[id][:3, 3], 4).tolist()
            yield {"object": id, "x": x, "y": y, "z": z}
        if "tip" in now.session.world.objects[id].frames:
            pieces = [other for other in now.there if now.session.world.objects[other].is_a("debris")]
            yield from ({"object": id, "above": piece, "frame": "tip"} for piece in pieces)


def _transfer(now: Situation) -> Iterator[Values]:
    boxes = {id: now.session.context.perception.object(id).box for id in now.held if now.has_free_hand}
    yield from ({"object": id} for id, (lower, upper) in boxes.items() if np.max(upper - lower) >= TWO_HANDS)


def _pick_and_place(now: Situation) -> Iterator[Values]:
    for id in (*now.held, *now.free):
        others = [other for other in now.held if other != id]
        for on in now.supports(id):
            if all(on in now.supports(other) for other in others) and now.has_room(on, [id, *others]):
                yield {"object": id, "on": on}


def _vacuum(now: Situation) -> Iterator[Values]:
    objects, perception = now.session.world.objects, now.session.context.perception
    for id in now.free if not now.held else ():
        for on in now.supports(id) if "tip" in objects[id].frames else ():
            if any(objects[piece].is_a("debris") and RestingOn(piece, on).evaluate(now.session.context)
                   for piece in now.there if piece in perception):  # fmt: skip
                yield {"object": id, "on": on}


def _postural(now: Situation) -> Iterator[Values]:
    yield from ({"posture": name} for name in now.session.robot.postures if _has_room(now, name))


def _greet(now: Situation) -> Iterator[Values]:
    if SECOND_ROBOT in now.there and all(
        _has_room(now, name) for name in GREETING if name in now.session.robot.postures
    ):
        yield {"target": SECOND_ROBOT}


def _has_room(now: Situation, name: str) -> bool:
    """Whether a posture is free of collisions, here and with what is held, and arms bear that; and mirrored too."""
    skills = now.session.skills
    posture = skills.posture(name)
    images = [image for image in (posture, skills.mirrored(posture)) if image is not None]
    return all(
        skills.imminent_contact(np.array(list(image)), np.array(list(image.values()))) is None
        and _bears(now, np.array(list(image)), np.array(list(image.values())))
        for image in images
    )


def _bears(now: Situation, joints: Indices, positions: Array) -> bool:
    """Whether the arms can hold what the hands hold, with some joints at positions."""
    skills = now.session.skills
    q = skills.position()
    q[joints] = positions
    held = ((hand, skills.held(hand)) for hand in skills.hands)
    return not any(id is not None and skills.too_heavy(hand, id, q) for hand, id in held)


def _motions(periodic: bool) -> Callable[[Situation], Iterator[Values]]:
    """Motions, and where there are any their mirror images, that are free of collisions here and with what is held."""

    def free(now: Situation, name: str) -> bool:
        skills = now.session.skills
        motion = skills.motion(name)
        return all(
            skills.collision(image.indices, image.sample(time)[0]) is None
            and _bears(now, image.indices, image.sample(time)[0])
            for image in (motion, motion.mirrored(skills.mirrored))
            if image is not None
            for time in np.linspace(0.0, image.duration, LOOKS)
        )

    def offered(now: Situation) -> Iterator[Values]:
        for name, motion in now.session.robot.motions.items():
            if motion.periodic is periodic and free(now, name):
                yield {"motion": name, "duration": 3.0} if periodic else {"motion": name}

    return offered


def _find(now: Situation) -> Iterator[Values]:
    words = {word for id in now.there if id not in now.held for word in now.session.world.objects[id].type.split("/")}
    yield from ({"type": word} for word in sorted(words))


def _walk(now: Situation) -> Iterator[Values]:
    if _is_open(now, ROAM) or _is_open(now, -ROAM):
        yield {"duration": 8.0}


def _drive(ahead: float) -> Callable[[Situation], Iterator[Values]]:
    def offered(now: Situation) -> Iterator[Values]:
        if _is_open(now, ahead):
            yield {"distance": 0.3}

    return offered


def _is_open(now: Situation, far: float) -> bool:
    """Whether the way is free so far [m] along the base's heading, or against it."""
    skills = now.session.skills
    base, q = skills.joints("base"), skills.position()
    ahead = np.array([np.cos(q[base[2]]), np.sin(q[base[2]]), 0.0])
    ways = np.linspace(0.0, far, 1 + round(abs(far) / BETWEEN))[1:]
    return all(skills.imminent_contact(base, q[base] + way * ahead) is None for way in ways)


def _turn(now: Situation) -> Iterator[Values]:
    skills = now.session.skills
    yaw = skills.joints("base")[2:]
    here, ways = skills.position()[yaw], np.arange(STEP, ASIDE + STEP / 2, STEP)
    if any(all(skills.imminent_contact(yaw, here + sense * way) is None for way in ways) for sense in (1.0, -1.0)):
        yield {}


OFFERS: dict[str, tuple[int, Callable[[Situation], Iterator[Values]]]] = {
    "reach": (2, _reach),
    "grasp": (2, _reach),
    "pickup": (3, _reach),
    "fetch": (1, _reach),
    "search": (1, _reach),
    "release": (2, _release),
    "putdown": (3, _put),
    "position": (2, _position),
    "regrasp": (2, _put),
    "transfer": (2, _transfer),
    "pick-and-place": (2, _pick_and_place),
    "vacuum": (1, _vacuum),
    "fixate": (2, lambda now: ({"target": id} for id in now.there)),
    "scan": (1, lambda now: iter([{"duration": 5.0}])),
    "find": (1, _find),
    "greet": (1, _greet),
    "postural": (2, _postural),
    "periodic-canned": (1, _motions(True)),
    "aperiodic-canned": (1, _motions(False)),
    "random-walk": (1, _walk),
    "forward": (1, _drive(AHEAD)),
    "reverse": (1, _drive(-AHEAD)),
    "turn": (1, _turn),
}
"""For each behavior how often it is chosen, compared with others, and its parameters that make sense in a situation.

Left out are the parts of machines (``meet``, ``choose-view``, ``notice``, ``travel``, ``timer``), what needs a map of
space (``explore``, ``next-best-view``), and ``kick``, which needs a pitch.
"""


def offered(now: Situation, behavior: str) -> list[Step]:
    """The steps of a behavior that make sense in a situation; whether they may start is not asked yet."""
    return [Step(behavior, tuple(values.items())) for values in OFFERS[behavior][1](now)]


def chosen(now: Situation, random: np.random.Generator) -> Step | None:
    """Draw one of the possible steps: first the behavior, then its parameters; None where nothing is possible."""
    known = behaviors()
    names = [name for name in OFFERS if name in known]
    while names:
        weights = np.array([OFFERS[name][0] for name in names], dtype=float)
        steps = offered(now, names.pop(int(random.choice(len(names), p=weights / weights.sum()))))
        random.shuffle(steps)
        for step in steps:
            if may_start(now.session, made(step)) and is_feasible(now.session, step):
                return step
    return None


def may_start(session: Session, behavior: TaskBehavior) -> bool:
    """Whether a behavior's requirements and preconditions hold."""
    if session.unmet(behavior) is not None:
        return False
    return all(condition.evaluate(session.context) for condition in behavior.preconditions())


def made(step: Step) -> TaskBehavior:
    """The behavior of a step."""
    values: dict[str, Any] = dict(step.parameters)
    return _class(step.behavior)(**values)


@lru_cache(maxsize=64)
def _class(behavior: str) -> type[TaskBehavior]:
    """Entry points are read once."""
    return load(behavior)
