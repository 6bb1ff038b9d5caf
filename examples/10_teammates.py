"""Two players in two processes share where the ball is, and whoever is nearer to it is the striker.

Each sees the ball as far as two metres, and knows from the other what that sees. Each decides by itself, from what it
knows. When the ball has rolled to and fro, the striker's process is halted: the other takes over within a second. It
goes on, is striker again when the ball comes back to it, and then the other's process is killed.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import socket
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

import taskmatrix as tm
from taskmatrix.core import ActivationTree, Component, Parameter, RealClock, Remote, age
from taskmatrix.transports import Zenoh

FIELD = """
description = "a field, and a ball that rolls to and fro"
default_object = "ball"
reference_shoulder_height = 1.4
bounds = [-3.0, -2.0, 3.0, 2.0]
[start]
lower = [-2.0, -1.0, 0]
upper = [2.0, 1.0, 0]
[[object]]
id = "ball"
model = "tennis_ball"
position = [-1.8, 0.0]
motion = { kind = "roll", waypoints = [[1.8, 0.0], [-1.8, 0.0]], speed = 2.4, repeat = true }
"""
SIGHT = 2.0  # [m]
KEEPS = 0.3  # [m] by which the other has to be nearer for a striker to give up
PACE = 0.25  # [m/s]
HOMES = {1: (-1.2, 0.7), 2: (1.2, -0.7)}  # [m]


class Teammate(Component):
    """What players tell each other."""

    number = Parameter(int, doc="on the shirt")
    ball: tuple[float, float] | None = None  # [m] where it sees the ball
    distance = math.inf  # [m] to the ball, as far as it knows
    striker = False


class Player(Teammate, frequency=25.0):
    """Goes for the ball while it is the striker, and home while the other is."""

    at = Parameter(str, doc="where the other is")
    mate = Remote(Teammate, at=at, optional=True)
    needs = ("base",)
    known: tuple[float, float] | None = None  # [m] where the ball was when one of the two saw it last

    def started(self) -> None:
        """Begin where it stands."""
        self.base = self.context.skills.joints("base")
        self.goal = self.context.arbiter.last[self.base].copy()
        self.target = self.goal[:2].copy()

    def inform(self) -> None:
        """Hear of the other."""
        self.mate.step()

    def work(self) -> None:
        """Look, and decide."""
        place = self.context.skills.position()[self.base][:2]
        seen = self.context.perception.pose("ball")[:2, 3]
        self.ball = (float(seen[0]), float(seen[1])) if math.dist(seen, place) <= SIGHT else None
        mate = self.mate if self.mate.state not in ("waiting", "failed") else None
        ball = self.known = self.ball or (mate.ball if mate is not None else None) or self.known
        self.distance = math.inf if ball is None else math.dist(ball, place)
        self.striker = ball is not None and (mate is None or self.is_nearer(mate))
        x, y = HOMES[self.number]
        self.target = np.array([ball[0], y] if self.striker and ball is not None else [x, y])

    def is_nearer(self, mate: Teammate) -> bool:
        """Whether it is nearer to the ball; of two about equally near, who is the striker stays it."""
        ahead = mate.distance - self.distance
        if abs(ahead) > KEEPS:
            return ahead > 0.0
        return self.striker if self.striker != mate.striker else self.number < mate.number

    def act(self) -> None:
        """Walk one step."""
        way = self.target - self.goal[:2]
        far, step = float(np.linalg.norm(way)), PACE * self.context.dt
        self.goal[:2] += way if far <= step else step * way / far
        self.command(self.base, self.goal.copy())


def play(number: int, field: str, port: int, told: Connection[Any, Any]) -> None:
    """Be a player, in a process of its own: say ``ready``, wait for the kick-off, and tell each change of role."""
    transport = Zenoh(port=port)
    with tm.simulate("nao", field, start=(*HOMES[number], 0.0), transport=transport) as session:
        player = Player(number=number, at=f"player-{3 - number}", name=f"player-{number}")
        told.send("ready")
        told.recv()
        roles: list[bool] = []
        wall = RealClock()

        def tell() -> None:
            wall.sleep_until(session.context.clock.now())  # in real time, but with no process that would plan
            if roles[-1:] != [player.striker]:
                roles.append(player.striker)
                told.send((player.striker, age(player.mate) if len(roles) > 1 else 0.0))

        session.add_process(tell)
        session.run(ActivationTree(player, at=player.name), timeout=100.0)


class Match:
    """Two players, as the referee sees them."""

    def __init__(self, field: str, port: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.processes: dict[int, Any] = {}
        self.told: dict[int, Connection[Any, Any]] = {}
        self.strikers = {1: False, 2: False}
        for number in self.strikers:
            self.told[number], theirs = context.Pipe()
            self.processes[number] = context.Process(target=play, args=(number, field, port, theirs), daemon=True)
            self.processes[number].start()
        for told in self.told.values():
            told.recv()
        self.clock = RealClock()
        for told in self.told.values():
            told.send("kick-off")

    def until(self, number: int) -> float:
        """Watch until one player alone is the striker; returns how long that had not heard of the other [s]."""
        silence = 0.0
        while self.strikers != {number: True, 3 - number: False}:
            for each, told in self.told.items():
                if told.poll(0.005):
                    self.strikers[each], silence = told.recv()
                    self.say(f"player {each} is {'striker' if self.strikers[each] else 'supporter'}")
        return silence

    def lose(self, number: int, how: signal.Signals) -> float:
        """Halt or kill a player; returns how long the other had not heard of it when it took over [s]."""
        os.kill(self.processes[number].pid, how)
        self.say(f"player {number} is lost ({how.name})")
        if how is signal.SIGKILL:
            del self.told[number]
        self.strikers[number] = False
        silence = self.until(3 - number)
        self.say(f"player {3 - number} took over after {silence:.2f} s of silence")
        return silence

    def say(self, what: str) -> None:
        """Print it, with the time."""
        print(f"{self.clock.now():6.2f} s  {what}")


def free_port() -> int:
    """A port of this machine at which nobody listens."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def main() -> None:
    """Run the example."""
    with tempfile.TemporaryDirectory() as folder:
        field = Path(folder) / "field.toml"
        field.write_text(FIELD, encoding="utf-8")
        port = free_port()
        Zenoh(port=port).close()  # where it is not installed, this says so once
        match = Match(str(field), port)
        match.until(2)
        match.until(1)
        first = match.lose(1, signal.SIGSTOP)
        os.kill(match.processes[1].pid, signal.SIGCONT)
        match.say("player 1 is back")
        match.until(1)
        match.until(2)
        second = match.lose(2, signal.SIGKILL)
    print("success" if max(first, second) < 1.0 else "failure")


if __name__ == "__main__":
    main()
