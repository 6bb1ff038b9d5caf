"""What comes from one publisher of a topic, watched: order, losses, age, and the publisher's clock.

Clocks of two machines differ. Nothing here compares them: a message is as late as its stamp is behind the quickest
message of the same publisher, by the receiver's clock.
"""

from __future__ import annotations

from .wire import Attachment, Ros2Error

STALE = 0.2  # [s] without a message, or that one is late, after which it is a fault; before it is one of the plant's
STEP = 0.25  # [s] by which a clock may be set without being told; readings wait until it has caught up
DRIFT = 1e-3  # [s/s] by which two clocks may run apart
IDLE = 0.5  # [s] after which nobody has listened, and what was missed meanwhile was not lost
FORGETS, DISORDER = 0.98, 5.0  # each message counts 1/50; a fault is more than every tenth out of order


class Stream:
    """What comes from one publisher of a topic.

    Args:
        topic: Which.
        type: Of its messages.
        progress: [s] From which on its time is counted.

    Attributes:
        stamp: [s] Of the last message that was taken, on the publisher's clock.
        arrival: [s] When it, or a message without news, came; on the receiver's clock.
        offset: [s] What the publisher's clock is ahead of the receiver's, less the time of the quickest message.
        progress: [s] To which the publisher's clock has gone on since the first message.
        lost: Messages that never came, by their numbers.
        late: Messages that came out of order or twice, and were dropped.
    """

    def __init__(self, topic: str, type: str, progress: float = 0.0) -> None:
        self.topic, self.type, self.progress = topic, type, progress
        self.stamp = self.arrival = self.offset = 0.0
        self.lost = self.late = 0
        self._sequence = 0
        self._disorder, self._begun = 0.0, False

    def take(self, attachment: Attachment | None, stamp: float, now: float) -> bool:
        """Whether a message is news.

        Args:
            attachment: Its number and publisher; None: messages are told apart by their stamps.
            stamp: [s] When it was true, on the publisher's clock.
            now: [s] On the receiver's.

        Raises:
            Ros2Error: The publisher's clock was set, or messages come out of order again and again.
        """
        if not self._begun:
            self._begin(attachment, stamp, now)
            return True
        number = None if attachment is None else attachment.sequence
        ordered = stamp > self.stamp if number is None else number > self._sequence
        self._disorder = FORGETS * self._disorder + (not ordered)
        if not ordered:
            self.late += 1
            self.lost -= number is not None and number < self._sequence and self.lost > 0
            if self._disorder > DISORDER:
                self._disorder = 0.0
                raise Ros2Error(f"messages on '{self.topic}' come out of order, {self.late} until now")
            return False
        if number is not None:
            self.lost += number - self._sequence - 1
            self._sequence = number
        passed, self.arrival = min(now - self.arrival, 1.0), now
        ahead = stamp - now
        step = ahead - self.offset
        if step > STEP or stamp < self.stamp - STEP:
            self._begin(attachment, stamp, now)
            raise Ros2Error(f"the clock of who publishes '{self.topic}' was set by {step:+.3f} s")
        self.offset = max(self.offset - DRIFT * passed, ahead)
        if stamp <= self.stamp:
            return False
        self.progress += stamp - self.stamp
        self.stamp = stamp
        return True

    def wrong(self, now: float, patience: float = STALE) -> str:
        """Why what is known is not of now: nothing comes, or what comes is old; empty if it is of now.

        Args:
            now: [s] On the receiver's clock.
            patience: [s] For that.
        """
        silent, behind = now - self.arrival, self.age(now)
        if max(silent, behind) <= patience:
            return ""
        if silent > patience / 2:
            return f"'{self.topic}' is silent: no {self.type} for {silent:.2f} s"
        return f"'{self.topic}' is stale: what comes is {behind:.2f} s old, of {self.stamp:.3f} s"

    def age(self, now: float) -> float:
        """[s] For how long what was taken last has been true; beyond what the quickest message takes."""
        return now + self.offset - self.stamp

    def go_on(self) -> None:
        """Begin anew: nobody has listened for a while."""
        self._begun = False

    def _begin(self, attachment: Attachment | None, stamp: float, now: float) -> None:
        self._sequence = 0 if attachment is None else attachment.sequence
        self.stamp, self.arrival, self.offset = stamp, now, stamp - now
        self._disorder, self._begun = 0.0, True
