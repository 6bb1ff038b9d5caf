"""Explore by going where most is to be seen (beyond the thesis, which walks at random)."""

from __future__ import annotations

from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.machines.machine import State, on, start

from ..common.timer import Timer
from ..locomotion.travel import Travel
from ..locomotion.turn import Turn
from .choose_view import ChooseView
from .explorer import SCANNED, Explorer
from .scan import Scan

GLANCE = 0.5  # [s] for which a robot looks that has no head to turn


class NextBestView(Explorer):
    """Look around, choose the next place to look from, go there, looking about on the way, and so on.

    A robot without a head looks where its base turns. Where nothing unknown can be seen from anywhere, it turns to a
    random heading and looks again. It takes the parameters of ``Explore``, and a strategy that says which place is
    best: the nearest from which much can be seen, the one with the most to be seen, or a bargain of both.
    """

    strategy = Parameter(str, default="gain-and-way", doc="what is best: nearest, gain or gain-and-way")

    timer = State(Timer, duration=Explorer.duration, final=True)
    look = State(Scan, periods=1, **SCANNED)
    glance = State(Timer, duration=GLANCE)
    choose = State(
        ChooseView,
        strategy=strategy,
        width=Explorer.width,
        up=Explorer.up,
        down=Explorer.down,
        xmin=Explorer.xmin,
        ymin=Explorer.ymin,
        xmax=Explorer.xmax,
        ymax=Explorer.ymax,
    )
    travel = State(Travel, x=choose.x, y=choose.y, yaw=choose.yaw, until=timer.end)
    about = State(Scan, **SCANNED, optional=True)
    turn = State(Turn, until=timer.end)

    transitions = (
        start(timer),
        on(timer.parameter_set, start=look),
        on(look.task_successful, start=choose),
        on(look.failed, start=glance),
        on(glance.task_successful, start=choose),
        on(choose.task_successful, start=(travel, about)),
        on(choose.failed, start=turn),
        on(travel.task_successful, stop=about, start=look),
        on(travel.failed, stop=about, start=choose),
        on(turn.task_successful, start=look),
        on(turn.failed, start=look),
    )
