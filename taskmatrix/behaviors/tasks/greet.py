"""Face somebody and wave (thesis 5.7.3, figure 5.43)."""

from __future__ import annotations

from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.machines.machine import Machine, State, on, start

from ..looking.fixate import Fixate
from ..motions.periodic_canned import PeriodicCanned
from ..motions.postural import Postural


class Greet(Machine):
    """Turn to a person or a robot, wave with either hand while following them with the eyes, and lower the arm."""

    target = Parameter(str, doc="id of whom to greet")
    duration = Parameter(float, default=4.0, minimum=0.01, doc="[s] how long to wave")
    period = Parameter(
        float, default=None, minimum=0.01, doc="[s] of one wave; that of the robot's motion unless given"
    )
    ready = Parameter(str, default="wave_ready_right", doc="posture from which to wave")
    motion = Parameter(str, default="wave", doc="periodic motion to play")
    rest = Parameter(str, default="rest", doc="posture in the end")

    look = State(Fixate, target=target, optional=True)
    watch = State(Fixate, target=target, recurrent=True, optional=True)
    get_ready = State(Postural, posture=ready)
    wave = State(PeriodicCanned, motion=motion, duration=duration, period=period, mirrored=get_ready.mirrored)
    go_to_rest = State(Postural, posture=rest, mirror=False, final=True)

    transitions = (
        start(look),
        on(look.failed(kind="unknown_object"), fail="there is nobody to greet"),
        on(look.task_complete, start=(watch, get_ready)),
        on(get_ready.task_successful, start=wave),
        on(wave.task_complete, stop=watch, start=go_to_rest),
    )
